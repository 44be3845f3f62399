"""Experiment: growth of times compared with the formulas of ssl-ranking, sections 4.3 and 5.3."""

import math
import time

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

#: Sizes of the data that are not varied: rows, features, targets.
BASE = {"rows": 2000, "features": 100, "targets": 4}
VARIED = {"rows": (1000, 2000, 4000, 8000), "features": (50, 100, 200, 400), "targets": (1, 4, 16, 64)}
NEIGHBORS = 15
METHODS = {
    "random forest": ("genie3", {"ensemble": "random_forest", "supervision": 0.5}),
    "bagging": ("genie3", {"ensemble": "bagging", "supervision": 0.5}),
    "relief": ("relief", {"n_neighbors": NEIGHBORS, "w0": 0.0, "w1": 1.0}),
}


def steps(method, rows, features, targets):
    """Compute the number of steps by the paper's formulas, up to a factor, for M rows, D features and T targets.

    A forest takes M D' log M (log M + C) for each tree, where D' features are tried in a node and C = D + T; Relief
    takes M^2 D + k M C.
    """
    together = features + targets
    if method == "relief":
        return rows**2 * features + NEIGHBORS * rows * together
    n_tried = features if method == "bagging" else math.ceil(math.sqrt(features))
    return rows * n_tried * math.log2(rows) * (math.log2(rows) + together)


def parts(n_estimators=3, repetitions=1):
    """List one part for each varied size; of repeated fits the minimum time counts."""
    options = {"n_estimators": n_estimators, "repetitions": repetitions}
    return {varied: {"varied": varied} | options for varied in VARIED}


def experiment(varied, n_estimators, repetitions, *, seed=0, n_jobs=1):
    """Measure processor seconds while one size varies; all rows are labelled, the worst case of Relief."""
    from sslrank.rankers.registry import get_ranker

    rows = []
    for size in VARIED[varied]:
        shape = BASE | {varied: size}
        rng = np.random.default_rng(derive_seed(seed, varied, size))
        X = rng.normal(size=(shape["rows"], shape["features"]))
        Y = X[:, :4] @ rng.normal(size=(4, shape["targets"])) + rng.normal(size=(shape["rows"], shape["targets"]))
        for method, (name, params) in METHODS.items():
            trees = {"n_estimators": n_estimators} if name == "genie3" else {}
            times = []
            for _ in range(repetitions):
                ranker = get_ranker(name, random_state=0, n_jobs=1, **params, **trees)
                started = time.process_time()
                ranker.fit(X, Y if shape["targets"] > 1 else Y[:, 0])
                times.append(time.process_time() - started)
            rows.append((varied, size, method, min(times), steps(method, **shape)))
    return {"seconds": pd.DataFrame(rows, columns=["varied", "size", "method", "seconds", "steps"])}


def join(tables):
    """Return the "seconds", and "summary": the exponents of seconds and steps from the first to the last size."""
    exponents = []
    for (varied, method), part in tables["seconds"].groupby(["varied", "method"], sort=False):
        first, last = part.iloc[0], part.iloc[-1]
        grown = math.log(last["size"] / first["size"])
        row = {"varied": varied, "method": method, "from": first["size"], "to": last["size"]}
        row |= {name: math.log(last[name] / first[name]) / grown for name in ("seconds", "steps")}
        exponents.append(row)
    return {"seconds": tables["seconds"], "summary": pd.DataFrame(exponents)}
