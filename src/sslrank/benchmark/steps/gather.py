"""Gather the results of this run on one dataset in a file with the format of the archive."""

from pathlib import Path

from sslrank.benchmark.archive.finished_jobs import pair_records
from sslrank.benchmark.archive.record import write_records
from sslrank.benchmark.steps import SplitJob


class GatherJob(SplitJob):
    """Gather the results of the methods in `specs`, what is computed by method; other lists are in their order.

    `hypothesis` is the file with CH, or an empty list; a benchmark is what :func:`~.steps.write_benchmark` writes.
    """

    splits_benchmark: Path
    hypothesis: Path | list
    rankings: list
    fits: list
    ranking_benchmark: list
    scores: list
    scoring: list
    scoring_benchmark: list
    specs: dict
    gathered: Path


def gather_job(job: GatherJob):
    """Write the records of the methods."""
    write_records(pair_records(job), job.gathered, level=1)
