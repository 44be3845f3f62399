"""LP-CLS: constrained Laplacian score with label sets as classes."""

import numpy as np

from sslrank.core.columns import numeric_rows
from sslrank.core.distances import Distances
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.class_constraints import ClassConstraints
from sslrank.rankers.graph.cls import cls_scores
from sslrank.rankers.graph.scores import lower_is_better


class LPCLS(GraphRanker):
    """Rank features by LP-CLS: label powerset with CLS (thesis, Algorithm 8).

    Each distinct set of labels is a class, and CLS is computed for these classes; lower is better. A row with a missing
    label counts as unlabelled.

    Parameters
    ----------
    n_neighbors, bandwidth, scale, supervised
        As in :class:`sslrank.rankers.graph.cls.CLS`.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; nothing is random.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sslrank import LPCLS
    >>> X, Y = make_multilabel_classification(80, 5, n_classes=3, random_state=0)
    >>> Y = np.where(np.arange(80)[:, None] % 2, Y, np.nan)  # every other row is unlabelled
    >>> LPCLS().fit(X, Y).ranking_
    array([3, 5, 4, 2, 1])
    """

    tasks = frozenset({"multilabel", "none"})
    scale: str | None = "range"
    supervised: bool = False

    def rank_coded(self, features, targets):
        rows = numeric_rows(features, self.scale)
        constraints = ClassConstraints(label_set_codes(targets.values))
        graph = self._graph(rows, kind=constraints.kinds)
        self.scores_ = cls_scores(rows, graph, Distances(rows.values), constraints)
        return lower_is_better(self.scores_)


def label_set_codes(values):
    """Encode label sets as class codes; -1 for a row with a missing label (all rows without labels).

    Parameters
    ----------
    values : ndarray of shape (n, C)
        0, 1 or NaN.

    Returns
    -------
    ndarray of shape (n,), intp

    Examples
    --------
    >>> import numpy as np
    >>> label_set_codes(np.array([[0, 1], [1, 1], [0, 1], [np.nan, 1]]))
    array([ 0,  1,  0, -1])
    """
    codes = np.full(len(values), -1, dtype=np.intp)
    known = ~np.isnan(values).any(axis=1)
    if values.shape[1] and known.any():
        codes[known] = np.unique(values[known], axis=0, return_inverse=True)[1].ravel()
    return codes
