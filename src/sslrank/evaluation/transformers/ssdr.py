"""SSDR: linear projection that maximises variance under pairwise constraints."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from sslrank.core.targets import encode_targets
from sslrank.core.validation import check_count
from sslrank.rankers.graph.class_constraints import class_codes
from sslrank.rankers.graph.pair_constraints import check_pairs
from sslrank.rankers.multilabel.lp_cls import label_set_codes


class Projection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base class of linear projections: ``fit`` sets `components_` and may set `mean_`, which is subtracted."""

    mean_ = 0.0

    def transform(self, X):
        """Project rows: ``(X - mean_) @ components_.T``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        return (validate_data(self, X, reset=False, dtype=np.float64) - self.mean_) @ self.components_.T

    @property
    def _n_features_out(self):
        return len(self.components_)


@dataclass(eq=False, repr=False)
class SSDR(Projection):
    r"""Semi-supervised dimensionality reduction (Zhang et al. 2007; thesis, Eqs. 2.26-2.28, Algorithm 6).

    The projections are the leading eigenvectors, of length one, of :math:`X^T L X` with

    .. math:: J(w) = \frac{1}{2 n^2} \sum_{i,j} (w'x_i - w'x_j)^2
        + \frac{\alpha}{2 n_C} \sum_{(i,j) \in CL} (w'x_i - w'x_j)^2
        - \frac{\beta}{2 n_M} \sum_{(i,j) \in ML} (w'x_i - w'x_j)^2 = w' X^T L X w.

    The printed Eq. (2.26) has the cannot-links in its first sum. This class sums over all pairs, because Eq. (2.28)
    gives each pair the weight 1/n^2, and without constraints the result must be PCA. n_C and n_M are numbers of
    constraints. Sums over pairs of labelled rows are computed from scatter matrices, without an n x n matrix.

    Parameters
    ----------
    n_components : int, default=2
        d, at most the number of features.
    alpha, beta : float, defaults 1 and 20
        Weights of cannot-links and must-links; the defaults are those of the method's authors.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    eigenvalues_ : ndarray of shape (n_components,)
        J of each, in descending order.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> SSDR(n_components=2).fit_transform(X, y).shape
    (150, 2)
    """

    n_components: int = 2
    alpha: float = 1.0
    beta: float = 20.0

    def fit(self, X, y=None, must_link=None, cannot_link=None):
        """Find the projections.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers without missing values.
        y : array-like of shape (n_samples,) or (n_samples, n_labels), optional
            Classes or labels: rows of the same class or label set are must-links, others cannot-links. Missing values
            as in :func:`sslrank.core.targets.encode_targets`.
        must_link, cannot_link : array-like of int, shape (n_pairs, 2), optional
            Constraints that replace y.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If an argument is malformed.
        """
        X = validate_data(self, X, dtype=np.float64)
        check_count("n_components", self.n_components)
        n_rows = len(X)
        if must_link is not None or cannot_link is not None:
            pairs = check_pairs(must_link, cannot_link, n_rows)
            must, n_must = _pair_scatter(X, pairs.must), len(pairs.must)
            cannot, n_cannot = _pair_scatter(X, pairs.cannot), len(pairs.cannot)
        else:
            must, n_must, cannot, n_cannot = _class_scatter(X, self._codes(y, n_rows))
        # Half the sum over ordered pairs is the sum over unordered ones.
        form = _scatter(X) / n_rows
        if n_cannot:
            form += self.alpha / (2.0 * n_cannot) * cannot
        if n_must:
            form -= self.beta / (2.0 * n_must) * must
        self.components_, self.eigenvalues_ = leading(form, self.n_components)
        return self

    @staticmethod
    def _codes(y, n_rows):
        targets = encode_targets(y, n_rows)
        return label_set_codes(targets.values) if targets.task == "multilabel" else class_codes(targets, n_rows)


def leading(form, n_components):
    """Find the leading eigenvectors of a symmetric matrix.

    Parameters
    ----------
    form : ndarray of shape (D, D)
    n_components : int

    Returns
    -------
    vectors : ndarray of shape (n_components, D)
        Eigenvectors as rows, the largest value of each positive.
    values : ndarray of shape (n_components,)

    Examples
    --------
    >>> leading(np.diag([1.0, 3.0]), 1)
    (array([[0., 1.]]), array([3.]))
    """
    n_features = len(form)
    n_components = min(n_components, n_features)
    values, vectors = eigh(form, subset_by_index=[n_features - n_components, n_features - 1])
    return positive_rows(vectors[:, ::-1].T), values[::-1]


def positive_rows(rows):
    """Make the largest value of each direction positive, so that signs do not depend on the solver.

    Parameters
    ----------
    rows : ndarray of shape (m, D)

    Returns
    -------
    ndarray of shape (m, D)

    Examples
    --------
    >>> positive_rows(np.array([[0.5, -2.0]]))
    array([[-0.5,  2. ]])
    """
    largest = np.abs(rows).argmax(axis=1)
    return rows * np.where(rows[np.arange(len(rows)), largest] < 0.0, -1.0, 1.0)[:, None]


def _scatter(X):
    centred = X - X.mean(axis=0)
    return centred.T @ centred


def _pair_scatter(X, pairs):
    differences = X[pairs[:, 0]] - X[pairs[:, 1]]
    return differences.T @ differences


def _class_scatter(X, codes):
    """Compute scatter matrices over unordered must-links and cannot-links of classes, and their numbers."""
    labeled = np.flatnonzero(codes >= 0)
    must, n_must = np.zeros((X.shape[1], X.shape[1])), 0
    if not len(labeled):
        return must, 0, must.copy(), 0
    for code in np.unique(codes[labeled]):
        rows = np.flatnonzero(codes == code)
        must += len(rows) * _scatter(X[rows])
        n_must += len(rows) * (len(rows) - 1) // 2
    cannot = len(labeled) * _scatter(X[labeled]) - must
    return must, n_must, cannot, len(labeled) * (len(labeled) - 1) // 2 - n_must
