"""Whether planted features are found, and by whom: the basis of what ``sslrank rank --methods auto`` takes.

    python tests/benchmarks/bench_own.py --seeds 3

300 rows, 30 of them labelled, 500 features, 50 of them relevant; the share of the relevant among the first 50 of a
ranking. Random rankings have 0.1. Two designs, both with six hidden factors that decide the targets:

* ``decoys``: a relevant feature is one factor with noise of the same variance; 50 more features belong likewise to six
  other factors, which decide nothing. So unlabelled rows show which features hang together, not which are relevant:
  what only sees structure reaches 0.5.
* ``alone``: relevant features are independent normal variables, and a factor is the sum of those that belong to it. So
  unlabelled rows tell nothing of relevance.

Peers see the labelled rows only: scikit-learn's forests (500 trees), its mutual information and skrebate's ReliefF
with their defaults; mutual information and ReliefF are averaged over several targets.
"""

import argparse
import time
from dataclasses import replace

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from skrebate import ReliefF

from sslrank.rankers.registry import available_rankers
from sslrank.tabular.fits.fitting import fit
from sslrank.tabular.fits.methods import AUTO, choose_methods
from sslrank.tabular.understanding.roles import ColumnRoles
from sslrank.tabular.understanding.table import own_table

N, LABELED, D, RELEVANT, FACTORS = 300, 30, 500, 50, 6
DESIGNS = ("decoys", "alone")
TARGETS = ("binary", "multi-class", "multilabel", "hierarchical", "regression", "multitarget")
#: Searches for subsets, which take minutes.
SLOW = {"fwfs", "memetic"}
#: The last two labels of three are below each of the first two.
HIERARCHY = [[], [], [0], [0], [1], [1]]


def make(design, target, seed):
    """Features, targets of the labelled rows, task, hierarchy and the relevant features."""
    rng = np.random.default_rng([seed, TARGETS.index(target), DESIGNS.index(design)])
    factors = rng.normal(size=(N, FACTORS))
    X = rng.normal(size=(N, D))
    relevant, decoys, _ = np.split(rng.permutation(D), [RELEVANT, 2 * RELEVANT])
    parts = np.arange(RELEVANT) % FACTORS
    if design == "decoys":
        X[:, decoys] = (X[:, decoys] + rng.normal(size=(N, FACTORS))[:, parts]) / 2**0.5
        X[:, relevant] = (X[:, relevant] + factors[:, parts]) / 2**0.5
    else:
        factors = np.column_stack([X[:, relevant[parts == k]].sum(axis=1) for k in range(FACTORS)])
        factors /= factors.std(axis=0)
    task, hierarchy = target, None
    if target in ("binary", "multi-class"):
        task = "classification"
        y = (factors.sum(axis=1) > 0) * 1.0 if target == "binary" else factors.argmax(axis=1) * 1.0
    elif target == "regression":
        y = factors.sum(axis=1)
    elif target == "multitarget":
        y = factors
    else:
        y = (factors > 0) * 1.0
        if target == "hierarchical":
            hierarchy = HIERARCHY
            for label, parents in enumerate(HIERARCHY):
                for parent in parents:
                    y[:, label] *= y[:, parent]
    y = y.copy()
    y[rng.permutation(N)[LABELED:]] = np.nan
    return X, y, task, hierarchy, relevant


def peers(X, y, task, seed):
    """Importances of other libraries from the labelled rows."""
    known = ~np.isnan(y if y.ndim == 1 else y[:, 0])
    X, Y = X[known], y[known]
    columns = Y[:, None] if Y.ndim == 1 else Y
    is_number = task in ("regression", "multitarget")
    forest = (RandomForestRegressor if is_number else RandomForestClassifier)(500, random_state=seed)
    information = mutual_info_regression if is_number else mutual_info_classif
    varied = [column for column in columns.T if len(np.unique(column)) > 1]
    yield "scikit-learn forest", forest.fit(X, Y).feature_importances_
    yield "mutual information", np.mean([information(X, column, random_state=seed) for column in varied], axis=0)
    neighbors = min(100, LABELED - 1)  # skrebate's default, as far as there are rows
    found = [ReliefF(n_neighbors=neighbors).fit(X, column).feature_importances_ for column in varied]
    yield "skrebate ReliefF", np.mean(found, axis=0)


def ours(X, y, task, hierarchy, seed, rankers):
    """Importances of the library's rankers, those of `auto` with its settings, and of `auto`."""
    problem, found = own_table(X, y, ColumnRoles(task=task, hierarchy=hierarchy)).coded(), {}
    for name in available_rankers(task):
        if name in SLOW or (rankers and name not in rankers):
            continue
        try:
            method = choose_methods((name,), task, X.shape[1])[0]
            if name in AUTO:
                method = replace(method, params=AUTO[name])
            ranker = fit(method, problem, np.arange(N), seed)
        except ValueError as error:
            print(f"# {name} on {task}, seed {seed}: {error}", flush=True)
            continue
        found[name] = ranker.feature_importances_
    yield from found.items()
    if set(AUTO) <= set(found):
        yield "auto", -np.mean([rankdata(-found[name]) for name in AUTO], axis=0)


def main():
    """Print a table per design: mean and standard error of the precision over seeds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=DESIGNS)
    parser.add_argument("--rankers", nargs="+", help="only these, and the sets that they make")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    started = time.process_time()
    for design in arguments.designs:
        cells = {}
        for target in TARGETS:
            for seed in seeds:
                X, y, task, hierarchy, relevant = make(design, target, seed)
                for source in (ours(X, y, task, hierarchy, seed, arguments.rankers), peers(X, y, task, seed)):
                    for name, importances in source:
                        first = np.argsort(-importances, kind="stable")[:RELEVANT]
                        hit = len(set(first) & set(relevant)) / RELEVANT
                        cells.setdefault(name, {}).setdefault(target, []).append(hit)
        print(f"\n| {design} |", " | ".join(TARGETS), "|")
        print("|---" * (1 + len(TARGETS)) + "|")
        for name, by_target in cells.items():
            line = [f"{np.mean(hits):.2f}" if (hits := by_target.get(target)) else "" for target in TARGETS]
            print(f"| {name} |", " | ".join(line), "|", flush=True)
        errors = [np.std(hits, ddof=1) / len(hits) ** 0.5 for row in cells.values() for hits in row.values()]
        print(f"\nstandard errors: median {np.median(errors):.3f}, largest {np.max(errors):.3f}", flush=True)
    print(f"{time.process_time() - started:.0f} processor seconds")


if __name__ == "__main__":
    main()
