"""Test the features of a table: which are related to the target, and which add information beyond the others."""

from dataclasses import replace

import numpy as np

from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.conditional import conditional_tests
from sslrank.hypothesis_tests.related import find_related
from sslrank.hypothesis_tests.smallest_effect import effective_labels, smallest_effect

#: Maximum number of labelled rows; above it a stratified sample is tested.
MAX_ROWS = 10_000
#: Likewise for conditional tests, whose time grows with the rows times the square of the columns.
MAX_ROWS_CONDITIONAL = 2_000


def sampled_rows(coded, most, seed):
    """Return all labelled rows, or a stratified sample of `most`.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    most : int
    seed : int

    Returns
    -------
    ndarray of int
    """
    labeled = coded.labeled
    if len(labeled) <= most:
        return labeled
    order = np.random.default_rng(derive_seed(seed, "tested rows")).permutation(labeled)
    order = order[np.argsort(coded.strata[order], kind="stable")]
    return np.sort(order[np.linspace(0, len(order) - 1, most).round().astype(np.intp)])


def related_features(coded, dependence, *, seed=0):
    """Test which features are related to the target.

    Permutations respect given groups, given times and equal rows. If the rows only look like groups or a time series,
    the tests are repeated with such permutations; their p-value is `guessed_p`, and the result does not change.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    dependence : sslrank.tabular.trust.dependence.Dependence
    seed : int

    Returns
    -------
    sslrank.hypothesis_tests.related.Related
    """
    rows = sampled_rows(coded, MAX_ROWS, seed)
    part = coded.rows(rows)
    data = part.features.without_unused_categories(), part.targets.without_unused_categories()
    design, guess = dependence.design, dependence.guess
    related = find_related(*data, seed=seed, sample_weight=part.weights, design=design.rows(rows))
    has_formula = (
        design.unit == "rows" and design.strata is None and coded.targets.null is None
    )  # an r of residuals is no effect of the page
    n_effective = effective_labels(data[1], data[0], part.weights)
    smallest = smallest_effect(data[1], part.X.shape[1], n_effective) if has_formula and n_effective else None
    related = replace(related, n_rows=len(rows), smallest_effect=smallest, n_effective=n_effective)
    if guess.unit != "rows":
        other = find_related(*data, seed=seed, sample_weight=part.weights, design=guess.rows(rows))
        related = replace(related, guessed_p=other.p_value)
    return related


def conditional_tests_of(coded, related, design, named=None, *, seed=0):
    """Test which features add information beyond the others.

    If no feature is shown to be related, all q-values are 1.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    related : sslrank.hypothesis_tests.related.Related
    design : sslrank.hypothesis_tests.design.Design
        Of all rows.
    named : ndarray of shape (D,), int, optional
        Blocks of features to test as one, by their common number.
    seed : int

    Returns
    -------
    sslrank.hypothesis_tests.conditional.ConditionalTests
    """
    rows = sampled_rows(coded, MAX_ROWS_CONDITIONAL, seed)
    part = coded.rows(rows)
    tests = conditional_tests(
        part.features.without_unused_categories(),
        part.targets.without_unused_categories(),
        blocks=named,
        related=related.p_values,
        sample_weight=part.weights,
        design=design.rows(rows),
    )
    return tests if related.any_related else replace(tests, q_values=np.ones_like(tests.q_values))


def order_of(related, mean_rank):
    """Order features: related ones by their mean rank, then the others by their p-value.

    Mean ranks of unrelated features are arbitrary and favour some kinds of columns; p-values favour none.

    Parameters
    ----------
    related : sslrank.hypothesis_tests.related.Related
    mean_rank : ndarray of shape (D,)

    Returns
    -------
    ndarray of shape (D,), int
        The best feature first.
    """
    unordered = np.ones(len(mean_rank), dtype=bool)
    unordered[related.related] = False
    return np.lexsort((related.p_values, np.where(unordered, 0.0, mean_rank), unordered))
