"""A CSV of rankings: what is read, and what is wrong, with its line."""

import pandas as pd
import pytest

from sslrank.benchmark.steps.rankings_csv import RANKINGS, read_rankings, refuse_unknown
from sslrank.core.errors import DataError

HEAD = ",".join(RANKINGS)


def file(tmp_path, text):
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_extra_columns_and_blanks_are_ignored(tmp_path):
    table = read_rankings(file(tmp_path, "dataset, L,fold,ranking,feature,importance,more\nd,50,0,r,x,1e3,a\n\n"))
    assert table.iloc[0].to_dict() == dict(zip(RANKINGS, ["d", "50", "ssl", 0, "r", "x", 1000.0], strict=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty, or begins with an empty line"),
        (f"{HEAD}\n", "has no line below the header"),
        ("dataset,L,fold\nd,50,0\n", "has no column 'ranking'; it starts with: dataset,L,fold"),
        (f"{HEAD},L\nd,50,ssl,0,r,x,1,50\n", "line 1: has two columns 'L'"),
        (f"{HEAD}\nd,50,ssl,0,r,x,1\nd,50,ssl,0,r,y,\n", "line 3, column 'importance': found '', expected a finite"),
        (f"{HEAD}\nd,50,ssl,0.5,r,x,1\n", "line 2, column 'fold': found '0.5', expected a whole number from 0"),
    ],
)
def test_errors_name_their_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read_rankings(file(tmp_path, text))


def test_missing_file_raises(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_rankings(tmp_path / "no.csv")


def test_unknown_names_suggest_the_nearest():
    table = pd.DataFrame({"L": ["50", "5O"]})
    with pytest.raises(DataError, match="line 3, column 'L': the study s has no L '5O'; did you mean '50'"):
        refuse_unknown(table, "L", ["50", "all"], "mine.csv", "s")
