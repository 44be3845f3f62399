"""SSDR against eigenvectors of the full matrix and PCA; SDR-MC: labels it fills in, weights by exhaustive search."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from references import graph as reference
from sslrank.evaluation.transformers.sdr_mc import SDRMC
from sslrank.evaluation.transformers.ssdr import SSDR
from sslrank.metrics.multilabel import macro_auc


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


@pytest.mark.parametrize("kind", [SDRMC, SSDR])
def test_number_of_components_is_limited(kind):
    X = np.random.default_rng(0).normal(size=(20, 3))
    Y = (X[:, :2] > 0).astype(float)
    transformer = kind(9)
    assert transformer.fit(X, Y).transform(X).shape == (20, 3)
    assert len(transformer.get_feature_names_out()) == 3
    with pytest.raises(ValueError, match="n_components must be an int >= 1"):
        kind(0).fit(X, Y)


@pytest.mark.parametrize(("alpha", "known", "message"), [(0.5, np.nan, "no known label"), (1.0, 1.0, "alpha must")])
def test_sdr_mc_refuses_invalid_input(alpha, known, message):
    with pytest.raises(ValueError, match=message):
        SDRMC(alpha=alpha).fit(np.eye(3), np.full((3, 1), known))


def clusters(seed=0):
    rng = np.random.default_rng(seed)
    kind = np.repeat(np.arange(3), 30)
    X = np.hstack([6 * np.eye(3)[kind] + rng.normal(size=(90, 3)), 5 * rng.normal(size=(90, 1))])
    Y = np.array([[1, 0], [0, 1], [1, 1]])[kind].astype(float)
    known = Y.copy()
    known[rng.permutation(90)[30:]] = np.nan
    return X, Y, known


def test_sdr_mc_completes_missing_labels():
    X, Y, known = clusters()
    fitted = SDRMC(2, n_neighbors=8).fit(X, known)
    labeled = ~np.isnan(known[:, 0])
    np.testing.assert_array_equal(fitted.label_scores_[labeled], Y[labeled])
    assert macro_auc(Y[~labeled], fitted.label_scores_[~labeled]) > 0.95
    assert 1 < SDRMC(2, n_neighbors=8, tol=0.05).fit(X, known).n_iter_ < 20
    assert SDRMC(2, n_neighbors=8, tol=0.0).fit(X, known).n_iter_ == SDRMC().max_iter == 20
    Z = fitted.transform(X)
    gram = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))
    gram += 1e-3 * np.trace(gram) / 4 * np.eye(4)
    np.testing.assert_allclose(fitted.components_ @ gram @ fitted.components_.T, np.eye(2), atol=1e-9)
    assert Z.shape == (90, 2)


def least_squares_on_simplex(form):
    """The best weights by trying every set of weights that may be positive."""
    best, k = None, len(form)
    for mask in range(1, 2**k):
        inside = [p for p in range(k) if mask >> p & 1]
        solution = np.linalg.solve(form[np.ix_(inside, inside)], np.ones(len(inside)))
        weights = np.zeros(k)
        weights[inside] = solution / solution.sum()
        if (weights >= 0).all() and (best is None or weights @ form @ weights < best @ form @ best):
            best = weights
    return best


def test_sdr_mc_round_reaches_the_optimum():
    X, _, known = clusters(1)
    fitted = SDRMC(2, n_neighbors=6, alpha=0.0, max_iter=1).fit(X, known)
    n = len(X)
    centred = X - X.mean(axis=0)
    W = np.zeros((n, n))
    for i in range(n):
        near = np.argsort(((X - X[i]) ** 2).sum(axis=1), kind="stable")[1:7]
        differences = (centred[near] - centred[i]) / np.sqrt(centred.var(axis=0).sum())
        gram = differences @ differences.T
        gram += np.eye(6) * np.trace(gram) * 1e-3 / 6
        W[i, near] = least_squares_on_simplex(gram)
    M = (np.eye(n) - W).T @ (np.eye(n) - W)
    free = np.isnan(known[:, 0])
    inner = M[np.ix_(free, free)]
    pull = 1e-3 * np.trace(inner) / free.sum()
    right = pull * known[~free].mean(axis=0) - M[np.ix_(free, ~free)] @ known[~free]
    filled = np.linalg.solve(inner + pull * np.eye(free.sum()), right)
    np.testing.assert_allclose(fitted.label_scores_[free], np.clip(filled, 0, 1), atol=1e-4)
    form = centred.T @ M @ centred
    gram = centred.T @ centred
    gram += 1e-3 * np.trace(gram) / 4 * np.eye(4)
    values = np.sort(np.linalg.eigvals(np.linalg.solve(gram, form)).real)
    found = np.diag(fitted.components_ @ form @ fitted.components_.T)
    np.testing.assert_allclose(found, values[:2], rtol=1e-3)


def test_sdr_mc_accepts_missing_values_and_duplicates():
    X, _, known = clusters()
    X[10:20] = X[0]
    known[:, 1] = np.nan
    known[3, 0] = np.nan
    fitted = SDRMC(n_neighbors=5).fit(X, known)
    assert np.isfinite(fitted.transform(X)).all()
    np.testing.assert_array_equal(fitted.label_scores_[:, 1], 0.0)
    full = SDRMC(n_neighbors=5).fit(X, np.nan_to_num(known))
    np.testing.assert_array_equal(full.label_scores_, np.nan_to_num(known))
