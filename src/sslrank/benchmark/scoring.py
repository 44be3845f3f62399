"""Score rankings by an evaluator: the computation of a scoring job."""

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed
from sslrank.evaluation.evaluators import is_shared, load_evaluator


def score_rankings(dataset, splits, rankings, evaluate, *, params=None, seed=0, shared=None):
    """Apply an evaluator (see :mod:`sslrank.evaluation.evaluators`) to tables of rankings by L.

    `shared` is what :func:`shared_table` computed for all rankings. Yields a row for each L, fold, mode, ranking,
    measure and k. Raises a ValueError if a ranking lacks a feature.
    """
    coded = dataset.coded()
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
            targets = coded.targets.scored_on(fold.train)
            options = {}
            if shared is not None:
                of_fold = (shared["L"] == budget) & (shared["fold"] == number)
                options["shared"] = shared[of_fold].reset_index(drop=True)
            scores = evaluate(
                coded.features, targets, fold.train, fold.test, labeled, values, params, random_state, **options
            )
            key = {"ranking": ranking, "mode": mode, "L": budget, "fold": int(number)}
            counts = {"n_test": len(fold.test), "n_labeled": len(labeled)}
            for measure, size, value in scores:
                yield key | {"measure": measure, "k": size, "value": value} | counts


def shared_table(dataset, splits, budgets, evaluator, *, params=None, seed=0):
    """Compute an evaluator's shared table for every L and fold, with the seeds that scoring jobs use."""
    coded = dataset.coded()
    of_fold = load_evaluator(evaluator).share
    parts = []
    for budget in budgets:
        for fold in splits.folds:
            rows = (fold.train, fold.test, fold.labeled[budget])
            random_state = derive_seed(seed, "evaluation", dataset.name, budget, fold.fold)
            targets = coded.targets.scored_on(fold.train)
            table = of_fold(coded.features, targets, *rows, params, random_state)
            table.insert(0, "L", budget)
            table.insert(1, "fold", fold.fold)
            parts.append(table)
    return pd.concat(parts, ignore_index=True)


def evaluate_rankings(dataset, splits, rankings, block, *, seed=0):
    """Score tables of rankings by L, after computing what the evaluator shares between rankings.

    `block` has "evaluator" and "params" as configured, `seed` is the study's.
    """
    name, params = block["evaluator"], block["params"]
    is_needed = rankings and is_shared(name, params)
    shared = shared_table(dataset, splits, list(rankings), name, params=params, seed=seed) if is_needed else None
    evaluate = load_evaluator(name).evaluate
    return list(score_rankings(dataset, splits, rankings, evaluate, params=params, seed=seed, shared=shared))
