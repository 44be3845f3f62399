"""Selectors of other packages as rankings of the labelled rows: MultiSURF, fastcan and conditional importance.

Adapters like those of :mod:`sslrank.rankers.peers`; they need the extra ``arena``.
"""

import numpy as np
from joblib import parallel_config
from sklearn import ensemble
from sklearn.feature_selection import r_regression

from sslrank.core.extras import require
from sslrank.core.tasks import TASKS
from sslrank.core.validation import check_count
from sslrank.rankers.peers import ONE_TARGET, Peer


class MultiSURF(Peer):
    """skrebate's MultiSURF: Relief with all rows nearer than the mean distance minus half a standard deviation.

    The time grows with the square of the labelled rows, in pure Python.

    Parameters
    ----------
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.rankers.peers.Peer`; nothing is random.

    References
    ----------
    .. [1] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore (2018), Benchmarking relief-based feature
       selection methods for bioinformatics data mining, Journal of Biomedical Informatics 85.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> MultiSURF().fit(X, y).ranking_
    array([3, 4, 2, 1])
    """

    tasks = ONE_TARGET

    def _importances(self, X, y, targets, seed):
        require("arena", "MultiSURF", "skrebate")
        import skrebate

        if len(np.unique(y)) < 2:
            return np.zeros(X.shape[1])
        kind = None if targets.task == "classification" else "continuous"
        fitted = skrebate.MultiSURF(n_features_to_select=1, label_type=kind, n_jobs=self.n_jobs or 1).fit(X, y)
        return np.nan_to_num(fitted.feature_importances_)


class FastCan(Peer):
    """fastcan: forward selection by the sum of squared canonical correlations with the targets.

    Selects linearly independent features, at most `n_selected`; the others follow by their own correlation with the
    targets.

    Parameters
    ----------
    n_selected : int, default=300
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.rankers.peers.Peer`; nothing is random.

    References
    ----------
    .. [1] S. Zhang, Z.-Q. Lang (2022), Orthogonal least squares based fast feature selection for linear
       classification, Pattern Recognition 123.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> FastCan().fit(X, y).ranking_
    array([4, 2, 1, 3])
    """

    tasks = frozenset(TASKS)
    _orders = True
    n_selected: int = 300

    def check_params(self):
        check_count("n_selected", self.n_selected)

    def _importances(self, X, y, targets, seed):
        require("arena", "FastCan", "fastcan")
        import fastcan

        Y = np.eye(targets.n_classes)[y] if targets.task == "classification" else y.reshape(len(y), -1)
        Y, varies = Y[:, Y.std(axis=0) > 0], X.std(axis=0) > 0
        alone = np.zeros(X.shape[1])
        for column in Y.T:
            alone[varies] += r_regression(X[:, varies], column) ** 2
        at_most = min(int(np.linalg.matrix_rank(X - X.mean(axis=0))), self.n_selected) if Y.size else 0
        chosen = []
        while at_most and not len(chosen):
            try:
                chosen = fastcan.FastCan(at_most, verbose=0).fit(X, Y).indices_
            except RuntimeError:  # remaining features are nearly linear combinations of selected ones
                at_most -= max(1, at_most // 10)
        rest = np.setdiff1d(np.argsort(-alone, kind="stable"), chosen, assume_unique=True)
        importances = np.empty(X.shape[1])
        importances[np.concatenate([np.asarray(chosen, dtype=np.intp), rest])] = np.arange(X.shape[1], 0, -1)
        return importances / X.shape[1]


class ConditionalImportance(Peer):
    """hidimstat's conditional feature importance (CFI) of a random forest.

    Importance is the loss of the forest when a feature is replaced by a draw from its conditional distribution given
    the other features, estimated by ridge regression. With one regression for each feature on all others, the time
    grows with the cube of the features.

    Parameters
    ----------
    n_estimators : int, default=100
    n_permutations : int, default=10
    hierarchy, hierarchy_alpha, task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.rankers.peers.Peer`.

    References
    ----------
    .. [1] A. Chamma, D. A. Engemann, B. Thirion (2023), Statistically valid variable importance assessment through
       conditional permutations, NeurIPS.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> ConditionalImportance(n_estimators=10, n_permutations=2, random_state=0).fit(X, y).ranking_.shape
    (4,)
    """

    tasks = ONE_TARGET
    n_estimators: int = 100
    n_permutations: int = 10

    def check_params(self):
        check_count("n_estimators", self.n_estimators)
        check_count("n_permutations", self.n_permutations)

    def _importances(self, X, y, targets, seed):
        require("arena", "ConditionalImportance", "hidimstat")
        from hidimstat import CFI
        from sklearn.metrics import log_loss, mean_squared_error

        classes = targets.task == "classification"
        if len(np.unique(y)) < 2 or X.shape[1] < 2:
            return np.zeros(X.shape[1])
        estimator = ensemble.RandomForestClassifier if classes else ensemble.RandomForestRegressor
        forest = estimator(self.n_estimators, n_jobs=self.n_jobs, random_state=seed).fit(X, y)
        forest.set_params(n_jobs=1)  # threads would sum the trees' predictions in varying order
        method, loss = ("predict_proba", log_loss) if classes else ("predict", mean_squared_error)
        options = {"n_permutations": self.n_permutations, "feature_types": "continuous", "random_state": seed}
        with parallel_config("threading"):  # processes would wait for ever where this one was forked
            fitted = CFI(forest, method=method, loss=loss, n_jobs=self.n_jobs or 1, **options).fit(X, y)
            return np.asarray(fitted.importance(X, y))
