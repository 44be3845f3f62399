"""Gather the results of this run on one dataset in a file with the format of the archive."""

from dataclasses import fields
from pathlib import Path

from sslrank.benchmark.archive.finished_jobs import PairFiles, pair_records
from sslrank.benchmark.archive.record import write_records
from sslrank.benchmark.steps import DatasetJob


class GatherJob(DatasetJob):
    """Gather the results of the methods in `specs`, what is computed by method; other lists are in their order.

    `hypothesis` is the file with CH, or an empty list.
    """

    splits: Path
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
    names = [field.name for field in fields(PairFiles)]
    files = zip(*(getattr(job, name) for name in names), strict=True)
    by_method = {
        method: PairFiles(**dict(zip(names, each, strict=True))) for method, each in zip(job.specs, files, strict=True)
    }
    of_dataset = {"header": job.header, "splits": job.splits, "splits_benchmark": job.splits_benchmark}
    records = pair_records(job.specs, by_method, **of_dataset, hypothesis=job.hypothesis or None)
    write_records(records, job.gathered, level=1)
