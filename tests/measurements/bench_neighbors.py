"""Time votes of neighbours: the knn evaluator, error curves, the arena's evaluator and the choice of w by Relief.

    python tests/measurements/bench_neighbors.py [knn] [curves] [arena] [relief]

Prints processor seconds on one thread, the least of nine runs each, on tables without and with equal distances. To
compare two commits, run it in turns in two checkouts.
"""

import sys
import time

import numpy as np
from threadpoolctl import threadpool_limits

from sslrank import get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators import eca, knn, top_features_auc

TARGETS = ("classification", "regression", "multilabel")


def table(kind, n, n_features, task):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, n_features))
    signal = X[:, :40] + rng.normal(size=(n, 40))
    y = {"classification": (signal[:, 0] > 0) * 1, "regression": signal[:, 0], "multilabel": (signal > 1) * 1.0}[task]
    X = {"numeric": X, "rounded": X.round(), "0/1": (X > 1) * 1.0}[kind]
    return encode_features(X), encode_targets(y, n, task=task)


def evaluator(module, n, n_features, params):
    def run(kind, task):
        features, targets = table(kind, n, n_features, task)
        rows, importances = np.arange(n), np.arange(1.0, n_features + 1)[::-1]
        train, test = rows[: 2 * n // 3], rows[2 * n // 3 :]
        return lambda: module.evaluate(features, targets, train, test, train[::3], importances, params)

    return run


def relief(kind, task):
    features, targets = table(kind, 600, 60, task)
    y = targets.values.copy()
    y[::2] = np.nan
    ranker = get_ranker("relief", task=task, random_state=0)
    return lambda: ranker.fit(features.values, y if y.shape[1] > 1 else y[:, 0])


PARTS = {
    "knn": evaluator(knn, 3000, 100, {"n_neighbors": [20, 40], "neighbors": "all"}),
    "curves": evaluator(eca, 1500, 100, {}),
    "arena": evaluator(top_features_auc, 2000, 300, {}),
    "relief": relief,
}

if __name__ == "__main__":
    with threadpool_limits(1):
        for part in sys.argv[1:] or PARTS:
            for kind in ("numeric", "rounded", "0/1"):
                for task in TARGETS:
                    run, taken = PARTS[part](kind, task), []
                    for _ in range(9):
                        start = time.process_time()
                        run()
                        taken.append(time.process_time() - start)
                    print(f"{part}, {kind}, {task}: {min(taken):.3f} s", flush=True)
