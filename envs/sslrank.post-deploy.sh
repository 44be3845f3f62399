#!/bin/sh
# Snakemake runs this once inside a new conda environment, from the root of the repository. Another lock file makes
# another environment, as Snakemake hashes this file:
# requirements.lock 42bbc11db763494389cbd5925dc34afcd0c1b211c1ca670cae2af29038b11fee
set -e
python -m pip install --no-compile --require-hashes -r requirements.lock
python -m pip install --no-build-isolation --no-deps .
