"""Rankings of one table: what is found, how sure it is, and how many features are enough."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import roc_auc_score

import sslrank
from sslrank.core.errors import DataError
from sslrank.tabular import ranking as ranking_module
from sslrank.tabular.fits import fitting as fitting_module
from sslrank.tabular.fits import work as work_module
from sslrank.tabular.fits.methods import choose_methods
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.output.html import document
from sslrank.tabular.ranking import rank_own_table
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.trust.stability import evaluation
from sslrank.tabular.trust.stability.feature_curve import suggest_number

FAST = ("information_gain", "f_score")
#: Nothing but the ranking of all rows.
PLAIN = {"effort": "order"}


def problem(task, n=60, d=8, seed=0):
    """Features 0 and 1 decide; two thirds of the rows are unlabelled."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    z = 2 * X[:, 0] + X[:, 1]
    both = np.column_stack([z, z - X[:, 1]])
    y = {"classification": (z > 0).astype(float), "regression": z, "multitarget": both}.get(task, 1.0 * (both > 0))
    y[n // 3 :] = np.nan
    return X, y


@pytest.mark.parametrize("task", ["classification", "multilabel", "hierarchical", "regression", "multitarget"])
def test_default_methods_find_relevant_features(task):
    X, y = problem(task)
    result = sslrank.rank(X, y, task=task, hierarchy=[[], []] if task == "hierarchical" else None, **PLAIN)
    assert result.to_frame()["feature"][0] == "x1"
    assert not result.failures
    assert list(result.ranks) == ["genie3", "l1"]
    assert (result.by_target is not None) == (task in ("multilabel", "hierarchical", "multitarget"))


def test_effects_of_dependent_rows_have_no_interval():
    X, y = problem("classification")
    alone, grouped = (sslrank.rank(X, y, groups=groups, **PLAIN).effects for groups in (None, np.arange(60) // 3))
    assert alone[["low", "high"]].notna().all(axis=None)
    assert grouped[["low", "high"]].isna().all(axis=None)
    assert alone["effect"].equals(grouped["effect"])


#: Columns of effects for one standard deviation.
MODEL = {"classification": ("odds_ratio", "odds_low", "odds_high"), "regression": ("slope", "slope_low", "slope_high")}


@pytest.mark.parametrize("task", ["classification", "regression", "multilabel"])
def test_results_are_complete_for_each_task(task):
    X, y = problem(task, n=120)
    result = sslrank.rank(X, y, methods=["f_score"], repeats=5, task=task)
    found = result.to_dict()
    assert found["tests"]["any_related"]
    assert "x1" in found["tests"]["related"]
    assert "x1" in found["adding"]
    assert found["tests"]["smallest_effect"][0] == ("r" if task == "regression" else "AUC")
    assert found["curve"]["enough"] <= found["curve"]["best"] <= found["curve"]["upper"]
    assert [check["code"] for check in found["checks"]] == [f"C{i:02d}" for i in range(1, 17) if i not in (9, 10, 12)]
    assert found["unlabeled"]["used"] == []
    frame = result.to_frame()
    assert frame.loc[frame["low"].notna(), "feature"].tolist() == frame["feature"][: len(result.tests.related)].tolist()
    assert list(frame) == [
        "feature", "rank", "mean_rank", "low", "high", "selected", "p", "q", "conditional_p", "conditional_q",
        "copy_of", "together_with", "kind", "direction", "effect", "effect_low", "effect_high", "effect_measure",
        "effect_of", *MODEL.get(task, ()), "alone_q", "ends", "given", "rank:f_score", "importance:f_score",
    ]  # fmt: skip


def test_same_seed_gives_same_bits_for_any_n_jobs(monkeypatch):
    monkeypatch.setattr(work_module, "_MIN_SECONDS_PER_PROCESS", 1e-9)  # also for so little work
    X, y = problem("classification")
    options = {"methods": FAST, "repeats": 2}
    one, two = (sslrank.rank(X, y, random_state=1, n_jobs=jobs, **options) for jobs in (1, 2))
    other = sslrank.rank(X, y, random_state=2, n_jobs=1, curve=False, **options | {"repeats": 0})
    pd.testing.assert_frame_equal(one.to_frame(), two.to_frame(), check_exact=True)
    pd.testing.assert_frame_equal(one.curve.table, two.curve.table, check_exact=True)
    assert one.tests.p_value == two.tests.p_value
    assert not one.to_frame()["p"].equals(other.to_frame()["p"])


def test_table_of_features_is_in_the_order_of_the_ranking():
    found = sslrank.rank(np.random.default_rng(0).normal(size=(6, 3)), np.arange(6) % 2, methods="f_score", **PLAIN)
    importances = {"a": np.array([3.0, 2.0, 1.0]), "b": np.array([1.0, 1.0, 5.0])}
    ranks = {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([2.5, 2.5, 1.0])}
    result = replace(found, importances=importances, ranks=ranks, order=np.array([0, 2, 1]), n_enough=2)
    frame = result.to_frame()
    assert frame["feature"].tolist() == ["x1", "x3", "x2"]
    assert frame["mean_rank"].tolist() == [1.75, 2.0, 2.25]
    assert frame["rank:b"].tolist() == [2.5, 1.0, 2.5]
    assert frame[["low", "high", "selected", "conditional_p", "conditional_q"]].isna().all(axis=None)
    assert (result.rank_of.tolist(), result.best()) == ([1, 3, 2], ["x1", "x3"])


def test_number_of_features_without_a_curve():
    assert suggest_number(None, 3, 5) == (3, "related to the target")
    assert suggest_number(None, 0, 5)[0] == 5


def test_failed_curve_is_noted(monkeypatch):
    def fail(*_, **__):
        raise ValueError("no way")

    monkeypatch.setattr(evaluation, "feature_curve", fail)
    said = []
    X, y = problem("classification")
    settings = RankingSettings(methods="information_gain", repeats=0)
    rank_own_table(own_table(X, y), settings, log=said.append)
    assert said[-1] == "note: how many features are enough cannot be estimated: no way"


def test_failed_method_is_reported_and_others_continue(monkeypatch):
    X, y = problem("classification")
    real = fitting_module.fit

    def fail(method, *others):
        if method.name == "f_score":
            raise ValueError("no way")
        return real(method, *others)

    monkeypatch.setattr(fitting_module, "fit", fail)
    result = sslrank.rank(X, y, methods=FAST, **PLAIN)
    assert result.failures == {"f_score": "no way"}
    assert list(result.ranks) == ["information_gain"]
    with pytest.raises(DataError, match=r"no method can rank these rows \(f_score: no way\)"):
        sslrank.rank(X, y, methods=["f_score"], **PLAIN)


def test_few_labels_give_no_curve():
    X, y = problem("classification", n=24)
    result = sslrank.rank(X, y, methods=FAST, effort="order", curve=True)
    assert result.curve is None
    assert any("suffice from 8 labelled rows" in note for note in result.notes)
    assert any(check.code == "C11" and "8 labelled rows detect only" in check.finding for check in result.checks)


def test_effort_equals_command_option():
    X, y = problem("classification")
    plain = sslrank.rank(X, y, methods=FAST, effort="order")
    assert (plain.conditional, plain.samples, plain.curve) == (None, None, None)
    quick = sslrank.rank(X, y, methods=FAST, effort="quick")
    assert (quick.n_pairs, quick.curve) == (5, None)
    assert quick.conditional is not None
    pd.testing.assert_series_equal(quick.to_frame()["feature"], plain.to_frame()["feature"])
    assert sslrank.rank(X, y, methods=FAST, effort="order", repeats=2).n_pairs == 2


def test_methods_accepts_a_single_name():
    X, y = problem("classification")
    result = sslrank.rank(X, y, methods="information_gain, f_score", **PLAIN)
    assert list(result.ranks) == ["information_gain", "f_score"]
    assert len(result.plot(count=3).axes[0].get_yticklabels()) == 3
    best = list(result.to_frame()["feature"][:5])
    assert repr(result) == f"<Ranking of 8 features by information_gain, f_score; the best: {', '.join(best)}>"


def test_default_forest_tries_a_third_of_many_features():
    forest, linear = choose_methods("auto", "regression", 500)
    assert (forest.params["max_features"], "max_features" in linear.params) == (1 / 3, False)
    X = np.random.default_rng(0).normal(size=(40, 500))
    said = sslrank.rank(X, np.arange(40) % 2, **PLAIN).notes
    assert "genie3: each node tries a third of the features, drawn at random" in said


def test_values_beyond_float32_are_ranked():
    X = np.random.default_rng(0).normal(size=(100, 4))
    X[:, 1] *= 1e39
    X[3, 1] = np.nan
    y = np.where(np.arange(100) < 50, X[:, 1] > 0, np.nan)
    found = sslrank.rank(X, y, methods=FAST, **PLAIN)
    assert found.best(1) == ["x2"]
    assert not next(check for check in found.checks if check.code == "C03").passed


def test_unknown_parameters_raise_with_suggestion():
    X, y = problem("classification")
    for gone in ("shuffles", "calibrate"):
        with pytest.raises(TypeError, match=f"no parameter '{gone}' any more: leave it out"):
            sslrank.rank(X, y, **{gone: 100})
    with pytest.raises(TypeError, match="no parameter 'seed'; in Python it is 'random_state'"):
        sslrank.rank(X, y, seed=1)
    with pytest.raises(TypeError, match=r"no parameter 'repeat'; did you mean 'repeats'\?"):
        sslrank.rank(X, y, repeat=2)


def test_default_methods_drop_unlabelled_rows():
    X, y = problem("classification")
    known = ~np.isnan(y)
    found, alone = (sslrank.rank(X[rows], y[rows], **PLAIN) for rows in (slice(None), known))
    for name, importances in found.importances.items():
        np.testing.assert_array_equal(importances, alone.importances[name])
    assert found.unlabeled.describe() == "unlabelled rows: used by none of the methods"
    assert alone.unlabeled.describe() == "unlabelled rows: there are none"


def test_unlabelled_rows_are_dropped_only_for_memory(monkeypatch):
    monkeypatch.setattr(ranking_module, "MAX_CELLS", 8 * 150)
    X, y = problem("classification", n=300)
    assert sslrank.rank(X, y, methods=["information_gain"], **PLAIN).notes == []
    result = sslrank.rank(X, y, methods=["relief"], **PLAIN)
    assert len(result.coded.X) == 150
    assert result.notes[0].startswith("50 of 200 unlabelled rows, drawn at random, are used")
    monkeypatch.setattr(ranking_module, "MAX_CELLS", 8 * 10)
    assert len(sslrank.rank(X, y, methods=["relief"], **PLAIN).coded.X) == 100  # never a labelled one


def test_renamed_attribute_names_the_new_one():
    X, y = problem("classification")
    found = sslrank.rank(X, y, methods=FAST, effort="order")
    with pytest.raises(AttributeError, match="no attribute 'chance'; it is called 'tests' now"):
        _ = found.chance
    assert not hasattr(found, "nothing")
    assert pickle.loads(pickle.dumps(found)).best() == found.best()


def test_importance_by_class_and_target_is_in_table_and_page():
    X, y = load_iris(return_X_y=True, as_frame=True)
    found = sslrank.rank(X, y, methods="f_score", effort="order")
    ovr = [roc_auc_score(y == c, X["sepal width (cm)"]) for c in range(3)]
    row = found.features.set_index("feature").loc["sepal width (cm)"]
    np.testing.assert_allclose(row[["AUC:0", "AUC:1", "AUC:2"]].astype(float), ovr)
    page = document(found)
    assert "<summary>1 group of correlated features</summary><ul><li>petal" in page
    assert f"0 {ovr[0]:.3g}; 1 {ovr[1]:.3g}; 2 {ovr[2]:.3g}</dd>" in page
    labels = pd.DataFrame({"u": X.iloc[:, 0] > 5.8, "v": X.iloc[:, 2] > 4}).astype(int)
    found = sslrank.rank(X, labels, methods="genie3", effort="order")
    assert found.features["target:u"].tolist() == found.by_target["u"].to_numpy()[found.order].tolist()
    assert "importance by target" in document(found)
