"""Votes of nearest rows: targets in the form of the kernels, and predictions from sums of votes."""

import numpy as np
from scipy import sparse

from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_choice

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
