"""What a CSV of rankings or scores must be, and what is said otherwise."""

from pathlib import Path

import pytest

from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.submit.reading import check_range, measure_range, numbers_in_words, read_results, refuse_unknown
from sslrank.core.errors import DataError


def written(folder, text):
    path = folder / "mine.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_scores_and_rankings_are_told_apart(tmp_path):
    scores = read_results(written(tmp_path, "fold,dataset,L,value,extra\n0,a,050,0.5,x\n1,a,050,,x\n2,a,050,1,x\n"))
    assert scores[["dataset", "L", "fold", "value", "ranking"]].values.tolist() == [
        ["a", "050", 0, 0.5, ""],
        ["a", "050", 2, 1.0, ""],
    ]
    assert list(scores.index) == [0, 2]  # lines of the file, for messages
    text = "dataset,L,mode,fold,ranking,feature,importance\na,all,sl,3,r,NA,2\n"
    (row,) = read_results(written(tmp_path, text)).values.tolist()
    assert row == ["a", "all", "sl", 3, "r", "NA", 2.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.csv: is empty"),
        ("dataset,L,fold,value\na,50,0,1,\n", "is not a CSV file: Error tokenizing data. C error: Expected 4 fields"),
        ("dataset,L,fold,value,value\na,50,0,1,2\n", "line 1: has two columns 'value'. Remove or rename one"),
        ("dataset,L,k, k,fold,value\na,50,1,2,0,1\n", "line 1: has two columns 'k'"),
        ("dataset,L,fold,value\n", "has no line below the header"),
        ("dataset,L,fold,value\na,50,0,nan\na,50,1,\n", "mine.csv: has no score: every value is empty or nan"),
        ("dataset,L,value\na,50,1\n", "has no column 'fold'; its columns are dataset, L, value. Rankings have"),
        ("dataset,L,fold,feature\na,50,1,f\n", "has no column 'mode'"),
        (
            "dataset,L,fold,value\na,50,0,1\na,50,1,high\n",
            "line 3, column 'value': found 'high', expected a finite number or",
        ),
        ("dataset,L,fold,value\na,50,0,inf\n", "line 2, column 'value': found 'inf'"),
        ("dataset,L,fold,value\na,50,0.5,1\n", "line 2, column 'fold': found '0.5', expected a whole number from 0 to"),
        ("dataset,L,fold,value\na,50,,1\n", "line 2, column 'fold': found '', expected a finite number"),
        (
            "dataset,L,fold,value\na,50,0,1\n\na,50,99999999999999999999999,1\n",
            "line 4, column 'fold': found '99999999999999999999999', expected a whole number from 0 to 2147483647",
        ),
        (
            "dataset,L,fold,k,value\na,50,0,1e25,1\n",
            "line 2, column 'k': found '1e25', expected a whole number from 0 to",
        ),
        ("dataset,L,fold,value\na,50,-1,1\n", "line 2, column 'fold': found '-1', expected a whole number from 0 to"),
        ("dataset,L,fold,k,value\na,50,0,,1\na,50,0,,2\n", "line 3: has the same dataset, L, fold, "),
        (
            "dataset,L,fold,value\na,50,0,1\nb,50,0,1\na,50,0,2\n",
            "line 4: has the same dataset, L, fold, ranking",
        ),
        ("dataset,L,mode,fold,ranking,feature,importance\na,50,ssl,0,r,f,\n", "line 2, column 'importance': found ''"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, message):
    with pytest.raises(DataError) as error:
        read_results(written(tmp_path, text))
    assert message in str(error.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match=r"gone\.csv: there is no such file"):
        read_results(tmp_path / "gone.csv")


def test_blanks_around_names_and_columns_that_are_ignored(tmp_path):
    text = "\ufeffdataset, L ,fold\t,value,,\na,50,0,0.1,,\n"
    table = read_results(written(tmp_path, text))
    assert table[["dataset", "L", "fold", "value"]].values.tolist() == [["a", "50", 0, 0.1]]


def test_unknown_names_are_said_with_the_nearest(tmp_path):
    table = read_results(written(tmp_path, "dataset,L,fold,value\nbirds,50,0,1\ndigit,50,0,1\n"))
    with pytest.raises(DataError, match=r"line 3.*has no dataset 'digit'; did you mean 'digits'\?"):
        refuse_unknown(table, "dataset", ["birds", "digits"], "mine.csv", "the study s")


def test_numbers_in_words():
    assert numbers_in_words([2, 0, 1]) == "0 to 2"
    assert numbers_in_words([40, 20]) == "20, 40"
    assert numbers_in_words(range(0, 60, 5)) == "0, 5, 10, 15, 20, 25, 30, 35, 40, 45, ..."


@pytest.mark.parametrize(
    ("measure", "value", "message"),
    [
        (
            "accuracy",
            1.7,
            "line 3, column 'value': found 1.7; accuracy is from 0 to 1. Give it as a share, not in percent",
        ),
        ("f1_macro", -0.1, "found -0.1; f1_macro is from 0 to 1"),
        ("rrmse", -0.1, "found -0.1; rrmse is at least 0"),
        ("neighbors all r2", 1.5, "neighbors all r2 is at most 1"),
        ("eca[1] accuracy", 1.5, "eca[1] accuracy is from -1 to 1"),
        ("rrmse", 2.5, None),
        ("eca[1] rrmse", -2.0, None),
        ("accuracy", 1 + 1e-12, None),
        ("of another program", 17.0, None),
    ],
)
def test_a_score_that_its_measure_cannot_have_is_refused(tmp_path, measure, value, message):
    text = f"dataset,L,fold,measure,value\na,50,0,{measure},0.5\na,50,1,{measure},{value!r}\n"
    table = read_results(written(tmp_path, text))
    if message is None:
        check_range(table, "mine.csv")
    else:
        with pytest.raises(DataError) as error:
            check_range(table, "mine.csv")
        assert message in str(error.value)


def test_every_score_of_the_archive_is_within_its_range():
    archive = Archive(Path(__file__).parents[3] / "results/archive")
    files = [file for file, (_, dataset, _) in archive.names().items() if dataset in ("heart", "edm", "emotions")]
    for file in files:
        scores = archive.read(file).parts["score"].dropna(subset="value")
        check_range(scores.assign(measure=scores["measure"].astype(str)), file)
    assert measure_range("area all") == (0.0, 1.0)
