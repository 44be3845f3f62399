"""Gather the recomputed cells; fail where one differs and nothing explains it."""

from sslrank.pipeline.logs import log_to

with log_to(snakemake.log[0]) as tell:
    from sslrank.pipeline.jobs.verifying import verify_job

    for line in verify_job(snakemake.input, snakemake.params.output):
        tell(line)
