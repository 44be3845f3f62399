"""Processor seconds of the plan by the number of pairs of a dataset and a method.

The plan is what this package computes before Snakemake builds its graph: the configuration, every result of a study
with its files and settings, and the parameters of the rules that collect them. ``--pairs`` sets the sizes; 60 methods
each.
"""

import argparse
import tempfile
import time
from pathlib import Path

import yaml

from sslrank.benchmark.plan.plan import Plan

METHODS = 60


def configuration(folder, n_datasets):
    """A study of made-up datasets, which are not read."""
    entry = {"title": "Made up", "task": "classification", "home": "here", "shape": {"rows": 100, "features": 10}}
    entry |= {"files": [{"file": "a.csv", "sha256": "0" * 64}], "columns": {"target": "y"}, "reader": {"format": "csv"}}
    catalogue = Path(folder, "datasets.yaml")
    catalogue.write_text(yaml.safe_dump({f"d{i}": entry for i in range(n_datasets)}), encoding="utf-8")
    methods = {f"m{i}": {"ranker": "laplacian_score"} for i in range(METHODS)}
    study = {"datasets": [f"d{i}" for i in range(n_datasets)], "methods": list(methods), "evaluators": ["knn"]}
    study["splits"] = {"folds": 3, "L": [20, 50, 200]}
    own = {"studies": {"large": study}, "methods": methods, "evaluators": {"knn": {"evaluator": "knn"}}}
    return {"data": {"catalogue": str(catalogue)}, "definitions": None, "own": own}


def main():
    """Print a line for each number of pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, nargs="+", default=[600, 4000, 60_000])
    for n_pairs in parser.parse_args().pairs:
        with tempfile.TemporaryDirectory() as folder:
            config = configuration(folder, -(-n_pairs // METHODS))
            start = time.process_time()
            plan = Plan(config, is_checked=True)
            read = time.process_time()
            results = plan.results("large")
            files, parameters = results.files(), (results.collected(), results.ranking_sources(), results.datasets())
            end = time.process_time()
        print(
            f"{len(results.pairs):6d} pairs, {len(files)} files, {len(parameters[0])} results: configuration "
            f"{read - start:.2f} s, results {end - read:.2f} s"
        )


if __name__ == "__main__":
    main()
