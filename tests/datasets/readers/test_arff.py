"""ARFF of Weka and Clus."""

import numpy as np
import pytest

from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import read


def table(tmp_path, text, name="a.arff", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path, **options)


def test_weka_syntax_is_read(tmp_path):
    content = table(
        tmp_path,
        """% a comment
@RELATION 'it''s'
@Attribute 'a b' REAL % a comment
@attribute\t"c\\"d"\tinteger [1,10]
@attribute e { x, 'y z' ,"%"}
@attribute f string

@DATA
 1 , 2, 'y z', 'some, text'
?,?,?,?  % gene
% a comment

-1.5e3,.5,"%",plain
7,8,y z,p q
""",
    )
    frame = content.frame
    assert list(frame.columns) == ["a b", 'c"d', "e", "f"]
    np.testing.assert_array_equal(frame["a b"], [1, np.nan, -1500, 7])
    np.testing.assert_array_equal(frame['c"d'], [2, np.nan, 0.5, 8])
    assert frame["e"].astype(object).where(frame["e"].notna(), None).tolist() == ["y z", None, "%", "y z"]
    assert frame["f"].tolist() == ["some, text", None, "plain", "p q"]
    assert content.numbers == [9, 10, 13, 14]


def test_sparse_rows_default_to_zero_or_first_value(tmp_path):
    content = """@relation r
@attribute a numeric
@attribute b {no,yes}
@attribute c {'x y',z}
@data
{0 1.5, 1 yes}
{}
{ 1 ? ,2 'x y' }
{0 -2,2 "z"}
"""
    frame = table(tmp_path, content).frame
    assert frame["a"].tolist() == [1.5, 0, 0, -2]
    assert frame["b"].astype(object).where(frame["b"].notna(), None).tolist() == ["yes", "no", None, "no"]
    assert frame["c"].tolist() == ["x y", "x y", "x y", "z"]


def test_hierarchical_attribute_keeps_nodes_and_values(tmp_path):
    content = table(
        tmp_path, "@relation r\n@attribute x numeric\n@attribute class hierarchical 1,1/2,2/0\n@data\n1,1/2@2/0\n2,?\n"
    )
    assert content.hierarchies == {"class": ("1", "1/2", "2/0")}
    assert content.frame["class"].tolist() == ["1/2@2/0", None]


HEADER = "@relation r\n@attribute x numeric\n@attribute c {red,green}\n@data\n"
MALFORMED = "the row is malformed: Error parsing"
BAD = {
    "ragged": (HEADER + "1,red\n2\n", "line 6: expected 2 values .*, found 1"),
    "undeclared": (HEADER + "1,red\n2,gren\n", r"line 6, column 2 \('c'\): value 'gren' .* did you mean 'green'"),
    "text": (HEADER + "1,red\n2,red\nthree,red\n", r"line 7, column 1 \('x'\): 'three' is not a number"),
    "inf": (HEADER + "1,red\n-inf,red\n", r"line 6, column 1 \('x'\): '-inf'"),
    "open quote": (HEADER + "1,'red\n", f"line 5: {MALFORMED}"),
    "duplicate": ("@relation r\n@attribute x real\n@attribute x real\n@data\n1,2\n", "line 3.*'x' is declared twice"),
    "bad type": ("@relation r\n@attribute x time\n@data\n1\n", "line 2: attribute 'x' has unknown type 'time'"),
    "open brace": ("@relation r\n@attribute x {a,b\n@data\na\n", "line 2: .*not closed by a brace"),
    "value twice": ("@relation r\n@attribute x {a,a}\n@data\na\n", "line 2: .*declares value 'a' twice"),
    "no values": ("@relation r\n@attribute x {}\n@data\na\n", "line 2: .*declares no values"),
    "no name": ("@relation r\n@attribute {a}\n@data\na\n", "line 2: an attribute needs a name"),
    "no nodes": ("@relation r\n@attribute x hierarchical\n@data\na\n", "line 2: .*declares no classes"),
    "no data": ("@relation r\n@attribute x real\n", "there is no @data.*get it again"),
    "no attribute": ("@relation r\n@data\n1\n", "no @attribute"),
    "not utf-8": (HEADER.encode() + b"1,red\n2,gr\xfcn\n", "line 6: byte 0xfc at position 5 .* is not utf-8"),
    "sparse index": (HEADER + "{2 red}\n", "line 5: expected indices from 0 to 1"),
    "sparse order": (HEADER + "{1 red,0 1}\n", r"line 5.*index 0 comes after 1"),
    "sparse value": (HEADER + "{1 blue}\n", r"line 5, column 2 \('c'\): value 'blue' is not among"),
    "sparse index twice": (HEADER + "{0 1, 0 2}\n", "line 5: .* an index is duplicated"),
    "braces below": (HEADER + "1,red\n{0 1}\n", "line 6: .* either all rows are enclosed in braces"),
    "escape": (HEADER + "1,'r\\qed'\n", "line 5: .*Unsupported escape sequence"),
    "sparse many quotes": (HEADER + "{0 1}\n{1 " + "\\'" * 500_000 + "}\n", f"line 6: {MALFORMED}"),
    "long number": (HEADER + "1" * 1_000_000 + "x,red\n", r"line 5, column 1 \('x'\): '1{40}\.\.\.' is not a number"),
    "sparse string": ("@relation r\n@attribute s string\n@data\n{0 a}\n", "cannot hold string attribute 's'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_raises_with_line(case, tmp_path):
    text, message = BAD[case]
    with pytest.raises(DataError, match=message) as caught:
        table(tmp_path, text)
    assert "a.arff" in str(caught.value)


def test_duplicate_attribute_can_be_renamed(tmp_path):
    text = "@relation r\n@attribute x real\n@attribute x real\n@attribute x_2 real\n@data\n1,2,3\n"
    with pytest.raises(DataError, match="must be refuse or rename"):
        table(tmp_path, text, duplicates="maybe")
    frame = table(tmp_path, text, duplicates="rename").frame
    assert list(frame.columns) == ["x", "x_2", "x_2_2"]


def test_encoding_can_be_given(tmp_path):
    text = HEADER.replace("green", "grün") + "1,grün\n"
    assert table(tmp_path, text.encode("latin-1"), encoding="latin-1").frame["c"].tolist() == ["grün"]
    with pytest.raises(DataError, match="unknown encoding"):
        table(tmp_path, text, encoding="utf-9")
    with pytest.raises(DataError, match="is not"):
        table(tmp_path, text, encoding="idna")


def test_values_are_escaped_as_weka_writes_them(tmp_path):
    text = (
        '@relation r\n@attribute \'it\\\'s\' {\'a\\tb\',"say \\"\\u0041\\""}\n@data\n\'a\\tb\'\n"say \\"\\u0041\\""\n'
    )
    assert table(tmp_path, text).frame["it's"].tolist() == ["a\tb", 'say "A"']


def test_long_lines_take_linear_time(tmp_path):
    with pytest.raises(DataError, match="Is a quote not closed"):
        table(tmp_path, HEADER + "1," + "'\\" * 300_000 + " % c\n")
    with pytest.raises(DataError, match=r"line 3: .*a quote is not closed"):
        table(tmp_path, "@relation r\n@attribute x real\n@attribute c {a," + " " * 300_000 + "'}\n@data\n1,a\n")
