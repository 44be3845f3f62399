"""SSDR against the eigenvectors of the full matrix, and against PCA."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from references import graph as reference
from sslrank.evaluation.transformers.ssdr import SSDR


def reference_form(X, must, cannot, alpha, beta):
    """X' L X with the matrix S of Eq. (2.28), both orders of a constraint in the sets."""
    n = len(X)
    S = np.full((n, n), 1.0 / n**2)
    for i, j in cannot:
        S[i, j] += alpha / (2 * len(cannot))
        S[j, i] += alpha / (2 * len(cannot))
    for i, j in must:
        S[i, j] -= beta / (2 * len(must))
        S[j, i] -= beta / (2 * len(must))
    return X.T @ (np.diag(S.sum(axis=1)) - S) @ X


@pytest.mark.parametrize("seed", range(4))
def test_ssdr_equals_full_eigendecomposition(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 5)) * np.arange(1, 6), rng.integers(-1, 3, size=30)
    must, cannot = reference.pairs(y)
    form = reference_form(X, must, cannot, 2.0, 5.0)
    values, vectors = np.linalg.eigh(form)
    for fitted in (
        SSDR(3, alpha=2.0, beta=5.0).fit(X, y),
        SSDR(3, alpha=2.0, beta=5.0).fit(X, must_link=must, cannot_link=cannot),
    ):
        np.testing.assert_allclose(fitted.eigenvalues_, values[::-1][:3], rtol=1e-9)
        np.testing.assert_allclose(np.abs(fitted.components_ @ vectors[:, ::-1][:, :3]), np.eye(3), atol=1e-8)
        np.testing.assert_allclose(fitted.transform(X), X @ fitted.components_.T)
        assert (fitted.components_[range(3), np.abs(fitted.components_).argmax(axis=1)] > 0).all()


@pytest.mark.parametrize("y", [None, np.full(40, -1)])
def test_ssdr_without_constraints_equals_pca(y):
    X = np.random.default_rng(0).normal(size=(40, 6)) * np.arange(1, 7)
    fitted, pca = SSDR(4).fit(X, y), PCA(4).fit(X)
    np.testing.assert_allclose(np.abs(fitted.components_ @ pca.components_.T), np.eye(4), atol=1e-8)
    np.testing.assert_allclose(fitted.eigenvalues_ * 40 / 39, pca.explained_variance_)


def test_ssdr_treats_label_sets_as_classes():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(20, 3)), (rng.random((20, 2)) < 0.5).astype(float)
    Y[15:] = np.nan
    codes = np.where(np.isnan(Y[:, 0]), -1, np.nan_to_num(Y) @ [1, 2]).astype(int)
    np.testing.assert_allclose(SSDR().fit(X, Y).components_, SSDR().fit(X, codes).components_)
