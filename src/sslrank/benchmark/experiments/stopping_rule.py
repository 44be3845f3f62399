"""The price of a rule that the text of paper ssl-ranking does not state (section 3.1, Algorithm 1).

Our trees, as those of the original program, stop where fewer than four rows are labelled (not at w = 0). The text grows
them until no test lowers the impurity.
"""

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

#: Least number of labelled rows, and seed, of each forest; another seed shows the random variation.
FORESTS = {
    "stop below four labelled rows": (4, 0),
    "the same with another seed": (4, 1),
    "grow until no test is left": (0, 0),
}
SCORES = ("genie3", "symbolic", "random_forest")
#: Numbers of best features, and neighbours of the classifier that judges them.
SIZES, NEIGHBORS = (5, 10, 20), 5


def parts(n_draws=5, labeled=50, levels=(0.5, 1.0), n_estimators=100):
    """One part for each level w and each of `n_draws` draws of the labelled rows."""
    options = {"labeled": labeled, "n_estimators": n_estimators}
    return {f"{w:g}-{draw}": {"w": w, "draw": draw} | options for w in levels for draw in range(n_draws)}


def experiment(w, draw, labeled, n_estimators, *, seed=0, n_jobs=1):
    """Forests of each kind on one half of digits, and the accuracy of nearest neighbours on the other.

    "forests" has w, draw, rule, score, nodes (mean of the trees), agreement (rank correlation of the importances with
    those of the first forest) and accuracy (mean over the numbers of best features; the classifier sees all labels).
    """
    from scipy.stats import spearmanr
    from sklearn.datasets import load_digits
    from sklearn.neighbors import KNeighborsClassifier

    from sslrank.rankers.registry import get_ranker

    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(derive_seed(seed, "rows", draw)).permutation(len(y))
    train, test = np.array_split(order, 2)
    known = y[train].copy()
    known[labeled:] = -1
    rows, first = [], None
    for rule, (least, number) in FORESTS.items():
        ranker = get_ranker(
            "genie3",
            supervision=w,
            min_labeled_split=least,
            n_estimators=n_estimators,
            n_jobs=n_jobs,
            random_state=derive_seed(seed, draw, number) % 2**32,
        ).fit(X[train], known)
        nodes = np.mean([tree.node_count for tree in ranker.estimators_])
        found = {score: ranker.importances_[score] for score in SCORES}
        first = first or found
        for score, importances in found.items():
            best = np.argsort(-importances, kind="stable")
            accuracies = []
            for size in SIZES:
                judge = KNeighborsClassifier(NEIGHBORS).fit(X[train][:, best[:size]], y[train])
                accuracies.append(judge.score(X[test][:, best[:size]], y[test]))
            agreement = spearmanr(first[score], importances).statistic
            rows.append((w, draw, rule, score, nodes, agreement, np.mean(accuracies)))
    columns = ["w", "draw", "rule", "score", "nodes", "agreement", "accuracy"]
    return {"forests": pd.DataFrame(rows, columns=columns)}


def join(tables):
    """The "forests" and their "summary", means over the draws."""
    forests = tables["forests"]
    keys = ["w", "rule", "score"]
    summary = forests.groupby(keys, sort=False)[["nodes", "agreement", "accuracy"]].mean().reset_index()
    return {"forests": forests, "summary": summary}
