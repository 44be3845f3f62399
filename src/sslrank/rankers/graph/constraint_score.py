"""Constraint score: must-linked rows should be near each other, cannot-linked rows far apart."""

import numpy as np

from sslrank.core.columns import numeric_rows
from sslrank.core.validation import check_choice, check_number
from sslrank.rankers.graph.constraint_ranker import ConstraintRanker
from sslrank.rankers.graph.scores import lower_is_better, ratio

#: A difference of two scores below this share of their terms is rounding error of zero.
SAME = 1e-12


class ConstraintScore(ConstraintRanker):
    r"""Constraint score (Zhang, Chen and Zhou 2008).

    .. math:: CS_r = \frac{\sum_{(i,j) \in ML} (f_{ri} - f_{rj})^2}{\sum_{(i,j) \in CL} (f_{ri} - f_{rj})^2}

    or, with ``variant="difference"``, the numerator minus `balance` times the denominator; lower is better. Rows
    without a label or a constraint are not used. Sums over labelled pairs are computed class by class, in time linear
    in the rows.

    Parameters
    ----------
    variant : {"ratio", "difference"}, default="ratio"
    balance : float, default=0.1
        Weight of the cannot-links in the difference.
    scale : {None, "range", "standard"}, default=None
        Divide numeric features by their range or standard deviation; only the difference depends on it.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        NaN or inf if the two rows of each cannot-link have equal values.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import ConstraintScore
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> ConstraintScore().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    variant: str = "ratio"
    balance: float = 0.1
    scale: str | None = None

    def check_params(self):
        check_choice("variant", self.variant, ("ratio", "difference"))
        check_number("balance", self.balance)

    def rank_coded(self, features, targets, constraints=None):
        rows = numeric_rows(features, self.scale)
        constraints = self._constraints(targets, features.shape[0], constraints)
        must = rows.sum_by_feature(constraints.must_energy(rows.values))
        cannot = rows.sum_by_feature(constraints.cannot_energy(rows.values))
        if self.variant == "difference":
            self.scores_ = must - self.balance * cannot
            sizes, worst = must + self.balance * cannot, np.argmax(self.scores_)
            importances = self.scores_[worst] - self.scores_
            importances[importances <= SAME * (sizes + sizes[worst])] = 0.0
            return importances
        self.scores_ = ratio(must, cannot)
        return lower_is_better(self.scores_)
