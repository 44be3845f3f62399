"""Clustering hypothesis: agreement of clusters of the features with the targets."""

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from sslrank.core.columns import expand, fill_means
from sslrank.core.features import encode_features
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.targets import encode_targets
from sslrank.core.validation import check_choice

#: Number of clusters without classes: scikit-learn's default (paper ssl-ranking, section 6.2).
DEFAULT_CLUSTERS = 8
#: Starts of each k-means run, of which the one with the smallest inertia counts: scikit-learn's default when the paper
#: was written. On phishing (paper: -0.00) the best of five runs is -0.002 with it and 0.43 with one start.
N_STARTS = 10


def clustering_hypothesis(
    X, y, *, task="auto", hierarchy=None, hierarchy_alpha=0.75, of="variance", n_runs=5, random_state=0
):
    """Estimate CH, the strength of the clustering hypothesis (paper ssl-ranking, section 6.2).

    The features are clustered by k-means with :data:`N_STARTS` starts, as many clusters as classes or 8 otherwise, and
    CH is the best agreement of `n_runs` runs. For classes the agreement is the adjusted Rand index between clusters and
    classes. For other kinds of target it is one minus the mean over the targets of the within-cluster share of the
    variance, v_j = sum_c p(c) Var(c, y_j) / Var(D, y_j), weighted by alpha_j in a hierarchy.

    The published values of these kinds are close to those with standard deviations (the square root of v_j), see `of`.

    The paper names no preprocessing, so numeric features are not scaled. This implementation one-hot encodes nominal
    features, replaces missing values by the column's mean, and ignores unlabelled rows and constant targets.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n, D)
    y : array-like of shape (n,) or (n, T)
    task, hierarchy, hierarchy_alpha
        As in :func:`sslrank.core.targets.encode_targets`.
    of : {"variance", "deviation"}, default="variance"
        Whether v_j is the share of variance, as in the paper, or its square root. It does not affect classification.
    n_runs : int, default=5
    random_state : int, RandomState, Generator or None, default=0

    Returns
    -------
    float
        CH; higher is better. In [-0.5, 1] for classification, in [0, 1] for other kinds of target.

    Raises
    ------
    ValueError
        If `of` is invalid, or there is no target, no labelled row, or only constant targets.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> round(clustering_hypothesis(*load_iris(return_X_y=True)), 2)
    0.73
    """
    check_choice("of", of, ("variance", "deviation"))
    features = encode_features(X)
    targets = encode_targets(y, features.shape[0], task=task, hierarchy=hierarchy, alpha=hierarchy_alpha)
    labeled = targets.labeled
    if not labeled.any():
        raise ValueError("the clustering hypothesis is about targets, and no row of y is labelled")
    points = one_hot_with_means(features)
    n_clusters = min(targets.n_classes or DEFAULT_CLUSTERS, len(points))
    seed = resolve_seed(random_state)
    seeds = [derive_seed(seed, "k-means", run) for run in range(n_runs)]
    runs = [KMeans(n_clusters, n_init=N_STARTS, random_state=seed).fit(points).labels_[labeled] for seed in seeds]
    labeled_targets = targets.rows(labeled)
    if targets.task == "classification":
        return max(float(adjusted_rand_score(labeled_targets.values[:, 0], clusters)) for clusters in runs)
    return max(_explained_variance(clusters, labeled_targets, 0.5 if of == "deviation" else 1.0) for clusters in runs)


def one_hot_with_means(features):
    """Convert features to numbers: nominal columns one-hot, missing values as the column's mean (0 if all are missing).

    Parameters
    ----------
    features : sslrank.core.features.Features

    Returns
    -------
    ndarray of shape (n, W)

    Examples
    --------
    >>> one_hot_with_means(encode_features([[1.0], [None], [3.0]]))
    array([[1.],
           [2.],
           [3.]])
    """
    columns = expand(features)
    nominal = features.nominal[columns.owner]
    return fill_means(np.where(nominal & np.isnan(columns.values), 0.0, columns.values))


def _explained_variance(clusters, targets, power):
    explained, weights = [], []
    for values, weight in zip(targets.values.T, targets.weights, strict=True):
        known = ~np.isnan(values)
        column, of_cluster = values[known], clusters[known]
        total = ((column - column.mean()) ** 2).sum() if len(column) else 0.0
        if total == 0:
            continue
        within = sum(
            ((column[of_cluster == c] - column[of_cluster == c].mean()) ** 2).sum() for c in np.unique(of_cluster)
        )
        explained.append(1 - (within / total) ** power)
        weights.append(weight)
    if not weights:
        raise ValueError("no target varies, so there is no variance for clusters to explain")
    return float(np.average(explained, weights=weights))
