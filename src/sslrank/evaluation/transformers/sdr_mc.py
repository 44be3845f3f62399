"""SDR-MC: linear projection estimated together with missing labels."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from scipy.sparse.linalg import splu
from sklearn.utils.validation import validate_data

from sslrank.core.distances import nearest_rows
from sslrank.core.targets import encode_targets
from sslrank.core.validation import check_count
from sslrank.evaluation.transformers.ssdr import Projection, positive_rows

#: Number of entries of the neighbours' differences in memory at a time.
CHUNK = 4 * 2**20


@dataclass(eq=False, repr=False)
class SDRMC(Projection):
    r"""Semi-supervised dimension reduction for multi-label classification (after Qian and Davidson 2010).

    The thesis (section 4.4.1) only says that a projection is found and that missing labels are filled in step by step
    by propagation from labelled rows. This implementation uses one set of reconstruction weights W, estimated together
    with the labels F:

    .. math:: \min_{W, F} \sum_i (1 - \alpha) \frac{\|x_i - \sum_j W_{ij} x_j\|^2}{v_X}
        + \alpha \frac{\|f_i - \sum_j W_{ij} f_j\|^2}{v_F}, \qquad \sum_j W_{ij} = 1, W \geq 0,

    where j runs over the `n_neighbors` nearest rows, known labels are fixed, and v_X, v_F, the total variances of
    features and known labels, put both terms on one scale. The steps alternate: W solves a small least squares problem
    for each row, F a sparse linear system, clipped to [0, 1], until F changes by less than `tol` or after `max_iter`
    rounds. The first W uses only the features. The projection preserves the weights: with M = (I - W)'(I - W), its
    directions a minimise a'X'MXa subject to a'X'Xa = 1 (X centred), so that new rows can be projected.

    Parameters
    ----------
    n_components : int, default=2
        At most the number of features.
    n_neighbors : int, default=10
    alpha : float in [0, 1), default=0.5
        Weight of the labels.
    max_iter : int, default=20
    tol : float, default=1e-3
        Largest change of an estimated label at which the rounds end.
    ridge : float, default=1e-3
        Added to the diagonals of the small Gram matrices, of X'X, and of the linear system of the labels (which it
        shrinks to the mean of the known ones), as a share of the diagonal's mean.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    mean_ : ndarray of shape (n_features,)
    label_scores_ : ndarray of shape (n_samples, n_labels)
        Known labels, and estimates of the others.
    n_iter_ : int

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 5))
    >>> Y = (X[:, :2] > 0).astype(float)
    >>> Y[20:] = np.nan  # unlabelled
    >>> SDRMC(n_components=2).fit(X, Y).transform(X).shape
    (40, 2)
    """

    n_components: int = 2
    n_neighbors: int = 10
    alpha: float = 0.5
    max_iter: int = 20
    tol: float = 0.001
    ridge: float = 0.001

    def fit(self, X, Y):
        """Find the projection and the missing labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers without missing values; at least two rows.
        Y : array-like of shape (n_samples, n_labels)
            0, 1, or NaN if the label is missing.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If an argument is malformed, or no label is known.
        """
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        check_count("n_components", self.n_components)
        if not 0.0 <= self.alpha < 1.0:
            raise ValueError(f"alpha must be in [0, 1), got {self.alpha!r}")
        Y = encode_targets(Y, len(X), task="multilabel").values
        known = ~np.isnan(Y)
        if not known.any():
            raise ValueError("Y has no known label to propagate")
        self.mean_ = X.mean(axis=0)
        X = X - self.mean_
        near = nearest_rows(X, min(self.n_neighbors, len(X) - 1))
        scale_X = X.var(axis=0).sum() or 1.0
        scale_F = np.nansum(np.nanvar(np.where(known.any(axis=0), Y, 0.0), axis=0)) or 1.0
        F = np.where(known, Y, 0.0)
        weights = self._weights(X * np.sqrt(1.0 / scale_X), near)
        both = np.empty((len(X), X.shape[1] + F.shape[1]))
        both[:, : X.shape[1]] = X * np.sqrt((1.0 - self.alpha) / scale_X)
        for round_ in range(1, self.max_iter + 1):
            self.n_iter_ = round_
            filled = self._propagate(weights, near, Y, known)
            change = np.abs(filled - F).max()
            F = filled
            both[:, X.shape[1] :] = F * np.sqrt(self.alpha / scale_F)
            weights = self._weights(both, near)
            if change < self.tol:
                break
        self.label_scores_ = F
        residual = X - _combine(weights, near, X)
        gram = X.T @ X
        gram[np.diag_indices_from(gram)] += self.ridge * (np.trace(gram) / len(gram) or 1.0)
        count = min(self.n_components, X.shape[1])
        vectors = eigh(residual.T @ residual, gram, subset_by_index=[0, count - 1])[1]
        self.components_ = positive_rows(vectors.T)
        return self

    def _weights(self, V, near):
        """Compute weights with sum 1 that best reconstruct each row of V from its neighbours, shape (n, k)."""
        k = near.shape[1]
        weights = np.empty(near.shape)
        step = max(1, CHUNK // (k * V.shape[1]))
        for start in range(0, len(V), step):
            part = slice(start, start + step)
            differences = V[near[part]] - V[part, None]
            gram = differences @ differences.transpose(0, 2, 1)
            trace = np.trace(gram, axis1=1, axis2=2)
            gram += (np.where(trace > 0.0, trace, 1.0) * self.ridge / k)[:, None, None] * np.eye(k)
            weights[part] = least_on_simplex(gram)
        return weights

    def _propagate(self, weights, near, Y, known):
        """Compute the labels that the weights reconstruct best, with known labels fixed."""
        n_rows, k = near.shape
        rows = np.repeat(np.arange(n_rows), k)
        rest = sparse.identity(n_rows, format="csr") - sparse.csr_array(
            (weights.ravel(), (rows, near.ravel())), shape=(n_rows, n_rows)
        )
        form = sparse.csr_array(rest.T @ rest)
        F = np.where(known, Y, 0.0)
        for pattern in np.unique(known.T, axis=0):  # labels known for the same rows share a factorisation
            labels = (pattern == known.T).all(axis=1)
            free = np.flatnonzero(~pattern)
            if not len(free) or not pattern.any():
                continue
            held = np.flatnonzero(pattern)
            inner = sparse.csc_array(form[free][:, free])
            pull = self.ridge * inner.diagonal().mean()
            inner += sparse.identity(len(free), format="csc") * pull
            right = pull * Y[np.ix_(held, labels)].mean(axis=0) - form[free][:, held] @ Y[np.ix_(held, labels)]
            F[np.ix_(free, labels)] = splu(sparse.csc_matrix(inner)).solve(right)
        return np.clip(F, 0.0, 1.0)


def least_on_simplex(forms, n_steps=300):
    """Minimise ``w'Gw`` over weights w >= 0 of sum one, for many small matrices G.

    Accelerated projected gradient descent with restarts.

    Parameters
    ----------
    forms : ndarray of shape (m, k, k)
        Positive definite.
    n_steps : int

    Returns
    -------
    ndarray of shape (m, k)

    Examples
    --------
    >>> least_on_simplex(np.array([[[1.0, 0.0], [0.0, 3.0]]])).round(3)
    array([[0.75, 0.25]])
    """
    k = forms.shape[-1]
    steps = 1.0 / np.linalg.eigvalsh(forms)[:, -1:]
    weights = np.full(forms.shape[:2], 1.0 / k)
    ahead, momentum = weights, np.ones((len(forms), 1))
    for _ in range(n_steps):
        gradient = (forms @ ahead[..., None])[..., 0]
        new = _onto_simplex(ahead - steps * gradient)
        back = ((ahead - new) * (new - weights)).sum(axis=1, keepdims=True) > 0.0
        momentum = np.where(back, 1.0, momentum)
        following = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = new + (momentum - 1.0) / following * (new - weights)
        weights, momentum = new, following
    return weights


def _onto_simplex(points):
    """Project each row onto the probability simplex."""
    falling = -np.sort(-points, axis=1)
    excess = (np.cumsum(falling, axis=1) - 1.0) / np.arange(1, points.shape[1] + 1)
    last = (falling > excess).sum(axis=1) - 1
    return np.maximum(points - excess[np.arange(len(points)), last][:, None], 0.0)


def _combine(weights, near, V):
    """Compute ``W V`` for weights of the k nearest rows."""
    combined = np.zeros_like(V)
    for j in range(near.shape[1]):
        combined += weights[:, j, None] * V[near[:, j]]
    return combined
