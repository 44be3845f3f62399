"""Groups of near-duplicate features and of correlated features."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.feature_columns import NEAR_DUPLICATE

#: Minimum association of all pairs in a group of correlated features.
CORRELATED = 0.8
#: Associations are computed between at most this many of the best features, on at most this many rows.
MAX_FEATURES, MAX_ROWS = 1000, 5000
#: Minimum number of rows in which both columns are known to compare them.
MIN_SHARED_ROWS = 10
#: Maximum number of categories of a nominal column that get an indicator, the most frequent first.
_MAX_LEVELS = 50


@dataclass(frozen=True)
class Redundancy:
    """Association of features with each other.

    Attributes
    ----------
    features : ndarray of int
        Features that were compared, best first.
    near_duplicates, correlated : ndarray of shape (D,), int
        Best member of the group of each feature, whose pairs are associated by 0.95 (near-duplicates) or 0.8: absolute
        Spearman correlation of two numeric features, Cramér's V of two nominal ones, correlation ratio of the ranks for
        one of each. Features that were not compared are in no group. Near-duplicates determine each other; a city
        determines its country, but a country does not determine the city, so these are not near-duplicates.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = rank(X, y, methods="f_score", effort="order").redundancy
    >>> [[X.columns[i] for i in group] for group in found.groups("correlated")]
    [['petal length (cm)', 'petal width (cm)', 'sepal length (cm)']]
    """

    features: np.ndarray
    near_duplicates: np.ndarray
    correlated: np.ndarray

    @property
    def near_duplicate_groups(self):
        """Groups of near-duplicates, as :meth:`groups` returns them."""
        return self.groups()

    @property
    def correlated_groups(self):
        """Groups of correlated features, as :meth:`groups` returns them."""
        return self.groups("correlated")

    def groups(self, level="near_duplicates"):
        """List the groups of at least two features, each with its best feature first, as lists of indices."""
        codes = getattr(self, level)[self.features]
        groups = [list(self.features[codes == code]) for code in dict.fromkeys(codes)]
        return [group for group in groups if len(group) > 1]


def find_redundancy(coded, order, seed=0):
    """Group features by association over labelled and unlabelled rows; `order` has them best first."""
    n_rows, n_features = coded.X.shape
    features = order[:MAX_FEATURES]
    rows = np.arange(n_rows)
    if n_rows > MAX_ROWS:
        rows = np.sort(np.random.default_rng(derive_seed(seed, "association")).permutation(n_rows)[:MAX_ROWS])
    X, nominal = coded.X[np.ix_(rows, features)], coded.nominal[features]
    between = associations(X, nominal)
    near_duplicates, correlated = np.arange(n_features), np.arange(n_features)
    if len(features) > 1:
        for codes, association, level in (
            (near_duplicates, _determine_each_other(between, X, nominal), NEAR_DUPLICATE),
            (correlated, between, CORRELATED),
        ):
            distances = squareform(np.maximum(1 - association, 0.0), checks=False)
            cut = fcluster(linkage(distances, "complete"), 1 - level + 1e-9, "distance")
            for code in np.unique(cut):
                members = features[cut == code]
                codes[members] = members[0]  # the best one, as `order` has it first
    return Redundancy(features, near_duplicates, correlated)


def _determine_each_other(between, X, nominal):
    """Lower the association of near-duplicate pairs with a nominal column unless each determines the other."""
    pairs = between.copy()
    for a, b in np.argwhere(np.triu((between >= NEAR_DUPLICATE) & (nominal | nominal[:, None]), 1)):
        pairs[a, b] = pairs[b, a] = cramers_v(indicators(X[:, a]).T @ indicators(X[:, b]), max)
    return pairs


def associations(X, nominal):
    """Compute the association of each pair of columns, in [0, 1].

    Cramér's V and the correlation ratio are corrected for the number of categories, without which unrelated columns
    with many categories would have large values (Bergsma 2013; Kelley's epsilon squared).

    Parameters
    ----------
    X : ndarray of shape (n, m)
        NaN is missing. Numeric columns are compared in the rows in which both are known.
    nominal : ndarray of shape (m,), bool

    Returns
    -------
    ndarray of shape (m, m)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 10.0, 0.0], [2.0, 20.0, 0.0], [3.0, 30.0, 1.0], [4.0, 40.0, 1.0]])
    >>> associations(X, np.array([False, False, True])).round(2)
    array([[1.  , 1.  , 0.84],
           [1.  , 1.  , 0.84],
           [0.84, 0.84, 1.  ]])
    """
    matrix = np.eye(X.shape[1])
    numeric, nominals = np.flatnonzero(~nominal), np.flatnonzero(nominal)
    ranks, known_rows = pd.DataFrame(X[:, numeric]).rank(), (~np.isnan(X[:, numeric])).astype(np.float64)
    z = ((ranks - ranks.mean()) / ranks.std(ddof=0).where(lambda spread: spread > 0)).fillna(0.0).to_numpy()
    matrix[np.ix_(numeric, numeric)] = np.abs(joint_correlations(z, known_rows, z, known_rows))
    of_levels = [indicators(X[:, j]) for j in nominals]
    for a, j in enumerate(nominals):
        first = of_levels[a]
        counts = first.sum(axis=0)
        if len(numeric) and len(counts) > 1:
            total = counts.sum()
            is_known = first.any(axis=1)
            centered = z[is_known] - z[is_known].mean(axis=0)
            between = ((first[is_known].T @ centered) ** 2 / counts[:, None]).sum(axis=0)
            ratio = between / np.maximum((centered**2).sum(axis=0), 1e-300)
            free = max(total - len(counts), 1)
            ratio = 1 - (1 - ratio) * (total - 1) / free
            matrix[j, numeric] = matrix[numeric, j] = np.sqrt(np.clip(ratio, 0, 1))
        for b in range(a):
            matrix[j, nominals[b]] = matrix[nominals[b], j] = cramers_v(first.T @ of_levels[b])
    np.fill_diagonal(matrix, 1.0)
    return np.clip(matrix, 0.0, 1.0)


def joint_correlations(x, known_x, y, known_y):
    """Correlate columns over rows in which both are known, so that near-duplicates with different gaps are found.

    Parameters
    ----------
    x, y : ndarray of shape (n, m) and (n, k)
        Columns with mean 0 of the known values; 0 if missing.
    known_x, known_y : ndarray of the same shapes
        1.0 if known, otherwise 0.0.

    Returns
    -------
    ndarray of shape (m, k)
        0 if fewer than :data:`MIN_SHARED_ROWS` rows are shared, or a column is constant in them.
    """
    shared = known_x.T @ known_y
    n_shared = np.maximum(shared, 1.0)
    sums_x, sums_y = x.T @ known_y, known_x.T @ y
    squares = ((x**2).T @ known_y - sums_x**2 / n_shared) * (known_x.T @ y**2 - sums_y**2 / n_shared)
    products = x.T @ y - sums_x * sums_y / n_shared
    is_known = (shared >= min(len(x), MIN_SHARED_ROWS)) & (squares > 0)
    return np.divide(products, np.sqrt(np.maximum(squares, 0.0)), out=np.zeros_like(products), where=is_known)


def indicators(column):
    """Make a 0/1 column for each of the most frequent categories of a column, shape (n, k)."""
    known_codes = column[~np.isnan(column)]
    levels, counts = np.unique(known_codes, return_counts=True)
    levels = levels[np.argsort(-counts, kind="stable")][:_MAX_LEVELS]
    return (column[:, None] == levels).astype(np.float64)


def cramers_v(table, of_levels=min):
    """Compute Cramér's V of a table of counts, with the correction of Bergsma (2013).

    It is 1 if the column with more categories determines the other; with `of_levels` = max, if each determines the
    other.
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    n, (r, k) = table.sum(), table.shape
    if min(r, k) < 2 or n < 2:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    phi = ((table - expected) ** 2 / expected).sum() / n
    phi = max(0.0, phi - (r - 1) * (k - 1) / (n - 1))
    r, k = r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)
    return float(np.sqrt(phi / max(of_levels(r, k) - 1, 1e-9)))
