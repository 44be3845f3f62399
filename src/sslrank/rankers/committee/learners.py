"""Base learners of committees: the compiled tree, or any scikit-learn classifier, with one interface.

A learner is tied to :class:`~sslrank.core.columns.Columns`, its design. Rows are indices into it, class labels are
codes, and a training set is a weight per row: the number of times that the row is in it.
"""

from dataclasses import replace

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.tree import DecisionTreeClassifier

from sslrank.core.columns import expand
from sslrank.core.random_state import derive_seed
from sslrank.rankers.committee import _cart
from sslrank.rankers.committee._forward import forward_step


def learner_columns(features):
    """Make the columns that a learner sees: a missing number is NaN, a missing category belongs to none.

    Parameters
    ----------
    features : sslrank.core.features.Features

    Returns
    -------
    sslrank.core.columns.Columns
    """
    columns = expand(features)
    nominal = features.nominal[columns.owner]
    columns.values[:, nominal] = np.nan_to_num(columns.values[:, nominal])
    return columns


def make_learner(estimator, design, n_classes, min_samples_split=2):
    """Make the learner for an `estimator` parameter.

    Parameters
    ----------
    estimator : scikit-learn classifier or None
        None is the decision tree with the rules of ``DecisionTreeClassifier``; it is compiled here unless
        values are missing, which scikit-learn's own tree handles.
    design : sslrank.core.columns.Columns
    n_classes : int
    min_samples_split : int, default=2
        Minimum number of rows to split a node of the decision tree.

    Returns
    -------
    CartLearner or ScikitLearner

    Raises
    ------
    ValueError
        If the estimator is not a classifier.
    """
    if estimator is None:
        if not np.isnan(design.values).any():
            return CartLearner(design, n_classes, min_samples_split)
        estimator = DecisionTreeClassifier(min_samples_split=min_samples_split)
        design = replace(design, values=_in_float32(design.values))
    if not hasattr(estimator, "fit") or not is_classifier(estimator):
        raise ValueError(f"estimator must be None or a scikit-learn classifier, got {estimator!r}")
    return ScikitLearner(estimator, design, n_classes)


def _in_float32(values):
    """The values of each column, times a power of two where they are too large for scikit-learn's trees."""
    exponents = np.frexp(np.fmax.reduce(np.abs(values), axis=0, initial=0.0))[1]
    return np.ldexp(values, np.minimum(120 - exponents, 0))


class CartLearner:
    """The compiled tree of :mod:`sslrank.rankers.committee._cart`."""

    def __init__(self, design, n_classes, min_samples_split=2):
        self.design = design
        self.n_classes = n_classes
        self.min_samples_split = min_samples_split
        self.by_column = np.ascontiguousarray(design.values.T)
        self._order = _cart.sort_columns(self.by_column)

    def fit(self, features, weights, labels, seed):
        """Train on some features.

        Parameters
        ----------
        features : array-like of int
        weights : ndarray of shape (n,), int32
            How often each row is in the training set.
        labels : ndarray of shape (n,), int32
        seed : int

        Returns
        -------
        CartModel
        """
        columns = self.design.positions_of(features)
        tree = _cart.grow(
            self.by_column, self._order, columns, weights, labels, self.n_classes, seed, self.min_samples_split
        )
        return CartModel(tree, self.design)

    def forward_step(self, selected, candidates, folds, n_folds, labels, seed):
        """Find the candidate with the fewest cross-validated errors when added to the selected features.

        Parameters
        ----------
        selected, candidates : sequence of int
        folds : ndarray of shape (n,), int
            The fold of each row, -1 for none.
        n_folds : int
        labels : ndarray of shape (n,), int32
        seed : int

        Returns
        -------
        feature : int
        errors : int
        """
        return forward_step(
            self.by_column,
            self._order,
            self.design.positions_of(selected),
            np.asarray(candidates, dtype=np.int32),
            self.design.starts,
            folds,
            n_folds,
            labels,
            self.n_classes,
            seed,
            self.min_samples_split,
        )


class CartModel:
    """A fitted tree and the features of its columns."""

    def __init__(self, tree, design):
        self._tree = tree
        self._design = design

    @property
    def used_features(self):
        """Features that the tree tests; permuting another one changes nothing."""
        return np.unique(self._design.owner[self._tree.columns])

    def predict(self, rows):
        """Predict class codes of rows of the design.

        Parameters
        ----------
        rows : ndarray of int32

        Returns
        -------
        ndarray of int32
        """
        return self._tree.predict(rows)

    def predict_permuted(self, rows, feature, donors):
        """Predict class codes of rows that have the donors' values of one feature.

        Parameters
        ----------
        rows : ndarray of int32
        feature : int
        donors : ndarray of int32

        Returns
        -------
        ndarray of int32
        """
        return self._tree.predict_permuted(rows, donors, *self._design.starts[feature : feature + 2])


class ScikitLearner:
    """Any scikit-learn classifier; a row that is in the training set twice is passed twice."""

    def __init__(self, estimator, design, n_classes):
        self.estimator = estimator
        self.design = design
        self.n_classes = n_classes

    def fit(self, features, weights, labels, seed):
        """Train on some features; the parameters are those of :meth:`CartLearner.fit`.

        Returns
        -------
        ScikitModel or ConstantModel
            Constant for a training set of one class.
        """
        features = np.asarray(features)
        columns = self.design.positions_of(features)
        rows = np.repeat(np.arange(len(weights)), weights)
        if (labels[rows] == labels[rows[0]]).all():  # which many classifiers refuse to learn
            return ConstantModel(labels[rows[0]])
        model = clone(self.estimator)
        if "random_state" in model.get_params(deep=False):
            model.set_params(random_state=seed % 2**32)
        model.fit(self.design.values[np.ix_(rows, columns)], labels[rows])
        return ScikitModel(model, features, columns, self.design)

    def forward_step(self, selected, candidates, folds, n_folds, labels, seed):
        """Find the best candidate, with the early stops of :meth:`CartLearner.forward_step`.

        Returns
        -------
        feature : int
        errors : int
        """
        best, fewest = -1, len(folds) + 1
        for candidate in candidates:
            errors = 0
            for fold in range(n_folds):
                weights = ((folds >= 0) & (folds != fold)).astype(np.int32)
                if not weights.any():
                    continue
                test = np.flatnonzero(folds == fold).astype(np.int32)
                model = self.fit([*selected, candidate], weights, labels, derive_seed(seed, fold))
                errors += int((model.predict(test) != labels[test]).sum())
                if errors >= fewest:
                    break
            if errors < fewest:
                best, fewest = int(candidate), errors
                if fewest == 0:
                    break
        return best, fewest


class ConstantModel:
    """The model of a training set with one class."""

    used_features = ()

    def __init__(self, label):
        self._label = label

    def predict(self, rows):
        """Predict the one class for every row.

        Parameters
        ----------
        rows : ndarray of int32

        Returns
        -------
        ndarray of int32
        """
        return np.full(len(rows), self._label, dtype=np.int32)


class ScikitModel:
    """A fitted classifier, its features and their columns."""

    def __init__(self, model, features, columns, design):
        self._model = model
        self._features = features
        self._columns = columns
        self._design = design

    @property
    def used_features(self):
        """Features that a single tree tests; all features of another model."""
        tree = getattr(self._model, "tree_", None)
        if tree is None:
            return np.sort(self._features)
        tested = self._columns[tree.feature[tree.feature >= 0]]
        return np.unique(self._design.owner[tested])

    def predict(self, rows):
        """Predict class codes of rows of the design.

        Parameters
        ----------
        rows : ndarray of int32

        Returns
        -------
        ndarray of int32
        """
        return self._predict(self._design.values[np.ix_(rows, self._columns)])

    def predict_permuted(self, rows, feature, donors):
        """Predict class codes of rows that have the donors' values of one feature.

        Parameters
        ----------
        rows : ndarray of int32
        feature : int
        donors : ndarray of int32

        Returns
        -------
        ndarray of int32
        """
        values = self._design.values[np.ix_(rows, self._columns)]
        mine = self._design.owner[self._columns] == feature
        values[:, mine] = self._design.values[np.ix_(donors, self._columns[mine])]
        return self._predict(values)

    def _predict(self, values):
        if len(values) == 0:
            return np.empty(0, dtype=np.int32)
        return self._model.predict(values).astype(np.int32)
