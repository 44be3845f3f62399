"""Compute what all evaluations of a dataset's rankings share, in a child process."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.scoring import shared_table
from sslrank.benchmark.steps import SplitJob
from sslrank.benchmark.steps.child_process import attempt
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


class ShareJob(SplitJob):
    """Write the table `shared` that an evaluator shares between rankings as CSV.

    `scoring` is what :meth:`sslrank.benchmark.plan.study.StudyPlan.scoring` returns; see
    :func:`sslrank.benchmark.scoring.shared_table`. If it fails, the CSV has only the column "problem", the reason for
    all missing scores.
    """

    scoring: dict
    shared: Path


def share_job(job: ShareJob):
    """Write the shared table; return lines to be shown."""
    problem = attempt(write_shared, may_retry=job.may_retry, job=job)
    if problem:
        problem = f"what {job.scoring['evaluator']['evaluator']} shares could not be computed: {problem}"
        pd.DataFrame({"problem": [problem]}).to_csv(job.shared, index=False)
        return [f"{job.data.name}: {problem}"]
    return []


def write_shared(job):
    """Compute and write the shared table."""
    try:
        dataset, all_splits = Dataset.load(job.data), Splits.load(job.splits)
    except NoDataError as error:  # scoring jobs report it
        pd.DataFrame({"problem": [str(error)]}).to_csv(job.shared, index=False)
        return
    evaluator = job.scoring["evaluator"]
    options = {"params": evaluator.get("params"), "seed": job.scoring["seed"]}
    table = shared_table(dataset, all_splits, job.scoring["budgets"], evaluator["evaluator"], **options)
    table.to_csv(job.shared, index=False)
