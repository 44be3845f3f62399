"""CSV, KEEL and Orange .tab."""

import bz2
import gzip
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import cells, format_of, read

FILES = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
CELL = st.text(st.sampled_from("aé \"',;?1"), max_size=5)


def table(tmp_path, name, text, **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path, **options)


def listed(column):
    return [None if value != value else value for value in column.astype(object)]


@FILES
@given(st.lists(st.lists(CELL, min_size=2, max_size=2), min_size=1, max_size=5))
def test_pandas_csv_round_trip(tmp_path, cells):
    """Any text without surrounding blanks, which our CSV reader strips."""
    cells = [[cell.strip() for cell in row] for row in cells]
    written = pd.DataFrame(cells, columns=["a", "b,c"])
    frame = table(tmp_path, "a.csv", written.to_csv(index=False, quoting=1), missing=[], nominal="all").frame
    assert list(frame.columns) == ["a", "b,c"]
    assert frame.astype(object).to_numpy().tolist() == cells


def test_csv_types_and_missing_values(tmp_path):
    text = '\ufeff"a",b,"c, d",e\r\n1,x,"u, ""v""",\r\n?,,w,2.5e-3\r\n\r\n-.5,y,w,?\r\n'
    content = table(tmp_path, "a.csv", text)
    frame = content.frame
    assert list(frame.columns) == ["a", "b", "c, d", "e"]
    np.testing.assert_array_equal(frame["a"], [1, np.nan, -0.5])
    np.testing.assert_array_equal(frame["e"], [np.nan, 0.0025, np.nan])
    assert listed(frame["b"]) == ["x", None, "y"]
    assert listed(frame["c, d"]) == ['u, "v"', "w", "w"]
    assert content.numbers == [2, 3, 5]


def test_trailing_blanks_are_ignored(tmp_path):
    """A spurious class 'k ', and a missing label read as the class '? ', were the consequence."""
    frame = table(tmp_path, "a.csv", "a,y\n1,k\n 2,k \n3,?\n4,? \n5\t,\tl\t\n").frame
    assert frame["a"].tolist() == [1, 2, 3, 4, 5]
    assert listed(frame["y"]) == ["k", "k", None, None, "l"]
    frame = table(tmp_path, "a.tsv", "a\ty\n1\tk\n 2\tk \n3\t \n", format="csv", delimiter="\t").frame
    assert frame["a"].tolist() == [1, 2, 3]
    assert listed(frame["y"]) == ["k", "k", None]


def test_missing_values_of_r_and_pandas_are_read(tmp_path):
    text = "a,b,c\nNA,NA,1\n1.5,x,N/A\nNaN,null,nan\n2,,?\n"
    for written in (text, text.replace("x", '"x"')):
        frame = table(tmp_path, "a.csv", written).frame
        np.testing.assert_array_equal(frame["a"], [np.nan, 1.5, np.nan, 2])
        np.testing.assert_array_equal(frame["c"], [1, np.nan, np.nan, np.nan])
        assert listed(frame["b"]) == [None, "x", None, None]


def test_quoted_na_is_text_or_missing_by_column(tmp_path):
    """R quotes texts, not NA: so Namibia stays."""
    frame = table(tmp_path, "a.csv", 'land,size\n"NA","1"\n"SI","NA"\nNA,"3"\n').frame
    assert listed(frame["land"]) == ["NA", "SI", None]
    np.testing.assert_array_equal(frame["size"], [1, np.nan, 3])


DOUBTS = {
    "amounts": ('a\n"$1,200"\n$80\n', r"currency signs or .*, such as '\$1,200' in line 2.*--numeric a to read"),
    "a typo": (
        "a,b\n1,2\n0.12x57,3\n4,5\n",
        r"column 1 \('a'\): .*most of the values are numbers, but these are not: '0\.12x57' in line 3\. "
        r".*--nominal a if.*--reader missing=0\.12x57",
    ),
    "several": ("a,b\n1,x1\n2,3\nx,4\n5,6\n", "column 1 .*'x' in line 4. The same holds for 1 more column: 'b'"),
    "many": ("a\n" + "1\nx\n" * 9, "'x' in line 3, 'x' in line 5, .*'x' in line 11 and 4 more"),
    "a mark": ("a\n" + "".join(f"{n}\nlow\nlow\n" for n in range(9)), "9 different numbers and a single text"),
    "decimal or thousands": ('a\n"1,500"\n"2,500"\n3\n', "decimal commas.*, such as '1,500' in line 2.*decimal=,"),
    "two marks": ('a\n"1,5"\n"1.5"\n', "numbers, but these are not: '1,5'|decimal commas.*such as '1,5'"),
    "two signs": ("a\n1.5 €\n$2\n", "currency signs.*such as '1.5 €'"),
    "codes and a word": ("a\n007\n008\nunknown\n", "most of the values are numbers.*'unknown'"),
    "limits": ("a\n<2\n3\n", "limits of detection, such as '<2' in line 2.*below=limit"),
}
OTHERS = ["a\n012 345\n017 000\n", "a\n1,25\nmany\nfew\n", "a\n<2\n>3\n", "a\n007\n12\n"]


@pytest.mark.parametrize(
    ("text", "numbers", "note"),
    [
        ("1,5;2,5;3", [1.5, 2.5, 3], "'1,5' as 1.5"),
        ("1'250'000.5;3'250", [1250000.5, 3250], "as 1250000.5"),
        ("268,70 €;1.250,5 €;? ", [268.7, 1250.5, np.nan], "'268,70 €' as 268.70; --nominal if not"),
        ("\u0967\u0968;\u0969.\u096a", [12, 3.4], "as 12"),
        ("1,250.5;2,000", [1250.5, 2000], "'1,250.5' as 1250.5"),
        ("3.5;k.A.;unbekannt;#DIV/0!;4;5;6", [3.5, *[np.nan] * 3, 4, 5, 6], "'k.A.', 'unbekannt', '#DIV/0!' among"),
        ("0,5 %;k.A.;k.A.;k.A.", [0.5, *[np.nan] * 3], "'0,5 %' as 0.5"),
        ("1e2;2.5e3;3;k.A.", [100, 2500, 3, np.nan], "'k.A.' among"),
    ],
)
def test_column_decides_marks_of_its_numbers_and_words_for_missing(text, numbers, note, tmp_path):
    read = table(tmp_path, "a.csv", "\n".join(["a\tb", *(f"{cell}\tx" for cell in text.split(";"))]), delimiter="\t")
    np.testing.assert_array_equal(read.frame["a"], numbers)
    assert any(note in line for line in read.notes)


@pytest.mark.parametrize("text", OTHERS)
def test_codes_and_texts_are_categories(text, tmp_path):
    assert table(tmp_path, "a.csv", text.replace(",", ";")).frame["a"].dtype == "category"


@pytest.mark.parametrize("case", DOUBTS)
def test_ambiguous_column_is_refused_with_lines(case, tmp_path):
    text, message = DOUBTS[case]
    with pytest.raises(DataError, match=rf"(?s)a\.csv, {message if 'column' in message else '.*' + message}"):
        table(tmp_path, "a.csv", text)


def test_options_resolve_ambiguous_columns(tmp_path):
    text = "a,b\n1,2\nx,3\n4,5\n"
    assert listed(table(tmp_path, "a.csv", text, nominal=["a"]).frame["a"]) == ["1", "x", "4"]
    np.testing.assert_array_equal(table(tmp_path, "a.csv", text, missing=["x"]).frame["a"], [1, np.nan, 4])
    with pytest.raises(DataError, match=r"line 3, column 1 \('a'\): 'x' is not a number"):
        table(tmp_path, "a.csv", text, numeric=["a"])


@pytest.mark.parametrize(
    ("texts", "decimal", "numbers"),
    [
        (["1\u00a0250", "-17\u00a0000.5", "3"], ".", [1250, -17000.5, 3]),
        (["1\u202f250,5", "17\u202f000", "3,25"], ",", [1250.5, 17000, 3.25]),
        (["1.299,99", "850,00", "1.000.000,5"], ",", [1299.99, 850, 1000000.5]),
        (["CHF 1’250.50", "CHF 3’000", "CHF 7"], ".", [1250.5, 3000, 7]),
        (["1_250", "17_000", "3"], ".", [1250, 17000, 3]),
        (["\u0661\u0662\u066b\u0665", "\uff17", "3"], ".", [12.5, 7, 3]),
        (["\u22121.5", "2", "3"], ".", [-1.5, 2, 3]),
        (["$1,200", "-$80.5", "?"], ".", [1200, -80.5, np.nan]),
        (["0.3%", " 12 %", "NA"], ".", [0.3, 12, np.nan]),
        (["00001", "+1.5", '"2 "'], ".", [1, 1.5, 2]),
    ],
)
def test_numeric_option_parses_formatted_numbers(tmp_path, texts, decimal, numbers):
    text = "a\tb\n" + "".join(f"{text}\tx\n" for text in texts)
    found = table(tmp_path, "a.csv", text, numeric=["a"], decimal=decimal, delimiter="\t").frame["a"]
    np.testing.assert_array_equal(found, numbers)


def test_codes_with_leading_zeros_stay_text(tmp_path):
    content = table(tmp_path, "a.csv", "a,b,c,d\n00001,0,0.5,01.5\n10000,1,0,2\nNA,0,00.1,3\n")
    assert listed(content.frame["a"]) == ["00001", "10000", None]
    assert [content.frame[name].dtype for name in "bcd"] == [np.float64] * 3


def test_quoted_values_may_span_lines(tmp_path):
    content = table(tmp_path, "a.csv", 'a,b\r\n"x\r\ny",1\r\n\r\n"z\n\nw, ""NA""" ,2\r\nNA,3\r\n')
    assert listed(content.frame["a"]) == ["x\ny", 'z\n\nw, "NA"', None]
    assert content.numbers == [2, 5, 8]
    with pytest.raises(DataError, match=r"line 4: the row has 3 values, expected 2"):
        table(tmp_path, "a.csv", 'a,b\n"x\ny",1\n1,2,3\n')


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (pd.DataFrame({"a": [5, 6, 7], "y": ["u", "v", "u"]}).to_csv(), ["a", "y"]),
        ('"","a","y"\n"1",5,"u"\n"2",6,"v"\n', ["a", "y"]),  # R's write.csv
        (",a,y\nMazda,5,u\nFiat,6,v\n", ["a", "y"]),
        (",a,y\n007,5,u\n008,6,v\n", ["a", "y"]),
        ("Unnamed: 0,a,y\n0,5,u\n1,6,v\n", ["a", "y"]),
    ],
)
def test_row_names_are_left_out_with_a_note(written, names, tmp_path):
    content = table(tmp_path, "a.csv", written)
    assert list(content.frame.columns) == names
    assert "the first column has no name" in content.notes[0]
    assert "row_names=false" in content.notes[0]
    assert table(tmp_path, "a.csv", written, row_names=False).frame.shape[1] == 3
    content = table(tmp_path, "a.csv", written, row_names=True)
    assert list(content.frame.columns) == names
    assert content.notes == []
    for other in (",a\n0,5\n2,6\n", "id,a\n0,5\n1,6\n", ",a\nu,5\nu,6\n"):
        assert table(tmp_path, "b.csv", other).frame.shape[1] == 2


@pytest.mark.parametrize("quote", ["", '"'])
def test_r_row_names_are_unnamed(quote, tmp_path):
    rows = [f"{quote}{name}{quote}\t{number}\t{number * 2}" for number, name in enumerate(("Mazda RX4", "Duster"))]
    written = "\n".join(["mpg\thp", *rows, ""])
    found = table(tmp_path, "cars.txt", written, delimiter="\t").frame
    assert found.to_dict("list") == {"mpg": [0.0, 1.0], "hp": [0.0, 2.0]}
    with pytest.raises(DataError, match="2 names, and line 2 has 3 values"):
        table(tmp_path, "cars.txt", "mpg\thp\n2\t2\t3\n", delimiter="\t")
    assert table(tmp_path, "cars.txt", "mpg\thp\n1\t2\t3\n2\t3\t4\n", delimiter="\t").frame.shape == (2, 2)


def test_long_cells_take_linear_time(tmp_path):
    """A quadratic search would take hours here: 13 s at 20,000 digits."""
    with pytest.raises(DataError, match=r"line 2, column 1 \('a'\): '1{40}\.\.\.' is not a number"):
        table(tmp_path, "a.csv", "a,b\n" + "1" * 1_000_000 + "!,1\n", numeric=["a"])
    frame = table(tmp_path, "a.csv", "a,b\nx" + " " * 1_000_000 + "y,1\nz , 2\n").frame
    assert frame["b"].tolist() == [1, 2]


def test_plain_text_is_split_by_pyarrow(tmp_path, monkeypatch):
    """The csv module takes ten times as long."""
    monkeypatch.setattr(cells, "text_columns", None)
    assert table(tmp_path, "a.csv", 'a,b\n1,"x"\n\n2,y\n').frame.shape == (2, 2)


@pytest.mark.parametrize("delimiter", ["§", "\u2028"])
def test_any_delimiter_is_accepted(delimiter, tmp_path):
    frame = table(tmp_path, "a.csv", f"a{delimiter}b\n1{delimiter}u\n", delimiter=delimiter).frame
    assert frame["a"].tolist() == [1]


def test_csv_options_have_effect(tmp_path):
    frame = table(tmp_path, "a.data", "1  2\t3\n4 5 6 \n", delimiter=" ", header=False, nominal=["x2"]).frame
    assert list(frame.columns) == ["x1", "x2", "x3"]
    assert listed(frame["x2"]) == ["2", "5"]
    assert frame["x3"].tolist() == [3, 6]
    frame = table(tmp_path, "a.txt", "p;q\n1;NA\n", delimiter=";", names=["a", "b"], missing=["NA"]).frame
    assert list(frame.columns) == ["a", "b"]
    assert frame["b"].isna().all()
    assert table(tmp_path, "a.csv", "a,b\n1,2\n", nominal="all").frame["a"].tolist() == ["1"]


def test_compressed_files_are_read(tmp_path):
    text = b"a,y\n1,u\n2,v\n"
    assert table(tmp_path, "a.csv.bz2", bz2.compress(text)).frame.shape == (2, 2)
    with zipfile.ZipFile(tmp_path / "b.csv.zip", "w") as archive:
        archive.writestr("inside/b.csv", text)
    assert read(tmp_path / "b.csv.zip").frame.shape == (2, 2)
    assert read((tmp_path / "b.csv.zip").rename(tmp_path / "b.zip")).frame.shape == (2, 2)
    (tmp_path / "b.zip").rename(tmp_path / "b.csv.zip")
    with zipfile.ZipFile(tmp_path / "b.csv.zip", "a") as archive:
        archive.writestr("other.csv", "b\n1\n")
    with pytest.raises(DataError, match=r"b.csv.zip: expected an archive of one file, found inside/b\.csv, other\.csv"):
        read(tmp_path / "b.csv.zip")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.csv.gz", gzip.compress(b"a,b\n" + bytes(range(32, 127)) * 50)[:-20]),
        ("cut.csv.bz2", bz2.compress(b"a,b\n" * 99)[:-5]),
        ("cut.zip", b"PK\x03\x04 and no more"),
    ],
)
def test_truncated_archive_is_refused(name, content, tmp_path):
    with pytest.raises(DataError, match=r"cut.*: cannot be unpacked: .*get it again"):
        table(tmp_path, name, content, format="csv")


CSV_CASES = {
    "names twice": ("a,b,a\n1,2,3\n", {}, r"column 3 \('a'\): .* declared twice.*duplicates=rename"),
    "after a quote": ('a,b\n1,2\n"red"x,2\n', {}, r"line 3: ',' expected after '\"' that closes a value"),
    "blanks": ("\ufeff\n\x1c\n", {}, "the file has nothing but blanks"),
    "two units": ("a\n5%\n0.05\n", {"numeric": ["a"]}, r"column 1 \('a'\): .* different signs or units: %, none"),
    "two decimal marks": ('a\n1.5\n"2,5"\n', {"numeric": ["a"]}, r"line 3, column 1 \('a'\): '2,5' is not a number"),
    "open quote": ('a,b\n1,2\n3,"4\n', {}, r"line 3: a quote .* that is opened here is not closed"),
    "no rows": ("a,b\n", {}, "no rows of data"),
    "empty": ("", {}, "the file is empty"),
    "html": ("\n<html><body>no</body></html>", {}, "this is an HTML page"),
    "not utf-8": (b"a,b\n1,2\n1,\xe9t\xe9\n", {}, "line 3: byte 0xe9 at position 3 of the line is not utf-8"),
    "names": ("1,2\n", {"header": False, "names": ["a"]}, "the option names has 1 name, and line 1 has 2 values"),
    "nominal": ("alpha,b\n1,2\n", {"nominal": ["alhpa"]}, "no column 'alhpa'; did you mean 'alpha'"),
    "delimiter": ("a,b\n1,2\n", {"delimiter": ", "}, "must be one character"),
    "quote": ("a,b\n1,2\n", {"delimiter": '"'}, "not a quote"),
    "title": ("A title\n1,2\n", {}, "line 1: the line has 1 name, and line 2 has 2 values"),
    "option": ("a,b\n1,2\n", {"nomnal": ["a"]}, "no option 'nomnal'; did you mean 'nominal'.*Its options are"),
    "format": ("a,b\n1,2\n", {"format": "cvs"}, "unknown format 'cvs'; did you mean 'csv'"),
}


@pytest.mark.parametrize("case", CSV_CASES)
def test_invalid_csv_files_are_refused(case, tmp_path):
    text, options, message = CSV_CASES[case]
    with pytest.raises(DataError, match=rf"a\.csv.*{message}"):
        table(tmp_path, "a.csv", text, **options)


def test_missing_file_raises_one_error(tmp_path):
    with pytest.raises(DataError, match="cannot be read: embedded null byte"):
        read("a\0b.csv")
    with pytest.raises(DataError, match=r"none\.csv: cannot be read: No such file"):
        read(tmp_path / "none.csv")


def test_suffix_determines_the_format():
    assert format_of("a/b.ARFF.zip") == "arff"
    assert format_of("x.rda") == "rdata"
    with pytest.raises(DataError, match="unknown suffix"):
        format_of("table.gz")


KEEL = """@relation shifted
@attribute a real [1.0,2.5]
@attribute b{x, y}
@attribute 30Y integer[0,3]
@inputs a, b
@outputs 30Y
@data
1.5, x, 3
<null>, y, ?
"""


def test_keel_files_are_read(tmp_path):
    frame = table(tmp_path, "a.dat", KEEL).frame
    assert list(frame.columns) == ["a", "b", "30Y"]
    np.testing.assert_array_equal(frame["a"], [1.5, np.nan])
    assert listed(frame["b"]) == ["x", "y"]
    np.testing.assert_array_equal(frame["30Y"], [3, np.nan])


TAB = (
    "g1\tg2\t\tsample\tkind\n"
    "c\tcontinuous\tu v\tstring\td\n"
    "\t\t\tmeta\tclass\n"
    "1\t-2\tu\ts 1\tALL\n"
    "?\t3\tv\ts2\tMLL\n"
    "\t\t\t\n"
)


def test_tab_files_are_read(tmp_path):
    for text in (TAB, TAB.replace("\n", "\r\n")):
        content = table(tmp_path, "a.tab", text)
        frame = content.frame
        assert list(frame.columns) == ["g1", "g2", "x3", "kind"]
        np.testing.assert_array_equal(frame["g1"], [1, np.nan])
        assert listed(frame["x3"]) == ["u", "v"]
        assert content.targets == ("kind",)
        assert content.numbers == [4, 5]


def test_tab_with_one_line_of_names(tmp_path):
    text = "C#age\tcD#sick\tmS#name\twC#w\tD#code\tfree\n" + "1\t0\ta\t.5\t1\tu\n2\t1\tb\t1\t2\tv\n"
    content = table(tmp_path, "a.tab", text)
    assert content.frame.dtypes.map(str).to_dict() == {
        **dict.fromkeys(("age", "w"), "float64"),
        **dict.fromkeys(("sick", "code", "free"), "category"),
    }
    assert content.targets == ("sick",)
    assert content.notes == ["w is declared to have weights; if so: --weights w"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("?\t3\t", "?\t", "line 5: the row has 4 values, expected 5"),
        ("1\t-2", "1\tx", r"line 4, column 2 \('g2'\): 'x' is not a number"),
        ("continuous\t", "real\t", "line 2, column 2: unknown type 'real'"),
        ("g2", "g1", r"column 2 \('g1'\): the column name 'g1' is declared twice"),
        ("\t\t\tmeta\tclass\n", "m\tm\tm\tm\tm\n", "line 3: every column is flagged meta or ignore"),
        ("\td\n", "\n", "line 2: 5 names, 4 types and 5 flags"),
        ("\tmeta\tclass\n", "\tmeta\tclass\t\t\n", "line 3: 5 names, 5 types and 7 flags"),
    ],
)
def test_invalid_tab_files_are_refused(old, new, message, tmp_path):
    with pytest.raises(DataError, match=rf"a\.tab.*{message}"):
        table(tmp_path, "a.tab", TAB.replace(old, new, 1))


def test_decimal_commas_are_read(tmp_path):
    text = "a;b;c\n1,5;x,1;3\n-,5e2;y;4\n"
    content = table(tmp_path, "a.csv", text, delimiter=";", decimal=",").frame
    np.testing.assert_array_equal(content["a"], [1.5, -50.0])
    assert listed(content["b"]) == ["x,1", "y"]
    np.testing.assert_array_equal(content["c"], [3, 4])
    with pytest.raises(DataError, match=r"line 3, column 2 \('b'\): '1\.250' has a point"):
        table(tmp_path, "a.csv", "a;b\n2;1,5\n3;1.250\n", delimiter=";", decimal=",")
    assert listed(table(tmp_path, "a.csv", "a;b\n1.2;2\n1,3;3\n", delimiter=";", decimal=",", nominal=["a"]).frame["a"])


def test_names_are_read_or_given(tmp_path):
    found = table(tmp_path, "a.csv", ",x,,\n5,1,2,a\n5,2,1,b\n", nominal=["column 3"])
    assert list(found.frame) == ["column 1", "x", "column 3", "column 4"]
    assert list(table(tmp_path, "a.csv", "'a','b'\n1,2\n").frame.columns) == ["a", "b"]
    assert list(table(tmp_path, "a.csv", "a,a\n1,2\n", duplicates="rename").frame.columns) == ["a", "a_2"]


@pytest.mark.parametrize("number", ["9007199254740993", "+9007199254740993"])
def test_integers_beyond_float64_are_refused(tmp_path, number):
    path = tmp_path / "a.csv"
    path.write_text(f"a,b\n9007199254740992,1\n{number},1\n")
    with pytest.raises(DataError, match=r"line 3, column 1 \('a'\): float64 cannot .*9007199254740993.*--nominal a"):
        read(path)
    assert set(read(path, nominal=["a"]).frame["a"]) == {"9007199254740992", number}
