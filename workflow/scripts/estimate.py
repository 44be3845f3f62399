"""Put the calibrations of a study together and print the estimate."""

import sys

from sslrank.benchmark.logs import log_to

terminal = sys.stdout
with log_to(snakemake.log[0], snakemake, record=False):
    from sslrank.benchmark.steps.estimate import estimate_job

    text = estimate_job(list(snakemake.input), snakemake.output[0])
    print(text)
    print(text, file=terminal)
