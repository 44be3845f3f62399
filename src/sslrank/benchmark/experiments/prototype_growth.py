"""Experiment: growth of the time of S-CLS with the rows, with all rows and with prototypes (thesis scls, section 4.3).

In the thesis the number of steps for M features, N rows and U prototypes is O(M max(N^2, log M)) with all rows and O(M
max(U, log M)) with prototypes, without the steps of the map.
"""

import time

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed

FEATURES, RELEVANT, LABELS = 100, 10, 5
LABELED_SHARE = 0.1
#: Number of fits; the fastest counts, as the first one includes the imports.
FITS = 3


def parts(rows=(1000, 2000, 4000, 8000, 16000), units=(50, 200)):
    """List one part for each number of rows; `units` are numbers of units of the map."""
    return {f"{n} rows": {"rows": n, "units": list(units)} for n in rows}


def experiment(rows, units, *, seed=0, n_jobs=1):
    """Measure processor seconds on one table with a tenth of the rows labelled, with one thread.

    Each label is the sign of a sum of two of the first ten features, with noise. `agreement` is Spearman's correlation
    with the ranking from all rows, `found` the share of the first ten features among the ten best.
    """
    from scipy.stats import spearmanr

    from sslrank.rankers.registry import get_ranker

    rng = np.random.default_rng(derive_seed(seed, "rows", rows))
    X = rng.normal(size=(rows, FEATURES))
    Y = X[:, :LABELS] + X[:, LABELS:RELEVANT] + rng.normal(size=(rows, LABELS))
    Y = (Y > 0).astype(float)
    Y[round(LABELED_SHARE * rows) :] = np.nan
    timings, plain = [], None
    for n_prototypes in (None, *units):
        ranker = get_ranker("s_cls", n_prototypes=n_prototypes, random_state=0, n_jobs=1)
        seconds = []
        for _ in range(FITS):
            started = time.process_time()
            importances = ranker.fit(X, Y).feature_importances_
            seconds.append(time.process_time() - started)
        plain = importances if plain is None else plain
        best = np.argsort(-importances, kind="stable")[:RELEVANT]
        name = "all rows" if n_prototypes is None else f"{n_prototypes} units"
        agreement = spearmanr(plain, importances).statistic
        timings.append((name, rows, min(seconds), agreement, np.mean(best < RELEVANT)))
    return {"seconds": pd.DataFrame(timings, columns=["variant", "rows", "seconds", "agreement", "found"])}


def join(tables):
    """Make the tables "seconds" and "summary" (exponents of growth over the last three sizes)."""
    seconds = tables["seconds"].sort_values("rows", kind="stable")
    exponents = []
    for variant, part in seconds.groupby("variant", sort=False):
        first, last = part.iloc[max(0, len(part) - 3)], part.iloc[-1]
        if first.rows == last.rows:
            continue
        exponent = np.log(last.seconds / first.seconds) / np.log(last.rows / first.rows)
        exponents.append((variant, first.rows, last.rows, exponent))
    columns = ["variant", "from", "to", "exponent"]
    return {"seconds": seconds, "summary": pd.DataFrame(exponents, columns=columns)}
