"""A predictor that learns from the labelled rows only, for the last step of a pipeline."""

from typing import Self

from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils._indexing import _safe_indexing
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_method_params, _num_samples, check_is_fitted

from sslrank.core.targets import encode_targets
from sslrank.models.estimators import training_targets


def _has(name):
    return available_if(lambda self: hasattr(getattr(self, "estimator_", self.estimator), name))


class LabeledOnly(MetaEstimatorMixin, BaseEstimator):
    """Fit a predictor to the labelled rows only.

    In a pipeline, a ranker can learn from unlabelled rows, but most predictors treat -1 as a class or refuse NaN. This
    wrapper leaves unlabelled rows out when the predictor is fitted and scored. To use them in the predictor, too, wrap
    a classifier in scikit-learn's ``SelfTrainingClassifier`` instead.

    Parameters
    ----------
    estimator : estimator
        A classifier or regressor of scikit-learn.
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`; it determines whether -1 means unlabelled.

    Attributes
    ----------
    estimator_ : estimator
        The fitted predictor.
    classes_ : ndarray
        Classes, if the predictor is a classifier.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sslrank import LabeledKFold, LabeledOnly, get_ranker
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # not labelled
    >>> learner = make_pipeline(get_ranker("f_score"), LabeledOnly(KNeighborsClassifier()))
    >>> scores = cross_val_score(learner, X, y, cv=LabeledKFold(3, random_state=0))
    >>> bool(scores.min() > 0.9)
    True
    """

    def __init__(self, estimator, *, task="auto"):
        self.estimator = estimator
        self.task = task

    def fit(self, X, y, **params) -> Self:
        """Fit the predictor to the rows whose targets are all known.

        Parameters
        ----------
        X : array-like of shape (n, D)
        y : array-like of shape (n,) or (n, T)
            NaN, None, and -1 among integer classes, are unlabelled.
        **params
            Parameters of the predictor's ``fit``; those with one value per row, such as `sample_weight`, are restricted
            to the labelled rows.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If no row is labelled.
        """
        rows, labels = self._labeled_rows(X, y)
        if params and get_config()["enable_metadata_routing"]:
            params = process_routing(self, "fit", **params).estimator.fit
        params = _check_method_params(X, params, indices=rows)
        self.estimator_ = clone(self.estimator).fit(_safe_indexing(X, rows), labels, **params)
        return self

    @_has("predict")
    def predict(self, X):
        """Predict by the fitted predictor.

        Parameters
        ----------
        X : array-like of shape (n, D)

        Returns
        -------
        ndarray of shape (n,) or (n, T)
        """
        check_is_fitted(self)
        return self.estimator_.predict(X)

    @_has("predict_proba")
    def predict_proba(self, X):
        """Estimate class probabilities by the fitted predictor.

        Parameters
        ----------
        X : array-like of shape (n, D)

        Returns
        -------
        ndarray of shape (n, n_classes)
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    @_has("decision_function")
    def decision_function(self, X):
        """Compute decision values by the fitted predictor.

        Parameters
        ----------
        X : array-like of shape (n, D)

        Returns
        -------
        ndarray of shape (n,) or (n, n_classes)
        """
        check_is_fitted(self)
        return self.estimator_.decision_function(X)

    @_has("score")
    def score(self, X, y):
        """Score the predictor on the labelled rows.

        Parameters
        ----------
        X : array-like of shape (n, D)
        y : array-like of shape (n,) or (n, T)

        Returns
        -------
        float
        """
        check_is_fitted(self)
        rows, labels = self._labeled_rows(X, y)
        return self.estimator_.score(_safe_indexing(X, rows), labels)

    @property
    def classes_(self):
        """Classes of a classifier."""
        return self.estimator_.classes_

    def get_metadata_routing(self):
        """Route metadata of ``fit`` to the predictor.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self.estimator, method_mapping=mapping)

    def __sklearn_tags__(self):
        tags, of_estimator = super().__sklearn_tags__(), get_tags(self.estimator)
        for name in ("estimator_type", "classifier_tags", "regressor_tags", "input_tags"):
            setattr(tags, name, getattr(of_estimator, name))
        tags.target_tags.required = True
        return tags

    def _labeled_rows(self, X, y):
        """Return the labelled rows, and their targets in the form of predictors."""
        targets = encode_targets(y, _num_samples(X), task=self.task)
        rows, labels = training_targets(targets)
        if not len(rows) or targets.task == "none":
            raise ValueError("LabeledOnly needs at least one labelled row, y has none")
        return rows, labels if targets.classes is None else targets.classes[labels]
