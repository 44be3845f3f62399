"""Experiment: ranks of useless columns added to real tables.

Following Cherepanova et al., A performance-driven benchmark for feature selection in tabular deep learning, NeurIPS
2023.
"""

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

FOREST = {"n_estimators": 100}
#: Rankings by the rows that they use. The two forests differ only in the unlabelled rows.
RANKERS = {
    "labelled rows": {
        "scikit-learn forest": ("scikit_forest", FOREST),
        "Extra-Trees": ("genie3", {"supervised": True, "ensemble": "extra_trees", **FOREST}),
        "forest": ("genie3", {"supervised": True, **FOREST}),
        "Relief": ("relief", {"supervised": True}),
        "L1": ("l1", {}),
        "F": ("f_score", {}),
    },
    "all rows": {
        "forest, semi-supervised": ("genie3", {"supervision": "cv", "cv_levels": [0.0, 0.5, 1.0], **FOREST}),
        "distilled forest": ("distilled", {}),
    },
    "features only": {
        "forest without targets": ("genie3", {"supervision": 0.0, **FOREST}),
        "Laplacian score": ("laplacian_score", {}),
        "random": ("random_ranking", {}),
    },
}


def parts(datasets, labels=(50, 400), repetitions=2, max_features=30, catalogue="workflow/datasets.yaml"):
    """List one part for each dataset; `labels` are numbers of labelled rows, the largest also that of all rows."""
    options = {"labels": list(labels), "repetitions": repetitions, "max_features": max_features, "catalogue": catalogue}
    return {name: {"dataset": name} | options for name in datasets}


def experiment(dataset, labels, repetitions, max_features, catalogue, *, seed=0, n_jobs=1):
    """Compute the share of useless columns in the first k places of each ranking of k real and k useless columns."""
    from sslrank.benchmark.experiments.data import load_dataset
    from sslrank.core.targets import encode_targets
    from sslrank.rankers.registry import get_ranker

    data = load_dataset(dataset, catalogue)
    X = data.X.select_dtypes("number").to_numpy(float)
    X = X[:, np.nanstd(X, axis=0) > 0]
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    known = np.flatnonzero(encode_targets(data.y, len(data.X), task=data.task).labeled)
    rows = []
    for repetition in range(repetitions):
        rng = np.random.default_rng(derive_seed(seed, dataset, repetition))
        chosen = rng.permutation(known)[: max(labels)]
        real = X[np.ix_(chosen, np.sort(rng.permutation(X.shape[1])[:max_features]))]
        real = real[:, real.std(axis=0) > 0]
        real = (real - real.mean(axis=0)) / real.std(axis=0)
        for kind, useless in useless_columns(real, rng).items():
            both = np.hstack([real, useless])
            order = rng.permutation(both.shape[1])  # ties are broken by the order of the columns
            for budget in labels:
                y = data.y[chosen].copy()
                y[budget:] = None if data.task == "classification" else np.nan
                for group, rankers in RANKERS.items():
                    for title, (name, params) in rankers.items():
                        ranker = get_ranker(name, **params)
                        extra = {"random_state": repetition, "n_jobs": n_jobs, "task": data.task}
                        ranker.set_params(**{key: value for key, value in extra.items() if key in ranker.get_params()})
                        ranks = ranker.fit(both[:, order], y).ranking_
                        share = float(np.mean(order[ranks <= real.shape[1]] >= real.shape[1]))
                        rows.append((data.task, dataset, kind, group, title, budget, share))
    columns = ["task", "dataset", "kind", "looks_at", "ranking", "labels", "share"]
    return {"shares": pd.DataFrame(rows, columns=columns)}


def useless_columns(X, rng):
    """Make useless columns of each kind, one for each column of `X`.

    "random" are normal numbers, "corrupted" are columns of `X` plus noise of the same variance, "second-order" are
    products of two columns. The latter two may be related to the target, but add no information to their sources.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Columns of mean 0 and variance 1.
    rng : numpy.random.Generator

    Returns
    -------
    dict of str to ndarray
        By kind, columns of the shape of `X`.

    Examples
    --------
    >>> groups = useless_columns(np.ones((2, 3)), np.random.default_rng(0))
    >>> {kind: columns.shape for kind, columns in groups.items()}
    {'random': (2, 3), 'corrupted': (2, 3), 'second-order': (2, 3)}
    """
    first, second = rng.integers(0, X.shape[1], (2, X.shape[1]))
    return {
        "random": rng.normal(size=X.shape),
        "corrupted": X[:, first] + rng.normal(size=X.shape),
        "second-order": X[:, first] * X[:, second],
    }


def join(tables):
    """Return the tables "shares", with means over repetitions, and "summary", with means over the datasets."""
    keys = ["kind", "looks_at", "ranking", "labels"]
    shares = tables["shares"].groupby(["dataset", *keys], sort=False, as_index=False)["share"].mean()
    summary = shares.groupby(keys, sort=False)["share"].agg(["mean", "sem", "count"]).reset_index()
    return {
        "shares": shares,
        "summary": summary.rename(columns={"mean": "share", "sem": "standard_error", "count": "n_datasets"}),
    }
