"""Files as users have them: encodings, decimal commas, sheets, comment lines and SPSS labels are detected."""

import zipfile

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from sslrank.core.errors import DataError
from sslrank.datasets.readers import read
from sslrank.tabular.schema.reading import read_columns, read_own
from sslrank.tabular.schema.roles import ColumnRoles

N = 24
RNG = np.random.default_rng(5)
FRAME = pd.DataFrame(
    {
        "weight": (RNG.normal(size=N) * 3 + 0.125).round(3),
        "soil": RNG.choice(["clay", "sand"], N),
        "grown": RNG.choice(["yes", "no"], N),
    }
)


def own(path, target="grown", **options):
    return read_own(path, [target], **options)


def save_sav(path):
    pyreadstat.write_sav(FRAME, path)


def save_ods(path):
    """Write a workbook of OpenDocument with one sheet."""
    office = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{name}="{office}:{name}:1.0"' for name in ("office", "table", "text"))
    rows = ""
    for row in [FRAME.columns, *FRAME.itertuples(index=False)]:
        cells = [
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            if isinstance(cell, str)
            else f'<table:table-cell office:value-type="float" office:value="{float(cell)!r}"/>'
            for cell in row
        ]
        rows += f"<table:table-row>{''.join(cells)}</table:table-row>"
    sheet = f'<table:table table:name="Sheet1">{rows}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    zipped(
        path,
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{office}:manifest:1.0"/>',
            "content.xml": f"<office:document-content {spaces}>{body}</office:document-content>",
        },
    )


WRITERS = {
    "a.ods": lambda path: save_ods(path),
    "a.xls": lambda path: save_ods(path),  # the content decides
    "a.csv": lambda path: FRAME.to_csv(path, index=False, encoding="utf-16"),
    "a.txt": lambda path: FRAME.to_csv(path, index=False, encoding="utf-16", sep="\t"),  # Excel's Unicode text
    "a.json": lambda path: FRAME.to_json(path, orient="records"),
    "b.json": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "a.feather": lambda path: FRAME.to_feather(path),
    "a.dta": lambda path: FRAME.to_stata(path, write_index=False),
    "a.sav": save_sav,
    "a.xpt": lambda path: pyreadstat.write_xport(FRAME, path),
    "a.dat": lambda path: FRAME.to_csv(path, sep="\t", index=False),
    "a.zip": lambda path: zipped(path, {"trial.csv": FRAME.to_csv(index=False), "__MACOSX/._trial.csv": "?"}),
}


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("name", WRITERS)
def test_formats_give_equal_tables(name, tmp_path):
    WRITERS[name](tmp_path / name)
    found = own(tmp_path / name)
    np.testing.assert_array_equal(found.X["weight"], FRAME["weight"])
    assert found.X["soil"].astype(object).tolist() == FRAME["soil"].tolist()
    assert found.y.tolist() == FRAME["grown"].tolist()


def test_sas_files_are_read_by_pyreadstat(tmp_path, monkeypatch):  # no library writes them
    save_sav(tmp_path / "a.sas7bdat")
    monkeypatch.setattr(pyreadstat, "read_sas7bdat", pyreadstat.read_sav)
    assert own(tmp_path / "a.sas7bdat").X["weight"].tolist() == FRAME["weight"].tolist()
    monkeypatch.undo()
    with pytest.raises(DataError, match="sas7bdat"):
        own(tmp_path / "a.sas7bdat")


def workbook(path, merge=None):
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame({"About": ["a trial"]}).to_excel(writer, sheet_name="Read me", index=False)
        FRAME.to_excel(writer, sheet_name="Trial", index=False)
        (-FRAME[["weight"]]).assign(grown=FRAME["grown"]).to_excel(writer, sheet_name="Draft", index=False)
        writer.book["Draft"].sheet_state = "hidden"
        if merge:
            writer.book["Trial"].merge_cells(merge)
    return path


def test_sheet_with_target_is_read(tmp_path):
    path = workbook(tmp_path / "a.xlsx")
    found = own(path)
    assert list(found.X) == ["weight", "soil"]
    assert "the sheet Trial is read, not Read me, Draft (hidden); else --reader sheet=NAME" in found.notes
    assert read_columns(path, ["soil", "grown"])[0]["soil"].tolist() == FRAME["soil"].tolist()
    assert own(path, sheet="Draft").X["weight"].tolist() == (-FRAME["weight"]).tolist()
    merged = own(workbook(tmp_path / "b.xlsx", merge="B3:B7"))
    assert set(merged.X["soil"].iloc[1:6]) == {FRAME["soil"].iloc[1]}
    assert any("merged cells (B3:B7)" in note for note in merged.notes)
    with pytest.raises(DataError, match=r"no sheet has harvest in the row of its names; .* Read me, Trial, Draft"):
        own(path, "harvest")


def test_decimal_commas_and_windows_encoding_are_detected(tmp_path):
    frame = FRAME.assign(soil=FRAME["soil"].replace("clay", "argile mêlée"))
    frame.to_csv(tmp_path / "a.csv", sep=";", decimal=",", encoding="cp1252", index=False)
    found = own(tmp_path / "a.csv")
    np.testing.assert_array_equal(found.X["weight"], FRAME["weight"])
    assert "," not in "".join(read_columns(tmp_path / "a.csv", ["weight"])[0]["weight"])
    assert "argile mêlée" in set(found.X["soil"])
    assert "its decimal mark is taken to be ','; else --reader decimal=." in found.notes
    assert "its encoding is taken to be 'cp1252'; else --reader encoding=utf-8" in found.notes


def test_non_data_lines_are_skipped(tmp_path):
    head, *rows = FRAME.to_csv(index=False).splitlines()
    (tmp_path / "a.csv").write_text("\n".join(["Trial of 2031", head, "kg,,", *rows, "Source: field book"]) + "\n")
    with pytest.raises(DataError, match=rf"line {N + 4}: .*--reader skip_lines={N + 4}"):
        own(tmp_path / "a.csv")
    with pytest.raises(DataError, match=r"line 1: .*--reader skip_lines=1 leaves it out"):
        own(tmp_path / "a.csv", skip_lines="-1")
    found = own(tmp_path / "a.csv", skip_lines="1,3,-1")
    np.testing.assert_array_equal(found.X["weight"], FRAME["weight"])
    assert f"skip_lines leaves out lines 1 ('Trial of 2031'), 3 ('kg,,'), {N + 4} ('Source: field book')" in found.notes
    (tmp_path / "b.csv").write_text("a,y\n" + "".join(f"{row},{row % 2}\n" for row in range(9)) + "Summe,4\n")
    with pytest.raises(DataError, match=r"'Summe' in line 11.* --reader skip_lines=11 if that is a row of totals"):
        own(tmp_path / "b.csv", "y")
    with pytest.raises(DataError, match="expected numbers of lines such as 1-3,45"):
        own(tmp_path / "a.csv", skip_lines="first")
    with pytest.raises(DataError, match="nothing but blanks"):
        own(tmp_path / "a.csv", skip_lines="1-999")
    text = FRAME.to_csv(index=False, sep=";", decimal=",")
    (tmp_path / "c.csv").write_text(f"\u00c5r 2031\nprepared by X\n{text}", encoding="utf-8")  # its bytes have NEL
    with pytest.raises(DataError, match=r"line 3: .* all lines above it are a title: --reader skip_lines=1-2"):
        own(tmp_path / "c.csv")
    np.testing.assert_array_equal(own(tmp_path / "c.csv", skip_lines="1-2").X["weight"], FRAME["weight"])


COLUMNS = {
    "leading zeros are codes": ([f"00{i % 5}.{i % 2}" for i in range(N)], {}, "003.1"),
    "a zero before the point": ([f"0{i % 5}.25" for i in range(N)], {}, 3.25),
    "one unit": ([f"{i / 4} mg" for i in range(N)], {"roles": ColumnRoles(numeric=["a"])}, 0.75),
    "a limit": (["<0.4", "1.5", "<2", "<0.5"] * (N // 4), {"below": "limit"}, 0.5),
    "half of a limit": (["<0.4", "1.5", "<2", "<0.5"] * (N // 4), {"below": "half"}, 0.25),
    "above a limit": (["<0.4", "1.5", "3", ">9"] * (N // 4), {"below": "half"}, 9.0),
    "another mark": ([1.5, 2, 3, -7777.0] * (N // 4), {"missing": ["-7777"]}, None),
}


@pytest.mark.parametrize("case", COLUMNS)
def test_values_are_typed_by_column(case, tmp_path):
    values, options, expected = COLUMNS[case]
    FRAME.assign(a=values).to_csv(tmp_path / "a.csv", index=False)
    value = own(tmp_path / "a.csv", **options).X["a"].iloc[3]
    assert value == expected if expected else np.isnan(value)


def test_codes_like_missing_values_can_be_kept(tmp_path):
    country = RNG.choice(["NA", "BW", "ZA", "ZM", "AO", "MZ"], N)
    FRAME.assign(country=country, allergy=["pollen", ""] * (N // 2)).to_csv(tmp_path / "a.csv", index=False)
    found = own(tmp_path / "a.csv")
    assert any("country: codes of two letters" in note and "not_missing=NA" in note for note in found.notes)
    assert "NA" in set(own(tmp_path / "a.csv", not_missing=["NA"]).X["country"])
    assert set(own(tmp_path / "a.csv", not_missing=[""]).X["allergy"]) == {"pollen", ""}


def test_spss_labels_and_missing_values_are_read(tmp_path):
    frame = FRAME.assign(site=RNG.integers(1, 3, N).astype(float), rooms=[*range(1, 5), 97, 98] * 4)
    labels = {"site": {1.0: "north", 2.0: "south"}, "rooms": {97.0: "refused"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels, missing_ranges={"rooms": [97, 98]})
    found = own(tmp_path / "a.sav").X
    assert set(found["site"]) == {"north", "south"}
    assert found["rooms"].isna().sum() == 8
    assert found["rooms"].max() == 4


def test_points_between_thousands_are_read_where_one_number_shows_them(tmp_path):
    (tmp_path / "a.csv").write_text("a;b\n1.234,50;x\n225,80;y\n1.234;x\n")
    found = read(tmp_path / "a.csv", "csv", delimiter=";", decimal=",").frame["a"]
    assert found.tolist() == [1234.5, 225.8, 1234]
    (tmp_path / "b.csv").write_text("a;b\n1.234;x\n225,80;y\n")  # 1234 or 1.234?
    with pytest.raises(ValueError, match="has a point"):
        read(tmp_path / "b.csv", "csv", delimiter=";", decimal=",")
