"""The forest and the tree as estimators: conformance, edge cases, scores, choice of w, prediction."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from coded import target_of
from sslrank import PCT, PCTForestRanker, get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.metrics.single import auprc_micro, f1_macro, rrmse
from sslrank.rankers.trees import growing
from sslrank.rankers.trees._permutation import apply_values, permutation_score
from sslrank.rankers.trees.clustering import target_columns
from sslrank.rankers.trees.coding import encode_table
from sslrank.rankers.trees.growing import Bags, GrowthSettings, Problem, grow_forest
from sslrank.rankers.trees.supervision import best_level
from sslrank.testing import HIERARCHY

#: Only proportions of weights count, so the default smallest leaf of two rows is no leaf of two repeated rows.
SCALED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "weights have mean 1, see test_weight_of_two_equals_two_rows"
    for kind in ("dense", "sparse")
}


@parametrize_with_checks([PCT()], expected_failed_checks=lambda _: SCALED)
def test_pct_passes_scikit_learn_checks(estimator, check):
    check(estimator)


def make_data(task, n=120, seed=0, labeled=60):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 6))
    if task == "none":
        return X, None, {}
    y = target_of(task, X[:, :4] + 0.2 * random.normal(size=(n, 4)))
    y[random.permutation(n)[labeled:]] = np.nan
    return X, y, {"task": task, "hierarchy": HIERARCHY if task == "hierarchical" else None}


def fit_forest(task, n=120, labeled=60, **params):
    X, y, options = make_data(task, n, labeled=labeled)
    return PCTForestRanker(**options, **params).fit(X, y)


TASKS = ["classification", "regression", "multitarget", "multilabel", "hierarchical"]


@pytest.mark.parametrize("task", [*TASKS, "none"])
def test_bits_do_not_depend_on_threads(task, monkeypatch):
    monkeypatch.setattr(growing, "BATCH", 1)  # so that batches share a work space, more of them with one thread
    params = {"n_estimators": 12, "supervision": 0.5, "random_state": 3}
    one, two = (fit_forest(task, n_jobs=jobs, **params) for jobs in (1, 2))
    for name in one.importances_:
        np.testing.assert_array_equal(one.importances_[name], two.importances_[name])
    np.testing.assert_array_equal(one.target_importances_, two.target_importances_)


def oob_error(tree, values, rows, y, task):
    """Error of one tree by the measures of sslrank.evaluation."""
    predicted = tree.value[apply_values(tree, values)]
    if task == "classification":
        return f1_macro(y[rows].astype(int), predicted.argmax(axis=1))
    if task in ("regression", "multitarget"):
        return rrmse(y[rows], predicted)
    return auprc_micro(y[rows], predicted)


@pytest.mark.parametrize("task", TASKS)
def test_permutation_score_is_change_of_paper_measure(task):
    """Eq. (4) with one feature permuted alone, against slow code."""
    X, y, options = make_data(task, labeled=100)
    labeled = ~np.isnan(y.reshape(len(y), -1)).all(axis=1)
    # Two out-of-bag rows: the only permutation without a fixed point swaps them.
    oob = np.flatnonzero(labeled[70:])[:2].astype(np.int32) + 70
    if task == "multitarget":
        y[oob, 1] = 0.5  # nothing to explain, and predictions that differ
    features, targets = encode_features(X), encode_targets(y, len(X), **options)
    table = encode_table(features)
    settings = GrowthSettings(6, False, False, 2.0, 4.0, None, "all")
    problem = Problem(features, targets, table)
    tree = grow_forest(problem, np.arange(70), [0.8], settings, 1, 0, keep=True).trees[0][0]
    scores = permutation_score(tree, table, oob, labeled.astype(np.uint8), target_columns(targets), targets.task, 1)
    true = targets.values[:, 0] if task == "classification" else targets.values
    e = oob_error(tree, X[oob], oob, true, task)
    sign = 1 if task in ("regression", "multitarget") else -1
    for f in range(6):
        swapped = X[oob].copy()
        swapped[:, f] = swapped[::-1, f]
        permuted = oob_error(tree, swapped, oob, true, task)
        if np.isnan(e):
            assert scores[f] == 0
        else:
            assert scores[f] == pytest.approx(sign * (permuted - e) / (e if e > 0 else 1), abs=1e-9)


def test_joint_levels_equal_separate_levels():
    params = {"n_estimators": 3, "supervision": "cv", "random_state": 0}
    together = fit_forest("multitarget", cv_levels=[0.2, 0.5, 0.8], **params)
    for k, w in enumerate([0.2, 0.5, 0.8]):
        alone = fit_forest("multitarget", cv_levels=[w], **params)
        np.testing.assert_array_equal(alone.cv_results_["fold_scores"][0], together.cv_results_["fold_scores"][k])
    zero, one = fit_forest("regression", labeled=120, cv_levels=[0.0, 1.0], **params).cv_results_["mean_score"]
    assert one < zero - 0.1


def test_without_target_equals_w_zero():
    X, y, options = make_data("regression")
    clusters = PCTForestRanker(ensemble="extra_trees", n_estimators=5, random_state=0).fit(X)
    zero = PCTForestRanker(ensemble="extra_trees", n_estimators=5, random_state=0, supervision=0.0, **options).fit(X, y)
    assert clusters.supervision_ == 0
    assert np.array_equal(clusters.feature_importances_, zero.feature_importances_)
    with pytest.raises(ValueError, match="nothing to predict"):
        clusters.predict(X)
    with pytest.raises(ValueError, match="requires y to be passed"):
        get_ranker("ssl_permutation").fit(X)


@pytest.mark.parametrize("supervision", ["auto", "cv", 0.0, 0.5, 1.0])
def test_degenerate_data_are_accepted(supervision):
    random = np.random.default_rng(0)
    X = random.normal(size=(30, 4))
    X[:, 1] = 7.0
    X[:, 2] = np.nan
    one_class = np.where(np.arange(30) < 10, 0, -1)
    one_row = np.where(np.arange(30) < 1, 1.5, np.nan)
    constant = np.full((30, 2), 3.0)
    constant[:, 1] = np.nan
    for y, task in ((one_class, "classification"), (one_row, "regression"), (constant, "multitarget")):
        ranker = PCTForestRanker(n_estimators=3, supervision=supervision, task=task, random_state=0).fit(X, y)
        for scores in ranker.importances_.values():
            assert np.isfinite(scores).all()
            assert scores[1] == scores[2] == 0
        ranker.predict(X)
        if supervision == "auto" and task == "regression":  # one labelled row
            assert ranker.supervision_ == 1
    with pytest.raises(ValueError, match="at least one labelled row"):
        PCTForestRanker(supervised=True, task="regression").fit(X, np.full(30, np.nan))


def test_bootstrap_auto_follows_the_ensemble():
    X, y, options = make_data("regression")
    few = {"n_estimators": 2, "supervision": 0.5, **options}
    assert PCTForestRanker(**few).fit(X, y).bootstrap_
    plain = PCTForestRanker(ensemble="extra_trees", **few).fit(X, y)
    assert not plain.bootstrap_
    assert "random_forest" not in plain.importances_
    binary = (X > 0).astype(float)
    assert PCTForestRanker(ensemble="extra_trees", **few).fit(binary, y).bootstrap_
    asked = PCTForestRanker(ensemble="extra_trees", importance="random_forest", **few)
    assert asked.fit(X, y).bootstrap_


def test_data_frame_categories_are_nominal():
    random = np.random.default_rng(0)
    colors = random.choice(["red", "green", "blue", "grey"], 200)
    frame = pd.DataFrame({"noise": random.normal(size=200), "color": colors, "other": random.normal(size=200)})
    y = np.isin(colors, ["red", "blue"]).astype(float) + 0.1 * random.normal(size=200)
    y[150:] = np.nan
    frame.loc[5:15, "color"] = None
    ranker = PCTForestRanker(ensemble="bagging", supervision=0.8, n_estimators=10, random_state=0).fit(frame, y)
    assert list(ranker.feature_names_in_) == ["noise", "color", "other"]
    assert ranker.ranking_[1] == 1
    rows = frame.iloc[[0, 1, 2]].copy()
    rows["color"] = ["red", "green", "purple"]  # the last one was never seen
    predicted = ranker.predict(rows)
    assert predicted[0] > 0.7 > 0.3 > predicted[1]
    assert np.isfinite(predicted[2])
    assert ranker.get_feature_names_out().tolist() == ["color"]


@pytest.mark.parametrize("task", ["classification", "multilabel", "hierarchical"])
def test_predicted_probabilities_are_valid(task):
    X, y, options = make_data(task)
    ranker = PCTForestRanker(n_estimators=10, supervision=0.7, random_state=0, **options).fit(X, y)
    shares = ranker.predict_proba(X)
    assert (shares >= 0).all()
    assert (shares <= 1 + 1e-12).all()
    if task == "classification":
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        known = ~np.isnan(y)
        assert (ranker.predict(X)[known] == y[known]).mean() > 0.8
    if task == "hierarchical":
        for label, parents in enumerate(HIERARCHY):
            for parent in parents:
                assert (shares[:, label] <= shares[:, parent] + 1e-12).all()


def test_pct_has_scikit_learn_tree_attributes():
    X, y, options = make_data("regression")
    model = PCT(supervision=0.5, **options).fit(X, y)
    tree = model.tree_
    assert tree.node_count == len(tree.children_left) == len(tree.threshold) == 2 * model.get_n_leaves() - 1
    assert model.get_depth() == tree.depth.max()
    leaves = model.apply(X)
    assert (tree.children_left[leaves] == -1).all()
    np.testing.assert_allclose(model.predict(X), tree.value[leaves, 0])
    counts = np.bincount(leaves, minlength=tree.node_count)
    is_leaf = tree.children_left < 0
    assert (counts[is_leaf] == tree.weighted_n_node_samples[is_leaf]).all()
    assert tree.weighted_n_node_samples[is_leaf].min() >= 2
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict(X), model.predict(X))
    assert model.fit(X, y).tree_.node_count == tree.node_count


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("ensemble", ["random_forest", "extra_trees", "bagging"])
@pytest.mark.parametrize("supervision", ["cv", "oob"])
def test_best_level_is_chosen_by_forest_error(task, ensemble, supervision):
    params = {"ensemble": ensemble, "n_estimators": 12, "random_state": 3, "cv_levels": [0.3, 0.8]}
    ranker = fit_forest(task, supervision=supervision, **params)
    cv_results = ranker.cv_results_
    assert cv_results["fold_scores"].shape == (2, 1 if supervision == "oob" else 4)
    sign = -1 if cv_results["measure"] == "rrmse" else 1
    best = np.flatnonzero(sign * cv_results["mean_score"] == (sign * cv_results["mean_score"]).max())[-1]
    assert ranker.supervision_ == cv_results["supervision"][best] == [0.3, 0.8][best]
    # A fit with the chosen level is the same ranking: out of bag, the very forest that was judged.
    fixed = fit_forest(task, supervision=ranker.supervision_, bootstrap=ranker.bootstrap_, **params)
    np.testing.assert_array_equal(ranker.feature_importances_, fixed.feature_importances_)


def test_equally_good_levels_select_the_largest():
    assert best_level([0.0, 0.5, 1.0], np.array([2.0, 2.0, 1.0])) == 0.5
    assert best_level([0.0, 0.5, 1.0], np.full(3, np.nan)) == 0.0


@pytest.mark.parametrize("task", TASKS)
def test_unlabelled_rows_must_gain_one_standard_error(task):
    ranker = fit_forest(task, n_estimators=6, random_state=1, cv_levels=[0.0, 0.4, 1.0])
    cv_results = ranker.cv_results_
    assert cv_results["supervision"].tolist() == [0.4, 1.0]
    scores = cv_results["fold_scores"]
    assert scores.shape == (2, 12)
    gains = (scores[0] - scores[1]) * (-1 if cv_results["measure"] == "rrmse" else 1)
    gains = gains[~np.isnan(gains)]
    error = np.sqrt(gains.var(ddof=1) * (1 / len(gains) + 1 / 3))
    assert ranker.supervision_ == (0.4 if gains.mean() > error else 1.0)
    if ranker.supervision_ == 1:  # the labelled rows alone
        alone = fit_forest(task, n_estimators=6, random_state=1, supervised=True)
        np.testing.assert_array_equal(ranker.feature_importances_, alone.feature_importances_)


@pytest.mark.parametrize("bootstrap", [True, False])
def test_max_samples_limits_bags(bootstrap):
    labeled = np.arange(100) < 30
    for size, expected in ((100, (30, 70)), (50, (25, 25)), (80, (30, 50)), (5, (3, 2))):
        counts = Bags(np.arange(100), labeled, bootstrap, size).draw(7)
        assert (counts[labeled].sum(), counts[~labeled].sum()) == expected
        assert bootstrap or counts.max() == 1
    np.testing.assert_array_equal(
        Bags(np.arange(100), labeled, True, 100).draw(7), Bags(np.arange(100), labeled, True).draw(7)
    )


@pytest.mark.parametrize("ensemble", ["random_forest", "extra_trees", "bagging"])
def test_trees_use_max_samples_rows(ensemble):
    params = {"ensemble": ensemble, "n_estimators": 20, "random_state": 0}
    ranker = fit_forest("classification", 200, 120, max_samples=40, **params)
    assert all(tree.weighted_n_node_samples[0] == 40 for tree in ranker.estimators_)
    by_share = fit_forest("classification", 200, 120, max_samples=0.2, **params)
    np.testing.assert_array_equal(by_share.feature_importances_, ranker.feature_importances_)
    assert np.argmax(ranker.importances_["genie3"]) == 0


def test_permutation_score_samples_out_of_bag_rows(monkeypatch):
    X, y, options = make_data("classification", n=300, labeled=60)
    plain = PCTForestRanker(importance="random_forest", supervision=1.0, n_estimators=50, random_state=0, **options)
    importances = plain.fit(X, y).feature_importances_
    np.testing.assert_allclose(plain.target_importances_.sum(axis=1), plain.importances_["genie3"])
    monkeypatch.setattr(growing, "MOST_ROWS", 40)
    limited = plain.fit(X, y).feature_importances_
    assert not np.array_equal(importances, limited)
    assert np.argmax(limited) == 0


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_weight_of_two_equals_two_rows(task):
    """Each row is repeated by its weight, so minimum leaf sizes are scaled by the mean weight."""
    rng = np.random.default_rng(6)
    X, weights = rng.normal(size=(150, 5)), rng.integers(1, 4, 150)
    y = X[:, 0] + 0.5 * X[:, 3] + rng.normal(0, 0.5, 150)
    y = (y > 0).astype(int) if task == "classification" else y
    rows, mean = np.repeat(np.arange(150), weights), weights.mean()
    few = {"max_depth": 3, "supervision": 1.0}
    weighted = PCT(**few, min_samples_leaf=5).fit(X, y, sample_weight=weights)
    scale = {"min_samples_leaf": 5 * mean, "min_labeled_split": 4 * mean}
    repeated = PCT(**few, **scale).fit(X[rows], y[rows])
    np.testing.assert_array_equal(weighted.tree_.feature, repeated.tree_.feature)
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-4)


def test_equally_good_features_share_importance_in_random_forests_only():
    """Section 4.2 of ssl-ranking expects the same importance of both by every ensemble."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = np.column_stack([y, 1 - y, rng.integers(0, 2, 400)]).astype(float)
    found = {}
    for ensemble in ("random_forest", "bagging", "extra_trees"):
        ranker = get_ranker("genie3", ensemble=ensemble, supervised=True, n_estimators=200, random_state=0)
        importances = ranker.fit(X, y).feature_importances_
        found[ensemble] = importances / importances.sum()
    assert abs(found["random_forest"][0] - found["random_forest"][1]) < 0.1
    assert found["random_forest"][2] < 0.01
    for ensemble in ("bagging", "extra_trees"):
        assert found[ensemble].tolist() == [1.0, 0.0, 0.0]


def test_extra_trees_of_binary_features_are_identical_without_bootstrap():
    """A binary feature has one possible split, so random splits have no effect (ssl-ranking, section 3.2)."""
    X, y, _ = make_data("regression")
    settings = {"ensemble": "extra_trees", "max_features": "all", "n_estimators": 1, "supervision": 1.0}
    forests = {
        (name, seed): PCTForestRanker(random_state=seed, bootstrap=False, **settings).fit(features, y)
        for name, features in (("binary", (X > 0).astype(float)), ("numeric", X))
        for seed in (0, 1)
    }
    found = {key: forest.feature_importances_ for key, forest in forests.items()}
    np.testing.assert_array_equal(found["binary", 0], found["binary", 1])
    assert not np.array_equal(found["numeric", 0], found["numeric", 1])


def test_predict_keeps_the_array_of_the_caller():
    X = np.array([[0.0, 5.0], [1.0, 7.0], [0.0, 7.0], [1.0, 5.0]] * 5)
    forest = PCTForestRanker(categorical_features=[1], n_estimators=2, random_state=0).fit(X, X[:, 0] > 0)
    given = X.copy()
    forest.predict(given)
    np.testing.assert_array_equal(given, X)


def test_label_with_probability_one_half_is_predicted():
    Y = np.array([[0.0, 1.0], [1.0, 1.0]] * 4)
    tree = PCT(task="multilabel", random_state=0).fit(np.zeros((8, 1)), Y)
    np.testing.assert_array_equal(tree.predict(np.zeros((1, 1))), [[1.0, 1.0]])
