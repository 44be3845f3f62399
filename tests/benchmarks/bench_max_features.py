"""Compare Extra-Trees that draw all, or a part of the features in each node, on tables of 500 features or more.

    snakemake --cores 2 results/data/{colon,madelon,ovarian,basehock,amlprognosis,leukemia_7129,prostate}/table.parquet
    snakemake --cores 2 results/data/{dlbcl,mll,srbct,warpar10p,orlraws10p,tox-171,pcmac}/table.parquet
    python tests/benchmarks/bench_max_features.py --data results/data

The default methods of ``sslrank rank`` (100 trees, after the first pass where there is one) rank the features from 20,
50 and 100 labelled rows; scores are those of bench_first_pass.py. "Part" is where the arena has a dataset: among those
to choose by, or held out. Seconds are processor seconds of a fit.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from bench_first_pass import score
from scipy.stats import rankdata
from sklearn.model_selection import train_test_split

from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.datasets.arena import arena_part
from sslrank.datasets.dataset import Dataset
from sslrank.tabular.methods import Method, choose_methods
from sslrank.tabular.problem import Problem, fit_all

NAMES = ["amlprognosis", "basehock", "colon", "leukemia_7129", "madelon", "ovarian", "prostate"]
NAMES += ["dlbcl", "mll", "orlraws10p", "pcmac", "srbct", "tox-171", "warpar10p"]
#: Share of the features that each node tries, or "sqrt": as many as their square root.
DRAWN = {"all": "all", "1/2": 1 / 2, "1/3": 1 / 3, "1/5": 1 / 5, "1/10": 1 / 10, "sqrt": "sqrt"}


def variant(method, max_features):
    """A method that draws so many features in each node, if it is a forest."""
    if "ensemble" not in method.params:
        return method
    return Method(method.name, method.params | {"max_features": max_features})


def main():
    """Print a line for each dataset and number of labels, and the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("results/data"))
    parser.add_argument("--splits", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    methods = [method.light(100) for method in choose_methods("auto", "classification", n_features=0)]  # all features
    print("| dataset | part | labelled | " + " | ".join(DRAWN) + " | seconds |")
    print("|---" * (4 + len(DRAWN)) + "|", flush=True)
    lines = []
    for name in NAMES:
        data = Dataset.load(arguments.data / name)
        X = np.ascontiguousarray(data.X.to_numpy(), dtype=np.float64)
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
        y = encode_targets(data.y, len(X), task="classification").values[:, 0]
        for n_labeled in (20, 50, 100):
            if n_labeled > len(X) - 15:
                continue
            scores, seconds = np.zeros((arguments.splits, len(DRAWN))), np.zeros(len(DRAWN))
            for split in range(arguments.splits):
                seed = derive_seed(0, name, n_labeled, split)
                train, test = train_test_split(np.arange(len(X)), train_size=n_labeled, stratify=y, random_state=seed)
                problem = Problem(X, np.zeros(X.shape[1], dtype=bool), y, "classification")
                for i, max_features in enumerate(DRAWN.values()):
                    start = time.process_time()
                    chosen = [variant(method, max_features) for method in methods]
                    importances = fit_all(chosen, problem, train, train[:0], seed)[0]
                    seconds[i] += (time.process_time() - start) / arguments.splits
                    ranks = np.mean([rankdata(-found) for found in importances.values()], axis=0)
                    scores[split, i] = score(X, y, train, test, np.argsort(ranks, kind="stable"))
            lines.append((arena_part(name), scores.mean(axis=0)))
            cells = [name, arena_part(name), str(n_labeled), *(f"{found:.1f}" for found in scores.mean(axis=0))]
            print("| " + " | ".join([*cells, " ".join(f"{found:.2f}" for found in seconds)]) + " |", flush=True)
    for part in ("choose", "held out"):
        differences = np.array([found - found[0] for of_part, found in lines if of_part == part])
        error = differences.std(axis=0, ddof=1) / len(differences) ** 0.5
        cells = [f"{mean:+.2f} ± {e:.2f}" for mean, e in zip(differences.mean(axis=0), error, strict=True)]
        print(f"| difference from all | {part} | | " + " | ".join(cells) + " | |", flush=True)


if __name__ == "__main__":
    main()
