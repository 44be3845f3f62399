"""Information gain of each feature: paper eca, section 5.2."""

from math import log

import numpy as np
from scipy import sparse
from scipy.special import entr

from sslrank.core.base import WeightedRanker
from sslrank.core.validation import check_choice, check_count
from sslrank.rankers._mdl import mdl_gains
from sslrank.rankers.f_score import without_gaps

#: Number of cells of the columns that are discretised at a time.
_CELLS = 1_000_000

DISCRETIZATIONS = ("mdl", "frequency")


class InformationGain(WeightedRanker):
    """Rank features by information gain, IG(F) = H(T) - H(T | F), in bits, over the labelled rows.

    Numeric features are discretised first: by the minimum description length (MDL) principle of Fayyad and Irani
    (1993), as in WEKA, or into bins of equal frequency. MDL accepts a cut if its gain exceeds ``(log2(n - 1) + log2(3^k
    - 2) - k H + k_1 H_1 + k_2 H_2) / n`` for k classes in n rows (or rows of total weight n), and then cuts both sides
    in the same way; a feature without a cut has gain 0. Rows in which the feature is missing are left out, and the gain
    is multiplied by the share of the other rows, as in Quinlan's C4.5. Sample weights count in entropies and in "mdl";
    bins of "frequency" have equal numbers of rows.

    Parameters
    ----------
    discretization : {"mdl", "frequency"}, default="mdl"
    n_bins : int, default=10
        Bins of "frequency"; equal values always share a bin.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. Nothing here is random.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Gain of each feature, from 0 to H(T).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import InformationGain
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> InformationGain().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    labeled_only = True
    accept_sparse = True
    discretization: str = "mdl"
    n_bins: int = 10

    def check_params(self):
        check_choice("discretization", self.discretization, DISCRETIZATIONS)
        check_count("n_bins", self.n_bins, least=2)

    def rank_coded(self, features, targets, sample_weight=None):
        features, labels = without_gaps(features), targets.values[:, 0].astype(np.int32)
        weights = np.ones(len(labels)) if sample_weight is None else sample_weight
        if self.discretization == "mdl":
            gains = _gains_by_mdl(features.values, labels, weights, targets.n_classes) / weights.sum()
            others = np.flatnonzero(features.nominal)
        else:
            gains, others = np.zeros(features.shape[1]), np.arange(features.shape[1])
        for j in others:
            column = features.values[:, [j]]
            column = (column.toarray() if sparse.issparse(column) else column).ravel()
            known = ~np.isnan(column)
            gains[j] = 0.0
            if known.any():
                codes = column[known].astype(np.intp) if features.nominal[j] else self._bins(column[known])
                gain = information_gain(codes, labels[known], None if sample_weight is None else weights[known])
                gains[j] = gain * weights[known].sum() / weights.sum()
        return gains

    def _bins(self, column):
        cuts = np.unique(np.quantile(column, np.arange(1, self.n_bins) / self.n_bins, method="lower"))
        return np.searchsorted(cuts, column, side="left")


def _gains_by_mdl(values, labels, weights, n_classes):
    """Compute the gain of each numeric column, times the weight of the rows in which it is known."""
    if sparse.issparse(values):
        columns = sparse.csc_array(values)
        columns.sum_duplicates()
        owner = np.repeat(np.arange(columns.shape[1]), np.diff(columns.indptr))
        order = np.lexsort((columns.data, owner))
        row, value = columns.indices[order].astype(np.int32), columns.data[order]
        return mdl_gains(columns.indptr.astype(np.int64), row, value, labels, weights, n_classes, True)
    n, n_features = values.shape
    gains, step = np.empty(n_features), max(1, _CELLS // max(n, 1))
    for at in range(0, n_features, step):
        columns = np.ascontiguousarray(values[:, at : at + step].T)
        order = np.argsort(columns, axis=1)  # NaN comes last
        ordered = np.take_along_axis(columns, order, axis=1) + 0.0
        known = ~np.isnan(ordered)
        start = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        known_rows = order[known].astype(np.int32), ordered[known]
        gains[at : at + step] = mdl_gains(start, *known_rows, labels, weights, n_classes, False)
    return np.maximum(gains, 0.0)


def entropy(counts):
    """Compute the entropy in bits of counts along the last axis; 0 for no counts.

    Parameters
    ----------
    counts : array-like of shape (..., k)

    Returns
    -------
    ndarray of shape (...)

    Examples
    --------
    >>> entropy([[2, 2], [1, 3]]).round(3)
    array([1.   , 0.811])
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    shares = counts / np.where(total > 0, total, 1)
    return entr(shares).sum(axis=-1) / log(2)  # NumPy's logarithm has other last bits where a processor has AVX-512


def information_gain(codes, labels, weights=None):
    """Compute H(labels) - H(labels | codes) in bits.

    Parameters
    ----------
    codes, labels : ndarray of shape (n,), int
        Small and not negative.
    weights : ndarray of shape (n,), optional
        Weights of rows.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> information_gain(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))
    1.0
    """
    n_labels = labels.max() + 1
    table = np.bincount(codes * n_labels + labels, weights=weights, minlength=(codes.max() + 1) * n_labels)
    table = table.reshape(-1, n_labels)
    shares = table.sum(axis=1) / (len(labels) if weights is None else weights.sum())
    return max(0.0, float(entropy(table.sum(axis=0)) - np.sum(shares * entropy(table))))
