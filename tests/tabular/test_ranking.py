"""Rankings of one table: what is found, how sure it is, and how many features are enough."""

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.core.errors import DataError
from sslrank.tabular import feature_curve as enough_module
from sslrank.tabular import methods as methods_module
from sslrank.tabular import ranking as ranking_module
from sslrank.tabular.feature_curve import judge, limit_judged, make_folds, seconds_to_judge
from sslrank.tabular.methods import Method, choose_methods, fit_into, total_seconds
from sslrank.tabular.ranking import _sample, rank_table
from sslrank.tabular.table import own_table

FAST = ("information_gain", "rf")


def problem(task, n=60, d=8, seed=0):
    """Features 0 and 1 decide; two thirds of the rows are unlabelled."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    z = 2 * X[:, 0] + X[:, 1]
    both = np.column_stack([z, z - X[:, 1]])
    y = {"classification": (z > 0).astype(float), "str": z, "mtr": both}.get(task, (both > 0).astype(float))
    y[n // 3 :] = np.nan
    return X, y


def test_few_samples_are_no_interval():
    X, y = problem("classification")
    few, more = (sslrank.rank(X, y, methods=["information_gain"], repeats=n, curve=False) for n in (3, 5))
    frame = few.to_frame().set_index("feature")
    found = pd.DataFrame(few.consensus, columns=few.table.X.columns)
    assert (frame["low"] == found.min()[frame.index]).all()
    assert (frame["high"] == found.max()[frame.index]).all()
    assert (few.spread, more.spread) == ("3 samples only", "80 % of samples")


@pytest.mark.parametrize("task", ["classification", "mlc", "hmlc", "str", "mtr"])
def test_the_default_methods_find_what_decides(task):
    X, y = problem(task)
    hierarchy = [[], []] if task == "hmlc" else None
    result = sslrank.rank(X, y, repeats=2, task=task, hierarchy=hierarchy, curve=task in ("str", "hmlc"))
    assert result.to_frame()["feature"][0] == "x1"
    assert not result.failures
    assert len(result.ranks) == 3
    if task in ("str", "hmlc"):
        assert result.curve.eca > 0
        assert 1 <= result.curve.enough <= result.curve.best <= 8


def test_same_seed_same_bits_with_any_number_of_threads():
    X, y = problem("classification")
    one, two, other = (
        sslrank.rank(X, y, methods=FAST, repeats=3, random_state=seed, n_jobs=jobs)
        for seed, jobs in ((1, 1), (1, 2), (2, 1))
    )
    pd.testing.assert_frame_equal(one.to_frame(), two.to_frame(), check_exact=True)
    pd.testing.assert_frame_equal(one.curve.table, two.curve.table, check_exact=True)
    assert not one.to_frame().equals(other.to_frame())


def test_consensus_is_the_rank_of_the_mean_rank():
    table = own_table(np.random.default_rng(0).normal(size=(6, 3)), np.arange(6.0) % 2)
    result = ranking_module.Ranking(
        table,
        {"a": np.array([3.0, 2.0, 1.0]), "b": np.array([1.0, 1.0, 5.0])},
        {"a": np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), "b": np.array([[1.5, 1.5, 3.0], [3.0, 1.0, 2.0]])},
        {}, [], 1, 0, 6,
    )  # fmt: skip
    assert result.consensus.tolist() == [[1, 2, 3], [2, 1, 3]]
    frame = result.to_frame()
    assert frame["feature"].tolist() == ["x1", "x2", "x3"]
    assert frame["mean_rank"].tolist() == [1.5, 1.5, 3.0]
    assert frame["selected"].tolist() == [0.5, 0.5, 0.0]
    np.testing.assert_allclose(frame["low"], [1.0, 1.0, 3.0])
    assert frame["rank:b"].tolist() == [2.5, 2.5, 1.0]
    assert result.best() == ["x1"]


def test_features_that_cannot_be_told_apart_are_selected_by_chance():
    rng = np.random.default_rng(0)
    X, y = np.repeat(rng.normal(size=(30, 100)), 2, axis=0), np.arange(60) % 2
    said = []
    result = rank_table(own_table(X, y), methods="information_gain", repeats=20, curve=False, say=said.append)
    assert not result.importances["information_gain"].any()
    frame = result.to_frame()
    assert frame["selected"].sum() == pytest.approx(20)
    assert frame["selected"].max() < 0.7
    assert abs(result.stability()) < 0.1
    pd.testing.assert_frame_equal(frame, result.to_frame())
    assert said[-1] == "note: 100 features share the first place: these rows do not tell which of them is better"


def test_what_fails_in_the_work_is_said(monkeypatch):
    def fail(*_, **__):
        raise ValueError("no way")

    monkeypatch.setattr(ranking_module, "judge", fail)
    said = []
    X, y = problem("classification")
    rank_table(own_table(X, y), methods="information_gain", repeats=0, say=said.append)
    assert said[-1] == "note: how many features are enough cannot be said: no way"


def test_curves_of_many_rows_are_judged_on_fewer(monkeypatch):
    X, y = problem("classification", n=300)
    table = own_table(X, y)
    assert limit_judged(table, 0) == (table, [])
    monkeypatch.setattr(enough_module, "MAX_JUDGED", 8 * 40**2)
    part, notes = limit_judged(table, 0)
    assert (int(part.labeled.sum()), len(part.X)) == (40, 240)
    assert notes == ["how many features are enough is judged on 40 of 100 labelled rows"]
    result = sslrank.rank(X, y, methods="information_gain", repeats=0)
    assert notes[0] in result.notes
    assert notes[0] not in sslrank.rank(X, y, methods="information_gain", repeats=0, curve=False).notes
    assert result.n_rows == 300


def test_the_time_to_judge_counts(monkeypatch):
    X, y = problem("classification", n=90)
    assert 0 < seconds_to_judge(own_table(X, y), "knn") < 60
    said = []
    monkeypatch.setattr(ranking_module, "seconds_to_judge", lambda *_: 1000.0)
    rank_table(own_table(X, y), methods="information_gain", budget="1min", say=said.append)
    assert any("10 samples; no curve" in line for line in said)
    assert total_seconds([1.0], 0, 5, 10.0) == pytest.approx(16)
    assert total_seconds([1.0], 0, 0, 10.0) == pytest.approx(1)


def test_samples_keep_each_class_and_the_share_of_labels():
    y = np.array(["a"] * 10 + ["b"] + [None] * 40, dtype=object)
    table = own_table(np.random.default_rng(0).normal(size=(51, 2)), y)
    rows = _sample(table, 3)
    assert len(set(rows)) == len(rows) == 8 + 1 + 32
    assert 10 in rows
    assert (rows < 11).sum() == 9


def test_no_fold_ranks_with_the_rows_that_it_is_judged_on(monkeypatch):
    X, y = problem("classification", n=45)
    seen = []
    real = ranking_module.fit

    def watch(method, X, y, *others):
        seen.append((len(X), set(X["x1"])))
        return real(method, X, y, *others)

    monkeypatch.setattr(ranking_module, "fit", watch)
    result = sslrank.rank(X, y, methods=["information_gain"], repeats=0)
    folds = make_folds(result.table, 5, 0)
    assert len(seen) == 1 + len(folds)
    for (size, values), (train, test) in zip(seen[1:], folds, strict=True):
        assert size == len(train) == 45 - 3
        assert not values & set(X[test, 0])
        assert np.isin(np.flatnonzero(~result.table.labeled), train).all()


def test_features_of_noise_look_good_only_on_the_rows_that_ranked_them():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, 400)), np.arange(40) % 2
    honest = sslrank.rank(X, y, methods=["relieff"], repeats=0)
    table = honest.table
    biased = judge(table, honest.importances["relieff"], make_folds(table, 5, 0))
    assert biased.eca > 0.2
    assert abs(honest.curve.eca) < 0.1


def test_one_standard_error_rule():
    X, y = problem("str", n=90)
    curve = sslrank.rank(X, y, methods=["rrelieff"], repeats=0).curve
    best = curve.table.set_index("size").loc[curve.best]
    good = curve.table[curve.table["best"] <= best["best"] + best["error"]]
    assert not curve.higher_is_better
    assert curve.best == curve.table.loc[curve.table["best"].idxmin(), "size"]
    assert curve.enough == good["size"].min()
    at_random = curve.table.set_index("size").loc[curve.enough, "random"]
    assert f"as many drawn at random {at_random:.3f}; best" in curve.describe()


@pytest.mark.parametrize(
    ("n", "labels", "words"),
    [(40, ["a", "b", "a"], "from 3 labelled rows"), (40, ["a"] * 12, "from one class")],
)
def test_curves_that_would_say_nothing_are_not_drawn(n, labels, words):
    X = np.random.default_rng(0).normal(size=(n, 3))
    y = np.array(labels + [None] * (n - len(labels)), dtype=object)
    result = sslrank.rank(X, y, methods=["genie3"], repeats=2, quick=False)
    assert result.curve is None
    assert any(words in note for note in result.notes)


def test_a_method_that_fails_is_reported_and_the_others_go_on(monkeypatch):
    X, y = problem("classification")
    real = ranking_module.fit

    def fail(method, *others):
        if method.name == "rf":
            raise ValueError("no way")
        return real(method, *others)

    monkeypatch.setattr(ranking_module, "fit", fail)
    result = sslrank.rank(X, y, methods=FAST, repeats=2)
    assert result.failures == {"rf": "no way"}
    assert list(result.ranks) == ["information_gain"]
    with pytest.raises(DataError, match=r"no method can rank these rows \(rf: no way\)"):
        sslrank.rank(X, y, methods=["rf"])


def test_names_of_methods():
    X, y = problem("str")
    with pytest.raises(DataError, match=r"'relif' is unknown; did you mean 'relief'"):
        sslrank.rank(X, y, methods=["relif"])
    with pytest.raises(DataError, match=r"'svm_rfe' does not rank for the target's kind, str; these do: genie3"):
        sslrank.rank(X, y, methods=["svm_rfe"])


def test_what_cannot_be_is_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(ranking_module, "seconds_of_fit", lambda *_: pytest.fail("fitted"))
    X, y = problem("str")
    for options, words in (
        ({"predictor": "kn"}, "did you mean 'knn'"),
        ({"predictor": "svm"}, "'svm' is for classification"),
        ({"repeats": 1}, "at least 2, got 1"),
        ({"budget": "soon"}, "not a duration"),
        ({"methods": []}, "no method is named"),
    ):
        with pytest.raises(DataError, match=words):
            sslrank.rank(X, y, **options)


def test_one_method_is_a_name():
    X, y = problem("classification")
    result = sslrank.rank(X, y, methods="information_gain, rf", repeats=0, curve=False)
    assert list(result.ranks) == ["information_gain", "rf"]
    assert result.to_frame()[["low", "high", "selected"]].isna().all(axis=None)
    assert len(result.plot(3).axes[0].get_yticklabels()) == 3
    best = list(result.to_frame()["feature"][:5])
    assert repr(result) == f"<Ranking of 8 features by information_gain, rf; the best: {', '.join(best)}>"


def test_many_rows_leave_out_what_is_quadratic():
    chosen, notes = methods_module.choose_methods("auto", "classification", 20_000, 10)
    assert [method.name for method in chosen] == ["genie3", "information_gain"]
    assert "relief is left out: its time" in notes[0]


def test_many_features_leave_out_neighbours():
    chosen, notes = methods_module.choose_methods("auto", "str", 500, 501)
    assert [method.name for method in chosen] == ["genie3", "random_forest"]
    assert "relief is left out: its neighbours" in notes[0]
    assert len(methods_module.choose_methods("auto", "str", 500, 500)[0]) == 3
    assert len(methods_module.choose_methods(["relief"], "str", 500, 1000)[0]) == 1


def test_relief_sees_labelled_rows_only_unless_it_is_asked_for():
    chosen, notes = methods_module.choose_methods("auto", "mlc", 500, 20, quick=True)
    assert {method.name: method.params.get("supervised") for method in chosen}["relief"] is True
    assert "with --methods relief at all rows" in notes[0]
    assert methods_module.choose_methods(["relief"], "mlc", 500, 20) == ([methods_module.Method("relief")], [])
    assert not choose_methods("auto", "mlc", 500, 20, has_unlabeled=False)[1]
    assert not choose_methods("auto", "mlc", 500, 20, n_labeled=1)[1]
    X, y = problem("classification")
    y[2::3] = np.nan  # a few labels
    known = ~np.isnan(y)
    found, alone = (sslrank.rank(X[rows], y[rows], repeats=0, quick=True) for rows in (slice(None), known))
    np.testing.assert_array_equal(found.importances["relief"], alone.importances["relief"])


def test_a_large_table_is_ranked_from_fewer_unlabelled_rows(monkeypatch):
    monkeypatch.setattr(ranking_module, "MAX_CELLS", 800)
    X, y = problem("classification", n=300)
    result = sslrank.rank(X, y, methods=["information_gain"], repeats=0, curve=False)
    assert result.n_rows == 100
    assert "100 labelled and 0 unlabelled rows" in result.notes[0]


def test_samples_use_the_settings_that_all_rows_chose():
    X, y = problem("classification")
    forest = Method("genie3", {"cv_n_estimators": 5, "n_estimators": 5})
    tuned = forest.tuned(methods_module.fit(forest, X, y, "classification"))
    assert {"supervision", "supervised"} & set(tuned.params)
    assert methods_module.fit(tuned, X, y, "classification").cv_results_ is None
    plain = Method("rf")
    assert plain.tuned(methods_module.fit(plain, X, y, "classification")) is plain


def test_budget_cuts_samples_then_methods_then_the_curve():
    both = [Method("a"), Method("b")]
    assert total_seconds([1.0, 2.0], 10, 5) == pytest.approx(3 * (6 + 6))
    assert fit_into(both, [1.0, 2.0], 10, 5, 100)[2:] == (10, 5)
    methods, _, repeats, folds = fit_into(both, [1.0, 2.0], 10, 5, 26)
    assert (len(methods), repeats, folds) == (2, 4, 5)
    methods, _, repeats, folds = fit_into(both, [1.0, 2.0], 10, 5, 8)
    assert ([method.name for method in methods], repeats, folds) == (["a"], 2, 5)
    assert fit_into(both, [1.0, 2.0], 10, 5, 0.1)[2:] == (0, 0)


def test_notebooks_get_a_table_and_a_picture():
    X, y = problem("classification")
    result = sslrank.rank(pd.DataFrame(X).add_prefix("<b>"), y, methods=FAST, repeats=2)
    html = result._repr_html_()
    assert html.count("<svg") == 3
    assert "&lt;b&gt;0" in html
    assert "<b>0" not in html
    assert len(result.plot(5).axes[0].get_yticklabels()) == 5


def test_rank_table_says_what_it_will_do_before_it_does_it():
    X, y = problem("classification")
    said = []
    rank_table(own_table(X, y), methods=["information_gain"], repeats=2, curve=False, say=said.append)
    assert said[0].startswith("methods: information_gain; 2 samples of the rows; ")


def test_small_tables_get_more_trees():
    def trees(n_rows, quick=False):
        return choose_methods("auto", "mtr", n_rows, 500, quick)[0][0].params["n_estimators"]

    assert trees(300) == 500
    assert trees(300, quick=True) == 30
    for quick, expected in ((False, 1000), (True, 100)):
        found = choose_methods("auto", "str", 60, 501, quick, has_unlabeled=False)[0][0].params
        assert found == {"supervised": True, "n_estimators": expected}
    assert "n_estimators" not in choose_methods(("genie3",), "mtr", 500, 500)[0][0].params
