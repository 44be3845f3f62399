"""BR-CLS: mean rank by the constrained Laplacian scores of all labels."""

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import rankdata

from sslrank.core.columns import numeric_rows
from sslrank.core.distances import Distances
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.class_constraints import ClassConstraints, must_similarities
from sslrank.rankers.graph.cls import cls_scores
from sslrank.rankers.graph.scores import lower_is_better


class BRCLS(GraphRanker):
    """Rank features by BR-CLS: binary relevance with CLS (thesis, Algorithm 7).

    CLS is computed for each label, whose 0 and 1 are the two classes, with all rows in the graph. A feature's score is
    its mean rank over the labels; lower is better. Equal scores share their mean rank; a feature without a score ranks
    last. A row with a missing label is unlabelled for this label.

    Parameters
    ----------
    n_neighbors, bandwidth, scale, supervised
        As in :class:`sslrank.rankers.graph.cls.CLS`. The graph and the weights of labelled pairs are computed once.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; threads share the labels.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean rank.
    label_scores_ : ndarray of shape (n_labels, n_features)
        CLS of each label.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sslrank import BRCLS
    >>> X, Y = make_multilabel_classification(80, 5, n_classes=3, random_state=0)
    >>> Y = np.where(np.arange(80)[:, None] % 2, Y, np.nan)  # every other row is unlabelled
    >>> BRCLS().fit(X, Y).ranking_
    array([3, 5, 4, 2, 1])
    """

    tasks = frozenset({"multilabel", "none"})
    scale: str | None = "range"
    supervised: bool = False

    def rank_coded(self, features, targets):
        rows = numeric_rows(features, self.scale)
        distances = Distances(rows.values)
        codes = np.where(np.isnan(targets.values), -1, targets.values).astype(np.intp)
        if codes.shape[1] == 0:
            codes = np.full((len(codes), 1), -1)
        graph = self._graph(rows, kind=np.unique(codes, axis=0, return_inverse=True)[1].ravel())
        must = zip(*must_similarities(rows.values, distances, codes, graph.bandwidth), strict=True)
        scores = Parallel(n_jobs=self.n_jobs, require="sharedmem")(
            delayed(cls_scores)(rows, graph, distances, ClassConstraints(label), known)
            for label, known in zip(codes.T, must, strict=True)
        )
        self.label_scores_ = np.array(scores)
        ranks = [rankdata(np.where(np.isnan(s), np.inf, s)) for s in scores]
        self.scores_ = np.mean(ranks, axis=0)
        return lower_is_better(self.scores_)
