"""How a user's table is read: targets, tasks, roles of columns, and errors."""

import gzip
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from sslrank.core.errors import DataError
from sslrank.datasets.readers.guesses import guess_delimiter
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.reading import read_columns, read_own
from sslrank.tabular.schema.roles import ColumnRoles


@pytest.fixture
def read(tmp_path):
    def read_text(text, *target, name="d.csv", **options):
        path = tmp_path / name
        path.write_text(text)
        roles = {field.name: options.pop(field.name) for field in fields(ColumnRoles) if field.name in options}
        return read_own(path, target or ("y",), ColumnRoles(**roles), **options)

    return read_text


def nominal(table):
    return list(table.X.columns[table.nominal])


def column(values):
    return "a,y\n" + "".join(f"{i % 7}.5,{value}\n" for i, value in enumerate(values))


def test_minus_one_among_whole_numbers_is_unlabelled(read):
    text = column([0, 1, -1, -1, 0, 1])
    table = read(text)
    assert table.labeled.tolist() == [True, True, False, False, True, True]
    assert "2 rows have the target -1, taken as unlabelled; --nominal y if it is a class" in table.notes
    for value in ("-1", "-1.0"):
        assert read(text, unlabeled=[value]).labeled.tolist() == table.labeled.tolist()
    assert "no target has the value 7 of --unlabeled" in read(text, unlabeled=["7"]).notes
    assert read(text, nominal=["y"]).labeled.all()
    assert own_table(np.ones((6, 2)) * np.arange(6)[:, None] / 7, [0, 1, -1, -1, 0, 1]).labeled.sum() == 4


def test_minus_one_elsewhere_raises_with_options(read):
    text = column([0, 1, -1, "", 0, 1] * 2)
    assert any("the target has a class -1; -1 means unlabelled among integers" in note for note in read(text).notes)
    assert read(text, unlabeled=["-1"]).labeled.sum() == 8
    labels = "a,y,z\n" + "1.5,0,1\n2.5,1,1\n3.5,1,0\n4.5,-1,-1\n5.5,-1,-1\n"
    with pytest.raises(DataError, match=r"have the target -1: .* Add --unlabeled -1 if .*, --task multitarget if"):
        read(labels, "y", "z")
    assert read(labels, "y", "z", unlabeled=["-1"]).task == "multilabel"
    with pytest.raises(DataError, match=r"have the target -1: .* Add --unlabeled -1 if .*, --task regression if"):
        read(column([*range(30), -1, -1]))
    both = column([-1, 1] * 4)
    with pytest.raises(DataError, match=r"which leaves one class. Add --nominal y if -1 is a class, --unlabeled -1 if"):
        read(both)
    assert read(both, nominal=["y"]).y.tolist() == ["-1", "1"] * 4
    X = np.arange(16.0).reshape(8, 2)
    with pytest.raises(DataError, match=r"which leaves one class. Pass y.astype\(float\) if"):
        own_table(X, [-1, 1] * 4)
    assert own_table(X, np.array([-1.0, 1] * 4)).labeled.all()
    found = own_table(X, np.array([0.0, 1, -1, -1] * 2))
    assert found.labeled.all()
    assert any("the target has a class -1" in note for note in found.notes)


@pytest.mark.parametrize(
    ("values", "task", "reason"),
    [
        (["a", "b", "", "?", "NaN", "a"], "classification", "texts"),
        ([0, 1, 0, ""], "classification", "whole numbers, 2"),
        ([1, 2, 3, 1, 2, 3, 1, 2], "classification", "whole numbers, 3"),
        ([0.5, 1, 2, 3], "regression", "fractions"),
        (list(range(40)), "regression", "whole numbers, 40"),
        ([3, 1, 2], "regression", "whole numbers, 3"),
    ],
)
def test_task_is_inferred_from_one_target(read, values, task, reason):
    table = read(column(values))
    assert table.task == task
    assert reason in table.target.reason
    assert table.labeled.tolist() == [value not in ("", "?", "NaN") for value in values]


def test_integer_target_note_names_task_option(read):
    assert any("--task regression" in note for note in read(column([1, 2, 3] * 4)).notes)
    for times, is_named in ((10, True), (2, False)):  # so many rows share a number
        notes = read(column([*range(20, 40)] * times)).notes
        assert any("codes of classes, use --task classification" in note for note in notes) is is_named
    assert read(column(range(40)), task="classification").task == "classification"
    assert read(column([1, 2, 3] * 4), task="regression").y.dtype == np.float64


def test_several_targets_are_read(read):
    text = "a,l1,l2,z\n" + "".join(f"{i}.5,{i % 2},{i // 2 % 2},{i * 1.5}\n" for i in range(8))
    assert read(text, "l1", "l2").task == "multilabel"
    assert read(text, "l*").target_names == ["l1", "l2"]
    assert read(text, "l1", "z").task == "multitarget"
    with pytest.raises(DataError, match="labels must be 0 or 1, found"):
        read(text, "l1", "z", task="multilabel")
    with pytest.raises(DataError, match="takes one target, got 2"):
        read(text, "l1", "z", task="regression")


def test_target_under_a_title_is_looked_for_in_another_line(read):
    with pytest.raises(DataError, match=r"no column 'y'; .*; if the names are in another line, --reader skip_lines=1"):
        read("My table,,\na,b,y\n1.5,2.5,0\n")


def test_slash_paths_become_a_hierarchy(read):
    table = read(column(["a/b", "a", "c@a/b", ""]), hierarchy="tree")
    assert (table.task, table.target_names, table.hierarchy) == ("hierarchical", ["a", "c", "a/b"], [[], [], [0]])
    assert table.y[2].tolist() == [1, 1, 1]
    assert np.isnan(table.y[3]).all()


def test_hierarchical_arff_and_mulan_find_their_target(tmp_path):
    arff = tmp_path / "h.arff"
    arff.write_text("@relation r\n@attribute x numeric\n@attribute c hierarchical a,a/b\n@data\n1,a/b\n2,a\n3,?\n")
    assert read_own(arff).task == "hierarchical"
    arff.write_text(arff.read_text().replace("2,a", "2,b"))
    with pytest.raises(DataError, match="line 6, column 'c': class 'b' is not declared"):
        read_own(arff)
    arff = tmp_path / "m.arff.gz"
    text = "@relation r\n@attribute x numeric\n@attribute l {0,1}\n@attribute m {0,1}\n@data\n{0 1.5,1 1}\n{2 1}\n"
    arff.write_bytes(gzip.compress(text.encode()))
    (tmp_path / "m.xml").write_text('<labels><label name="l"/><label name="m"/></labels>')
    table = read_own(arff)
    assert (table.task, table.y.tolist()) == ("multilabel", [[1, 0], [0, 1]])


def test_left_out_columns_have_a_reason(tmp_path, frame):
    n = len(frame)
    odd = frame.assign(
        number=np.arange(n) + 3,
        seen=[f"2024-01-{i % 28 + 1:02}" for i in range(n)],
        constant=4,
        empty="",
        twin=frame["f2"],
        shade_too=frame["shade"],
        other=frame["shade"].map({"dark": "a", "light": "c", "grey": "b"}),
        few=np.arange(n) % 4,
        who=[f"p{i // 2 if i < 9 else i}" for i in range(n)],
    )
    odd.to_csv(tmp_path / "d.csv", index=False)
    table = read_own(tmp_path / "d.csv", ["y"], ColumnRoles(drop=["f5"], keep=["who"]))
    assert table.dropped == {
        "f5": "as requested",
        "number": "a row counter",
        "constant": "constant",
        "empty": "empty",
        "twin": "equal to f2",
        "shade_too": "equal to shade",
    }
    assert nominal(table) == ["shade", "other", "who"]
    said = "\n".join(table.describe())
    for words in (
        "7 numeric, 3 nominal: shade",
        "left out, equal to another column: twin (f2)",
        "--keep",
        "few: few different whole numbers",
    ):
        assert words in said
    kept = {"number", "twin", "constant", "empty"}
    found = read_own(tmp_path / "d.csv", ["y"], ColumnRoles(keep=[*kept], nominal=["seen"]))
    assert {*kept, "seen"} <= set(found.X.columns)


def test_rare_class_targets_are_noted(read):
    assert any("capital letters or spaces: 'YES' and 'Yes'" in n for n in read(column(["Yes", "YES", "no"] * 4)).notes)
    assert not any("capital" in note for note in read(column(["yes", "no"] * 4)).notes)
    same = "a,y,z\n" + "".join(f"{i}.5,{1.5 if i < 3 else ''},2\n" for i in range(8))
    assert any("the same targets" in note for note in read(same.replace(",2\n", ",\n"), "y", "z").notes)
    assert not any("the same targets" in note for note in read(same, "y", "z").notes)


@pytest.mark.parametrize(
    ("text", "target", "problem"),
    [
        ("alpha,y\n1,p\n2,q\n", "alpa", "did you mean 'alpha'"),
        ('"a\nb",y\n1,p\n', "y", r"no feature is left \(a b: constant\)"),
        ("a,y\n1,\n2,?\n", "y", "empty in every row"),
        ("y\np\nq\n", "y", "no feature is left"),
    ],
)
def test_invalid_tables_raise_data_error(read, text, target, problem):
    with pytest.raises(DataError, match=problem):
        read(text, target)


def test_minus_one_is_a_number_in_regression():
    X, y = np.arange(12.0).reshape(6, 2), np.array([0, 1, -1, 1, 0, -1])
    assert own_table(X, y, ColumnRoles(task="regression")).labeled.all()
    assert own_table(pd.DataFrame(X, columns=[3, 4]), y).labeled.tolist() == [True, True, False, True, True, False]


def test_read_columns_keeps_raw_values(tmp_path):
    (tmp_path / "t.csv").write_text("b,a,c\n1,007,x\n2,,1x\n")
    assert read_columns(tmp_path / "t.csv", ["a", "b"])[0].to_csv(index=False) == "a,b\n007,1\n,2\n"
    with pytest.raises(DataError, match="no column 'd'"):
        read_columns(tmp_path / "t.csv", ["d"])


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("size;weight, kg\n1,5;2,5\n3,5;4,5\n", ";"),
        ('"a, b";y\n1;2\n', ";"),
        ("A title\na|b\n1|2\n", "|"),
        ('"size" "kind"\n"1" 2.5 "u v"\n"2" 3.5 "w"\n', " "),  # as R's write.table writes by default
        ('"size";"kind"\n"2,5";"u"\n', ";"),
        ("a\n1\n", ","),
    ],
)
def test_delimiter_is_detected_from_first_lines(tmp_path, text, mark):
    (tmp_path / "d.csv").write_text(text)
    assert guess_delimiter(tmp_path / "d.csv") == mark
    (tmp_path / "d.tsv.gz").write_bytes(gzip.compress(text.encode()))
    assert guess_delimiter(tmp_path / "d.tsv.gz") == "\t"


def test_options_with_unknown_columns_are_refused(read):
    for option in ("nominal", "numeric", "drop", "keep"):
        with pytest.raises(DataError, match="no column 'b'"):
            read("a,y\n1,p\n2,q\n", **{option: ["b"]})
    for one, other in (("drop", "keep"), ("nominal", "numeric")):
        with pytest.raises(DataError, match=f"a: the column is given to both --{one} and --{other}"):
            read("a,y\n1,p\n2,q\n", **{one: ["a"], other: ["a"]})
    with pytest.raises(DataError, match="y: the column is given to both the target and --drop"):
        read("a,y\n1,p\n2,q\n", drop=["y"])
