"""Experiment: seconds of forests and Relief for each dataset and L (paper ssl-ranking, Tables 6 and 12)."""

import time

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

#: Ranker and parameters of each method; relief has its fallback settings.
METHODS = {
    "forest_rf": ("genie3", {"ensemble": "random_forest", "supervision": 0.5, "n_estimators": 100}),
    "forest_et": ("genie3", {"ensemble": "extra_trees", "bootstrap": True, "supervision": 0.5, "n_estimators": 100}),
    "forest_bagging": ("genie3", {"ensemble": "bagging", "supervision": 0.5, "n_estimators": 100}),
    "relief": ("relief", {"n_neighbors": 15, "w0": 0.0, "w1": 1.0}),
    "ssl_laplacian": ("ssl_laplacian", {}),
}
#: A fit that takes less is repeated this number of times; the minimum counts.
SHORT, REPETITIONS = 0.5, 3


def parts(datasets, L=(50, 100, 200, 350, 500), catalogue="workflow/datasets.yaml"):
    """List one part for each dataset of the catalogue; `L` are numbers of labelled rows."""
    return {name: {"dataset": name, "L": list(L), "catalogue": catalogue} for name in datasets}


def experiment(dataset, L, catalogue, *, seed=0, n_jobs=1):
    """Measure processor seconds of one fit of each method for each L, on all rows of a dataset, with one thread."""
    from sslrank.benchmark.experiments.data import load_dataset
    from sslrank.core.targets import encode_targets
    from sslrank.rankers.registry import get_ranker

    data = load_dataset(dataset, catalogue)
    target_options = {"task": data.task, "hierarchy": data.hierarchy}
    known = np.flatnonzero(encode_targets(data.y, len(data.X), **target_options).labeled)
    order = np.random.default_rng(derive_seed(seed, dataset)).permutation(known)
    rows = []
    for budget in L:
        y = data.y.copy()
        y[order[budget:]] = None if data.task == "classification" else np.nan
        for method, (name, params) in METHODS.items():
            ranker = get_ranker(name, **params)
            if data.task not in ranker.tasks:
                continue
            known_params = {key: value for key, value in target_options.items() if key in ranker.get_params()}
            ranker.set_params(random_state=0, n_jobs=1, **known_params)
            rows.append((data.task, dataset, method, str(budget), _least_seconds(ranker, data.X, y)))
    return {"seconds": pd.DataFrame(rows, columns=["task", "dataset", "method", "L", "seconds"])}


def _least_seconds(ranker, X, y):
    seconds = []
    while not seconds or (len(seconds) < REPETITIONS and seconds[0] < SHORT):
        started = time.process_time()
        ranker.fit(X, y)
        seconds.append(time.process_time() - started)
    return min(seconds)


def join(tables):
    """Concatenate the parts to the table "seconds"."""
    return {"seconds": tables["seconds"]}
