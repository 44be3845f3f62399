"""Trees of problems that hypothesis makes up: any shape, holes, many categories, sparse, every kind of target.

Every node of a kernel's tree is judged by the NumPy reference: whether it had to stop, what its test gives, and that
no other test gives more. Numbers lie on a grid, so that float32 does not decide between two tests.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from references import grower as reference
from sslrank.core.features import Features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import Targets
from sslrank.rankers.trees._permutation import apply_coded, apply_values
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.estimator import _may_be_sparse
from sslrank.rankers.trees.forest import PCTForestRanker
from sslrank.rankers.trees.growing import Bags, GrowthSettings, Problem, grow_forest

COLUMNS = {"grid": 0, "whole": 0, "zeros": 0, "constant": 0, "yes-no": 2, "few": 5, "word": 64, "two-words": 130}
HIERARCHY = ((), (0,), (0,), (1, 2))


@dataclass
class Made:
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


@st.composite
def problems(draw):
    task = draw(st.sampled_from(["none", "classification", "regression", "multitarget", "multilabel", "hierarchical"]))
    kinds = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=5))
    if draw(st.booleans()):
        kinds = ["zeros"] * draw(st.integers(1, 6))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(2, 40))
    X = np.column_stack([column(kind, n, random) for kind in kinds])
    if draw(st.booleans()):
        X[random.random(X.shape) < draw(st.sampled_from([0.1, 0.5]))] = np.nan
    Y, alphas = make_targets(task, X, random)
    Y[random.random(n) < draw(st.sampled_from([0.0, 0.5, 0.9]))] = np.nan
    if draw(st.booleans()):  # rows of which some targets are known
        Y[random.random(Y.shape) < 0.2] = np.nan
    n_categories = np.array([COLUMNS[kind] for kind in kinds], dtype=np.int32)
    growth = GrowthSettings(
        max_features=draw(st.integers(1, len(kinds))),
        random_tests=draw(st.booleans()),
        bootstrap=draw(st.booleans()),
        min_samples_leaf=draw(st.sampled_from([1.0, 2.0, 3.0])),
        min_labeled_split=draw(st.sampled_from([2.0, 4.0])),
        max_depth=draw(st.sampled_from([None, 2])),
        target_scale=draw(st.sampled_from(["all", "known"])),
    )
    levels = [0.0] if task == "none" else draw(st.sampled_from([[0.5], [1.0], [0.0, 0.3, 1.0]]))
    as_sparse = not n_categories.any() and draw(st.booleans())
    return Made(task, X, n_categories, Y, alphas, levels, growth, draw(st.integers(0, 2**32 - 1)), as_sparse)


def check(made):
    """Grow one tree for each level and judge every node; the number of inner nodes."""
    n, growth = len(made.X), made.settings
    features = Features(sparse.csr_array(made.X) if made.as_sparse else made.X, made.n_categories)
    classes = np.arange(3) if made.task == "classification" else None
    targets = Targets(made.task, made.Y, made.alphas, classes, HIERARCHY if made.task == "hierarchical" else None)
    problem = Problem(features, targets, encode_table(features, allow_sparse=_may_be_sparse(targets)))
    rows = np.arange(n)
    grown = grow_forest(problem, rows, made.levels, growth, 1, made.seed, keep=True)
    bag = Bags(rows, problem.labeled, growth.bootstrap).draw(derive_seed(made.seed, "bag", 0)).astype(float)
    inner = 0
    for w, trees in zip(made.levels, grown.trees, strict=True):
        grower = reference.ReferenceGrower(
            *(made.X, made.n_categories, made.Y, made.task, made.alphas, rows, w),
            n_classes=3 if made.task == "classification" else 0,
            max_features=growth.max_features,
            random_tests=growth.random_tests,
            min_leaf=growth.min_samples_leaf,
            min_labeled=growth.min_labeled_split,
            target_scale=growth.target_scale,
        )
        inner += check_tree(trees[0], grower, bag, growth.max_depth, derive_seed(made.seed, "tree", 0))
        leaves = apply_coded(trees[0], problem.table, rows.astype(np.int32))
        np.testing.assert_array_equal(leaves, apply_values(trees[0], np.ascontiguousarray(made.X)))
    return inner


def check_tree(tree, grower, bag, max_depth, seed):
    waiting = [(0, np.flatnonzero(bag), reference.mix(seed), 0, None)]
    inner = 0
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
        h = grower.h(rows, right, bag)
        assert tree.impurity_decrease[i] == pytest.approx(h, rel=1e-5)
        assert h >= best[0] * (1 - 1e-5)
        inner += 1
        for branch, part, child in ((0, ~right, tree.children_left[i]), (1, right, tree.children_right[i])):
            waiting.append((child, rows[part], reference.child_stream(state, branch), depth + 1, node))
    return inner


@settings(max_examples=80, derandomize=True)
@given(problems())
def test_every_node_is_what_the_reference_asks_for(made):
    check(made)


USUAL = {("classification", False, 0.1), ("classification", True, 0.0), ("multitarget", True, 0.1)}


@pytest.mark.parametrize(
    ("task", "random_tests", "holes"),
    [
        pytest.param(*case, marks=[] if case in USUAL else [pytest.mark.exhaustive])
        for case in product(["classification", "multitarget"], [False, True], [0.0, 0.1])
    ],
)
def test_more_than_64_categories_in_a_node(task, random_tests, holes):
    """So many that the sets of a test need more than one word of 64 bits."""
    random = np.random.default_rng(4)
    n, k = 170, 75
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
    made = Made(task, X, np.array([k, 0], dtype=np.int32), Y, alphas, [0.9], growth, 7)
    assert check(made) > 3


ENSEMBLES, KINDS = ["random_forest", "extra_trees", "bagging"], ["narrow", "wide", "binary"]
#: Each kind of data and each ensemble once at three levels and once at one, in other pairs; all pairs in the long run.
CASES = [
    pytest.param(kind, ensemble, levels, marks=[] if (i - j) % 3 == usual else [pytest.mark.exhaustive])
    for levels, usual in (([0.0, 0.3, 1.0], 0), ([0.5], 1))
    for i, kind in enumerate(KINDS)
    for j, ensemble in enumerate(ENSEMBLES)
]


@pytest.mark.parametrize(("kind", "ensemble", "levels"), CASES)
def test_numbers_off_the_grid(kind, ensemble, levels):
    """Continuous tables, large or wide enough for all ways in which the kernel searches."""
    random = np.random.default_rng(5)
    n, D = {"narrow": (240, 8), "wide": (50, 118), "binary": (160, 60)}[kind]
    X = random.normal(size=(n, D)) @ (np.eye(D) + 0.5 * random.normal(size=(D, D)) / np.sqrt(D))
    if kind == "binary":
        X = (random.random((n, D)) < 0.08).astype(float)
    Y = X[:, :3] @ random.normal(size=(3, 2)) + 0.5 * random.normal(size=(n, 2))
    Y[random.random(n) > (1 if len(levels) == 1 else 0.5)] = np.nan
    max_features = 6 if ensemble == "random_forest" else D
    growth = GrowthSettings(max_features, ensemble == "extra_trees", ensemble != "extra_trees", 2.0, 4.0, None, "all")
    made = Made("multitarget", X, np.zeros(D, dtype=np.int32), Y, np.ones(2), levels, growth, 11)
    assert check(made) > 10 * len(levels)


@pytest.mark.parametrize("w", [0.4, 1.0])
@pytest.mark.parametrize("task", ["multitarget", "multilabel"])
def test_target_importances_of_a_forest(task, w):
    """The sums over the reference's trees, target by target."""
    random = np.random.default_rng(8)
    X = np.round(32 * random.normal(size=(60, 5))) / 32
    Y = np.round(16 * (X[:, :3] + 0.5 * random.normal(size=(60, 3)))) / 16
    if task == "multilabel":
        Y = (Y > 0.3).astype(float)
    Y[random.permutation(60)[35:]] = np.nan
    ranker = PCTForestRanker(ensemble="bagging", supervision=w, n_estimators=4, task=task, random_state=2).fit(X, Y)
    seed = derive_seed(ranker.resolve_seed(), "forest")
    train, labeled = np.arange(60), ~np.isnan(Y).all(axis=1)
    expected, genie3 = np.zeros((5, 3)), np.zeros(5)
    for number in range(4):
        grower = reference.ReferenceGrower(X, np.zeros(5), Y, task, np.ones(3), train, w)
        bag = Bags(train, labeled, True).draw(derive_seed(seed, "bag", number)).astype(float)
        for node in reference.preorder(grower.grow(bag, derive_seed(seed, "tree", number))):
            if node.feature >= 0:
                expected[node.feature] += node.h_by_target / 4
                genie3[node.feature] += node.h / 4
    np.testing.assert_allclose(ranker.target_importances_, expected, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(ranker.importances_["genie3"], genie3, rtol=1e-5)
    rest = ranker.importances_["genie3"] - ranker.target_importances_.sum(axis=1)
    assert (rest > 0).all() if w < 1 else np.allclose(rest, 0)
