"""From features to the columns that methods work on."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse

from sslrank import get_ranker
from sslrank.core.columns import design_matrix, expand, fill_means, numeric_rows
from sslrank.core.features import Features, encode_features, scaled_columns

NAN = np.nan
X = np.array([[1.0, 5.0, 3.0, 3.0], [1.0, 5.0, 3.0, 3.0], [9.0, 0.0, 0.0, 0.0]])


def test_design_matrix_by_hand():
    values = np.array([[0.0, 0, 1], [4.0, 2, np.nan], [np.nan, 1, 1], [8.0, np.nan, 0]])
    design = design_matrix(Features(values, np.array([0, 3, 2], dtype=np.int32)), np.array([0, 1, 2]))
    np.testing.assert_array_equal(design.starts, [0, 1, 4, 5])
    expected = [[0, 1, 0, 0, 1], [1, 0, 0, 1, 1], [0.5, 0, 1, 0, 1], [2, 1, 0, 0, 0]]
    np.testing.assert_array_equal(design.values, expected)
    np.testing.assert_array_equal(design.positions_of([1, 0]), [1, 2, 3, 0])


def test_mixed_columns_keep_values_and_order():
    frame = pd.DataFrame(
        {
            "tiny": np.array([1, -2, 3], dtype=np.int8),
            "text": ["b", "a", None],
            "huge": np.array([2**63 + 2**11, 0, 1], dtype=np.uint64),
            "gaps": pd.array([1, None, 2**40 + 1], dtype="Int64"),
            "short": np.array([0.1, np.nan, 3], dtype=np.float32),
            "yes": [True, False, True],
            "coded": [7, 5, 7],
            "last": [0.1, 0.2, 0.3],
        }
    ).set_axis(["tiny", "text", "huge", "gaps", "short", "yes", "coded", "tiny"], axis=1)
    found = encode_features(frame, ["coded"])
    expected = [
        [1, 1, 2.0**63 + 2**11, 1, np.float32(0.1), 1, 1, 0.1],
        [-2, 0, 0, np.nan, np.nan, 0, 0, 0.2],
        [3, np.nan, 1, 2.0**40 + 1, 3, 1, 1, 0.3],
    ]
    np.testing.assert_array_equal(found.values, np.array(expected, dtype=np.float64))
    assert found.n_categories.tolist() == [0, 2, 0, 0, 0, 2, 2, 0]
    assert found.values.flags.c_contiguous


@pytest.mark.parametrize("listed", [[1], [False, True, False, False], ["b"]])
def test_categorical_features_by_index_mask_and_name(listed):
    features = encode_features(pd.DataFrame(X, columns=list("abcd")), listed)
    assert features.n_categories.tolist() == [0, 2, 0, 0]
    np.testing.assert_array_equal(features.values[:, 1], [1, 1, 0])


def test_category_next_to_missing_values_warns(recwarn):
    encode_features(pd.DataFrame({"a": ["x", "y", None], "b": ["x"] * 3}))
    assert not recwarn.list
    with pytest.warns(UserWarning, match=r"column 'a' of X has one value .*: column\.fillna\('no'\)"):
        encode_features(pd.DataFrame({"a": ["yes", None, "yes"]}))


@pytest.mark.parametrize(
    ("listed", "message"),
    [([7], r"in 0\.\.3, got \[7\]"), ([-1], r"in 0\.\.3"), ([True], "a mask of 1 columns"), (["a"], "'a'")],
)
def test_unknown_categorical_features_raise(listed, message):
    with pytest.raises(ValueError, match=f"categorical_features.* {message}"):
        encode_features(X, listed)


@pytest.mark.parametrize("kind", ["datetime64[ns]", object])
def test_dates_may_be_categories(kind):
    frame = pd.DataFrame({"day": pd.Series([datetime.datetime(2026, 1, 2), datetime.datetime(2026, 1, 1)], dtype=kind)})
    np.testing.assert_array_equal(encode_features(frame, ["day"]).values, [[1], [0]])


@pytest.fixture
def mixed():
    values = np.array([[0.0, 1.0, 5.0], [2.0, NAN, NAN], [1.0, 0.0, 7.0], [1.0, 1.0, 9.0]])
    return Features(values, np.array([3, 2, 0], dtype=np.int32))


def test_expand_makes_a_block_per_feature(mixed):
    columns = expand(mixed)
    assert columns.starts.tolist() == [0, 3, 5, 6]
    assert columns.owner.tolist() == [0, 0, 0, 1, 1, 2]
    np.testing.assert_array_equal(columns.values[0], [1, 0, 0, 0, 1, 5])
    np.testing.assert_array_equal(columns.values[1], [0, 0, 1, NAN, NAN, NAN])
    np.testing.assert_array_equal(expand(mixed, binary_codes=True).values[2], [0, 1, 0, 0, 7])
    assert columns.positions_of([2, 0]).tolist() == [5, 0, 1, 2]
    np.testing.assert_array_equal(columns.sum_by_feature(np.arange(6.0)), [3, 7, 5])


def test_columns_can_be_subset(mixed):
    part = expand(mixed).rows([3, 0], np.array([False, True, True]))
    assert part.owner.tolist() == [1, 1, 2]
    np.testing.assert_array_equal(part.values, [[0, 1, 9], [0, 1, 5]])
    np.testing.assert_array_equal(part.sum_by_feature(np.ones(3)), [0, 2, 1])


def test_missing_values_become_means(mixed):
    filled = fill_means(expand(mixed).values)
    np.testing.assert_array_equal(filled[1], [0, 0, 1, 1 / 3, 2 / 3, 7])
    np.testing.assert_array_equal(fill_means(np.array([[NAN], [3.0], [5.0]]), [0, 2]).ravel(), [5, 3, 5])
    np.testing.assert_array_equal(fill_means(np.array([[NAN], [NAN]])).ravel(), [0, 0])


def test_row_slice_equals_row_indices_bitwise():
    rng = np.random.default_rng(0)
    values = rng.random((200, 5))
    values[:, 2] = np.arange(200) % 3
    values[rng.random(values.shape) < 0.2] = NAN
    features = Features(values, np.array([0, 0, 3, 0, 0], dtype=np.int32))
    first, second = (design_matrix(features, rows).values for rows in (slice(150), np.arange(150)))
    assert first.tobytes() == second.tobytes()


def test_scaled_columns_handle_extreme_ranges():
    values = np.array([[-1.7e308, 2.0, NAN], [1.7e308, 2.0, NAN], [0.0, NAN, NAN]])
    np.testing.assert_array_equal(scaled_columns(values), [[0, 0, NAN], [1, 0, NAN], [0.5, NAN, NAN]])
    seen = np.array([[1.0], [3.0]])
    np.testing.assert_array_equal(scaled_columns(np.array([[5.0], [2.0]]), seen).ravel(), [2, 0.5])


def test_values_with_overflowing_squares_are_refused():
    X = np.eye(3)
    X[1, 2] = 0.9e140
    numeric_rows(encode_features(X))
    X[1, 2] = -1.1e140
    with pytest.raises(ValueError, match=r"column 2 of X .*values too large \(1\.1e\+140\), rescale it"):
        numeric_rows(encode_features(X))


FRAME = pd.DataFrame(
    {
        "number": [1.5, NAN, 3.25, -1.0],
        "whole": pd.array([3, None, 2, 2**40], dtype="Int64"),
        "shade": ["light", None, "dark", "light"],
        "flag": [True, False, True, True],
    }
)
OBJECTS = FRAME.astype(object).where(FRAME.notna(), None)
CONTAINERS = {
    "pandas": lambda: FRAME,
    "pandas nullable": lambda: FRAME.convert_dtypes(),
    "pandas Arrow": lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "pandas objects": lambda: OBJECTS,
    "pandas category": lambda: FRAME.astype({"shade": "category", "flag": "category"}),
    "unused category": lambda: FRAME.astype({"shade": pd.CategoricalDtype(["black", "dark", "green", "light"])}),
    "pyarrow": lambda: pa.Table.from_pandas(FRAME),
    "pyarrow dictionary": lambda: pa.Table.from_pandas(FRAME.astype({"shade": "category"})),
    "pyarrow batch": lambda: pa.RecordBatch.from_pandas(FRAME),
    "polars": lambda: pytest.importorskip("polars").from_pandas(FRAME),
    "polars categories": lambda: (
        (pl := pytest.importorskip("polars")).from_pandas(FRAME).cast({"shade": pl.Categorical})
    ),
    "NumPy objects": lambda: OBJECTS.to_numpy(),
    "NumPy structured": lambda: OBJECTS.to_records(index=False),
    "lists": lambda: OBJECTS.to_numpy().tolist(),
    "decimals": lambda: OBJECTS.assign(
        number=[decimal.Decimal("1.5"), None, decimal.Decimal("3.25"), decimal.Decimal(-1)]
    ),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_containers_give_equal_features(container):
    expected, found = encode_features(FRAME), encode_features(CONTAINERS[container]())
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.n_categories, expected.n_categories)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x, lambda x: x.tolist(), lambda x: x.astype(np.float32).astype(object), pd.DataFrame,
        lambda x: np.ma.masked_invalid(x), lambda x: np.ma.masked_where(np.isnan(x), np.nan_to_num(x)),
        lambda x: pa.table(list(x.T), names=["a", "b"]), lambda x: pd.DataFrame(x).astype(pd.SparseDtype(float)),
    ],
)  # fmt: skip
def test_numeric_containers_give_equal_features(make):
    values = np.array([[1.5, 0.0], [NAN, 2.0], [0.0, -3.0]])
    np.testing.assert_array_equal(encode_features(make(values)).values, values)


@pytest.mark.parametrize(
    ("X", "kind", "problem"),
    [
        (pd.DataFrame({"t": pd.period_range("2020", periods=2, freq="Y")}), ValueError, "column 't' of X holds dates"),
        (pd.DataFrame({"t": pd.to_timedelta([1, 2], unit="s")}), ValueError, "column 't' of X holds dates"),
        (pd.DataFrame({"t": pd.to_datetime(["2026-01-01", "2026-01-02"])}), ValueError, "column 't' of X holds dates"),
        (pd.DataFrame({"t": [datetime.time(1), None]}), ValueError, "column 't' of X holds dates"),
        (pa.table({"t": [datetime.date(2020, 1, 1), None]}), ValueError, "column 't' of X holds dates"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), ValueError, "column 0 of X holds dates"),
        (pd.DataFrame({"a": [1, "low"]}), ValueError, "column 'a' of X holds numbers and others, such as 1 and 'low'"),
        (pd.DataFrame({"a": [True, 2.5]}), ValueError, "'a' of X holds numbers and others, such as 2.5 and True"),
        (pd.DataFrame({"a": [1j, 2]}).astype(object), ValueError, "Complex data not supported: column 'a'"),
        (pd.DataFrame({"a": [[1], [2]]}), TypeError, "column 'a' of X holds a list"),
        (pa.table({"a": [[1], [2]]}), TypeError, "column 'a' of X holds a ndarray"),
        (pa.chunked_array([[1, 2]]), ValueError, "X is a ChunkedArray, expected a table"),
        (np.array([["a", "1"], ["b", "2"]]), ValueError, "X is a NumPy array of texts.*Pass a DataFrame"),
        ({"a": [1, 2]}, ValueError, r"X is a dict.*pandas\.DataFrame\(X\)"),
        ([[1], [1, 2]], ValueError, "X is a list whose rows differ in length"),
        (pd.DataFrame({"a": [1, 2], "b": [np.inf, 1]}), ValueError, "infinity: column 'b', row 0"),
    ],
)
def test_non_table_input_raises_one_error(X, kind, problem):
    with pytest.raises(kind, match=problem):
        encode_features(X)


def test_sparse_frame_stays_sparse():
    dense = np.diag([1.0, 2.0, 3.0])
    frame = pd.DataFrame.sparse.from_spmatrix(sparse.csr_array(dense))
    found = encode_features(frame, accept_sparse=True).values
    assert sparse.issparse(found)
    np.testing.assert_array_equal(found.toarray(), dense)


def test_forest_predictions_are_equal_for_all_containers():
    y = [0, 1, 0, 1]
    forest = get_ranker("genie3", n_estimators=5, random_state=0).fit(FRAME, y)
    for name in ("unused category", "pyarrow", "pandas objects"):
        np.testing.assert_array_equal(forest.predict_proba(CONTAINERS[name]()), forest.predict_proba(FRAME))


def test_features_can_drop_unused_categories_and_columns():
    frame = pd.DataFrame({"a": [1.5, 2.0, 0.0, 7.0], "b": list("xyzx"), "c": [None, "u", None, "v"]})
    part = encode_features(frame).rows(np.array([0, 2]))
    assert part.n_categories.tolist() == [0, 3, 2]
    anew = part.without_unused_categories()
    assert anew.n_categories.tolist() == [0, 2, 1]
    np.testing.assert_array_equal(anew.values, [[1.5, 0, NAN], [0, 1, NAN]])
    np.testing.assert_array_equal(part.values[:, 1], [0, 2])  # as before
    np.testing.assert_array_equal(anew.columns(np.array([1, 0])).values, [[0, 1.5], [1, 0]])
    plain = encode_features([[1.0], [2.0]])
    assert plain.without_unused_categories() is plain
