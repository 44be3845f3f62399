"""Information gain of every feature: paper eca, section 5.2."""

import numpy as np

from sslrank.core.base import WeightedRanker
from sslrank.core.validation import check_choice, check_count

DISCRETIZATIONS = ("mdl", "frequency")


class InformationGain(WeightedRanker):
    """IG(F) = H(T) - H(T | F), in bits, over the labelled rows.

    A numeric feature is cut into intervals first: by the minimum description length principle of Fayyad and
    Irani (1993), as WEKA does, or into bins of equal frequency. A feature that MDL does not cut has gain 0.
    Rows in which the feature is missing are left out, and the gain is multiplied by the share of the others,
    as in Quinlan's C4.5. Weights of rows count in entropies and in "mdl"; bins of "frequency" hold equal numbers of
    rows.

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
        Between 0 and H(T).
    """

    _tasks = frozenset({"classification"})
    _labeled_only = True
    discretization: str = "mdl"
    n_bins: int = 10

    def _check_params(self):
        check_choice("discretization", self.discretization, DISCRETIZATIONS)
        check_count("n_bins", self.n_bins, least=2)

    def _rank(self, features, targets, sample_weight=None):
        values, labels = features.values, targets.values[:, 0].astype(np.intp)
        gains = np.zeros(features.shape[1])
        for j in range(features.shape[1]):
            known = ~np.isnan(values[:, j])
            if known.any():
                column, y = values[known, j], labels[known]
                weights = None if sample_weight is None else sample_weight[known]
                codes = column.astype(np.intp) if features.nominal[j] else self._cut(column, y, weights)
                share = known.mean() if sample_weight is None else weights.sum() / sample_weight.sum()
                gains[j] = information_gain(codes, y, weights) * share
        return gains

    def _cut(self, column, labels, weights):
        if self.discretization == "mdl":
            cuts = mdl_cuts(column, labels, weights)
        else:
            cuts = np.unique(np.quantile(column, np.arange(1, self.n_bins) / self.n_bins, method="lower"))
            return np.searchsorted(cuts, column, side="left")
        return np.searchsorted(cuts, column, side="right")


def entropy(counts):
    """Entropy in bits of counts along the last axis; 0 for no counts."""
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    shares = counts / np.where(total > 0, total, 1)
    return -np.sum(shares * np.log2(np.where(shares > 0, shares, 1.0)), axis=-1)


def information_gain(codes, labels, weights=None):
    """H(labels) - H(labels | codes) in bits; codes and labels are small non-negative integers, `weights` of rows."""
    n_labels = labels.max() + 1
    table = np.bincount(codes * n_labels + labels, weights=weights, minlength=(codes.max() + 1) * n_labels)
    table = table.reshape(-1, n_labels)
    shares = table.sum(axis=1) / (len(labels) if weights is None else weights.sum())
    return max(0.0, float(entropy(table.sum(axis=0)) - np.sum(shares * entropy(table))))


def mdl_cuts(column, labels, weights=None):
    """Cut points of a numeric feature (Fayyad and Irani 1993, IJCAI).

    The cut with the largest information gain is kept if the gain exceeds
    ``(log2(n - 1) + log2(3^k - 2) - k H + k_1 H_1 + k_2 H_2) / n`` for k classes in n rows, and both sides
    are cut in the same way. Cuts lie midway between neighbouring values.

    Parameters
    ----------
    column : ndarray of shape (n,)
    labels : ndarray of shape (n,), int
    weights : ndarray of shape (n,), optional
        Weights of rows; n is then their sum.

    Returns
    -------
    ndarray
        Sorted; empty when no cut pays.
    """
    order = np.argsort(column, kind="stable")
    column, labels = column[order], labels[order]
    counts = np.zeros((len(column) + 1, labels.max() + 1))
    counts[np.arange(1, len(column) + 1), labels] = 1.0 if weights is None else weights[order]
    counts = np.cumsum(counts, axis=0)
    cuts, stack = [], [(0, len(column))]
    while stack:
        start, stop = stack.pop()
        places = start + 1 + np.flatnonzero(column[start + 1 : stop] > column[start : stop - 1])
        if places.size == 0:
            continue
        whole = counts[stop] - counts[start]
        n = whole.sum()
        left, right = counts[places] - counts[start], counts[stop] - counts[places]
        h, h_left, h_right = entropy(whole), entropy(left), entropy(right)
        gains = h - (left.sum(axis=1) * h_left + right.sum(axis=1) * h_right) / n
        best = int(np.argmax(gains))
        k, k_left, k_right = ((part > 0).sum() for part in (whole, left[best], right[best]))
        delta = np.log2(3.0**k - 2.0) - (k * h - k_left * h_left[best] - k_right * h_right[best])
        if gains[best] > (np.log2(max(n - 1.0, 1.0)) + delta) / n:
            place = int(places[best])
            cuts.append(column[place - 1] / 2 + column[place] / 2)
            stack += [(start, place), (place, stop)]
    return np.sort(cuts)
