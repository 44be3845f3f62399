"""Processor seconds and peak memory of Snakemake's dry run of studies with many pairs of a dataset and a method.

    nice python tests/measurements/bench_graph.py 1000 5000 20000 60000

The catalogue is generated: 20 methods (names of one ranker) on a number of datasets, which are not read.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
N_METHODS = 20


def write_study(folder, n_datasets):
    """Write the configuration and the catalogue of a study in a folder."""
    methods = {f"method{number}": {"ranker": "f_score"} for number in range(N_METHODS)}
    entry = {"task": "classification", "home": "nowhere", "columns": {"target": "y"}, "reader": {"format": "csv"}}
    entry |= {"files": [{"file": "a.csv", "sha256": "0" * 64}], "shape": {"rows": 500, "features": 20}}
    catalogue = {f"data{number}": entry | {"title": f"Dataset {number}"} for number in range(n_datasets)}
    (folder / "datasets.yaml").write_text(yaml.safe_dump(catalogue), encoding="utf-8")
    study = {"datasets": list(catalogue), "methods": list(methods), "evaluators": ["knn"], "splits": {"L": [50]}}
    own = {"studies": {"large": study}, "methods": methods, "evaluators": {"knn": {"evaluator": "knn"}}}
    config = {"data": {"catalogue": str(folder / "datasets.yaml")}, "own": own}
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")


def main(pairs):
    """Print a row of the table for each number of pairs."""
    print("| pairs | jobs | processor s | clock s | peak MB |\n|---|---|---|---|---|")
    for number in pairs:
        with tempfile.TemporaryDirectory() as folder:
            write_study(Path(folder), number // N_METHODS)
            words = ["snakemake", "-n", "--quiet", "rules", "--snakefile", ROOT / "Snakefile", "--directory", folder]
            started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([*words, "large"], capture_output=True, text=True, check=True)
        used, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - started
        seconds = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        jobs = next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("total"))
        # The largest of all children so far: numbers of pairs are in ascending order.
        print(f"| {number:,} | {int(jobs):,} | {seconds:.0f} | {clock:.0f} | {used.ru_maxrss / 1e3:,.0f} |", flush=True)


if __name__ == "__main__":
    main(sorted(map(int, sys.argv[1:])))
