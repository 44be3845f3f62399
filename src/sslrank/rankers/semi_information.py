"""Semi-JMI and Semi-MIM: mutual information with a surrogate of the target that gives unlabelled rows one class."""

from collections.abc import Sequence

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.validation import check_choice, check_count
from sslrank.rankers.multilabel.discrete import Indicators, label_information
from sslrank.rankers.multilabel.ppt_mi import order_importances


class SemiInformation(BaseRanker):
    """Rank by mutual information with a surrogate target, in which all unlabelled rows belong to one of two classes.

    Either surrogate ranks features as the true target would, if labels are missing completely at random (or depending
    on the class only). Of the two, the one with the more powerful test of independence is used: unlabelled rows are
    negative if the share of positive rows is below ``sqrt(p (p + m)) / (sqrt(p (p + m)) + sqrt(n (n + m)))``, for p
    positive, n negative and m unlabelled rows, and positive if it is above (Theorem 8 and the algorithms Semi-MIM and
    Semi-JMI of [1]_). Where the two are equal, which the paper leaves open, the criteria of both are averaged. With
    more than two classes, the criteria of each class against the others are averaged.

    "mim" ranks by I(X_k; Y). "jmi" starts with the best feature by "mim" and then repeatedly adds the feature with the
    largest sum of I(X_k, X_j; Y) over the chosen features X_j.

    Parameters
    ----------
    criterion : {"jmi", "mim"}, default="jmi"
    class_shares : sequence of float, optional
        Believed share of each class in all rows, in sorted order of the classes; default: shares among the labelled
        rows.
    n_bins : int, default=5
        Bins of equal width for a numeric feature; a missing value is a separate bin.
    n_selected : int, default=300
        Features to add one by one under "jmi"; the others follow by their criterion at that point.
    supervised : bool, default=False
        Remove the unlabelled rows, which gives JMI and MIM themselves.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        "mim": mutual information in nats; "jmi": by the order of selection, from 1 downwards.

    References
    ----------
    .. [1] K. Sechidis, G. Brown (2018), Simple strategies for semi-supervised feature selection, Machine Learning 107,
       357-395.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y[40:] = -1  # unlabelled
    >>> SemiInformation().fit(X[:, :5], y).ranking_
    array([5, 3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    criterion: str = "jmi"
    class_shares: Sequence | None = None
    n_bins: int = 5
    n_selected: int = 300
    supervised: bool = False

    def check_params(self):
        check_choice("criterion", self.criterion, ("jmi", "mim"))
        check_count("n_bins", self.n_bins, least=2)
        check_count("n_selected", self.n_selected)

    def rank_coded(self, features, targets):
        if not targets.labeled.any():
            raise ValueError("SemiInformation needs at least one labelled row, y has none")
        shares = self.class_shares
        if shares is not None and (len(shares) != targets.n_classes or abs(sum(shares) - 1) > 1e-6 or min(shares) < 0):
            raise ValueError(f"class_shares must be {targets.n_classes} shares with sum 1, one a class, got {shares!r}")
        labels, weights = surrogates(targets.values[:, 0], targets.n_classes, shares)
        indicators = Indicators(features, self.n_bins)
        relevance = label_information(indicators, labels) @ weights
        if self.criterion == "mim":
            return np.maximum(relevance, 0.0)
        return self._select(indicators, labels, weights, relevance)

    def _select(self, indicators, labels, weights, relevance):
        """Add features greedily; I(X_k, X_j; Y) is I(X_k; X_j, Y) - I(X_k; X_j) plus a constant for each X_j."""
        order, criterion, left = [], np.zeros(len(relevance)), np.full(len(relevance), True)
        for _ in range(min(self.n_selected, len(relevance))):
            best = int(np.argmax(np.where(left, criterion if order else relevance, -np.inf)))
            order.append(best)
            left[best] = False
            bins = indicators.of(best).astype(bool)
            both = [indicators.counts(bin_[:, None] & labels) for bin_ in bins.T]
            alone = list(np.hsplit(indicators.counts(bins), bins.shape[1]))
            pair = [cell for ones, rows in zip(both, alone, strict=True) for cell in (ones, rows - ones)]
            criterion += (indicators.information(pair) - indicators.information(alone)) @ weights
        return order_importances(order, criterion)


def surrogates(codes, n_classes, shares=None):
    """Make the surrogate targets: each class against the others, with one class for all unlabelled rows.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Codes of the classes; NaN is unlabelled.
    n_classes : int
    shares : sequence of float, optional
        Share of each class in all rows; default: among the labelled ones.

    Returns
    -------
    labels : ndarray of bool, shape (n, S)
    weights : ndarray of shape (S,), with sum 1

    Examples
    --------
    >>> labels, weights = surrogates(np.array([0, 0, 1, np.nan]), 2)
    >>> labels.astype(int).ravel(), weights
    (array([0, 0, 1, 0]), array([1.]))
    """
    known, labels, weights = ~np.isnan(codes), [], []
    problems = [1] if n_classes == 2 else range(n_classes)  # two classes are one problem
    m = np.sum(~known)
    for positive in problems:
        ones = codes == positive
        p, n = np.sum(ones), np.sum(known & ~ones)
        of_positive, of_negative = np.sqrt(p * (p + m)), np.sqrt(n * (n + m))
        lead = (p / (p + n) if shares is None else shares[positive]) - of_positive / (of_positive + of_negative)
        chosen = [ones] if lead < -1e-12 else [ones | ~known] if lead > 1e-12 else [ones, ones | ~known]
        labels += chosen
        weights += [1 / len(chosen)] * len(chosen)
    return np.column_stack(labels), np.array(weights) / len(problems)
