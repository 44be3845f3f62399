"""Judge the order of `sslrank rank`, called as a user calls it, on the arena's datasets to choose defaults by.

    python tests/benchmarks/bench_order.py --rows order.csv --out tests/benchmarks/order.md

Of each dataset at most 900 rows are drawn; two thirds are for training, of which `--labels` have their target. The
judge is the arena's (three models on the best features, geometric sizes), points are 100 times its area above that of
the mean of three random orders. "related first" is the order of ``rank(X, y).order``: related features by the mean of
the methods' ranks, then the others by their p-value; "mean rank" is that of the same call by the mean of the methods'
ranks alone. F is the order of F + Benjamini-Hochberg. Boruta is left out where there are more than 1,500 features.
Datasets come from SSLRANK_MIRROR or the network; what cannot be read is left out, and said.
"""

import argparse
import os
import subprocess
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import t as student

import sslrank
from sslrank.core.errors import DataError
from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.datasets.arena import arena_part
from sslrank.datasets.blocks import read_yaml
from sslrank.datasets.catalogue import get_entry, load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare
from sslrank.evaluation.evaluators.top_features_auc import evaluate
from sslrank.rankers.registry import get_ranker

ROOT = Path(__file__).parents[2]
MOST_ROWS, BORUTA = 900, 1_500
JUDGE = {"n_estimators": 10, "max_train": 500, "max_test": 300}
NAMES = {
    "related first": "`rank(X, y).order`: related first",
    "mean rank": "mean of the methods' ranks, without tests",
    "forest": "scikit-learn's forest, 200 trees",
    "F": "F + Benjamini-Hochberg",
    "Boruta": "Boruta (50 trees, 20 rounds)",
}


def peers(task, n_features):
    """Rankers to compare with, by name."""
    found = {"forest": get_ranker("scikit_forest", n_estimators=200), "F": get_ranker("f_score")}
    if task in ("classification", "regression") and n_features <= BORUTA:
        found["Boruta"] = get_ranker("boruta", n_estimators=50, max_iter=20)
    return found


def judged(name, n_labeled, split):
    """Points of each order on a split of a dataset, and seconds of a processor, a row each."""
    entry = get_entry(load_catalogue(ROOT / "workflow/datasets.yaml"), name)
    data = prepare(entry, fetch(entry, ROOT / "results/data/raw", os.environ.get("SSLRANK_MIRROR")))
    rng = np.random.default_rng(derive_seed(0, name, n_labeled, split))
    rows = rng.permutation(len(data.X))[:MOST_ROWS]
    X, y = data.X.iloc[rows].reset_index(drop=True), data.y[rows]
    X = X.loc[:, [X[column].nunique() > 1 for column in X]]
    features, targets = encode_features(X), encode_targets(y, len(X), task=data.task, hierarchy=data.hierarchy)
    train, test = np.arange(2 * len(X) // 3), np.arange(2 * len(X) // 3, len(X))
    labeled = train[:n_labeled]
    orders, seconds = {}, {}
    started = time.process_time()
    given = y.astype(object) if data.task == "classification" else y.astype(float)
    given[n_labeled:] = np.nan
    options = {"task": data.task, "hierarchy": data.hierarchy, "groups": "none", "time": "none", "keep": list(X)}
    found = sslrank.rank(X.iloc[train], given[train], effort="order", random_state=split, **options)
    place = {str(feature): j for j, feature in enumerate(X)}
    kept = np.array([place[str(feature)] for feature in found.table.X.columns])
    for label, values in (("related first", found.place), ("mean rank", found.mean_rank)):
        orders[label] = np.full(X.shape[1], -np.inf)
        orders[label][kept] = -values
        orders[label][np.isinf(orders[label])] = -X.shape[1] - 1.0
        seconds[label] = time.process_time() - started
    for label, ranker in peers(data.task, X.shape[1]).items():
        started = time.process_time()
        ranker = ranker.set_params(random_state=split)
        ranker.fit_coded(features.rows(labeled).occurring(), targets.rows(labeled).occurring())
        orders[label], seconds[label] = ranker.feature_importances_, time.process_time() - started
    for i in range(3):
        orders[f"random {i}"], seconds[f"random {i}"] = rng.random(X.shape[1]), 0.0
    seed = derive_seed(0, name, split)
    area = {
        label: evaluate(features, targets, train, test, labeled, importances, JUDGE, seed)[0][2]
        for label, importances in orders.items()
    }
    chance = np.mean([value for label, value in area.items() if label.startswith("random")])
    for label in NAMES:
        if label in area:
            yield {"points": 100 * (area[label] - chance), "order": label, "seconds": seconds[label]}


def lines(frame):
    """A line for each order: mean points, and the difference of the tested order with its interval, over datasets."""
    points = frame.groupby(["dataset", "order"])["points"].mean().unstack()
    yield "| order | datasets | points | tested order minus this, same datasets (95 % interval) | better, worse |"
    yield "|---|---|---|---|---|"
    for label, said in NAMES.items():
        same = points[["related first", label]].dropna() if label != "related first" else points[[label]].dropna()
        text = count = ""
        if label != "related first":
            gain = same["related first"] - same[label]
            reach = student.ppf(0.975, len(gain) - 1) * gain.sem()
            text = f"{gain.mean():+.2f} ({gain.mean() - reach:+.2f} to {gain.mean() + reach:+.2f})"
            count = f"{(gain > 0.005).sum()}, {(gain < -0.005).sum()}"
        yield f"| {said} | {len(same)} | {same[label].mean():.2f} | {text} | {count} |"


def main():
    """Judge, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labels", type=int, nargs="+", default=[50])
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--rows", type=Path, required=True, help="CSV file of rows, from which a run goes on")
    parser.add_argument("--print", action="store_true", help="print the rows that there are, and compute nothing")
    parser.add_argument("--out", type=Path, help="file to write, with the command and the commit")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    names = read_yaml(ROOT / "workflow/studies/arena.yaml")["arena"]["datasets"]
    catalogue = load_catalogue(ROOT / "workflow/datasets.yaml")
    names = sorted((name for name in names if arena_part(name) == "choose"), key=lambda n: catalogue[n].shape.features)
    rows = (
        pd.read_csv(arguments.rows, dtype={"commit": str})
        if arguments.rows.exists()
        else pd.DataFrame(columns=["dataset", "L", "split"])
    )
    done, failed = set(zip(rows["dataset"], rows["L"], rows["split"], strict=True)), {}
    for split in range(0 if arguments.print else arguments.splits):
        for name in names:
            for n_labeled in arguments.labels:
                if (name, n_labeled, split) in done:
                    continue
                try:
                    found = pd.DataFrame(judged(name, n_labeled, split))
                except (DataError, ValueError, OSError) as error:
                    failed[name] = str(error).partition("\n")[0]
                    print(name, failed[name], flush=True)
                    continue
                found = found.assign(dataset=name, L=n_labeled, split=split, commit=commit)
                is_new = not arguments.rows.exists()
                found.to_csv(arguments.rows, mode="a", header=is_new, index=False)
    frame = pd.read_csv(arguments.rows, dtype={"commit": str})
    command = f"python tests/benchmarks/bench_order.py --labels {' '.join(map(str, arguments.labels))}"
    command += f" --splits {arguments.splits}"
    left_out = [name for name in names if name not in set(frame["dataset"])]
    text = [f"`{command}`, commit {', '.join(frame['commit'].unique())}:\n", *lines(frame), ""]
    text += [f"Left out, as not read or not reached: {', '.join(left_out)}.\n"] if left_out else []
    print("\n".join(text))
    if arguments.out:
        arguments.out.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
