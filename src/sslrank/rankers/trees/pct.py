"""Semi-supervised predictive clustering tree: section 3.1 of paper ssl-ranking."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslrank.core.tasks import EVERY_TASK
from sslrank.core.validation import check_number
from sslrank.rankers.trees.estimator import TreeEstimator
from sslrank.rankers.trees.growing import grow_forest


class PCT(TreeEstimator):
    """Rank features by one semi-supervised predictive clustering tree on all rows (Algorithms 1 and 2).

    Without a target this is a clustering tree, with w = 1 a supervised multi-target tree. The tree is deterministic.

    Parameters
    ----------
    supervision : float in [0, 1], default=0.5
        Level of supervision w of Eq. (1); 0 if there is no target, 1 with `supervised`.
    hierarchy, hierarchy_alpha, min_samples_leaf, min_labeled_split, max_depth, supervised
        See :class:`sslrank.rankers.trees.estimator.TreeEstimator`.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; the last two have no effect.

    Attributes
    ----------
    tree_ : sslrank.rankers.trees._tree.Tree
        Arrays by node, as in scikit-learn: ``children_left``, ``children_right``, ``feature``, ``threshold``
        (rows with a larger value go right), ``value``, ``impurity_decrease``, ...
    feature_importances_ : ndarray of shape (n_features,)
        genie3 score of the tree, Eq. (3).
    supervision_ : float
    task_ : str
    classes_ : ndarray
        For classification.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import PCT
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = PCT(max_depth=2).fit(X, y)
    >>> len(tree.tree_.feature), tree.ranking_
    (7, array([4, 3, 1, 2]))
    """

    tasks = EVERY_TASK
    supervision: float | str = 0.5

    def check_params(self):
        check_number("supervision", self.supervision, 0, 1)
        self._check_growth()

    def rank_coded(self, features, targets, sample_weight=None):
        problem = self.make_problem(features, targets, sample_weight)
        self.supervision_ = 1.0 if self.supervised else float(self.supervision)
        if not problem.labeled.any():
            self.supervision_ = 0.0
        settings = self._growth(
            max_features=features.shape[1],
            random_tests=False,
            bootstrap=False,
        )
        grown = grow_forest(problem, np.arange(features.shape[0]), [self.supervision_], settings, 1, 0, keep=True)
        self._keep(grown.trees[0], targets)
        self.tree_ = self.estimators_[0]
        return grown.genie3[0]

    def apply(self, X):
        """Find the leaf of every row.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,), int32
        """
        return super().apply(X)[:, 0]

    def get_depth(self):
        """Return the depth of the deepest leaf; a tree of one node has depth 0.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self):
        """Count the leaves.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return int((self.tree_.children_left < 0).sum())
