"""Adapters of rankings from other packages, which the study ``arena`` compares.

They use only the labelled rows, prepared by :func:`sslrank.core.columns.design_matrix` (numbers scaled to [0, 1], an
indicator per category, missing values imputed). The importances of a feature's columns are summed; of ranks, the best
one counts. Packages other than scikit-learn need the extra ``arena``.
"""

from abc import abstractmethod

import numpy as np
from sklearn import ensemble, feature_selection
from sklearn.inspection import permutation_importance

from sslrank.core.base import BaseRanker, WeightedRanker
from sslrank.core.columns import design_matrix
from sslrank.core.extras import require
from sslrank.core.tasks import TASKS
from sslrank.core.validation import check_choice, check_count
from sslrank.models.estimators import training_targets

ONE_TARGET = frozenset({"classification", "regression"})


class Peer(BaseRanker):
    """Base class of adapters: pass the labelled rows as numbers, and sum importances by feature.

    Parameters
    ----------
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> class Spread(Peer):
    ...     tasks = frozenset({"classification"})
    ...     def _importances(self, X, y, targets, seed):
    ...         return X.std(axis=0)
    >>> Spread().fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    labeled_only = True
    _orders = False  # if importances are ranks, a feature has that of its best column
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def rank_coded(self, features, targets, sample_weight=None):
        rows, y = training_targets(targets)
        if len(rows) == 0:
            raise ValueError("no labelled row has all of its targets")
        design = design_matrix(features, np.arange(features.shape[0]))
        given = {} if sample_weight is None else {"sample_weight": sample_weight[rows]}
        importances = self._importances(design.values[rows], y, targets, self.resolve_seed() % 2**31, **given)
        return (
            np.maximum.reduceat(importances, design.starts[:-1]) if self._orders else design.sum_by_feature(importances)
        )

    @abstractmethod
    def _importances(self, X, y, targets, seed):
        """Importances of the columns of X, shape (n_columns,), from labelled rows only."""


class ScikitForest(Peer, WeightedRanker):
    """scikit-learn's random forest or Extra-Trees, by decrease of impurity or permutation of the training rows.

    Parameters
    ----------
    forest : {"RandomForest", "ExtraTrees"}, default="RandomForest"
    importance : {"impurity", "permutation"}, default="impurity"
    n_estimators : int, default=500
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`Peer`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> ScikitForest(random_state=0).fit(*load_iris(return_X_y=True)).ranking_
    array([3, 4, 2, 1])
    """

    tasks = frozenset(TASKS)
    forest: str = "RandomForest"
    importance: str = "impurity"
    n_estimators: int = 500

    def check_params(self):
        check_choice("forest", self.forest, ("RandomForest", "ExtraTrees"))
        check_choice("importance", self.importance, ("impurity", "permutation"))
        check_count("n_estimators", self.n_estimators)

    def _importances(self, X, y, targets, seed, sample_weight=None):
        classes = targets.task == "classification"
        estimator = getattr(ensemble, self.forest + ("Classifier" if classes else "Regressor"))
        # A third of the columns for numbers, as in Breiman's program; scikit-learn's default is all of them.
        model = estimator(
            self.n_estimators, max_features="sqrt" if classes else 1 / 3, n_jobs=self.n_jobs, random_state=seed
        ).fit(X, y, sample_weight=sample_weight)
        if self.importance == "impurity":
            return model.feature_importances_
        model.set_params(n_jobs=1)  # threads would sum the trees' predictions in varying order
        return permutation_importance(model, X, y, random_state=seed, sample_weight=sample_weight).importances_mean


class MutualInformation(Peer):
    """scikit-learn's mutual information with the target, estimated from nearest neighbours.

    Columns of two values, such as those of categories, are discrete: their mutual information with classes has no
    noise. The neighbours among equal numbers are drawn by `random_state`.

    Parameters
    ----------
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`Peer`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> MutualInformation(random_state=0).fit(*load_iris(return_X_y=True)).ranking_
    array([3, 4, 1, 2])
    """

    tasks = ONE_TARGET

    def _importances(self, X, y, targets, seed):
        classes = targets.task == "classification"
        estimator = feature_selection.mutual_info_classif if classes else feature_selection.mutual_info_regression
        n_neighbors = min(3, len(y) - 1)
        if not n_neighbors or (classes and len(np.unique(y)) == len(y)):  # no row has a neighbour of its class
            return np.zeros(X.shape[1])
        # of columns of two values, such as those of categories, by counts: scikit-learn adds noise to numbers
        counted = np.array([len(np.unique(column[:1000])) == 2 and len(np.unique(column)) == 2 for column in X.T])
        return estimator(X, y, discrete_features=counted, n_neighbors=n_neighbors, random_state=seed)


class LightGBM(Peer):
    """LightGBM's gain, or the mean absolute SHAP value of the training rows.

    Parameters
    ----------
    importance : {"gain", "shap"}, default="gain"
    min_child_samples : int, default=3
        LightGBM's default, 20, allows no split with 20 labelled rows.
    n_estimators : int, default=100
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`Peer`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> LightGBM(n_estimators=5, random_state=0).fit(X, y).ranking_
    array([4, 2, 1, 3])
    """

    tasks = ONE_TARGET
    importance: str = "gain"
    min_child_samples: int = 3
    n_estimators: int = 100

    def check_params(self):
        check_choice("importance", self.importance, ("gain", "shap"))

    def _importances(self, X, y, targets, seed):
        require("arena", "LightGBM as a ranker", "lightgbm")
        import lightgbm

        estimator = lightgbm.LGBMClassifier if targets.task == "classification" else lightgbm.LGBMRegressor
        options = {"n_estimators": self.n_estimators, "min_child_samples": self.min_child_samples}
        options |= {"random_state": seed, "n_jobs": self.n_jobs or 1, "deterministic": True, "force_row_wise": True}
        model = estimator(importance_type="gain", verbose=-1, **options).fit(X, y)
        if self.importance == "gain":
            return model.feature_importances_
        values = np.abs(model.predict(X, pred_contrib=True)).mean(axis=0)
        return values.reshape(-1, X.shape[1] + 1)[:, :-1].sum(axis=0)


class Boruta(Peer):
    """Boruta: how often a feature is more important to a forest than the best shadow feature.

    The package's rank (1 for all confirmed features) has many ties; they are broken by the mean importance in a final
    forest on all features.

    Parameters
    ----------
    n_estimators : int, default=100
    max_iter : int, default=50
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`Peer`.

    Attributes
    ----------
    confirmed_ : ndarray of bool
        Columns that the package confirms; a nominal feature with more than two categories has several columns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> Boruta(n_estimators=10, max_iter=5, random_state=0).fit(X, y).ranking_.shape
    (4,)
    """

    tasks = ONE_TARGET
    _orders = True
    n_estimators: int = 100
    max_iter: int = 50

    def _importances(self, X, y, targets, seed):
        require("arena", "Boruta", "boruta")
        import boruta

        classes = targets.task == "classification"
        estimator = ensemble.RandomForestClassifier if classes else ensemble.RandomForestRegressor
        forest = estimator(self.n_estimators, max_features="sqrt", n_jobs=self.n_jobs, random_state=seed)
        selector = boruta.BorutaPy(forest, n_estimators=self.n_estimators, max_iter=self.max_iter, random_state=seed)
        selector.fit(X, y)
        self.confirmed_ = selector.support_
        self.n_iter_ = len(selector.importance_history_) - 1  # its first line is a line of zeros
        ties = estimator(self.n_estimators, max_features="sqrt", n_jobs=self.n_jobs, random_state=seed).fit(X, y)
        return ties.feature_importances_ - selector.ranking_


class MRMR(Peer):
    """mRMR (minimum redundancy, maximum relevance): F over the mean absolute correlation with selected features.

    The quotient scheme FCQ of Zhao, Anand, Wang (2019), Maximum relevance and minimum redundancy feature selection
    methods for a marketing machine learning platform, DSAA, with F and correlation by scikit-learn and numpy; features
    after the first `n_selected` follow by F. (The package mrmr-selection implements the same scheme, but accepts only
    data frames and depends on polars and category-encoders.)

    Parameters
    ----------
    n_selected : int, default=300
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`Peer`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> MRMR(random_state=0).fit(*load_iris(return_X_y=True)).ranking_
    array([3, 4, 1, 2])
    """

    tasks = ONE_TARGET
    _orders = True
    n_selected: int = 300

    def check_params(self):
        check_count("n_selected", self.n_selected)

    def _importances(self, X, y, targets, seed):
        classes = targets.task == "classification"
        varies = X.std(axis=0) > 0
        relevance = np.zeros(X.shape[1])
        if varies.any() and (1 < len(np.unique(y)) < len(y) if classes else np.std(y) > 0):
            score = feature_selection.f_classif if classes else feature_selection.f_regression
            relevance[varies] = np.nan_to_num(score(X[:, varies], y)[0], posinf=1e12)
        Z = X - X.mean(axis=0)
        Z[:, varies] /= np.sqrt((Z[:, varies] ** 2).sum(axis=0))
        left, redundancy, order = np.full(X.shape[1], True), np.zeros(X.shape[1]), []
        for count in range(min(self.n_selected, X.shape[1])):
            score = relevance / np.maximum(redundancy / max(count, 1), 1e-3) if count else relevance
            best = int(np.argmax(np.where(left, score, -np.inf)))
            order.append(best)
            left[best] = False
            redundancy += np.abs(Z.T @ Z[:, best])
        rest = np.flatnonzero(left)
        order += list(rest[np.argsort(-relevance[rest], kind="stable")])
        importances = np.empty(X.shape[1])
        importances[order] = np.arange(X.shape[1], 0, -1) / X.shape[1]
        return importances
