"""The shared trees of a forward step against trees that are grown anew for every candidate."""

import numpy as np
import pytest

from rankers.committee.test_cart import grow
from sslrank.rankers.committee import _cart
from sslrank.rankers.committee._forward import forward_step


def problem(n_rows=90, n_features=7, n_classes=2, levels=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)) if levels is None else rng.integers(0, levels, (n_rows, n_features))
    signal = X[:, 2] + X[:, 4] + 0.3 * rng.normal(size=n_rows)
    labels = np.searchsorted(np.quantile(signal, np.arange(1, n_classes) / n_classes), signal)
    folds = rng.integers(-1, 3, n_rows)
    return np.ascontiguousarray(X.T, dtype=np.float64), labels.astype(np.int32), folds.astype(np.int32)


def cross_validated(values, labels, folds, columns, seed, min_samples_split=2):
    errors = 0
    for fold in range(3):
        weights = ((folds >= 0) & (folds != fold)).astype(np.int32)
        tree = grow(values.T, labels, weights, seed + fold, columns, min_samples_split)
        test = np.flatnonzero(folds == fold).astype(np.int32)
        errors += int((tree.predict(test) != labels[test]).sum())
    return errors


def step(values, labels, folds, selected, candidates, seed=0, starts=None, n_folds=3, min_samples_split=2):
    starts = np.arange(len(values) + 1) if starts is None else starts
    return forward_step(
        values,
        _cart.sort_columns(values),
        np.array(selected, dtype=np.int32),
        np.array(candidates, dtype=np.int32),
        np.asarray(starts, dtype=np.int32),
        folds,
        n_folds,
        labels,
        4,
        seed,
        min_samples_split,
    )


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("levels", [None, 2, 5])
@pytest.mark.parametrize("least", [2, 10, 40])
def test_single_column_is_exact(n_classes, levels, least):
    values, labels, folds = problem(n_classes=n_classes, levels=levels)
    for f in range(len(values)):
        expected = cross_validated(values, labels, folds, [f], 0, least)
        assert step(values, labels, folds, [], [f], min_samples_split=least) == (f, expected)


@pytest.mark.parametrize("least", [2, 10])
def test_constant_or_duplicate_candidate_changes_nothing(least):
    values, labels, folds = problem()
    values[0], values[1] = 3.0, values[2]
    expected = cross_validated(values, labels, folds, [2], 0, least)
    assert step(values, labels, folds, [2], [0], min_samples_split=least) == (0, expected)
    assert step(values, labels, folds, [2], [1], min_samples_split=least) == (1, expected)


@pytest.mark.parametrize("levels", [None, 3])
def test_mean_error_matches_regrown_trees(levels):
    """Ties between columns are drawn from other random streams, so single runs differ."""
    values, labels, folds = problem(levels=levels, n_classes=3, seed=1)
    for selected, candidate in (([2], 4), ([4, 2, 0], 1), ([0, 1, 3], 2)):
        shared = [step(values, labels, folds, selected, [candidate], s)[1] for s in range(0, 4000, 10)]
        anew = [cross_validated(values, labels, folds, [*selected, candidate], s) for s in range(0, 4000, 10)]
        assert abs(np.mean(shared) - np.mean(anew)) < 5 * np.std(anew) / np.sqrt(len(anew)) + 0.1


def test_best_candidate_wins_with_ties_to_first():
    values, labels, folds = problem()
    best, errors = step(values, labels, folds, [2], [0, 1, 3, 4, 5])
    assert best == 4
    alone = {f: step(values, labels, folds, [2], [f])[1] for f in (0, 1, 3, 4, 5)}
    assert errors == min(alone.values()) == alone[4]
    values[5] = values[4]
    assert step(values, labels, folds, [2], [5, 4])[0] == 5
    assert step(values, labels, folds, [2], [4, 5])[0] == 4


def test_multi_column_features_join_together():
    values, labels, folds = problem()
    starts = [0, 2, 5, 7]  # feature 1 is columns 2, 3, 4: the two that matter are among them
    best, errors = step(values, labels, folds, [], [0, 1, 2], starts=starts)
    assert best == 1
    together = [cross_validated(values, labels, folds, [2, 3, 4], s) for s in range(20)]
    assert min(together) - 2 <= errors <= max(together) + 2


def test_empty_folds_are_accepted():
    values, labels, folds = problem()
    only = np.where(folds >= 0, 0, -1).astype(np.int32)
    assert step(values, labels, only, [2], [4, 5]) == (4, 0)  # nothing is ever trained, nothing is wrong
    two = np.where(folds == 2, 1, folds).astype(np.int32)
    assert step(values, labels, two, [2], [4, 5], n_folds=3)[0] == 4


def test_step_needs_candidates_and_rows():
    values, labels, folds = problem()
    with pytest.raises(ValueError, match="needs a candidate"):
        step(values, labels, folds, [2], [])
    with pytest.raises(ValueError, match="needs a candidate"):
        step(values, labels, np.full_like(folds, -1), [2], [1])
