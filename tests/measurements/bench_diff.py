"""Measure how often `sslrank diff` calls an effect changed: in two samples of one table, and where one did change.

python tests/measurements/bench_diff.py [--pairs 200 --rows 100 --seed 0]
"""

import argparse

import numpy as np
import pandas as pd

from sslrank import rank
from sslrank.tabular.output.difference import differences

KINDS = ("two classes", "three classes", "number", "time until an event")


def sample(kind, n, rng, weight=1.0):
    """A table of 12 features, one of them skewed and one coarse, of which three are related to the target."""
    X = rng.normal(size=(n, 12))
    X[:, 3], X[:, 4] = np.exp(X[:, 3]), np.round(X[:, 4])
    signal = weight * X[:, 0] + 0.7 * X[:, 1] + 0.4 * X[:, 4] + rng.normal(size=n)
    frame = pd.DataFrame(X).add_prefix("x")
    if kind == "time until an event":
        time, until = np.exp(-signal), rng.exponential(3, n)
        return frame.assign(event=(time <= until) + 0), pd.Series(np.minimum(time, until), name="y"), {"event": "event"}
    y = pd.Series(signal if kind == "number" else np.digitize(signal, [0] if kind == "two classes" else [-0.7, 0.7]))
    return frame, y.rename("y").astype(float if kind == "number" else str), {}


def fields_of(*of, **others):
    X, y, options = sample(*of, **others)
    return rank(X, y, methods="f_score", effort="order", n_jobs=1, **options).to_dict()


def share_changed(kind, n_pairs, n_rows, seed=0, weight=1.0):
    """Share of pairs with any change, and with a change of the first feature; its weight is 1 before."""
    rng = np.random.default_rng(seed)
    changes = [
        differences(fields_of(kind, n_rows, rng), fields_of(kind, n_rows, rng, weight=weight))["change"] != ""
        for _ in range(n_pairs)
    ]
    return float(np.mean([change.any() for change in changes])), float(np.mean([change["x0"] for change in changes]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print("| target | changed, by chance | first feature, no longer related: found |\n|---|---|---|")
    for kind in KINDS:
        null = share_changed(kind, arguments.pairs, arguments.rows, arguments.seed)[0]
        power = share_changed(kind, arguments.pairs // 4, arguments.rows, arguments.seed, weight=0.0)[1]
        print(f"| {kind} | {null:.3f} | {power:.2f} |", flush=True)


if __name__ == "__main__":
    main()
