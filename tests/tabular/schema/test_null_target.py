"""Censored, adjusted and positive-only targets: what is ranked, what is refused, and what the command keeps."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from statsmodels.duration.hazard_regression import PHReg

from sslrank import get_ranker, rank
from sslrank.core.events import event_values, which_is_yes
from sslrank.core.null_model import log_rank_scores, regress_out
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.roles import ColumnRoles

N = 160


@pytest.fixture(scope="module")
def patients():
    """Only `crp` shortens life; `weight` goes with age, which does, too."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(N, 4)), columns=["crp", "weight", "noise", "other"])
    frame["age"], frame["sex"] = rng.normal(60, 10, N), rng.choice(["f", "m"], N)
    frame["weight"] += (frame["age"] - 60) / 7
    life = rng.exponential(size=N) * np.exp(-frame["crp"] - (frame["age"] - 60) / 10) * 400
    seen = rng.exponential(size=N) * 600
    frame["days"], frame["died"] = np.minimum(life, seen).round() + 1, np.where(life <= seen, "dead", "alive")
    return frame


def quick(frame, *arguments, **options):
    return rank(frame, *arguments, methods="f_score", effort="order", **options)


def as_pairs(frame):
    pairs = zip(frame["died"] == "dead", frame["days"], strict=True)
    return np.array(list(pairs), dtype=[("died", bool), ("days", float)])


def test_survival_target_is_log_rank_scores(patients):
    found = quick(patients, "days", event="died")
    expected = log_rank_scores(patients["days"].to_numpy(), (patients["died"] == "dead").to_numpy(dtype=float))
    np.testing.assert_array_equal(found.table.y, expected)
    assert found.table.dropped == {"died": "the event of the target"}
    assert not {"days", "died"} & {*found.to_frame()["feature"]}
    assert found.answer.given == " until died"
    best = found.to_frame().iloc[0]
    assert (best["feature"], best["effect_measure"], best["direction"]) == ("crp", "C index", "shorter time if high")
    assert 0.5 < best["effect_low"] < best["effect"] < best["effect_high"] < 1


def test_time_of_entry_is_left_out_unless_given_or_alone(patients):
    early = patients.assign(start=patients["days"] / 2, begin=patients["days"] / 3)
    table = quick(early, "days", event="died").table
    assert table.dropped["start"] == "may be the time of entry"
    assert any(
        note.startswith("start is before each follow-up time: entry='start' if rows are") for note in table.notes
    )
    assert "begin" in quick(early, "days", event="died", entry="start").table.X
    assert quick(early[["start", "days", "died"]], "days", event="died").table.X.columns.tolist() == ["start"]


def test_structured_array_equals_time_and_event(patients):
    X = patients.drop(columns=["days", "died"])
    frame = quick(patients, "days", event="died").to_frame()
    pairs = as_pairs(patients)
    for array in (pairs, pairs.astype([("died", "i8"), ("days", float)])):
        pd.testing.assert_frame_equal(quick(X, array).to_frame(), frame)
    array = (patients["died"] == "dead").to_numpy()
    pd.testing.assert_frame_equal(quick(X, patients["days"], event=array).to_frame(), frame)


def test_pipeline_rankers_accept_structured_arrays(patients):
    X = patients[["crp", "noise", "other"]]
    scores = log_rank_scores(patients["days"].to_numpy(), (patients["died"] == "dead").to_numpy(dtype=float))
    found = get_ranker("genie3", n_estimators=20, random_state=0).fit(X, as_pairs(patients))
    np.testing.assert_array_equal(
        found.feature_importances_,
        get_ranker("genie3", n_estimators=20, random_state=0, task="regression").fit(X, scores).feature_importances_,
    )
    with pytest.raises(ValueError, match="some event must have happened"):
        get_ranker("l1").fit(X, as_pairs(patients.assign(died="alive")))


def test_survival_curve_uses_c_index(patients):
    found = rank(patients, "days", event="died", repeats=0, random_state=1)
    assert found.curve.measure == "c_index"
    assert found.curve.chance == 0.5
    assert 0.6 < found.curve.value(found.curve.best) < 0.95


def test_adjustment_removes_confounded_features(patients):
    plain, adjusted = (quick(patients, "days", event="died", **options) for options in ({}, {"adjust": ["age", "sex"]}))
    names = [[found.table.X.columns[j] for j in found.tests.related] for found in (plain, adjusted)]
    assert {"crp", "weight", "age"} <= {*names[0]}
    assert names[1] == ["crp"]
    assert adjusted.table.dropped["age"] == "adjusted for"
    assert adjusted.answer.given == " until died, given age and sex"


def test_adjusted_effect_of_rare_harm_has_right_direction(patients):
    """Ranks of residuals, or C of unadjusted times, would reflect the age; times are in hours."""
    age, life = patients["age"], patients["days"] * 24
    shock = np.arange(N) % 20 == 0
    frame = patients.assign(shock=shock * 1.0, days=np.where(shock, life / 20, life), died="dead")
    found = quick(frame, "days", event="died", adjust=["age"])
    row = found.to_frame().set_index("feature").loc["shock"]
    assert (row["effect_measure"], row["direction"]) == ("partial r", "shorter time if high")
    kept = np.column_stack([np.ones(N), age])
    residual = frame["shock"] - kept @ np.linalg.lstsq(kept, frame["shock"])[0]
    assert row["effect"] == pytest.approx(np.corrcoef(residual, found.table.y)[0, 1])
    assert found.coded.targets.kind == "regression"


def test_adjustment_works_for_classes_and_numbers(patients):
    rng = np.random.default_rng(5)
    Z = np.column_stack([patients["age"], patients["sex"] == "m"]).astype(float)
    number = patients["crp"] + patients["age"] + rng.normal(size=N)
    found = quick(patients.drop(columns=["days", "died"]), number, adjust=["age", "sex"])
    np.testing.assert_allclose(found.table.y, regress_out(number.to_numpy()[:, None], Z)[:, 0])
    weight = found.table.X["weight"]
    assert abs(np.corrcoef(weight, patients["age"])[0, 1]) < 1e-12
    assert weight.mean() == pytest.approx(patients["weight"].mean())
    ill = np.where(patients["crp"] + (patients["age"] - 60) / 10 + rng.normal(size=N) > 0, "yes", "no")
    for classes, names in ((ill, ["y=yes"]), (rng.choice(["a", "b", "c"], N), ["y=a", "y=b", "y=c"])):
        found = quick(patients.drop(columns=["days", "died"]), classes, adjust=["age"])
        table = found.table
        assert table.target_names == names
        direction = found.to_frame().set_index("feature").loc["crp", "direction"]
        assert direction == ("high in yes" if len(names) == 1 else "")
        assert np.abs(np.nanmean(table.y, axis=0)).max() < 1e-6


def test_conditional_tests_use_adjustment_columns(patients):
    rng = np.random.default_rng(6)
    y = patients["age"] / 10 + rng.normal(size=N)
    found = rank(patients[["weight", "noise", "age"]], y, adjust=["age"], methods="f_score", effort="quick", repeats=0)
    assert found.conditional.p_values.min() > 0.01


def test_positive_only_labels_are_compared_with_the_rest(patients):
    positive = pd.Series(np.where(patients["crp"] > 0.5, 1.0, np.nan))
    positive[::2] = np.nan
    X = patients[["crp", "noise", "other"]]
    found = quick(X, positive, positives_only=True)
    assert found.table.task == "classification"
    assert found.table.labeled.all()
    assert found.best(1) == ["crp"]
    zeros = quick(X, positive.fillna(0).astype(int), positives_only=True)
    pd.testing.assert_frame_equal(zeros.to_frame(), found.to_frame())
    adjusted = quick(patients[["crp", "noise", "age"]], positive, positives_only=True, adjust=["age"]).table
    assert (adjusted.task, adjusted.target_names) == ("regression", ["y=1"])


def test_adjustment_works_for_sparse_tables(patients):
    X = sparse.csr_array(patients[["crp", "weight", "age"]].to_numpy())
    found = quick(X, patients["age"] + patients["crp"], adjust=["x3"])
    assert found.table.X.columns.tolist() == ["x1", "x2"]
    assert found.best(1) == ["x1"]


def test_adjusted_target_keeps_unlabelled_rows(patients):
    gaps = patients.copy()
    gaps.loc[:9, "days"], gaps.loc[10:14, "died"] = np.nan, None
    table = quick(gaps, "days", event="died", adjust=["age"]).table
    assert np.flatnonzero(~table.labeled).tolist() == list(range(15))


#: Options of a target that is no follow-up time.
POSITIVES, ADJUSTED = ({"event": None, "positives_only": True}, {"event": None, "adjust": ["age"]})


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        ({"days": lambda frame: frame["days"] - 50}, {}, "at least 0, found -[0-9.]+ in row [0-9]+ "),
        ({"died": "alive"}, {}, "no row has the event"),
        ({"died": lambda frame: np.arange(N) % 3}, {}, "competing events are not supported"),
        ({"died": lambda frame: np.arange(N) % 2 + 5.5}, {}, "which of 5.5, 6.5 is the event"),
        ({"died": lambda frame: np.arange(N) / 7}, {}, "an event has two values"),
        ({}, {"task": "classification"}, "with an event the target is a time"),
        ({}, {"positives_only": True}, "with an event the target is a time"),
        ({}, {"adjust": ["age"], "drop": ["age"]}, "the column is given to both adjust and drop"),
        ({}, {"adjust": ["aeg"]}, "there is no column 'aeg'"),
        ({}, {"adjust": "age"}, "adjust must be a sequence of names"),
        ({"sex": lambda frame: [f"p{i // 2}" for i in range(N)]}, {"adjust": ["sex"]}, "too many to adjust for"),
        ({"days": lambda frame: frame["age"] * 2 + 1}, ADJUSTED, "nothing is left of the target, .* nothing but age"),
        ({"days": lambda frame: np.where(frame["age"] > 60, "old", "young")}, ADJUSTED, "nothing is left"),
        ({"days": 1}, POSITIVES, "all rows are positive"),
        ({"days": lambda frame: np.where(frame["crp"] > 0, "a", "b")}, POSITIVES, "which of a, b is positive"),
        ({"days": lambda frame: frame["noise"] / 2}, POSITIVES, "takes one class"),
    ],
)  # fmt: skip
def test_invalid_targets_are_refused(patients, changes, options, said):
    with pytest.raises(ValueError, match=said):
        quick(patients.assign(**changes), "days", **{"event": "died"} | options)


def test_features_determined_by_covariates_are_left_out(patients):
    X = patients[["crp", "age", "noise"]]
    copies = pd.DataFrame({"age": X["age"], "months": X["age"] * 12 + 3, "crp": X["crp"]})
    table = quick(copies, X["noise"], adjust=["age"]).table
    assert table.dropped["months"] == "explained by the columns that are adjusted for"
    with pytest.raises(ValueError, match="no feature is left"):
        quick(copies[["age", "months"]], X["noise"], adjust=["age"])
    notes = quick(X.assign(site=1.0), X["noise"], adjust=["age", "site"]).table.notes
    assert "constant, so that adjusting for it changes nothing: site" in notes


def test_follow_up_time_is_dropped_for_event_target(patients):
    frame, y = patients.drop(columns="died"), patients["died"]
    assert "the follow-up time of the target" in own_table(frame, y).dropped["days"]
    frame = frame.rename(columns={"days": "time"})
    assert "the follow-up time of the target" in own_table(frame, y).dropped["time"]
    assert "time" in own_table(frame, y, ColumnRoles(keep=["time"])).X
    assert "time" in own_table(frame, y.rename("colour")).X
    frame = frame.rename(columns={"time": "Time.to.colour"})
    assert "the follow-up time of the target" in own_table(frame, y.rename("colour")).dropped["Time.to.colour"]


def test_event_words_are_parsed():
    assert which_is_yes(["deceased", "living"]) == "deceased"
    assert which_is_yes(["0", "9"]) == "9"
    assert which_is_yes(["yes", "true"]) is None
    assert event_values(pd.Series([2.0, 1, np.nan])).tolist()[:2] == [1, 0]
    assert event_values(pd.Series([True, True])).tolist() == [1, 1]


def test_possible_censoring_column_is_noted(patients):
    frame = patients.rename(columns={"died": "censor"})
    assert any("invert the column" in note for note in quick(frame, "days", event="censor").table.notes)


def test_command_ranks_and_saves_survival_target(run, patients):
    patients.to_csv("p.csv", index=False)
    words = ("--target", "days", "--event", "died", "--adjust", "age,sex")
    code, said, _ = run("rank", "p.csv", *words, "--methods", "f_score", "--effort", "order", "--out", "r")
    assert code == 0
    assert "target days: time until died, by log-rank scores" in said
    noted = json.loads(Path("r/ranking.json").read_text())["table"]["target"]
    assert [noted[key] for key in ("event", "adjust", "stated_task")] == ["died", ["age", "sex"], "regression"]
    code, said, _ = run("curve", "p.csv", "r", "--jobs", "1")
    assert code == 0
    assert "relative error" in said  # of the residuals: C would show the columns
    assert "adjusted for age, sex" in said
    said = run("curve", "p.csv", "r", "--adjust", "age", "--jobs", "1")[1]
    assert "adjusted for age)" in said  # instead of both
    assert "until" not in run("curve", "p.csv", "r", "--target", "crp", "--jobs", "1")[1]  # the event was of another
    code, said, _ = run("reduce", "p.csv", "r", "--n-features", "1", "--out", "small.csv")
    assert list(pd.read_csv("small.csv")) == ["crp", "days", "died", "age", "sex"]
    with pytest.raises(SystemExit):
        run("study", "new", "mine", "--data", "p.csv", *words)


def test_page_draws_kaplan_meier_curves(patients, tmp_path):
    found = quick(patients, "days", event="died")
    found.save_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Kaplan-Meier curves of days until died by crp" in page
    assert page.count(": the share of rows without the event.") == found.table.X.shape[1]
    assert "shorter time if high" in page


def test_hazard_ratio_is_shown_given_adjusting_columns(patients, tmp_path):
    frame = patients.assign(site=np.arange(N) % 3)
    found = quick(frame, "days", event="died", adjust=["age"], strata="site")
    crp, dead = patients["crp"] / patients["crp"].std(), (patients["died"] == "dead").astype(float)
    fitted = PHReg(
        patients["days"], np.column_stack([patients["age"], crp]), dead, strata=frame["site"], ties="breslow"
    )
    expected = np.exp(np.append(fitted.fit(disp=0).params[-1], fitted.fit(disp=0).conf_int()[-1]))
    row = found.to_frame().set_index("feature").loc["crp"]
    np.testing.assert_allclose(row[["hazard_ratio", "hazard_low", "hazard_high"]].astype(float), expected, rtol=1e-5)
    shown = "{:.2f} ({:.2f} to {:.2f})".format(*expected)
    assert shown in str(found)
    found.save_html(tmp_path / "page.html")
    assert f"<small>hazard ratio {shown}</small>" in (tmp_path / "page.html").read_text()
    assert found.to_dict()["features"][0]["hazard_ratio"] == found.to_frame()["hazard_ratio"][0]
    weighted = quick(
        frame.assign(w=1.5 + np.arange(N) % 2), "days", event="died", sample_weight="w", drop=["site"]
    ).to_frame()
    assert weighted["hazard_ratio"].notna().sum() == 5
    assert weighted["hazard_high"].isna().all()
