"""Published and reproduced values: matching of names, missing cells, and agreement."""

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.results.published import agreement, match_published

KEYS = ("task", "dataset", "ranking")


PRINTED = [("Tic tac toe", "Genie3", 0.1), ("Tic tac toe", "RF", -0.2), ("Digits", "Genie3", 0.3)]
PRINTED += [("Aapc", "Genie3", 0.4)]
OURS = [("tic-tac-toe", "genie3", 0.15, 0.1), ("tic-tac-toe", "random_forest", -0.1, 0.01)]
OURS += [("digits_set", "genie3", -0.3, np.nan)]


@pytest.fixture
def published(tmp_path):
    table = pd.DataFrame(PRINTED, columns=["dataset", "ranking", "delta"]).assign(task="classification")
    table.to_csv(tmp_path / "table8.csv", index=False)
    return tmp_path / "table8.csv"


@pytest.fixture
def both(published):
    ours = pd.DataFrame(OURS, columns=["dataset", "ranking", "delta", "spread"]).assign(task="classification")
    names = {"ranking": {"RF": "random_forest"}}
    return match_published(ours, [published], KEYS, ("delta",), names=names, datasets={"Digits": "digits_set"})


def test_published_cells_are_matched_by_name(both):
    assert len(both) == 4
    found = both.set_index(["dataset", "ranking"])["reproduced"]
    assert found["tic-tac-toe", "genie3"] == 0.15
    assert found["tic-tac-toe", "random_forest"] == -0.1
    assert found["digits_set", "genie3"] == -0.3
    assert np.isnan(found["Aapc", "genie3"])
    assert both["difference"].iloc[0] == pytest.approx(0.05)
    assert both["source"].unique() == ["table8"]


def test_agreement_of_differences(both):
    (row,) = agreement(both).to_dict("records")
    assert (row["published"], row["reproduced"]) == (4, 3)
    assert row["mean_absolute_difference"] == pytest.approx((0.05 + 0.1 + 0.6) / 3)
    assert row["same_sign"] == pytest.approx(2 / 3)
    assert row["within_two_errors"] == pytest.approx(1 / 2)
    # published 0.1, -0.2, 0.3 against 0.15, -0.1, -0.3
    assert row["rank_correlation"] == pytest.approx(-0.5)


def test_no_common_cells_give_empty_comparison(published):
    both = match_published(pd.DataFrame(columns=[*KEYS, "delta"]), [published], KEYS, ("delta",))
    assert both["reproduced"].isna().all()
    assert agreement(both)["reproduced"].tolist() == [0]
