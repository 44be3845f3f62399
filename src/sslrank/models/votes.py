"""Votes of nearest rows: targets in the form of the kernels, and predictions from sums of votes."""

import numpy as np
from scipy import sparse

from sslrank.core.columns import center
from sslrank.core.distances import ROUNDING, Distances
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_choice
from sslrank.models._block_votes import block_votes

#: Entries of a block of distances that stays in the cache.
CACHED = 2**16

#: Readings of "the k nearest rows" when more rows than k are as near as the k-th one: those at its distance share the
#: weight that is left, or the lower rows count, or the lower ones after the rows are shuffled.
TIES = ("shared", "lower_row", "random")


def candidate_order(values, are_numbers, ties="shared", seed=0):
    """Return an order of candidate rows in which neither the file nor the processor decides a prediction.

    Parameters
    ----------
    values : ndarray of shape (n, T)
        Targets of the candidate rows.
    are_numbers : bool
        False for classes and labels, whose votes are whole numbers.
    ties : str
        One of :data:`TIES`.
    seed : int
        Seed of "random".

    Returns
    -------
    ndarray of int
        Sorted by their values if these are numbers, whose sum is rounded and so depends on the order; shuffled with
        "random"; otherwise the order of the file.

    Examples
    --------
    >>> candidate_order(np.array([[2.5], [0.5], [1.5]]), are_numbers=True)
    array([1, 2, 0])
    """
    check_choice("ties", ties, TIES)
    if ties == "random":
        return np.random.default_rng(derive_seed(seed, "ties")).permutation(len(values))
    return np.lexsort(values.T[::-1]) if ties == "shared" and are_numbers else np.arange(len(values))


def ballots(targets):
    """Build the matrix that the kernels add up: one row for each candidate.

    Parameters
    ----------
    targets : Targets
        NaN is unknown.

    Returns
    -------
    csr_array of shape (n, n_classes), (n, T), (n, T + 1) or (n, 2 T)
        Indicators of the class, or the values; if some are unknown, then also indicators of the known ones, in one
        column if each row knows all or none.

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> ballots(encode_targets(["no", None, "yes"], 3)).toarray()
    array([[1., 0.],
           [0., 0.],
           [0., 1.]])
    """
    known = ~np.isnan(targets.values)
    if targets.task == "classification":
        codes = targets.values[known].astype(np.intp)
        starts = np.concatenate([[0], np.cumsum(known[:, 0])])
        return sparse.csr_array((np.ones(len(codes)), codes, starts), shape=(len(known), targets.n_classes))
    values = np.where(known, targets.values, 0.0)
    if known.all():
        return sparse.csr_array(values)
    by_row = (known == known[:, :1]).all()
    return sparse.csr_array(np.hstack([values, known[:, :1] if by_row else known]))


def kernel_arrays(matrix):
    """Return the arrays of a matrix in compressed rows, in the types of the kernels."""
    return matrix.indptr.astype(np.intp), matrix.indices.astype(np.intp), matrix.data.astype(np.float64)


def predictions(votes, parts, k, targets, otherwise=None):
    """Divide sums of votes by the number of votes.

    Parameters
    ----------
    votes : ndarray of shape (n, n_columns)
        Sums of :func:`ballots` over the k nearest rows, times `parts`.
    parts : ndarray of shape (n,)
    k : int
    targets : Targets
        Of the candidate rows.
    otherwise : array-like, optional
        Prediction where no neighbour has a known target; by default class shares or means of the candidates.

    Returns
    -------
    ndarray of shape (n, n_classes) or (n, T)

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> predictions(np.array([[3.0, 1.0]]), np.array([2.0]), 2, encode_targets(["no", "yes"], 2))
    array([[0.75, 0.25]])
    """
    n_targets = targets.n_classes if targets.task == "classification" else targets.values.shape[1]
    sums = votes[:, :n_targets]
    if targets.task == "classification":
        counts = sums.sum(axis=1, keepdims=True)
    elif votes.shape[1] == n_targets:
        counts = k * parts[:, None]
    else:
        counts = votes[:, n_targets:]
    if counts.all():
        return sums / counts
    if otherwise is None:
        totals = ballots(targets).sum(axis=0)[None]
        otherwise = predictions(totals, np.ones(1), len(targets.values), targets, otherwise=0.0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), otherwise)


def nearest_votes(Z, values, ks, queries=None):
    """Add whole numbers over the k nearest rows of Z; those as far as the k-th one share the weight that is left.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    values : ndarray of shape (n, T)
        Whole numbers, such as 0/1.
    ks : list of int
        Each at most n, or n - 1 without queries.
    queries : ndarray of shape (m, W), optional
        Query rows; without them, the rows of Z, each among the others.

    Returns
    -------
    dict of int to ndarray of shape (n or m, T)

    Examples
    --------
    >>> import numpy as np
    >>> nearest_votes(np.array([[0.0], [2.0], [1.0]]), np.array([[1], [0], [0]]), [1])[1]
    array([[0. ],
           [0. ],
           [0.5]])
    """
    both = np.ascontiguousarray(Z if queries is None else np.vstack([Z, queries]))
    distances = Distances(both - center(both))
    n, first = len(Z), 0 if queries is None else len(Z)
    distinct, step = np.unique(np.asarray(ks, dtype=np.intp)), max(1, CACHED // n)
    votes = np.empty((len(distinct), len(both) - first, values.shape[1]))
    matrix = kernel_arrays(sparse.csr_array(values))
    for start in range(first, len(both), step):
        rows = slice(start, min(start + step, len(both)))
        block = np.ascontiguousarray(distances.block(rows, slice(0, n)))
        lengths = distances.norms[rows] + distances.norms[:n].max()
        if not np.isfinite(lengths).all():
            block[np.isnan(block)] = np.inf  # the difference of two overflows
        if queries is None:
            np.fill_diagonal(block[:, start:], np.inf)
        rounding = np.zeros(len(block)) if distances.exact else np.where(np.isfinite(lengths), ROUNDING * lengths, 0.0)
        block_votes(block, rounding, distinct, *matrix, start - first, votes)
    return dict(zip(distinct.tolist(), votes, strict=True))
