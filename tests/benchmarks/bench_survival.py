"""Compare rankings for times with events on five public tables, by Harrell's C of held-out rows.

    python tests/benchmarks/bench_survival.py > tests/benchmarks/survival.md   # pip install scikit-survival

Each of 5 folds ranks its training rows by `sslrank.rank`, each feature's Cox score test, the permutation
importance of a random survival forest (100 trees), and at random. Cox models (ridge, penalty 1) of the best 1 to
5 features predict the test rows, whose C is averaged. Tables come with scikit-survival; of larger ones 500 rows are
drawn. Nominal columns are codes of their levels, gaps the mean.
"""

import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.inspection import permutation_importance
from sklearn.model_selection import RepeatedStratifiedKFold
from sksurv import datasets
from sksurv.ensemble import RandomSurvivalForest
from sksurv.linear_model import CoxPHSurvivalAnalysis

import sslrank
from sslrank.core.null_model import concordance, log_rank_scores

TABLES = {
    "whas500": datasets.load_whas500,
    "gbsg2": datasets.load_gbsg2,
    "veteran": datasets.load_veterans_lung_cancer,
    "flchain": datasets.load_flchain,
    "gse7390": datasets.load_breast_cancer,
}
SIZES, REPEATS, ROWS = (1, 2, 3, 4, 5), 1, 500


def loaded(name):
    """Features as numbers, and the structured array of events and times."""
    X, y = TABLES[name]()
    X = X.drop(columns="chapter", errors="ignore")  # flchain: the cause of death
    X = X.apply(lambda column: column if column.dtype.kind in "if" else pd.Series(pd.factorize(column, sort=True)[0]))
    X = X.astype(float).pipe(lambda frame: frame.fillna(frame.mean()))
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:ROWS])
    return X.iloc[rows].reset_index(drop=True), y[rows]


def cox_scores(X, y):
    """Squared standardized statistic of Cox's score test of each feature alone."""
    event, time = (y[name].astype(float) for name in y.dtype.names)
    scores = log_rank_scores(time, event)
    at, Z = np.unique(time, return_inverse=True)[1], X.to_numpy() - X.to_numpy().mean(axis=0)
    n_at_risk = np.cumsum(np.bincount(at)[::-1])[::-1]
    means = np.array([np.cumsum(np.bincount(at, z)[::-1])[::-1] / n_at_risk for z in Z.T])
    spread = (event - scores) @ Z**2 - means**2 @ np.bincount(at, event)
    return (scores @ Z) ** 2 / np.maximum(spread, 1e-12)


def forest(X, y, seed):
    """Permutation importances of a random survival forest, in its training rows."""
    fitted = RandomSurvivalForest(100, min_samples_leaf=15, random_state=seed).fit(X, y)
    return permutation_importance(fitted, X, y, n_repeats=1, random_state=seed).importances_mean


RANKINGS = {
    "sslrank.rank": lambda X, y, seed: -sslrank.rank(
        X, y, effort="order", keep=list(X), random_state=seed
    ).to_frame().set_index("feature")["rank"].reindex(X.columns).fillna(np.inf).to_numpy(),
    "Cox score test": lambda X, y, seed: cox_scores(X, y),
    "random survival forest": forest,
    "random": lambda X, y, seed: np.random.default_rng(seed).random(X.shape[1]),
}  # fmt: skip


def judged(X, y, train, test, importances):
    """Mean C of Cox models of the best features on held-out rows."""
    order = np.argsort(-importances, kind="stable")
    event, time = (y[name][test].astype(float) for name in y.dtype.names)
    found = []
    for size in SIZES:
        part = X.iloc[:, order[:size]].to_numpy()
        part = (part - part[train].mean(axis=0)) / np.maximum(part[train].std(axis=0), 1e-12)
        risk = CoxPHSurvivalAnalysis(alpha=1.0).fit(part[train], y[train]).predict(part[test])
        found.append(concordance(time, event, risk[:, None])[0][0])
    return np.mean(found)


def main():
    """Print a table."""
    warnings.simplefilter("ignore")
    root = Path(__file__).parents[2]
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, cwd=root)
    print(f"`python tests/benchmarks/bench_survival.py`, commit {commit.stdout.strip()}: mean C of the best 1 to 5\n"
          "features on held-out rows of 5 folds; in brackets the standard error of the difference to\n"
          "`sslrank.rank`, corrected for overlapping folds (Nadeau and Bengio 2003).\n")  # fmt: skip
    print(f"| table | rows x features | censored | {' | '.join(RANKINGS)} |")
    print("|---" * (3 + len(RANKINGS)) + "|")
    for name in TABLES:
        X, y = loaded(name)
        event = y[y.dtype.names[0]]
        found = []
        folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=REPEATS, random_state=0).split(X, event)
        for seed, (train, test) in enumerate(folds):
            part = X.iloc[train].reset_index(drop=True), y[train]
            found.append([judged(X, y, train, test, rank(*part, seed)) for rank in RANKINGS.values()])
        found = np.array(found)
        error = (found - found[:, :1]).std(axis=0, ddof=1) * np.sqrt(1 / len(found) + 1 / 4)
        cells = [f"{c:.3f} ({e:.3f})" if e else f"{c:.3f}" for c, e in zip(found.mean(axis=0), error, strict=True)]
        shape = f"{len(X)} x {X.shape[1]}"
        print(f"| {name} | {shape} | {1 - event.mean():.0%} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
