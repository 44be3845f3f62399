import numpy as np
import pytest
from sklearn.linear_model import Ridge

from sslrank.rankers.sparse_regression import RLSR, ConvexCSFS, coefficients, project_on_simplex


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    y = (X[:, 1] - X[:, 4] > 0).astype(int)
    y[20:] = -1
    return X, y


def loss(Z, W, Y):
    return ((Z @ W - Y + (Y - Z @ W).mean(axis=0)) ** 2).sum()


@pytest.mark.parametrize("ranker", [RLSR, ConvexCSFS])
def test_objective_decreases_to_a_minimum(data, ranker):
    """The problems are convex: what no small step in coefficients and labels improves is the best."""
    X, y = data
    Z = X / (X.max(axis=0) - X.min(axis=0))
    found = ranker(penalty=0.3, max_iter=300, tol=0.0).fit(X, y)
    assert (np.diff(found.objective_) <= 1e-9).all()
    project = project_on_simplex if ranker is RLSR else lambda labels: np.clip(labels, 0, 1)
    Y = found.labels_
    theta = found.feature_importances_
    W = coefficients(Z - Z.mean(axis=0), Y - Y.mean(axis=0), theta, 0.3 if ranker is RLSR else 0.15)

    def objective(W, free):
        norm = np.sqrt((W**2).sum(axis=1)).sum()
        return loss(Z, W, np.vstack([Y[:20], free])) + 0.3 * (norm**2 if ranker is RLSR else norm)

    best = objective(W, Y[20:])
    assert found.objective_[-1] == pytest.approx(best, rel=1e-6)
    rng = np.random.default_rng(1)
    for size in (1e-4, 1e-2, 1.0) * 300:
        free = project(Y[20:] + size * rng.normal(size=(20, 2)))
        assert objective(W + size * rng.normal(size=W.shape), free) >= best - 1e-7
        assert objective(W, free) >= best - 1e-7
    assert set(np.flatnonzero(found.ranking_ <= 2)) == {1, 4}


@pytest.mark.parametrize("shape", [(30, 4), (8, 20)])
def test_coefficients_equal_ridge_on_scaled_columns(shape):
    rng = np.random.default_rng(1)
    Z, Y, theta = rng.normal(size=shape), rng.normal(size=(shape[0], 2)), rng.uniform(0.1, 2, size=shape[1])
    theta[1] = 0.0
    model = Ridge(alpha=0.7, fit_intercept=False).fit(Z * np.sqrt(theta), Y)
    expected = np.sqrt(theta)[:, None] * model.coef_.T
    for products in (None, Z.T @ Z):
        np.testing.assert_allclose(coefficients(Z, Y, theta, 0.7, products), expected, atol=1e-10)


def test_simplex_projection_is_the_nearest_point():
    values = np.random.default_rng(2).normal(size=(50, 3))
    found = project_on_simplex(values)
    assert (found >= 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
    others = np.random.default_rng(3).dirichlet(np.ones(3), size=1000)
    for row, nearest in zip(values, found, strict=True):
        assert ((row - nearest) ** 2).sum() <= ((others - row) ** 2).sum(axis=1).min() + 1e-12


def test_known_labels_are_kept(data):
    X, y = data
    for ranker in (RLSR, ConvexCSFS):
        labels = ranker().fit(X, y).labels_
        np.testing.assert_array_equal(labels[:20], np.eye(2)[y[:20]])
        assert labels.min() >= 0
        assert labels.max() <= 1 + 1e-12
    Y = np.column_stack([X[:, 0] > 0, X[:, 2] > 0]).astype(float)
    Y[15:, 0] = np.nan
    Y[25:, 1] = np.nan
    found = ConvexCSFS(task="multilabel").fit(X, Y)
    assert set(np.flatnonzero(found.ranking_ <= 2)) == {0, 2}
    np.testing.assert_array_equal(found.labels_[:25, 1], Y[:25, 1])


def test_nominal_feature_has_one_scale():
    X = np.random.default_rng(4).integers(0, 3, size=(60, 3)).astype(float)
    y = (X[:, 2] == 1).astype(int)
    found = RLSR(categorical_features=[0, 1, 2]).fit(X, np.where(np.arange(60) < 30, y, -1))
    assert found.ranking_[2] == 1
    assert found.feature_importances_.sum() == pytest.approx(1)
