"""What is exchanged under the null hypothesis, and what is removed."""

from math import comb, log

import numpy as np
import pytest

from coded import classes, features_of, numbers
from sslrank.core.errors import DataError
from sslrank.core.null_model import NullModel
from sslrank.hypothesis_tests.design import Design, design_of
from sslrank.hypothesis_tests.marginal import MarginalTests
from sslrank.hypothesis_tests.permutations import Permutations
from sslrank.hypothesis_tests.related import find_related


def permutations_of(y, count=200, codes=None, columns=None, **declared):
    y = np.asarray(y, dtype=float).reshape(len(y), -1)
    return Permutations(design_of(y, **declared), y - y.mean(axis=0), columns, count=count, codes=codes)


def rows_of(n, count, codes=None, **declared):
    unit = "groups" if "groups" in declared else "times" if "time" in declared else "rows"
    return Permutations(Design(unit=unit, **declared), np.zeros((n, 1)), count=count, codes=codes).rows


def test_permutations_keep_groups_and_time_order():
    groups = np.array([3, 3, 1, 1, 1, 3, 7, 7, 7])
    for rows in rows_of(9, 20, groups=groups):
        assert all(len(set(groups[rows[groups == group]])) == 1 for group in (1, 3, 7))
        assert sorted(rows) == list(range(9))  # all groups have as many rows
    pairs, single = (rows_of(4, 100, groups=np.array(groups)) for groups in ([0, 0, 1, 1], [0, 1, 2, 3]))
    assert [len({tuple(rows) for rows in found}) for found in (pairs, single)] == [2 * 2 * 2, 4 * 3 * 2]
    time = np.arange(20)[::-1]
    shifts = rows_of(20, 50, time=time)
    assert len({tuple(rows) for rows in shifts}) == len(shifts) == 20
    assert all(set(np.diff(rows) % 20) == {1} for rows in shifts)
    for options in ({}, {"groups": groups}, {"time": groups, "groups": np.arange(9) % 3}):
        assert rows_of(9, 5, **options)[0].tolist() == list(range(9))


def test_small_sets_of_permutations_are_enumerated():
    y = np.array([0, 1, 1, 0, 1, 0])
    rows = rows_of(6, 100, codes=y)
    assert len({tuple(y[row]) for row in rows}) == len(rows) == comb(6, 3)
    assert rows[0].tolist() == list(range(6))
    assert len(rows_of(6, 19, codes=y)) == 19
    x = np.random.default_rng(0).normal(size=(6, 1))
    found = MarginalTests(features_of(np.hstack([x, x**3])), classes(y))()
    assert found.adjusted.min() * 20 == pytest.approx(round(found.adjusted.min() * 20))


@pytest.mark.parametrize(("n_rows", "most_apart"), [(240, 0), (190, 0.6)])
def test_whole_groups_of_a_panel_are_exchanged_at_the_same_time(n_rows, most_apart):
    """Or nearly, in a panel with gaps."""
    shops, weeks = np.divmod(np.random.default_rng(0).permutation(240)[:n_rows], 8)
    rng = np.random.default_rng(1)
    permutations = permutations_of(rng.normal(size=n_rows), groups=shops, time=weeks)
    assert permutations.rows[0].tolist() == list(range(n_rows))
    for rows in permutations.rows[:10]:
        assert abs(weeks[rows] - weeks).mean() <= most_apart
        assert len(set(zip(shops, shops[rows], strict=True))) == 30
    assert permutations.removed.shape[1] == 7
    sentence = "Permutations exchange the 30 groups as a whole, with the mean of each time removed."
    assert permutations.sentence == sentence
    means = rng.normal(size=8)[weeks][:, None]
    assert abs(permutations.residuals(means - means.mean())).max() < 1e-9


@pytest.mark.parametrize(("n_times", "verb"), [(12, "exchange the 12 times as a whole"), (40, "shift rows in the")])
def test_whole_times_of_a_panel_keep_their_group(n_times, verb):
    shops, weeks = np.repeat(np.arange(4), n_times), np.tile(np.arange(n_times), 4)
    permutations = permutations_of(np.random.default_rng(0).normal(size=4 * n_times), groups=shops, time=weeks)
    for rows in permutations.rows[:10]:
        assert (shops[rows] == shops).all()
        assert len(set(zip(weeks, weeks[rows], strict=True))) == n_times
    assert verb in permutations.sentence
    assert "the mean of each group" in permutations.sentence
    smallest_p = 1 / n_times if n_times == 40 else np.exp(-sum(map(log, range(1, 13))))
    assert permutations.smallest_p == pytest.approx(smallest_p)


def test_exchanged_groups_of_different_sizes_keep_mean_and_length():
    groups = np.repeat(np.arange(6), [1, 1, 2, 3, 5, 8])
    y = np.random.default_rng(0).normal(size=20)
    permutations = permutations_of(y, groups=groups)
    permuted = permutations.permuted((y - y.mean())[:, None] / np.linalg.norm(y - y.mean()))[:, :, 0]
    np.testing.assert_allclose([permuted.sum(axis=0), np.square(permuted).sum(axis=0) - 1], 0, atol=1e-9)


def test_the_target_decides_what_of_a_panel_is_exchanged():
    shops, weeks = np.repeat(np.arange(30), 8), np.tile(np.arange(8), 30)
    rng = np.random.default_rng(0)
    units = [design_of(y[:, None], groups=shops, time=weeks).unit
             for y in (rng.normal(size=240), rng.normal(size=30)[shops], rng.normal(size=8)[weeks])]  # fmt: skip
    assert units == ["groups", "groups", "times"]


def test_rows_are_exchanged_inside_strata():
    centre = np.random.default_rng(0).integers(0, 4, 60)
    y = 3.0 * centre + np.random.default_rng(1).normal(size=60)
    permutations = permutations_of(y, strata=centre)
    assert all((centre[rows] == centre).all() for rows in permutations.rows)
    assert permutations.removed.shape[1] == 3
    assert permutations.sentence == "Permutations exchange rows within 4 strata."
    x = centre[:, None] + np.random.default_rng(2).normal(size=(60, 6))
    assert find_related(features_of(x), numbers(y)).any_related
    assert not find_related(features_of(x), numbers(y), design=Design(strata=centre)).any_related


def test_permuted_targets_are_free_of_what_is_removed():
    rng = np.random.default_rng(0)
    Z, Y = rng.normal(size=(40, 12)), np.linalg.svd(rng.normal(size=(40, 3)), full_matrices=False)[0]
    Y -= Y.mean(axis=0)
    permutations = permutations_of(Y, columns=Z)
    Y = permutations.residuals(Y)
    found = permutations.permuted(Y)
    x = permutations.residuals((z := rng.normal(size=(40, 1))) - z.mean())
    b = 17
    left = Y[permutations.rows[b]]
    left = left - permutations.removed @ (permutations.removed.T @ left)
    expected = ((np.linalg.qr(left)[0].T @ x) ** 2).sum()
    assert ((found[:, b].T @ x) ** 2).sum() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ({"time": np.arange(60) % 6}, "60 labelled rows have 6 times"),
        ({"time": np.arange(60) % 3, "groups": np.arange(60) // 3 % 4}, "4 groups at 3 times: at least 5 groups"),
        ({"time": np.arange(60), "strata": np.arange(60) % 2}, "strata and time are both given"),
        ({"groups": np.arange(60) // 3, "strata": np.arange(60) % 3}, "a group has rows of several strata"),
        ({"strata": np.arange(60)}, "no stratum has two rows"),
    ],
)
def test_designs_without_an_exchange_are_refused(declared, problem):
    with pytest.raises(DataError, match=problem):
        design_of(np.random.default_rng(0).normal(size=(60, 1)), **declared)
    if problem.startswith("60"):
        assert design_of(np.zeros((60, 1)), time=declared["time"], groups="none").unit == "times"


def test_adjusting_for_many_columns_keeps_the_level():
    shown = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        Z = rng.normal(size=(60, 30))
        y = Z @ rng.normal(size=30) + rng.normal(size=60)
        y = y - np.column_stack([np.ones(60), Z]) @ np.linalg.lstsq(np.column_stack([np.ones(60), Z]), y)[0]
        targets = numbers(y)
        object.__setattr__(targets, "null", NullModel(Z, ranked=True))
        shown += find_related(features_of(rng.normal(size=(60, 15))), targets, seed=seed, count=200).any_related
    assert shown <= 7
