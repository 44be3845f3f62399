"""SSL-Relief against a plain NumPy version, for every task and setting."""

import itertools

import numpy as np
import pytest

from coded import target_of
from references import relief as reference
from sslrank.core.features import Features
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.core.tasks import TASKS
from sslrank.metrics.single import measure_for
from sslrank.models.knn import knn_predict
from sslrank.rankers.relief import target_space as target_space_module
from sslrank.rankers.relief.grid import settings
from sslrank.rankers.relief.held_out import HeldOutScorer
from sslrank.rankers.relief.space import TIE, FeatureSpace, Neighbors
from sslrank.rankers.relief.ssl_relief import AUTO_GRID, NEIGHBORS_GRID, WEIGHTS_GRID, SSLRelief
from sslrank.rankers.relief.target_space import hierarchy_scale
from sslrank.testing import HIERARCHY

GRID = settings(NEIGHBORS_GRID, WEIGHTS_GRID, WEIGHTS_GRID)


def problem(task, n=60, seed=0, kind="mixed", n_labeled=25):
    """Features, targets and the parameters of the estimator for random data of one task."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 6)) * [1, 10, 0.1, 1, 1, 1]
    n_categories = np.zeros(6, dtype=np.int32)
    if kind != "numeric":
        values[:, 3:5] = rng.integers(0, [70, 120] if kind == "words" else [2, 4], size=(n, 2))
    if kind == "ties":
        values[:, :3] = rng.integers(0, 3, size=(n, 3))
        values[:, 5] = 7.0
        values[n // 2 :] = values[: n - n // 2]
    if kind == "missing":
        values[rng.random(values.shape) < 0.15] = np.nan
        values[3] = np.nan
    for j in (3, 4) if kind != "numeric" else ():  # the ranker counts the categories that occur
        known = ~np.isnan(values[:, j])
        categories, values[known, j] = np.unique(values[known, j], return_inverse=True)
        n_categories[j] = len(categories)
    y = None
    if task != "none":
        signal = np.nan_to_num(values[:, [0, 1, 2, 5]]) / [1, 10, 0.1, 1] + 0.3 * rng.normal(size=(n, 4))
        y = target_of(task, signal)
        y[rng.permutation(n)[n_labeled:]] = np.nan
        if y.ndim == 2:
            known = np.flatnonzero(~np.isnan(y).all(axis=1))
            y[known[0], 1] = y[known[1], 1] = y[known[2], 2] = np.nan  # single missing targets
    params = {"task": "auto" if task == "none" else task, "hierarchy": HIERARCHY if task == "hierarchical" else None}
    targets = encode_targets(y, n, **params)
    params["categorical_features"] = np.flatnonzero(n_categories)
    return Features(values, n_categories), targets, y, params


def fit(task, n=60, kind="mixed", n_labeled=25, **params):
    features, targets, y, given = problem(task, n, kind=kind, n_labeled=n_labeled)
    return SSLRelief(**given, **params).fit(features.values, y), features, targets, y


SIMPLER = ["classification", "multitarget"]
#: Each task with two kinds of data and each kind with three tasks; all pairs in the long run.
PAIRS = [
    pytest.param(task, kind, marks=[] if (i + j) % 2 else [pytest.mark.exhaustive])
    for i, task in enumerate([*TASKS, "none"])
    for j, kind in enumerate(["numeric", "mixed", "missing", "ties", "words"])
]


@pytest.mark.parametrize(("task", "kind"), PAIRS)
def test_scores_equal_plain_reference(task, kind):
    for n, k, w0, w1 in ((60, 7, 0.0, 1.0), (40, 15, 0.25, 0.75), (12, 30, 0.0, 0.5), (9, 1, 1.0, 1.0)):
        ranker, features, targets, _ = fit(task, n, kind, n // 2, n_neighbors=k, w0=w0, w1=w1)
        expected = reference.importances(features, targets, k, w0, w1)
        np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-10)


def test_without_labels_relief_is_unsupervised():
    unlabeled, _, _, y = fit("regression", n_labeled=0)
    without, *_ = fit("none")
    assert np.isnan(y).all()
    assert unlabeled.cv_results_ is None
    assert unlabeled.n_neighbors_ == 15
    np.testing.assert_array_equal(unlabeled.feature_importances_, without.feature_importances_)


@pytest.mark.parametrize("n_labeled", [1, 2, 3])
@pytest.mark.parametrize("task", TASKS)
def test_few_labelled_rows_are_accepted(task, n_labeled):
    least = 1 if task in ("classification", "regression") else 3
    ranker, features, targets, _ = fit(task, n_labeled=max(n_labeled, least))
    assert np.isfinite(ranker.feature_importances_).all()
    if targets.labeled.sum() == 1:
        assert (ranker.n_neighbors_, ranker.w0_, ranker.w1_) == (15, 0.0, 1.0)
        expected = reference.importances(features, targets, 15, 0.0, 1.0)
        np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-10)


def test_equidistant_unlabelled_rows_have_mean_weight():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    y = np.array([0.3, np.nan, np.nan, 0.7])
    features = Features(X, np.zeros(2, dtype=np.int32))
    ranker = SSLRelief(n_neighbors=2, w0=0.2, w1=0.6, task="regression").fit(X, y)
    expected = reference.importances(features, encode_targets(y, 4, task="regression"), 2, 0.2, 0.6)
    np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-12)


def test_single_class_is_accepted():
    X = np.random.default_rng(0).normal(size=(30, 3))
    importances = SSLRelief(n_neighbors=5).fit(X, np.zeros(30, dtype=int)).feature_importances_
    assert (importances < 0).all()  # only the second term is left
    y = np.where(np.arange(30) < 10, 0, -1)
    assert np.isfinite(SSLRelief().fit(X, y).feature_importances_).all()


def test_extreme_values_do_not_overflow():
    X = np.random.default_rng(0).normal(size=(30, 3))
    X[:, 1] *= 1e307
    X[:2, 1] = 1.7e308, -1.7e308
    X[:, 2] *= 5e-300
    y = np.where(X[:, 0] > 0, 1.6e308, -1.6e308)
    y[::3] = np.nan
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn adds up X to look for infinity
        ranker = SSLRelief(n_neighbors=5, w0=0.0, w1=1.0, task="regression").fit(X, y)
    assert np.isfinite(ranker.feature_importances_).all()


def test_equal_sums_are_ties_despite_rounding():
    """0.1 + 0.2 and 0.3 + 0 differ in floating point."""
    X = np.zeros((40, 3))
    X[0] = 1.0
    X[10, 0] = 0.3
    X[20, :2] = 0.1, 0.2
    X[5] = 0.9
    space = FeatureSpace(Features(X, np.zeros(3, dtype=np.int32)))
    assert space.counts.tolist() == [1, 36, 1, 1, 1]
    found = space.neighbors(2, queries=[1])  # the point of the zeros itself and one of two others
    assert found.start.tolist() == [0, 3]
    assert space.first[found.index].tolist() == [1, 10, 20]


@pytest.mark.parametrize(("n", "n_columns", "levels"), [(700, 3, 5), (500, 40, 0), (300, 900, 0), (300, 900, 2)])
def test_neighbours_use_float64_distances(n, n_columns, levels):
    rng = np.random.default_rng(n)
    X = rng.integers(0, levels, size=(n, n_columns)) if levels else 1e3 + 1e-3 * rng.random((n, n_columns))
    space = FeatureSpace(Features(X.astype(np.float64), np.zeros(n_columns, dtype=np.int32)))
    np.testing.assert_array_equal(space.members[1], np.lexsort([np.arange(n), space.point]))
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    distance = reference.rounded(np.array([np.abs(scaled - row).mean(axis=1) for row in scaled]))
    np.fill_diagonal(distance, np.inf)
    distance = distance[np.ix_(space.first, space.first)]
    np.fill_diagonal(distance, np.where(space.counts > 1, 0.0, np.inf))
    found = space.neighbors(20)
    last = np.sort(distance, axis=1)[:, 19:20]
    near = np.zeros(distance.shape, dtype=bool)
    near[found.owner, found.index] = True
    np.testing.assert_array_equal(near, distance <= last + TIE)
    np.testing.assert_allclose(found.distance, distance[found.owner, found.index], atol=2e-12)
    assert all(np.diff(found.distance[a:b]).min() >= -TIE for a, b in itertools.pairwise(found.start))


def test_rows_can_be_sampled():
    params = {"n_neighbors": 10, "w0": 0.0, "w1": 1.0, "random_state": 5}
    first, features, targets, _ = fit("regression", n_iterations=20, **params)
    again = fit("regression", n_iterations=20, n_jobs=2, **params)[0]
    np.testing.assert_array_equal(first.feature_importances_, again.feature_importances_)
    assert first.n_iterations_ == 20
    rows = np.random.default_rng(derive_seed(5, "relief", "rows")).permutation(60)[:20]
    expected = reference.importances(features, targets, 10, 0.0, 1.0, rows=rows)
    np.testing.assert_allclose(first.feature_importances_, expected, rtol=0, atol=1e-10)
    assert fit("regression", n_iterations=10**6, **params)[0].n_iterations_ == 60
    assert np.isfinite(fit("regression", n_iterations=7, random_state=1)[0].feature_importances_).all()


@pytest.mark.parametrize("cv", [4, 2])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_cross_validation_equals_separate_fits(task, cv, monkeypatch):
    """Unlabelled rows span the ranges here, so that a fit on the training rows alone scales alike.

    With two folds the labelled rows are close together: without a fold, their first neighbours are not enough.
    """
    rng = np.random.default_rng(8)
    X = rng.random((90, 4))
    if cv == 2:
        X[50:] = 0.55 + 0.1 * X[50:]
    X[0], X[1] = 0.0, 1.0
    y = X[:, 0] + 0.2 * rng.random(90)
    if task == "classification":
        y = (y > 0.6).astype(float)
    y[:50] = np.nan
    lengthened = []
    replaced = Neighbors.replaced
    monkeypatch.setattr(Neighbors, "replaced", lambda *a: lengthened.append(1) or replaced(*a))
    ranker = SSLRelief(task=task, w0="cv", w1="cv", random_state=4, scoring_neighbors=5, cv=cv).fit(X, y)
    assert len(ranker.cv_results_["score"]) == 45
    targets = encode_targets(y, 90, task=task)
    labeled = targets.labeled
    group, n_folds = ranker._folds(labeled, derive_seed(4, "relief", "folds"))
    assert np.bincount(group[labeled]).tolist() == [40 // cv] * cv
    assert bool(lengthened) == (cv == 2)
    features = Features(X, np.zeros(4, dtype=np.int32))
    measure = measure_for(task)
    expected = np.zeros(45)

    def fixed(setting):
        return SSLRelief(n_neighbors=setting.n_neighbors, w0=setting.w0, w1=setting.w1, task=task)

    for fold in range(n_folds):
        train = np.flatnonzero(group != fold)
        test = np.flatnonzero(group == fold)
        for i, setting in list(enumerate(GRID))[::4]:
            weights = fixed(setting).fit(X[train], y[train]).feature_importances_
            shares = knn_predict(features.rows(train), targets.rows(train), features.rows(test), weights, 5)
            expected[i] += measure.sign * measure(targets.rows(test), shares) / cv
    np.testing.assert_allclose(ranker.cv_results_["score"][::4], expected[::4], rtol=0, atol=1e-9)
    best = GRID[int(np.argmax(ranker.cv_results_["score"]))]
    assert (ranker.n_neighbors_, ranker.w0_, ranker.w1_) == (best.n_neighbors, best.w0, best.w1)
    chosen = fixed(best).fit(X, y).feature_importances_
    np.testing.assert_allclose(ranker.feature_importances_, chosen, rtol=0, atol=1e-12)


@pytest.mark.parametrize("task", ["classification", "regression", "multilabel"])
def test_auto_ignores_unhelpful_unlabelled_rows(task):
    found, alone = (fit(task, kind="missing", random_state=3, supervised=only)[0] for only in (False, True))
    assert not found.uses_unlabeled_
    np.testing.assert_array_equal(found.feature_importances_, alone.feature_importances_)


def test_auto_uses_unlabelled_rows_better_by_one_se(monkeypatch):
    X = np.random.default_rng(0).normal(size=(60, 4))
    y = np.where(np.arange(60) < 24, X[:, 1] > 0, -1).astype(int)
    calls = []

    def auto(gain):
        """The choice where the eighth of the vectors that a fold judges is better than the others by `gain(fold)`."""

        def scores(self, vectors, n_jobs=None):
            calls.append(1)
            found = np.zeros(len(vectors))
            if len(vectors) > 7:  # not the choice of k by the labelled rows
                found[7] = gain(len(calls))
            return found

        monkeypatch.setattr(HeldOutScorer, "scores", scores)
        return SSLRelief(random_state=0).fit(X, y)

    found = auto(lambda fold: 0.1 + 0.01 * (fold % 3))
    best = settings(NEIGHBORS_GRID, AUTO_GRID, AUTO_GRID)[7]
    assert len(calls) == 12
    assert found.uses_unlabeled_
    assert (found.n_neighbors_, found.w0_, found.w1_) == (best.n_neighbors, best.w0, best.w1)
    fixed = SSLRelief(n_neighbors=best.n_neighbors, w0=best.w0, w1=best.w1).fit(X, y)
    np.testing.assert_array_equal(found.feature_importances_, fixed.feature_importances_)
    # A mean gain of 0.02 with a standard error of 0.12
    assert not auto(lambda fold: 0.1 if fold % 5 else -0.4).uses_unlabeled_


def test_fixed_values_reduce_the_grid():
    ranker = fit("regression", n_neighbors=9, w1=0.5)[0]
    assert set(ranker.cv_results_["n_neighbors"]) == {9}
    assert set(ranker.cv_results_["w1"]) == {0.5}
    assert set(ranker.cv_results_["w0"]) == {0.0, 0.25, 0.5}
    assert set(fit("regression", w0=0.75)[0].cv_results_["w1"]) == {0.75, 1.0}
    assert len(fit("regression", n_labeled=60)[0].cv_results_["score"]) == 3  # weights do not matter


def test_equally_good_settings_select_widest_interval():
    """Two labelled rows of one class: every prediction is right."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    ranker = SSLRelief(w0="cv", random_state=0).fit(X, np.where(np.arange(40) < 2, 1, -1))
    assert set(ranker.cv_results_["score"]) == {1.0}
    assert (ranker.n_neighbors_, ranker.w0_, ranker.w1_) == (15, 0.0, 1.0)


def test_scale_of_a_hierarchy_uses_every_label_set(monkeypatch):
    rng = np.random.default_rng(0)
    labels, weights = rng.integers(0, 2, (40, 7)).astype(float), rng.random(7)
    largest = max((np.abs(a - b) * weights).sum() for a in labels for b in labels)
    monkeypatch.setattr(target_space_module, "LABEL_SETS", 3)
    assert hierarchy_scale(labels, weights) == pytest.approx(1 / largest)
