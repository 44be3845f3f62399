"""Base class of a single predictive clustering tree and of a forest: encoding and prediction."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from sslrank.core.base import WeightedRanker
from sslrank.core.containers import as_table
from sslrank.core.validation import check_count, check_number
from sslrank.rankers.trees._permutation import add_values, apply_values
from sslrank.rankers.trees.categories import CategoryCoder
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.growing import GrowthSettings, Problem
from sslrank.rankers.trees.supervision import respect_hierarchy


class TreeEstimator(WeightedRanker):
    """Encoding of data, and prediction by the mean of the trees in `estimators_`.

    Sample weights apply to impurities, prototypes, `min_samples_leaf` and `min_labeled_split`. Targets and features are
    scaled, and w is chosen, with equal weights.

    Parameters
    ----------
    hierarchy : sequence of sequences of int, optional
        Parents of every label, for hierarchical multi-label classification.
    hierarchy_alpha : float, default=0.75
        Weight of a label relative to the mean weight of its parents (section 3.1).
    min_samples_leaf : float, default=2
        Minimum number of rows in a branch, labelled or not, counted with their multiplicity in the bag.
    min_labeled_split : float, default=4
        A node with fewer labelled rows is a leaf; not applied at w = 0.
    max_depth : int, optional
        Maximum depth of a leaf; None for no limit.
    supervised : bool, default=False
        Remove the unlabelled rows and use w = 1, as in the supervised counterpart.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import PCT
    >>> X, y = load_iris(return_X_y=True)
    >>> isinstance(PCT(), TreeEstimator), PCT(max_depth=1).fit(X, y).predict_proba(X[:1]).shape
    (True, (1, 3))
    """

    accept_sparse = True
    #: See :class:`sslrank.rankers.trees.growing.GrowthSettings`; :mod:`sslrank.rankers.trees.original` has "known".
    _target_scale = "all"

    hierarchy: Sequence | None = None
    hierarchy_alpha: float = 0.75
    min_samples_leaf: float = 2
    min_labeled_split: float = 4
    max_depth: int | None = None
    supervised: bool = False

    def _check_growth(self):
        check_number("min_samples_leaf", self.min_samples_leaf, 1)
        check_number("min_labeled_split", self.min_labeled_split)
        check_count("max_depth", self.max_depth, words=(None,))

    def _growth(self, **options):
        """Make the settings of the trees from the parameters that a tree and a forest share, and from others."""
        return GrowthSettings(
            min_samples_leaf=float(self.min_samples_leaf),
            min_labeled_split=float(self.min_labeled_split),
            max_depth=self.max_depth,
            target_scale=self._target_scale,
            **options,
        )

    def encode(self, X, y):
        """Encode X and y, and store the categories; see :meth:`sslrank.core.base.BaseRanker.encode`.

        Parameters
        ----------
        X, y
            See :meth:`fit`.

        Returns
        -------
        features : sslrank.core.features.Features
        targets : sslrank.core.targets.Targets
        """
        features, targets = super().encode(X, y)
        self._coder = CategoryCoder(X, features.n_categories)
        return features, targets

    def make_problem(self, features, targets, sample_weight=None):
        """Encode features and targets in the form in which trees are grown.

        Parameters
        ----------
        features : sslrank.core.features.Features
        targets : sslrank.core.targets.Targets
        sample_weight : ndarray of shape (n_rows,), optional
            Positive weights with mean 1.

        Returns
        -------
        sslrank.rankers.trees.growing.Problem
        """
        table = encode_table(features, allow_sparse=_may_be_sparse(targets))
        return Problem(features, targets, table, sample_weight)

    def _keep(self, trees, targets):
        """Store what prediction needs."""
        self.estimators_ = trees
        self.task_ = targets.task
        self._parents = targets.parents
        if targets.task == "classification":
            self.classes_ = targets.classes

    def _leaves(self, X):
        check_is_fitted(self)
        X = as_table(X)
        if not isinstance(X, pd.DataFrame):
            check_array(X, accept_sparse=True, dtype=None, ensure_all_finite=False, ensure_min_features=0)
        validate_data(self, X, reset=False, skip_check_array=True)
        values = self._coder.encode(X)
        return [apply_values(tree, values) for tree in self.estimators_]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # there is a predict_proba
        return tags

    def apply(self, X):
        """Find the leaf of every row in every tree.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_estimators), int32
        """
        return np.column_stack(self._leaves(X))

    def predict_proba(self, X):
        """Estimate class shares or label probabilities, averaged over the trees.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples, n_labels)
            Labels of a hierarchy are never more probable than their parents.

        Raises
        ------
        ValueError
            If the ensemble was fitted without a target or to numeric targets.
        """
        check_is_fitted(self)
        if self.task_ not in ("classification", "multilabel", "hierarchical"):
            raise ValueError(f"there are no probabilities for task {self.task_!r}")
        return self._prototypes(X)

    def predict(self, X):
        """Predict targets by the mean of the trees' prototypes.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Classes, target means, or labels 0/1 (1 if the probability is at least 0.5).

        Raises
        ------
        ValueError
            If the ensemble was fitted without a target.
        """
        check_is_fitted(self)
        if self.task_ == "none":
            raise ValueError("fitted without a target: there is nothing to predict; use apply")
        values = self._prototypes(X)
        if self.task_ == "classification":
            return self.classes_[np.argmax(values, axis=1)]
        if self.task_ in ("multilabel", "hierarchical"):
            return (values >= 0.5).astype(np.float64)
        return values[:, 0] if self.task_ == "regression" else values

    def _prototypes(self, X):
        leaves = self._leaves(X)
        values = np.zeros((len(leaves[0]), self.estimators_[0].n_values))
        for tree, of_tree in zip(self.estimators_, leaves, strict=True):
            add_values(tree, of_tree, values)
        return respect_hierarchy(values / len(self.estimators_), self._parents)


def _may_be_sparse(targets):
    """Sparse clustering rows need rows whose targets are all known or all missing."""
    known = ~np.isnan(targets.values)
    return bool((known.all(axis=1) | ~known.any(axis=1)).all())
