"""Compare the default forest on all rows of a table with one whose trees grow on a part of them, drawn for each tree.

    python tests/benchmarks/bench_max_samples.py > tests/benchmarks/max-samples.md

Tables of 8,000 labelled rows and 40 columns with ten weak features: five linear ones, three that act by their distance
from the middle, and two by their product. AUC: how often a planted feature is ranked before another one; seconds are
those of a processor.
"""

import subprocess
import time

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from sslrank import get_ranker
from sslrank.tabular.fits.methods import AUTO

ROWS = {"all": 1.0, "2,000": 2_000, "1,000": 1_000}
#: Effects of a standard deviation of noise.
STRENGTHS = (0.02, 0.03, 0.05)
SEEDS = range(3)


def weak_table(strength, kind, seed):
    """Features, and a target of numbers or of two classes."""
    rng = np.random.default_rng([seed, int(1000 * strength)])
    X = rng.normal(size=(8_000, 40))
    signal = X[:, :5].sum(axis=1) + 1.2 * np.abs(X[:, 5:8]).sum(axis=1) + 1.6 * X[:, 8] * X[:, 9]
    y = strength * signal + rng.normal(size=len(X))
    return X, y if kind == "number" else (y > np.median(y)).astype(int)


def main():
    """Print the table of means."""
    found = []
    for kind in ("number", "classes"):
        for strength in STRENGTHS:
            for seed in SEEDS:
                X, y = weak_table(strength, kind, seed)
                for name, rows in ROWS.items():
                    ranker = get_ranker("genie3", **AUTO["genie3"] | {"max_samples": rows, "random_state": seed})
                    started = time.process_time()
                    ranker.fit(X, y)
                    seconds = time.process_time() - started
                    auc = roc_auc_score(np.arange(40) < 10, ranker.feature_importances_)
                    found.append((kind, strength, name, auc, seconds))
    frame = pd.DataFrame(found, columns=["target", "strength", "rows of a tree", "AUC", "seconds"])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout
    print(f"`python tests/benchmarks/bench_max_samples.py`, commit {commit.strip()}, {len(SEEDS)} tables each:\n")
    print("| target, strength | " + " | ".join(f"{name}: AUC, s" for name in ROWS) + " |")
    print("|---" * (len(ROWS) + 1) + "|")
    for (kind, strength), part in frame.groupby(["target", "strength"], sort=False):
        mean = part.groupby("rows of a tree")[["AUC", "seconds"]].mean()
        cells = [f"{mean.loc[name, 'AUC']:.3f}, {mean.loc[name, 'seconds']:.1f}" for name in ROWS]
        print(f"| {kind}, {strength} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
