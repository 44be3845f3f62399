"""SC4: the Laplacian score of the unlabelled rows times the constraint score of the labelled ones."""

import numpy as np

from sslrank.columns import NumericRows, numeric_rows
from sslrank.rankers.graph.affinity import row_graph
from sslrank.rankers.graph.constraints import ClassConstraints, ConstraintRanker
from sslrank.rankers.graph.laplacian_score import laplacian_scores
from sslrank.rankers.graph.scores import lower_is_better, ratio


class SC4(ConstraintRanker):
    r"""Semi-supervised constraint score C4 (Kalakech et al. 2011; thesis, Eq. 2.6, Algorithm 1).

    .. math:: C^4_r = LS_r \cdot CS_r

    low is good. The sentence after Eq. (2.6) names the parts in the wrong order ("LS and CS computed from the
    labeled and the unlabeled parts"); constraints come from labels, so LS is of the unlabelled rows and CS of
    the labelled ones, as the sentence before it says. A part that does not exist (no unlabelled rows, no
    cannot-link) is left out of the product, which leaves the other score.

    Parameters
    ----------
    laplacian_rows : {"unlabeled", "all"}, default="unlabeled"
        Rows that the Laplacian score is computed on: as the thesis says, or all of them. With given
        constraints a row counts as labelled when it is in one of them.
    n_neighbors : int, default=10
        k of the graph.
    bandwidth : float or "percentile", default=100.0
        lambda of the graph's weights; 100 is the thesis's default for this score.
    scale : {None, "range", "standard"}, default=None
        What to divide numeric features by before anything else.
    supervised : bool, default=False
        Remove the unlabelled rows, which leaves the constraint score.
    n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.base.BaseRanker`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
    """

    _tasks = frozenset({"classification"})

    def __init__(
        self,
        laplacian_rows="unlabeled",
        n_neighbors=10,
        bandwidth=100.0,
        scale=None,
        supervised=False,
        n_features_to_select=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
    ):
        self.laplacian_rows = laplacian_rows
        self.n_neighbors = n_neighbors
        self.bandwidth = bandwidth
        self.scale = scale
        self.supervised = supervised
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _rank(self, features, targets, constraints=None):
        if self.laplacian_rows not in ("unlabeled", "all"):
            raise ValueError(f"laplacian_rows must be 'unlabeled' or 'all', got {self.laplacian_rows!r}")
        rows = numeric_rows(features, self.scale)
        constraints = self._constraints(targets, features.shape[0], constraints)
        if isinstance(constraints, ClassConstraints):
            constrained = constraints.codes >= 0
        else:
            constrained = constraints.in_cannot
            constrained[constraints.must.ravel()] = True
        used = np.ones(len(rows.Z), dtype=bool) if self.laplacian_rows == "all" else ~constrained
        scores = np.ones(rows.n_features)
        if used.sum() > 1:
            part = NumericRows(np.ascontiguousarray(rows.Z[used]), rows.owner, rows.n_features)
            scores = laplacian_scores(part, row_graph(part.Z, self.n_neighbors, self.bandwidth))
        if constraints.in_cannot.any():
            scores = scores * ratio(
                rows.fold(constraints.must_energy(rows.Z)), rows.fold(constraints.cannot_energy(rows.Z))
            )
        self.scores_ = scores
        return lower_is_better(scores)
