"""Experiment: agreement of rankings from different constraint sets, by Kendall's W (scls thesis, chapter 2).

The data comes with scikit-learn. A constraint set is a set of labelled rows, whose must-links are transitively closed,
or random pairs of rows, whose must-links are closed here.
"""

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

DATASETS = ("iris", "wine", "breast_cancer", "digits")
RANKERS = ("sc4", "constraint_score", "cls", "csfs", "lsdf", "ssdr", "laplacian_score")
#: Rankers that take pairs of rows instead of classes.
BY_PAIRS = ("sc4", "constraint_score", "cls", "csfs", "ssdr", "laplacian_score")
SSDR_COMPONENTS = 2


def parts(datasets=DATASETS, n_sets=20, labeled=(6, 12, 24), pairs=(10, 50, 200), max_rows=600):
    """List one part for each dataset of scikit-learn, with at most `max_rows` rows, drawn at random.

    There are `n_sets` constraint sets of each size: numbers of `labeled` rows, and of drawn `pairs` of rows.
    """
    options = {"n_sets": n_sets, "labeled": list(labeled), "pairs": list(pairs), "max_rows": max_rows}
    return {name: {"dataset": name} | options for name in datasets}


def experiment(dataset, n_sets, labeled, pairs, max_rows, *, seed=0, n_jobs=1):
    """Compute the agreement between rankings of several constraint sets, and their accuracy.

    "agreement" has dataset, ranker, kind (labels or pairs), size, w (Kendall's W) and accuracy (of the five nearest
    neighbours on a quarter of the features, best first, by cross-validation with all labels).
    """
    from sslrank.rankers.graph.pair_constraints import close_constraints
    from sslrank.stats.stability import kendall_w

    X, y = _load(dataset, max_rows, derive_seed(seed, dataset))
    rows = []
    for kind, sizes in (("labels", labeled), ("pairs", pairs)):
        for size in sizes:
            sets = []
            for number in range(n_sets):
                rng = np.random.default_rng(derive_seed(seed, dataset, kind, size, number))
                if kind == "labels":
                    partly = np.full(len(y), -1)
                    chosen = _rows_of_two_classes(y, size, rng)
                    partly[chosen] = y[chosen]
                    sets.append({"y": partly})
                else:
                    i, j = rng.integers(0, len(y), (2, size))
                    i, j = i[i != j], j[i != j]
                    alike = y[i] == y[j]
                    must, cannot = (np.column_stack([i[mask], j[mask]]) for mask in (alike, ~alike))
                    must, cannot = close_constraints(must, cannot, len(y))
                    sets.append({"must_link": must, "cannot_link": cannot})
            for name in RANKERS if kind == "labels" else BY_PAIRS:
                rankings = np.array([_importances(name, X, given) for given in sets])
                accuracy = np.mean([_accuracy(X, y, importances) for importances in rankings])
                rows.append((dataset, name, kind, size, kendall_w(rankings), accuracy))
    columns = ["dataset", "ranker", "kind", "size", "w", "accuracy"]
    return {"agreement": pd.DataFrame(rows, columns=columns)}


def _load(name, max_rows, seed):
    """Return standardised features without constant ones, and classes."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    chosen = np.sort(np.random.default_rng(seed).permutation(len(y))[:max_rows])
    X, y = X[chosen], y[chosen]
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def _rows_of_two_classes(y, size, rng):
    """Draw row numbers until they include two classes, without which there is no cannot-link."""
    while True:
        chosen = rng.permutation(len(y))[:size]
        if len(np.unique(y[chosen])) > 1:
            return chosen


def _importances(name, X, given):
    """Compute importances by a ranker; for SSDR, squared loadings of the projections weighted by eigenvalues."""
    from sslrank.evaluation.transformers.ssdr import SSDR
    from sslrank.rankers.registry import get_ranker

    if name == "ssdr":
        model = SSDR(min(SSDR_COMPONENTS, X.shape[1])).fit(X, **given)
        return np.maximum(model.eigenvalues_, 0.0) @ model.components_**2
    if name == "laplacian_score":
        given = {}
    return get_ranker(name, random_state=0, scale=None).fit(X, **given).feature_importances_


def _accuracy(X, y, importances):
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    from sslrank.models.estimators import NearestNeighbors

    best = np.argsort(-importances, kind="stable")[: max(1, X.shape[1] // 4)]
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    return cross_val_score(NearestNeighbors(5), X[:, best], y, cv=folds, scoring="accuracy").mean()


def join(tables):
    """Return the table "agreement", and "summary", its mean over the datasets.

    In "summary", `first` is the number of cases in which W is the largest among the rankers that use constraints.
    """
    agreement = tables["agreement"]
    keys = ["dataset", "kind", "size"]
    seeing = agreement[agreement["ranker"] != "laplacian_score"]
    best = seeing["w"] == seeing.groupby(keys)["w"].transform("max")
    summary = agreement.groupby(["kind", "ranker"], sort=False)[["w", "accuracy"]].mean()
    summary["first"] = seeing.assign(best=best).groupby(["kind", "ranker"])["best"].sum()
    return {"agreement": agreement, "summary": summary.reset_index()}
