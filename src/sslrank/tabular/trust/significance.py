"""Test the features of a table: which are related to the target, and which add information beyond the others."""

from dataclasses import replace

import numpy as np

from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.conditional import conditional_tests
from sslrank.hypothesis_tests.pairs import N_PERMUTATIONS as PAIR_PERMUTATIONS
from sslrank.hypothesis_tests.pairs import find_pairs
from sslrank.hypothesis_tests.related import find_related
from sslrank.hypothesis_tests.smallest_effect import effective_labels, smallest_effect
from sslrank.tabular.trust.dependence import DUPLICATES

#: Maximum number of labelled rows; above it a stratified sample is tested.
MAX_ROWS = 10_000
#: Rows of the tests of each feature alone may be more, up to this number of values times targets, unless these are
#: censored or adjusted, or the rows have strata or times; and in parts of the rows, such as folds.
MAX_VALUES, MAX_VALUES_OF_PART = 30_000_000, 3_000_000
#: Fewest and most rows of a sample for conditional tests, and their limit times the square of the columns, to which the
#: time is proportional.
ROWS_CONDITIONAL, MAX_STEPS_CONDITIONAL = (2_000, 10_000), 2_000_000
#: Permutations of each test in parts of the rows, such as folds.
PART_PERMUTATIONS = 100


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
    data, options = _labeled(coded, dependence.design, _most_rows(coded, dependence.design, MAX_VALUES), seed)
    design, guess = options["design"], dependence.guess
    related = find_related(*data, seed=seed, **options)
    # an r of residuals is no effect of the page
    has_formula = design.unit == "rows" and design.strata is None and coded.targets.null is None
    n_effective = effective_labels(data[1], data[0], options["sample_weight"])
    smallest = smallest_effect(data[1], len(related.q_values), n_effective) if has_formula and n_effective else None
    independent = 1.0 if design.unit == "rows" else np.nan
    if design.reason == DUPLICATES:
        independent = 1 - dependence.n_duplicates / len(coded.labeled)
    related = replace(
        related, n_rows=len(data[0].values), smallest_effect=smallest, n_effective=n_effective, independent=independent
    )
    if guess.unit != "rows":
        data, options = _labeled(coded, guess, MAX_ROWS, seed)
        related = replace(related, guessed_p=find_related(*data, seed=seed, **options).p_value)
    return related


def conditional_tests_of(coded, related, design, named=None, same=None, *, seed=0):
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
    same : ndarray of shape (D,), int, optional
        Features that are one variable, by their common number.
    seed : int

    Returns
    -------
    sslrank.hypothesis_tests.conditional.ConditionalTests
    """
    data, options = _labeled(coded, design, _most_rows_conditional(coded), seed)
    tests = conditional_tests(*data, blocks=named, same=same, related=related.p_values, **options)
    q_values = tests.q_values if related.any_related else np.ones_like(tests.q_values)
    return replace(tests, q_values=q_values, n_rows=len(data[0].values))


def pairs_of(coded, design, *, seed=0, count=PAIR_PERMUTATIONS):
    """Test which pairs of features are related to the target together; see :func:`find_pairs`.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    design : sslrank.hypothesis_tests.design.Design
        Of all rows.
    seed : int
    count : int
        Maximum number of permutations.

    Returns
    -------
    sslrank.hypothesis_tests.pairs.Pairs
    """
    data, options = _labeled(coded, design, MAX_ROWS, seed)
    return replace(find_pairs(*data, seed=seed, count=count, **options), n_rows=len(data[0].values))


def related_and_pairs(coded, design, rows, *, seed=0):
    """Test features alone and in pairs on some labelled rows, with fewer permutations.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    design : sslrank.hypothesis_tests.design.Design
        Of all rows.
    rows : ndarray of int
    seed : int

    Returns
    -------
    related : sslrank.hypothesis_tests.related.Related
    pairs : sslrank.hypothesis_tests.pairs.Pairs
    """
    coded, design = coded.rows(rows), design.rows(rows)
    data, options = _labeled(coded, design, _most_rows(coded, design, MAX_VALUES_OF_PART), seed)
    related = find_related(*data, seed=seed, count=PART_PERMUTATIONS, **options)
    return related, pairs_of(coded, design, seed=seed, count=PART_PERMUTATIONS)


def note_on_rows(coded, design, with_conditional):
    """Return a list with a note on tests that do not use all labelled rows; empty if all do."""
    most = {"each feature alone": _most_rows(coded, design, MAX_VALUES), "pairs": MAX_ROWS}
    most |= {"conditional tests": _most_rows_conditional(coded)} if with_conditional else {}
    few = [f"{count} for {what}" for what, count in most.items() if count < len(coded.labeled)]
    return [f"of {len(coded.labeled)} labelled rows tests use, drawn at random: {', '.join(few)}"] if few else []


def _most_rows(coded, design, most_values):
    """Return the maximum number of rows in the tests of each feature alone."""
    if coded.targets.null is not None or design.time is not None or design.strata is not None:
        return MAX_ROWS
    return max(MAX_ROWS, most_values // (coded.X.shape[1] * coded.target_values.shape[1]))


def _most_rows_conditional(coded):
    return int(np.clip(MAX_STEPS_CONDITIONAL // coded.X.shape[1] ** 2, *ROWS_CONDITIONAL))


def _labeled(coded, design, most, seed):
    """Return features and targets of the labelled rows, or a sample of `most`, with weights and design as options."""
    rows = sampled_rows(coded, most, seed)
    part = coded if len(rows) == len(coded.X) else coded.rows(rows)
    data = part.features.without_unused_categories(), part.targets.without_unused_categories()
    return data, {"sample_weight": part.weights, "design": design.rows(rows)}
