"""Put what has finished into the archive."""

import sys

from sslrank.pipeline.logs import log_to

terminal = sys.stderr
with log_to(snakemake.log[0]):
    from sslrank.pipeline.jobs.archiving import archive_job

    given = snakemake.params
    for line in archive_job(given.folder, given.pairs, results=given.results):
        print(line)
        print(line, file=terminal)
