"""Scores with the original program's defects, against plain loops; test_clus.py has that program's output."""

import numpy as np
import pytest

from references.grower import one_hot
from sslrank import PCTForestRanker
from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.metrics.single import measure_for
from sslrank.rankers.trees._permutation import apply_values
from sslrank.rankers.trees.original import OriginalForest, _order_of_walk, cumulative_permutation, raw_genie3


def leaves_below(tree, node):
    if tree.feature[node] < 0:
        return [node]
    return leaves_below(tree, tree.children_left[node]) + leaves_below(tree, tree.children_right[node])


def spread(columns, rows):
    """Sum of squares about the mean of the known values, None without any."""
    known = columns[rows & ~np.isnan(columns[:, 0])]
    return ((known - known.mean(axis=0)) ** 2).sum() if len(known) else None


def plain_raw_genie3(tree, leaves, n_features, variables):
    """Variables are columns, a factor, and the share of its parent's impurity that an unlabelled branch has."""
    scores = np.zeros(n_features)
    for node in np.flatnonzero(tree.feature >= 0):
        for columns, factor, share in variables:
            whole, left, right = (
                spread(columns, np.isin(leaves, leaves_below(tree, at)))
                for at in (node, tree.children_left[node], tree.children_right[node])
            )
            if whole is not None:
                gain = whole - sum(share * whole if part is None else part for part in (left, right))
                scores[tree.feature[node]] += factor * gain / len(variables)
    return scores


def grown(task):
    """Return a ranker of one tree on 60 rows with missing values and few labels, its table, coded targets and a bag."""
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 3)) * [1, 50, 1]
    X[:, 2] = random.integers(0, 3, 60)
    X[random.random(60) < 0.2, 1] = np.nan
    y = {
        "classification": random.integers(0, 3, 60).astype(float),
        "regression": random.normal(size=60),
        "multilabel": (random.random((60, 2)) < 0.4).astype(float),
        "hierarchical": (random.random((60, 2)) < 0.6).cumprod(axis=1).astype(float),
    }[task]
    y[random.random(60) < 0.6] = np.nan
    hierarchy = [[], [0]] if task == "hierarchical" else None
    bag = random.integers(0, 3, 60)
    ranker = PCTForestRanker(
        ensemble="bagging",
        supervision=0.5,
        n_estimators=1,
        categorical_features=[2],
        task=task,
        hierarchy=hierarchy,
        bootstrap=False,
    ).fit(X, y)
    return ranker, X, encode_targets(y, 60, task=task, hierarchy=hierarchy), bag


@pytest.mark.parametrize("supervised", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression", "multilabel", "hierarchical"])
def test_raw_genie3_is_the_unnormalised_sum(task, supervised):
    ranker, X, targets, bag = grown(task)
    variables = [] if supervised else [(X[:, [0]], 1, 1), (X[:, [1]], 1, 1), (one_hot(X[:, 2], 3), 1, 0)]
    if task == "classification":
        variables.append((one_hot(targets.values[:, 0], 3), 1, 0))
    elif task == "multilabel":
        variables += [(one_hot(targets.values[:, j], 2), 1, 0) for j in range(2)]
    elif task == "hierarchical":  # one variable; labels weigh 1 and 0.75
        variables.append((targets.values * np.sqrt([1, 0.75]), 1 / 2 if supervised else 1 / 1.75, 1 / 2))
    else:
        variables.append((targets.values, 1, 1))
    tree = ranker.estimators_[0]
    found = raw_genie3([tree], [bag], np.arange(60), encode_features(X, [2]), targets, supervised)
    assert tree.node_count > 5
    drawn = np.repeat(np.arange(60), bag)
    variables = [(columns[drawn], *rest) for columns, *rest in variables]
    np.testing.assert_allclose(found, plain_raw_genie3(tree, ranker.apply(X)[drawn, 0], 3, variables))


@pytest.mark.parametrize("task", [None, "classification", "multilabel", "regression"])
def test_unlabelled_trees_keep_their_leaves(task):
    X = np.random.default_rng(0).normal(size=(20, 3))
    y = {None: None, "multilabel": np.full((20, 2), np.nan)}.get(task, np.full(20, np.nan))
    ranker = OriginalForest(n_estimators=2, task=task or "auto", random_state=0).fit(X, y)
    assert (ranker.feature_importances_ > 0).all()


def test_tree_walk_starts_at_root_and_passing_branch():
    X = np.random.default_rng(0).normal(size=(400, 3))
    y = np.where(X[:, 1] > 0, 10 + (X[:, 2] > 0), 0.5 * (X[:, 0] > 0))
    params = {"supervision": 1, "n_estimators": 1, "bootstrap": False, "task": "regression"}
    tree = PCTForestRanker(ensemble="bagging", **params).fit(X, y).estimators_[0]
    assert list(_order_of_walk(tree)) == [1, 2, 0]


@pytest.mark.parametrize("task", ["classification", "regression", "multilabel", "hierarchical"])
def test_cumulative_permutation_equals_plain_bitwise(task):
    ranker, X, targets, bag = grown(task)
    bag[:40] = 0
    tree, measure = ranker.estimators_[0], measure_for(task)
    out = np.flatnonzero((bag == 0) & targets.labeled)
    random = np.random.Generator(np.random.PCG64(derive_seed(7, "permutation", 0)))
    rows, expected = X[out].copy(), np.zeros(3)
    values = tree.value
    if task == "classification":  # a leaf with as many rows of two classes predicts the first of them
        assert (np.sort(values)[:, -1] == np.sort(values)[:, -2]).any()
        values = one_hot(np.argmax(values, axis=1), 3)
    before = measure(targets.rows(out), values[apply_values(tree, rows)])
    for feature in _order_of_walk(tree):
        rows[:, feature] = random.permutation(X[bag == 0, feature])[targets.labeled[bag == 0]]
        after = measure(targets.rows(out), values[apply_values(tree, rows)])
        expected[feature] = np.nan_to_num(measure.sign * (before - after) / (before or 1))
    found = cumulative_permutation([tree], [bag], np.arange(60), encode_features(X, [2]), targets, 7)
    assert expected.any()
    np.testing.assert_array_equal(found, expected)
