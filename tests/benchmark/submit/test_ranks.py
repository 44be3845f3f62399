"""Which datasets a comparison is about."""

from types import SimpleNamespace

import pandas as pd
import pytest

from sslrank.benchmark.submit.ranks import _datasets, _not_named, _said
from sslrank.core.errors import DataError

PLAN = SimpleNamespace(
    studies={"s": SimpleNamespace(datasets=[f"d{i}" for i in range(9)])},
    results=lambda study: SimpleNamespace(heads={(f"d{i}", "relief"): None for i in range(8)}),
)


def test_a_comparison_is_about_the_datasets_of_the_file():
    table = pd.DataFrame({"dataset": ["d3", "d1", "d3"]})
    assert _datasets(table, PLAN, "s", "mine.csv") == ["d1", "d3"]
    (line,) = _not_named(["d1", "d3"], PLAN, "s")
    assert line == "Compared on 2 of 9 datasets of s; not in the file: d0, d2, d4, d5, d6 and 2 more"
    assert not list(_not_named(PLAN.studies["s"].datasets, PLAN, "s"))


def test_a_file_about_nothing_that_the_archive_has_is_refused():
    with pytest.raises(DataError, match=r"is about no dataset that results/archive has\. It has d0, d1"):
        _datasets(pd.DataFrame({"dataset": ["d8"]}), PLAN, "s", "mine.csv")
    with pytest.raises(DataError, match="the study s has no dataset 'e1'"):
        _datasets(pd.DataFrame({"dataset": ["e1"]}), PLAN, "s", "mine.csv")


def test_wins_are_those_of_the_result_whichever_side_of_a_pair_it_is(tmp_path):
    about = {"mode": "ssl", "task": "classification"}
    board = [{"entry": name, "method": name, "average_rank": rank} for rank, name in enumerate(["a", "mine", "z"], 1)]
    pd.DataFrame(board).assign(n_datasets=6, **about).to_csv(tmp_path / "leaderboard.csv", index=False)
    pairs = [("a", "mine", 4, 0, 2), ("a", "z", 6, 0, 0), ("mine", "z", 5, 1, 0)]
    pairs = pd.DataFrame(pairs, columns=["first", "second", "wins", "ties", "losses"])
    pairs.assign(n_datasets=6, p_value=0.5, p_holm=1.0, **about).to_csv(tmp_path / "pairs.csv", index=False)
    first, *others = _said(tmp_path, "mine")
    assert "average rank 2.00 of 3 on 6 datasets" in first
    assert [line.strip().partition(", p")[0] for line in others] == [
        "against a: 2 won, 0 tied, 4 lost",
        "against z: 5 won, 1 tied, 0 lost",
    ]
