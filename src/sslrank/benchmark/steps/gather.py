"""Gather the results of this run on one dataset in a file with the format of the archive."""

from sslrank.benchmark.archive.finished_jobs import pair_records
from sslrank.benchmark.archive.record import write_records


def gather_job(*, files, specs):
    """Gather the results of the methods in `specs`, what is computed by method.

    `files` has header and splits with splits_benchmark, hypothesis (the file with CH, or an empty list) and, as lists
    in the order of the methods, rankings and fits with ranking_benchmark, scores and scoring with scoring_benchmark; a
    benchmark is what :func:`~.steps.write_benchmark` writes. The file `gathered` is written.
    """
    write_records(pair_records(files, specs), files["gathered"], level=1)
