"""Conditional tests: which features add information about the target beyond the others."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from sslrank.core.messages import counted
from sslrank.hypothesis_tests.combining import cauchy, q_values
from sslrank.hypothesis_tests.controls import ControlSelection
from sslrank.hypothesis_tests.design import INDEPENDENT
from sslrank.hypothesis_tests.feature_columns import (
    LEVEL_INDICATOR,
    feature_columns,
    near_duplicates,
    nonlinear_bases,
)
from sslrank.hypothesis_tests.marginal import MarginalTests, target_groups
from sslrank.hypothesis_tests.partial import orthonormal_basis, partial_p_value, unit_lengths
from sslrank.hypothesis_tests.permutations import log_arrangements, removed_columns
from sslrank.hypothesis_tests.score_tests import EVENTS_A_COLUMN, classes_p_value, cox_p_value, logistic_rows
from sslrank.hypothesis_tests.series import autoregression

#: False discovery rate at which features are claimed to add information beyond the others.
CONDITIONAL_FDR = 0.1
#: Number of features with the smallest p-values of relation that are tested, and that serve as controls. Both bound the
#: time, which grows with the rows times the square of the columns.
MAX_TESTED, _MAX_CONTROLS = 200, 400
#: With fewer rows or groups nothing is tested: the variance of a sum over rows could not be estimated.
MIN_UNITS = 10
#: Weights of the tests of a feature by the kind of its columns, in the order of NUMBER, DISTANCE, LEVEL_INDICATOR and
#: GAP (measured: tests/measurements/README.md).
WEIGHTS = (0.8, 0.2, 1.0, 0.5)
#: Blocks with a conditional q up to this are retested with nonlinear controls; others could not be claimed anyway.
RETEST_Q = 0.2
#: With a larger p-value of the linear model, the feature could not be claimed: the target's own model is not fitted.
_MAX_LINEAR_P = 0.2
#: Number of most related features whose nonlinear functions serve as controls: a bound on time.
MAX_NONLINEAR = 50


@dataclass(frozen=True)
class ConditionalTests:
    """Tests of each feature given all others.

    Attributes
    ----------
    p_values, q_values : ndarray of shape (D,)
        Features of a block have the same; 1 for features that were not tested.
    blocks : ndarray of shape (D,), int
        Number of the block of each feature.
    reason : str
        Why nothing was tested; empty if tests were made.
    n_rows : int
        Number of labelled rows in the tests.
    """

    p_values: np.ndarray
    q_values: np.ndarray
    blocks: np.ndarray
    reason: str = ""
    n_rows: int = 0

    @property
    def named(self):
        """Features that add information beyond the others at a false discovery rate of :data:`CONDITIONAL_FDR`."""
        return np.flatnonzero(self.q_values <= CONDITIONAL_FDR)

    def n_blocks(self, features):
        """Count the blocks of some features, given as indices; correlated features are one block."""
        return len(np.unique(self.blocks[features]))

    def describe(self, related=None):
        """Describe the result in one line; of the `related` features only, if their indices are given."""
        if self.reason:
            return f"conditional tests: {self.reason}"
        features = self.named if related is None else np.intersect1d(self.named, related)
        n, blocks = len(features), self.n_blocks(features)
        if not n:
            return "conditional tests: these rows show no feature that adds information beyond the others"
        counts = counted(n, "feature") if n == blocks else f"{counted(blocks, 'block')} ({counted(n, 'feature')})"
        return (
            f"conditional tests: {counts} {'adds' if n == 1 else 'add'} information beyond the others, at a false "
            f"discovery rate of {CONDITIONAL_FDR:.0%}"
        )


def conditional_tests(
    features, targets, *, blocks=None, same=None, related=None, sample_weight=None, design=INDEPENDENT
):  # fmt: skip
    """Test each feature, or block of features, given all others.

    The residuals of the feature and of the target, given models of the other features, are compared. With at least four
    rows for each linear column, and at most 64 of these, the models contain all of them; otherwise forward selection
    chooses columns that explain the feature or the target (double selection). Blocks with a small q-value are retested,
    also given nonlinear functions of the others that explain the feature; the larger p-value counts. Numbers enter by
    their values and their distance from the middle rank, nominal features by their levels, missing values by an
    indicator.

    Rows of a group count as one; in a panel, the rows of what is exchanged. In the order of time, all columns are
    filtered by an autoregression of the target, whose order has the smallest AIC (prewhitening). Both models contain
    what permutations remove, see :func:`sslrank.hypothesis_tests.permutations.removed_columns`.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    blocks : ndarray of shape (D,), optional
        Features of a block are tested together, given the others; by default numeric features connected by
        correlations of 0.95 or more.
    same : ndarray of shape (D,), optional
        Features that are one variable, by their common number, such as the indicators of a category; unless `blocks`
        are given, they are in one block.
    related : ndarray of shape (D,), optional
        P-values of relation; in wide tables only the features with the smallest ones are tested.
    sample_weight : ndarray of shape (n,), optional
    design : sslrank.hypothesis_tests.design.Design

    Returns
    -------
    ConditionalTests
    """
    n, D = features.shape
    if D > _MAX_CONTROLS:
        return _extend_to_all(features, targets, blocks, same, related, sample_weight, design)
    codes = np.unique(near_duplicates(features, same) if blocks is None else blocks, return_inverse=True)[1]
    groups = _dependent_rows(design)
    units = n if groups is None else len(np.unique(groups))
    if units < MIN_UNITS:
        of_what = counted(units, "labelled row" if groups is None else design.unit.removesuffix("s"))
        reason = f"not tested: {of_what}, and at least {MIN_UNITS} are needed"
        return ConditionalTests(np.ones(D), np.ones(D), codes, reason)
    order = np.argsort(np.ones(D) if related is None else related, kind="stable")
    plain, _ = target_groups(targets, None)
    Y = np.nan_to_num(np.hstack(plain))
    adjusting = np.empty((n, 0)) if targets.null is None else targets.null.columns
    constant = np.column_stack([np.ones(n), removed_columns(design, Y, adjusting)])
    rows = _Rows(Y, sample_weight, groups, design)
    Y, columns = rows.apply(Y), feature_columns(features)
    constant, columns = rows.apply(unit_lengths(constant)), columns._replace(values=rows.apply(columns.values))
    tested = [j for j in np.flatnonzero(np.isin(codes, codes[order[:MAX_TESTED]])) if (columns.owners == j).any()]
    selection = ControlSelection(columns, Y, constant, codes, tested, rows.units)
    target_of_column = np.repeat(np.arange(len(plain)), [group.shape[1] for group in plain])
    of_targets = [min(log_arrangements(group), gammaln(units + 1)) for group in plain]

    codes_of_classes, rarer = _classes(targets), 0
    if rows.order is None and sample_weight is None:
        rarer = _rarer(targets, codes_of_classes)

    def p_of_columns(x, basis, at, target):
        """Compute the p-value of columns x in the target's model, or in a linear one if there are few events."""
        left = orthonormal_basis(Y[:, at] - basis @ (basis.T @ Y[:, at]))
        linear = partial_p_value(left, x, basis, rows.groups)
        if basis.shape[1] * EVENTS_A_COLUMN > rarer or linear > _MAX_LINEAR_P:
            return linear
        if codes_of_classes is None:
            return cox_p_value(targets.null, x, basis, rows.groups)
        codes = codes_of_classes[:, target]
        if codes.max() > 1:
            return classes_p_value(codes, x, basis, rows.groups)
        y, root = logistic_rows(codes, basis)
        basis = orthonormal_basis(root * basis)
        return partial_p_value(orthonormal_basis(y - basis @ (basis.T @ y)), root * x, basis, rows.groups)

    def test(j, functions=None):
        """Compute the p-value of feature j given linear models, extended by functions of other features if given."""
        x, kinds = selection.of(j)
        p, weights, of_feature = [], [], log_arrangements(features.values[:, [j]])
        for target, weight in enumerate(targets.weights):
            at = np.flatnonzero(target_of_column == target)
            if not len(at):
                continue
            linear = selection.basis(j, at)
            for kind in np.unique(kinds):
                basis, columns_of_kind = linear, x[:, kinds == kind]
                if functions is not None:
                    forbidden = (codes[functions[1]] == codes[j]).any(axis=1)
                    explained = selection.explained(j, at) if kind == LEVEL_INDICATOR else columns_of_kind
                    basis = selection.with_functions(linear, *functions, forbidden, explained)
                smallest = math.exp(-min(of_feature, of_targets[target]))
                p.append(max(p_of_columns(columns_of_kind, basis, at, target), smallest))
                weights.append(weight * WEIGHTS[kind])
        return cauchy(np.array(p), np.array(weights)) if p else 1.0

    p_values = np.ones(D)
    for j in tested:
        p_values[j] = test(j)
    to_retest = q_values(_combine_in_blocks(p_values, codes))[codes] <= RETEST_Q
    if to_retest.any():
        values, owners = nonlinear_bases(features, order[:MAX_NONLINEAR])
        values = rows.apply(values)
        for j in tested:
            if to_retest[j]:
                p_values[j] = max(p_values[j], test(j, (values, owners)))
    of_block = _combine_in_blocks(p_values, codes)
    return ConditionalTests(of_block[codes], q_values(of_block)[codes], codes)


def _dependent_rows(design):
    """Return the units whose rows count as one, or None: groups, or times if each has several rows."""
    if design.unit == "times" and len(np.unique(design.time)) < len(design.time):
        return design.time
    return design.whole_groups


def _classes(targets):
    """Return the class of each row, before it was adjusted, by target; None for other targets.

    Three and more adjusted classes have a target each.
    """
    if targets.null is not None and targets.null.codes is not None:
        codes = targets.null.codes[:, None]
        return 1.0 * (codes == np.arange(codes.max() + 1)) if codes.max() > 1 else codes
    return targets.values if targets.task in ("classification", "multilabel", "hierarchical") else None


def _rarer(targets, codes):
    """Return the number of events, or of rows of the rarest class; 0 for targets with a linear model."""
    if codes is None:
        return 0 if targets.null is None or targets.null.time is None else int(targets.null.event.sum())
    counts = [np.unique(column, return_counts=True)[1] for column in codes.T]
    is_whole = not np.isnan(codes).any() and min(map(len, counts)) > 1
    return int(min(map(min, counts))) if is_whole else 0


class _Rows:
    """Transformation of the rows of all columns, and the number of independent rows."""

    def __init__(self, Y, sample_weight, groups, design):
        self.root = np.ones((len(Y), 1))
        if sample_weight is not None:
            self.root = np.sqrt(sample_weight / sample_weight.mean())[:, None]
        self.groups, self.order, self.past, self.units = None, None, np.empty(0), len(Y)
        if groups is not None:
            self.groups = np.unique(groups, return_inverse=True)[1]
            self.units = self.groups.max() + 1
        elif design.unit == "times":
            self.order = np.argsort(design.time, kind="stable")
            self.past = autoregression((self.root * Y)[self.order])
            self.units -= len(self.past)

    def apply(self, columns):
        """Weight the rows; in the order of time, subtract the prediction from the rows before."""
        columns = self.root * columns
        if self.order is None:
            return columns
        columns, p = columns[self.order], len(self.past)
        return columns[p:] - sum(a * columns[p - k : len(columns) - k] for k, a in enumerate(self.past, 1))


def _combine_in_blocks(p_values, codes):
    """Combine the p-values of the members of each block."""
    members = [p_values[codes == code] for code in range(codes.max() + 1)]
    return np.array([cauchy(values) if len(values) > 1 else values[0] for values in members])


def _extend_to_all(features, targets, blocks, same, related, sample_weight, design):
    """Extend tests of the most related features to all; the others have a p-value of 1 and count in q."""
    D = features.shape[1]
    if related is None:
        related = MarginalTests(features, targets, design, sample_weight=sample_weight)().p_values
    kept = np.sort(np.argsort(related, kind="stable")[:_MAX_CONTROLS])
    part = features.columns(kept)
    codes = np.arange(D)
    codes[kept] = kept[near_duplicates(part, None if same is None else same[kept])]
    codes = np.unique(codes if blocks is None else blocks, return_inverse=True)[1]
    tests = conditional_tests(
        part, targets, blocks=codes[kept], related=related[kept], sample_weight=sample_weight, design=design
    )
    of_block = np.ones(codes.max() + 1)
    of_block[codes[kept]] = tests.p_values
    return ConditionalTests(of_block[codes], q_values(of_block)[codes], codes, tests.reason)
