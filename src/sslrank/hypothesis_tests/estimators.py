"""Tests of features as scikit-learn estimators, for any table and any model."""

from dataclasses import replace
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from sslrank.core.coded_table import CodedTable
from sslrank.core.errors import DataError
from sslrank.core.features import encode_features
from sslrank.core.null_model import adjusted_values, check_entry, regress_out, residuals_of_times
from sslrank.core.random_state import resolve_seed
from sslrank.core.targets import encode_targets
from sslrank.core.validation import checked_weights, refuse_missing
from sslrank.hypothesis_tests.conditional import conditional_tests
from sslrank.hypothesis_tests.design import check_rows, design_of, given_codes, labeled_rows
from sslrank.hypothesis_tests.pairs import PAIR_LEVEL, find_pairs
from sslrank.hypothesis_tests.related import find_related


class FeatureTest(SelectorMixin, BaseEstimator):
    """Base of tests of features: reads the table, its design and its target.

    Parameters
    ----------
    fdr : float, default=0.1
        False discovery rate of :meth:`get_support` and :meth:`transform`.
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`.
    categorical_features : array-like of int, bool or str, optional
        Nominal columns in addition to the non-numeric ones of a DataFrame.
    random_state : int, default=0
        Seed of permutations.
    """

    def __init__(self, fdr=0.1, *, task="auto", categorical_features=None, random_state=0):
        self.fdr = fdr
        self.task = task
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(
        self, X, y, *, groups=None, time=None, event=None, entry=None, adjust=None, sample_weight=None, strata=None
    ) -> Self:
        """Test the features.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, D)
            NaN is missing.
        y : array-like of shape (n,) or (n, T)
            NaN, None, and -1 among integer classes, mean unlabelled: these rows are not tested.
        groups, time, strata : array-like of shape (n,), optional
            Group, time and stratum of each row, see :func:`sslrank.hypothesis_tests.design.design_of`. `groups` may be
            "none": rows of one time are of different units.
        event : array-like of shape (n,), optional
            1 if the event happened at the time `y`, 0 if the time is censored.
        entry : array-like of shape (n,), optional
            Time before which a row is not at risk; with `event`.
        adjust : array-like of shape (n, k), optional
            Columns to adjust for, numbers without gaps.
        sample_weight : array-like of shape (n,), optional

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the table or a column is malformed, no row is labelled, or the design leaves nothing to exchange.
        """
        validate_data(self, X, skip_check_array=True)
        features = encode_features(X, self.categorical_features)
        n = features.shape[0]
        declared = {"groups": groups, "time": time, "strata": strata}
        check_rows(X, y, **declared, event=event, entry=entry, adjust=adjust, sample_weight=sample_weight)
        targets = encode_targets(y, n, task=self.task if event is None else "regression")
        rows = labeled_rows(targets)
        if event is not None:
            pairs = np.column_stack([targets.values, np.asarray(event, dtype=np.float64)])
            targets = encode_targets(pairs, n, task="survival")
            entry = None if entry is None else np.asarray(entry, dtype=np.float64)
            codes = None if strata is None else pd.factorize(np.asarray(strata), sort=True)[0]
            if entry is not None:
                refuse_missing(rows[np.isnan(entry[rows])], "entry")
            null = replace(targets.null, entry=entry, strata=codes)
            check_entry(null)
            targets = replace(targets, values=residuals_of_times(null), null=null)
            rows = np.flatnonzero(targets.labeled)
        elif entry is not None:
            raise DataError("entry needs event", advice="Pass the times as y and the events as event")
        if adjust is not None:
            adjust = check_array(adjust, ensure_2d=False, dtype=np.float64, input_name="adjust").reshape(n, -1)
            features, targets = adjusted(features, targets, adjust)
        design = design_of(targets.values[rows], **given_codes(rows, **declared))
        if sample_weight is not None:
            sample_weight = checked_weights(np.asarray(sample_weight, dtype=np.float64), targets.labeled)
        table = CodedTable(features, targets, sample_weight).rows(rows)
        features, targets = table.features.without_unused_categories(), table.targets.without_unused_categories()
        self._test(features, targets, table.weights, design)
        return self

    def _get_support_mask(self):
        check_is_fitted(self, "q_values_")
        return self.q_values_ <= self.fdr

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


def adjusted(features, targets, columns):
    """Replace targets by the residuals of a null model of some columns, and adjust numeric features for them.

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    columns : ndarray of shape (n, k)

    Returns
    -------
    Features, Targets
    """
    numbers = ~features.nominal
    X = features.values.copy()
    X[:, numbers] = regress_out(X[:, numbers], columns)
    if targets.null is None:
        values, null = adjusted_values(targets.values, columns, targets.task)
    else:  # of a time
        null = replace(targets.null, columns=columns)
        values = residuals_of_times(null)
    task = "regression" if values.shape[1] == 1 else "multitarget"
    return replace(features, values=X), replace(
        targets, task=task, values=values, weights=np.ones(values.shape[1]), classes=None, parents=None, null=null
    )


class MarginalTest(FeatureTest):
    """Test which features are related to the target: each alone, and given those that are clearly related.

    Parameters
    ----------
    fdr : float, default=0.1
        False discovery rate of :meth:`get_support` and :meth:`transform`, which keep no feature unless `any_related_`.
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`.
    categorical_features : array-like of int, bool or str, optional
        Nominal columns in addition to the non-numeric ones of a DataFrame.
    random_state : int, default=0
        Seed of permutations.

    Attributes
    ----------
    p_values_, q_values_ : ndarray of shape (D,)
        See :class:`sslrank.hypothesis_tests.related.Related`.
    p_value_ : float
        P-value that no feature is related, from the largest statistic of each permutation.
    any_related_ : bool
        Whether it is at most .05.
    exchanged_ : str
        What permutations exchange, in a sentence.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (D,)
        Only when X has string column names.

    Notes
    -----
    Assumptions: if no feature is related, the targets of rows are exchangeable; with groups whole groups, and rows in
    them; with strata the rows of a stratum; with times, series are stationary apart from a quadratic trend, seasons and
    a variance that moves; in a panel whole groups or times, given the means of the other. The null model of columns to
    adjust for is linear, logistic or Cox's. The test that no feature is related is exact for exchangeable rows without
    columns to adjust for, otherwise its level was measured (``tests/measurements/trust.md``). q assumes what Benjamini
    and Hochberg (1995) assume.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 5))
    >>> y = (X[:, 2] + 0.5 * rng.normal(size=80) > 0).astype(int)
    >>> y[::4] = -1  # unlabelled
    >>> test = MarginalTest().fit(X, y)
    >>> test.any_related_, test.get_support(indices=True), test.exchanged_
    (True, array([2]), 'Permutations exchange rows.')
    """

    def _test(self, features, targets, weights, design):
        seed = resolve_seed(self.random_state)
        tests = find_related(features, targets, design=design, seed=seed, sample_weight=weights)
        self.p_values_, self.q_values_, self.exchanged_ = tests.p_values, tests.q_values, tests.exchanged
        self.p_value_, self.any_related_ = tests.p_value, tests.any_related

    def _get_support_mask(self):
        return super()._get_support_mask() & self.any_related_


class ConditionalTest(FeatureTest):
    """Test which features add information about the target beyond all others.

    Parameters
    ----------
    fdr : float, default=0.1
        False discovery rate of :meth:`get_support` and :meth:`transform`.
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`.
    categorical_features : array-like of int, bool or str, optional
        Nominal columns in addition to the non-numeric ones of a DataFrame.
    random_state : int, default=0
        Seed of the permutations that choose 400 of more features; the tests themselves use formulas.

    Attributes
    ----------
    p_values_, q_values_ : ndarray of shape (D,)
        Features of a block have the same.
    blocks_ : ndarray of shape (D,), int
        Block of each feature: numbers connected by correlations of .95 or more are tested together.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (D,)
        Only when X has string column names.

    Notes
    -----
    Assumptions: given the others, either the target or the feature depends on a linear (logistic, Cox's) model of them,
    or on one with polynomials and steps of each, and products of pairs, levels included. Rows are independent, or
    groups are; series are autoregressive. With few events or rows of the rarer class for each column, and for three or
    more classes, models are linear, with heteroscedasticity-consistent variances.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.normal(size=(150, 5))
    >>> y = X[:, 2] + 0.5 * rng.normal(size=150)
    >>> X[:, 3] = X[:, 2] + 0.5 * rng.normal(size=150)  # a noisy copy
    >>> ConditionalTest().fit(X, y).get_support(indices=True)
    array([2])
    """

    def _test(self, features, targets, weights, design):
        tests = conditional_tests(features, targets, design=design, sample_weight=weights)
        self.p_values_, self.q_values_, self.blocks_ = tests.p_values, tests.q_values, tests.blocks


class PairTest(FeatureTest):
    """Test which pairs of features are related to the target together, beyond the sum of their effects.

    Parameters
    ----------
    level : float, default=0.05
        Family-wise error rate of :meth:`get_support` and :meth:`transform`, at most .05.
    task : str, default="auto"
        Kind of target, see :func:`sslrank.core.targets.encode_targets`.
    categorical_features : array-like of int, bool or str, optional
        Nominal columns in addition to the non-numeric ones of a DataFrame.
    random_state : int, default=0
        Seed of permutations.

    Attributes
    ----------
    pairs_ : ndarray of shape (P, 2), int
        Pairs that are shown, the strongest first.
    p_values_ : ndarray of shape (P,)
        Family-wise error rate of each; each pair is tested given those before it.
    p_value_ : float
        P-value that no pair is related.
    reason_ : str
        Why nothing was tested; empty if pairs were.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (D,)
        Only when X has string column names.

    Notes
    -----
    Assumptions: if no pair is related, the target is a sum of linear and quadratic functions of the features' normal
    scores, effects of levels, and exchangeable errors. Nonlinear sums and errors of unequal variance were measured
    (``tests/measurements/answer.md``). See :func:`sslrank.hypothesis_tests.pairs.find_pairs`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(150, 5))
    >>> y = X[:, 1] * X[:, 3] + rng.normal(size=150)
    >>> PairTest().fit(X, y).pairs_
    array([[1, 3]])
    """

    def __init__(self, level=PAIR_LEVEL, *, task="auto", categorical_features=None, random_state=0):
        self.level = level
        self.task = task
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _test(self, features, targets, weights, design):
        if not 0 < self.level <= PAIR_LEVEL:
            raise ValueError(f"level must be above 0 and at most {PAIR_LEVEL:g}, got {self.level!r}")
        seed = resolve_seed(self.random_state)
        tests = find_pairs(features, targets, design=design, seed=seed, sample_weight=weights)
        self.pairs_, self.p_values_ = tests.pairs, tests.p_values
        self.p_value_, self.reason_ = tests.p_value, tests.reason

    def _get_support_mask(self):
        check_is_fitted(self, "pairs_")
        shown_pairs = self.pairs_[self.p_values_ <= self.level]
        return np.isin(np.arange(self.n_features_in_), shown_pairs)
