"""The sharing job: what an evaluator computes once for all rankings of (study, dataset)."""

import pandas as pd

from sslrank.benchmark.steps.child_process import attempt
from sslrank.core.errors import NoDataError
from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation.evaluators import load_evaluator
from sslrank.model_selection.folds import Splits


def share(dataset, splits, budgets, evaluator, *, params=None, seed=0):
    """Compute an evaluator's shared table for every L and fold, with the seeds that scoring jobs use.

    Parameters
    ----------
    dataset : Dataset
    splits : Splits
    budgets : sequence of str
    evaluator : str
        A name of :data:`sslrank.evaluation.evaluators.EVALUATORS` that shares something.
    params : dict, optional
        The evaluator's settings.
    seed : int
        The study's seed.

    Returns
    -------
    DataFrame
        L, fold, and the columns of the shared table.
    """
    features = encode_features(dataset.X)
    targets = encode_targets(dataset.y, len(dataset.X), task=dataset.task, hierarchy=dataset.hierarchy)
    of_fold = load_evaluator(evaluator).share
    parts = []
    for budget in budgets:
        for fold in splits.folds:
            rows = (fold.train, fold.test, fold.labeled[budget])
            random_state = derive_seed(seed, "evaluation", dataset.name, budget, fold.fold)
            table = of_fold(features, targets, *rows, params, random_state)
            table.insert(0, "L", budget)
            table.insert(1, "fold", fold.fold)
            parts.append(table)
    return pd.concat(parts, ignore_index=True)


def sharing_job(data, splits, budgets, evaluator, output, *, seed=0, may_retry=False):
    """Files in, one CSV out, in a process of its own: see :func:`share`.

    If that fails the CSV has the only column "problem", which becomes that of all scores that need it.

    Parameters
    ----------
    data, splits : path-like
    budgets : sequence of str
    evaluator : dict
        "evaluator" and "params" as configured.
    output : path-like
    seed : int
    may_retry : bool, default=False
        Whether a kill from outside fails the job, which is then repeated with more memory.

    Returns
    -------
    str
        The problem, or nothing.
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
    table = share(
        dataset,
        every,
        budgets,
        evaluator["evaluator"],
        params=evaluator.get("params"),
        seed=seed,
    )
    table.to_csv(output, index=False)
