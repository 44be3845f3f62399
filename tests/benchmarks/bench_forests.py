"""Time of forests of semi-supervised predictive clustering trees, side by side with other programs.

    python tests/benchmarks/bench_forests.py                 # all cases against scikit-learn, one thread
    python tests/benchmarks/bench_forests.py --clus          # also CLUS, where Java and pyclus are installed
    python tests/benchmarks/bench_forests.py --extras        # permutation score, choice of w, threads
    python tests/benchmarks/bench_forests.py --choices       # w by out-of-bag error beside w by cross-validation
    python tests/benchmarks/bench_forests.py --growth        # time and memory over the number of rows
    python tests/benchmarks/bench_forests.py --without orders  # what one way to search gives, see trees/search_plan.py
    python tests/benchmarks/bench_forests.py --protocol      # choice of w as the ssl-ranking study makes it
    python tests/benchmarks/bench_forests.py --against d0ee21d       # how many times as fast as at a commit
    python tests/benchmarks/bench_forests.py --protocol --against d0ee21d        # the same for the choice of w

The opponent (a) is scikit-learn's multi-output regression forest on the same problem, all rows labelled: its
targets are Y = [sqrt-weighted standardised features, targets], so its criterion is our impurity. Both grow
trees until a branch would weigh less than two rows. (b) is CLUS on the same data with 200 labelled rows. Data
are the papers' sets where SSLRANK_MIRROR names a mirror of them (digits and friedman1 need none), else made
to their shape and kind; missing values are replaced by column means, as scikit-learn's targets must be known.
`--against` compiles the commit in a temporary folder; copies take turns, and each is timed by the `ours` or
`time_protocol` of its own bench_forests.py, the least of `--repeat` runs. The protocol's cases have their missing
values. Seconds are processor time of the one thread (CLUS: the time
it prints), the median of `--repeat` runs (opponents: one run), except where threads are compared.
"""

import argparse
import importlib.metadata
import os
import pickle
import platform
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn
from scipy import sparse
from sklearn.datasets import load_digits, make_friedman1
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

import sslrank
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare
from sslrank.metrics.single import measure_for
from sslrank.models.knn import knn_predict
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.forest import PCTForestRanker
from sslrank.rankers.trees.growing import GrowthSettings, Problem, grow_forest
from sslrank.rankers.trees.search_plan import WAYS
from sslrank.rankers.trees.supervision import LEVELS, choose_supervision

ROOT = Path(__file__).parents[2]
ENSEMBLES = ("random_forest", "extra_trees", "bagging")
SUPERVISION = 0.5


def digits(random):
    X, y = load_digits(return_X_y=True)
    return X, y, {"task": "classification"}


def friedman1(random):
    X, y = make_friedman1(5000, 50, noise=1.0, random_state=0)
    return X, y, {"task": "regression"}


def gasdrift(random):
    """Sensor readings: correlated numeric features, 6 classes."""
    source = random.normal(size=(13910, 10))
    X = source @ random.normal(size=(10, 128)) + 0.3 * random.normal(size=(13910, 128))
    return X, np.digitize(source[:, 0] + source[:, 1], np.linspace(-2, 2, 5)), {"task": "classification"}


def scm20d(random):
    source = random.normal(size=(8966, 12))
    X = source @ random.normal(size=(12, 61)) + 0.3 * random.normal(size=(8966, 61))
    return X, source @ random.normal(size=(12, 16)) + random.normal(size=(8966, 16)), {"task": "multitarget"}


def bank(random):
    """7 numeric and 9 nominal features, 2 classes."""
    numeric = np.round(random.lognormal(size=(4521, 7)) * 50)
    frame = pd.DataFrame(numeric, columns=[f"n{j}" for j in range(7)])
    for j, k in enumerate((12, 3, 4, 2, 2, 2, 3, 12, 4)):
        share = random.dirichlet(np.ones(k))
        frame[f"c{j}"] = pd.Categorical(random.choice(k, 4521, p=share), categories=range(k))
    signal = numeric[:, 0] / 50 + frame["c0"].cat.codes + random.normal(size=4521)
    return frame, (signal > np.quantile(signal, 0.88)).astype(int), {"task": "classification"}


def chembl2850(random):
    """Molecular fingerprints: 1024 bits, one in twenty set."""
    X = (random.random((1211, 1024)) < random.beta(0.5, 9.5, 1024)).astype(float)
    return X, X[:, :60] @ random.normal(size=60) + random.normal(size=1211), {"task": "regression"}


def bibtex(random):
    """Bags of words: 1836 binary features with 69 words in a row, 159 labels with 2.4 in a row."""
    X = (random.random((7395, 1836)) < np.clip(random.beta(0.6, 15.4, 1836), 0, 0.4)).astype(float)
    Y = (random.random((7395, 159)) < 0.01).astype(float)
    Y[:, :100] = np.maximum(Y[:, :100], X[:, :100] * (random.random((7395, 100)) < 0.5))
    return sparse.csr_array(X), Y, {"task": "multilabel"}


def gasch1(random):
    """173 expression levels, 594 labels in a hierarchy of depth 4."""
    parents = [[] if j < 18 else [int(random.integers(0, max(1, j // 3)))] for j in range(594)]
    X = random.normal(size=(1634, 173))
    Y = (random.random((1634, 594)) < 0.01).astype(float)
    for j in reversed(range(594)):
        for parent in parents[j]:
            Y[:, parent] = np.maximum(Y[:, parent], Y[:, j])
    return X, Y, {"task": "hierarchical", "hierarchy": parents}


CASES = {c.__name__: c for c in (digits, friedman1, gasdrift, scm20d, bank, chembl2850, bibtex, gasch1)}
TREES = {"gasdrift": 2, "scm20d": 3, "bibtex": 2, "chembl2850": 5, "gasch1": 2}
SPARSE = ("chembl2850", "bibtex")
#: Names in the catalogue of the cases that a mirror may have.
REAL = {"gasdrift": "gasdrift", "scm20d": "scm20d", "bank": "bank", "chembl2850": "chembl2850"}
REAL |= {"bibtex": "bibtex", "gasch1": "gasch1_yeast_FUN"}


def prepared(name):
    """A dataset of the catalogue."""
    entry = load_catalogue(ROOT / "workflow" / "datasets.yaml")[name]
    with tempfile.TemporaryDirectory() as cache:
        fetch(entry, cache)
        return prepare(entry, Path(cache) / entry.name)


def load_case(name):
    """X, y, options, and whether the data are the real ones."""
    if name not in REAL or not os.environ.get("SSLRANK_MIRROR"):
        return *CASES[name](np.random.default_rng(0)), name not in REAL
    data = prepared(REAL[name])
    X, options = data.X, {"task": data.task}
    if data.task == "hierarchical":
        options["hierarchy"] = data.hierarchy
    kinds = X.dtypes.map(lambda kind: isinstance(kind, pd.CategoricalDtype))
    if name in SPARSE:  # words and bits are numbers
        X = X.apply(lambda column: column.cat.codes if kinds[column.name] else column).to_numpy(dtype=float)
    elif not kinds.any():
        X = X.to_numpy(dtype=float)
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    if name == "bibtex":
        X = sparse.csr_array(X)
    y = data.y if data.task != "classification" else np.unique(data.y.astype(str), return_inverse=True)[1]
    return X, y, options, True


#: Enough trees that neither the coding nor the last batch matters when threads are compared.
SCALING_TREES = 100


def settings_for(ensemble, n_features, **more):
    return GrowthSettings(
        max_features=int(np.ceil(np.sqrt(n_features))) if ensemble == "random_forest" else n_features,
        random_tests=ensemble == "extra_trees",
        bootstrap=ensemble != "extra_trees",
        min_samples_leaf=2.0,
        min_labeled_split=4.0,
        max_depth=None,
        target_scale="all",
        **more,
    )


def problem_for(X, y, options):
    features = encode_features(X, accept_sparse=True)
    targets = encode_targets(y, features.shape[0], **options)
    return Problem(features, targets, encode_table(features))


def ours(X, y, options, ensemble, n_trees, without=(), **grow_options):
    """Seconds from data to grown trees, those of coding the data, nodes per tree, and the `least_work` of these."""
    more = {"without": frozenset(without)} if without else {}
    start = time.process_time()
    problem = problem_for(X, y, options)
    coding = time.process_time() - start
    settings = settings_for(ensemble, problem.features.shape[1], **more)
    grown = grow_forest(
        problem,
        np.arange(problem.features.shape[0]),
        [SUPERVISION],
        settings,
        n_trees,
        0,
        keep=True,
        **grow_options,
    )
    seconds = time.process_time() - start
    trees = grown.trees[0]
    return seconds, coding, np.mean([tree.node_count for tree in trees]), least_work(problem, settings, trees)


def least_work(problem, settings, trees):
    """What an exact search of these trees does: seconds of sums and of orders at measured rates, and tests' features.

    For each feature that a node tests, every row is added to a running sum in all columns; where all tests x > t are
    tried, the sum is squared after each row and the rows are put in order of the feature. Sparse rows have no columns
    but entries, and only those that a feature lists are added. What needs less can be below it: sums that are kept from
    node to node, products of matrices, and equal values, whose largest group is not added and whose sums are squared
    once for all.
    """
    n_rows, n_features = problem.features.shape
    weights = np.concatenate([tree.weighted_n_node_samples for tree in trees])
    searched = weights[weights >= 2 * settings.min_samples_leaf]
    rows = searched.sum() * (1 - np.exp(-1) if settings.bootstrap else 1)  # one drawn twice is one of weight two
    tested, numbers, rate = rows * settings.max_features, 0, additions_per_second()
    if problem.table.sparse:
        entries = len(problem.table.row_feature) / n_rows
        tested *= entries / n_features
        numbers, rate = entries, scattered_per_second()
    else:
        numbers = np.maximum(problem.features.n_categories * (problem.features.n_categories > 2), 1).sum()
        numbers += (~np.isnan(problem.values)).sum() / n_rows  # unlabelled rows have no targets to add
    all_tests = not settings.random_tests
    sums = tested * numbers * (2 if all_tests and not problem.table.sparse else 1) / rate
    orders = tested / ordered_per_second(n_rows) if all_tests else 0.0
    return sums, orders, len(searched) * settings.max_features


def regression_problem(X, y, options):
    """X and Y for scikit-learn: nominal columns one-hot in both, Y weighted as in Eq. (1)."""
    features = encode_features(X, accept_sparse=True)
    targets = encode_targets(y, features.shape[0], **options)
    values = features.values.toarray() if sparse.issparse(features.values) else features.values
    blocks = [
        values[:, [j]] if k <= 2 else (values[:, [j]] == np.arange(k)).astype(float)
        for j, k in enumerate(features.n_categories)
    ]
    known = targets.values
    if targets.task == "classification":
        of_targets = [(known == np.arange(targets.n_classes)).astype(float)]
    else:
        of_targets = [known[:, [j]] for j in range(known.shape[1])]
    weighted = []
    for group, share, alphas in (
        (blocks, 1 - SUPERVISION, np.ones(len(blocks))),
        (of_targets, SUPERVISION, targets.weights),
    ):
        for block, alpha in zip(group, alphas, strict=False):
            variance = block.var(axis=0).sum()
            if variance > 0:
                weighted.append((block - block.mean(axis=0)) * np.sqrt(share * alpha / len(group) / variance))
    inputs = sparse.csc_matrix(features.values) if sparse.issparse(features.values) else np.column_stack(blocks)
    return inputs, np.column_stack(weighted)


def scikit_learn(X, y, options, ensemble, n_trees):
    inputs, Y = regression_problem(X, y, options)
    n_features = encode_features(X, accept_sparse=True).shape[1]
    params = {
        "n_estimators": n_trees,
        "min_weight_fraction_leaf": 2 / len(Y) * (1 - 1e-9),
        "n_jobs": 1,
        "random_state": 0,
    }
    if ensemble == "extra_trees":
        model = ExtraTreesRegressor(max_features=1.0, bootstrap=False, **params)
    else:
        count = int(np.ceil(np.sqrt(n_features))) if ensemble == "random_forest" else 1.0
        model = RandomForestRegressor(max_features=count, **params)
    start = time.process_time()
    model.fit(inputs, Y)
    return time.process_time() - start, np.mean([e.tree_.node_count for e in model.estimators_])


def clus(X, y, options, ensemble, n_trees, labeled=200):
    """Seconds of induction that CLUS prints, with `labeled` labels; None where it cannot run."""
    try:
        jar = next(file for file in importlib.metadata.files("pyclus") if file.name == "clus.jar").locate()
    except importlib.metadata.PackageNotFoundError:
        return None
    features = encode_features(X, accept_sparse=True)
    values = features.values.toarray() if sparse.issparse(features.values) else features.values
    targets = hide(y, labeled, options)
    hierarchy = options.get("hierarchy")
    if hierarchy and max(map(len, hierarchy)) > 1:
        return None  # its paths would have to be another kind of hierarchy
    with tempfile.TemporaryDirectory() as folder:
        columns = [class_paths(targets, hierarchy)] if hierarchy else plain_targets(targets)
        write_arff(Path(folder) / "x.arff", values, features.n_categories, columns)
        n_features, n_targets = values.shape[1], len(columns)
        name = {"random_forest": "RForest", "extra_trees": "ExtraTrees", "bagging": "Bagging"}[ensemble]
        (Path(folder) / "x.s").write_text(
            f"[Data]\nFile = x.arff\n[Attributes]\nDescriptive = 1-{n_features}\n"
            f"Target = {n_features + 1}-{n_features + n_targets}\n[Tree]\nHeuristic = VarianceReduction\n"
            f"[Ensemble]\nEnsembleMethod = {name}\nIterations = {n_trees}\nNumberOfThreads = 1\n"
            f"SelectRandomSubspaces = {'SQRT' if ensemble == 'random_forest' else n_features}\n"
            "FeatureRanking = [Genie3]\n[SemiSupervised]\nSemiSupervisedMethod = PCT\nPossibleWeights = 0.5\n"
            + ("[Hierarchical]\nType = Tree\nWType = ExpAvgParentWeight\nHSeparator = /\n" if hierarchy else "")
            + "[Output]\nTrainErrors = No\nTestErrors = No\nWriteModelFile = No\n"
        )
        opens = [
            "lang",
            "util",
            "util.concurrent",
            "util.concurrent.atomic",
            "util.regex",
            "io",
            "net",
            "text",
        ]
        command = ["java", "-Xmx6g", *(f"--add-opens=java.base/java.{p}=ALL-UNNAMED" for p in opens)]
        command += ["-jar", str(jar), "-forest", "-ssl", "x.s"]
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=1800)
        except (FileNotFoundError, subprocess.SubprocessError):
            return None
        printed = (Path(folder) / "x.out").read_text()
    line = next(line for line in printed.splitlines() if "Induction Time" in line)
    return float(line.split(":")[1].split()[0])


def hide(y, labeled, options, seed=1):
    """Targets as floats with `labeled` known rows."""
    y = np.array(y, dtype=float)
    y = y[:, None] if y.ndim == 1 else y
    y[np.random.default_rng(seed).permutation(len(y))[labeled:]] = np.nan
    return y


def plain_targets(targets):
    """Kind and cells of every target, for write_arff."""
    nominal, columns = set(np.unique(targets[~np.isnan(targets)])) <= set(range(50)), []
    for y in targets.T:
        classes = [0, 1] if targets.shape[1] > 1 else np.unique(y[~np.isnan(y)]).astype(int)
        kind = "{" + ",".join(map(str, classes)) + "}" if nominal else "numeric"
        columns.append((kind, ["?" if np.isnan(v) else str(int(v)) if nominal else repr(float(v)) for v in y]))
    return columns


def class_paths(targets, hierarchy):
    """The labels of a tree as one target, whose cells are the paths of a row's most specific labels."""
    paths, pending = {}, list(range(len(hierarchy)))
    while pending:
        label = pending.pop(0)
        above = [paths.get(parent) for parent in hierarchy[label]]
        if None in above:
            pending.append(label)
        else:
            paths[label] = "/".join([*above, f"c{label}"])
    parents = np.array([above[0] if above else -1 for above in hierarchy])
    cells = []
    for row in targets:
        has = np.flatnonzero(row == 1)
        cells.append("?" if np.isnan(row).all() else "@".join(paths[j] for j in has if j not in parents[has]))
    return "hierarchical " + ",".join(paths[label] for label in range(len(hierarchy))), [cell or "?" for cell in cells]


def write_arff(path, values, n_categories, columns):
    with path.open("w") as out:
        out.write("@relation x\n")
        for j, k in enumerate(n_categories):
            kind = "{" + ",".join(map(str, range(k))) + "}" if k else "numeric"
            out.write(f"@attribute x{j} {kind}\n")
        for j, (kind, _) in enumerate(columns):
            out.write(f"@attribute y{j} {kind}\n")
        out.write("@data\n")
        for row, *y in zip(values, *(cells for _, cells in columns), strict=True):
            cells = [str(int(v)) if k else repr(float(v)) for v, k in zip(row, n_categories, strict=True)]
            out.write(",".join([*cells, *y]) + "\n")


def compare(names, ensembles, with_clus, repeat):
    """Seconds of ours and theirs; shares of coding and of `least_work`; the rest per node and feature."""
    rates = additions_per_second(), ordered_per_second(10_000), scattered_per_second()
    print("per second: {:.2g} additions, {:.2g} codes put in order, {:.2g} scattered additions".format(*rates))
    print(
        f"{'case':12} {'ensemble':14} {'trees':>5} {'ours s':>9} {'sklearn s':>10} {'ratio':>7} "
        f"{'nodes ours/sklearn':>20} {'coding':>6} {'sums':>5} {'orders':>6} {'rest: ns':>9} "
        f"{'CLUS s':>8} {'ours s':>8} {'ratio':>7}"
    )
    ratios = {}
    for name in names:
        X, y, options, real = load_case(name)
        print(f"{name}: {X.shape[0]} x {X.shape[1]}, {'real' if real else 'made'} data", flush=True)
        for ensemble in ensembles:
            n_trees = TREES.get(name, 10)
            runs = sorted(ours(X, y, options, ensemble, n_trees) for _ in range(repeat))
            seconds, coding, nodes, (sums, orders, tested) = runs[len(runs) // 2]
            theirs, their_nodes = scikit_learn(X, y, options, ensemble, n_trees)
            ratios.setdefault(name, []).append(theirs / seconds)
            line = (
                f"{name:12} {ensemble:14} {n_trees:5d} {seconds:9.3f} {theirs:10.3f} {theirs / seconds:7.1f} "
                f"{nodes:10.0f}/{their_nodes:<9.0f} "
                f"{coding / seconds:6.2f} {sums / seconds:5.2f} {orders / seconds:6.2f} "
                f"{1e9 * (seconds - coding - sums - orders) / tested:9.0f}"
            )
            if with_clus:
                clus_seconds = clus(X, y, options, ensemble, n_trees)
                if clus_seconds is not None:
                    partly = hide(y, 200, options)
                    partly = partly[:, 0] if partly.shape[1] == 1 else partly
                    runs = [ours(X, partly, options, ensemble, n_trees)[0] for _ in range(repeat)]
                    seconds = np.median(runs)
                    line += f" {clus_seconds:8.2f} {seconds:8.3f} {clus_seconds / seconds:7.1f}"
            print(line, flush=True)
    for title, chosen in (
        ("dense", [n for n in ratios if n not in SPARSE]),
        ("sparse and binary", [n for n in ratios if n in SPARSE]),
    ):
        values = [r for n in chosen for r in ratios[n]]
        if values:
            print(f"geometric mean against scikit-learn, {title}: {np.exp(np.mean(np.log(values))):.1f}")


def extras(names):
    for name in names:
        X, y, options, _ = load_case(name)
        n_trees = 3 * TREES.get(name, 10)
        for ensemble in ("random_forest", "bagging"):
            plain = min(ours(X, y, options, ensemble, n_trees)[0] for _ in range(5))
            scored = min(ours(X, y, options, ensemble, n_trees, permutation=True)[0] for _ in range(5))
            print(f"{name:12} {ensemble:14} random_forest score adds {100 * (scored / plain - 1):5.1f} %")
        partly = hide(y, 200, options)
        problem = problem_for(X, partly[:, 0] if partly.shape[1] == 1 else partly, options)
        settings = settings_for("random_forest", problem.features.shape[1])
        start = time.process_time()
        choose_supervision(problem, settings, n_trees, 0)
        together = time.process_time() - start
        start = time.process_time()
        for w in LEVELS:
            choose_supervision(problem, settings, n_trees, 0, levels=[w])
        apart = time.process_time() - start
        print(
            f"{name:12} choice of w: {together:.2f} s, 44 forests on their own {apart:.2f} s: "
            f"{together / apart:.2f} of the time"
        )
        one, two = (min(wall(X, y, options, SCALING_TREES, jobs) for _ in range(5)) for jobs in (1, 2))
        print(f"{name:12} {SCALING_TREES} trees on two threads: {one / two:.2f} times as fast as on one")


def without_ways(names, ensembles, ways, repeat):
    """How much longer trees take without some ways to search; runs alternate."""
    for name in names:
        X, y, options, _ = load_case(name)
        for ensemble in ensembles:
            n_trees = TREES.get(name, 10)
            times = [[ours(X, y, options, ensemble, n_trees, w)[0] for w in ((), ways)] for _ in range(repeat)]
            with_all, without = np.median(times, axis=0)
            print(
                f"{name:12} {ensemble:14} {with_all:8.3f} s, without {' '.join(ways)} {without:8.3f} s: "
                f"{without / with_all:5.2f} times",
                flush=True,
            )


#: The protocol's cases: those that cost most, and one of every kind.
PROTOCOL = ("gasdrift", "coil2000", "scm20d", "expr_yeast_FUN", "genbase", "digits", "chembl2850", "bibtex")
BUDGETS = (50, 500)


@contextmanager
def compiled(commit):
    """A folder with the files of a commit, compiled by this Python; it is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        environment = {**os.environ, "PYTHONPATH": str(Path(folder) / "src")}
        done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{commit} cannot be compiled:\n{done.stderr[-2000:]}")
        yield Path(folder)


def in_copy(copy, call):
    """Numbers that a call of a copy's own `bench` prints last."""
    places = [str(copy / "src"), str(copy / "tests" / "benchmarks")]
    command = [sys.executable, "-c", f"import bench_forests as bench; {call}"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return [float(word) for word in done.stdout.splitlines()[-1].split()]


def side_by_side(names, ensembles, commit, repeat):
    """Seconds of forests here and at a commit, and how many times as fast they are here."""
    print("| case | ensemble | seconds | before | times as fast |")
    print("|---|---|---|---|---|")
    with compiled(commit) as before:
        for name in names:
            for ensemble in ensembles:
                call = f"print(min(bench.ours(*bench.load_case({name!r})[:3], {ensemble!r}, {TREES.get(name, 10)})[0] "
                call += "for _ in range(2)))"
                runs = [[in_copy(copy, call)[0] for copy in (ROOT, before)] for _ in range(repeat)]
                now, then = np.min(runs, axis=0)
                print(f"| {name} | {ensemble} | {now:.3f} | {then:.3f} | {then / now:.2f} |", flush=True)


def protocol(names, ensembles, commit, repeat):
    """Seconds per tree of the choice of w and of a forest of one w, here and at a commit.

    The limit is the `least_work` of the forest of one w, with the rates of its own run.
    """
    with compiled(commit) if commit else nullcontext() as before, tempfile.TemporaryDirectory() as folder:
        for name in names:
            data = prepared(name)
            for n_labeled in BUDGETS:
                case = Path(folder) / f"{n_labeled}.pickle"
                case.write_bytes(pickle.dumps(protocol_case(data, n_labeled)))
                for ensemble in ensembles:
                    call = f"bench.time_protocol({str(case)!r}, {ensemble!r}, 1)"
                    copies = [ROOT, before] if commit else [ROOT]
                    runs = [[in_copy(copy, call) for copy in copies] for _ in range(repeat)]
                    (choice, own, limit), *others = np.min(runs, axis=0)
                    line = f"{name:15} L={n_labeled:<4} {ensemble:14} choice {choice:8.3f} s, forest {own:7.3f} s"
                    line += f", limit {limit:7.3f} s"
                    for choice_before, own_before, _ in others:
                        line += f"; before {choice_before:8.3f} s: {choice_before / choice:6.2f} times"
                        line += f", forest {own_before / own:6.2f} times"
                    print(line, flush=True)


def protocol_case(data, n_labeled):
    """X, y with `n_labeled` labels and options, which every copy of the package reads."""
    y, options = coded_targets(data)
    y = hide(y, n_labeled, options)
    return data.X, y[:, 0] if y.shape[1] == 1 else y, options


def coded_targets(data):
    """Targets as numbers, and the options that tell what they are."""
    options = {"task": data.task}
    if data.task == "hierarchical":
        options["hierarchy"] = data.hierarchy
    if data.task == "classification":
        return np.unique(np.asarray(data.y).astype(str), return_inverse=True)[1], options
    return data.y, options


def time_protocol(case, ensemble, repeat):
    """Print the least seconds of one tree per forest: choice of w, a forest of one w, its limit."""
    X, y, options = pickle.loads(Path(case).read_bytes())
    problem = problem_for(X, y, options)
    settings = settings_for(ensemble, problem.table.n_features)
    rows, runs = np.arange(problem.table.n_rows), []
    for _ in range(int(repeat)):
        start = time.process_time()
        choose_supervision(problem, settings, 1, 0)
        middle = time.process_time()
        grown = grow_forest(problem, rows, [SUPERVISION], settings, 1, 0, keep=True)
        runs.append((middle - start, time.process_time() - middle))
    choice, forest = np.min(runs, axis=0)
    sums, orders, _ = least_work(problem, settings, grown.trees[0])
    print(choice, forest, sums + orders)


@cache
def additions_per_second():
    """Additions of float32 numbers to running sums: rows of 128, read from the second-level cache by BLAS."""
    rows, ones = np.ones((1 << 10, 128), dtype=np.float32), np.ones(1 << 10, dtype=np.float32)
    return best_rate(lambda: ones @ rows, rows.size, 2_000)


@cache
def ordered_per_second(n_rows):
    """Codes per second that are read from a column and sorted, 32 at a time, by NumPy."""
    random = np.random.default_rng(0)
    column, rows = random.integers(0, n_rows, n_rows, dtype=np.uint32), random.integers(0, n_rows, (1 << 12, 32))
    return best_rate(lambda: np.sort(column[rows], axis=1), rows.size, 20)


@cache
def scattered_per_second():
    """Products per second with numbers at scattered places that are added up: sparse rows of 64, by SciPy."""
    rows, ones = sparse.random_array((1 << 12, 1 << 10), density=1 / 16, format="csr", rng=0), np.ones(1 << 10)
    return best_rate(lambda: rows @ ones, rows.nnz, 100)


def best_rate(work, size, repeat):
    """Numbers per second, the best of five times `repeat` calls that handle `size` numbers each."""
    rates = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(repeat):
            work()
        rates.append(repeat * size / (time.process_time() - start))
    return max(rates)


def wall(X, y, options, n_trees, n_jobs):
    """Seconds on the clock."""
    start = time.perf_counter()
    ours(X, y, options, "random_forest", n_trees, n_jobs=n_jobs)
    return time.perf_counter() - start


#: One dataset for each kind of target.
CHOICES = ("digits", "treasury", "emotions", "collembolaV2", "pheno_yeast_FUN")


def choices(names, repeat, labeled=100, n_trees=50):
    """How alike "oob" and "cv" choose w, what the rankings score, and what they cost.

    Random forests with 100 labels drawn anew in each repetition. A ranking is judged by the labelled rows' 20 nearest
    neighbours on the other rows, by the task's measure.
    """
    print(f"{'data':18} {'task':15} {'the same w':>10} {'|difference|':>12} {'seconds cv / oob':>20} score cv / oob")
    for name in names:
        data = prepared(name)
        chosen, seconds, scores = (np.empty((repeat, 2)) for _ in range(3))
        for seed in range(repeat):
            y, options = coded_targets(data)
            partly = hide(y, labeled, options, seed)
            partly = partly[:, 0] if partly.shape[1] == 1 else partly
            for k, way in enumerate(("cv", "oob")):
                ranker = PCTForestRanker(supervision=way, n_estimators=n_trees, random_state=seed, **options)
                start = time.process_time()
                ranker.fit(data.X, partly)
                seconds[seed, k] = time.process_time() - start
                chosen[seed, k] = ranker.supervision_
                scores[seed, k], measure = judged(data.X, y, partly, options, ranker.feature_importances_)
        same = np.sum(chosen[:, 0] == chosen[:, 1])
        apart = np.mean(np.abs(chosen[:, 0] - chosen[:, 1]))
        costs, means = seconds.mean(axis=0), scores.mean(axis=0)
        print(
            f"{name:18} {data.task:15} {same:3d} of {repeat:3d} {apart:12.2f} {costs[0]:11.2f} / {costs[1]:.2f}    "
            f"{measure} {means[0]:.3f} / {means[1]:.3f}, difference {np.diff(scores).mean():+.4f} "
            f"+- {np.diff(scores).std(ddof=1) / np.sqrt(repeat):.4f}",
            flush=True,
        )


def judged(X, y, partly, options, importances):
    """Score of a ranking on the rows whose targets were hidden, and the measure's name."""
    features = encode_features(X)
    known = encode_targets(partly, len(y), **options)
    truth = encode_targets(y, len(y), **options)
    train, test = np.flatnonzero(known.labeled), np.flatnonzero(~known.labeled)
    measure = measure_for(known.task)
    predictions = knn_predict(features.rows(train), known.rows(train), features.rows(test), importances, 20)
    return measure(truth.rows(test), predictions), measure.name


def growth(sizes):
    """Time and peak memory over the number of rows, 1000 of them labelled."""
    for n in sizes:
        code = "import sys; sys.path.insert(0, sys.argv[1]); import bench_forests as bench; "
        code += "bench.grow_one(int(sys.argv[2]))"
        subprocess.run([sys.executable, "-c", code, str(Path(__file__).parent), str(n)], check=True)


def grow_one(n):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 100))
    y = np.full(n, np.nan)
    y[:1000] = X[:1000, 0] + X[:1000, 1]
    warm = PCTForestRanker(supervision=SUPERVISION, n_estimators=2, task="regression", random_state=0)
    warm.fit(X[:1100], y[:1100])  # what is imported and allocated once does not belong to the data
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    PCTForestRanker(supervision=SUPERVISION, n_estimators=5, task="regression", random_state=0).fit(X, y)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    size = X.nbytes / 2**20
    print(
        f"{n:8d} rows: {seconds:8.2f} s, {seconds / (n * np.log(n)) * 1e9:7.2f} ns per row and log(rows), "
        f"memory {peak / size + 1:.2f} times the input",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--ensembles", nargs="+", choices=ENSEMBLES, default=list(ENSEMBLES))
    parser.add_argument("--clus", action="store_true")
    parser.add_argument("--extras", action="store_true")
    parser.add_argument("--without", nargs="+", choices=WAYS)
    parser.add_argument("--protocol", nargs="*", choices=PROTOCOL, metavar="DATASET")
    parser.add_argument("--against", metavar="COMMIT", help="compile that commit aside, and compare")
    parser.add_argument("--choices", nargs="*", metavar="DATASET")
    parser.add_argument("--growth", nargs="*", type=int, metavar="ROWS")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    print(
        f"sslrank {sslrank.__version__} {commit.stdout.strip()}, scikit-learn {sklearn.__version__}, "
        f"Python {platform.python_version()}, {platform.processor() or platform.machine()}"
    )
    if arguments.growth is not None:
        growth(arguments.growth or [10_000, 100_000, 1_000_000])
    elif arguments.protocol is not None:
        protocol(arguments.protocol or PROTOCOL, arguments.ensembles, arguments.against, arguments.repeat)
    elif arguments.choices is not None:
        choices(arguments.choices or CHOICES, arguments.repeat)
    elif arguments.without:
        without_ways(arguments.cases, arguments.ensembles, arguments.without, arguments.repeat)
    elif arguments.against:
        side_by_side(arguments.cases, arguments.ensembles, arguments.against, arguments.repeat)
    elif arguments.extras:
        extras(arguments.cases)
    else:
        compare(arguments.cases, arguments.ensembles, arguments.clus, arguments.repeat)


if __name__ == "__main__":
    main()
