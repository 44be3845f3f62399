"""Seconds and peak memory of ``sslrank rank`` at sizes from 150 x 4 to 10^7 x 50, with default settings.

    python tests/benchmarks/bench_size.py tiny usual many broad tall large --jobs 1
    python tests/benchmarks/bench_size.py small wide wider long sparse
    python tests/benchmarks/bench_size.py parquet csv --log memory.csv

Beside each stands a scikit-learn forest of 500 trees with permutation importance (one repeat) on the labelled rows,
without checks, curves and tests. Of more than 100 features, permutation is timed on 100, and its time
is scaled to all. "Seconds" are on the clock, "processor" of all processes. Files are made in a temporary folder
(``--folder``) and deleted; ``parquet`` takes 8 GB of it, ``csv`` 5 GB.

Memory is the resident memory of all processes of a run (shared pages counted in each), looked at five times a second;
``--log`` writes it over time. "First" is when the first line was printed.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

#: Rows, features, labelled rows, form, aim.
CASES = {
    "tiny": (150, 4, 75, "csv", "3 s of a processor"),
    "usual": (1_000, 20, 500, "csv", "8 s of a processor"),
    "many": (10_000, 50, 5_000, "csv", "30 s of a processor"),
    "broad": (2_000, 500, 1_000, "csv", "40 s of a processor"),
    "tall": (50_000, 30, 25_000, "csv", "60 s of a processor"),
    "large": (100_000, 300, 1_000, "parquet", "45 s of a processor"),
    "small": (2_000, 100, 100, "csv", "20 s, first output in 2 s"),
    "wide": (400, 20_000, 282, "csv", "30 s"),
    "wider": (500, 100_000, 100, "parquet", "3 min"),
    "long": (100_000, 1_000, 1_000, "parquet", "2 min"),
    "parquet": (1_000_000, 1_000, 1_000, "parquet", "10 min, 6 GiB"),
    "csv": (10_000_000, 50, 5_000, "csv", "100 MB/s, 4 GiB"),
    "sparse": (100_000, 1_000_000, 2_000, "sparse", "5 min"),
}
#: Relevant features, and features that permutation importance is timed on.
RELEVANT, PERMUTED = 10, 100
#: Rows that are made at a time, by number of cells.
_CELLS = 20_000_000


def pieces(name):
    """Parts of a table as (features, target): ten features decide the class of the labelled rows."""
    n_rows, n_features, n_labeled, *_ = CASES[name]
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
        n_rows, n_features, n_labeled, *_ = CASES[name]
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
            from pyarrow import csv

            table = pa.Table.from_pandas(frame, preserve_index=False)
            with path.open("ab" if number else "wb") as stream:
                options = csv.WriteOptions(include_header=number == 0, quoting_style="none")
                csv.write_csv(table, stream, options)
    return path


def load(path):
    """The sparse matrix and the target of a case."""
    found = np.load(path)
    indices, indptr = (found[name].astype(np.int32) for name in ("indices", "indptr"))  # scikit-learn takes no others
    return sparse.csr_array((found["data"], indices, indptr), shape=found["shape"]), found["y"]


def run_ours(path, jobs):
    """``sslrank rank`` of a file, or :func:`sslrank.rank` of a sparse matrix."""
    if path.suffix == ".npz":
        import sslrank

        X, y = load(path)
        print(f"{X.shape[0]} x {X.shape[1]}", flush=True)
        print(sslrank.rank(X, y, n_jobs=jobs), flush=True)
        return
    from sslrank.cli import main

    sys.exit(main(["rank", str(path), "--target", "y", "--jobs", str(jobs)]))


def run_scikit_learn(path, jobs):
    """Time a forest and permutation importance on the labelled rows, which are read beforehand."""
    from sklearn.ensemble import RandomForestClassifier

    if path.suffix == ".npz":
        X, y = load(path)
        known = ~np.isnan(y)
        X, y = sparse.csc_matrix(X[known]), y[known]
    else:
        parts = []
        if path.suffix == ".parquet":
            batches = (batch.to_pandas() for batch in pq.ParquetFile(path).iter_batches(5_000))
        else:
            batches = pd.read_csv(path, chunksize=100_000)
        for batch in batches:
            parts.append(batch[batch["y"].notna()])
        frame = pd.concat(parts)
        X, y = frame.drop(columns="y").to_numpy(), frame["y"].to_numpy()
    start = time.perf_counter()
    forest = RandomForestClassifier(500, n_jobs=jobs, random_state=0).fit(X, y)
    fitted = time.perf_counter()
    columns = np.arange(X.shape[1]) if X.shape[1] <= PERMUTED else np.arange(PERMUTED)
    rng = np.random.default_rng(0)
    forest.score(X, y)
    permuted = X.copy() if not sparse.issparse(X) else X.toarray()[:, : 2 * PERMUTED]
    for j in columns:
        if sparse.issparse(X):
            changed = X.copy().tolil()
            changed[:, [j]] = X[rng.permutation(len(y))][:, [j]]
            forest.score(changed.tocsr(), y)
            continue
        permuted[:, j] = permuted[rng.permutation(len(y)), j]
        forest.score(permuted, y)
        permuted[:, j] = X[:, j]
    ended = time.perf_counter()
    total = fitted - start + (ended - fitted) * X.shape[1] / len(columns)
    print(json.dumps({"seconds": total, "fit": fitted - start}), flush=True)


def watch(command, log=None):
    """Run a command; its lines, seconds to the first, to the end and of processors, peak memory in GiB, exit code."""
    start, lines, first, peak, memory = time.perf_counter(), [], None, 0, []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def follow():
        nonlocal first
        for line in process.stdout:
            first = first or time.perf_counter() - start
            lines.append(line.rstrip())

    reader = threading.Thread(target=follow)
    reader.start()
    while process.poll() is None:
        now = _resident(process.pid)
        peak = max(peak, now)
        memory.append((time.perf_counter() - start, now))
        time.sleep(0.2)
    reader.join()
    if log is not None:
        log += memory
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return lines, first, time.perf_counter() - start, processor, peak / 2**30, process.returncode


def _resident(pid):
    """Bytes of a process and its descendants."""
    total, waiting = 0, [pid]
    while waiting:
        place = Path(f"/proc/{waiting.pop()}")
        try:
            total += int((place / "statm").read_text().split()[1]) * 4096
            for task in (place / "task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except (OSError, ValueError, IndexError):
            continue
    return total


def main():
    """Run the cases that are named, and print one line of the table for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", default=["small", "wide"])
    parser.add_argument("--folder", type=Path, help="where files are made")
    parser.add_argument("--log", type=Path, help="CSV of memory over time")
    parser.add_argument("--only", choices=("ours", "scikit-learn"))
    parser.add_argument("--jobs", type=int, default=2, help="threads and processes (default: %(default)s)")
    parser.add_argument("--lines", action="store_true", help="print what sslrank prints")
    parser.add_argument("--run", nargs=2, metavar=("WHO", "PATH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        who, path = arguments.run
        return (run_ours if who == "ours" else run_scikit_learn)(Path(path), arguments.jobs)
    logged = []
    print("| table | labels | aim | seconds | processor | first | peak GiB | scikit-learn, seconds (ratio) |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in arguments.cases:
        n_rows, n_features, n_labeled, form, aim = CASES[name]
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            path = make(name, Path(folder))
            size = path.stat().st_size / 1e6
            ours, theirs, memory = None, None, []
            command = [sys.executable, __file__, "--jobs", str(arguments.jobs), "--run"]
            if arguments.only != "scikit-learn":
                lines, first, ours, processor, peak, code = watch([*command, "ours", str(path)], memory)
                if arguments.lines or code:
                    print("\n".join(lines), flush=True)
            if arguments.only != "ours":
                lines, *_ = watch([*command, "scikit-learn", str(path)])
                theirs = json.loads(lines[-1])["seconds"] if lines else None
        logged += [(name, seconds, at) for seconds, at in memory]
        cells = [f"{n_rows:,} x {n_features:,}, {form} of {size:,.0f} MB", f"{n_labeled:,}", aim]
        cells += [""] * 4 if ours is None else [f"{ours:.1f}", f"{processor:.1f}", f"{first:.1f}", f"{peak:.2f}"]
        cells.append("" if theirs is None else f"{theirs:.1f}" + ("" if ours is None else f" ({theirs / ours:.2f})"))
        print("| " + " | ".join(cells) + " |", flush=True)
        if arguments.log:
            pd.DataFrame(logged, columns=["case", "seconds", "bytes"]).to_csv(arguments.log, index=False)
    return None


if __name__ == "__main__":
    main()
