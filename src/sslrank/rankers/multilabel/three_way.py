"""3-3FS: ensemble of S-CLS on samples of rows, features and labels."""

import numpy as np
from joblib import Parallel, delayed

from sslrank.core.columns import numeric_rows
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count
from sslrank.rankers.committee.size import committee_size
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.scores import lower_is_better, ratio
from sslrank.rankers.multilabel.s_cls import relevant_labels, s_cls_scores


class ThreeWayFS(GraphRanker):
    """Rank features by 3-3FS, the three-way ensemble of S-CLS (thesis, Algorithm 10).

    Each member computes S-CLS on a bootstrap sample of the labelled rows, all unlabelled rows, sqrt(m) of the m
    features and sqrt(C) of the C labels (rounded, drawn without replacement). A feature's score is its mean score over
    the members that drew it and in which it is not constant; lower is better.

    Parameters
    ----------
    n_estimators : int or None, default=None
        Number of members; None is Eq. (5.1), 10 ceil(log 0.01 / log(1 - 1/sqrt(m))).
    n_neighbors, bandwidth, scale, supervised
        As in :class:`sslrank.rankers.multilabel.s_cls.SCLS`; each member has its own graph and bandwidth.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; threads share the members.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        NaN for a feature that no member could score.
    n_members_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sslrank import ThreeWayFS
    >>> X, Y = make_multilabel_classification(80, 5, n_classes=3, random_state=0)
    >>> Y = np.where(np.arange(80)[:, None] % 2, Y, np.nan)  # every other row is unlabelled
    >>> ThreeWayFS(random_state=0).fit(X, Y).ranking_
    array([3, 5, 4, 2, 1])
    """

    tasks = frozenset({"multilabel"})
    scale: str | None = "range"
    n_estimators: int | None = None
    supervised: bool = False

    def check_params(self):
        check_count("n_estimators", self.n_estimators, words=(None,))

    def rank_coded(self, features, targets):
        rows = numeric_rows(features, self.scale)
        labels, labeled = relevant_labels(targets)
        self.n_members_ = self.n_estimators or committee_size(rows.n_features)
        seed = self.resolve_seed()
        scores = Parallel(n_jobs=self.n_jobs, require="sharedmem")(
            delayed(self._member)(rows, labels, labeled, derive_seed(seed, "3_3fs", member))
            for member in range(self.n_members_)
        )
        known = np.isfinite(scores)
        self.scores_ = ratio(np.where(known, scores, 0.0).sum(axis=0), known.sum(axis=0))
        return lower_is_better(self.scores_)

    def _member(self, rows, labels, labeled, seed):
        rng = np.random.default_rng(seed)
        n_features, n_labels = rows.n_features, labels.shape[1]
        chosen = rng.choice(n_features, size_of_part(n_features), replace=False)
        some = np.sort(rng.choice(n_labels, size_of_part(n_labels), replace=False))
        sample = self._sample(np.flatnonzero(labeled), rng)
        index = np.concatenate([sample, np.flatnonzero(~labeled)])
        part = rows.rows(index, np.isin(np.arange(n_features), chosen))
        marked = np.arange(len(index)) < len(sample)
        scores = s_cls_scores(part, labels[np.ix_(index, some)], marked, self.n_neighbors, self.bandwidth)
        scores[np.setdiff1d(np.arange(n_features), chosen)] = np.nan
        return scores

    def _sample(self, known, rng):
        """Draw the labelled rows of a member, ascending."""
        return np.sort(rng.choice(known, len(known)))


def size_of_part(whole):
    """Compute the rounded square root of a number, at least 1.

    Parameters
    ----------
    whole : int

    Returns
    -------
    int

    Examples
    --------
    >>> size_of_part(100)
    10
    """
    return max(1, round(np.sqrt(whole)))
