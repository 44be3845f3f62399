"""Time forests, Relief and error curves against named peers, in turns, in one run on one thread.

    python tests/measurements/bench_kernels.py [forests] [relief] [curves]

Prints a table in Markdown: processor seconds of both, the least of three runs each, and how many times as fast ours is.

- forests: semi-supervised predictive clustering trees, all rows labelled, w = 0.5, against scikit-learn's multi-output
  forests on Y = [sqrt-weighted standardised features, targets], whose criterion is then our impurity.
- relief: ReliefF against skrebate and, where it is installed, fast-select (numba).
- curves: both directions of one ranking against a loop that fits scikit-learn's estimator for each size.
"""

import importlib.metadata
import sys
import time
from functools import partial

import numpy as np
from sklearn.datasets import load_digits, make_classification, make_friedman1
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from sslrank import get_ranker
from sslrank.core.features import encode_features
from sslrank.core.stratified import stratified_folds
from sslrank.core.targets import encode_targets
from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.evaluation.curves import feature_order, ranking_curves


def processor_seconds(function, repeats=3):
    """Least processor time of some calls; one call only where it takes more than ten seconds."""
    taken = []
    while len(taken) < repeats and (not taken or taken[0] < 10):
        start = time.process_time()
        function()
        taken.append(time.process_time() - start)
    return min(taken)


def print_times(case, peer, ours, theirs):
    own = processor_seconds(ours)
    other = processor_seconds(theirs, repeats=1)
    print(f"| {case} | {peer} | {own:.3f} | {other:.3f} | {other / own:.1f} |", flush=True)


def forests():
    digits = load_digits(return_X_y=True)
    cases = [
        ("digits 1797 x 64", digits[0], np.eye(10)[digits[1]], digits[1], "classification"),
        ("friedman1 5000 x 50", *[make_friedman1(5000, 50, random_state=0)[i] for i in (0, 1, 1)], "regression"),
    ]
    for name, X, Y, y, task in cases:
        blocks = [(X[:, [j]], 0.5 / X.shape[1]) for j in range(X.shape[1])] + [(Y.reshape(len(X), -1), 0.5)]
        weighted = [(b - b.mean(axis=0)) * np.sqrt(w / max(b.var(axis=0).sum(), 1e-12)) for b, w in blocks]
        both = np.column_stack(weighted)
        for ensemble, forest in (("random_forest", RandomForestRegressor), ("extra_trees", ExtraTreesRegressor)):
            tried = int(np.ceil(np.sqrt(X.shape[1]))) if ensemble == "random_forest" else 1.0
            ranker = get_ranker("genie3", ensemble=ensemble, n_estimators=10, supervision=0.5, task=task)
            ours = partial(ranker.set_params(random_state=0).fit, X, y)
            theirs = partial(forest(10, max_features=tried, random_state=0).fit, X, both)
            print_times(f"forest: {name}, {ensemble}", "scikit-learn", ours, theirs)


def relief():
    for name, (X, y) in {
        "digits 1797 x 64": load_digits(return_X_y=True),
        "5000 x 50": make_classification(5000, 50, n_informative=10, random_state=0),
    }.items():
        ranker = get_ranker("relieff", n_neighbors=10)
        for package, module in (("skrebate", "skrebate"), ("fast-select", "fast_select")):
            try:
                importlib.metadata.version(package)
            except importlib.metadata.PackageNotFoundError:
                continue
            peer = __import__(module).ReliefF(n_neighbors=10)
            print_times(f"ReliefF, k = 10: {name}", package, partial(ranker.fit, X, y), partial(peer.fit, X, y))


def plain_curve(make, X, y, splits, order, sizes):
    """Fit an estimator for each fold and each size."""
    for train, test in splits:
        low, spread = X[train].min(axis=0), np.ptp(X[train], axis=0)
        scaled = (X - low) / np.where(spread > 0, spread, 1.0)
        for size in sizes:
            chosen = order[:size]
            make().fit(scaled[np.ix_(train, chosen)], y[train]).score(scaled[np.ix_(test, chosen)], y[test])


def curves():
    for name, n, d, predictor, make in (
        ("SVM", 200, 60, "svm", lambda: SVC(kernel="poly", degree=2, gamma=1.0, C=0.1, tol=1e-6)),
        ("20 neighbours", 600, 100, "knn", lambda: KNeighborsClassifier(20, algorithm="brute")),
    ):
        X, y = make_classification(n, d, n_informative=10, random_state=0)
        targets = encode_targets(y, n)
        splits = stratified_folds(targets, 5)
        params = {"tol": 1e-6} if predictor == "svm" else {}
        order = feature_order(np.arange(float(d))[::-1])

        def ours(X=X, targets=targets, splits=splits, predictor=predictor, params=params, d=d):
            problem = CurveProblem(encode_features(X), targets, splits, predictor, predictor_params=params, sizes="all")
            ranking_curves(problem, np.arange(float(d))[::-1])

        def theirs(make=make, X=X, y=y, splits=splits, order=order, d=d):
            for direction in (order, order[::-1]):
                plain_curve(make, X, y, splits, direction, range(1, d + 1))

        print_times(f"error curves, {name}: {n} x {d}, all sizes", "scikit-learn in a loop", ours, theirs)


PARTS = {"forests": forests, "relief": relief, "curves": curves}

if __name__ == "__main__":
    print("| case | peer | ours, s | peer, s | times as fast |\n|---|---|---|---|---|")
    with threadpool_limits(1):
        for part in sys.argv[1:] or PARTS:
            PARTS[part]()
