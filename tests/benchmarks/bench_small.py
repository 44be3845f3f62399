"""Small tables with few labels: the default methods of ``sslrank rank``, and relief with and without unlabelled rows.

    python tests/benchmarks/bench_small.py --seeds 4

Data sets of scikit-learn, 30 labelled rows (50 for numbers), drawn anew for each seed. A ranking is judged with all
labels, which it has not seen: the mean accuracy (classes) or R² (numbers) of nearest neighbours in cross-validation
with its first 1, ..., 60 % of the features.
"""

import argparse

import numpy as np
import pandas as pd
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_friedman1,
)
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sslrank.tabular.methods import AUTO, Method, choose_methods
from sslrank.tabular.problem import Problem, fit
from sslrank.tabular.table import own_table


def tables():
    """Name, kind of target, features, targets."""
    for name, load in {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}.items():
        yield name, "classification", *load(return_X_y=True)
    yield "digits, 600 rows", "classification", *(part[:600] for part in load_digits(return_X_y=True))
    yield "diabetes", "str", *load_diabetes(return_X_y=True)
    X, y = make_friedman1(400, 30, noise=0.5, random_state=1)
    yield "friedman1, 400 x 30", "str", X, y
    yield "friedman1, two targets", "mtr", X, np.column_stack([y, 5 * X[:, 0] + 8 * X[:, 5] + 3 * np.sin(6 * X[:, 6])])


def judged(importances, task, X, y):
    """The mean score over growing numbers of the best features."""
    order, most = np.argsort(-importances, kind="stable"), max(2, int(0.6 * X.shape[1]))
    sizes = np.unique(np.geomspace(1, most, 6).round().astype(int))
    nearest = KNeighborsClassifier(5) if task == "classification" else KNeighborsRegressor(10)
    judge = make_pipeline(StandardScaler(), nearest)
    return np.mean([cross_val_score(judge, X[:, order[:size]], y, cv=3).mean() for size in sizes])


def main():
    """Print a table: mean over seeds, one row per data set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=4)
    rows = []
    for seed in range(parser.parse_args().seeds):
        for name, task, X, y in tables():
            rng = np.random.default_rng(seed)
            labeled = rng.choice(len(y), 30 if task == "classification" else 50, replace=False)
            known = np.full(y.shape, np.nan)
            known[labeled] = y[labeled]
            default = {method.name: method for method in choose_methods("auto", task, len(labeled), X.shape[1])[0]}
            methods = {other: default[other] for other in AUTO[task] if other != "relief"}
            methods |= {"relief, labelled rows": default["relief"], "relief, all rows": Method("relief")}
            problem, every = Problem.of(own_table(X, known, task=task)), np.arange(len(y))
            row = {name: fit(method, problem, every).feature_importances_ for name, method in methods.items()}
            row["random"] = rng.random(X.shape[1])
            rows.append({"data": name} | {method: judged(row[method], task, X, y) for method in row})
    means = pd.DataFrame(rows).groupby("data", sort=False).mean().map(lambda x: "" if np.isnan(x) else f"{x:.3f}")
    print("|", " | ".join(["data", *means.columns]), "|")
    print("|---" * (1 + means.shape[1]) + "|")
    for name, row in means.iterrows():
        print(f"| {name} |", " | ".join(row), "|")


if __name__ == "__main__":
    main()
