"""Rank for several labels by a ranker of one target: binary relevance, label powerset, pruned transformation."""

from dataclasses import replace

import numpy as np

from sslrank.core.base import BaseRanker, check_importances
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import Targets
from sslrank.core.validation import check_choice, check_count
from sslrank.rankers.registry import get_ranker

TRANSFORMATIONS = ("relevance", "powerset", "pruned")
AVERAGES = {"mean": np.mean, "max": np.max}


class MultiLabel(BaseRanker):
    """Rank features for several labels, or several numbers, by a ranker of one target.

    - "relevance" (binary relevance [1]_): one ranking for each label or number; the importance of a feature is their
      mean or maximum. With information gain this is IG-BR, with ReliefF RF-BR of the survey [2]_.
    - "powerset" (label powerset [1]_): one ranking whose classes are the distinct sets of labels (with ReliefF: RF-LP).
    - "pruned" (pruned problem transformation [3]_): as "powerset", without the rows of sets that occur in fewer than
      `min_rows` labelled rows (with ReliefF: PPT-ReliefF). If all sets are that rare, all are kept.

    For sets of labels, a row with an unknown label counts as unlabelled.

    Parameters
    ----------
    estimator : str or BaseRanker, default="information_gain"
        A registered name, or a ranker, which is cloned.
    by : {"relevance", "powerset", "pruned"}, default="relevance"
    average : {"mean", "max"}, default="mean"
        Average over labels, for "relevance".
    min_rows : int, default=3
        Minimum number of rows of a set, for "pruned".
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; each label's ranker has its own seed.

    Attributes
    ----------
    label_importances_ : ndarray of shape (n_labels, n_features)
        Importances by label, with "relevance".
    n_sets_ : int
        Number of label sets that are classes, otherwise.

    References
    ----------
    .. [1] G. Tsoumakas, I. Katakis, I. Vlahavas (2010), Mining multi-label data, Data Mining and Knowledge Discovery
       Handbook, section 34.2.
    .. [2] N. Spolaôr, E. A. Cherman, M. C. Monard, H. D. Lee (2013), A comparison of multi-label feature selection
       methods using the problem transformation approach, ENTCS 292.
    .. [3] J. Read (2008), A pruned problem transformation method for multi-label classification, NZCSRSC.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.rankers.multilabel.wrapper import MultiLabel
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> MultiLabel("information_gain").fit(X, X[:, [0, 2]] > 0).ranking_
    array([2, 3, 1])
    """

    def __init__(
        self,
        estimator="information_gain",
        by="relevance",
        *,
        average="mean",
        min_rows=3,
        task="auto",
        n_features_to_select=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
    ):
        super().__init__(
            task=task,
            n_features_to_select=n_features_to_select,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.estimator = estimator
        self.by = by
        self.average = average
        self.min_rows = min_rows

    @property
    def tasks(self):
        tasks = self._one().tasks
        numbers = {"multitarget"} if self.by == "relevance" and "regression" in tasks else set()
        return frozenset({"multilabel"} | numbers if "classification" in tasks else numbers)

    def _one(self):
        if isinstance(self.estimator, str):
            return get_ranker(self.estimator)
        return type(self.estimator)(**self.estimator.get_params(deep=False))

    def check_params(self):
        check_choice("by", self.by, TRANSFORMATIONS)
        check_choice("average", self.average, tuple(AVERAGES))
        check_count("min_rows", self.min_rows)

    def rank_coded(self, features, targets):
        if not targets.labeled.any():
            raise ValueError("MultiLabel needs at least one labelled row, y has none")
        if self.by != "relevance":
            sets = label_sets(targets, self.min_rows if self.by == "pruned" else 1)
            if not sets.labeled.any():
                raise ValueError("no labelled row has all of its targets")
            self.n_sets_ = sets.n_classes
            return self._rank_one(features, sets, "sets")
        importances = [
            self._rank_one(features, one_target(targets, j), j)
            for j in range(targets.values.shape[1])
            if not np.isnan(targets.values[:, j]).all()
        ]
        self.label_importances_ = np.array(importances)
        return AVERAGES[self.average](self.label_importances_, axis=0)

    def _rank_one(self, features, targets, name):
        ranker = self._one()
        ranker.set_params(random_state=derive_seed(self.resolve_seed(), name) % 2**32, n_jobs=self.n_jobs)
        ranker.check_params()
        if ranker.labeled_only or getattr(ranker, "supervised", False):
            features, targets = features.rows(targets.labeled), targets.rows(targets.labeled)
        return check_importances(ranker.rank_coded(features, targets), features.shape[1], type(ranker).__name__)


def one_target(targets, number):
    """Select one of several labels, as two classes, or one of several numbers.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
    number : int

    Returns
    -------
    Targets

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> one_target(encode_targets([[0, 1], [1, 1]], 2, task="multilabel"), 0).values
    array([[0.],
           [1.]])
    """
    column = targets.values[:, [number]]
    if targets.task == "multitarget":
        return Targets("regression", column, np.ones(1))
    return as_classes(column[:, 0])


def label_sets(targets, min_rows=1):
    """Turn sets of labels into classes; rows with an unknown label, or of rare sets, become unlabelled.

    Parameters
    ----------
    targets : Targets
    min_rows : int, default=1

    Returns
    -------
    Targets

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> label_sets(encode_targets([[0, 1], [1, 1], [0, 1]], 3, task="multilabel"), min_rows=2).values.ravel()
    array([ 0., nan,  0.])
    """
    complete = np.flatnonzero(~np.isnan(targets.values).any(axis=1))
    codes = np.full(len(targets.values), np.nan)
    if len(complete):
        set_of_row, counts = np.unique(targets.values[complete], axis=0, return_inverse=True, return_counts=True)[1:]
        set_of_row = set_of_row.ravel()
        kept = counts[set_of_row] >= min_rows
        kept |= not kept.any()
        codes[complete[kept]] = set_of_row[kept]
    return as_classes(codes)


def as_classes(codes):
    """Encode distinct numbers as classes 0, 1, ...; NaN is unlabelled.

    Parameters
    ----------
    codes : ndarray of shape (n,)

    Returns
    -------
    Targets

    Examples
    --------
    >>> as_classes(np.array([7.0, np.nan, 3.0])).values.ravel()
    array([ 1., nan,  0.])
    """
    known = ~np.isnan(codes)
    values = np.full((len(codes), 1), np.nan)
    classes, values[known, 0] = np.unique(codes[known], return_inverse=True)
    return replace(Targets("classification", values, np.ones(1)), classes=classes)
