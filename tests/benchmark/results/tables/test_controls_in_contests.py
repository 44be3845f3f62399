"""Controls: out of every contest, listed, and what rankings have beyond them, on scores whose answers are known."""

import numpy as np
import pandas as pd
import pytest

from made_study import study_of
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.steps.compare_published import CompareJob, compare_published_job
from sslrank.stats.rank_tests import corrected_resampled_t_test

CONTROLS = ["equal_weights", "random_ranking", "oracle"]
RANKINGS = {name: name for name in ("rf", "relief", *CONTROLS)} | {"rf": "genie3", "oracle": "genie3"}


def make(value, measure="f1_macro"):
    """A study in which `value(dataset, method, mode, L, fold)` is the score; the oracle's ranking is called genie3."""
    tasks = dict.fromkeys(("d1", "d2"), ("classification", measure))
    return study_of(lambda *key: value(*key[:-1]), tasks, RANKINGS, L=("50", "150"), folds=5, controls=CONTROLS)


LEVEL = {"random_ranking": 0.2, "equal_weights": 0.3, "relief": 0.4, "rf": 0.5, "oracle": 0.6}


def by_ranking(table, column, dataset="d1"):
    return table[table["dataset"] == dataset].set_index("ranking")[column].to_dict()


def test_controls_are_listed_but_not_ranked(monkeypatch):
    study = make(lambda d, m, mode, L, fold: LEVEL[m])
    areas = table_info("areas").make(study)
    assert set(areas.loc[areas["control"], "method"]) == set(CONTROLS)
    assert set(areas["ranking"]) == {"genie3", "relief", *CONTROLS}
    for name in ("ranking_ranks", "friedman", "nemenyi", "time_ranks", "family_ranks", "global_share"):
        table = table_info(name).make(study)
        assert not set(CONTROLS) & set(table.to_numpy().ravel()), name
    at_level = table_info("nemenyi").make(study)["p_value"][0]
    monkeypatch.setattr("sslrank.benchmark.results.tables.rank_tests.ALPHA", at_level)
    assert table_info("nemenyi").make(study)["significant"].tolist() == [True]
    ranks = table_info("ranking_ranks").make(study).set_index("ranking")["average_rank"]
    assert ranks.to_dict() == {"rf": 1.0, "relief": 2.0}


def scale(value):
    """Give the scores of rankings of all rows, relative to a random ranking and the oracle."""
    table = table_info("contest_scores").make(make(value))
    return table[table["mode"] == "ssl"]


def test_scores_are_scaled_from_random_to_oracle():
    table = scale(lambda d, m, mode, L, fold: LEVEL[m] + 0.1 * fold)
    expected = {"random_ranking": 0, "equal_weights": 0.25, "relief": 0.5, "genie3": 0.75, "oracle": 1}
    assert by_ranking(table, "relative") == pytest.approx(expected)
    assert by_ranking(table, "better_than_random")["genie3"] is True
    assert pd.isna(by_ranking(table, "better_than_random")["random_ranking"])


def test_scale_needs_oracle_better_than_random():
    table = scale(lambda d, m, mode, L, fold: 0.1 if (d, m) == ("d2", "oracle") else LEVEL[m])
    assert np.isnan(list(by_ranking(table, "relative", "d2").values())).all()


def test_excess_over_the_control_and_its_significance():
    """The control gains 0.1 from unlabelled rows; only one ranking gains significantly more."""
    noise = [0.01, -0.01, 0.02, -0.02, 0.0]

    def value(dataset, method, mode, L, fold):
        gain = 0.1 + (0.2 if method == "rf" else 0) + (noise[fold] if method != "equal_weights" else 0)
        return 0.5 + (gain if mode == "ssl" else 0)

    table = table_info("ssl_minus_sl").make(make(value))
    assert by_ranking(table, "control_delta")["relief"] == pytest.approx(0.1)
    assert by_ranking(table, "beyond") == pytest.approx(
        {"genie3": 0.2, "relief": 0, "equal_weights": 0, "random_ranking": 0, "oracle": 0}
    )
    found = by_ranking(table, "better_than_control")
    assert found["genie3"] is True
    assert found["relief"] is False
    assert pd.isna(found["equal_weights"])
    expected = corrected_resampled_t_test(np.add(0.2, noise), 10 / 40)  # 10 of 50 rows are test rows
    assert by_ranking(table, "p_value")["genie3"] == pytest.approx(expected)
    study = make(value)
    evaluator = study.comparison["evaluator"]
    supervised = table_info("ssl_minus_sl").make(study, evaluator={"ssl": evaluator, "sl": evaluator}, supervised=True)
    assert supervised["delta"].tolist() == pytest.approx([0.0] * len(table))  # SL against itself
    control = table_info("control_ssl_minus_sl").make(make(value))
    assert control["delta"].tolist() == pytest.approx([0.1, 0.1])


def test_missing_control_adds_no_columns(monkeypatch):
    monkeypatch.setattr("sslrank.benchmark.results.tables.areas.CONTROL", "gone")
    table = table_info("ssl_minus_sl").make(make(lambda d, m, mode, L, fold: LEVEL[m]))
    assert "beyond" not in table.columns
    assert len(table) == 10


def compare(folder, function, table, printed):
    (folder / "tables").mkdir()
    (folder / "tables/t.csv").write_text(table, encoding="utf-8")
    (folder / "print.csv").write_text(printed, encoding="utf-8")
    tables = {"t": {"function": function, "title": "t", "published": [folder / "print.csv"]}}
    files = {"made": folder / "tables", "spelling": folder / "none"}
    files |= {name: folder / name for name in ("compared", "figures")}
    compare_published_job(CompareJob(**files, blocks=tables, datasets={}))
    return pd.read_csv(folder / "compared/t.csv")


def test_publication_comparison_excludes_controls(tmp_path):
    table = "dataset,ranking,method,score,control\nd1,genie3,oracle,0.9,True\nd1,genie3,rf,0.5,False\n"
    cells = compare(tmp_path, "method_scores", table, "dataset,ranking,score\nd1,genie3,0.4\n")
    assert cells["reproduced"].tolist() == [0.5]


def test_filtered_methods_leave_published_cells_only(tmp_path):
    """As the control's own table in a run with --config methods=... that leaves the control out."""
    table = "variant,task,dataset,measure,delta,spread\n"
    cells = compare(tmp_path, "control_ssl_minus_sl", table, "task,dataset,delta\nstr,d1,0.4\n")
    assert cells["published"].tolist() == [0.4]
    assert cells["reproduced"].isna().all()


def test_room_table_has_budgets_and_flat_flags():
    study = make(lambda d, m, mode, L, fold: 0.5 if d == "d2" else LEVEL[m] + 0.05 * (mode == "sl") + L / 1000)
    rows = table_info("room").make(study).set_index(["dataset", "L"])
    found = rows.loc[("d1", "50")]
    means = found[["supervised", "best_supervised", "semi_supervised", "room"]]
    assert means.tolist() == pytest.approx([0.55, 0.6, 0.5, 0.4])
    assert rows.flat.to_dict() == {("d1", "50"): False, ("d1", "150"): False, ("d2", "50"): True, ("d2", "150"): True}
    tasks, options = {"d1": ("classification", "f1_macro")}, {"L": ("50",), "folds": 2}
    single = study_of(lambda d, m, mode, *_: 0.5 if mode == "ssl" else None, tasks, {"rf": "rf"}, **options)
    assert table_info("room").make(single).flat.tolist() == [False]  # of one score
    lower_is_better = table_info("room").make(make(lambda d, m, mode, L, fold: LEVEL[m], measure="rrmse"))
    assert (lower_is_better.oracle == -0.6).all()


def test_spread_is_the_standard_error_over_the_folds():
    folds = np.array([0.0, 0.1, 0.2, 0.4, 0.8])
    study = make(lambda d, m, mode, L, fold: folds[fold] if mode == "ssl" else 0.0)
    for name in ("ssl_minus_sl", "control_ssl_minus_sl"):
        spread = table_info(name).make(study)["spread"].to_numpy()
        assert spread == pytest.approx(folds.std(ddof=1) / np.sqrt(5)), name
