"""Stability selection: how often a feature is among the first to enter a sparse linear model of half of the rows."""

import numpy as np
from scipy.stats import rankdata

from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.tasks import TASKS
from sslrank.core.validation import check_count
from sslrank.rankers.l1 import SparseLinear


class StabilitySelection(BaseRanker):
    """Rank features by the share of half-samples in which they are among the first to enter a lasso.

    The labelled rows are split repeatedly into two random halves [2]_. From each half the first sqrt(0.8 D) features of
    :class:`sslrank.rankers.l1.SparseLinear` are selected; for this number the bound of [1]_ (Eq. 9) is one falsely
    selected feature at a threshold of 0.9. Ties are broken by the mean rank over the halves.

    Parameters
    ----------
    n_pairs : int, default=25
        Pairs of complementary halves.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; there is one thread.
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`.

    Attributes
    ----------
    selected_ : ndarray of shape (n_features,)
        Share of the half-samples that select the feature, in [0, 1].

    References
    ----------
    .. [1] N. Meinshausen, P. Bühlmann (2010), Stability selection, Journal of the Royal Statistical Society B 72.
    .. [2] R. D. Shah, R. J. Samworth (2013), Variable selection with error control: another look at stability
       selection, ibid. 75, section 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> StabilitySelection(n_pairs=5, random_state=0).fit(X, y).ranking_
    array([4, 3, 1, 2])
    """

    tasks = frozenset(TASKS)
    labeled_only = True
    n_pairs: int = 25
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def check_params(self):
        check_count("n_pairs", self.n_pairs)

    def rank_coded(self, features, targets):
        n_rows, n_features = features.shape
        rng = np.random.default_rng(derive_seed(self.resolve_seed(), "halves"))
        n_selected = max(int(np.sqrt(0.8 * n_features)), 1)
        selected, ranks = np.zeros((2, n_features))
        halves = [half for _ in range(self.n_pairs) for half in np.array_split(rng.permutation(n_rows), 2)]
        halves = [np.sort(half) for half in halves if len(half)]
        for half in halves:
            half_features = features.rows(half).without_unused_categories()
            half_targets = targets.rows(half).without_unused_categories()
            importances = SparseLinear().rank_coded(half_features, half_targets)
            half_ranks = rankdata(-importances)
            selected += (half_ranks <= n_selected) & (importances > 0)
            ranks += half_ranks
        self.selected_ = selected / len(halves)
        return self.selected_ - ranks / len(halves) / (n_features + 1) / (len(halves) + 1)
