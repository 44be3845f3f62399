"""Wide tables with all rows labelled: the forests of ``sslrank rank`` among more than 500 features.

    python tests/benchmarks/bench_wide.py --seeds 2

Compares settings that choose the level of supervision for 100 trees (SETTINGS) with 1,000 trees of the labelled rows
(WIDE). Microarrays from SSLRANK_MIRROR: rankings made inside each of five folds, the mean accuracy of nearest
neighbours with up to 50 of the best features, and the error curve average. Made tables of 100 x 3,000: the share of
the 10 relevant features among the first 10, and their mean rank.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.tabular.feature_curve import judge, make_folds
from sslrank.tabular.methods import SETTINGS, WIDE, Method, fit
from sslrank.tabular.table import own_table, read_own

ARRAYS = {"srbct": "srbct.tab", "dlbcl": "dlbcl.tab", "colon": "colon.mat", "prostate": "prostate.tab"}
SIDES = {"before": SETTINGS, "now": WIDE}


def fitted(name, side, table, rows, seed):
    """Importances, and the processor seconds of the fit."""
    started = time.process_time()
    method = Method(name, SIDES[side][name])
    ranker = fit(method, table.X.iloc[rows], table.y[rows], table.task, seed=seed, n_jobs=1)
    return ranker.feature_importances_, time.process_time() - started


def arrays(seeds):
    """Rows of results on microarrays."""
    for name, file in ARRAYS.items():
        table = read_own(Path(os.environ["SSLRANK_MIRROR"]) / name / file, ("Y",) if file.endswith(".mat") else ())
        for seed in range(seeds):
            folds = make_folds(table, 5, seed)
            for side in SIDES:
                found = [fitted("genie3", side, table, train, 10 * seed + i) for i, (train, _) in enumerate(folds)]
                curve = judge(table, np.array([importances for importances, _ in found]), folds)
                points = curve.table
                yield {
                    "data": f"{name} {table.X.shape[0]} x {table.X.shape[1]}",
                    "side": side,
                    "accuracy": points.loc[points["size"] <= 50, "best"].mean(),
                    "ECA": curve.eca,
                    "seconds": np.mean([seconds for _, seconds in found]),
                }


def made(seeds):
    """Rows of results on made tables."""
    for task in ("classification", "mlc", "str", "mtr"):
        for name in ("genie3", "random_forest"):
            for seed in range(seeds):
                rng = np.random.default_rng(seed)
                X = rng.normal(size=(100, 3000))
                Z = X[:, :10] @ rng.normal(size=(10, 3)) + rng.normal(size=(100, 3))
                y = {"classification": Z[:, 0] > 0, "mlc": Z > 0, "str": Z[:, 0], "mtr": Z}[task]
                table = own_table(X, y.astype(float), task=task)
                for side in SIDES:
                    importances, seconds = fitted(name, side, table, np.arange(100), seed)
                    first = np.argsort(-importances, kind="stable")[:10]
                    rank = pd.Series(-importances).rank()[:10].mean()
                    yield {
                        "data": f"{task}, {name}",
                        "side": side,
                        "found": (first < 10).mean(),
                        "mean rank": rank,
                        "seconds": seconds,
                    }


def main():
    """Print two tables, means over seeds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=2)
    seeds = parser.parse_args().seeds
    for rows in (arrays, made):
        means = pd.DataFrame(rows(seeds)).groupby(["data", "side"], sort=False).mean()
        print(means.unstack("side").round(3).to_string(), flush=True)


if __name__ == "__main__":
    main()
