"""Compare rankings of all features with rankings after univariate screening, on tables of more than 5,000 features.

    snakemake --cores 2 results/data/{mll,prostate,dlbcl,amlprognosis,leukemia_7129,orlraws10p,tox-171}/table.parquet
    python tests/benchmarks/bench_screening.py --data results/data

The default methods of ``sslrank rank`` (100 trees) rank all features, or the 2,000, 1,000, 500 and 250 with the largest
F statistics, from 20 and 50 labelled rows. Scores are balanced accuracies in percent on the other rows, means over two
predictors (five neighbours and a logistic regression) with the 5, 10, 20, 50 and 100 best features, over the splits.
"Part" is where the arena has a dataset: among those to choose by, or held out. Seconds are processor seconds of a fit.
"""

import argparse
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.datasets.arena import arena_part
from sslrank.datasets.dataset import Dataset
from sslrank.tabular.fits import screening
from sslrank.tabular.fits.methods import choose_methods
from sslrank.tabular.fits.problem import RankingProblem, fit_methods

NAMES = ["amlprognosis", "dlbcl", "leukemia_7129", "mll", "orlraws10p", "prostate", "tox-171"]
KEPT = ["all", 2_000, 1_000, 500, 250]
SIZES = (5, 10, 20, 50, 100)


def score(X, y, train, test, order):
    """Mean balanced accuracy with the best features, in percent."""
    found = []
    for size in SIZES:
        best = order[:size]
        for predictor in (KNeighborsClassifier(min(5, len(train))), LogisticRegression(max_iter=300)):
            model = make_pipeline(StandardScaler(), predictor).fit(X[np.ix_(train, best)], y[train])
            found.append(100 * balanced_accuracy_score(y[test], model.predict(X[np.ix_(test, best)])))
    return np.mean(found)


def compare(description, names, budgets, variants):
    """Print a line for each dataset and number of labels, and the mean differences from the first variant.

    Each of `variants`, by name, ranks a problem's rows and gives importances by method: variant(problem, rows, seed).
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=Path("results/data"))
    parser.add_argument("--splits", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| dataset | part | labelled | " + " | ".join(variants) + " | seconds |")
    print("|---" * (4 + len(variants)) + "|", flush=True)
    lines = []
    for name in names:
        data = Dataset.load(arguments.data / name)
        X = np.ascontiguousarray(data.X.to_numpy(), dtype=np.float64)
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
        y = encode_targets(data.y, len(X), task="classification").values[:, 0]
        for n_labeled in budgets:
            if n_labeled > len(X) - 15:
                continue
            scores, seconds = np.zeros((arguments.splits, len(variants))), np.zeros(len(variants))
            for split in range(arguments.splits):
                seed = derive_seed(0, name, n_labeled, split)
                train, test = train_test_split(np.arange(len(X)), train_size=n_labeled, stratify=y, random_state=seed)
                problem = RankingProblem(encode_features(X), encode_targets(y, len(y), task="classification"))
                for i, variant in enumerate(variants.values()):
                    start = time.process_time()
                    importances = variant(problem, train, seed)
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
        print(f"| difference from all | {part} | | " + " | ".join(cells) + " | |")


def default_methods():
    """The default methods of ``sslrank rank`` with 100 trees, whose nodes try all features."""
    return [method.light(100) for method in choose_methods("auto", "classification", n_features=0)]


def with_screening(kept, problem, rows, seed):
    """Importances after screening that keeps `kept` features, or of all."""
    screening.KEPT, screening.WIDE = (kept, 5_000) if kept != "all" else (0, problem.X.shape[1])
    return fit_methods(default_methods(), problem, rows, rows[:0], seed)[0]


if __name__ == "__main__":
    compare(__doc__.splitlines()[0], NAMES, (20, 50), {str(kept): partial(with_screening, kept) for kept in KEPT})
