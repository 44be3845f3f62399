"""Predictors for error curves: scikit-learn estimators with predictions in one form."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import Ridge
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sslrank.core.validation import check_count
from sslrank.models import _neighbors
from sslrank.models.votes import candidate_order, kernel_arrays


@dataclass(eq=False, repr=False)
class NearestNeighbors(BaseEstimator):
    """k nearest neighbours with equal votes; vote ties go to the first class.

    Parameters
    ----------
    n_neighbors : int, default=20
        At most the number of training rows is used.
    classify : bool, default=True
        Vote for a class code if True, otherwise average the targets.
    ties : {"shared", "lower_row", "random"}, default="shared"
        Votes of the rows as far as the k-th neighbour: see :func:`sslrank.models.knn.knn_predict`.
    random_state : int, optional
        Seed of the shuffled rows; only for "random".

    Examples
    --------
    >>> NearestNeighbors(n_neighbors=1).fit([[0.0], [1.0]], [0, 1]).predict([[0.2], [0.9]])
    array([0, 1])
    """

    n_neighbors: int = 20
    classify: bool = True
    ties: str = "shared"
    random_state: object = None

    def fit(self, X, y):
        """Store the training rows.

        Parameters
        ----------
        X : array-like of shape (n, W)
            Numbers without missing values.
        y : array-like of shape (n,) or (n, T)
            Class codes, or numbers to average.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If `n_neighbors` is not a whole number above 0, or `ties` is unknown.
        """
        check_count("n_neighbors", self.n_neighbors)
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        values = y.reshape(len(y), -1)
        order = candidate_order(values, not self.classify, self.ties, self.random_state or 0)
        self.blocks_ = _neighbors.pack(np.ascontiguousarray(X[order]))
        self.ballots_ = sparse.csr_array(np.eye(int(y.max()) + 1)[y[order]] if self.classify else values[order])
        self.shape_ = y.shape[1:]
        return self

    def votes(self, X):
        """Average the targets of the nearest rows.

        Parameters
        ----------
        X : array-like of shape (m, W)

        Returns
        -------
        ndarray of shape (m, n_classes) or (m, T)
            Class shares or means.
        """
        X = np.ascontiguousarray(X, dtype=np.float64)
        k, nothing = min(self.n_neighbors, self.ballots_.shape[0]), np.ones(X.shape[1])
        votes, parts = np.empty((1, len(X), self.ballots_.shape[1])), np.empty((1, len(X)))
        settings = (np.array([k]), self.ties == "shared", *kernel_arrays(self.ballots_))
        _neighbors.nearest_votes(X, self.blocks_, nothing, nothing, X.shape[1], 0, *settings, 0, len(X), votes, parts)
        return votes[0] / (k * parts[0])[:, None]

    def predict(self, X):
        """Predict from the nearest rows.

        Parameters
        ----------
        X : array-like of shape (m, W)

        Returns
        -------
        ndarray of shape (m,) or (m, T)
            Class codes or means.
        """
        votes = self.votes(X)
        return np.argmax(votes, axis=1) if self.classify else votes.reshape(len(votes), *self.shape_)


@dataclass(frozen=True)
class LinearModel:
    """Ridge regression on nested feature sets, as a predictor of curves.

    It predicts numbers, or the indicators of classes with equal total weights.

    Parameters
    ----------
    alpha : float, default=0.1
        Penalty, for columns scaled to [0, 1].
    """

    alpha: float = 0.1

    def predictions(self, X, Y, X_test, widths, weights):
        """Predict test rows with the first columns.

        Parameters
        ----------
        X : ndarray of shape (n, W)
        Y : ndarray of shape (n, T)
        X_test : ndarray of shape (n_test, W)
        widths : sequence of int
            Numbers of columns.
        weights : ndarray of shape (n,)
            Weights of the training rows, with mean 1.

        Yields
        ------
        ndarray of shape (n_test, T)

        Examples
        --------
        >>> X, weights = np.array([[0.0], [1.0]]), np.ones(2)
        >>> next(LinearModel(alpha=1e-9).predictions(X, X, np.array([[0.5]]), [1], weights))
        array([[0.5]])
        """
        mean, mean_Y = weights @ X / len(X), weights @ Y / len(X)
        root = np.sqrt(weights)[:, None]
        A, B, Z = root * (X - mean), root * (Y - mean_Y), X_test - mean
        for width in widths:
            part = A[:, :width]
            if width <= len(A):
                slope = np.linalg.solve(part.T @ part + self.alpha * np.eye(width), part.T @ B)
                yield Z[:, :width] @ slope + mean_Y
            else:
                dual = np.linalg.solve(part @ part.T + self.alpha * np.eye(len(A)), B)
                yield Z[:, :width] @ (part.T @ dual) + mean_Y


def quadratic_svm(C=0.1, coef0=0.0, tol=1e-3):
    """Make the eca paper's predictor: an SVM with kernel (x . z + coef0)^2 and C = 0.1.

    The "epsilon 1.0E-12" that the paper also names is the round-off constant of WEKA's SMO. There the
    polynomial kernel of exponent 2 has no lower-order terms (coef0 = 0), and features are scaled to [0, 1],
    as in :func:`sslrank.core.columns.design_matrix`.

    Parameters
    ----------
    C, coef0, tol : float
        Parameters of scikit-learn's ``SVC``.

    Returns
    -------
    SVC
        Not fitted.

    Examples
    --------
    >>> quadratic_svm().C
    0.1
    """
    return SVC(kernel="poly", degree=2, gamma=1.0, coef0=coef0, C=C, tol=tol)


def make_predictor(predictor, task, seed=0, **params):
    """Make a predictor by name, or clone a given one.

    Parameters
    ----------
    predictor : str or estimator
        "tree" (a decision tree, multi-output if the task is), "knn" (:class:`NearestNeighbors`), "ridge" (ridge
        regression, not for classification) or "svm" (:func:`quadratic_svm`, classification only).
    task : str
        Kind of target. Multi-label tasks take a regressor: label means are the scores of the labels.
    seed : int, default=0
        Seed of estimators with a `random_state`.
    **params
        Parameters of the estimator.

    Returns
    -------
    estimator
        Not fitted.

    Raises
    ------
    ValueError
        If the name is unknown or does not support the task.

    Examples
    --------
    >>> make_predictor("tree", "multitarget")
    DecisionTreeRegressor(random_state=0)
    """
    if not isinstance(predictor, str):
        estimator = clone(predictor).set_params(**params)
    elif predictor == "tree":
        estimator = (DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor)(**params)
    elif predictor == "knn":
        estimator = NearestNeighbors(classify=task == "classification").set_params(**params)
    elif predictor == "svm":
        if task != "classification":
            raise ValueError(f"predictor 'svm' is for classification, not for task {task!r}")
        estimator = quadratic_svm(**params)
    elif predictor == "ridge":
        if task == "classification":
            raise ValueError("predictor 'ridge' is for numbers and labels, not for task 'classification'")
        estimator = Ridge(**params)
    else:
        raise ValueError(f"unknown predictor {predictor!r}; available: knn, ridge, svm, tree, or an estimator")
    if isinstance(estimator, BaseEstimator) and estimator.get_params().get("random_state", 0) is None:
        estimator.set_params(random_state=seed)
    return estimator


def training_targets(targets):
    """Return the rows whose targets are all known, and their y in scikit-learn's form.

    Parameters
    ----------
    targets : Targets

    Returns
    -------
    rows : ndarray of int
        Rows whose targets are all known.
    y : ndarray of shape (len(rows),) or (len(rows), T)

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> training_targets(encode_targets(["no", None, "yes"], 3))
    (array([0, 2]), array([0, 1]))
    """
    rows = np.flatnonzero(~np.isnan(targets.values).any(axis=1))
    y = targets.values[rows]
    if targets.task == "classification":
        return rows, y[:, 0].astype(np.intp)
    return rows, y[:, 0] if y.shape[1] == 1 else y


def fit_predict(predictor, X_train, y, X_test, targets):
    """Fit and predict in the form of :mod:`sslrank.metrics.single`.

    If there is only one training class, it is predicted; most estimators would raise an error.

    Parameters
    ----------
    predictor : estimator
        Fitted in place.
    X_train, X_test : ndarray of shape (n, n_columns)
    y : ndarray
        From :func:`training_targets`.
    targets : Targets
        Determines the task, the classes and the number of targets.

    Returns
    -------
    ndarray of shape (n_test, n_classes) or (n_test, T)

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.targets import encode_targets
    >>> targets = encode_targets(["no", "yes"], 2)
    >>> predictor = make_predictor("knn", "classification")
    >>> fit_predict(predictor, np.array([[0.0], [1.0]]), np.array([0, 1]), [[0.1]], targets)
    array([[0.5, 0.5]])
    """
    if targets.task == "classification":
        if isinstance(predictor, NearestNeighbors):
            votes = predictor.fit(X_train, y).votes(X_test)
            return np.pad(votes, ((0, 0), (0, targets.n_classes - votes.shape[1])))
        one_class = (y == y[0]).all()
        codes = np.full(len(X_test), y[0]) if one_class else predictor.fit(X_train, y).predict(X_test)
        return np.eye(targets.n_classes)[codes]
    predicted = np.asarray(predictor.fit(X_train, y).predict(X_test), dtype=np.float64)
    return predicted.reshape(len(X_test), targets.values.shape[1])
