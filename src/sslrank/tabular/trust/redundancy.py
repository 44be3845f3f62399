"""Groups of features that say nearly the same."""

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import rankdata

from sslrank.core.random_state import derive_seed

#: Features of a group are pairwise associated at least so much: copies, and correlated features.
COPIES, CORRELATED = 0.95, 0.8
#: Associations are computed among at most so many of the best features, on at most so many rows.
MAX_FEATURES, MAX_ROWS = 1000, 5000
#: Nominal columns with more categories have an indicator for each of the most frequent ones only.
_MAX_LEVELS = 50


@dataclass(frozen=True)
class Redundancy:
    """Features by their association with each other.

    Attributes
    ----------
    features : ndarray of int
        Those that were looked at, best first.
    association : ndarray of shape (m, m)
        Of these, in [0, 1]: Spearman's correlation without its sign of two numeric features, Cramér's V of two nominal
        ones, the correlation ratio of the ranks of one of each.
    copies, correlated : ndarray of shape (D,), int
        Best member of the group of each feature, at 0.95 and 0.8; features that were not looked at are alone. Copies
        follow from each other: a city is no copy of its country, which follows from it.

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
    association: np.ndarray
    copies: np.ndarray
    correlated: np.ndarray

    def groups(self, of="copies"):
        """Groups of at least two features, best features first, as lists of feature numbers."""
        codes = getattr(self, of)[self.features]
        found = [list(self.features[codes == code]) for code in dict.fromkeys(codes)]
        return [group for group in found if len(group) > 1]

    @property
    def is_copy(self):
        """Features that are folded under a better one, shape (D,)."""
        return self.copies != np.arange(len(self.copies))


def find_redundancy(problem, order, seed=0):
    """Group features, in `order` from the best one, by association over labelled and unlabelled rows."""
    n_rows, n_features = problem.X.shape
    chosen = order[:MAX_FEATURES]
    rows = np.arange(n_rows)
    if n_rows > MAX_ROWS:
        rows = np.sort(np.random.default_rng(derive_seed(seed, "association")).permutation(n_rows)[:MAX_ROWS])
    X, nominal = problem.X[np.ix_(rows, chosen)], problem.nominal[chosen]
    between = associations(X, nominal)
    copies, correlated = np.arange(n_features), np.arange(n_features)
    if len(chosen) > 1:
        for codes, of, level in ((copies, _both_ways(between, X, nominal), COPIES), (correlated, between, CORRELATED)):
            cut = fcluster(linkage(distances(of), "complete"), 1 - level + 1e-9, "distance")
            for code in np.unique(cut):
                members = chosen[cut == code]
                codes[members] = members[0]  # the best one, as they stand in order
    return Redundancy(chosen, between, copies, correlated)


def distances(association):
    """Distances of features, 1 - association, as scipy's linkage takes them."""
    return squareform(np.maximum(1 - association, 0.0), checks=False)


def _both_ways(between, X, nominal):
    """Associations; of a pair with a nominal column that is a copy otherwise, only as far as each tells the other."""
    found = between.copy()
    for a, b in np.argwhere(np.triu((between >= COPIES) & (nominal | nominal[:, None]), 1)):
        found[a, b] = found[b, a] = _cramer(_indicators(X[:, a]).T @ _indicators(X[:, b]), max)
    return found


def associations(X, nominal):
    """Association of each pair of columns, in [0, 1].

    Cramér's V and the correlation ratio are corrected for the number of categories, which gives unrelated columns with
    many categories large values otherwise (Bergsma 2013; Kelley's epsilon squared).

    Parameters
    ----------
    X : ndarray of shape (n, m)
        NaN is missing; it takes the mean rank, or no category.
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
    n, m = X.shape
    found = np.eye(m)
    numeric, others = np.flatnonzero(~nominal), np.flatnonzero(nominal)
    z = np.zeros((n, len(numeric)))
    for place, j in enumerate(numeric):
        known = ~np.isnan(X[:, j])
        ranks = rankdata(X[known, j])
        if known.any() and ranks.std() > 0:
            z[known, place] = (ranks - ranks.mean()) / ranks.std()
    lengths = np.sqrt(np.maximum((z**2).sum(axis=0), 1e-300))
    found[np.ix_(numeric, numeric)] = np.abs(z.T @ z) / np.outer(lengths, lengths)
    indicators = [_indicators(X[:, j]) for j in others]
    for a, j in enumerate(others):
        first = indicators[a]
        counts = first.sum(axis=0)
        if len(numeric) and len(counts) > 1:
            total = counts.sum()
            known = first.any(axis=1)
            own = z[known] - z[known].mean(axis=0)
            between = ((first[known].T @ own) ** 2 / counts[:, None]).sum(axis=0)
            ratio = between / np.maximum((own**2).sum(axis=0), 1e-300)
            free = max(total - len(counts), 1)
            ratio = 1 - (1 - ratio) * (total - 1) / free
            found[j, numeric] = found[numeric, j] = np.sqrt(np.clip(ratio, 0, 1))
        for b in range(a):
            found[j, others[b]] = found[others[b], j] = _cramer(first.T @ indicators[b])
    np.fill_diagonal(found, 1.0)
    return np.clip(found, 0.0, 1.0)


def _indicators(column):
    known = column[~np.isnan(column)]
    levels, counts = np.unique(known, return_counts=True)
    levels = levels[np.argsort(-counts, kind="stable")][:_MAX_LEVELS]
    return (column[:, None] == levels).astype(np.float64)


def _cramer(table, of_levels=min):
    """Cramér's V of a table of counts, with the correction of Bergsma (2013).

    It is 1 if the column with fewer categories follows from the other one; with `of_levels` = max, if each follows from
    the other.
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
