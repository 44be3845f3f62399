"""Trees of generated problems: any shape, gaps, many categories, sparse, every kind of target.

Every node of a kernel's tree is checked by the NumPy reference: whether it had to stop, what its test gives, and that
no other test gives more.
"""

from dataclasses import dataclass, replace
from itertools import chain, product

import numpy as np
import pytest
from scipy import sparse

from references import grower as reference
from sslrank.core.features import Features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import Targets
from sslrank.core.tasks import TASKS
from sslrank.rankers.trees._permutation import apply_coded, apply_values
from sslrank.rankers.trees.clustering import clustering_rows
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.estimator import _may_be_sparse
from sslrank.rankers.trees.growing import Bags, GrowthSettings, Problem, grow_forest
from sslrank.rankers.trees.search import SEARCH_METHODS

COLUMNS = {"grid": 0, "whole": 0, "zeros": 0, "constant": 0, "yes-no": 2, "few": 5, "word": 64, "two-words": 130}
HIERARCHY = ((), (0,), (0,), (1, 2))


@dataclass
class Case:
    """A problem as the kernel and as the reference take it."""

    task: str
    X: np.ndarray
    n_categories: np.ndarray
    Y: np.ndarray
    alphas: np.ndarray
    levels: list
    settings: GrowthSettings
    seed: int
    as_sparse: bool = False


def numeric_problem(task, X, Y, n_categories=None):
    """The problem of a table that the reference does not see."""
    features = Features(X, np.zeros(X.shape[1], dtype=np.int32) if n_categories is None else n_categories)
    return Problem(features, Targets(task, Y, np.ones(Y.shape[1]), None, None), encode_table(features))


def with_and_without(way, problem, levels, settings, n_trees=1):
    """Forests grown with all ways to search nodes, and without one of them."""
    rows = np.arange(problem.features.shape[0])
    for left_out in ((), (way,)):
        yield grow_forest(problem, rows, levels, replace(settings, without=frozenset(left_out)), n_trees, 0, keep=True)


def column(kind, n, random):
    if COLUMNS[kind]:
        return random.integers(0, COLUMNS[kind], n).astype(float)
    if kind == "grid":
        return np.round(32 * random.normal(size=n)) / 32
    if kind == "zeros":
        return np.where(random.random(n) < 0.1, random.integers(-2, 3, n), 0).astype(float)
    return random.integers(-2, 3, n).astype(float) if kind == "whole" else np.full(n, 1.5)


def make_targets(task, X, random):
    """Targets on a grid that depend on the first two features."""
    n = len(X)
    signal = np.nan_to_num(X[:, :1]) % 7 - np.nan_to_num(X[:, -1:]) % 3 + random.normal(size=(n, 4))
    signal = np.round(8 * signal) / 8
    if task == "none":
        return np.empty((n, 0)), np.ones(0)
    if task == "classification":
        return np.digitize(signal[:, :1], [-1.0, 1.0]).astype(float), np.ones(1)
    if task in ("regression", "multitarget"):
        return signal[:, : 1 if task == "regression" else 3], np.ones(1 if task == "regression" else 3)
    labels = (signal > 0.5).astype(float)
    if task == "hierarchical":
        labels[:, 3] *= labels[:, 1] * labels[:, 2]
        labels[:, 0] = labels.max(axis=1)
        return labels, np.array([1, 0.75, 0.75, 0.75**2])
    return labels, np.ones(4)


def make(task, random):
    """A problem on a grid."""
    kinds = random.choice(sorted(COLUMNS), random.integers(1, 6))
    if random.random() < 0.4:
        kinds = ["zeros"] * random.integers(1, 7)
    n = int(random.integers(2, 41))
    X = np.column_stack([column(kind, n, random) for kind in kinds])
    if len(kinds) > 1 and random.random() < 0.3:
        X[:, 1], kinds[1] = X[:, 0], kinds[0]
    if random.random() < 0.5:
        X[random.random(X.shape) < random.choice([0.1, 0.5])] = np.nan
    Y, alphas = make_targets(task, X, random)
    Y[random.random(n) < random.choice([0.0, 0.3, 0.6])] = np.nan
    if random.random() < 0.5:  # one side of some tests has no labelled row
        Y[(X[:, 0] == X[0, 0]) == (random.random() < 0.5)] = np.nan
    if random.random() < 0.5:  # rows of which some targets are known
        Y[random.random(Y.shape) < 0.2] = np.nan
    n_categories = np.array([COLUMNS[kind] for kind in kinds], dtype=np.int32)
    growth = GrowthSettings(
        max_features=int(random.integers(1, len(kinds) + 1)),
        random_tests=random.random() < 0.3,
        bootstrap=random.random() < 0.5,
        min_samples_leaf=random.choice([1.0, 2.0, 3.0]),
        min_labeled_split=random.choice([2.0, 4.0]),
        max_depth=None if random.random() < 0.7 else 2,
        target_scale=str(random.choice(["all", "known"])),
    )
    levels = [0.0] if task == "none" else [[0.5], [1.0], [0.0, 0.3, 1.0]][random.integers(3)]
    as_sparse = not n_categories.any() and random.random() < 0.5
    return Case(task, X, n_categories, Y, alphas, levels, growth, int(random.integers(2**32)), as_sparse)


def problem_of(case):
    """The problem as the kernel takes it."""
    features = Features(sparse.csr_array(case.X) if case.as_sparse else case.X, case.n_categories)
    classes = np.arange(3) if case.task == "classification" else None
    targets = Targets(case.task, case.Y, case.alphas, classes, HIERARCHY if case.task == "hierarchical" else None)
    return Problem(features, targets, encode_table(features, allow_sparse=_may_be_sparse(targets)))


def check(case):
    """Grow one tree for each level and check every node; the numbers of inner nodes and of the reference's tests."""
    growth, problem = case.settings, problem_of(case)
    rows = np.arange(len(case.X))
    given = problem, rows, case.levels, growth, 1, case.seed
    grown = grow_forest(*given, keep=True, by_target=case.task != "none")
    bag = Bags(rows, problem.labeled, growth.bootstrap).draw(derive_seed(case.seed, "bag", 0)).astype(float)
    counts = np.zeros(2, dtype=int)
    for level, (w, trees) in enumerate(zip(case.levels, grown.trees, strict=True)):
        grower = reference.ReferenceGrower(case, growth, rows, w)
        by_target = None if grown.by_target is None else grown.by_target[level]
        counts += check_tree(trees[0], grower, bag, growth.max_depth, derive_seed(case.seed, "tree", 0), by_target)
        leaves = apply_coded(trees[0], problem.table, rows.astype(np.int32))
        np.testing.assert_array_equal(leaves, apply_values(trees[0], np.ascontiguousarray(case.X)))
    return counts


def check_tree(tree, grower, bag, max_depth, seed, by_target):
    targets = np.zeros((grower.X.shape[1], max(1, grower.values.shape[1])))
    genie3, symbolic = np.zeros((2, grower.X.shape[1])), np.zeros((2, grower.X.shape[1]))
    waiting = [(0, np.flatnonzero(bag), reference.mix(seed), 0, None)]
    inner = same = 0
    while waiting:
        i, rows, state, depth, parent = waiting.pop()
        weight, labeled = bag[rows].sum(), bag[rows][grower.labeled[rows]].sum()
        assert (tree.weighted_n_node_samples[i], tree.weighted_n_labeled[i]) == (weight, labeled)
        node = reference.Node(rows, weight, labeled, value=grower._prototype(rows, bag, parent))
        np.testing.assert_allclose(tree.value[i], node.value, rtol=1e-9, atol=1e-12)
        stop = weight < 2 * grower.min_leaf or len(rows) < 2 or depth == max_depth
        stop = stop or (grower.w > 0 and labeled < grower.min_labeled)
        best = None if stop else grower._best_test(rows, bag, reference.Stream(state))
        if tree.feature[i] < 0:
            assert best is None or best[0] <= 2 * reference.SMALLEST_GAIN * weight
            continue
        assert not stop
        node.feature, node.threshold = tree.feature[i], tree.threshold[i]
        node.missing_right = tree.missing_go_to_right[i]
        if grower.n_categories[node.feature] > 2:
            node.categories = frozenset(tree.categories_right(i))
        right = grower.goes_right(node, grower.X[rows])
        h = grower.h(rows, right, bag, targets[node.feature])
        assert tree.impurity_decrease[i] == pytest.approx(h, rel=1e-5)
        assert h >= best[0] * (1 - 1e-5)
        chosen = (node.feature, node.categories or pytest.approx(node.threshold), node.missing_right)
        same += (best[1], best[3] or best[2], best[4]) == chosen
        inner += 1
        genie3[0, node.feature] += h
        symbolic[0, node.feature] += weight / bag.sum()
        for branch, part, child in ((0, ~right, tree.children_left[i]), (1, right, tree.children_right[i])):
            waiting.append((child, rows[part], reference.child_stream(state, branch), depth + 1, node))
    if by_target is not None:
        np.testing.assert_allclose(by_target, targets[:, : by_target.shape[1]], rtol=1e-5, atol=1e-9)
    tree.add_importances(genie3[1], symbolic[1])
    np.testing.assert_allclose(genie3[1], genie3[0], rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(symbolic[1], symbolic[0], rtol=1e-12)
    return inner, same


@pytest.mark.parametrize("task", [*TASKS, "none"])
def test_nodes_agree_with_the_reference(task):
    random = np.random.default_rng([*TASKS, "none"].index(task))
    inner, same = np.sum([check(make(task, random)) for _ in range(24)], axis=0)
    assert inner > 20
    assert same >= 0.98 * inner  # of two equally good ones the reference's, unless float32 decides


USUAL = {("classification", False, 0.1), ("classification", True, 0.0), ("multitarget", True, 0.1)}


@pytest.mark.parametrize(
    ("task", "random_tests", "holes"),
    [
        pytest.param(*case, marks=[] if case in USUAL else [pytest.mark.exhaustive])
        for case in product(["classification", "multitarget"], [False, True], [0.0, 0.1])
    ],
)
def test_over_64_categories_in_a_node_agree(task, random_tests, holes):
    """With over 64 categories, the set of a test needs more than one 64-bit word."""
    random = np.random.default_rng(4)
    n, k = 140, 67
    codes = np.r_[np.arange(k), random.integers(0, k, n - k)].astype(float)
    X = np.column_stack([codes, np.round(8 * random.normal(size=n)) / 8])
    effect = random.integers(-3, 4, k)[codes.astype(int)] + random.integers(-1, 2, n)
    X[random.random(n) < holes, 0] = np.nan
    if task == "classification":
        Y, alphas = np.digitize(effect, [-1, 2]).astype(float)[:, None], np.ones(1)
    else:
        Y, alphas = np.column_stack([effect, X[:, 1] + 0.25 * effect]), np.ones(2)
    Y[random.random(n) < 0.3] = np.nan
    growth = GrowthSettings(2, random_tests, False, 2.0, 4.0, 3, "all")
    case = Case(task, X, np.array([k, 0], dtype=np.int32), Y, alphas, [0.9], growth, 7)
    assert check(case)[0] > 3


ENSEMBLES, KINDS = ["random_forest", "extra_trees", "bagging"], ["narrow", "wide", "binary"]
#: Each kind of data and each ensemble once at three levels and once at one, in other pairs; all pairs in the long run.
CASES = [
    pytest.param(kind, ensemble, levels, marks=[] if (i - j) % 3 == usual else [pytest.mark.exhaustive])
    for levels, usual in (([0.0, 0.3, 1.0], 0), ([0.5], 1))
    for i, kind in enumerate(KINDS)
    for j, ensemble in enumerate(ENSEMBLES)
]


@pytest.mark.parametrize(("kind", "ensemble", "levels"), CASES)
def test_continuous_tables_agree_with_the_reference(kind, ensemble, levels):
    """Continuous tables, large or wide enough for every search strategy of the kernel."""
    random = np.random.default_rng(5)
    n, D = {"narrow": (90, 8), "wide": (50, 118), "binary": (120, 60)}[kind]
    X = random.normal(size=(n, D)) @ (np.eye(D) + 0.5 * random.normal(size=(D, D)) / np.sqrt(D))
    if kind == "binary":
        X = (random.random((n, D)) < 0.08).astype(float)
    Y = X[:, :3] @ random.normal(size=(3, 2)) + 0.5 * random.normal(size=(n, 2))
    X += 1e3 * (kind == "narrow")  # the kernel searches in float32; what it reports is summed in float64
    Y[random.random(n) > (1 if len(levels) == 1 else 0.5)] = np.nan
    max_features = 6 if ensemble == "random_forest" else D
    growth = GrowthSettings(max_features, ensemble == "extra_trees", ensemble != "extra_trees", 2.0, 4.0, None, "all")
    case = Case("multitarget", X, np.zeros(D, dtype=np.int32), Y, np.ones(2), levels, growth, 11)
    assert check(case)[0] > 10 * len(levels)


@pytest.mark.parametrize(("n_targets", "gaps"), [(33, 0.1), (64, 0.0)])
def test_wide_rows_and_many_tests_agree(n_targets, gaps):
    """Features and targets of many vectors, over 64 tests a feature, some with missing values."""
    random = np.random.default_rng(10)
    X = np.round(32 * random.normal(size=(130, 156))) / 32
    Y = np.round(16 * (X[:, :1] + X[:, 1:2] + random.normal(size=(130, n_targets)))) / 16
    X[:, :20][random.random((130, 20)) < gaps] = np.nan
    Y[random.random(130) < 0.4] = np.nan
    growth = GrowthSettings(3, False, True, 2.0, 4.0, 3, "all")
    none = np.zeros(156, dtype=np.int32)
    assert check(Case("multitarget", X, none, Y, np.ones(n_targets), [0.4], growth, 10))[0] > 3


def test_sparse_form_is_chosen_for_sparse_data():
    random = np.random.default_rng(0)
    dense, few = random.normal(size=(50, 5)), (random.random((50, 5)) < 0.05).astype(float)
    none = np.zeros(5, dtype=np.int32)
    assert not encode_table(Features(dense, none)).sparse
    assert encode_table(Features(few, none)).sparse
    assert encode_table(Features(sparse.csr_array(few), none)).sparse
    assert not encode_table(Features(sparse.csr_array(few), none), allow_sparse=False).sparse


def test_sparse_form_needs_jointly_known_targets():
    features = Features(np.eye(40), np.zeros(40, dtype=np.int32))
    table = encode_table(features)
    assert table.sparse
    Y = np.random.default_rng(0).normal(size=(40, 2))
    Y[3, 1] = np.nan
    targets = Targets("multitarget", Y, np.ones(2), None, None)
    with pytest.raises(ValueError, match=r"know only a part.*allow_sparse=False"):
        clustering_rows(features, targets, table, np.arange(40), [0.5], "all")


def test_sparse_and_dense_rows_grow_equal_trees():
    """Large enough that sides are summed entry by entry above, and by inner products further down."""
    random = np.random.default_rng(3)
    X = np.where(random.random((900, 40)) < 0.1, random.integers(1, 4, (900, 40)), 0).astype(float)
    Y = (X[:, :2] @ np.array([1.0, 0.5]) + 0.25 * random.integers(0, 4, 900))[:, None]
    Y[random.random(900) < 0.5] = np.nan
    in_sparse = numeric_problem("regression", X, Y)
    in_dense = replace(in_sparse, table=encode_table(in_sparse.features, allow_sparse=False))
    assert (in_sparse.table.sparse, in_dense.table.sparse) == (True, False)
    settings = GrowthSettings(40, False, True, 2.0, 4.0, None, "all")
    grown = [grow_forest(each, np.arange(900), [0.5, 0.9], settings, 1, 0, keep=True) for each in (in_sparse, in_dense)]
    for (tree,), (other,) in zip(*(forest.trees for forest in grown), strict=True):
        assert tree.node_count > 200
        np.testing.assert_array_equal(tree.feature, other.feature)
        np.testing.assert_array_equal(tree.threshold, other.threshold)
    np.testing.assert_allclose(grown[0].genie3, grown[1].genie3, rtol=1e-5)


@pytest.mark.parametrize("levels", [[0.5], [0.0, 0.2, 0.5, 0.8]])
@pytest.mark.parametrize(("n", "max_depth"), [(300, None), (70_000, 3)])
def test_inherited_orders_equal_sorting(n, max_depth, levels):
    """Bit for bit: also below nodes where levels part, and in large nodes, which always sort."""
    random = np.random.default_rng(5)
    X = np.column_stack(
        [random.normal(size=n), random.integers(0, 9, n), random.integers(0, 4, n), random.normal(size=n)]
    )
    Y = X[:, :1] + X[:, 1:2] * (X[:, 2:3] == 1) + random.normal(size=(n, 1))
    X[random.random(n) < 0.1, 3] = np.nan
    Y[random.random(n) < 0.5] = np.nan
    problem = numeric_problem("regression", X, Y, np.array([0, 0, 4, 0], dtype=np.int32))
    settings = GrowthSettings(4, False, True, 2.0, 4.0, max_depth, "all")
    handed, sorted_anew = with_and_without("orders", problem, levels, settings)
    assert len({tree.feature.tobytes() for (tree,) in handed.trees}) == len(levels)
    for (tree,), (other,) in zip(handed.trees, sorted_anew.trees, strict=True):
        assert tree.node_count > 10
        for name in ("feature", "threshold", "value", "impurity_decrease"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(other, name))


def ways_problem(way):
    """Data on which a way applies, in nodes large and small."""
    random = np.random.default_rng(11)
    n, D = (500, 140) if way == "products" else (500, 40)
    X = random.normal(size=(n, D)) + random.normal(size=(n, 1))
    if way == "two-valued":
        X = (X > 2.2).astype(float)
    Y = np.nan_to_num(X[:, :1]) + np.round(4 * random.normal(size=(n, 2))) / 4
    Y[random.random(n) < 0.4] = np.nan
    return numeric_problem("multitarget", X, Y)


@pytest.mark.parametrize(("way", "random_tests"), [*((way, False) for way in SEARCH_METHODS), ("products", True)])
@pytest.mark.parametrize("levels", [[0.4], [0.0, 0.3, 0.9]])
def test_split_search_strategies_agree(way, random_tests, levels):
    problem = ways_problem(way)
    settings = GrowthSettings(problem.features.shape[1], random_tests, True, 2.0, 4.0, None, "all")
    with_it, without = with_and_without(way, problem, levels, settings, n_trees=2)
    for tree, other in zip(chain(*with_it.trees), chain(*without.trees), strict=True):
        assert tree.node_count > 30
        same = (tree.feature == other.feature) & np.isclose(tree.threshold, other.threshold, rtol=0, equal_nan=True)
        assert same.mean() > 0.99  # float32 may decide between two features that part a node alike
        np.testing.assert_allclose(tree.impurity_decrease, other.impurity_decrease, rtol=1e-9, atol=1e-9)


def test_binary_feature_with_over_65535_rows():
    random, n = np.random.default_rng(2), 140_000
    X = (random.random((n, 12)) < 0.05).astype(float)
    X[:, 0] = X[:, 1] = random.random(n) < 0.49  # more entries than a short has numbers: the best test
    X[:, 3] = X[:, 2] * (random.random(n) < 0.95)  # the next best
    problem = numeric_problem("none", X, np.empty((n, 0)))
    assert problem.table.two_valued
    assert problem.table.column_start[1] > 1 << 16
    settings = GrowthSettings(12, False, True, 2.0, 4.0, 6, "all")
    two_valued, entries = (grown.trees[0][0] for grown in with_and_without("two-valued", problem, [0.0], settings))
    assert two_valued.feature[0] == 0
    np.testing.assert_array_equal(two_valued.feature, entries.feature)
    np.testing.assert_allclose(two_valued.impurity_decrease, entries.impurity_decrease, rtol=1e-9)


@pytest.mark.parametrize("task", TASKS)
def test_predictions_only_mode_keeps_predictions(task):
    random, counts = np.random.default_rng(TASKS.index(task)), np.zeros(2)
    for _ in range(12):
        case = make(task, random)
        rows = random.permutation(len(case.X))
        arguments = (problem_of(case), np.sort(rows[1:]), [0.0, 0.3, 0.9], case.settings, 4, 5)
        whole = grow_forest(*arguments, predict=rows[:1], keep=True)
        part = grow_forest(*arguments, predict=rows[:1], only_predict=True, keep=True)
        np.testing.assert_array_equal(part.predictions, whole.predictions)
        counts += [sum(tree.node_count for tree in chain(*forest.trees)) for forest in (part, whole)]
    assert counts[0] < counts[1]
