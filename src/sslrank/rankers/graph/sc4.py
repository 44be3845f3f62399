"""SC4: Laplacian score of the unlabelled rows times constraint score of the labelled rows."""

import numpy as np

from sslrank.core.columns import numeric_rows
from sslrank.core.validation import check_choice
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.class_constraints import ClassConstraints
from sslrank.rankers.graph.constraint_ranker import ConstraintRanker
from sslrank.rankers.graph.laplacian_score import laplacian_scores
from sslrank.rankers.graph.scores import lower_is_better, ratio


class SC4(ConstraintRanker, GraphRanker):
    r"""Semi-supervised constraint score C4 (Kalakech et al. 2011; thesis, Eq. 2.6, Algorithm 1).

    .. math:: C^4_r = LS_r \cdot CS_r

    Lower is better. LS is computed on the unlabelled rows and CS on the labelled ones, as the sentence before Eq. (2.6)
    says; the sentence after it names the parts in the wrong order ("LS and CS computed from the labeled and the
    unlabeled parts"). Without unlabelled rows or without cannot-links, the score is the other factor.

    Parameters
    ----------
    laplacian_rows : {"unlabeled", "all"}, default="unlabeled"
        Rows of the Laplacian score: the unlabelled ones, as in the thesis, or all. With given constraints, a row in a
        constraint counts as labelled.
    bandwidth : float or "percentile", default=100.0
        lambda of the graph's weights; 100 is the thesis's default for this score.
    n_neighbors, scale
        See :class:`sslrank.rankers.graph.base.GraphRanker`.
    supervised : bool, default=False
        Remove the unlabelled rows, which leaves the constraint score.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import SC4
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> SC4().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    laplacian_rows: str = "unlabeled"
    bandwidth: float | str = 100.0
    supervised: bool = False

    def check_params(self):
        check_choice("laplacian_rows", self.laplacian_rows, ("unlabeled", "all"))

    def rank_coded(self, features, targets, constraints=None):
        rows = numeric_rows(features, self.scale)
        constraints = self._constraints(targets, features.shape[0], constraints)
        if isinstance(constraints, ClassConstraints):
            constrained = constraints.codes >= 0
        else:
            constrained = constraints.in_cannot
            constrained[constraints.must.ravel()] = True
        used = np.ones(len(rows.values), dtype=bool) if self.laplacian_rows == "all" else ~constrained
        scores = np.ones(rows.n_features)
        if used.sum() > 1:
            part = rows.rows(used)
            scores = laplacian_scores(part, self._graph(part))
        if constraints.in_cannot.any():
            scores = scores * ratio(
                rows.sum_by_feature(constraints.must_energy(rows.values)),
                rows.sum_by_feature(constraints.cannot_energy(rows.values)),
            )
        self.scores_ = scores
        return lower_is_better(scores)
