"""Problems that people reported of other programs, as small tables: what ``sslrank rank`` and ``rank`` make of them.

The table of them is ``tests/reports.md``, which ``python tests/tabular/test_reports.py`` writes.
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
LEDGER = Path(__file__).parents[1] / "reports.md"
#: Where the part of the ledger begins that no test makes.
BY_HAND = "\n## Tried by hand\n"
RNG = np.random.default_rng(8)
SIZE = np.round(RNG.normal(size=N) + np.arange(N) % 2 * 2, 2)
Y = np.array(["no", "yes"])[np.arange(N) % 2]


def file(header, row, *options, name="a.csv", encoding="utf-8", n=N):
    """A file: its header, a line of it by the number of the row, and options of the command."""
    lines = [row(j) for j in range(n)]
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


def size_and_y(j, mark=","):
    return f"{SIZE[j]}{mark}{Y[j]}"


def cell(values):
    """A line with one column of given values, which repeat, then size and target."""
    return lambda j: f"{values[j % len(values)]};{size_and_y(j, ';')}"


def column(values, *options, **others):
    return file("a;size;y", cell(values), *options, **others)


T = ("--target", "y")
TABLE = pd.DataFrame({"size": SIZE, "plot": list("abcdef") * 4, "y": Y})
COMMA = ("--numeric", "a", "--reader", "decimal=,")
#: Tracker and number -> title, kind, what we do, the table, and a pattern of what is said (in Python: described).
REPORTS = {
    "pandas-dev/pandas#14124": (
        "read_csv() does strange things if data rows have trailing delimiter", "trailing delimiter",
        "names stay with their columns",
        file("A,size,y", lambda j: f"{j % 7},{SIZE[j]},{Y[j]},", *T), "features: 2 numeric",
    ),
    "pandas-dev/pandas#27515": (
        "if less names are given than there are columns, it creates an index", "trailing delimiter",
        "the surplus column is named as empty",
        file("", lambda j: f"{j % 5},{SIZE[j]},{Y[j]},", "--target", "x3", "--reader", "header=false"),
        "left out, empty: x4",
    ),
    "pandas-dev/pandas#21768": (
        "Using space as delimiter on file with trailing space gives cryptic error", "trailing delimiter",
        "trailing blanks do not count",
        file("a size y", lambda j: f"{j % 5} {SIZE[j]} {Y[j]} ", *T, name="a.txt"), "features: 2 numeric",
    ),
    "pandas-dev/pandas#41304": (
        "Incorrect parsing csv header line if no separator in the end", "trailing delimiter",
        "names stay with their columns",
        file('"Местное время";"size";"y"', lambda j: f'"{j % 9}";"{SIZE[j]}";"{Y[j]}";', *T), "features: 2 numeric",
    ),
    "natcap/invest#146": (
        "Utils build_lookup_from_csv trailing comma bug", "trailing delimiter", "refused, with the line",
        file("lucode,size,y", lambda j: f"{j % 5},{SIZE[j]},{Y[j]}{',' * (j == 0)}", *T),
        "line 3: the row has 3 values",
    ),
    "pandas-dev/pandas#38830": (
        "Misaligned columns from read_csv on Ecobee CSV", "trailing delimiter", "names stay with their columns",
        file("Date,Time,size,y", lambda j: f"2020-12-{j + 1:02d},00:{j:02d}:00,{SIZE[j]},{Y[j]},", *T),
        r"Date: dates, read as days since 2020-12-01;.*Time: times of day",
    ),
    "apache/arrow#26743": (
        "CSV reader: option to ignore trailing delimiters", "trailing delimiter", "it is ignored",
        file("a|size|y|", lambda j: f"{j % 5}|{SIZE[j]}|{Y[j]}|", *T), r"features: 2 numeric, 0 nominal",
    ),
    "pandas-dev/pandas#15203": (
        "Rows with extra columns set data in index", "trailing delimiter", "names stay with their columns",
        file("UNITID,size,y ", lambda j: f'{100636 + j % 9},"{SIZE[j]}",{Y[j]},', *T), r"1 size +AUC",
    ),
    "pandas-dev/pandas#38587": (
        "Raise ParserWarning when length of names does not match length of data", "names", "refused, with the way",
        file("size,y", lambda j: f"{SIZE[j]},{Y[j]},{j % 3},{j % 2}", *T), "2 names, and line 2 has 4 values",
    ),
    "tidyverse/readr#796": (
        "parse_number can't handle special space character as grouping_mark", "thousands", "read by --numeric",
        file("a;size;y", lambda j: f"{j + 1}\u202f{j * 37:03d},5;{j * 7 % 24};{Y[j]}", *T, *COMMA),
        "features: 2 numeric",
    ),
    "tidyverse/readr#1459": (
        "multi-byte grouping_mark doesn't work when source file is different encoding", "thousands",
        "read by --numeric",
        column([f"{j + 1}’{j * 37:03d}" for j in range(N)], *T, *COMMA[:2], "--reader", "encoding=cp1252",
               encoding="cp1252"),
        "features: 2 numeric",
    ),
    "JuliaData/Parsers.jl#128": (
        "Introduce groupmark number-parsing option", "thousands", "refused, with the way (--numeric)",
        column([f"{j + 1}_{j * 37 % 1000:03d}" for j in range(N)], *T), "mark between thousands.*--numeric a",
    ),
    "tidyverse/readr#799": (
        "Option for thousands separator in read_csv()", "thousands", "refused, with both ways",
        column([f"{j + 1},{j * 37 % 1000:03d}" for j in range(N)], *T), "--reader decimal=,.*--numeric a",
    ),
    "tidyverse/readr#827": (
        "Failure to parse French numbers with parse_double() and parse_integer()", "thousands", "read by --numeric",
        column([f"{j + 1} {j * 37 % 1000:03d}" for j in range(N)], *T, "--numeric", "a"), "features: 2 numeric",
    ),
    "tidyverse/readr#265": (
        "parse_integer() and col_integer() are unable to handle commas", "thousands", "read by --numeric",
        column(["4", "4,000.", "17"], *T, "--numeric", "a"), "features: 2 numeric",
    ),
    "tidyverse/readr#1522": (
        "Reading a number with the incorrect decimal mark does not fail", "decimal mark", "refused, with the line",
        file("a;size;y", lambda j: f"{'2.1' if j == 3 else '2,1'};{j * 7 % 24};{Y[j]}", *T, "--reader", "decimal=,"),
        "line 5.*'2.1' has a point",
    ),
    "tidyverse/readr#1181": (
        "parse_number parses numbers with incorrect thousands separators", "decimal mark", "refused, with the way",
        column(["1,5", "2,7", "3"], *T), "decimal comma.*--reader decimal=,",
    ),
    "tidyverse/readr#1349": (
        "type_convert parses commas out of character numbers", "decimal mark", "refused: numbers or categories?",
        column(["23", "41", "32", "2,3", "24,5"], *T), "numbers or categories",
    ),
    "tidyverse/readr#556": (
        "parse_double not working with custom locale on string-vector", "thousands", "read by --numeric",
        file("a;size;y", lambda j: f"{j + 100}.456,78;{j * 7 % 24};{Y[j]}", *T, *COMMA), "features: 2 numeric",
    ),
    "pola-rs/polars#2951": (
        "Error parsing Int64 (leading blank)", "numbers", "blanks around values do not count",
        file("a,size,y", lambda j: f"{j * 11 % 24}, {SIZE[j]}, {Y[j]}", *T), "features: 2 numeric",
    ),
    "pola-rs/polars#12473": (
        "Infer schema setting dtype to I64 although it exceeded max integer", "64-bit codes", "refused, with the way",
        column(["1" * 98, "2" * 98], *T), "float64 cannot hold.*--nominal a",
    ),
    "pola-rs/polars#22137": (
        "read_csv does not correctly read UInt64 types", "64-bit codes", "refused, with the way",
        column(["18446744073709551615", "18446744073709551614"], *T), "float64 cannot hold.*--nominal a",
    ),
    "pola-rs/polars#27654": (
        "read_csv crash after wrong type inference (i64 instead of i128 / string)", "64-bit codes", "read by --nominal",
        column(["12345678901234567890", "99999999999999999999"], *T, "--nominal", "a"), "1 numeric, 1 nominal: a",
    ),
    "pola-rs/polars#18797": (
        "Parse large floats in CSVs that have periods as the thousands separator", "thousands", "refused, with the way",
        column(["1.299,99", "2.500,00", "7.000,50"], *T), "thousands.*--numeric a.*decimal=,",
    ),
    "pandas-dev/pandas#11440": (
        "OverflowError when loading uint64 from csv", "64-bit codes", "refused, with the way",
        file("dsn|size|y", lambda j: f"{2**64 - 1 - j % 5}|{SIZE[j]}|{Y[j]}", *T), "float64 cannot hold",
    ),
    "Rdatatable/data.table#2370": (
        "fread fails to detect headers when one of the names is empty", "row names", "left out, with a note",
        file(",size,y", lambda j: f"{j + 1},{SIZE[j]},{Y[j]}", *T), "the first column has no name",
    ),
    "Rdatatable/data.table#763": (
        "fread does not handle row.names produced by write.table", "row names", "left out, with a note",
        file('"x"\t"size"\t"y"', lambda j: f'"{j + 1}"\t{j % 5}\t{SIZE[j]}\t"{Y[j]}"', *T, name="a.tsv"),
        "taken for row names",
    ),
    "Rdatatable/data.table#2526": (
        "Error in logic for column name detection", "names", "a note names names that are numbers",
        file("y,100,200", lambda j: f"{Y[j]},{SIZE[j]},{j % 5}", *T), "names of 2 of 3 columns are numbers",
    ),
    "Rdatatable/data.table#1818": (
        "fread row.names option", "row names", "repeated names are refused, with the key",
        file("size,x,y", lambda j: f"r{j % 5},{SIZE[j]},{j % 7},{Y[j]}", *T), "row_names=true",
    ),
    "Rdatatable/data.table#5634": (
        "fread handling of row names with header=TRUE", "row names", "left out, with a note",
        file("size y", lambda j: f'"{j + 1}" {SIZE[j]} "{Y[j]}"', *T, name="a.txt"), "taken for row names",
    ),
    "h2oai/datatable#3363": (
        "fread() behavior when some column names are missing", "row names", "left out, with a note",
        file(",first name,size,y", lambda j: f"{j},{'JK'[j % 2]}ohn,{SIZE[j]},{Y[j]}", *T), "1 nominal: first name",
    ),
    "Rdatatable/data.table#2667": (
        "fread improperly detects sep within quoted fields", "thousands", "refused, with both ways",
        file('"abc","size","y"', lambda j: f'"{j + 1},000","{SIZE[j]}","{Y[j]}"', *T), "may separate thousands",
    ),
    "h2oai/h2o-3#15588": (
        "R Version - Error importing dates. h2o.importFile() - col.types", "dates", "days since the first",
        file("LCLid,DateTime,KWH/hh (per half hour) ,y", lambda j: f"MAC00000{j % 3},2012-10-12 {j:02d}:30:00.0000000, "
             f"{SIZE[j]} ,{Y[j]}", *T), "DateTime: dates, read as days since 2012-10-12",
    ),
    "airbytehq/airbyte#2021": (
        "investigate problems with column type detection in source-file", "kinds", "refused: numbers or categories?",
        column(["5554443", "555 4444", "5554441"], *T), "numbers or categories.*'555 4444'",
    ),
    "ultorg/public_issues#38": (
        "Need more control over column data types when importing CSV/Excel", "kinds", "refused, with values and lines",
        column(["6806*", "7011", "6650", "-353*", "12", "44"], *T), "numbers or categories.*'6806\\*' in line 2",
    ),
    "sodadata/soda-core#1066": (
        "number column (in varchar column type) with invalid value is not detected", "kinds", "a note on units",
        column([*[f"{j}%" for j in range(12)], "3--%"], *T), "numbers with other characters",
    ),
    "SEL-Columbia/bamboo#434": (
        "Dataset import failure on mixed int/strings", "kinds", "refused, with the text",
        column([*[str(356938035643809 + j) for j in range(N - 1)], "not supported"], *T), "'not supported' in line",
    ),
    "mindsdb/type_infer#64": (
        "Postgres money type is inferred as categorical input", "currencies", "read by --numeric",
        column([f"$1,{j:03d}.50" for j in range(N)], *T, "--numeric", "a"), "features: 2 numeric",
    ),
    "pycaret/pycaret#207": (
        "setup() Categorical and Numeric features (a misspelt parameter)", "options", "the nearest option is named",
        column(["1", "2"], *T, "--nominl", "a"), "unknown option --nominl; did you mean '--nominal'",
    ),
    "pycaret/pycaret#237": (
        "Converting target column into numerical feature is not supported", "target", "--task decides",
        file("size,y", lambda j: f"{SIZE[j]},{1 + j % 2}", *T, "--task", "regression"), "target y: regression",
    ),
    "pycaret/pycaret#3184": (
        "Cannot cast object dtype to float64 ('April')", "kinds", "names of months are categories",
        column(["April", "May", "June"], *T), "1 nominal: a",
    ),
    "dmlc/xgboost#1229": (
        "Some error when using feature_importances_ (NameLen_8)", "names", "any name is a name",
        frame({"NameLen_8": np.arange(N) % 5}), "best: .*size",
    ),
    "alteryx/evalml#1421": (
        "LightGBM and XGBoost handling of column names containing <, >", "names", "any name is a name",
        frame({"x <b> [1]": np.arange(N) % 5}), r"best: .*x <b> \[1\]",
    ),
    "lightgbm-org/LightGBM#6146": (
        "How to show feature names in plot_importance?", "names", "columns without names are x1, x2, ...",
        frame(np.column_stack([np.arange(N) % 5, SIZE])), "best: x2",
    ),
    "dmlc/xgboost#5081": (
        "feature_names differ between pd.Int64Index and pd.RangeIndex", "names", "integers stay integers",
        frame(pd.DataFrame(np.column_stack([np.arange(N) % 5, SIZE]), columns=[9, 10])), "best: 10",
    ),
    "lightgbm-org/LightGBM#209": (
        "How to get feature names, aligning with feature_importances_", "names", "importances come with names",
        frame({"shade": pd.Categorical(np.arange(N) % 3)}), "best: size, shade",
    ),
    "alteryx/featuretools#616": (
        "Feature name for less_than* primitives throws ValueError", "names", "any name is a name",
        frame({"Column 1 < Column 2": np.arange(N) % 2 > 0}), "Column 1 < Column 2",
    ),
    "shap/shap#4150": (
        "Fix potential TypeError in numeric feature branch (numeric names)", "names", "numbers are names",
        frame(pd.DataFrame({1.5: SIZE, 2: np.arange(N) % 5})), "best: 1.5",
    ),
    "mljar/mljar-supervised#427": (
        "bug for visualizing feature importance (numbers in names)", "names", "any name is a name",
        frame({"hist_h_ptc_0.262_0.303": np.arange(N) % 5}), "hist_h_ptc_0.262_0.303",
    ),
    "autogluon/autogluon-assistant#37": (
        "Not Able To Inference Problem Types Correctly", "target", "a note names the other kind",
        frame({}, np.arange(N) % 5 + 1), "classification.*task='regression'",
    ),
    "autogluon/autogluon#3017": (
        "AutoMM incorrectly infers problem_type (strings of integers)", "target", "texts are classes",
        frame({}, pd.Series(["0", "1", "2"] * 8)), "target y: classification",
    ),
    "autogluon/autogluon#1640": (
        "fit() raises IndexError when problem_type=multiclass but only 2 classes", "target", "two classes are classes",
        frame({}, pd.Series(["red", "blue"] * 12), task="classification"), "2 different ones",
    ),
    "autogluon/autogluon#957": (
        "minor issue with StringDtype dtype columns", "containers", "read as texts",
        frame({"s": pd.array(["a", "b"] * 12, dtype="string")}, pd.array(["1", "0", "2"] * 8, dtype="string")),
        "1 nominal: s",
    ),
    "scikit-learn-contrib/boruta_py#8": (
        "_nanrankdata (a column of NaN)", "missing values", "left out as empty",
        frame({"gone": np.full(N, np.nan)}), "left out, empty: gone",
    ),
    "scikit-learn-contrib/boruta_py#29": (
        "Example Madalon_Data_Set.ipynb does not work (a DataFrame)", "containers", "a DataFrame is a table",
        frame({"a": np.arange(N) % 7}), "features: 2 numeric",
    ),
    "scikit-learn-contrib/boruta_py#40": (
        "TypeError: must be str, not ValueError (texts)", "kinds", "texts are categories",
        frame({"a": ["u", "v", "w"] * 8}), "1 nominal: a",
    ),
    "Ekeany/Boruta-Shap#21": (
        "missing values check on training data shouldn't be done", "missing values", "missing values are ranked",
        frame({"a": np.where(np.arange(N) == 5, np.nan, np.arange(N) % 7)}), "features: 2 numeric",
    ),
    "uber/causalml#348": (
        "Filter methods fail with NaNs in the data", "missing values", "missing values are ranked",
        frame({"a": np.where(np.arange(N) > 20, np.nan, np.arange(N) * 5 % 24)}), "features: 2 numeric",
    ),
    "TeamHG-Memex/eli5#380": (
        "PermutationImportance does not allow NaNs", "missing values", "missing values are ranked",
        frame({"a": np.where(np.arange(N) % 9 == 0, np.nan, np.arange(N) % 7)}), "features: 2 numeric",
    ),
    "deepchecks/deepchecks#573": (
        "Permutation importance fails with nan labels", "target", "rows without a label are unlabelled",
        frame({}, np.where(np.arange(N) < 6, None, Y)), "18 labelled, 6 unlabelled",
    ),
    "alteryx/featuretools#496": (
        "Improve error message when Categorical variable has NaNs", "missing values", "missing values are ranked",
        frame({"a": pd.Categorical(["u", None, "v"] * 8)}), "1 nominal: a",
    ),
    "pycaret/pycaret#940": (
        "setup() inferring wrong data types", "kinds", "numbers are numbers",
        frame({"sessions": np.arange(N) * 7 % 24, "b": np.arange(N) % 9}), "features: 3 numeric, 0 nominal",
    ),
    "pycaret/pycaret#1514": (
        "setup() infers categorical with np.nan as Date", "kinds", "texts are categories",
        frame({"a": np.array([np.nan, "u", "v"] * 8, dtype=object)}), "1 nominal: a",
    ),
    "pycaret/pycaret#331": (
        "Inference of categorical_features does not work with pandas categoricals", "kinds", "categoricals are nominal",
        frame({"sex": pd.Categorical(["f", "m"] * 12)}), "1 nominal: sex",
    ),
    "catboost/catboost#571": (
        "handling nan categorical features out of the box", "missing values", "missing values are ranked",
        frame({"cat_feature": ["USA", "ILS", "CAD", np.nan] * 6}), "1 nominal: cat_feature",
    ),
    "catboost/catboost#1502": (
        "cat_features must be integer or string (2.0)", "kinds", "nominal= takes numbers",
        frame({"a": np.arange(N) % 3 + 0.5}, nominal=["a"]), "1 nominal: a",
    ),
    "catboost/catboost#2044": (
        "More concise error message with feature name, not only feature_idx", "messages", "the column is named",
        frame({"mixed": [1, "u", 2.5] * 8}), "column 'mixed' of X holds numbers and others, such as 1 and 'u'",
    ),
    "shap/shap#2208": (
        "could not convert string to float for numpy.array input features", "containers", "objects keep their kinds",
        frame(np.array([["Foo", 1], ["Bar", 2], ["Baz", 1]] * 8, dtype=object)), "1 numeric, 1 nominal: x1",
    ),
    "feature-engine/feature_engine#1080": (
        "DropConstantFeatures: all missing, category, nullable integers", "constants", "left out, with the reason",
        frame({"a": pd.array([1] * N, dtype="Int64"), "b": pd.Categorical(["u"] * N), "c": [None] * N}),
        "left out, constant: a, b.*left out, empty: c",
    ),
    "feature-engine/feature_engine#596": (
        "fixed bug in drop_features (a string)", "options", "refused, with the way",
        frame({"aa": np.arange(N) % 5}, drop="aa"), r"drop must be a sequence of names.*pass \['aa'\]",
    ),
    "automl/auto-sklearn#205": (
        "Add removal of constant features...", "constants", "left out, with the reason",
        frame({"one": np.ones(N)}), "left out, constant: one",
    ),
    "AutoViML/featurewiz#26": (
        "Some features created with datetime column are not in the index", "dates", "days since the first",
        frame({"added": pd.date_range("2020-01-01", periods=N)}), "added: dates, read as days since",
    ),
    "Data-Centric-AI-Community/fg-data-profiling#675": (
        "Identify numbers stored as strings", "kinds", "a note, and numeric= reads them",
        frame({"a": [f"{j * 7 % 24}.5" for j in range(N)]}, numeric=["a"]), "features: 2 numeric",
    ),
    "Data-Centric-AI-Community/fg-data-profiling#935": (
        "infer_dtypes doesn't appear to work (ids)", "ids", "a row counter is left out",
        frame({"ids": pd.Series(range(N), dtype=object)}), "left out, a row counter: ids",
    ),
    "whylabs/whylogs#532": (
        "Wrongly inferred types yields erroneous plots (city codes)", "kinds", "nominal= makes them categories",
        frame({"city": np.arange(N) % 4 + 1100}, nominal=["city"]), "1 nominal: city",
    ),
    "crflynn/skranger#156": (
        "Feature importances are all nan with permutation importance", "importances", "they are finite numbers",
        frame({"a": np.arange(N) % 7}, methods="ssl_permutation"), "best: size",
    ),
    "topepo/caret#715": (
        "Forward Selection Logistic Regression Fails Because of Space in Factor Level", "names", "any text is a class",
        frame({"treatment": ["None", "PD1 Inhibitor"] * 12}), "1 nominal: treatment",
    ),
    "topepo/caret#747": (
        "rfe creates new columns for character regressors", "kinds", "a text column is one feature",
        frame({"char": list("abcde") * 4 + list("abcd")}), "best: size, char",
    ),
    "topepo/caret#543": (
        "RFE crashes when it gets down to one variable", "sizes", "one feature is ranked",
        frame({}), "best: size$",
    ),
    "topepo/caret#913": (
        "Difference between formula and x=, y= in train()", "kinds", "a factor has one importance",
        frame({"feed": ["casein", "linseed", "soybean"] * 8}, SIZE), "best: (size, feed|feed, size)",
    ),
    "PriorLabs/TabPFN#1002": (
        "Fix crash for user-specified categoricals that are all-NaN during fit", "missing values", "left out as empty",
        frame({"a": [None] * N}, nominal=["a"]), "left out, empty: a",
    ),
    "jamovi/jamovi#437": (
        "Other CSV format import (semicolon, decimal comma)", "decimal mark", "read without options, with a note",
        file("a;size;y", lambda j: f"{j},5;{str(SIZE[j]).replace('.', ',')};{Y[j]}", *T),
        "features: 2 numeric.*its decimal mark is taken to be ','; else --reader decimal=",
    ),
    "jamovi/jamovi#1116": (
        "CSV Import Issues (quoted numbers with thousands and per cent)", "thousands", "refused, with the way",
        file("a,size,y", lambda j: f'42%,{SIZE[j]},{Y[j]}' if j % 2 else f'" 67,311,748 ",{SIZE[j]},{Y[j]}', *T),
        "numbers or categories|1 nominal: a",
    ),
    "jasp-stats/jasp-issues#3608": (
        "values from csv-files with semicolon separator are uploaded incorrectly (0,435 as 435)", "decimal mark",
        "0,435 is no thousand: read as a fraction",
        file("a;size;y", lambda j: f"0,{435 + j};{j * 7 % 24};{Y[j]}", *T), "2 numeric.*its decimal mark is taken",
    ),
    "jasp-stats/jasp-desktop#403": (
        "CSV import does not handle european thousands separator, i.e. 1.000,92", "thousands", "refused, with the way",
        file("a;size;y", lambda j: f"1.{100 + j},92;{j * 7 % 24};{Y[j]}", *T), "--numeric a .*--reader decimal=,",
    ),
    "awalker89/openxlsx#128": (
        "Fill every merged cell", "merged cells", "vertically merged cells have their value",
        sheets(data=TABLE.assign(plot="virginica"), merge="B2:B9"), "1 range of merged cells .B2:B9.",
    ),
    "tidyverse/readxl#220": (
        "Duplicating values for all previously merged cells", "merged cells", "a note names those across columns",
        sheets(data=TABLE.assign(b=TABLE["plot"]), merge="B3:D4"), "merged cells .B3:D4.*others only in the first cell",
    ),
    "tidyverse/readxl#383": (
        "Merge Cells in Excel (the first row is merged over all columns)", "title lines", "refused, with the way",
        saved("a.xlsx", lambda path: TABLE.to_excel(path, startrow=1, index=False), *T, "--reader", "skip_lines=1"),
        "features: 1 numeric, 1 nominal",
    ),
    "microsoft/vscode-data-wrangler#219": (
        "iso country code NA recognized as N/A", "missing values", "a note names the option that keeps it",
        file("a;size;y", cell(["NA", "DE", "ZA", "BW", "AO", "MZ"]), *T), "codes of two letters.*not_missing=NA",
    ),
    "datasets/country-codes#38": (
        "ISO3166-1-Alpha-2 for Namibia is missing", "missing values", "kept by an option",
        file("a;size;y", cell(["NA", "DE", "ZA", "BW"]), *T, "--reader", "not_missing=NA"), "1 nominal: a",
    ),
    "adeckmyn/maps#25": (
        "namibia missing a2 fix", "missing values", "a quoted NA is a text",
        file("a;size;y", cell(['"NA"', '"DE"', '"ZA"']), *T), "1 nominal: a",
    ),
    "bcgov/wqbc#49": (
        "Deal properly with detection limits", "detection limits", "refused, with both ways",
        file("a;size;y", lambda j: f"{'<0.4' if j % 4 == 0 else j / 8};{size_and_y(j, ';')}", *T),
        "limits of detection.*below=limit.*below=half",
    ),
    "bcgov/wqbc#73": (
        "Set data <MDL to MDL?", "detection limits", "read by an option",
        file("a;size;y", lambda j: f"{'<0.4' if j % 4 == 0 else j / 8};{size_and_y(j, ';')}", *T, "--reader",
             "below=limit"), "features: 2 numeric",
    ),
    "ryanashcraft/restaurant-nutrition-data#8": (
        "How should values like less than 1 gram be coded?", "detection limits", "<5 is half of it by an option",
        file("a;size;y", lambda j: f"{'<5' if j % 4 == 0 else j * 7 % 24};{size_and_y(j, ';')}", *T, "--reader",
             "below=half"), "features: 2 numeric",
    ),
    "tidyverse/haven#749": (
        "read_sav default is to NOT encode user defined data", "formats", "declared missing values are missing",
        saved("a.sav", lambda path: pyreadstat.write_sav(
            TABLE.assign(age=[*range(42, 20, -1), 998, 999]), path, missing_ranges={"age": [998, 999]}), *T),
        "features: 2 numeric, 1 nominal",
    ),
    "tidyverse/haven#290": (
        "Auto coerce SPSS nominal and ordinal variables to factors", "formats", "labels are categories",
        saved("a.sav", lambda path: pyreadstat.write_sav(
            TABLE.assign(cut=np.arange(N) % 3 + 1.0), path,
            variable_value_labels={"cut": {1.0: "Fair", 2.0: "Good", 3.0: "Ideal"}}), *T),
        "1 numeric, 2 nominal: plot, cut",
    ),
    "OmicEra/OmicLearn#16": (
        "FIX excel import with date columns", "spreadsheets", "names that became dates are named",
        file("2020-03-01,size,b,y", lambda j: f"{j % 7},{SIZE[j]},{j % 5},{Y[j]}", *T), "turned into dates",
    ),
    "kuanrongchan/STAGES#27": (
        "Gene names get converted to Date Format by uploader", "spreadsheets", "texts that became dates are named",
        file("a,size,y", lambda j: f"{['2-Sep', 'TP53', 'EGFR', 'MYC', 'KRAS'][j % 5]},{SIZE[j]},{Y[j]}", *T),
        "'2-Sep' and others may be texts that a spreadsheet turned into dates",
    ),
    "submersion-app/submersion#1828": (
        "CSV import drops day-first dates, and swaps day and month when the day is 12 or less", "dates",
        "left out, with the way", column(["03/04/1991", "05/04/1991", "07/08/1992"], *T), "ambiguous.*: a",
    ),
    "Lumina-Finance/lumina-finance#144": (
        "read dates in one stated format (03/04/2024 and 13/04/2024)", "dates", "one order for the whole column",
        column(["03/04/2024", "13/04/2024", "05/06/2024"], *T), "a: dates, read as days since 2024-04-03",
    ),
    "AlaSQL/alasql#405": (
        "We have facing a problem while reading dates column from xls/xlsx files", "dates", "days since the first",
        saved("a.xlsx", lambda path: TABLE.assign(seen=pd.date_range("2020-11-05", periods=N, freq="17D")).to_excel(
            path, index=False), *T), "seen: dates, read as days since 2020-11-05",
    ),
    "iNZightVIT/iNZight#170": (
        "Read rds convert character to factor", "formats", "a data frame of saveRDS() is read",
        saved("a.rds", lambda path: rdata.write_rds(path, pd.DataFrame({"size": SIZE, "y": pd.Categorical(Y)})), *T),
        "features: 1 numeric, 0 nominal",
    ),
    "chilli-axe/mpc-autofill#7": (
        "Problems with CSV upload if you remove header row", "names", "names that are values are refused",
        file("1;Plains;Island", lambda j: f"{j % 3};{'Plains' if j % 2 else 'Swamp'};{'Island' if j % 2 else 'Sea'}",
             "--target", "Island"), "looks like values, not names: Plains, Island. Add --reader header=false",
    ),
    "mcasalaina/QuestionnaireAgent_v3#71": (
        "Excel sheets where the headers are not all the way at the top cannot be loaded", "title lines",
        "refused, with the way", saved("a.xlsx", lambda path: pd.DataFrame(
            [["Please fill in", None, None], [None] * 3, [*TABLE], *TABLE.to_numpy().tolist()]).to_excel(
                path, index=False, header=False), *T), "no column 'y'.*skip_lines=1 leaves out the first",
    ),
    "biolab/orange3#6808": (
        "Inconsistent and Incorrect conversion of text NA to unknown in the File widget", "missing values",
        "a note names the option that keeps it", column(["NA", "PD", "CR"], *T), "codes of two letters.*not_missing=NA",
    ),
    "usc-isi-i2/Web-Karma#76": (
        "import CSV with semicolon delimiter", "delimiter", "guessed",
        file("a;size;y", lambda j: f"{j % 7};{size_and_y(j, ';')}", *T), "features: 2 numeric",
    ),
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


@pytest.mark.parametrize("report", REPORTS)
def test_a_reported_problem_is_none_here(report, run, tmp_path, capsys):
    table, pattern = REPORTS[report][3:]
    said = said_of(table, run, tmp_path) or capsys.readouterr().err
    assert "Traceback" not in said
    assert re.search(pattern, said, re.DOTALL), said


def ledger():
    """The table of the reports in Markdown; below it the file has what was tried by hand."""
    lines = [
        "# Public reports that were tried",
        "",
        f"{len(REPORTS)} problems that people reported of other programs, as small tables in"
        " [test_reports.py](tabular/test_reports.py),",
        "which also writes this file: `python tests/tabular/test_reports.py`.",
        "",
        "| report | title | kind | what we do |",
        "|---|---|---|---|",
    ]
    for report, (title, kind, done, *_) in REPORTS.items():
        lines.append(f"| {report} | {title} | {kind} | {done} |")
    return "\n".join(lines) + "\n"


def test_the_ledger_has_every_report():
    assert LEDGER.read_text(encoding="utf-8").startswith(ledger() + BY_HAND)


if __name__ == "__main__":
    by_hand = LEDGER.read_text(encoding="utf-8").partition(BY_HAND)[2]
    LEDGER.write_text(ledger() + BY_HAND + by_hand, encoding="utf-8")
