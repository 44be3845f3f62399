"""Experiment: two statements on ensembles of trees (paper ssl-ranking, section 4), each on an example.

"Since the trees are grown independently, the variance of each score decreases linearly with the number of trees"
(section 4.1); and in expectation bagging and random forests may order features differently (the example of x1 to xD in
section 4.2).
"""

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

SCORES = ("genie3", "symbolic", "random_forest")
#: Numbers of trees, and forests of each.
TREES, FORESTS = (1, 2, 5, 10, 20, 50, 100), 30
#: Numbers of features of the second example.
FEATURES = (4, 8, 16, 32, 64, 128)
ENSEMBLES = {
    "bagging": {"ensemble": "bagging"},
    "random forest, D' = 1": {"ensemble": "random_forest", "max_features": 1},
    "random forest, D' = sqrt(D)": {"ensemble": "random_forest"},
    "extra trees": {"ensemble": "extra_trees"},
}


def parts(n_forests=FORESTS, n_trees=TREES, n_features=FEATURES, n_estimators=200):
    """List one part for the variance, and one for each number of features of the second example.

    The variance is that over `n_forests` forests of each number of trees; the second example has `n_estimators` trees.
    """
    params = {"variance": {"example": "variance", "n_forests": n_forests, "n_trees": list(n_trees)}}
    for size in n_features:
        params[f"order-{size}"] = {"example": "order", "n_features": size, "n_estimators": n_estimators}
    return params


def experiment(example, *, seed=0, n_jobs=1, **options):
    """Compute one of the examples.

    "variance" has score, trees, variance (sum over the features); "order" has ensemble, features, feature, importance.
    """
    return {example: {"variance": _variance, "order": _order}[example](seed, n_jobs, **options)}


def _variance(seed, n_jobs, n_forests, n_trees):
    """Compute the variance of importances over forests with different seeds (digits, 200 of 1,797 rows labelled)."""
    from sklearn.datasets import load_digits

    from sslrank.rankers.registry import get_ranker

    X, y = load_digits(return_X_y=True)
    y = y.copy()
    y[np.random.default_rng(derive_seed(seed, "labels")).permutation(len(y))[200:]] = -1
    rows = []
    for size in n_trees:
        by_score = {score: [] for score in SCORES}
        for number in range(n_forests):
            ranker = get_ranker(
                "genie3",
                n_estimators=size,
                supervision=0.5,
                n_jobs=n_jobs,
                random_state=derive_seed(seed, size, number) % 2**32,
            ).fit(X, y)
            for score in SCORES:
                by_score[score].append(ranker.importances_[score])
        rows += [(score, size, np.var(values, axis=0, ddof=1).sum()) for score, values in by_score.items()]
    return pd.DataFrame(rows, columns=["score", "trees", "variance"])


def order_example(n_features, random_state, n_rows=2000):
    """Make the example of section 4.2: (x1, x2) determines y, and so does (x3, xi) for each i >= 4.

    x2 and x3 are independent of y, and 1 in 20 and 30 of 100 rows. x1 is y, negated if x2 is 1; each xi is y, negated
    if x3 is 1. Alone, x1 is therefore more informative about y than xi, and x2 and x3 are not informative.
    """
    rng = np.random.default_rng(random_state)
    y = rng.integers(0, 2, n_rows)
    x2, x3 = (rng.random(n_rows) < share for share in (0.2, 0.3))
    X = np.column_stack([y ^ x2, x2, x3, *[y ^ x3] * (n_features - 3)]).astype(np.float64)
    return X, y


def _order(seed, n_jobs, n_features, n_estimators):
    from sslrank.rankers.registry import get_ranker

    X, y = order_example(n_features, derive_seed(seed, "order"))
    rows = []
    for name, params in ENSEMBLES.items():
        ranker = get_ranker(
            "genie3", n_estimators=n_estimators, supervised=True, random_state=0, n_jobs=n_jobs, **params
        )
        importances = ranker.fit(X, y).feature_importances_
        total = importances.sum()
        labels = {
            "x1": importances[0],
            "x2": importances[1],
            "x3": importances[2],
            "mean of x4 to xD": importances[3:].mean(),
        }
        rows += [(name, n_features, feature, value / total) for feature, value in labels.items()]
    return pd.DataFrame(rows, columns=["ensemble", "features", "feature", "importance"])


def join(tables):
    """Make tables of the examples; `times_trees` is the variance times the number of trees, relative to one tree."""
    variance = tables["variance"]
    first = variance[variance["trees"] == variance["trees"].min()].set_index("score")
    single = variance["score"].map(first["variance"] * first["trees"])
    return {
        "variance": variance.assign(times_trees=variance["variance"] * variance["trees"] / single),
        "order": tables["order"],
    }
