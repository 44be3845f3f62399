"""Gather the results of this run on one dataset in a file with the format of the archive."""

from sslrank.benchmark.archive.finished_jobs import pair_records
from sslrank.benchmark.archive.record import write_records


def gather_job(
    *,
    data,
    splits,
    splits_benchmark,
    hypothesis,
    rankings,
    fits,
    ranking_benchmark,
    scores,
    scoring,
    scoring_benchmark,
    specs,
    gathered,
):
    """Gather the results of the methods in `specs`, what is computed by method; other lists are in their order.

    `hypothesis` is the file with CH, or an empty list; a benchmark is what :func:`~.steps.write_benchmark` writes.
    """
    files = zip(rankings, fits, ranking_benchmark, scores, scoring, scoring_benchmark, strict=True)
    records = pair_records(data, splits, splits_benchmark, hypothesis, zip(specs.values(), files, strict=True))
    write_records(records, gathered, level=1)
