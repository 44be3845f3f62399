"""The kernel grows the same trees as the NumPy reference, node for node."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from scipy import sparse

from references import grower as reference
from sslrank.core.features import Features
from sslrank.core.targets import Targets
from sslrank.rankers.trees._builder import Builder
from sslrank.rankers.trees.clustering import clustering_rows
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.growing import Bags, GrowthSettings, Problem, grow_forest
from sslrank.rankers.trees.search_plan import WAYS, plan_search

PARENTS = ((), (0,), (0,), (1, 2), ())
ALPHAS = np.array([1.0, 0.75, 0.75, 0.75 * 0.75, 1.0])


def make_problem(task, kind, random, n=40, D=6):
    """Features of a kind and targets that depend on them, on a grid: float32 must not decide ties."""
    X = np.round(32 * random.normal(size=(n, D))) / 32
    n_categories = np.zeros(D, dtype=np.int32)
    if kind == "duplicates":
        X = np.round(X)
        X[:, 3] = X[:, 2]
    elif kind == "binary":
        X = (X > 1.6).astype(float)
    elif kind == "sparse":
        X = np.where(random.random((n, D)) < 0.1, np.round(2 * X), 0)
    elif kind in ("nominal", "nominal-missing"):
        for j, k in ((1, 4), (2, 2), (4, 3)):
            n_categories[j] = k
            X[:, j] = random.integers(0, k, n)
    if kind == "wide":
        X += np.round(1024 * random.random((n, D))) / 32768  # hardly any two alike
        X[:, :20][random.random((n, 20)) < 0.1] = np.nan
    elif kind in ("missing", "nominal-missing"):
        X[random.random((n, D)) < 0.15] = np.nan
        X[:, 5] = np.nan
    signal = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) + 0.3 * random.normal(size=n)
    signal = np.round(16 * signal) / 16
    alphas = np.ones(1)
    n_classes = 0
    if task == "none":
        Y = np.empty((n, 0))
    elif task == "classification":
        n_classes = 3
        Y = np.digitize(signal, [-0.5, 0.7]).astype(float)[:, None]
    elif task == "regression":
        Y = signal[:, None]
    elif task == "multitarget":
        Y = np.column_stack([signal, random.normal(size=n), np.full(n, 2.0)])
        if kind == "wide":
            Y = np.column_stack([Y, np.round(16 * random.normal(size=(n, 30))) / 16])
        alphas = np.ones(Y.shape[1])
    else:
        Y = (signal[:, None] + random.normal(size=(n, 5)) > 0.4).astype(float)
        Y[:, 4] = 0
        alphas = np.ones(5)
        if task == "hierarchical":
            Y[:, 1] = np.maximum(Y[:, 1], Y[:, 3])
            Y[:, 2] = np.maximum(Y[:, 2], Y[:, 3])
            Y[:, 0] = Y[:, :4].max(axis=1)
            alphas = ALPHAS
    return X, n_categories, Y, alphas, n_classes


def grow_both(task, kind, ensemble, levels, scale, seed):
    random = np.random.default_rng(seed)
    n, D = {"binary": (120, 6), "wide": (130, 156)}.get(kind, (40, 6))
    X, n_categories, Y, alphas, n_classes = make_problem(task, kind, random, n, D)
    if Y.shape[1]:
        Y[random.random(n) < 0.4] = np.nan
    features = Features(sparse.csr_array(X) if kind == "sparse" else X, n_categories)
    classes = np.arange(n_classes) if n_classes else None
    targets = Targets(task, Y, alphas, classes, PARENTS if task == "hierarchical" else None)
    train = np.sort(random.permutation(n)[: n - 8])
    table = encode_table(features)
    problem = Problem(features, targets, table)
    max_features = 3 if ensemble == "random_forest" else D
    random_tests = ensemble == "extra_trees"
    rows = clustering_rows(features, targets, table, train, levels, scale)
    settings = GrowthSettings(max_features, random_tests, ensemble != "extra_trees", 2.0, 4.0, None, scale)
    builder = Builder(
        plan_search(table, rows, settings, levels),
        problem.values,
        problem.known_together,
        -1,
        4.0,
        rows.target_of_column,
        max(1, Y.shape[1]),
    )
    counts = Bags(train, problem.labeled, ensemble != "extra_trees").draw(seed)
    weights = np.zeros(n, dtype=np.float32)
    weights[train] = counts
    trees, by_target = builder.grow(train[counts > 0].astype(np.int32), weights, seed)
    expected = [
        reference.ReferenceGrower(
            X,
            n_categories,
            Y,
            task,
            alphas,
            train,
            w,
            n_classes=n_classes,
            max_features=max_features,
            random_tests=random_tests,
            target_scale=scale,
        ).grow(weights.astype(float), seed)
        for w in levels
    ]
    return trees, by_target, expected


def assert_same(tree, expected):
    """Kernel nodes come in the order: parent, left subtree, right subtree."""
    nodes = list(reference.preorder(expected))
    assert tree.node_count == len(nodes)
    value = tree.value
    for i, node in enumerate(nodes):
        assert tree.feature[i] == node.feature
        assert tree.weighted_n_node_samples[i] == node.weight
        assert tree.weighted_n_labeled[i] == node.labeled
        np.testing.assert_allclose(value[i], node.value, rtol=1e-9, atol=1e-12)
        if node.feature < 0:
            continue
        if node.categories is None:
            assert tree.threshold[i] == pytest.approx(node.threshold, rel=1e-12)
        else:
            assert tree.categories_right(i) == sorted(node.categories)
        assert tree.missing_go_to_right[i] == node.missing_right
        assert tree.impurity_decrease[i] == pytest.approx(node.h, rel=1e-5, abs=1e-6)


KINDS = ["dense", "duplicates", "binary", "sparse", "nominal", "missing", "nominal-missing"]
TASKS = ["none", "classification", "regression", "multitarget", "multilabel", "hierarchical"]


#: Every pair of kind, task and ensemble once; every problem of test_growing_hypothesis.py is a triple of its own.
CASES = [
    (task, kind, ["random_forest", "extra_trees", "bagging"][(i + j) % 3])
    for i, task in enumerate(TASKS)
    for j, kind in enumerate(KINDS)
]


@pytest.mark.parametrize(("task", "kind", "ensemble"), CASES)
def test_same_tree_as_reference(task, kind, ensemble):
    levels = [0.0] if task == "none" else [0.0, 0.4, 1.0]
    for seed, scale in ((1, "all"), (2, "known"))[: 2 if ensemble == "bagging" else 1]:
        trees, by_target, expected = grow_both(task, kind, ensemble, levels, scale, seed)
        for k, tree in enumerate(trees):
            assert_same(tree, expected[k])
            genie3, symbolic = np.zeros(6), np.zeros(6)
            tree.add_importances(genie3, symbolic)
            inner = [node for node in reference.preorder(expected[k]) if node.feature >= 0]
            for f in range(6):
                h = sum(node.h for node in inner if node.feature == f)
                assert genie3[f] == pytest.approx(h, rel=1e-5, abs=1e-9)
                share = sum(node.weight for node in inner if node.feature == f) / expected[k].weight
                assert symbolic[f] == pytest.approx(share, rel=1e-12)
                if task != "none":
                    parts = sum(node.h_by_target for node in inner if node.feature == f)
                    wanted = np.zeros(by_target.shape[2]) if np.isscalar(parts) else parts[: by_target.shape[2]]
                    np.testing.assert_allclose(by_target[k, f], wanted, rtol=1e-5, atol=1e-7)


def test_rows_wider_than_registers_and_more_tests_than_one_pass():
    """Features and targets of many vectors, over 64 tests a feature, some with missing values."""
    trees, _, expected = grow_both("multitarget", "wide", "random_forest", [0.4], "all", 10)
    assert_same(trees[0], expected[0])
    assert trees[0].feature[0] < 20  # with missing values


def test_sparse_form_is_chosen_where_it_pays():
    random = np.random.default_rng(0)
    dense, few = random.normal(size=(50, 5)), (random.random((50, 5)) < 0.05).astype(float)
    none = np.zeros(5, dtype=np.int32)
    assert not encode_table(Features(dense, none)).sparse
    assert encode_table(Features(few, none)).sparse
    assert encode_table(Features(sparse.csr_array(few), none)).sparse
    assert not encode_table(Features(sparse.csr_array(few), none), allow_sparse=False).sparse


def test_sparse_rows_need_targets_known_together():
    features = Features(np.eye(40), np.zeros(40, dtype=np.int32))
    table = encode_table(features)
    assert table.sparse
    Y = np.random.default_rng(0).normal(size=(40, 2))
    Y[3, 1] = np.nan
    targets = Targets("multitarget", Y, np.ones(2), None, None)
    with pytest.raises(ValueError, match=r"know only a part.*allow_sparse=False"):
        clustering_rows(features, targets, table, np.arange(40), [0.5], "all")


def test_sparse_rows_grow_the_trees_of_dense_rows():
    """Large enough that sides are summed entry by entry above, and by inner products further down."""
    random = np.random.default_rng(3)
    X = np.where(random.random((900, 40)) < 0.1, random.integers(1, 4, (900, 40)), 0).astype(float)
    Y = (X[:, :2] @ np.array([1.0, 0.5]) + 0.25 * random.integers(0, 4, 900))[:, None]
    Y[random.random(900) < 0.5] = np.nan
    features = Features(X, np.zeros(40, dtype=np.int32))
    targets = Targets("regression", Y, np.ones(1), None, None)
    train, grown = np.arange(900), []
    settings = GrowthSettings(40, False, True, 2.0, 4.0, None, "all")
    for allow_sparse in (True, False):
        table = encode_table(features, allow_sparse=allow_sparse)
        assert table.sparse == allow_sparse
        problem = Problem(features, targets, table)
        grown.append(grow_forest(problem, train, [0.5, 0.9], settings, 1, 0, keep=True))
    for in_sparse, in_dense in zip(*(forest.trees for forest in grown), strict=True):
        assert in_sparse[0].node_count > 200
        np.testing.assert_array_equal(in_sparse[0].feature, in_dense[0].feature)
        np.testing.assert_array_equal(in_sparse[0].threshold, in_dense[0].threshold)
    np.testing.assert_allclose(grown[0].genie3, grown[1].genie3, rtol=1e-5)


@pytest.mark.parametrize("levels", [[0.5], [0.0, 0.2, 0.5, 0.8]])
@pytest.mark.parametrize(("n", "max_depth"), [(300, None), (70_000, 3)])
def test_orders_handed_down_are_those_of_sorting(n, max_depth, levels):
    """Bit for bit: also below nodes where levels part, and in large nodes, which always sort."""
    random = np.random.default_rng(5)
    X = np.column_stack(
        [random.normal(size=n), random.integers(0, 9, n), random.integers(0, 4, n), random.normal(size=n)]
    )
    Y = X[:, :1] + X[:, 1:2] * (X[:, 2:3] == 1) + random.normal(size=(n, 1))
    X[random.random(n) < 0.1, 3] = np.nan
    Y[random.random(n) < 0.5] = np.nan
    features = Features(X, np.array([0, 0, 4, 0], dtype=np.int32))
    problem = Problem(features, Targets("regression", Y, np.ones(1), None, None), encode_table(features))
    settings = GrowthSettings(4, False, True, 2.0, 4.0, max_depth, "all")
    handed, sorted_anew = (
        grow_forest(problem, np.arange(n), levels, replace(settings, without=ways), 1, 0, keep=True).trees
        for ways in (frozenset(), frozenset(["orders"]))
    )
    assert len({tree.feature.tobytes() for (tree,) in handed}) == len(levels)
    for (tree,), (other,) in zip(handed, sorted_anew, strict=True):
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
    features = Features(X, np.zeros(D, dtype=np.int32))
    return Problem(features, Targets("multitarget", Y, np.ones(2), None, None), encode_table(features))


@pytest.mark.parametrize(("way", "random_tests"), [*((way, False) for way in WAYS), ("products", True)])
@pytest.mark.parametrize("levels", [[0.4], [0.0, 0.3, 0.9]])
def test_a_way_is_faster_not_different(way, random_tests, levels):
    problem = ways_problem(way)
    n, D = problem.features.shape
    settings = GrowthSettings(D, random_tests, True, 2.0, 4.0, None, "all", without=frozenset())
    with_it, without = (
        grow_forest(problem, np.arange(n), levels, replace(settings, without=ways), 2, 0, keep=True)
        for ways in (frozenset(), frozenset([way]))
    )
    for tree, other in zip(chain(*with_it.trees), chain(*without.trees), strict=True):
        assert tree.node_count > 30
        same = (tree.feature == other.feature) & np.isclose(tree.threshold, other.threshold, rtol=0, equal_nan=True)
        assert same.mean() > 0.99  # float32 may decide between two features that part a node alike
        np.testing.assert_allclose(tree.impurity_decrease, other.impurity_decrease, rtol=1e-9, atol=1e-9)


def test_two_values_in_more_rows_than_a_short_weight_can_count():
    random, n = np.random.default_rng(2), 140_000
    X = (random.random((n, 12)) < 0.05).astype(float)
    X[:, 0] = X[:, 1] = random.random(n) < 0.49  # more entries than a short has numbers: the best test
    X[:, 3] = X[:, 2] * (random.random(n) < 0.95)  # the next best
    features = Features(X, np.zeros(12, dtype=np.int32))
    problem = Problem(features, Targets("none", np.empty((n, 0)), np.ones(0), None, None), encode_table(features))
    assert problem.table.two_valued
    assert problem.table.column_start[1] > 1 << 16
    settings = GrowthSettings(12, False, True, 2.0, 4.0, 6, "all")
    two_valued, entries = (
        grow_forest(problem, np.arange(n), [0.0], replace(settings, without=ways), 1, 0, keep=True).trees[0][0]
        for ways in (frozenset(), frozenset(["two-valued"]))
    )
    assert two_valued.feature[0] == 0
    np.testing.assert_array_equal(two_valued.feature, entries.feature)
    np.testing.assert_allclose(two_valued.impurity_decrease, entries.impurity_decrease, rtol=1e-9)


@pytest.mark.parametrize("task", TASKS[1:])
@pytest.mark.parametrize("kind", KINDS)
def test_growing_for_predictions_only_changes_none_of_them(task, kind):
    random, counts = np.random.default_rng(KINDS.index(kind)), np.zeros(2)
    for partial in (False, True):
        X, n_categories, Y, alphas, n_classes = make_problem(task, kind, random, n=160)
        Y[random.random(160) < 0.6] = np.nan
        if partial:
            Y[random.random(Y.shape) < 0.3] = np.nan
        targets = Targets(task, Y, alphas, np.arange(n_classes) if n_classes else None, PARENTS)
        features = Features(X, n_categories)
        problem = Problem(features, targets, encode_table(features, allow_sparse=not partial))
        rows = random.permutation(160)
        for ensemble in ("random_forest", "extra_trees", "bagging"):
            settings = GrowthSettings(
                3 if ensemble == "random_forest" else 6, ensemble == "extra_trees", True, 2.0, 4.0, None, "all"
            )
            arguments = (problem, np.sort(rows[8:]), [0.0, 0.3, 0.9], settings, 4, 5)
            all_of_it = grow_forest(*arguments, predict=rows[:8], keep=True)
            part = grow_forest(*arguments, predict=rows[:8], only_predict=True, keep=True)
            np.testing.assert_array_equal(part.predictions, all_of_it.predictions)
            counts += [sum(tree.node_count for tree in chain(*forest.trees)) for forest in (part, all_of_it)]
    assert counts[0] < counts[1]
