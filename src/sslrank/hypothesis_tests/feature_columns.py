"""Columns that represent features in conditional tests, and blocks of correlated features."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import legvander

from sslrank.hypothesis_tests.marginal import column_ranks

#: Correlation of near-duplicates.
NEAR_DUPLICATE = 0.95
#: Kinds of columns that represent a feature.
NUMBER, DISTANCE, LEVEL_INDICATOR, GAP = range(4)
#: Number of most related features whose products serve as controls: a bound on time.
MAX_INTERACTING = 20
#: Maximum number of their columns, with one for each level of nominal features.
MAX_FACTORS = 60
#: Nonlinear functions of a feature's rank, scaled to [-1, 1]: highest degree of polynomials, and locations of steps.
#: Fewer let functions of another feature count as new information (tests/measurements/README.md).
_DEGREE, _STEPS = 5, np.linspace(-1, 1, 65)[1:-1]


class FeatureColumns(NamedTuple):
    """Columns of norm 1 that represent features.

    Attributes
    ----------
    values : ndarray of shape (n, P)
    owners : ndarray of shape (P,), int
        Feature of each column.
    kinds : ndarray of shape (P,), int
        NUMBER, DISTANCE, LEVEL_INDICATOR or GAP.
    """

    values: np.ndarray
    owners: np.ndarray
    kinds: np.ndarray


def feature_columns(features):
    """Make columns: numbers, distances from the middle rank, indicators of levels, and indicators of gaps."""
    columns, owners, kinds, ranks = [], [], [], column_ranks(features.values)
    for j, nominal in enumerate(features.nominal):
        x = features.values[:, j]
        is_known = ~np.isnan(x)
        values, counts = np.unique(x[is_known], return_counts=True)
        if nominal:  # all but the most frequent level
            parts = [(x == level, LEVEL_INDICATOR) for level in np.delete(values, counts.argmax()) if len(values) > 1]
        else:
            parts = [(x, NUMBER)]
            if len(values) > 2:
                parts.append((np.abs(ranks[:, j] - (is_known.sum() + 1) / 2), DISTANCE))
        parts = [(np.where(is_known, column, np.nan), kind) for column, kind in parts]
        parts += [] if is_known.all() else [(is_known, GAP)]
        columns += [column for column, _ in parts]
        owners += [j] * len(parts)
        kinds += [kind for _, kind in parts]
    values = np.array(columns, dtype=np.float64).reshape(len(columns), len(features.values)).T
    return FeatureColumns(_standardize(values), np.array(owners, dtype=np.intp), np.array(kinds, dtype=np.intp))


def nonlinear_bases(features, used):
    """Make polynomials and steps of the rank of each number, and products of the first features.

    A feature of two values has products with the others, and so has each level of a nominal feature: slopes that
    differ by group, and cells of two features.

    Parameters
    ----------
    features : sslrank.core.features.Features
    used : sequence of int
        Features, the most related first; the first :data:`MAX_INTERACTING` also have pairwise products.

    Returns
    -------
    columns : ndarray of shape (n, P), of length one
    owners : ndarray of shape (P, 2), int
        One or two features of each column.
    """
    columns, owners = [np.empty((len(features.values), 0))], []
    of_all = dict(zip(used, column_ranks(features.values[:, used]).T, strict=True))
    for j in used:
        x = features.values[:, j]
        if features.nominal[j] or len(np.unique(x[~np.isnan(x)])) < 3:
            continue
        ranks = of_all[j] / (np.sum(~np.isnan(x)) + 1) * 2 - 1
        bases = np.column_stack([legvander(ranks, _DEGREE)[:, 1:], np.sign(ranks[:, None] - _STEPS)])
        columns.append(np.where(np.isnan(x)[:, None], np.nan, bases))
        owners += [(j, j)] * bases.shape[1]
    factors = {}
    for j in used[:MAX_INTERACTING]:
        factors[j] = _factors(features.values[:, j], features.nominal[j])
        if sum(part.shape[1] for part in factors.values()) > MAX_FACTORS:
            del factors[j]
    for a, b in combinations(factors, 2):
        products = (factors[a][:, :, None] * factors[b][:, None, :]).reshape(len(features.values), -1)
        columns.append(products)
        owners += [(a, b)] * products.shape[1]
    return _standardize(np.hstack(columns)), np.array(owners, dtype=np.intp).reshape(-1, 2)


def _factors(x, nominal):
    """Make the columns of a feature that are multiplied with those of others: itself, or its levels."""
    if not nominal:
        return _standardize(x[:, None])
    levels, counts = np.unique(x[~np.isnan(x)], return_counts=True)
    return 1.0 * (x[:, None] == levels[np.argsort(-counts, kind="stable")])


def near_duplicates(features, same=None):
    """Group numeric columns connected by correlations of at least `NEAR_DUPLICATE`.

    Parameters
    ----------
    features : sslrank.core.features.Features
    same : ndarray of shape (D,), optional
        Columns that are one variable, by their common number, which are connected, too.

    Returns
    -------
    ndarray of shape (D,), int
        First column of each column's block.
    """
    block = np.arange(features.shape[1])
    if same is not None:
        _, first, numbers = np.unique(same, return_index=True, return_inverse=True)
        block = first[numbers]
    numbers = np.flatnonzero(~features.nominal)
    x = _standardize(features.values[:, numbers])
    for i in range(len(numbers)):
        for j in numbers[i + 1 :][np.abs(x[:, i + 1 :].T @ x[:, i]) >= NEAR_DUPLICATE]:
            block[block == block[j]] = block[numbers[i]]
    return block


def _standardize(values):
    is_known = ~np.isnan(values)
    counts = np.maximum(is_known.sum(axis=0), 1)
    values = np.where(is_known, values, 0.0)
    values = np.where(is_known, values - values.sum(axis=0) / counts, 0.0)
    lengths = np.sqrt((values**2).sum(axis=0))
    return np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 1e-12 * np.sqrt(counts))
