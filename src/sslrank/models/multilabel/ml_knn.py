"""ML-kNN: votes of the k nearest neighbours, evaluated by Bayes' rule."""

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import KFold

from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.validation import check_count
from sslrank.metrics.multilabel import MEASURES
from sslrank.models.multilabel.base import MultilabelClassifier
from sslrank.models.votes import nearest_votes


@dataclass(eq=False, repr=False)
class MLkNN(MultilabelClassifier):
    """ML-kNN (Zhang and Zhou 2007; thesis, sections 3.2.2.1 and 4.4.2.1).

    The number of a row's neighbours with a label is the evidence. Priors and likelihoods are estimated on the training
    rows (without the row itself) with Laplace smoothing. Rows as far as the k-th neighbour share the vote; a number
    between two whole ones counts as both, in proportion.

    Parameters
    ----------
    n_neighbors : int or "cv", default=10
        "cv" chooses the best of `candidates` in a 3-fold cross-validation, the smaller in a tie.
    smoothing : float, default=1.0
    candidates : tuple of int, default=(5, 10, 15, 20)
    scoring : str, default="macro_auc"
        Name of the measure of the cross-validation, one of :data:`sslrank.metrics.multilabel.MEASURES`.
    random_state : int, RandomState, Generator or None
        Seed of the folds.

    Attributes
    ----------
    n_neighbors_ : int
        k, at most the number of other training rows.
    priors_ : ndarray of shape (n_labels,)
    likelihoods_ : ndarray of shape (2, n_labels, `n_neighbors_` + 1)
        Probability of each number of neighbours with the label, without (0) and with (1) the label.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_features=8, n_classes=3, random_state=0)
    >>> MLkNN(n_neighbors=5).fit(X[:80], Y[:80]).predict(X[80:83])
    array([[1, 0, 1],
           [0, 0, 0],
           [0, 1, 1]])
    """

    n_neighbors: int | str = 10
    smoothing: float = 1.0
    candidates: tuple = (5, 10, 15, 20)
    scoring: str = "macro_auc"
    random_state: object = None

    def _fit(self, X, Y):
        if len(X) < 2:
            raise ValueError(f"ML-kNN needs at least 2 rows, got n_samples = {len(X)}")
        check_count("n_neighbors", self.n_neighbors, words=("cv",))
        k = self._best(X, Y) if self.n_neighbors == "cv" else self.n_neighbors
        self.n_neighbors_ = min(k, len(X) - 1)
        self._rows, self._labels = X, Y
        votes = nearest_votes(X, Y, [self.n_neighbors_])[self.n_neighbors_]
        self.priors_, self.likelihoods_ = _count(Y, votes, self.n_neighbors_, self.smoothing)

    def _probabilities(self, X):
        votes = nearest_votes(self._rows, self._labels, [self.n_neighbors_], X)[self.n_neighbors_]
        return _posterior(votes, self.priors_, self.likelihoods_)

    def _best(self, X, Y):
        """Choose the best number of neighbours, with one search per fold."""
        measure, ranks, higher = MEASURES[self.scoring]
        folds = min(3, len(X))
        seed = derive_seed(resolve_seed(self.random_state), "ml_knn", "folds")
        splits = KFold(folds, shuffle=True, random_state=seed % 2**31)
        totals = {k: [] for k in sorted(self.candidates)}
        for train, test in splits.split(X):
            max_neighbors = min(max(totals), len(train) - 1)
            if max_neighbors < 1:
                continue
            ks = [min(k, max_neighbors) for k in totals]
            own = nearest_votes(X[train], Y[train], ks)
            near = nearest_votes(X[train], Y[train], ks, X[test])
            for k, values in zip(ks, totals.values(), strict=True):
                scores = _posterior(near[k], *_count(Y[train], own[k], k, self.smoothing))
                values.append(measure(Y[test], scores if ranks else scores > 0.5))
        sign = 1.0 if higher else -1.0
        means = {k: sign * np.nanmean(v) for k, v in totals.items() if not np.isnan(v).all()}
        return max(means, key=means.get) if means else min(totals)


def _count(Y, counts, k, smoothing):
    """Estimate priors and likelihoods of the numbers of neighbours with each label."""
    n_rows, n_labels = Y.shape
    priors = (smoothing + Y.sum(axis=0)) / (2.0 * smoothing + n_rows)
    whole, part = _parts(counts)
    cells = (Y.astype(np.intp) * n_labels + np.arange(n_labels)) * (k + 2) + whole
    size = 2 * n_labels * (k + 2)
    times = np.bincount(cells.ravel(), 1.0 - part.ravel(), size) + np.bincount(cells.ravel() + 1, part.ravel(), size)
    times = times.reshape(2, n_labels, k + 2)[:, :, :-1]
    totals = np.stack([n_rows - Y.sum(axis=0), Y.sum(axis=0)])
    return priors, (smoothing + times) / (smoothing * (k + 1) + totals[:, :, None])


def _parts(counts):
    """Split numbers into whole ones and what is left."""
    whole = np.floor(counts).astype(np.intp)
    return whole, counts - whole


def _posterior(counts, priors, likelihoods):
    labels, (whole, part) = np.arange(len(priors)), _parts(counts)
    above = np.minimum(whole + 1, likelihoods.shape[2] - 1)
    of_label = (1.0 - part) * likelihoods[:, labels, whole] + part * likelihoods[:, labels, above]
    with_label, without = priors * of_label[1], (1.0 - priors) * of_label[0]
    return with_label / (with_label + without)
