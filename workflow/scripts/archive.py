"""Put the finished results of the chosen studies into the archive."""

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0]) as tell:
    from sslrank.benchmark import paths
    from sslrank.benchmark.steps.archive import archive_job

    for line in archive_job(paths.ARCHIVE, snakemake.output[0], **snakemake.params):
        tell(line)
