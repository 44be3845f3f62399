"""Problems that people reported of other programs, as small tables: what ``sslrank rank`` and ``rank`` make of them.

Their titles, kinds and what we do are in ``tests/reported_problems.md``.
"""

import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import rdata

import sslrank

N = 24
FAST = {"methods": "f_score", "effort": "order"}
LIST = Path(__file__).parents[1] / "reported_problems.md"
RNG = np.random.default_rng(8)
SIZE = np.round(RNG.normal(size=N) + np.arange(N) % 2 * 2, 2)
Y = np.array(["no", "yes"])[np.arange(N) % 2]


T = ("--target", "y")


def file(header, row, *options, name="a.csv", encoding="utf-8", values=("",)):
    """A file: its header, a line by j from 1 (i, n: other orders), size, target, and values that repeat."""
    facts = [{"j": j + 1, "i": j % 5, "n": j * 7 % 24, "size": SIZE[j], "y": Y[j]} for j in range(N)]
    lines = [row.format(a=values[j % len(values)], **fact) for j, fact in enumerate(facts)]
    options = options if "--target" in options else (*T, *options)
    return name, ("\n".join([*([header] if header else []), *lines]) + "\n").encode(encoding), options


def saved(name, write, *options):
    """A file that a function writes to a path."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        return name, path.read_bytes(), options


def sheets(name="a.xlsx", merge=None, **frames):
    """A workbook of several sheets, of whose last one cells are merged."""

    def write(path):
        with pd.ExcelWriter(path) as writer:
            for title, sheet in frames.items():
                sheet.to_excel(writer, sheet_name=title, index=False)
            if merge:
                writer.book[title].merge_cells(merge)

    return saved(name, write, *T)


def frame(columns, y=Y, **options):
    """Arguments of :func:`sslrank.rank`; the feature `size` is related to the target."""
    X = pd.DataFrame({"size": SIZE} | columns) if isinstance(columns, dict) else columns
    return X, y, options


def column(values, *options, **others):
    """A file with a column `a` of given values, which repeat."""
    return file("a;size;y", "{a};{size};{y}", *options, values=values, **others)


def commas(values, *options):
    """A file of given values whose other numbers are whole, so that a comma may be the decimal mark."""
    return file("a;size;y", "{a};{n};{y}", *options, values=values)


TABLE = pd.DataFrame({"size": SIZE, "plot": list("abcdef") * 4, "y": Y})
COMMA = ("--numeric", "a", "--reader", "decimal=,")
THOUSANDS = [f"{j + 1}_{j * 37:03d}" for j in range(N)]
#: Tracker and number -> the table, and a pattern of what is said (in Python: described).
PROBLEMS = {
    "pandas-dev/pandas#14124": (file("A,size,y", "{i},{size},{y},"), "features: 2 numeric"),
    "pandas-dev/pandas#27515": (
        file("", "{i},{size},{y},", "--target", "x3", "--reader", "header=false"), "left out, empty: x4",
    ),
    "pandas-dev/pandas#21768": (file("a size y", "{i} {size} {y} ", name="a.txt"), "features: 2 numeric"),
    "natcap/invest#146": (file("a,size,y", "{i},{size},{y}{a}", values=[",", ""]), "line 3: the row has 3 values"),
    "pandas-dev/pandas#38830": (
        file("Date,Time,size,y", "2020-12-1{i},00:{j:02d}:00,{size},{y},"),
        r"Date: dates, read as days since 2020-12-10;.*Time: times of day",
    ),
    "apache/arrow#26743": (file("a|size|y|", "{i}|{size}|{y}|"), "features: 2 numeric, 0 nominal"),
    "pandas-dev/pandas#38587": (file("size,y", "{size},{y},{i},1"), "2 names, and line 2 has 4 values"),
    "tidyverse/readr#796": (
        commas([a.replace("_", "\u202f") + ",5" for a in THOUSANDS], *COMMA), "features: 2 numeric",
    ),
    "tidyverse/readr#1459": (
        column([a.replace("_", "’") for a in THOUSANDS], *COMMA[:2], "--reader", "encoding=cp1252", encoding="cp1252"),
        "features: 2 numeric",
    ),
    "JuliaData/Parsers.jl#128": (column(THOUSANDS), "a: read as numbers, .* --nominal if not"),
    "tidyverse/readr#799": (
        column([a.replace("_", ",") for a in THOUSANDS]), "--numeric a.*--reader decimal=,",
    ),
    "tidyverse/readr#265": (column(["4", "4,000.", "17"], "--numeric", "a"), "features: 2 numeric"),
    "tidyverse/readr#1522": (
        commas(["2,1", "2,1", "2,1", "2.1"], "--reader", "decimal=,"), "line 5.*'2.1' has a point",
    ),
    "tidyverse/readr#1181": (column(["1,5", "2,7", "3"]), "a: read as numbers, '1,5' as 1.5;"),
    "tidyverse/readr#1349": (column(["23", "41", "32", "2,3", "24,5"]), "a: read as numbers, '2,3' as 2.3;"),
    "tidyverse/readr#556": (commas([f"{j + 100}.456,78" for j in range(N)], *COMMA), "features: 2 numeric"),
    "pola-rs/polars#2951": (file("a,size,y", "{n}, {size}, {y}"), "features: 2 numeric"),
    "pola-rs/polars#22137": (
        column(["18446744073709551615", "18446744073709551614"]), "float64 cannot hold.*--nominal a",
    ),
    "pola-rs/polars#27654": (
        column(["12345678901234567890", "99999999999999999999"], "--nominal", "a"), "1 numeric, 1 nominal: a",
    ),
    "pola-rs/polars#18797": (column(["1.299,99", "2.500,00", "7.000,50"]), "a: read as numbers, '1.299,99' as 1299"),
    "Rdatatable/data.table#763": (
        file('"x"\t"size"\t"y"', '"{j}"\t{i}\t{size}\t"{y}"', name="a.tsv"), "taken for row names",
    ),
    "Rdatatable/data.table#2526": (file("y,100,200", "{y},{size},{i}"), "names of 2 of 3 columns are numbers"),
    "Rdatatable/data.table#1818": (file("size,x,y", "r{i},{size},{n},{y}"), "row_names=true"),
    "Rdatatable/data.table#5634": (file("size y", '"r{j}" {size} "{y}"', name="a.txt"), "taken for row names"),
    "h2oai/datatable#3363": (file(",first name,size,y", "{j},J{i},{size},{y}"), "1 nominal: first name"),
    "h2oai/h2o-3#15588": (
        file("LCLid,DateTime,KWH/hh (per half hour) ,y", "MAC0{i},2012-10-12 1{i}:30:00.0000000, {size} ,{y}"),
        "DateTime: dates, read as days since 2012-10-12",
    ),
    "airbytehq/airbyte#2021": (column(["5554443", "555 4444", "5554441"]), "numbers or categories.*'555 4444'"),
    "ultorg/public_issues#38": (
        column(["6806*", "7011", "6650", "-353*", "12", "44"]), "numbers or categories.*'6806\\*' in line 2",
    ),
    "sodadata/soda-core#1066": (
        column([*[f"{j}%" for j in range(12)], "3--%"]), "numbers with other characters",
    ),
    "SEL-Columbia/bamboo#434": (
        column([*[str(356938035643809 + j) for j in range(N - 1)], "not supported"]), "'not supported' in line",
    ),
    "mindsdb/type_infer#64": (
        column([f"$1,{j:03d}.50" for j in range(N)], "--numeric", "a"), "features: 2 numeric",
    ),
    "pycaret/pycaret#207": (
        column(["1", "2"], "--nominl", "a"), "unknown option --nominl; did you mean '--nominal'",
    ),
    "pycaret/pycaret#237": (file("size,y", "{size},{i}", "--task", "regression"), "target y: regression"),
    "pycaret/pycaret#3184": (column(["April", "May", "June"]), "1 nominal: a"),
    "alteryx/evalml#1421": (frame({"x <b> [1]": np.arange(N) % 5}), r"best: .*x <b> \[1\]"),
    "lightgbm-org/LightGBM#6146": (frame(np.column_stack([np.arange(N) % 5, SIZE])), "best: x2"),
    "dmlc/xgboost#5081": (frame(pd.DataFrame(np.column_stack([np.arange(N) % 5, SIZE]), columns=[9, 10])), "best: 10"),
    "lightgbm-org/LightGBM#209": (frame({"shade": pd.Categorical(np.arange(N) % 3)}), "best: size, shade"),
    "autogluon/autogluon-assistant#37": (frame({}, np.arange(N) % 5 + 1), "classification.*task='regression'"),
    "autogluon/autogluon#3017": (frame({}, pd.Series(["0", "1", "2"] * 8)), "target y: classification"),
    "autogluon/autogluon#1640": (frame({}, pd.Series(["red", "blue"] * 12), task="classification"), "2 distinct"),
    "autogluon/autogluon#957": (
        frame({"s": pd.array(["a", "b"] * 12, dtype="string")}, pd.array(["1", "0", "2"] * 8, dtype="string")),
        "1 nominal: s",
    ),
    "scikit-learn-contrib/boruta_py#8": (frame({"gone": np.full(N, np.nan)}), "left out, empty: gone"),
    "TeamHG-Memex/eli5#380": (
        frame({"a": np.where(np.arange(N) % 9 == 0, np.nan, np.arange(N) % 7)}), "features: 2 numeric",
    ),
    "deepchecks/deepchecks#573": (frame({}, np.where(np.arange(N) < 6, None, Y)), "18 labelled, 6 unlabelled"),
    "alteryx/featuretools#496": (frame({"a": pd.Categorical(["u", None, "v"] * 8)}), "1 nominal: a"),
    "pycaret/pycaret#1514": (frame({"a": np.array([np.nan, "u", "v"] * 8, dtype=object)}), "1 nominal: a"),
    "pycaret/pycaret#331": (frame({"sex": pd.Categorical(["f", "m"] * 12)}), "1 nominal: sex"),
    "catboost/catboost#1502": (frame({"a": np.arange(N) % 3 + 0.5}, nominal=["a"]), "1 nominal: a"),
    "catboost/catboost#2044": (
        frame({"mixed": [1, "u", 2.5] * 8}), "column 'mixed' of X holds numbers and others, such as 1 and 'u'",
    ),
    "shap/shap#2208": (
        frame(np.array([["Foo", 1], ["Bar", 2], ["Baz", 1]] * 8, dtype=object)), "1 numeric, 1 nominal: x1",
    ),
    "feature-engine/feature_engine#1080": (
        frame({"a": pd.array([1] * N, dtype="Int64"), "b": pd.Categorical(["u"] * N), "c": [None] * N}),
        "left out, constant: a, b.*left out, empty: c",
    ),
    "feature-engine/feature_engine#596": (
        frame({"aa": np.arange(N) % 5}, drop="aa"), r"drop must be a sequence of names.*pass \['aa'\]",
    ),
    "automl/auto-sklearn#205": (frame({"one": np.ones(N)}), "left out, constant: one"),
    "AutoViML/featurewiz#26": (
        frame({"added": pd.date_range("2020-01-01", periods=N)}), "added: dates, read as days since",
    ),
    "Data-Centric-AI-Community/fg-data-profiling#675": (
        frame({"a": [f"{j * 7 % 24}.5" for j in range(N)]}, numeric=["a"]), "features: 2 numeric",
    ),
    "Data-Centric-AI-Community/fg-data-profiling#935": (
        frame({"ids": pd.Series(range(N), dtype=object)}), "left out, a row counter: ids",
    ),
    "crflynn/skranger#156": (frame({"a": np.arange(N) % 7}, methods="ssl_permutation"), "best: size"),
    "topepo/caret#747": (frame({"char": list("abcde") * 4 + list("abcd")}), "best: size, char"),
    "topepo/caret#543": (frame({}), "best: size$"),
    "topepo/caret#913": (frame({"feed": ["casein", "linseed", "soybean"] * 8}, SIZE), "best: (size, feed|feed, size)"),
    "PriorLabs/TabPFN#1002": (frame({"a": [None] * N}, nominal=["a"]), "left out, empty: a"),
    "jamovi/jamovi#437": (
        commas([f"{j},5" for j in range(N)]), "features: 2 numeric.*its decimal mark is taken to be ','; else --reader",
    ),
    "jamovi/jamovi#1116": (column(["42%", '" 67,311,748 "']), "numbers or categories.*--numeric a"),
    "jasp-stats/jasp-issues#3608": (
        commas([f"0,{435 + j}" for j in range(N)]), "2 numeric.*its decimal mark is taken",
    ),
    "jasp-stats/jasp-desktop#403": (
        commas([f"1.{100 + j},92" for j in range(N)]), "a: read as numbers, '1.100,92' as 1100.92;",
    ),
    "awalker89/openxlsx#128": (
        sheets(data=TABLE.assign(plot="virginica"), merge="B2:B9"), "1 range of merged cells .B2:B9.",
    ),
    "tidyverse/readxl#220": (
        sheets(data=TABLE.assign(b=TABLE["plot"]), merge="B3:D4"), "merged cells .B3:D4.*others only in the first cell",
    ),
    "tidyverse/readxl#383": (
        saved("a.xlsx", lambda path: TABLE.to_excel(path, startrow=1, index=False), *T, "--reader", "skip_lines=1"),
        "features: 1 numeric, 1 nominal",
    ),
    "microsoft/vscode-data-wrangler#219": (
        column(["NA", "DE", "ZA", "BW", "AO", "MZ"]), "codes of two letters.*not_missing=NA",
    ),
    "datasets/country-codes#38": (column(["NA", "DE", "ZA"], "--reader", "not_missing=NA"), "1 nominal: a"),
    "adeckmyn/maps#25": (column(['"NA"', '"DE"', '"ZA"']), "1 nominal: a"),
    "bcgov/wqbc#49": (column(["<0.4", "1.25", "3"]), "limits of detection.*below=limit.*below=half"),
    "bcgov/wqbc#73": (column(["<0.4", "1.25", "3"], "--reader", "below=limit"), "features: 2 numeric"),
    "ryanashcraft/restaurant-nutrition-data#8": (
        column(["<5", "12", "7"], "--reader", "below=half"), "features: 2 numeric",
    ),
    "tidyverse/haven#749": (
        saved("a.sav", lambda path: pyreadstat.write_sav(TABLE.assign(age=[*range(42, 20, -1), 998, 999]), path,
            missing_ranges={"age": [998, 999]}), *T),
        "features: 2 numeric, 1 nominal",
    ),
    "tidyverse/haven#290": (
        saved("a.sav", lambda path: pyreadstat.write_sav(TABLE.assign(cut=np.arange(N) % 3 + 1.0), path,
            variable_value_labels={"cut": {1.0: "Fair", 2.0: "Good", 3.0: "Ideal"}}), *T),
        "1 numeric, 2 nominal: plot, cut",
    ),
    "OmicEra/OmicLearn#16": (file("2020-03-01,size,b,y", "{n},{size},{i},{y}"), "turned into dates"),
    "kuanrongchan/STAGES#27": (
        column(["2-Sep", "TP53", "EGFR", "MYC", "KRAS"]), "'2-Sep' and others may be texts that a spreadsheet turned",
    ),
    "submersion-app/submersion#1828": (column(["03/04/1991", "05/04/1991", "07/08/1992"]), "ambiguous.*: a"),
    "Lumina-Finance/lumina-finance#144": (
        column(["03/04/2024", "13/04/2024", "05/06/2024"]), "a: dates, read as days since 2024-04-03",
    ),
    "AlaSQL/alasql#405": (
        saved("a.xlsx", lambda path: TABLE.assign(seen=pd.date_range("2020-11-05", periods=N,
            freq="17D")).to_excel(path, index=False), *T),
        "seen: dates, read as days since 2020-11-05",
    ),
    "iNZightVIT/iNZight#170": (
        saved("a.rds", lambda path: rdata.write_rds(path, pd.DataFrame({"size": SIZE, "y": pd.Categorical(Y)})), *T),
        "features: 1 numeric, 0 nominal",
    ),
    "chilli-axe/mpc-autofill#7": (
        file("1;Plains;Island", "{i};{a}", "--target", "Island", values=["Plains;Island", "Swamp;Sea"]),
        "looks like values, not names: Plains, Island. Add --reader header=false",
    ),
    "mcasalaina/QuestionnaireAgent_v3#71": (
        saved("a.xlsx", lambda path: pd.DataFrame([["Please fill in", None, None], [None] * 3, [*TABLE],
            *TABLE.to_numpy().tolist()]).to_excel(path, index=False, header=False), *T),
        "line 1 is above the names of the columns and left out",
    ),
    "usc-isi-i2/Web-Karma#76": (file("a;size;y", "{n};{size};{y}"), "features: 2 numeric"),
}  # fmt: skip


def said_of(table, run, tmp_path):
    """What the command or the function says of a table."""
    if isinstance(table[0], str):
        name, content, options = table
        (tmp_path / name).write_bytes(content)
        try:
            return " ".join(run("rank", name, *options, "--methods", "f_score", "--effort", "order", "--jobs", 1)[1:])
        except SystemExit:
            return ""
    X, y, options = table
    try:
        found = sslrank.rank(X, y, **(FAST | options))
    except ValueError as error:
        return str(error)
    return " ".join(found.table.describe()) + f" best: {', '.join(map(str, found.best(20)))}"


@pytest.mark.parametrize("problem", PROBLEMS)
def test_reported_problem_is_handled(problem, run, tmp_path, capsys):
    table, pattern = PROBLEMS[problem]
    said = said_of(table, run, tmp_path) or capsys.readouterr().err
    assert "Traceback" not in said
    assert re.search(pattern, said, re.DOTALL), said


def test_list_has_every_problem():
    tested = LIST.read_text(encoding="utf-8").partition("\n## Tried by hand\n")[0]
    assert re.findall(r"^\| (\S+#\d+) \|", tested, re.MULTILINE) == list(PROBLEMS)
    assert f"\n{len(PROBLEMS)} problems that people reported" in tested
