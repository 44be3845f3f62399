"""Every chosen test is the best one to 1e-5 relative, in float64 and without the kernel's rules for ties.

Data are continuous and wide enough for all ways in which the kernel searches. Only the random numbers (which
features, which thresholds) are those of the kernel.
"""

import numpy as np
import pytest

from references import grower as reference
from sslrank.core.features import Features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import Targets
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.forest import PCTForestRanker
from sslrank.rankers.trees.growing import Bags, GrowthSettings, Problem, grow_forest


def impurities(sums, squares, weight):
    """Sum of the columns' variances from their sums and squares, NaN without weight."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return ((squares - sums**2 / weight[..., None]) / weight[..., None]).sum(axis=-1)


def decreases(columns, counts, counted, sides):
    """|E| impu(E) - |A| impu(A) - |B| impu(B) for many tests; sides[b] says which rows are in A.

    Impurities are means over the `counted` rows; branches without any have the impurity of E.
    """
    inside = counts * counted
    total, total_a = counts.sum(), sides @ counts
    if not inside.any():
        return np.zeros(len(sides))
    whole = impurities(inside @ columns, inside @ columns**2, inside.sum())
    result = total * whole
    for part, weight in ((sides, total_a), (~sides, total - total_a)):
        known = part @ inside
        impurity = impurities((part * inside) @ columns, (part * inside) @ columns**2, known)
        result = result - weight * np.where(known > 0, impurity, whole)
    return result


def standardised(columns, rows):
    return (columns - columns[rows].mean(axis=0)) / columns[rows].std(axis=0) / np.sqrt(columns.shape[1])


def candidate_sides(X, rows, counts, feature, ensemble, stream):
    x = X[rows, feature]
    present = np.unique(x)
    if ensemble == "extra_trees":
        thresholds = present[:1] + stream.uniform() * (present[-1] - present[0])
    else:
        thresholds = present[:-1]
    sides = x > thresholds[:, None]
    heavy = np.minimum(sides @ counts, ~sides @ counts) >= 2
    return sides[heavy]


def check_tree(tree, X, Y, labeled, bag, w, ensemble, max_features, seed):
    train = np.arange(len(X))
    Zf = standardised(X, train)
    Zt = standardised(np.where(labeled[:, None], Y, 0), train[labeled])
    drawing = reference.ReferenceGrower(
        X, np.zeros(X.shape[1]), Y, "multitarget", np.ones(Y.shape[1]), train, w, max_features=max_features
    )

    def h_of(rows, sides):
        of_features = decreases(Zf[rows], bag[rows], np.ones(len(rows)), sides)
        return (1 - w) * of_features + w * decreases(Zt[rows], bag[rows], labeled[rows], sides)

    waiting = [(0, np.flatnonzero(bag), reference.mix(seed))]
    inner = 0
    while waiting:
        node, rows, state = waiting.pop()
        weight, known = bag[rows].sum(), bag[rows][labeled[rows]].sum()
        if weight < 4 or (w > 0 and known < 4):
            assert tree.feature[node] < 0
            continue
        stream = reference.Stream(state)
        best = 0.0
        for feature in drawing._sample(stream):
            sides = candidate_sides(X, rows, bag[rows], feature, ensemble, stream)
            if len(sides):
                best = max(best, h_of(rows, sides).max())
        if tree.feature[node] < 0:
            assert best <= 2e-6 * weight
            continue
        right = X[rows, tree.feature[node]] > tree.threshold[node]
        h = h_of(rows, right[None])[0]
        assert tree.impurity_decrease[node] == pytest.approx(h, rel=1e-5)
        assert h >= best * (1 - 1e-5)
        inner += 1
        waiting.append((tree.children_left[node], rows[~right], reference.child_stream(state, 0)))
        waiting.append((tree.children_right[node], rows[right], reference.child_stream(state, 1)))
    return inner


ENSEMBLES, KINDS = ["random_forest", "extra_trees", "bagging"], ["narrow", "wide", "binary"]
#: Each kind of data and each ensemble once at three levels and once at one, in other pairs; all pairs in the long run.
CASES = [
    pytest.param(kind, ensemble, levels, marks=[] if (i - j) % 3 == usual else [pytest.mark.exhaustive])
    for levels, usual in (([0.0, 0.3, 1.0], 0), ([0.5], 1))
    for i, kind in enumerate(KINDS)
    for j, ensemble in enumerate(ENSEMBLES)
]


@pytest.mark.parametrize(("kind", "ensemble", "levels"), CASES)
def test_chosen_tests_are_the_best(kind, ensemble, levels):
    random = np.random.default_rng(5)
    n, D = {"narrow": (240, 8), "wide": (50, 118), "binary": (160, 60)}[kind]
    X = random.normal(size=(n, D)) @ (np.eye(D) + 0.5 * random.normal(size=(D, D)) / np.sqrt(D))
    if kind == "binary":
        X = (random.random((n, D)) < 0.08).astype(float)
    Y = X[:, :3] @ random.normal(size=(3, 2)) + 0.5 * random.normal(size=(n, 2))
    labeled = random.random(n) < (1 if len(levels) == 1 else 0.5)
    Y[~labeled] = np.nan
    features, targets = Features(X, np.zeros(D, dtype=np.int32)), Targets("multitarget", Y, np.ones(2), None, None)
    table = encode_table(features)
    assert table.sparse == (kind == "binary")
    max_features = 6 if ensemble == "random_forest" else D
    settings = GrowthSettings(max_features, ensemble == "extra_trees", ensemble != "extra_trees", 2.0, 4.0, None, "all")
    train = np.arange(n)
    grown = grow_forest(Problem(features, targets, table), train, levels, settings, 1, 11, keep=True)
    bag = Bags(train, labeled, settings.bootstrap).draw(derive_seed(11, "bag", 0)).astype(float)
    for w, trees in zip(levels, grown.trees, strict=True):
        inner = check_tree(trees[0], X, Y, labeled, bag, w, ensemble, max_features, derive_seed(11, "tree", 0))
        assert inner > 10


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
