"""Compute what all evaluations of a dataset's rankings share, in a child process."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark import scoring
from sslrank.benchmark.steps.child_process import attempt
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


def share_job(data, splits, budgets, evaluator, output, *, seed=0, may_retry=False):
    """Write the table that an evaluator shares as CSV; return lines to be shown.

    See :func:`sslrank.benchmark.scoring.shared_table`. If it fails, the CSV has only the column "problem", the reason
    for all missing scores.
    """
    options = {"budgets": list(budgets), "evaluator": evaluator, "output": str(output), "seed": seed}
    problem = attempt(write_shared, data=str(data), splits=str(splits), may_retry=may_retry, **options)
    if problem:
        problem = f"what {evaluator['evaluator']} shares could not be computed: {problem}"
        pd.DataFrame({"problem": [problem]}).to_csv(output, index=False)
        return [f"{Path(data).name}: {problem}"]
    return []


def write_shared(data, splits, budgets, evaluator, output, seed):
    """Compute and write the shared table."""
    try:
        dataset, all_splits = Dataset.load(data), Splits.load(splits)
    except NoDataError as error:  # scoring jobs report it
        pd.DataFrame({"problem": [str(error)]}).to_csv(output, index=False)
        return
    table = scoring.shared_table(
        dataset, all_splits, budgets, evaluator["evaluator"], params=evaluator.get("params"), seed=seed
    )
    table.to_csv(output, index=False)
