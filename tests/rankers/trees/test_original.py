"""Scores with the original program's defects, against plain loops; test_clus.py has that program's output."""

import numpy as np
import pytest

from sslrank import PCTForestRanker
from sslrank.columns import encode_features
from sslrank.rankers.trees.original import _order_of_walk, raw_genie3
from sslrank.targets import encode_targets


def one_hot(codes, k):
    columns = (codes[:, None] == np.arange(k)).astype(float)
    columns[np.isnan(codes)] = np.nan
    return columns


def leaves_below(tree, node):
    if tree.feature[node] < 0:
        return [node]
    return leaves_below(tree, tree.children_left[node]) + leaves_below(tree, tree.children_right[node])


def spread(columns, rows):
    """Sum of squares about the mean of the known values, None without any."""
    known = columns[rows & ~np.isnan(columns[:, 0])]
    return ((known - known.mean(axis=0)) ** 2).sum() if len(known) else None


def plain_raw_genie3(tree, leaves, n_features, variables):
    scores = np.zeros(n_features)
    for node in np.flatnonzero(tree.feature >= 0):
        for columns, factor, numeric in variables:
            whole, left, right = (
                spread(columns, np.isin(leaves, leaves_below(tree, at)))
                for at in (node, tree.children_left[node], tree.children_right[node])
            )
            if whole is not None:
                nothing = whole if numeric else 0
                gain = whole - sum(nothing if part is None else part for part in (left, right))
                scores[tree.feature[node]] += factor * gain / len(variables)
    return scores


@pytest.mark.parametrize("supervised", [False, True])
@pytest.mark.parametrize("task", ["classification", "str", "mlc", "hmlc"])
def test_raw_genie3_is_the_plain_sum(task, supervised):
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 3)) * [1, 50, 1]
    X[:, 2] = random.integers(0, 3, 60)
    X[random.random(60) < 0.2, 1] = np.nan
    y = {
        "classification": random.integers(0, 3, 60).astype(float),
        "str": random.normal(size=60),
        "mlc": (random.random((60, 2)) < 0.4).astype(float),
        "hmlc": (random.random((60, 2)) < 0.6).cumprod(axis=1).astype(float),
    }[task]
    y[random.random(60) < 0.6] = np.nan
    hierarchy = [[], [0]] if task == "hmlc" else None
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
    targets = encode_targets(y, 60, task=task, hierarchy=hierarchy)
    variables = [] if supervised else [(X[:, [0]], 1, True), (X[:, [1]], 1, True), (one_hot(X[:, 2], 3), 1, False)]
    if task == "classification":
        variables.append((one_hot(targets.values[:, 0], 3), 1, False))
    elif task == "mlc":
        variables += [(one_hot(targets.values[:, j], 2), 1, False) for j in range(2)]
    elif task == "hmlc":  # one variable; labels weigh 1 and 0.75
        variables.append((targets.values * np.sqrt([4 / 7, 3 / 7]), 1, False))
    else:
        variables.append((targets.values, 1, True))
    tree = ranker.estimators_[0]
    found = raw_genie3([tree], [bag], np.arange(60), encode_features(X, [2]), targets, supervised)
    assert tree.node_count > 5
    drawn = np.repeat(np.arange(60), bag)
    variables = [(columns[drawn], *rest) for columns, *rest in variables]
    np.testing.assert_allclose(found, plain_raw_genie3(tree, ranker.apply(X)[drawn, 0], 3, variables))


def test_walk_meets_the_root_first_and_then_rows_that_pass():
    X = np.random.default_rng(0).normal(size=(400, 3))
    y = np.where(X[:, 1] > 0, 10 + (X[:, 2] > 0), 0.5 * (X[:, 0] > 0))
    params = {"supervision": 1, "n_estimators": 1, "bootstrap": False, "task": "str"}
    tree = PCTForestRanker(ensemble="bagging", **params).fit(X, y).estimators_[0]
    assert list(_order_of_walk(tree)) == [1, 2, 0]


def test_first_feature_of_the_walk_is_judged_as_in_the_paper_and_later_ones_with_it():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    y = 10 * (X[:, 0] > 0) + (X[:, 1] > 0) + 0.1 * random.normal(size=300)
    params = {"supervision": 1.0, "n_estimators": 20, "importance": "random_forest", "random_state": 1}
    paper = PCTForestRanker(ensemble="bagging", **params).fit(X, y).feature_importances_
    original = PCTForestRanker(ensemble="bagging", formulas="original", **params).fit(X, y).feature_importances_
    assert np.argmax(paper) == 0
    assert original[0] == pytest.approx(paper[0], rel=0.1)
    assert original[1] > original[0]
