"""Feature-weighted k nearest neighbours, the evaluation of paper ssl-ranking (sections 6.4 and 6.5)."""

import itertools

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy import sparse

from sslrank.core.features import Features, feature_ranges, rescaled
from sslrank.core.validation import check_choice
from sslrank.models import _neighbors
from sslrank.models.votes import ballots, candidate_order, kernel_arrays, predictions


def distance_weights(importances):
    """Convert importances to distance weights: max(importance, 0), or ones if all of these are 0.

    Parameters
    ----------
    importances : array-like of shape (D,)

    Returns
    -------
    ndarray of shape (D,)

    Raises
    ------
    ValueError
        If an importance is NaN or infinite.

    Examples
    --------
    >>> distance_weights([2.0, -1.0, 1.0]), distance_weights([-1.0, 0.0])
    (array([1. , 0. , 0.5]), array([1., 1.]))
    """
    importances = np.asarray(importances, dtype=np.float64)
    if importances.ndim != 1 or not np.isfinite(importances).all():
        raise ValueError("importances must be a vector of finite numbers")
    weights = np.maximum(importances, 0.0)
    # Only proportions matter. A largest weight of 1 prevents overflow and underflow of squares.
    return weights / weights.max() if weights.any() else np.ones_like(weights)


def knn_predict(
    features_train,
    targets_train,
    features_test,
    importances,
    n_neighbors,
    *,
    neighbors="labeled",
    ranges="train",
    missing_nominal="expected",
    fallback="training",
    ties="shared",
    seed=0,
    n_jobs=None,
):
    """Predict by the k nearest training rows; each labelled one has one vote.

    Distances are those of Eq. (6), squared, weighted and summed. The difference between a missing number and a known
    one t, scaled to [0, 1], is max(t, 1 - t); between two missing numbers it is 1. The difference from a missing
    nominal value of c categories is 1 - 1/c, as in Relief, or 1. With fewer than k candidates, all are used.
    CLUS, the program of paper ssl-ranking, uses (with ``-knn``)
    ``neighbors="all", ranges="train_and_test", missing_nominal="one", fallback="zero"``.

    Parameters
    ----------
    features_train, features_test : Features
        Rows with the same encoding.
    targets_train : Targets
        NaN marks missing labels.
    importances : array-like of shape (D,)
        See :func:`distance_weights`.
    n_neighbors : int or sequence of int
        One or several k; neighbours are searched once, for the largest.
    neighbors : {"labeled", "all"}, default="labeled"
        Candidates for the k nearest: the labelled rows, or all training rows, of which the unlabelled ones have no
        vote. The paper does not say; its SSL minus SL areas look like "all" for SSL rankings.
    ranges : {"train", "train_and_test"}, default="train"
        Rows, labelled or not, whose smallest and largest values scale the features.
    missing_nominal : {"expected", "one"}, default="expected"
        Difference from a missing nominal value of c categories: 1 - 1/c, or 1.
    fallback : {"training", "zero"}, default="training"
        Prediction if no neighbour of a row is labelled: class shares or mean of the training values; or 0 for numeric
        targets (regression, multitarget), as in CLUS.
    ties : {"shared", "lower_row", "random"}, default="shared"
        Rows as far as the k-th neighbour (squared distances that differ by less than 1e-9 of them) share the weight
        that the nearer rows leave, so that the order of the rows does not matter; or those that come first in the file
        count; or those that come first after the rows are shuffled. The paper does not say.
    seed : int, default=0
        Seed of the shuffled rows.
    n_jobs : int, optional
        Threads; the result does not depend on it.

    Returns
    -------
    ndarray or dict of int to ndarray
        For one k the predictions, for several a dict by k: class shares (n, n_classes) for classification,
        means (n, T) for the other tasks (label means are the scores of the labels).

    Raises
    ------
    ValueError
        If no training row is labelled, k < 1, or a choice is not listed above.

    Examples
    --------
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> train, test = encode_features([[0.0], [1.0], [9.0]]), encode_features([[0.4], [8.0]])
    >>> knn_predict(train, encode_targets(["no", "no", "yes"], 3), test, [1.0], n_neighbors=1)
    array([[1., 0.],
           [0., 1.]])
    """
    ks = list(map(int, np.atleast_1d(n_neighbors)))
    if not ks or min(ks) < 1:
        raise ValueError(f"n_neighbors must be at least 1, got {n_neighbors!r}")
    check_choice("neighbors", neighbors, ("labeled", "all"))
    check_choice("ranges", ranges, ("train", "train_and_test"))
    check_choice("missing_nominal", missing_nominal, ("expected", "one"))
    check_choice("fallback", fallback, ("training", "zero"))
    labeled = targets_train.labeled
    if not labeled.any():
        raise ValueError("no training row is labelled, so there are no neighbours to predict from")
    rows = np.flatnonzero(labeled) if neighbors == "labeled" else np.arange(len(labeled))
    are_numbers = targets_train.task in ("regression", "multitarget")
    rows = rows[candidate_order(targets_train.values[rows], are_numbers, ties, seed)]
    candidates, distinct = targets_train.rows(rows), np.unique(np.minimum(ks, rows.size))
    ranges_with = None if ranges == "train" else features_test
    data = features_train, rows, importances, features_test, distinct, ballots(candidates)
    votes, parts = _votes(*data, ties == "shared", ranges_with, missing_nominal, n_jobs)
    otherwise = 0.0 if fallback == "zero" and are_numbers else None
    by_k = {}
    for k in sorted(set(ks)):
        i = np.searchsorted(distinct, min(k, rows.size))
        by_k[k] = predictions(votes[i], parts[i], int(distinct[i]), candidates, otherwise)
    return by_k if np.iterable(n_neighbors) else by_k[ks[0]]


def tied_rows(train, rows, queries, importances, ks):
    """Compute the share of queries for which rows at the k-th distance share weights.

    Parameters
    ----------
    train, queries : Features
    rows : ndarray of int
        Candidate neighbours among the training rows.
    importances : array-like of shape (D,)
    ks : list of int
        Ascending, at most the number of candidates.

    Returns
    -------
    dict of int to float
        In [0, 1].

    Examples
    --------
    >>> from sslrank.core.features import encode_features
    >>> train = encode_features([[0.0], [1.0], [1.0]])
    >>> tied_rows(train, np.arange(3), encode_features([[0.0], [0.6]]), [1.0], [1, 2])
    {1: 0.5, 2: 0.5}
    """
    none = sparse.csr_array((len(rows), 1))
    parts = _votes(train, rows, importances, queries, ks, none, True, None, "expected", None)[1]
    return {k: float(np.mean(of_k > 1)) for k, of_k in zip(ks, parts, strict=True)}


def _votes(train, rows, importances, queries, ks, matrix, shared, ranges_with, missing_nominal, n_jobs):
    """Add the rows of `matrix` over the neighbours of each query, shape (n_ks, n, n_columns), times the parts."""
    weights = distance_weights(importances)
    if len(weights) != train.shape[1]:
        raise ValueError(f"{len(weights)} importances were given for {train.shape[1]} features")
    columns = np.flatnonzero(weights)
    weights, used = weights[columns], _dense(train, columns)
    rows_of_ranges = used
    if ranges_with is not None:
        rows_of_ranges = Features(np.concatenate([used.values, _dense(ranges_with, columns).values]), used.n_categories)
    minimum, spread = feature_ranges(rows_of_ranges)
    candidates, queries = used.values[rows], _dense(queries, columns).values
    incomplete = np.isnan(candidates).any(axis=0) | np.isnan(queries).any(axis=0)
    groups = np.where(incomplete, 2, np.where(used.nominal, 1, 0))
    order = np.argsort(groups, kind="stable")
    n_groups = np.bincount(groups, minlength=3)
    n_categories = np.maximum(used.n_categories[order], 1)
    unequal = (1.0 - 1.0 / n_categories) ** 2 if missing_nominal == "expected" else 1.0
    miss = np.where(used.nominal[order], unequal, -1.0)

    def scaled(values):
        factors = np.where(groups == 0, np.sqrt(weights), 1.0)
        return np.ascontiguousarray((rescaled(values, minimum, spread) * factors)[:, order])

    blocks, queries, weights = _neighbors.pack(scaled(candidates)), scaled(queries), weights[order]
    votes, parts = np.empty((len(ks), len(queries), matrix.shape[1])), np.empty((len(ks), len(queries)))
    edges = np.linspace(0, len(queries), effective_n_jobs(n_jobs) + 1).astype(int)
    settings = (weights, miss, n_groups[0], n_groups[1], np.array(ks, dtype=np.intp), shared, *kernel_arrays(matrix))
    Parallel(n_jobs=n_jobs, require="sharedmem")(
        delayed(_neighbors.nearest_votes)(queries, blocks, *settings, start, stop, votes, parts)
        for start, stop in itertools.pairwise(edges)
    )
    return votes, parts


def _dense(features, columns):
    values = features.values[:, columns]
    values = values.toarray() if sparse.issparse(values) else values
    return Features(np.ascontiguousarray(values, dtype=np.float64), features.n_categories[columns])
