"""Compute what all evaluations of a dataset's rankings share, in a child process."""

import pandas as pd

from sslrank.benchmark.scoring import shared_table
from sslrank.benchmark.steps.child_process import attempt
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


def share_job(*, data, splits, scoring, shared, may_retry=False):
    """Write the table that an evaluator shares between rankings as CSV; return lines to be shown.

    `scoring` is what :meth:`sslrank.benchmark.plan.study.StudyPlan.scoring` returns; see
    :func:`sslrank.benchmark.scoring.shared_table`. If it fails, the CSV has only the column "problem", the reason for
    all missing scores.
    """
    problem = attempt(write_shared, may_retry=may_retry, data=data, splits=splits, scoring=scoring, path=shared)
    if problem:
        problem = f"what {scoring['evaluator']['evaluator']} shares could not be computed: {problem}"
        pd.DataFrame({"problem": [problem]}).to_csv(shared, index=False)
        return [f"{data.name}: {problem}"]
    return []


def write_shared(data, splits, scoring, path):
    """Compute and write the shared table."""
    try:
        dataset, all_splits = Dataset.load(data), Splits.load(splits)
    except NoDataError as error:  # scoring jobs report it
        pd.DataFrame({"problem": [str(error)]}).to_csv(path, index=False)
        return
    evaluator = scoring["evaluator"]
    options = {"params": evaluator.get("params"), "seed": scoring["seed"]}
    table = shared_table(dataset, all_splits, scoring["budgets"], evaluator["evaluator"], **options)
    table.to_csv(path, index=False)
