"""One scoring job: all rankings of (study, dataset, method), over all L, by one evaluator."""

import time
import traceback

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from sslrank.benchmark.files import SCORE_COLUMNS, SCORING_COLUMNS, read_table
from sslrank.core.errors import NoDataError
from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation.evaluators import load_evaluator
from sslrank.model_selection.folds import Splits


def score_rankings(dataset, splits, rankings, evaluate, *, params=None, seed=0, shared=None):
    """Apply an evaluator to rankings.

    Parameters
    ----------
    dataset : Dataset
    splits : Splits
    rankings : dict of str to DataFrame
        Rankings tables by budget.
    evaluate : callable
        See :mod:`sslrank.evaluation.evaluators`.
    params : dict, optional
        The evaluator's settings.
    seed : int
    shared : DataFrame, optional
        What :func:`sslrank.benchmark.steps.share.share` has computed for all rankings.

    Yields
    ------
    dict
        One row per budget, fold, mode, ranking, measure and k.

    Raises
    ------
    ValueError
        If a ranking lacks a feature.
    """
    features = encode_features(dataset.X)
    targets = encode_targets(dataset.y, len(dataset.X), task=dataset.task, hierarchy=dataset.hierarchy)
    order = pd.Index(dataset.X.columns)
    folds = {fold.fold: fold for fold in splits.folds}
    for budget, table in rankings.items():
        for (number, mode, ranking), part in table.groupby(["fold", "mode", "ranking"], sort=False):
            importances = part.set_index("feature")["importance"].reindex(order)
            if importances.isna().any():
                raise ValueError(f"ranking {ranking!r} of fold {number} does not have every feature of {dataset.name}")
            fold = folds[number]
            labeled = fold.labeled[budget]
            random_state = derive_seed(seed, "evaluation", dataset.name, budget, int(number))
            values = importances.to_numpy(dtype=np.float64)
            known = {}
            if shared is not None:
                of_fold = (shared["L"] == budget) & (shared["fold"] == number)
                known["shared"] = shared[of_fold].reset_index(drop=True)
            found = evaluate(features, targets, fold.train, fold.test, labeled, values, params, random_state, **known)
            for measure, size, value in found:
                yield {
                    "ranking": ranking,
                    "mode": mode,
                    "L": budget,
                    "fold": int(number),
                    "measure": measure,
                    "k": size,
                    "value": value,
                    "n_test": len(fold.test),
                    "n_labeled": len(labeled),
                }


def scoring_job(
    data, splits, rankings, evaluator, output, status, *, names, seed=0, shared=None, before=None, after=None
):
    """Files in, one tidy CSV out, and another that says how it went.

    An evaluator that raises gives no scores and the status "failed"; an OSError, such as a full disk, is no fault of it
    and goes on.

    Parameters
    ----------
    data, splits : path-like
    rankings : dict of str to path-like
        By budget.
    evaluator : dict
        "evaluator" and "params" as configured.
    output : path-like
        The scores.
    status : path-like
        One row of :data:`~sslrank.benchmark.files.SCORING_COLUMNS`.
    names : dict
        The columns study, dataset, method and evaluator.
    seed : int
        The study's seed.
    shared : path-like, optional
        What a sharing job has written for this dataset and evaluator.
    before, after : callable, optional
        Called before and after the evaluator's work.
    """
    try:
        dataset, every = Dataset.load(data), Splits.load(splits)
    except NoDataError as error:
        _write([], output, {"status": "no data", "seconds": 0.0, "message": str(error)}, status, names)
        return
    tables = {budget: pq.read_table(path).to_pandas() for budget, path in rankings.items()}
    evaluate = load_evaluator(evaluator["evaluator"]).evaluate
    known = None if shared is None else read_table(shared)
    if before is not None:
        before()
    rows, row, started = [], {"status": "ok", "message": ""}, time.perf_counter()
    try:
        if known is not None and "problem" in known:
            raise RuntimeError(known["problem"].iloc[0])
        params = evaluator.get("params")
        rows = list(score_rankings(dataset, every, tables, evaluate, params=params, seed=seed, shared=known))
    except OSError:
        raise
    except (Exception, SystemExit) as error:  # one evaluator's failure is reported, the others go on
        traceback.print_exc()
        row = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
    row["seconds"] = round(time.perf_counter() - started, 4)
    if after is not None:
        after()
    _write(rows, output, row, status, names | {"task": dataset.task})


def _write(rows, output, row, status, names):
    table = pd.DataFrame(rows, columns=[name for name in SCORE_COLUMNS if name not in (*names, "task")])
    table = table.assign(**names).reindex(columns=SCORE_COLUMNS)
    table["k"] = table["k"].astype("Int64")
    table.to_csv(output, index=False)
    pd.DataFrame([row], columns=SCORING_COLUMNS).to_csv(status, index=False)
