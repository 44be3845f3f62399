"""Count the real features among the first, where a table is joined with its own columns shuffled over the rows.

The second judge of the arena, whose truth is known: the shuffled columns keep their values and their correlations, as
the rows are shuffled jointly, but have no information on the target. Datasets are those that scikit-learn brings, so
that nothing is downloaded.
"""

import numpy as np
import pandas as pd
from sklearn import datasets

from sslrank.core.random_state import derive_seed
from sslrank.model_selection.stratified import deal

#: Shares of the real features that are counted among the first.
SHARES = (0.25, 0.5, 1.0)


def parts(data, L, rankers, repetitions=5):
    """One part for each dataset of scikit-learn ("wine" is that of ``load_wine``) and number L of labelled rows.

    `rankers` are members of :class:`sslrank.rankers.mean_rank.MeanRank`.
    """
    options = {"rankers": rankers, "repetitions": repetitions}
    return {f"{name}-{labels}": {"name": name, "L": labels, **options} for name in data for labels in L}


def experiment(name, L, rankers, repetitions, *, seed=0, n_jobs=1):
    """Rank the doubled table with other labelled rows, another shuffle and another order of the columns each time.

    "found" has data, theta (L), ranking, share (of the real features), repetition and value (share that is real).
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
        ranker = MeanRank(members=rankers, task="classification" if classes else "regression", n_jobs=n_jobs)
        ranker.set_params(random_state=derive_seed(seed, "ranking", name, L, repetition))
        for ranking, importances in ranker.fit(doubled, known).importances_.items():
            order = np.argsort(-importances, kind="stable")
            for share in SHARES:
                k = max(round(share * X.shape[1]), 1)
                rows.append((name, L, ranking, share, repetition, real[order[:k]].mean()))
    return {"found": pd.DataFrame(rows, columns=["data", "theta", "ranking", "share", "repetition", "value"])}


def beside_shuffled(X, rng):
    """A table joined with its own rows in another order, columns in a random order; and a mask of the real columns."""
    order = rng.permutation(2 * X.shape[1])
    return np.hstack([X, X[rng.permutation(len(X))]])[:, order], order < X.shape[1]


def join(tables):
    """The "summary": mean share of real features over the repetitions, with its standard error.

    Its column `weighting` is the share of the features that is looked at, `theta` is L.
    """
    found = tables["found"].rename(columns={"share": "weighting"})
    keys = ["data", "theta", "weighting", "ranking"]
    groups = found.groupby(keys, sort=False)["value"]
    summary = groups.agg(value="mean", standard_error="sem").reset_index()
    return {"summary": summary.sort_values([*keys[:3], "value"], ascending=[True, True, True, False], kind="stable")}
