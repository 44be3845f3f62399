"""Put what has finished into the archive."""

from sslrank.benchmark.logs import log_to

with log_to(snakemake.log[0]) as tell:
    from sslrank.benchmark.steps.archive import archive_job

    given = snakemake.params
    options = {"results": given.results, "estimates": given.estimates}
    for line in archive_job(given.folder, given.pairs, given.experiments, **options):
        tell(line)
