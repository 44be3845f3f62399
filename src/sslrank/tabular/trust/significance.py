"""Test the features of a person's table: which are related to the target, and which have information of their own."""

from dataclasses import replace
from functools import partial

import numpy as np

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.core.random_state import derive_seed
from sslrank.tabular.trust.calibration import calibrate
from sslrank.tabular.trust.own_information import own_information
from sslrank.tabular.trust.related import find_related
from sslrank.tabular.trust.settings import check_blocks
from sslrank.tabular.trust.shadows import COUNT

#: From more labelled rows a stratified sample is tested.
MAX_ROWS = 10_000
#: Likewise for information of their own, whose time grows with the rows times the square of the columns.
MAX_ROWS_OWN = 2_000
#: Likewise for targets that are drawn, of which there are many.
MAX_ROWS_CALIBRATED = 500
#: Fits with permuted copies in any case, whatever the budget.
_FEWEST_SHADOWS = 5
#: Permuted copies of columns to begin with, in at least so many fits, without a budget.
_SHADOWS, _FEWEST_FITS = 4_000, 10
#: Targets to draw: the first number over (rows times squared columns), between the two others.
_CALIBRATED, _TABLES = 2e6, (5, 20)


def sampled_rows(problem, most, seed):
    """Labelled rows: all, or a stratified sample of `most`.

    Parameters
    ----------
    problem : sslrank.tabular.fits.problem.RankingProblem
    most : int
    seed : int

    Returns
    -------
    ndarray of int
    """
    labeled = problem.labeled
    if len(labeled) <= most:
        return labeled
    order = np.random.default_rng(derive_seed(seed, "tested rows")).permutation(labeled)
    order = order[np.argsort(problem.strata[order], kind="stable")]
    return np.sort(order[np.linspace(0, len(order) - 1, most).round().astype(np.intp)])


def related_features(problem, found_rows, work, *, seed=0):
    """Test which features are related to the target.

    Given groups, given times and equal rows shape the permutations. Where the rows only look like groups or a time
    series, the tests are repeated with permutations for that; their p-value is `guessed_p` of the result, which does
    not change.

    Parameters
    ----------
    problem : sslrank.tabular.fits.problem.RankingProblem
    found_rows : sslrank.tabular.trust.rows.RowFindings
    work : sslrank.tabular.fits.work.Work
        With a budget of time only as many permuted copies are made as it allows, at least five.
    seed : int

    Returns
    -------
    sslrank.tabular.trust.related.Related
    """
    rows = sampled_rows(problem, MAX_ROWS, seed)
    part = problem.rows(rows)
    data = part.features.occurring(), part.targets.occurring()
    blocks, guess = found_rows.blocks, found_rows.guess
    # many columns have as many shadows in fewer fits; near the threshold they are made as many as for others
    shadows = int(np.clip(_SHADOWS // max(part.X.shape[1], 1), _FEWEST_FITS, COUNT))
    found = find_related(
        *data,
        seed=seed,
        sample_weight=part.weights,
        **_kept_together(blocks, rows),
        shadows=shadows,
        most_shadows=None if work.seconds is None and shadows == COUNT else COUNT,
        run=partial(work.run, least=_FEWEST_SHADOWS),
    )
    found = replace(found, n_rows=len(rows), within=blocks.reason)
    if guess.kind:
        other = find_related(*data, seed=seed, sample_weight=part.weights, shadows=0, **_kept_together(guess, rows))
        found = replace(found, guessed_p=other.p_value)
    return found


def features_with_own_information(problem, related, blocks, named=None, *, seed=0):
    """Test which features say something about the target that the others do not.

    Where the tests show no related feature, none is named: each q-value is 1.

    Parameters
    ----------
    problem : sslrank.tabular.fits.problem.RankingProblem
    related : sslrank.tabular.trust.related.Related
    blocks : sslrank.tabular.trust.rows.Blocks
        Rows that belong together.
    named : ndarray of shape (D,), int, optional
        Features that a person wants tested as one, by a number that they share.
    seed : int

    Returns
    -------
    sslrank.tabular.trust.own_information.OwnInformation
    """
    rows = sampled_rows(problem, MAX_ROWS_OWN, seed)
    part = problem.rows(rows)
    found = own_information(
        part.features.occurring(),
        part.targets.occurring(),
        blocks=named,
        related=related.p_values,
        partners=np.argsort(related.p_values, kind="stable"),
        sample_weight=part.weights,
        groups=None if blocks.groups is None else blocks.groups[rows],
    )
    return found if related.is_more else replace(found, q_values=np.ones_like(found.q_values))


def numbered_blocks(blocks, names):
    """Number features so that those of a block share their number.

    Parameters
    ----------
    blocks : dict of str to sequence of str, or None
    names : list of str
        Features.

    Returns
    -------
    ndarray of shape (D,), int, or None
        None without blocks.

    Raises
    ------
    DataError
        If blocks are no dict of lists, one has a feature that the table does not have, or two have the same one.

    Examples
    --------
    >>> numbered_blocks({"size": ["width", "height"]}, ["age", "width", "height"])
    array([0, 1, 1])
    """
    if not blocks:
        return None
    check_blocks(blocks)
    place, found, seen = {name: j for j, name in enumerate(names)}, np.arange(len(names)), {}
    for block, members in blocks.items():
        for name in map(str, members):
            if name not in place:
                raise DataError(f"block {block!r}: the table has no feature {name!r}; {suggestion(name, names)}")
            if seen.setdefault(name, block) != block:
                raise DataError(f"feature {name!r} is in the blocks {seen[name]!r} and {block!r}; it can be in one")
        found[[place[str(name)] for name in members]] = place[str(members[0])] if len(members) else 0
    return found


def calibrated_tests(problem, related, own, blocks, work, *, seed=0):
    """Draw targets from a few known columns, and report how many of these the tests find.

    Parameters
    ----------
    problem, related, blocks, work, seed
        As for the tests.
    own : sslrank.tabular.trust.own_information.OwnInformation

    Returns
    -------
    sslrank.tabular.trust.calibration.Calibration or None
        None if the time was over too soon.
    """
    rows = sampled_rows(problem, MAX_ROWS_CALIBRATED, seed)
    part = problem.rows(rows)
    n, D = part.X.shape
    tables = int(np.clip(_CALIBRATED / (n * D**2), *_TABLES))
    data = part.features.occurring(), part.targets.occurring()
    return calibrate(
        *data, related, own, tables=tables, shadows=0, seed=seed, run=work.run,
        **_kept_together(blocks, rows),
    )  # fmt: skip


def _kept_together(blocks, rows):
    """The groups or the times of some rows, as keyword arguments of the tests."""
    return {} if not blocks.kind else {blocks.kind: blocks.values[rows]}
