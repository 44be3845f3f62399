#!/bin/sh
# Snakemake runs this once inside a new conda environment, from the root of the repository.
set -e
python -m pip install --no-build-isolation --no-deps .
