"""What a search for the best tests takes at least, beside our forests and scikit-learn's.

    python tests/benchmarks/bench_bare_search.py

bare_search.c, compiled for this machine, does what the definition of the tests and of the impurity demands, on the
nodes of our trees, and nothing else: bags are drawn anew, rows are random numbers. What it takes is an estimate of what
the forests of bench_forests.py could reach, no proof. Random forests have two: one that rounds as it likes, and one
that keeps the rules by which trees are the same on every machine. A second table tells what columns with gaps add to a
scan: sums of known weights and of squares, a quotient, and tests that are judged with the rows without the tested value
on either side; and how much of it is quotients, and rows that are added up. Weighted by the nodes of a tree of bagging
they estimate what its scans could take, if every test is judged. `--cases` without a name gives this table only.
"""

import argparse
import ctypes
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from bench_forests import (
    CASES,
    SPARSE,
    SUPERVISION,
    TREES,
    load_case,
    ours,
    prepared,
    problem_for,
    protocol_case,
    scikit_learn,
    settings_for,
)

from sslrank.rankers.trees.growing import grow_forest


class BareSearch(ctypes.Structure):
    """The struct of bare_search.c; arrays are kept as they are only pointed at."""

    _fields_ = [(name, ctypes.c_int64) for name in ("n_nodes", "n_rows", "n_tested")] + [
        (name, ctypes.c_void_p)
        for name in (
            "begin",
            "rows",
            "weight",
            "is_added",
            "tested",
            "codes",
            "n_codes",
            "nominal",
            "numbers",
            "values",
        )
    ]
    _fields_ += [("target_vectors", ctypes.c_int64)]
    _fields_ += [
        (name, ctypes.c_void_p)
        for name in (
            *("centered", "side", "norm", "norm_t", "weights", "gain_f", "gain_t", "group_end"),
            *("keys", "sorted", "sums", "parted"),
        )
    ]

    def __init__(self, **values):
        self.arrays = {key: value for key, value in values.items() if isinstance(value, np.ndarray)}
        super().__init__(**values | {key: value.ctypes.data for key, value in self.arrays.items()})

    def seconds(self, library, way, vectors):
        start = time.process_time()
        library.bare_search(ctypes.byref(self), way, vectors)
        return time.process_time() - start


#: Of bare_search.c.
ALL, BY_RULES, RANDOM = range(3)


def compiled(*options):
    """bare_search.c as a library."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(__file__).with_name("bare_search.c"), Path(folder) / "bare_search.so"
        options = ["-O3", "-march=native", "-fopenmp-simd", *options, "-shared", "-fPIC"]
        subprocess.run([os.environ.get("CC", "cc"), *options, "-o", target, source], check=True)
        library = ctypes.CDLL(str(target))
    library.bare_search.restype = library.bare_scan.restype = ctypes.c_double
    return library


def compare(free, exact, names, ensembles, repeat):
    """Forests: ours, the bare searches of their nodes with the rows of bags drawn anew, and scikit-learn's.

    The time of coding the data counts for all but the last. `free` rounds as the compiler likes, `exact` as is written;
    bare random tests are `exact`, as all that is left out of them by the rules is which of two equal tests is taken.
    """
    for name in names:
        X, y, options, _ = load_case(name)
        n_trees = TREES.get(name, 10)
        for ensemble in ensembles:
            runs = sorted(ours(X, y, options, ensemble, n_trees) for _ in range(repeat))
            seconds, coding, *_ = runs[len(runs) // 2]
            theirs, _ = scikit_learn(X, y, options, ensemble, n_trees)
            search, n_numbers = bare_nodes(problem_for(X, y, options), ensemble, n_trees)
            together, apart = int(np.ceil(n_numbers.sum() / 16)), int(np.ceil(n_numbers / 16).sum())
            if ensemble == "random_forest":
                searches = {"bare": (free, ALL, together), "by the rules": (exact, BY_RULES, apart)}
            else:
                searches = {"bare": (exact, RANDOM, apart)}
            line = f"{name:10} {ensemble:13} ours {seconds:6.3f} s ({theirs / seconds:4.1f} times scikit-learn)"
            for label, (library, way, vectors) in searches.items():
                least = coding + np.median([search.seconds(library, way, vectors) for _ in range(repeat)])
                line += f", {label} {least:6.3f} s ({theirs / least:4.1f}; ours {seconds / least:4.2f} times as long)"
            print(line, flush=True)


def bare_nodes(problem, ensemble, n_trees):
    """The search of all nodes of some trees, for bare_search.c, and the numbers of a row's features and targets."""
    n_rows, n_features = problem.features.shape
    settings = settings_for(ensemble, n_features)
    grown = grow_forest(problem, np.arange(n_rows), [SUPERVISION], settings, n_trees, 0, keep=True)
    random = np.random.default_rng(0)
    codes = np.array(problem.table.codes)
    nodes = []  # rows, weights, whether the sums are added up
    for tree in grown.trees[0]:
        bag, counts = np.arange(n_rows), np.ones(n_rows)
        if settings.bootstrap:
            bag, counts = np.unique(random.integers(0, n_rows, n_rows), return_counts=True)
        nodes.extend(
            (rows, weights, added)
            for rows, weights, added in nodes_of(tree, codes, bag, counts)
            if weights.sum() >= 2 * settings.min_samples_leaf
        )
    rows, weights, added = zip(*nodes, strict=True)
    largest = max(map(len, rows)) + 16
    categories = problem.features.n_categories
    n_numbers = np.array([np.maximum(categories * (categories > 2), 1).sum(), problem.values.shape[1]])
    n_vectors = np.ceil(n_numbers / 16).astype(int)
    vectors = n_vectors.sum()
    values = random.normal(size=(n_rows, 16 * vectors)).astype(np.float32)
    search = BareSearch(
        n_nodes=len(nodes),
        n_rows=n_rows,
        n_tested=settings.max_features,
        begin=np.cumsum([0, *map(len, rows)]),
        rows=np.concatenate(rows).astype(np.int32),
        weight=np.concatenate(weights).astype(np.float32),
        is_added=np.array(added, dtype=np.uint8),
        tested=random.permuted(np.tile(np.arange(n_features, dtype=np.int32), (len(nodes), 1)), axis=1)[
            :, : settings.max_features
        ].copy(),
        codes=codes,
        n_codes=np.array(problem.table.n_codes, dtype=np.int32),
        nominal=(categories > 2).astype(np.int32),
        numbers=np.where((categories > 2)[:, None], codes, problem.features.values.T).astype(np.float32),
        values=values,
        target_vectors=int(n_vectors[1]),
        centered=np.empty(largest * 16 * vectors, dtype=np.float32),
        side=np.empty(largest, dtype=np.float32),
        norm=np.empty(largest, dtype=np.float32),
        norm_t=np.empty(largest, dtype=np.float32),
        weights=np.empty(largest),
        gain_f=np.empty(largest),
        gain_t=np.empty(largest),
        group_end=np.empty(largest, dtype=np.int32),
        keys=np.empty(largest, dtype=np.uint32),
        sorted=np.empty(largest, dtype=np.uint32),
        sums=np.zeros(32 * vectors),
        parted=np.empty(2 * largest, dtype=np.int32),
    )
    return search, n_numbers


def nodes_of(tree, codes, bag, counts):
    """Rows of each node of a tree, their weights, and whether its sums are added up (of two twins for the smaller)."""
    children = tree.children_left, tree.children_right
    feature, code, missing_right = tree.feature, tree.code, tree.missing_go_to_right
    waiting = [(0, bag, counts, True)]
    while waiting:
        at, rows, weights, added = waiting.pop()
        yield rows, weights, added
        if feature[at] >= 0:
            found, categories = codes[feature[at], rows], tree.categories_right(at)
            right = found > code[at] if categories is None else np.isin(found, categories)
            right = np.where(found < 0, missing_right[at], right)
            fewer = right.sum() < len(rows) / 2
            for child, side, smaller in ((children[1], right, fewer), (children[0], ~right, not fewer)):
                waiting.append((child[at], rows[side], weights[side], smaller))


#: Ways of bare_scan: plain, with gaps, with missing rows, with both; quotients alone, and with missing rows; rows that
#: are added up alone, plain and with gaps.
WAYS = (0, 1, 2, 3, 4, 6, 8, 9)
SIZES = (2, 4, 8, 16, 32, 64, 128, 512, 2048)


def scans(library, repeat, columns=192, features=4):
    """Nanoseconds of a scan for each row and 16 columns: an array by way and size of the node."""
    least = np.empty((len(WAYS), len(SIZES)))
    for k, n in enumerate(SIZES):
        rows = np.random.default_rng(0).random((columns // 16, n, 3, 16), dtype=np.float32)
        order = np.random.default_rng(0).permutation(n).astype(np.int32)
        arrays = order, rows, rows.sum(axis=1)
        times = 1 + 100_000 // n
        for w, way in enumerate(WAYS):
            seconds = []
            for _ in range(repeat):
                start = time.process_time()
                library.bare_scan(way, columns, n, times, *(ctypes.c_void_p(a.ctypes.data) for a in arrays))
                seconds.append(time.process_time() - start)
            least[w, k] = min(seconds) / (times * features * columns / 16 * n) * 1e9
        plain, gaps, _, both, quotients, two, row, gap_row = least[:, k]
        print(
            f"{n:4} rows: {plain:5.2f} ns, gaps {gaps / plain:4.1f} and with missing rows {both / plain:4.1f} times; "
            f"quotients alone {quotients / plain:4.1f} and {two / plain:4.1f}, "
            f"rows alone {gap_row / row:4.1f} times those without gaps"
        )
    return least


def gaps(library, repeat, name="gasch1_yeast_FUN", n_labeled=500, level=0.4):
    """What gaps cost a tree of bagging: ours beside one with means in the gaps, and by bare scans of its nodes."""
    least = scans(library, repeat)
    if not os.environ.get("SSLRANK_MIRROR"):
        print("no SSLRANK_MIRROR: no dataset with gaps")
        return
    X, y, options = protocol_case(prepared(name), n_labeled)
    seconds = {}
    for label, data in (("means", X.fillna(X.mean())), ("gaps", X)):
        problem, times = problem_for(data, y, options), []
        settings = settings_for("bagging", problem.table.n_features)
        for _ in range(repeat):
            start = time.process_time()
            grown = grow_forest(problem, np.arange(len(X)), [level], settings, 1, 0, keep=True)
            times.append(time.process_time() - start)
        seconds[label] = np.median(times)
    values = np.asarray(X, dtype=float)
    bag, counts = np.unique(np.random.default_rng(0).integers(0, len(X), len(X)), return_counts=True)
    means = np.asarray(X.fillna(X.mean()), dtype=float)
    without = with_gaps = quotients = added = 0
    for rows, weights, _ in nodes_of(grown.trees[0][0], np.array(problem.table.codes), bag, counts):
        n_labeled_here = weights[problem.labeled[rows]].sum()
        if weights.sum() < 2 * settings.min_samples_leaf or n_labeled_here < settings.min_labeled_split:
            continue
        plain, gap, missing, both, one, two, row, gap_row = (
            np.interp(np.log(len(rows)), np.log(SIZES), of_way) for of_way in least
        )
        here = values[rows]
        known = (~np.isnan(here)).sum(axis=0)
        gappy, full = (known > 0) & (known < len(rows)), known == len(rows)
        n_targets = problem.values.shape[1] * problem.labeled[rows].mean()
        tests, equal = tests_and_equal_rows(means[rows])
        without += (tests * plain + equal * row).sum() * (len(known) + n_targets)
        tests, equal = tests_and_equal_rows(here)
        every_row = (full.sum() + n_targets) * row + gappy.sum() * gap_row
        with_gaps += tests[full].sum() * ((full.sum() + n_targets) * plain + gappy.sum() * gap)
        with_gaps += tests[gappy].sum() * ((full.sum() + n_targets) * missing + gappy.sum() * both)
        with_gaps += equal.sum() * every_row
        added += (tests + equal).sum() * every_row
        quotients += (tests[full].sum() * one + tests[gappy].sum() * two) * gappy.sum()
    without, with_gaps, quotients, added = (total / 16e9 for total in (without, with_gaps, quotients, added))
    print(
        f"{name}, bagging, L = {n_labeled}, w = {level}, a tree with means in the gaps and with gaps: "
        f"{seconds['means']:5.3f} and {seconds['gaps']:5.3f} s ({seconds['gaps'] / seconds['means']:4.2f} times); bare "
        f"scans of its nodes {without:5.3f} and {with_gaps:5.3f} s ({with_gaps / without:4.2f} times), quotients alone "
        f"{quotients:5.3f} s, rows alone {added:5.3f} s"
    )


def tests_and_equal_rows(values):
    """By column: tests, one for each value but the most frequent one, and the rows of these values beyond them."""
    tests, rows = np.zeros((2, values.shape[1]), dtype=int)
    for c, column in enumerate(values.T):
        _, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        if len(counts) > 1:
            tests[c], rows[c] = len(counts) - 1, counts.sum() - counts.max()
    return tests, rows - tests


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    dense = [name for name in CASES if name not in SPARSE]
    parser.add_argument("--cases", nargs="*", choices=dense, default=dense)
    ensembles = ("random_forest", "extra_trees")
    parser.add_argument("--ensembles", nargs="+", choices=ensembles, default=ensembles)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    free, exact = compiled("-ffast-math"), compiled("-ffp-contract=off")
    compare(free, exact, arguments.cases, arguments.ensembles, arguments.repeat)
    gaps(exact, arguments.repeat)


if __name__ == "__main__":
    main()
