#!/bin/sh
# Snakemake runs this once inside a new conda environment, from the root of the repository. Another lock file makes
# another environment, as Snakemake hashes this file:
# requirements.lock 512b09a76ba73e633d21b10a2d549884cf449e0781c2a21eac5c93a36006838f
set -e
python -m pip install --no-compile --require-hashes -r requirements.lock
python -m pip install --no-build-isolation --no-deps .
