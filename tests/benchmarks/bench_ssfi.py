"""Time and quality of the rankers of study ssfi.

    python tests/benchmarks/bench_ssfi.py features          seconds against the number of features
    python tests/benchmarks/bench_ssfi.py datasets [NAME]   seconds per dataset of the study (needs the files)
    python tests/benchmarks/bench_ssfi.py synthetic         SSFI against its supervised form, 30 seeds

`--jobs` sets the threads, `--rankers` the rankers, `--cache` where the data files are.
"""

import argparse
import time

import numpy as np
from scipy.stats import wilcoxon

from sslrank import available_rankers, get_ranker
from sslrank.core.features import encode_features
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import DEFAULT_CACHE, fetch
from sslrank.datasets.prepare import prepare
from sslrank.model_selection.splits import make_splits


def fit_seconds(name, X, y, n_jobs, **params):
    """Importances and wall-clock seconds of one fit."""
    ranker = get_ranker(name, random_state=0, n_jobs=n_jobs, **params)
    start = time.perf_counter()
    ranker.fit(X, y)
    return ranker.feature_importances_, time.perf_counter() - start


def features_benchmark(arguments):
    """One fit on 70 rows of 10 classes, 3 labelled each, with more and more features."""
    print(f"{'features':>9}", *(f"{name:>9}" for name in arguments.rankers))
    points = []
    for n_features in (500, 1000, 2000, 5000, 10000, 20000):
        rng = np.random.default_rng(0)
        truth = np.arange(70) % 10
        X = rng.normal(size=(70, n_features))
        X[:, ::10] += rng.normal(size=(10, X[:, ::10].shape[1]))[truth]
        y = np.where(np.arange(70) < 30, truth, -1)
        seconds = [fit_seconds(name, X, y, arguments.jobs)[1] for name in arguments.rankers]
        points.append((n_features, *seconds))
        print(f"{n_features:9d}", *(f"{value:9.2f}" for value in seconds), flush=True)
    logs = np.log(np.array(points)[2:])
    powers = [np.polyfit(logs[:, 0], logs[:, 1 + k], 1)[0] for k in range(len(arguments.rankers))]
    print("seconds grow with the power", *(f"{power:.2f}" for power in powers), "of the features")


def datasets_benchmark(arguments):
    """One fit on the first split of Algorithm 5 per dataset."""
    catalogue = load_catalogue(arguments.catalogue)
    names = arguments.names or [n for n, e in catalogue.items() if "ssfi" in e.studies and e.available]
    print(f"{'dataset':14} {'rows':>5} {'features':>8}", *(f"{name:>9}" for name in arguments.rankers))
    for name in names:
        entry = catalogue[name]
        dataset = prepare(entry, fetch(entry, arguments.cache))
        fold = make_splits(
            dataset.y, task=dataset.task, dataset=name, scheme="holdout", budgets=("3-per-class",)
        ).folds[0]
        X = encode_features(dataset.X).values[fold.train]
        y = np.full(len(dataset.y), None, dtype=object)
        y[fold.labeled["3-per-class"]] = dataset.y[fold.labeled["3-per-class"]]
        seconds = [fit_seconds(ranker, X, y[fold.train], arguments.jobs)[1] for ranker in arguments.rankers]
        print(f"{name:14} {X.shape[0]:5d} {X.shape[1]:8d}", *(f"{s:9.2f}" for s in seconds), flush=True)


def synthetic_problem(seed, n_rows=200, n_features=100, n_relevant=10, shift=1.5, n_labeled=3):
    """Two classes that differ by `shift` standard deviations in the relevant features."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % 2
    relevant = rng.choice(n_features, n_relevant, replace=False)
    X = rng.normal(size=(n_rows, n_features))
    X[:, relevant] += shift * truth[:, None]
    return X, np.where(np.arange(n_rows) < 2 * n_labeled, truth, -1), relevant


def synthetic_benchmark(arguments):
    """Relevant features among the first ten, SSFI against supervised rankings of the labelled rows."""
    rivals = [("ssfi, supervised", "ssfi", {"supervised": True})]
    if "permutation_importance" in available_rankers():
        rivals.append(("permutation_importance", "permutation_importance", {}))
    print("labelled rows per class, mean share of the relevant features among the top ones, Wilcoxon's p")
    for n_labeled in (3, 5, 10, 30):
        shares = {title: [] for title in ("ssfi", *(title for title, _, _ in rivals))}
        for seed in range(arguments.seeds):
            X, y, relevant = synthetic_problem(seed, n_labeled=n_labeled)
            for title, name, params in [("ssfi", "ssfi", {}), *rivals]:
                importances, _ = fit_seconds(name, X, y, arguments.jobs, **params)
                top = np.argsort(-importances, kind="stable")[: len(relevant)]
                shares[title].append(np.isin(top, relevant).mean())
        line = [f"{n_labeled:3d}", f"ssfi {np.mean(shares['ssfi']):.3f}"]
        for title, _, _ in rivals:
            p = wilcoxon(shares["ssfi"], shares[title], alternative="greater").pvalue
            line.append(f"{title} {np.mean(shares[title]):.3f} (p = {p:.2g})")
        print("; ".join(line), flush=True)


def main():
    """Run one benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("benchmark", choices=["features", "datasets", "synthetic"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--rankers", nargs="+", default=["ssfi", "fwfs", "sselect"])
    parser.add_argument("--catalogue", default="workflow/datasets.yaml")
    parser.add_argument("--cache", default=DEFAULT_CACHE)
    arguments = parser.parse_args()
    {"features": features_benchmark, "datasets": datasets_benchmark, "synthetic": synthetic_benchmark}[
        arguments.benchmark
    ](arguments)


if __name__ == "__main__":
    main()
