"""Seconds and peak memory of ``sslrank rank`` at sizes from 150 x 4 to 10^7 x 50, with default settings.

    python tests/measurements/bench_size.py tiny usual many broad tall large --jobs 1
    python tests/measurements/bench_size.py small wide wider long sparse parquet csv

"Seconds" are on the clock, "processor" of all processes, "first output" until the first line is printed, "peak" the
resident memory of all processes (shared pages counted in each), looked at five times a second. Files are made in a
temporary folder (``--folder``) and deleted; ``parquet`` takes 8 GB of it, ``csv`` 5 GB.
"""

import argparse
import contextlib
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv
from scipy import sparse

#: Rows, features, labelled rows, form.
CASES = {
    "tiny": (150, 4, 75, "csv"),
    "usual": (1_000, 20, 500, "csv"),
    "many": (10_000, 50, 5_000, "csv"),
    "broad": (2_000, 500, 1_000, "csv"),
    "tall": (50_000, 30, 25_000, "csv"),
    "large": (100_000, 300, 1_000, "parquet"),
    "small": (2_000, 100, 100, "csv"),
    "wide": (400, 20_000, 282, "csv"),
    "wider": (500, 100_000, 100, "parquet"),
    "long": (100_000, 1_000, 1_000, "parquet"),
    "parquet": (1_000_000, 1_000, 1_000, "parquet"),
    "csv": (10_000_000, 50, 5_000, "csv"),
    "sparse": (100_000, 1_000_000, 2_000, "sparse"),
}
RELEVANT = 10
#: Rows that are made at a time, by number of cells.
_CELLS = 20_000_000


def pieces(name):
    """Parts of a table as (features, target): ten features decide the class of the labelled rows."""
    n_rows, n_features, n_labeled, _ = CASES[name]
    labeled = np.zeros(n_rows, dtype=bool)
    labeled[np.random.default_rng(0).permutation(n_rows)[:n_labeled]] = True
    step = max(1, _CELLS // n_features)
    for number, start in enumerate(range(0, n_rows, step)):
        rng = np.random.default_rng([1, number])
        X = rng.normal(size=(min(step, n_rows - start), n_features))
        y = (X[:, :RELEVANT].sum(axis=1) + rng.normal(size=len(X)) > 0).astype(np.float64)
        y[~labeled[start : start + len(X)]] = np.nan
        yield X, y


def make(name, folder):
    """The file of a case."""
    form = CASES[name][3]
    path = folder / f"{name}.{'npz' if form == 'sparse' else form}"
    if form == "sparse":
        n_rows, n_features, n_labeled, _ = CASES[name]
        rng = np.random.default_rng(0)
        # words by Zipf's law, fifty a row; the most frequent ten of them decide the class
        words = np.minimum((n_features ** rng.random((n_rows, 50))).astype(np.int64), n_features) - 1
        X = sparse.csr_array((np.ones(words.size), (np.repeat(np.arange(n_rows), 50), words.ravel())),
                             shape=(n_rows, n_features))  # fmt: skip
        X.sum_duplicates()
        signs = np.where(np.arange(RELEVANT) % 2, 1.0, -1.0)
        score = X[:, 10 : 10 + RELEVANT] @ signs + 0.5 * rng.normal(size=n_rows)
        y = (score > np.median(score)).astype(np.float64)
        y[rng.permutation(n_rows)[n_labeled:]] = np.nan
        np.savez(path, data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y)
    elif form == "parquet":
        writer = None
        for X, y in pieces(name):
            columns = [pa.array(column) for column in X.T] + [pa.array(y, from_pandas=True)]
            table = pa.table(columns, names=[*(f"x{j + 1}" for j in range(X.shape[1])), "y"])
            if writer is None:
                writer = pq.ParquetWriter(path, table.schema, compression="none", use_dictionary=False)
            writer.write_table(table, row_group_size=max(1, 2_000_000 // X.shape[1]))
        writer.close()
    else:
        for number, (X, y) in enumerate(pieces(name)):
            frame = pd.DataFrame(X.round(5), columns=[f"x{j + 1}" for j in range(X.shape[1])])
            frame["y"] = np.where(np.isnan(y), "", np.where(y == 1, "yes", "no"))
            table = pa.Table.from_pandas(frame, preserve_index=False)
            with path.open("ab" if number else "wb") as stream:
                options = csv.WriteOptions(include_header=number == 0, quoting_style="none")
                csv.write_csv(table, stream, options)
    return path


def run(path, jobs):
    """``sslrank rank`` of a file, or :func:`sslrank.rank` of a sparse matrix."""
    if path.suffix == ".npz":
        import sslrank

        found = np.load(path)  # scikit-learn takes indices of 32 bits only
        indices, indptr = (found[name].astype(np.int32) for name in ("indices", "indptr"))
        X = sparse.csr_array((found["data"], indices, indptr), shape=found["shape"])
        print(sslrank.rank(X, found["y"], n_jobs=jobs), flush=True)
        return 0
    from sslrank.cli import main

    return main(["rank", str(path), "--target", "y", "--jobs", str(jobs)])


def watch(command):
    """Run a command; its exit code, and the cells of its row."""
    start, peak, times = time.perf_counter(), 0, []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = psutil.Popen(command, stdout=subprocess.PIPE, text=True)
    reader = threading.Thread(target=lambda: times.extend(time.perf_counter() - start for _ in process.stdout))
    reader.start()
    while process.poll() is None:
        with contextlib.suppress(psutil.Error):
            every = [process, *process.children(recursive=True)]
            peak = max(peak, sum(one.memory_info().rss for one in every))
        time.sleep(0.2)
    reader.join()
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return process.returncode, [*(f"{value:.1f}" for value in (seconds, processor, times[0])), f"{peak / 2**30:.2f}"]


def main():
    """Run the cases that are named, and print one line of the table for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", default=["small", "wide"])
    parser.add_argument("--folder", type=Path, help="where files are made")
    parser.add_argument("--jobs", type=int, default=2, help="threads and processes (default: %(default)s)")
    parser.add_argument("--run", type=Path, metavar="PATH", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        return run(arguments.run, arguments.jobs)
    print("| table | labels | seconds | processor | first output | peak GiB |\n|---|---|---|---|---|---|", flush=True)
    for name in arguments.cases:
        n_rows, n_features, n_labeled, form = CASES[name]
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            path = make(name, Path(folder))
            table = f"{n_rows:,} x {n_features:,}, {form} of {path.stat().st_size / 1e6:,.0f} MB"
            code, cells = watch([sys.executable, __file__, "--jobs", str(arguments.jobs), "--run", path])
        print("| " + " | ".join([table, f"{n_labeled:,}", *cells]) + " |", flush=True)
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
