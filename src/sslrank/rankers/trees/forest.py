"""Feature ranking with forests of semi-supervised predictive clustering trees (ssl-ranking, section 4)."""

import math
from collections.abc import Sequence

import numpy as np

from sslrank.core.random_state import derive_seed
from sslrank.core.tasks import EVERY_TASK, TASKS
from sslrank.core.validation import check_choice, check_count, check_number, resolve_size
from sslrank.rankers.trees.estimator import TreeEstimator
from sslrank.rankers.trees.growing import MOST_ROWS, grow_forest
from sslrank.rankers.trees.supervision import (
    FEW_LEVELS,
    LEVELS,
    choose_by_standard_error,
    choose_out_of_bag,
    choose_supervision,
)

ENSEMBLES = ("random_forest", "extra_trees", "bagging")
SCORES = ("genie3", "symbolic", "random_forest")


class PCTForestRanker(TreeEstimator):
    """Rank features by an ensemble of semi-supervised predictive clustering trees.

    One ensemble gives three scores of a feature [1]_: genie3, Eq. (3), the decrease of impurity by its tests; symbolic,
    Eq. (2), the share of rows that reach its tests; random_forest, Eq. (4), how much the out-of-bag error of the trees
    grows when the feature is permuted.

    Parameters
    ----------
    ensemble : {"random_forest", "extra_trees", "bagging"}, default="random_forest"
        Random forests search a sample of the features in each node; Extra-Trees try one random test per feature;
        bagging searches all tests (section 3.2). Of equally good tests the one on the first column is taken, so in
        bagging the order of columns can matter.
    importance : {"genie3", "symbolic", "random_forest"}, default="genie3"
        The score in `feature_importances_`.
    supervision : "auto", "cv", "oob" or float in [0, 1], default="auto"
        Level of supervision w of Eq. (1): with 0 only features count, with 1 only targets. "auto" uses unlabelled rows
        only if repeated cross-validation finds a gain of more than one standard error, see
        :func:`sslrank.rankers.trees.supervision.choose_by_standard_error`. "cv", as in the paper, chooses among 0, 0.1,
        ..., 1 by internal cross-validation on the labelled rows (section 6.3); ties go to the larger w. "oob" chooses
        by the out-of-bag error of the labelled rows, with one forest per level instead of four. If one of these chooses
        w = 1, unlabelled rows are left out; if w = 1 is given, they are kept and count in the rows of a node. Without a
        target w is 0, with `supervised` it is 1.
    n_estimators : int, default=100
    max_features : "auto", "sqrt", "all", int or float, default="auto"
        Number of features drawn in each node, including constant ones: "auto" is "sqrt" (rounded up) for random forests
        and "all" otherwise; a float is a share, rounded up.
    bootstrap : "auto" or bool, default="auto"
        Grow each tree on a bootstrap sample; labelled and unlabelled rows are drawn separately. "auto" is True for
        random forests and bagging. For Extra-Trees it is True if more than half of the features have at most two values
        (section 3.2), or if `importance` is "random_forest" or `supervision` is "oob", which need out-of-bag rows.
    max_samples : "auto", int or float, default="auto"
        Maximum number of rows per tree: a number, or a share in (0, 1] of the rows. "auto" is 25,000. If there are more
        rows, at least half of a tree's rows are labelled if possible, and random_forest scores use at most 25,000
        out-of-bag rows, labelled ones first.
    cv_folds : int, default=4
        Folds of the internal cross-validation.
    cv_levels : sequence of float, optional
        Levels to choose among; None is 0, 0.1, ..., 1, for "auto" 0.25, 0.5, 0.75, 1.
    cv_n_estimators : int, optional
        Trees per forest of the internal cross-validation; None is `n_estimators`.
    hierarchy, hierarchy_alpha, min_samples_leaf, min_labeled_split, max_depth, supervised
        See :class:`sslrank.rankers.trees.estimator.TreeEstimator`.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    importances_ : dict of str to ndarray of shape (n_features,)
        All scores of the ensemble; without bootstrap there is no "random_forest".
    target_importances_ : ndarray of shape (n_features, n_targets)
        Contribution of each target to the genie3 score (weighted by w); the rest of the score comes from the impurity
        of the features.
    supervision_ : float
        The level w of the ensemble.
    cv_results_ : dict or None
        Levels, measure, scores by fold and their means if w was chosen ("oob" has one fold).
    estimators_ : list of sslrank.rankers.trees._tree.Tree
    bootstrap_ : bool
    task_ : str
    classes_ : ndarray
        For classification.

    References
    ----------
    .. [1] M. Petković, S. Džeroski, D. Kocev (2020), Feature Ranking for Semi-supervised Learning,
       sections 3 and 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import PCTForestRanker
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> PCTForestRanker(n_estimators=20, supervision=0.5, random_state=0).fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    ensemble: str = "random_forest"
    importance: str = "genie3"
    supervision: float | str = "auto"
    n_estimators: int = 100
    max_features: float | str = "auto"
    bootstrap: bool | str = "auto"
    max_samples: float | str = "auto"
    cv_folds: int = 4
    cv_levels: Sequence | None = None
    cv_n_estimators: int | None = None

    @property
    def tasks(self):
        # Eq. (4) needs prediction errors, which do not exist without a target.
        return frozenset(TASKS) if self.importance == "random_forest" else EVERY_TASK

    def rank_coded(self, features, targets, sample_weight=None):
        seed = self.resolve_seed()
        problem = self.make_problem(features, targets, sample_weight)
        self.bootstrap_ = self._resolve_bootstrap(problem.table)
        settings = self._growth(
            max_features=self._resolve_max_features(features.shape[1]),
            random_tests=self.ensemble == "extra_trees",
            bootstrap=self.bootstrap_,
            max_samples=self._resolve_max_samples(features.shape[0]),
        )
        train = np.arange(features.shape[0])
        self.cv_results_ = None
        forest_seed = derive_seed(seed, "forest")
        levels = LEVELS if self.cv_levels is None else self.cv_levels
        if targets.task == "none" or not problem.labeled.any():
            self.supervision_ = 0.0
        elif self.supervised:
            self.supervision_ = 1.0
        elif self.supervision in ("auto", "cv"):
            choose = choose_supervision
            if self.supervision == "auto":
                choose = choose_by_standard_error
                levels = FEW_LEVELS if self.cv_levels is None else levels
            self.supervision_, self.cv_results_ = choose(
                problem,
                settings,
                self.n_estimators if self.cv_n_estimators is None else self.cv_n_estimators,
                derive_seed(seed, "supervision"),
                levels=levels,
                n_folds=self.cv_folds,
                n_jobs=self.n_jobs,
            )
        elif self.supervision == "oob":
            self.supervision_, self.cv_results_ = choose_out_of_bag(
                problem, settings, self.n_estimators, forest_seed, levels=levels, n_jobs=self.n_jobs
            )
        else:
            self.supervision_ = float(self.supervision)
        if self.cv_results_ is not None and self.supervision_ == 1:
            train = np.flatnonzero(problem.labeled)
        grown = grow_forest(
            problem,
            train,
            [self.supervision_],
            settings,
            self.n_estimators,
            forest_seed,
            n_jobs=self.n_jobs,
            keep=True,
            permutation=self.bootstrap_
            and targets.task != "none"
            and (not self.only_importance or self.importance == "random_forest"),
            by_target=targets.task != "none",
        )
        self._keep(grown.trees[0], targets)
        self.importances_ = self._scores(grown, problem, train, forest_seed, settings.max_samples)
        n_targets = targets.values.shape[1]
        self.target_importances_ = (
            np.zeros((features.shape[1], n_targets))
            if grown.by_target is None
            else grown.by_target[0] / self.n_estimators
        )
        if self.importance not in self.importances_:
            reason = "a target" if targets.task == "none" else "bootstrap samples"
            raise ValueError(f"importance='random_forest' needs {reason}; use another importance or allow them")
        return self.importances_[self.importance]

    def predict_coded(self, problem, labeled, seed):
        """Grow the ensemble with w = 1 on some rows, and predict all rows; the estimator is not changed.

        Parameters
        ----------
        problem : sslrank.rankers.trees.growing.Problem
            Of :meth:`~sslrank.rankers.trees.estimator.TreeEstimator.make_problem`.
        labeled : ndarray of int
            Training rows.
        seed : int

        Returns
        -------
        ndarray of shape (n_rows, n_classes) or (n_rows, n_targets)
            The mean of the trees' predictions.
        """
        settings = self._growth(
            max_features=self._resolve_max_features(problem.table.n_features),
            random_tests=self.ensemble == "extra_trees",
            bootstrap=self._resolve_bootstrap(problem.table),
        )
        rows = np.arange(len(problem.labeled))
        options = {"n_jobs": self.n_jobs, "predict": rows, "only_predict": True}
        return (
            grow_forest(problem, labeled, [1.0], settings, self.n_estimators, seed, **options).predictions[0]
            / self.n_estimators
        )

    def _scores(self, grown, problem, train, forest_seed, max_samples):
        """Compute all scores of the forest that `grow_forest` has grown on the rows `train`, by name."""
        scores = {"genie3": grown.genie3[0] / self.n_estimators, "symbolic": grown.symbolic[0] / self.n_estimators}
        if grown.random_forest is not None:
            scores["random_forest"] = grown.random_forest[0] / self.n_estimators
        return scores

    def check_params(self):
        check_choice("ensemble", self.ensemble, ENSEMBLES)
        check_choice("importance", self.importance, SCORES)
        self._check_growth()
        if self.supervision == "oob" and self.bootstrap is False:
            raise ValueError("supervision 'oob' needs bootstrap samples; use 'cv' or a number, or allow them")
        check_number("supervision", self.supervision, 0, 1, words=("auto", "cv", "oob"))
        check_count("n_estimators", self.n_estimators)
        check_count("cv_folds", self.cv_folds, least=2)
        check_count("cv_n_estimators", self.cv_n_estimators, words=(None,))
        check_choice("bootstrap", self.bootstrap, ("auto", True, False))
        self._resolve_max_samples(1)
        for level in () if self.cv_levels is None else self.cv_levels:
            check_number("every one of cv_levels", level, 0, 1)

    def _resolve_bootstrap(self, table):
        if self.bootstrap != "auto":
            return bool(self.bootstrap)
        if self.ensemble != "extra_trees" or self.importance == "random_forest" or self.supervision == "oob":
            return True
        return bool(np.mean(np.asarray(table.n_codes) <= 2) > 0.5)

    def _resolve_max_samples(self, n_rows):
        return resolve_size("max_samples", self.max_samples, n_rows, {"auto": lambda _: MOST_ROWS})

    def _resolve_max_features(self, n_features):
        auto = "sqrt" if self.ensemble == "random_forest" else "all"
        words = {"sqrt": lambda n: math.ceil(math.sqrt(n)), "all": lambda n: n}
        words["auto"] = words[auto]
        return resolve_size("max_features", self.max_features, n_features, words)
