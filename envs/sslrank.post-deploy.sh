#!/bin/sh
# Snakemake runs this once inside a new conda environment, from the root of the repository. Another lock file makes
# another environment, as Snakemake hashes this file:
# requirements.lock 956d8bf87c91991ce8f7358003a764cf22b0c89e6eba709b671011dd3a0a5865
set -e
python -m pip install --no-compile --require-hashes -r requirements.lock
python -m pip install --no-build-isolation --no-deps .
