"""Gather the recomputed cells; fail where one differs and nothing explains it."""

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0]) as tell:
    from sslrank.benchmark.steps.verify import verify_job

    for line in verify_job(snakemake.input, snakemake.params.output):
        tell(line)
