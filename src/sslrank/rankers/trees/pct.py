"""The single semi-supervised predictive clustering tree: section 3.1 of paper ssl-ranking."""

import math

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslrank.rankers.trees.estimator import TreeEstimator, check_choice, check_count, check_number
from sslrank.rankers.trees.growing import GrowthSettings, grow_forest
from sslrank.registry import EVERY_TASK


class PCT(TreeEstimator):
    """One semi-supervised predictive clustering tree on all rows and features (Algorithms 1 and 2).

    Without a target it is a clustering tree, with w = 1 a supervised multi-target tree. The tree is
    deterministic.

    Parameters
    ----------
    supervision : float in [0, 1], default=0.5
        Level of supervision w of Eq. (1); 0 if there is no target, 1 with `supervised`.
    task, hierarchy, hierarchy_alpha
        See :func:`sslrank.targets.encode_targets`.
    target_scale : {"all", "known"}, default="all"
        See :class:`sslrank.rankers.trees.PCTForestRanker`.
    min_samples_leaf : float, default=2
        Smallest number of rows in a branch, labelled or not.
    min_labeled_split : float, default=4
        A node with fewer labelled rows is a leaf; not applied at w = 0.
    max_depth : int, optional
        Largest depth of a leaf; None is no limit.
    supervised : bool, default=False
        Remove the unlabelled rows and use w = 1.
    n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.base.BaseRanker`; the last two have no effect.

    Attributes
    ----------
    tree_ : sslrank.rankers.trees._storage.Tree
        Arrays by node, as in scikit-learn: ``children_left``, ``children_right``, ``feature``, ``threshold``
        (rows with a larger value go right), ``value``, ``impurity_decrease``, ...
    feature_importances_ : ndarray of shape (n_features,)
        genie3 score of the one tree, Eq. (3).
    supervision_ : float
    task_ : str
    classes_ : ndarray
        For classification.
    """

    _tasks = EVERY_TASK

    def __init__(
        self,
        supervision=0.5,
        *,
        task="auto",
        hierarchy=None,
        hierarchy_alpha=0.75,
        target_scale="all",
        min_samples_leaf=2,
        min_labeled_split=4,
        max_depth=None,
        supervised=False,
        n_features_to_select=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
    ):
        self.supervision = supervision
        self.task = task
        self.hierarchy = hierarchy
        self.hierarchy_alpha = hierarchy_alpha
        self.target_scale = target_scale
        self.min_samples_leaf = min_samples_leaf
        self.min_labeled_split = min_labeled_split
        self.max_depth = max_depth
        self.supervised = supervised
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _rank(self, features, targets):
        check_number("supervision", self.supervision, 0, 1)
        check_choice("target_scale", self.target_scale, ("all", "known"))
        check_number("min_samples_leaf", self.min_samples_leaf, 1, math.inf)
        check_number("min_labeled_split", self.min_labeled_split, 0, math.inf)
        if self.max_depth is not None:
            check_count("max_depth", self.max_depth)
        problem = self._make_problem(features, targets)
        self.supervision_ = 1.0 if self.supervised else float(self.supervision)
        if not problem.labeled.any():
            self.supervision_ = 0.0
        settings = GrowthSettings(
            max_features=features.shape[1],
            random_tests=False,
            bootstrap=False,
            min_samples_leaf=float(self.min_samples_leaf),
            min_labeled_split=float(self.min_labeled_split),
            max_depth=self.max_depth,
            target_scale=self.target_scale,
        )
        grown = grow_forest(problem, np.arange(features.shape[0]), [self.supervision_], settings, 1, 0, keep=True)
        self._keep(grown.trees[0], targets)
        self.tree_ = self.estimators_[0]
        return grown.genie3[0]

    def apply(self, X):
        """Number of the leaf of every row.

        Returns
        -------
        ndarray of shape (n_samples,), int32
        """
        return super().apply(X)[:, 0]

    def get_depth(self):
        """Depth of the deepest leaf; a tree of one node has depth 0."""
        check_is_fitted(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self):
        """Number of leaves."""
        check_is_fitted(self)
        return int((self.tree_.children_left < 0).sum())
