"""The contract of rankers: a scikit-learn estimator and selector that accepts missing labels."""

import inspect
import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, dataclass_transform

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from sslrank.core.containers import as_table, check_same_index
from sslrank.core.features import encode_features
from sslrank.core.random_state import resolve_seed
from sslrank.core.targets import encode_targets
from sslrank.core.threads import one_blas_thread
from sslrank.core.validation import check_jobs, checked_weights, resolve_size

#: Names of the rankers that support sample weights: subclasses of :class:`WeightedRanker`.
WEIGHTED = (
    *("f_score", "genie3", "information_gain", "permutation_importance", "scikit_forest", "ssl_permutation"),
    "symbolic",
)

#: Annotated class attributes become keyword-only parameters of an ``__init__`` that stores them, which is what
#: scikit-learn's ``get_params`` and ``clone`` ask for.
parameters = dataclass(kw_only=True, eq=False, repr=False)


@parameters
@dataclass_transform(kw_only_default=True, eq_default=False)
class BaseRanker(SelectorMixin, BaseEstimator, metaclass=ABCMeta):
    """Base class of all rankers.

    To write a ranker, subclass it and define, as in the example below, the supported kinds of target (`tasks`), the
    parameters as annotated attributes with defaults (no ``__init__`` is needed), and :meth:`rank_coded`, which returns
    one importance per feature. :func:`sslrank.testing.check_ranker` checks the contract.

    These also control :meth:`fit`, ``sslrank rank`` and the workflow:

    - `tasks`: a subset of :data:`sslrank.core.tasks.TASKS` and "none" (no target). Datasets of other kinds are
      reported as not supported.
    - A parameter ``supervised: bool = False``: with True, unlabelled rows are removed before :meth:`rank_coded`. The
      workflow fits the supervised mode ("sl") only of rankers with this parameter. A ranker that never uses unlabelled
      rows sets the class attribute ``labeled_only = True`` instead.
    - The parameters `task`, `hierarchy` and `hierarchy_alpha` control the encoding of y
      (:func:`sslrank.core.targets.encode_targets`). The workflow sets `task` and `hierarchy` as attributes, even if the
      class has no such parameters.
    - An attribute `importances_`, a dict of arrays of shape (n_features,), for several rankings from one fit. If
      further rankings cost time, skip them when the attribute `only_importance` is True, as in ``sslrank rank``.
    - `accept_sparse`: whether :meth:`rank_coded` takes a sparse X.
    - :meth:`check_params` raises ValueError for a parameter that is invalid for every dataset; :meth:`resolve_seed`
      gives the seed of everything random.

    If you write an ``__init__``, store at least the five parameters below.

    Parameters
    ----------
    task : str, default="auto"
        Kind of target, one of :data:`sslrank.core.tasks.TASKS`, or "auto": inferred from y.
    n_features_to_select : int, float or None
        Number of features that :meth:`get_support` keeps, or a share in (0, 1]; None: half of them.
    categorical_features : array-like of int, bool or str, optional
        Nominal columns in addition to the non-numeric ones of a DataFrame.
    n_jobs : int or None
        Threads; None is 1 and -1 is all. The result does not depend on it.
    random_state : int, RandomState, Generator or None
        Seed of everything random.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,), float64
        Higher is better.
    ranking_ : ndarray of shape (n_features,), int
        1 is the best feature. Equal importances rank in column order.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Only when X has string column names.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank import BaseRanker
    >>> class Spread(BaseRanker):
    ...     tasks = frozenset({"classification", "none"})
    ...     power: float = 1.0
    ...     def rank_coded(self, features, targets):
    ...         return np.nanstd(features.values, axis=0) ** self.power
    >>> Spread(power=2.0).fit([[0.0, 5.0], [1.0, 1.0]]).ranking_
    array([2, 1])
    """

    tasks = frozenset()
    accept_sparse = False
    labeled_only = False
    only_importance = False

    task: str = "auto"
    n_features_to_select: float | None = None
    categorical_features: Sequence | None = None
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | np.random.Generator | None = None

    def __init_subclass__(cls, **kwargs):
        """Turn the annotated attributes of a subclass into parameters."""
        super().__init_subclass__(**kwargs)
        if inspect.get_annotations(cls):  # without any, the class keeps the ``__init__`` that it inherits
            parameters(cls)

    def fit(self, X, y=None, **fit_params) -> Self:
        """Rank the features.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_targets), optional
            NaN (or -1 in an integer y of classes) is a missing target; see
            :func:`sslrank.core.targets.encode_targets`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X or y is malformed, or the ranker does not support this kind of target.
        TypeError
            If `sample_weight` is given and the ranker cannot use it.
        """
        self.check_params()
        features, targets = self.encode(X, y)
        return self.fit_coded(features, targets, **fit_params)

    def fit_coded(self, features, targets, sample_weight=None, **fit_params):
        """Rank encoded features; this is the second half of :meth:`fit`.

        Use it to encode a table once for many fits on subsets of its rows. The parameters `task`, `hierarchy`,
        `hierarchy_alpha` and `categorical_features` are ignored.

        Parameters
        ----------
        features : sslrank.core.features.Features
        targets : sslrank.core.targets.Targets
        sample_weight : array-like of shape (n_samples,), optional
            As in :meth:`WeightedRanker.fit`.
        **fit_params
            Passed on to :meth:`rank_coded`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the ranker does not support this kind of target.
        TypeError
            If `sample_weight` is given and the ranker cannot use it.
        """
        self._resolve_n_selected(1)
        check_jobs(self.n_jobs)
        self.check_params()
        requested, n_features = self.n_features_to_select, features.shape[1]
        if requested is not None and requested > n_features:
            message = f"n_features_to_select is {requested}, but X has only {n_features} features: all are selected"
            warnings.warn(message, stacklevel=4)
        self.n_features_in_ = n_features
        targets = targets.within_range()
        self._check_task(targets)
        features, targets, weights = self._rows_to_rank(features, targets, sample_weight)
        if weights is not None:
            fit_params["sample_weight"] = weights
        with one_blas_thread():
            raw = self.rank_coded(features, targets, **fit_params)
        importances = check_importances(raw, self.n_features_in_)
        self.feature_importances_ = importances
        self.ranking_ = rank_features(importances)
        return self

    def check_params(self):
        """Check the parameters without data; called by :meth:`fit` and when a study is planned.

        Raises
        ------
        ValueError
            If a parameter is invalid for every dataset.
        """

    @abstractmethod
    def rank_coded(self, features, targets):
        """Compute the importances from encoded features and targets.

        Parameters
        ----------
        features : sslrank.core.features.Features
            Numbers, NaN where missing, and codes of categories.
        targets : sslrank.core.targets.Targets
            Codes of classes, labels of 0 and 1, or numbers; NaN where missing.

        Returns
        -------
        array-like of shape (n_features,)
            Higher is better; every number is finite.
        """

    def encode(self, X, y):
        """Encode X and y for :meth:`rank_coded` and :meth:`fit_coded`.

        Parameters
        ----------
        X, y
            See :meth:`fit`.

        Returns
        -------
        features : sslrank.core.features.Features
        targets : sslrank.core.targets.Targets

        Raises
        ------
        ValueError
            If X or y is malformed.
        """
        X = as_table(X)
        check_same_index(X, y)
        validate_data(self, X, skip_check_array=True)
        features = encode_features(X, self.categorical_features, accept_sparse=self.accept_sparse)
        hierarchy, alpha = getattr(self, "hierarchy", None), getattr(self, "hierarchy_alpha", 0.75)
        return features, encode_targets(y, features.shape[0], task=self.task, hierarchy=hierarchy, alpha=alpha)

    def _rows_to_rank(self, features, targets, sample_weight):
        """Select the rows to rank from (no unused unlabelled rows, no weight 0), and their weights with mean 1.

        Equal weights become None.
        """
        kept, weights = np.ones(features.shape[0], dtype=bool), None
        if sample_weight is not None:
            if not isinstance(self, WeightedRanker):
                names = ", ".join(WEIGHTED)
                raise TypeError(f"{type(self).__name__} cannot use sample_weight; rankers that can: {names}")
            weights = checked_weights(sample_weight, targets.labeled)
        if self.labeled_only or getattr(self, "supervised", False):
            kept = targets.labeled
            if not kept.any():
                which = type(self).__name__ if self.labeled_only else "supervised=True"
                raise ValueError(f"{which} needs at least one labelled row, y has none")
        if weights is not None:
            kept &= weights > 0
            if not kept.any():
                raise ValueError("sample_weight is 0 in every row that is ranked")
            weights = None if np.ptp(weights[kept]) == 0 else weights[kept] / weights[kept].mean()
        if not kept.all():
            features, targets = features.rows(kept), targets.rows(kept)
        return features, targets, weights

    def _check_task(self, targets):
        if targets.task in self.tasks:
            return
        name = type(self).__name__
        if targets.task == "none":
            raise ValueError(
                f"{name} requires y to be passed, but the target y is None: it cannot rank without a target"
            )
        tasks = ", ".join(sorted(self.tasks)) or "none, as its attribute tasks is not set"
        hint = ""
        kinds = {"classification": "classes", "regression": "quantities"}
        if targets.task in kinds and self.task == "auto" and (possible := self.tasks & (kinds.keys() - {targets.task})):
            (other,) = possible
            hint = f"; if the numbers in y are {kinds[other]}, not {kinds[targets.task]}, pass task={other!r}"
        raise ValueError(f"{name} does not support targets of kind {targets.task!r}; it supports {tasks}{hint}")

    def resolve_seed(self):
        """Draw the seed of everything random from `random_state`.

        Returns
        -------
        int
        """
        return resolve_seed(self.random_state)

    def _resolve_n_selected(self, n_features):
        words = {None: lambda whole: whole // 2}
        return resolve_size("n_features_to_select", self.n_features_to_select, n_features, words, rounding=int)

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.ranking_ <= self._resolve_n_selected(self.n_features_in_)

    def transform(self, X):
        """Keep the best features.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray, DataFrame or sparse matrix of shape (n_samples, n_selected)

        Raises
        ------
        ValueError
            If X has other columns than in :meth:`fit`.
        """
        check_is_fitted(self)
        original = X = as_table(X)
        if isinstance(X, pd.DataFrame) and len(others := X.select_dtypes(exclude="number").columns):
            # scikit-learn would make numbers of texts where a column is bool, or of Arrow's or pandas' own numbers
            X = X.astype(dict.fromkeys(others, object))
        selected = super().transform(X)
        if isinstance(selected, pd.DataFrame) and X is not original:  # columns keep their types
            return original.loc[:, self.get_support()].set_axis(selected.columns, axis=1)
        return selected

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = self.accept_sparse
        tags.target_tags.required = "none" not in self.tasks
        tags.target_tags.single_output = bool(self.tasks & {"classification", "regression"})
        tags.target_tags.multi_output = bool(self.tasks & {"multitarget", "multilabel", "hierarchical"})
        return tags


class WeightedRanker(BaseRanker):
    """Base class of rankers that support sample weights.

    `rank_coded` has a third parameter, ``sample_weight=None``: positive weights with mean 1.

    Examples
    --------
    >>> from sslrank import get_ranker
    >>> isinstance(get_ranker("f_score"), WeightedRanker), isinstance(get_ranker("relief"), WeightedRanker)
    (True, False)
    """

    def fit(self, X, y=None, sample_weight=None) -> Self:
        """Rank the features.

        Parameters
        ----------
        X : array-like, DataFrame or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_targets), optional
            NaN (or -1 in an integer y of classes) is a missing target; see
            :func:`sslrank.core.targets.encode_targets`.
        sample_weight : array-like of shape (n_samples,), optional
            Relative weight of each row; rows of weight 0 are left out. For metadata routing, call
            ``set_fit_request(sample_weight=True)``.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X, y or a weight is malformed, or the ranker does not support this kind of target.

        Examples
        --------
        >>> from sslrank import get_ranker
        >>> X, y = [[1, 0], [0, 0], [1, 1], [0, 1]] * 2, [0, 0, 1, 0] * 2
        >>> get_ranker("f_score").fit(X, y, sample_weight=[1, 9, 1, 1] * 2).ranking_
        array([2, 1])
        """
        return super().fit(X, y, sample_weight=sample_weight)


def check_importances(importances, n_features, name="the ranker"):
    """Convert importances to a float64 vector with one finite number per feature.

    Parameters
    ----------
    importances : array-like
    n_features : int
    name : str, default="the ranker"
        Name of the ranker in the message.

    Returns
    -------
    ndarray of shape (n_features,), float64

    Raises
    ------
    ValueError
        If the shape differs or a number is not finite.

    Examples
    --------
    >>> check_importances([1, 2], 2)
    array([1., 2.])
    >>> check_importances([0.5], 2)
    Traceback (most recent call last):
        ...
    ValueError: the ranker: expected 2 importances, one per feature, got 1
    """
    importances = np.ascontiguousarray(importances, dtype=np.float64)
    if importances.shape != (n_features,):
        received = f"shape {importances.shape}" if importances.ndim != 1 else len(importances)
        raise ValueError(f"{name}: expected {n_features} importances, one per feature, got {received}")
    not_finite = np.flatnonzero(~np.isfinite(importances))
    if len(not_finite):
        j = not_finite[0]
        raise ValueError(
            f"{name} gave importances that are not finite numbers: {importances[j]} for feature {j} "
            f"(counted from 0) and {len(not_finite) - 1} others; are values of X or y very large? Then rescale them"
        )
    return importances


def rank_features(importances):
    """Rank importances: 1 for the highest, ties in column order.

    Parameters
    ----------
    importances : array-like of shape (n_features,)

    Returns
    -------
    ndarray of shape (n_features,), int

    Examples
    --------
    >>> rank_features([0.2, 0.9, 0.2])
    array([2, 1, 3])
    """
    ranking = np.empty(len(importances), dtype=np.intp)
    ranking[np.argsort(-np.asarray(importances), kind="stable")] = np.arange(1, len(importances) + 1)
    return ranking
