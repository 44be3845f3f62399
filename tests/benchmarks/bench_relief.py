"""Time the Relief family beside its peers, in one run on one machine.

    python tests/benchmarks/bench_relief.py [--threads 2] [--limit 300] [--only peers grid choice growth ...]

Peers: ReliefF of skrebate and of fast-select (compiled by numba), and SSL-Relief of CLUS (Java, from the
package pyclus; its own "Induction Time", which leaves out starting Java and reading the file). Each is used
if it is installed. A peer that would need more than --limit seconds, by its time on the size before and
n^2 D, is left out, and the estimate is printed in brackets. All use the same number of threads.

CLUS normalises the score of partly labelled data in its own way (tests/relief/test_clus.py follows it number
by number), so only the rankings of the ReliefFs are compared here.
"""

import argparse
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits, make_classification
from threadpoolctl import threadpool_limits

from sslrank import get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.rankers.relief.grid import grid_sums, remoteness, settings
from sslrank.rankers.relief.space import FeatureSpace
from sslrank.rankers.relief.ssl_relief import NEIGHBORS_GRID, WEIGHTS_GRID, SSLRelief
from sslrank.rankers.relief.target_space import target_space

# Packages that Java 17 has to open to CLUS.
OPEN = ("util", "lang", "util.concurrent", "util.concurrent.atomic", "util.regex", "io", "net", "text")


def problems():
    """(name, X, y) of the three sizes: digits, 5000 x 50, and that of the gas sensor data."""
    yield "digits 1797x64", *load_digits(return_X_y=True)
    for name, n, d, classes in (("5000x50", 5000, 50, 2), ("gasdrift size 13910x128", 13910, 128, 6)):
        yield name, *make_classification(n, d, n_informative=10, n_classes=classes, random_state=0)


def seconds(function, repeats=3):
    """Least time of some calls; once only if it is slow."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
        if times[0] > 5:
            break
    return min(times)


def relieff(X, y, threads):
    ranker = get_ranker("relieff", n_neighbors=10, n_jobs=threads)
    return seconds(lambda: ranker.fit(X, y)), ranker.feature_importances_


def skrebate(X, y, threads):
    from skrebate import ReliefF

    ranker = ReliefF(n_neighbors=10, n_jobs=threads)
    return seconds(lambda: ranker.fit(X, y), 1), ranker.feature_importances_


def fast_select(X, y, threads):
    from fast_select import ReliefF

    ranker = ReliefF(n_neighbors=10, backend="cpu", discrete_limit=0, n_jobs=threads)
    ranker.fit(X[:200], y[:200])  # compiles
    return seconds(lambda: ranker.fit(X, y)), ranker.feature_importances_


def half_labeled(y):
    y = y.astype(float)
    y[::2] = np.nan
    return y


def relief(X, y, threads):
    ranker = get_ranker("relief", n_neighbors=15, w0=0.0, w1=1.0, n_jobs=threads, task="classification")
    return seconds(lambda: ranker.fit(X, half_labeled(y))), ranker.feature_importances_


def clus(X, y, threads):
    jar = next(f for f in importlib.metadata.files("pyclus") if f.name == "clus.jar").locate()
    with tempfile.TemporaryDirectory() as folder:
        lines = ["@relation r", *(f"@attribute x{j} numeric" for j in range(X.shape[1]))]
        lines += [f"@attribute y {{{','.join(f'c{c}' for c in np.unique(y))}}}", "@data"]
        for i, row in enumerate(X):
            lines.append(",".join([*map(repr, row.tolist()), f"c{y[i]}" if i % 2 else "?"]))
        Path(folder, "r.arff").write_text("\n".join(lines))
        Path(folder, "r.s").write_text(
            f"[Data]\nFile = r.arff\n[Attributes]\nTarget = {X.shape[1] + 1}\n[Ensemble]\n"
            f"NumberOfThreads = {threads}\n[SemiSupervised]\nPossibleWeights = [0.0,1.0]\n[Relief]\n"
            "Neighbours = 15\nIterations = -1\nMissingTargetHandling = UseDescriptive\n"
        )
        opened = [f"--add-opens=java.base/java.{p}=ALL-UNNAMED" for p in OPEN]
        command = ["java", *opened, "-jar", jar, "-relief", "r.s"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        found = re.search(r"Induction Time: (\S+) sec", Path(folder, "r.out").read_text())
        rows = [r.split("\t") for r in Path(folder, "r.fimp").read_text().splitlines() if r[:1].isdigit()]
        importances = np.zeros(X.shape[1])
        for index, _, _, value in rows:
            importances[int(index) - 1] = float(value.strip("[]"))
        return float(found[1]), importances


def installed(peer):
    if peer is clus:
        return has("pyclus") and shutil.which("java") is not None
    return has({skrebate: "skrebate", fast_select: "fast-select"}[peer])


def has(package):
    try:
        return bool(importlib.metadata.version(package))
    except importlib.metadata.PackageNotFoundError:
        return False


def bench_peers(threads, limit):
    print("\n## One setting, seconds; in brackets: estimated, not run\n")
    print("| data | method | sslrank | peer | seconds | ratio | rank correlation |")
    print("|---|---|---|---|---|---|---|")
    per_unit = {}
    for name, X, y in problems():
        work = len(X) ** 2 * X.shape[1]
        for method, mine, peers in (
            ("ReliefF, k = 10", relieff, (skrebate, fast_select)),
            ("SSL-Relief, k = 15", relief, (clus,)),
        ):
            own, importances = mine(X, y, threads)
            for peer in filter(installed, peers):
                expected = per_unit.get(peer, 0.0) * work
                if expected > limit:
                    cells = f"({expected:.0f}) | ({expected / own:.0f}) |"
                else:
                    took, theirs = peer(X, y, threads)
                    per_unit[peer] = took / work
                    ranks = np.corrcoef(np.argsort(np.argsort([importances, theirs], axis=1), axis=1))[0, 1]
                    alike = "" if peer is clus else f"{ranks:.4f}"
                    cells = f"{took:.3f} | {took / own:.1f} | {alike}"
                print(f"| {name} | {method} | {own:.3f} | {peer.__name__} | {cells} |", flush=True)


def bench_grid(threads):
    print("\n## 45 settings in one pass\n")
    print("| data | labelled | one setting | 45 settings | ratio | cross-validated fit | ratio |")
    print("|---|---|---|---|---|---|---|")
    for name, X, y in problems():
        for n_labeled in (100, 500):
            target = np.full(len(y), np.nan)
            rows = np.random.default_rng(0).permutation(len(y))[:n_labeled]
            target[rows] = y[rows]
            fixed = get_ranker("relief", n_neighbors=15, w0=0.0, w1=1.0, n_jobs=threads, task="classification")
            one = seconds(lambda fixed=fixed, X=X, target=target: fixed.fit(X, target))
            grid = seconds(lambda X=X, target=target: all_settings(X, target, threads))
            chosen = get_ranker("relief", n_jobs=threads, task="classification", random_state=0)
            full = seconds(lambda chosen=chosen, X=X, target=target: chosen.fit(X, target))
            print(
                f"| {name} | {n_labeled} | {one:.3f} | {grid:.3f} | {grid / one:.2f} | {full:.3f} | {full / one:.2f} |",
                flush=True,
            )


def bench_choice(threads):
    """The choice among 45 settings by four folds beside one setting, by processor time."""
    print("\n## Choice of the setting, seconds of processor time\n")
    print("| data | kind | missing values | one setting | with choice | ratio | sums and plain judging |")
    print("|---|---|---|---|---|---|---|")
    for n, d, n_targets, task in (
        (2000, 64, 1, "classification"),
        (2445, 77, 20, "multilabel"),
        (9125, 64, 8, "multitarget"),
    ):
        for share in (0.0, 0.005):
            rng = np.random.default_rng(0)
            X = rng.normal(size=(n, d))
            y = X[:, :n_targets] + 0.3 * rng.normal(size=(n, n_targets))
            y = y if task == "multitarget" else (y > 0.5).astype(float)
            y[rng.random(n) > 0.3] = np.nan  # 30 % labelled
            X[rng.random(X.shape) < share] = np.nan
            y = y[:, 0] if n_targets == 1 else y
            fixed = get_ranker("relief", n_neighbors=15, w0=0.0, w1=1.0, n_jobs=threads, task=task)
            chosen = get_ranker("relief", n_jobs=threads, task=task, random_state=0)
            one, full = (processor_seconds(lambda r=r, X=X, y=y: r.fit(X, y)) for r in (fixed, chosen))
            n_labeled = int(np.isfinite(y).reshape(n, -1).all(axis=1).sum())
            sums = processor_seconds(lambda X=X, y=y, task=task: all_settings(X, y, threads, task, times=5))
            plain = sums + plain_judging(n_labeled, d, n_targets)
            print(
                f"| {n} x {d} | {task} | {share:.1%} | {one:.3f} | {full:.3f} | {full / one:.1f} | {plain:.3f} "
                f"({plain / one:.1f}) |",
                flush=True,
            )


def plain_judging(n_labeled, d, n_targets, n_folds=4):
    """Seconds of a plain way to judge all settings on one thread: inner products by BLAS, the rest by NumPy."""
    rows = np.random.default_rng(0).random((n_labeled, d), dtype=np.float32)
    targets = np.random.default_rng(0).random((n_labeled, n_targets))
    fold = np.arange(n_labeled) % n_folds
    folds = [(rows[fold == k], rows[fold != k].T, targets[fold != k]) for k in range(n_folds)]
    k = SSLRelief().scoring_neighbors

    def judge():
        for test, train, known in folds * len(settings(NEIGHBORS_GRID, WEIGHTS_GRID, WEIGHTS_GRID)):
            nearest = np.argpartition(test @ train, k, axis=1)[:, :k]
            known[nearest].mean(axis=1)

    with threadpool_limits(1):
        return processor_seconds(judge)


def processor_seconds(function):
    """Least processor time of three calls."""
    times = []
    for _ in range(3):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def all_settings(X, y, threads, task="classification", times=1):
    """The importances of all 45 settings on one training set, added up so many times."""
    features, targets = encode_features(X), encode_targets(y, len(y), task=task)
    labeled = targets.labeled
    space = FeatureSpace(features)
    found = space.neighbors(max(NEIGHBORS_GRID), n_jobs=threads)
    group = np.where(labeled, 0, 1).astype(np.int32)
    away = np.zeros(len(y))
    away[~labeled] = space.neighbors(1, group=group, queries=np.flatnonzero(~labeled), n_jobs=threads).distance[:, 0, 0]
    t = remoteness(away, labeled)
    for _ in range(times):
        sums = grid_sums(space, found, target_space(targets), labeled, t, group, -1, NEIGHBORS_GRID, threads)
        importances = [sums.importances(s) for s in settings(NEIGHBORS_GRID, WEIGHTS_GRID, WEIGHTS_GRID)]
    return importances


def bench_growth(threads):
    print("\n## Growth of one setting (work is n^2 D)\n")
    print("| rows | features | seconds | factor | factor of n^2 D |")
    print("|---|---|---|---|---|")
    rng = np.random.default_rng(0)
    for sizes in ([(n, 50) for n in (2500, 5000, 10000, 20000)], [(3000, d) for d in (50, 200, 800, 3200)]):
        before = None
        for n, d in sizes:
            X = rng.random((n, d))
            y = np.where(np.arange(n) < 500, X[:, 0], np.nan)
            ranker = get_ranker("relief", n_neighbors=15, w0=0.0, w1=1.0, n_jobs=threads)
            took = seconds(lambda ranker=ranker, X=X, y=y: ranker.fit(X, y))
            cells = f"{took / before[0]:.2f} | {n * n * d / before[1]:.2f}" if before else " | "
            print(f"| {n} | {d} | {took:.3f} | {cells} |", flush=True)
            before = took, n * n * d


MEMORY = """
import sys, time
import numpy as np
from sslrank import get_ranker
from sslrank.rankers.relief.ssl_relief import SSLRelief
def memory(key):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key)) / 1e3
X = np.random.default_rng(0).random((50000, 100))
y = np.where(np.arange(50000) < 500, X[:, 0], np.nan)
before = memory("VmRSS")
start = time.perf_counter()
params = {"n_neighbors": 15, "w0": 0.0, "w1": 1.0} if sys.argv[1] == "one" else {}
get_ranker("relief", n_jobs=int(sys.argv[2]), **params).fit(X, y)
print(time.perf_counter() - start, before, memory("VmHWM") - before)
"""


def bench_memory(threads):
    if not Path("/proc/self/status").exists():
        print("\nThe memory of a process is read from /proc, which is not here.")
        return
    print("\n## 50,000 x 100 (X is 40 MB; all distances would be 10,000 MB in float32)\n")
    print("| settings | seconds | MB before | MB more at the peak |")
    print("|---|---|---|---|")
    for kind in ("one", "cross-validated"):
        command = [sys.executable, "-c", MEMORY, kind, str(threads)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        print(f"| {kind} | {float(out[0]):.1f} | {float(out[1]):.0f} | {float(out[2]):.0f} |", flush=True)


def bench_laplace(threads):
    print("\n## Laplace\n")
    print("| rows | features | labelled | seconds |")
    print("|---|---|---|---|")
    for n, d, n_labeled in ((5000, 48, 500), (15000, 48, 500), (15000, 48, 15000)):
        X = np.random.default_rng(0).normal(size=(n, d))
        y = np.where(np.arange(n) < n_labeled, X[:, 0] + X[:, 1] ** 2, np.nan)
        took = seconds(lambda X=X, y=y: get_ranker("ssl_laplacian", n_jobs=threads).fit(X, y))
        print(f"| {n} | {d} | {n_labeled} | {took:.2f} |", flush=True)


def main():
    """Run the parts that were asked for."""
    parts = {
        "peers": lambda o: bench_peers(o.threads, o.limit),
        "grid": lambda o: bench_grid(o.threads),
        "choice": lambda o: bench_choice(o.threads),
        "growth": lambda o: bench_growth(o.threads),
        "memory": lambda o: bench_memory(o.threads),
        "laplace": lambda o: bench_laplace(o.threads),
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds a peer may take on one data set")
    parser.add_argument("--only", nargs="+", choices=parts, default=list(parts))
    options = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    names = ("numpy", "scikit-learn", "skrebate", "fast-select", "numba", "pyclus")
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in names if has(p))
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} processors, load {load:.1f}")
    print(f"Python {platform.python_version()}, {versions}; {options.threads} threads")
    for part in options.only:
        parts[part](options)


if __name__ == "__main__":
    main()
