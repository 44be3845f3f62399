"""One table in every container: the same columns, the same numbers, or one message."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse

import sslrank
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.reading import read_own
from sslrank.tabular.schema.roles import ColumnRoles

N = 40
FAST = {"methods": ["information_gain", "f_score"], "repeats": 2, "curve": False}
QUICK = {"methods": FAST["methods"], "effort": "quick"}


def table():
    """A table with all that is left out, and a target of which a third is missing."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"size": rng.normal(size=N).round(2), "count": rng.integers(0, 9, N)})
    X["shade"] = rng.choice(["dark", "light", "grey"], N)
    X.loc[3, ["size", "shade"]] = None, None
    X["customer_id"] = rng.permutation(N * 5)[:N]
    X["remark"] = [f"said {i}" for i in range(N)]
    X["day"] = pd.date_range("2024-01-01", periods=N)
    X["country"] = "SI"
    X["twin"] = X["count"]
    y = pd.Series(np.where(X["count"] + X["size"].fillna(0) > 4, "yes", "no").astype(object), name="y")
    y[rng.permutation(N)[: N // 3]] = None
    return X, y


X, Y = table()
OBJECTS = X.astype(object).where(X.notna(), None).assign(day=X["day"].dt.date)
LEFT_OUT = {
    "customer_id": "an identifier by its name and values",
    "remark": "texts that differ in nearly every row",
    "country": "constant",
    "twin": "equal to count",
}


def polars():
    return pytest.importorskip("polars")


CONTAINERS = {
    "pandas": lambda: (X, Y),
    "pandas Arrow": lambda: (X.convert_dtypes(dtype_backend="pyarrow"), Y.astype("string[pyarrow]")),
    "pandas objects": lambda: (OBJECTS, Y.tolist()),
    "pandas categories": lambda: (X.astype({"shade": "category"}), Y.astype("category")),
    "target as a table": lambda: (X, Y.to_frame()),
    "pyarrow": lambda: (pa.Table.from_pandas(X), pa.array(Y)),
    "pyarrow, target as a table": lambda: (pa.Table.from_pandas(X), pa.table({"y": pa.array(Y)})),
    "polars": lambda: (polars().from_pandas(X), polars().from_pandas(Y)),
    "structured": lambda: (OBJECTS.to_records(index=False), Y.to_numpy()),
    "-1 among texts": lambda: (X, np.array([-1 if value is None else value for value in Y], dtype=object)),
    "masked target": lambda: (X, np.ma.MaskedArray(Y.fillna("no").to_numpy(dtype=object), Y.isna())),
}


@pytest.fixture(scope="module")
def expected():
    return own_table(X, Y)


@pytest.mark.parametrize("container", CONTAINERS)
def test_containers_give_equal_tables(container, expected):
    found = own_table(*CONTAINERS[container]())
    assert found.dropped == LEFT_OUT
    assert (found.task, list(found.X.columns[found.nominal])) == ("classification", ["shade"])
    assert found.y.tolist() == expected.y.tolist()
    np.testing.assert_array_equal(found.coded().X, expected.coded().X)
    np.testing.assert_array_equal(found.coded().target_values, expected.coded().target_values)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_file_and_frame_give_equal_tables(tmp_path, suffix, expected):
    getattr(X.assign(y=Y), f"to_{suffix}")(tmp_path / f"d.{suffix}", index=False)
    found = read_own(tmp_path / f"d.{suffix}", ["y"])
    assert found.dropped == LEFT_OUT
    np.testing.assert_array_equal(found.coded().X, expected.coded().X)
    np.testing.assert_array_equal(found.coded().target_values, expected.coded().target_values)


def test_unnamed_columns_are_numbered():
    """Containers of numbers and containers of objects."""
    part = OBJECTS[["size", "count", "shade"]]
    expected = own_table(part.set_axis(["x1", "x2", "x3"], axis=1), Y)
    for values in (part.to_numpy(), part.to_numpy().tolist()):
        found = own_table(values, Y)
        pd.testing.assert_frame_equal(found.X, expected.X)
    numbers = X[["size", "count"]].to_numpy()
    for values in (numbers, numbers.tolist(), np.ma.masked_invalid(numbers), numbers.astype(object)):
        found = own_table(values, Y)
        assert list(found.X) == ["x1", "x2"]
        np.testing.assert_array_equal(found.X, numbers)


def test_sparse_and_dense_tables_rank_equally():
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(60, 12)) * (rng.random((60, 12)) < 0.3)
    dense[:, 3] = 0
    dense[:, 5] = dense[:, 1]
    y = (dense[:, 0] > 0).astype(float)
    y[40:] = np.nan
    options = {"methods": ["genie3", "information_gain"], "effort": "order"}
    expected = sslrank.rank(dense, y, **options)
    frame = polars().from_numpy(dense, [f"x{j + 1}" for j in range(12)])
    assert sslrank.rank(frame, y, **options).to_frame().equals(polars().from_pandas(expected.to_frame()))
    found = sslrank.rank(sparse.csr_array(dense), y, **options)
    pd.testing.assert_frame_equal(found.to_frame(), expected.to_frame(), check_exact=True)
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        table = own_table(kind(dense), y)
        assert table.dropped == expected.table.dropped == {"x4": "constant", "x6": "equal to x2"}
        assert all(isinstance(kind, pd.SparseDtype) for kind in table.X.dtypes)
        np.testing.assert_array_equal(table.X.to_numpy(), expected.table.X.to_numpy())


LABELS = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 10)
NUMBERS = [0.5, None, 2.25, 3.0] * 10


@pytest.mark.parametrize(
    "y",
    [
        LABELS.tolist(), LABELS > 0, pa.table(list(LABELS.T), names=["a", "b"]), pd.DataFrame(LABELS).astype("Int8"),
        np.array(NUMBERS, dtype=object), pd.array(NUMBERS, dtype="Float64"), pa.array(NUMBERS),
        [None if value is None else decimal.Decimal(str(value)) for value in NUMBERS],
        np.ma.masked_invalid(np.array(NUMBERS, dtype=float)), pd.Series(NUMBERS, dtype="float64[pyarrow]"),
    ],
)  # fmt: skip
def test_targets_are_read_from_every_container(y):
    found = own_table(X, y)
    assert found.task == ("multilabel" if found.y.ndim == 2 else "regression")
    np.testing.assert_array_equal(found.y, LABELS if found.y.ndim == 2 else np.array(NUMBERS, dtype=float))


@pytest.mark.parametrize(
    ("features", "y", "problem"),
    [
        (X[["size"]] * 1j, Y, "Complex data not supported: column 'size' of X"),
        (np.ones((N, 2)) * 1j, Y, "Complex data not supported"),
        (sparse.eye_array(N, dtype=complex), Y, "Complex data not supported"),
        (X, np.arange(N) * 1j, "Complex data not supported in y"),
        (X, X["day"], "y holds dates or times .column 'day'"),
        (X, [{1}] * N, "y holds a set.*MultiLabelBinarizer"),
        (X, np.zeros((N, 0)), "y has no columns"),
        (X, Y[::-1], r"different indices: row 0 is 0 in X, 39 in y. Pass y.loc\[X.index\]"),
        (X[::2], Y[1::2], "row 0 is 0 in X, 1 in y"),
        (X.set_axis(np.arange(N) ** 2), Y, "row 2 is 4 in X, 2 in y"),
        (X, np.full(N, 1.5), "labelled rows have the target 1.5: there is nothing to predict"),
        (X.assign(a=[[1]] * N), Y, r"column 'a' of X holds a list.*leave the column out: drop=\['a'\]"),
        (X.assign(size=np.inf), Y, "column 'size' of X contains infinity"),
        (np.full((len(Y), 2), [0.0, np.inf]), Y, r"column 'x2' of X contains infinity .row 0,"),
        (X.to_numpy(dtype=str), Y, "X is a NumPy array of texts.*Pass a DataFrame"),
        (X.to_dict(), Y, r"X is a dict.*pandas.DataFrame\(X\)"),
    ],
)
def test_unreadable_tables_raise_one_error(features, y, problem):
    with pytest.raises(ValueError, match=problem) as raised:
        sslrank.rank(features, y, **FAST)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "dates",
    [
        pd.date_range("2024", periods=N), pd.date_range("2024", periods=N, tz="UTC"),
        pd.Series(range(N)).astype("timedelta64[s]"),
        pd.period_range("2024", periods=N), [datetime.date(2024, 1, 1 + i % 28) for i in range(N)],
        [datetime.time(i % 28) for i in range(24)] * 2, pd.date_range("2024", periods=N).strftime("%d.%m.%Y"),
    ],
)  # fmt: skip
def test_dates_and_times_become_numbers(dates):
    frame = X[["size"]].assign(when=dates[:N])
    values = own_table(frame, Y).X["when"]
    assert values[:24].tolist() == pytest.approx(
        [i / 86400 if "delta" in str(frame.when.dtype) else i for i in range(24)]
    )
    assert own_table(frame, Y, ColumnRoles(nominal=["when"])).nominal.tolist() == [False, True]
    pd.testing.assert_series_equal(own_table(frame, Y, ColumnRoles(keep=["when"])).X["when"], values)


CODES = 2**53 + np.random.default_rng(3).integers(0, 5, 40)


@pytest.mark.parametrize(
    "codes",
    [
        CODES,
        pd.array(CODES, dtype="Int64"),
        CODES.astype(np.uint64) + np.uint64(2**63),
        [2**70 + int(c) for c in CODES],
    ],
    ids=["int64", "Int64", "uint64", "int"],
)
def test_integers_beyond_float64_are_refused(codes):
    X = pd.DataFrame({"a": np.arange(40) * 7 % 40 / 2, "code": codes})
    with pytest.raises(ValueError, match=r"'code' of X: float64 cannot hold \d+.*drop=\['code'\]"):
        own_table(X, [0, 1] * 20)
    found = own_table(X, [0, 1] * 20, ColumnRoles(nominal=["code"])).X["code"]
    assert found.astype(str).tolist() == [str(code) for code in codes]
    assert list(own_table(X, [0, 1] * 20, ColumnRoles(drop=["code"])).X) == ["a"]
