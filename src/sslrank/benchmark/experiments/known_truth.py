"""Count the real features among the first, where a table stands beside its own columns shuffled over the rows.

The second judge of the arena, whose truth is known: the shuffled columns keep their values and their correlations, as
the rows are shuffled jointly, but tell nothing about the target. Datasets are those that scikit-learn brings, so that
nothing is downloaded.
"""

import numpy as np
import pandas as pd
from sklearn import datasets

from sslrank.core.random_state import derive_seed
from sslrank.model_selection.stratified import deal

#: Shares of the real features that are counted among the first.
SHARES = (0.25, 0.5, 1.0)


def parts(data, L, rankers, repetitions=5):
    """One part for each dataset and L.

    Parameters
    ----------
    data : sequence of str
        Names of datasets of scikit-learn without ``load_``, such as "wine".
    L : sequence of int
        Numbers of labelled rows.
    rankers : mapping
        Members of :class:`sslrank.rankers.mean_rank.MeanRank`.
    repetitions : int, default=5

    Returns
    -------
    dict of str to dict
        Parameters of :func:`experiment` by the name of the part.
    """
    options = {"rankers": rankers, "repetitions": repetitions}
    return {f"{name}-{labels}": {"name": name, "L": labels, **options} for name in data for labels in L}


def experiment(name, L, rankers, repetitions, *, seed=0, n_jobs=1):
    """Rank the doubled table with other labelled rows, another shuffle and another order of the columns each time.

    Parameters
    ----------
    name, L, rankers, repetitions
        See :func:`parts`.
    seed, n_jobs : int

    Returns
    -------
    dict of str to DataFrame
        "found": data, theta (L), ranking, share (of the real features), repetition, value (share that is real).
    """
    from sslrank.rankers.mean_rank import MeanRank

    bunch = getattr(datasets, f"load_{name}")()
    X, y = bunch.data, np.asarray(bunch.target, dtype=float)
    classes = hasattr(bunch, "target_names")
    rows = []
    for repetition in range(repetitions):
        rng = np.random.default_rng(derive_seed(seed, "known truth", name, L, repetition))
        doubled, real = beside_shuffled(X, rng)
        labeled = rng.permutation(deal(len(y), max(len(y) // L, 1), rng, y)[0])[:L]  # stratified
        known = np.full(len(y), np.nan)
        known[labeled] = y[labeled]
        ranker = MeanRank(members=rankers, task="classification" if classes else "str", n_jobs=n_jobs)
        ranker.set_params(random_state=derive_seed(seed, "ranking", name, L, repetition))
        for ranking, importances in ranker.fit(doubled, known).importances_.items():
            order = np.argsort(-importances, kind="stable")
            for share in SHARES:
                k = max(round(share * X.shape[1]), 1)
                rows.append((name, L, ranking, share, repetition, real[order[:k]].mean()))
    return {"found": pd.DataFrame(rows, columns=["data", "theta", "ranking", "share", "repetition", "value"])}


def beside_shuffled(X, rng):
    """A table beside its own rows in another order, columns in a random order.

    Parameters
    ----------
    X : ndarray of shape (n, D)
    rng : numpy.random.Generator

    Returns
    -------
    doubled : ndarray of shape (n, 2 D)
    real : ndarray of bool, shape (2 D,)
    """
    order = rng.permutation(2 * X.shape[1])
    return np.hstack([X, X[rng.permutation(len(X))]])[:, order], order < X.shape[1]


def join(tables):
    """Mean share of real features over the repetitions, with its standard error.

    Parameters
    ----------
    tables : dict of str to DataFrame
        Of :func:`experiment`, the parts one below the other.

    Returns
    -------
    dict of str to DataFrame
        "summary": data, theta (L), weighting (the share of the features that is looked at), ranking, value,
        standard_error.
    """
    found = tables["found"].rename(columns={"share": "weighting"})
    keys = ["data", "theta", "weighting", "ranking"]
    groups = found.groupby(keys, sort=False)["value"]
    summary = groups.agg(value="mean", standard_error="sem").reset_index()
    return {"summary": summary.sort_values([*keys[:3], "value"], ascending=[True, True, True, False], kind="stable")}
