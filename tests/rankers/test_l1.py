import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import MultiTaskLasso, lars_path

from sslrank import get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.rankers.l1 import _solve, feature_columns, standard_targets


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def unit(X):
    X = X - X.mean(axis=0)
    return X / np.linalg.norm(X, axis=0)


@pytest.mark.parametrize("shape", [(100, 8), (15, 40)])
def test_entry_penalties_match_lars(rng, shape):
    X = rng.normal(size=shape) @ (np.eye(shape[1]) + 0.2 * rng.normal(size=(shape[1], shape[1])))
    y = X[:, 1] - 2 * X[:, 3] + X[:, 5] + 0.5 * X[:, 6] + 0.5 * rng.normal(size=shape[0])
    found = get_ranker("l1", task="regression", n_alphas=200, eps=0.05).fit(X, y).feature_importances_
    alphas, _, coefficients = lars_path(unit(X), unit(y[:, None])[:, 0], method="lasso", alpha_min=0)
    # Each feature enters after the knot at which it is still 0.
    entered = [len(X) * alphas[np.flatnonzero(c)[0] - 1] if c.any() else 0 for c in coefficients]
    early = np.array(entered) > 0.1 * max(entered)
    assert early.sum() >= 3
    np.testing.assert_allclose(found[early], np.array(entered)[early], rtol=0.03)


@pytest.mark.parametrize("task", ["regression", "classification", "multilabel"])
def test_importances_are_in_0_1_and_lower_for_noise(rng, task):
    X = rng.normal(size=(80, 10))
    related, noise = X[:, 0] + 0.2 * rng.normal(size=80), rng.normal(size=80)
    if task != "regression":
        related, noise = related > 0, noise > 0
    if task == "multilabel":
        related, noise = (np.column_stack([y, ~y]).astype(float) for y in (related, noise))
    largest = [get_ranker("l1", task=task).fit(X, y).feature_importances_.max() for y in (related, noise)]
    assert 1 >= largest[0] > 2 * largest[1] > 0


def test_strong_rule_solutions_equal_scikit_learn(rng):
    X = np.asfortranarray(unit(rng.normal(size=(30, 50))))
    Y = unit(X[:, :3] + 0.1 * rng.normal(size=(30, 3)))
    penalty = 0.3
    nobody = np.zeros(50, dtype=bool)
    nobody[0] = True
    coefficients, left = _solve(X, Y, penalty, np.zeros((3, 50)), nobody)
    expected = MultiTaskLasso(alpha=penalty / 30, fit_intercept=False, tol=1e-8).fit(X, Y).coef_
    np.testing.assert_allclose(coefficients, expected, atol=1e-3)
    inside = expected.any(axis=0)
    np.testing.assert_allclose(left[inside], penalty, rtol=0.01)
    assert (left[~inside] <= penalty * 1.01).all()


def test_class_rotation_preserves_inner_products(rng):
    y = encode_targets(rng.integers(0, 4, 30), 30)
    indicators = unit(np.eye(4)[y.values[:, 0].astype(int)])
    Y = standard_targets(y)
    assert Y.shape == (30, 3)
    np.testing.assert_allclose(Y @ Y.T, indicators @ indicators.T, atol=1e-12)


def test_nominal_feature_is_coded_by_category_means(rng):
    codes, y = rng.integers(0, 3, 40), rng.normal(size=40)
    features = encode_features(pd.DataFrame({"a": pd.Categorical(codes)}))
    column = feature_columns(features, unit(y[:, None]))[:, 0]
    means = unit(np.array([y[codes == code].mean() for code in codes])[:, None])[:, 0]
    np.testing.assert_allclose(np.abs(column), np.abs(means) / np.sqrt(2))


def test_sparse_and_dense_solutions_are_equal(rng):
    for _ in range(5):
        X = rng.normal(size=(24, 4))
        X[:, 3] = X[:, 0]
        Y = X[:, :2] + rng.normal(size=(24, 2))
        dense, thin = (get_ranker("l1").fit(kind(X), Y).feature_importances_ for kind in (np.array, csr_array))
        assert dense.tolist() == thin.tolist()


def test_constant_target_gives_zero_importances():
    assert get_ranker("l1").fit(np.eye(4), [1, 1, 1, 1]).feature_importances_.tolist() == [0, 0, 0, 0]
