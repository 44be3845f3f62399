"""Gather the recomputed cells; fail where one differs and nothing explains it."""

import sys

from sslrank.pipeline.logs import log_to

terminal = sys.stderr
with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.verifying import verify_job

    for line in verify_job(snakemake.input, snakemake.params.output):
        print(line)
        print(line, file=terminal)
