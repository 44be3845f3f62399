"""SSL-Relief against a plain NumPy version, for every task and setting."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from sslrank.base import Features
from sslrank.relief.grid import grid_sums, remoteness, settings
from sslrank.relief.space import FeatureSpace
from sslrank.relief.ssl_relief import NEIGHBORS_GRID, WEIGHTS_GRID, SSLRelief
from sslrank.relief.target_space import target_space
from sslrank.targets import TASKS, encode_targets

spec = importlib.util.spec_from_file_location(
    "reference_relief", Path(__file__).parent / "reference_relief.py"
)
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

HIERARCHY = [[], [0], [0], [], [3, 1]]
GRID = settings(NEIGHBORS_GRID, WEIGHTS_GRID, WEIGHTS_GRID)


def problem(task, n=60, seed=0, kind="mixed", n_labeled=25):
    """Features, targets and the parameters of the estimator for random data of one task."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 6)) * [1, 10, 0.1, 1, 1, 1]
    n_categories = np.zeros(6, dtype=np.int32)
    if kind in ("mixed", "missing", "ties"):
        values[:, 3:5] = rng.integers(0, [2, 4], size=(n, 2))
        n_categories[3:5] = [2, 4]
    if kind == "ties":
        values[:, :3] = rng.integers(0, 3, size=(n, 3))
        values[:, 5] = 7.0
        values[n // 2 :] = values[: n - n // 2]
    if kind == "missing":
        values[rng.random(values.shape) < 0.15] = np.nan
        values[3] = np.nan
    signal = np.nan_to_num(values[:, 0]) + 0.3 * rng.normal(size=n)
    if task == "none":
        y = None
    elif task == "classification":
        y = np.digitize(signal, [-0.5, 0.5]).astype(float)
    elif task == "str":
        y = signal
    elif task == "mtr":
        y = np.column_stack([signal, signal**2, rng.normal(size=n)])
    else:
        y = (rng.random((n, 5)) < 0.4).astype(float)
        y[:, 0] = signal > 0
    if y is not None:
        y[rng.permutation(n)[n_labeled:]] = np.nan
        if y.ndim == 2:
            known = np.flatnonzero(~np.isnan(y).all(axis=1))
            y[known[0], 1] = y[known[1], 1] = y[known[2], 2] = np.nan  # single missing targets
    hierarchy = HIERARCHY if task == "hmlc" else None
    targets = encode_targets(y, n, task="auto" if task == "none" else task, hierarchy=hierarchy)
    params = {"task": "auto" if task == "none" else task, "hierarchy": hierarchy}
    params["categorical_features"] = np.flatnonzero(n_categories)
    return Features(values, n_categories), targets, y, params


@pytest.mark.parametrize("kind", ["numeric", "mixed", "missing", "ties"])
@pytest.mark.parametrize("task", [*TASKS, "none"])
def test_against_the_reference(task, kind):
    features, targets, y, params = problem(task, kind=kind)
    for k, w0, w1 in ((7, 0.0, 1.0), (15, 0.25, 0.75)):
        ranker = SSLRelief(k, w0, w1, **params).fit(features.values, y)
        expected = reference.importances(features, targets, k, w0, w1)
        np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("task", ["classification", "hmlc", "mtr"])
def test_each_of_the_45_settings_equals_its_separate_run(task):
    features, targets, y, params = problem(task, n=50, kind="missing")
    labeled = targets.labeled
    assert len(GRID) == 45
    space = FeatureSpace(features)
    group = np.where(labeled, 0, 1).astype(np.int32)
    found = space.neighbors(30, group=group, n_groups=2)
    t = remoteness(found.distance[:, 0, 0], labeled)
    sums = grid_sums(space, found, target_space(targets), labeled, t, group, -1, NEIGHBORS_GRID, None)
    for setting in GRID:
        single = SSLRelief(setting.n_neighbors, setting.w0, setting.w1, **params).fit(features.values, y)
        np.testing.assert_allclose(sums.importances(setting), single.feature_importances_, rtol=0, atol=1e-10)
    for setting in GRID[::11]:
        expected = reference.importances(features, targets, setting.n_neighbors, setting.w0, setting.w1)
        np.testing.assert_allclose(sums.importances(setting), expected, rtol=0, atol=1e-10)
