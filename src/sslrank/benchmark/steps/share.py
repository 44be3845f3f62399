"""Compute the part of an evaluation that all rankings of a dataset share, in a child process."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark import scoring
from sslrank.benchmark.steps import may_retry
from sslrank.benchmark.steps.child_process import attempt
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


def share(job, log):
    """Run a job of the rule `share`."""
    problem = share_job(
        Path(job.input.table).parent,
        job.input.splits,
        job.params.job["budgets"],
        job.params.job["evaluator"],
        job.output[0],
        seed=job.params.job["seed"],
        may_retry=may_retry(job),
    )
    if problem:
        log(f"{job.wildcards.dataset}: {problem}")


def share_job(data, splits, budgets, evaluator, output, *, seed=0, may_retry=False):
    """Write what an evaluator shares (:func:`sslrank.benchmark.scoring.shared_table`) as CSV; return the problem or "".

    If that fails the CSV has the only column "problem", which becomes that of all scores that need it.
    """
    options = {"budgets": list(budgets), "evaluator": evaluator, "output": str(output), "seed": seed}
    problem = attempt(write_shared, data=str(data), splits=str(splits), may_retry=may_retry, **options)
    if problem:
        problem = f"what {evaluator['evaluator']} shares could not be computed: {problem}"
        pd.DataFrame({"problem": [problem]}).to_csv(output, index=False)
    return problem


def write_shared(data, splits, budgets, evaluator, output, seed):
    """Compute and write the shared table."""
    try:
        dataset, every = Dataset.load(data), Splits.load(splits)
    except NoDataError as error:  # scoring jobs say so
        pd.DataFrame({"problem": [str(error)]}).to_csv(output, index=False)
        return
    table = scoring.shared_table(
        dataset, every, budgets, evaluator["evaluator"], params=evaluator.get("params"), seed=seed
    )
    table.to_csv(output, index=False)
