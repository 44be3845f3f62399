"""Fits with four threads of every ranker that has any, for the thread sanitizer (`make sanitize-threads`)."""

import warnings

import numpy as np

from sslrank import available_rankers, get_ranker
from sslrank.rankers.registry import RANKERS

SMALL = {"n_estimators": 8, "budget": 10, "sampling_times": 2, "max_iter": 2}


def problem(task, n, d):
    """A table of which a third is labelled."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = {"classification": (X[:, 0] > 0).astype(float), "regression": X[:, 0], "multitarget": X[:, :3]}.get(
        task, X[:, :4] > 0
    )
    y = y.astype(float)
    y[n // 3 :] = np.nan
    return X, y


def main():
    warnings.simplefilter("ignore")
    for name in available_rankers():
        known, fits = get_ranker(name).get_params(), 0
        for task in sorted(RANKERS[name].tasks & {"classification", "regression", "multitarget", "multilabel"}):
            wanted = {"task": task, "n_jobs": 4, "random_state": 0, **SMALL}
            for n, d in ((40, 6), (400, 12)):
                ranker = get_ranker(name, **{key: value for key, value in wanted.items() if key in known})
                ranker.fit(*problem(task, n, d))
                fits += 1
        print(f"{name}: {fits} fits", flush=True)


if __name__ == "__main__":
    main()
