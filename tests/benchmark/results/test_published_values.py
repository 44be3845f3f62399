"""Published against reproduced: names, missing cells, and what agreement means."""

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.results.published_values import agreement, match_published, to_our_names

KEYS = ("task", "dataset", "ranking")


@pytest.fixture
def published(tmp_path):
    path = tmp_path / "table8.csv"
    path.write_text(
        "task,dataset,ranking,delta\n"
        "classification,Tic-tac-toe,Genie3,0.10\n"
        "classification,Tic-tac-toe,Random Forest,-0.20\n"
        "classification,Digits,Genie3,0.30\n"
        "classification,Aapc,Genie3,0.40\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def ours():
    return pd.DataFrame(
        {
            "task": "classification",
            "dataset": ["tic-tac-toe", "tic-tac-toe", "digits_set"],
            "ranking": ["genie3", "random_forest", "genie3"],
            "delta": [0.15, -0.1, -0.3],
            "spread": [0.1, 0.01, np.nan],
        }
    )


def test_every_published_cell_is_there_and_matched_by_name(published, ours):
    names = {"ranking": {"Random Forest": "random_forest"}}
    both = match_published(ours, [published], KEYS, ("delta",), names=names, datasets={"Digits": "digits_set"})
    assert len(both) == 4
    found = both.set_index(["dataset", "ranking"])["reproduced"]
    assert found["tic-tac-toe", "genie3"] == 0.15
    assert found["tic-tac-toe", "random_forest"] == -0.1
    assert found["digits_set", "genie3"] == -0.3
    assert np.isnan(found["Aapc", "genie3"])
    assert both["difference"].iloc[0] == pytest.approx(0.05)
    assert both["source"].unique() == ["table8"]


def test_agreement_of_differences(published, ours):
    names = {"ranking": {"Random Forest": "random_forest"}}
    both = match_published(ours, [published], KEYS, ("delta",), names=names, datasets={"Digits": "digits_set"})
    (row,) = agreement(both).to_dict("records")
    assert (row["published"], row["reproduced"]) == (4, 3)
    assert row["mean_absolute_difference"] == pytest.approx((0.05 + 0.1 + 0.6) / 3)
    assert row["same_sign"] == pytest.approx(2 / 3)
    assert row["within_two_errors"] == pytest.approx(1 / 2)
    # published 0.1, -0.2, 0.3 against 0.15, -0.1, -0.3
    assert row["rank_correlation"] == pytest.approx(-0.5)


def test_nothing_to_compare(published):
    both = match_published(pd.DataFrame(columns=[*KEYS, "delta"]), [published], KEYS, ("delta",))
    assert both["reproduced"].isna().all()
    assert agreement(both)["reproduced"].tolist() == [0]


def test_names_match_without_case_and_punctuation():
    assert to_our_names(["Expr-yeast-fun", "RF", 50], {"RF": "forest_rf"}, ["expr_yeast_FUN"]) == [
        "expr_yeast_FUN",
        "forest_rf",
        "50",
    ]
