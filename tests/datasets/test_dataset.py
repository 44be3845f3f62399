"""Round trips of datasets through Parquet, and the checks of a Dataset."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sslrank.datasets.dataset import HEADER, TABLE, WIDE, DataError, Dataset
from sslrank.datasets.fingerprint import fingerprint

FILES = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)


def names(n_names):
    return st.lists(TEXT, min_size=n_names, max_size=n_names, unique=True)


@st.composite
def columns(draw, n_rows):
    """A feature: numbers, or categories that need not all occur."""
    if draw(st.booleans()):
        return draw(arrays(float, n_rows, elements=NUMBER | st.just(np.nan)))
    categories = draw(st.integers(1, 4).flatmap(names))
    codes = draw(arrays(int, n_rows, elements=st.integers(-1, len(categories) - 1)))
    return pd.Categorical.from_codes(codes, categories=categories)


@st.composite
def datasets(draw):
    n_rows = draw(st.integers(1, 6))
    X = pd.DataFrame({name: draw(columns(n_rows)) for name in draw(st.integers(1, 5).flatmap(names))})
    task = draw(st.sampled_from(["classification", "regression", "multitarget", "multilabel", "hierarchical"]))
    shape = (n_rows,) if task in ("classification", "regression") else (n_rows, draw(st.integers(1, 4)))
    targets = draw(names(shape[1] if len(shape) == 2 else 1))
    kinds = {"classification": TEXT | st.none(), "regression": NUMBER, "multitarget": NUMBER}
    y = draw(arrays(object, shape, elements=kinds.get(task, st.sampled_from([0.0, 1.0]))))
    if task == "classification":
        y[-1] = draw(TEXT)
    else:
        y = y.astype(float)
    hierarchy = None
    if task == "hierarchical":
        parents = [st.lists(st.integers(0, label - 1), max_size=2, unique=True) for label in range(1, len(targets))]
        hierarchy = [[], *map(draw, parents)]
        for label in reversed(range(len(targets))):
            for parent in hierarchy[label]:
                y[:, parent] = np.maximum(y[:, parent], y[:, label])
    parts = None
    if n_rows > 1 and draw(st.booleans()):
        parts = {"train": np.arange(1, n_rows), "test": np.arange(1)}
    return Dataset("some set", task, X, y, targets, hierarchy, parts, {"source": "a test"})


def categories(dataset):
    """The categories of each nominal feature, whose order decides its codes."""
    return [list(kind.categories) for kind in dataset.X.dtypes if isinstance(kind, pd.CategoricalDtype)]


def assert_equal(left, right):
    assert (left.name, left.task, left.target_names) == (right.name, right.task, right.target_names)
    pd.testing.assert_frame_equal(left.X, right.X, check_exact=True)
    assert categories(left) == categories(right)
    np.testing.assert_array_equal(left.y, right.y)
    assert left.y.dtype == right.y.dtype
    assert left.hierarchy == right.hierarchy
    assert (left.parts is None) == (right.parts is None)
    for part in left.parts or {}:
        np.testing.assert_array_equal(left.parts[part], right.parts[part])
    assert left.provenance == right.provenance


@FILES
@given(datasets())
def test_save_and_load_round_trip(tmp_path, dataset):
    dataset.save(tmp_path / "set")
    loaded = Dataset.load(tmp_path / "set")
    assert_equal(loaded, dataset)
    assert fingerprint(loaded) == fingerprint(dataset)
    if dataset.parts:
        loaded.parts["train"] = loaded.parts["train"][::-1]  # a part is a set of rows
        assert fingerprint(loaded) == fingerprint(dataset)


def make(n_rows=4, n_features=3, **changes):
    values = np.arange(n_rows * n_features, dtype=float).reshape(n_rows, n_features)
    parts = {
        "name": "small",
        "task": "regression",
        "X": pd.DataFrame(values, columns=[f"x{j}" for j in range(n_features)]),
        "y": np.arange(n_rows, dtype=float),
        "target_names": ["y"],
    }
    return Dataset(**{**parts, **changes})


def test_wide_numeric_tables_are_stored_as_one_column(tmp_path):
    import pyarrow.parquet as pq

    dataset = make(3, WIDE + 1)
    dataset.save(tmp_path)
    assert pq.read_schema(tmp_path / TABLE).names == ["features", "y"]
    assert json.loads((tmp_path / HEADER).read_text())["layout"] == "matrix"
    assert_equal(Dataset.load(tmp_path), dataset)


def test_header_orders_categories(tmp_path):
    """In any order in which the Parquet library returns them."""
    first, other = (pd.DataFrame({"a": pd.Categorical(list("pqqp"), names)}) for names in (["q", "p"], ["p", "q"]))
    make(X=first).save(tmp_path / "first")
    make(X=other).save(tmp_path / "other")
    (tmp_path / "other" / TABLE).replace(tmp_path / "first" / TABLE)
    loaded = Dataset.load(tmp_path / "first")
    assert categories(loaded) == [["q", "p"]]
    assert loaded.X["a"].tolist() == list("pqqp")


def test_target_may_share_a_feature_name(tmp_path):
    dataset = make(target_names=["x1"])
    dataset.save(tmp_path)
    assert json.loads((tmp_path / HEADER).read_text())["target_columns"] == ["target:x1"]
    assert_equal(Dataset.load(tmp_path), dataset)
    two = make(task="multitarget", y=np.ones((4, 2)), target_names=["x1", "target:x1"])
    assert two.target_columns == ["target:x1", "target:target:x1"]


def test_saving_again_overwrites(tmp_path):
    make().save(tmp_path)
    make(7).save(tmp_path)
    assert Dataset.load(tmp_path).n_rows == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == [HEADER, TABLE]


def test_unserializable_parameters_are_refused(tmp_path):
    dataset = make(provenance={"not JSON": object()})
    with pytest.raises(TypeError):
        dataset.save(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    make().save(tmp_path / "old")
    with pytest.raises(TypeError):
        dataset.save(tmp_path / "old")
    assert Dataset.load(tmp_path / "old").provenance == {}


LEAF_ALONE = {"y": np.array([[0.0, 1.0]] * 4), "hierarchy": [[], [0]], "target_names": ["top", "leaf"]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task": "ranking"}, "task must be one of"),
        ({"X": pd.DataFrame(index=range(4))}, "empty"),
        ({"X": pd.DataFrame([[1.0, 2.0]] * 4, columns=["a", "a"])}, "two features are named 'a'"),
        ({"X": pd.DataFrame([[1.0, 2.0]] * 4)}, "must be strings"),
        ({"X": pd.DataFrame({"a": [1, 2, 3, 4]})}, "'a' has type int64"),
        ({"X": pd.DataFrame({"a": [1.0, 2, 3, np.inf]})}, "infinite"),
        ({"X": pd.DataFrame({"a": pd.Categorical([1, 2, 3, 4])})}, "unordered categorical of strings"),
        ({"y": np.zeros(3)}, "shape"),
        ({"y": np.full(4, np.nan)}, "no row has a target"),
        ({"y": np.array([1.0, 2, 3, np.inf])}, "infinity"),
        ({"task": "classification", "y": np.array([1, 2, 3, "a"], dtype=object)}, "must be strings"),
        ({"task": "classification", "y": np.full(4, None)}, "no row has a target"),
        ({"task": "multilabel", "y": np.full((4, 1), 2.0)}, "labels must be 0, 1 or NaN"),
        ({"task": "hierarchical", "y": np.ones((4, 1))}, "hierarchy is needed"),
        ({"hierarchy": [[]]}, "for it only"),
        ({"task": "hierarchical", "y": np.ones((4, 1)), "hierarchy": [[0]]}, "cycle"),
        ({"task": "hierarchical", **LEAF_ALONE}, "'leaf' without its parent 'top'"),
        ({"parts": {"train": np.array([0, 9])}}, "part 'train'"),
        ({"parts": {"train": np.array([0, 4])}}, "out of 0..3"),
        ({"parts": {"train": np.array([0, 0])}}, "distinct"),
    ],
)
def test_inconsistent_parts_are_refused(changes, message):
    with pytest.raises(DataError, match=message):
        make(**changes)


def test_load_reports_missing_or_damaged_files(tmp_path):
    with pytest.raises(DataError, match="missing"):
        Dataset.load(tmp_path)
    make().save(tmp_path)
    make(5).save(tmp_path / "other")
    (tmp_path / "other" / TABLE).replace(tmp_path / TABLE)
    with pytest.raises(DataError, match="do not belong together"):
        Dataset.load(tmp_path)
    (tmp_path / TABLE).write_bytes(b"PAR1 but no more")
    with pytest.raises(DataError, match="cannot be read"):
        Dataset.load(tmp_path)
    make().save(tmp_path)
    (tmp_path / HEADER).write_text('{"format": 99}')
    with pytest.raises(DataError, match=r"header\.json is not of format 1"):
        Dataset.load(tmp_path)
    for damaged in ("{", "[" * 100_000):
        (tmp_path / HEADER).write_text(damaged)
        with pytest.raises(DataError, match=r"cannot be read.*Delete it and make it again"):
            Dataset.load(tmp_path)


@pytest.mark.parametrize("key", ["task", "n_rows", "features", "nominal", "target_columns", "parts"])
@pytest.mark.parametrize("change", ["without", None, 7, "x", [1], {"a": [[]]}])
def test_header_of_another_shape_raises(key, change, tmp_path):
    make().save(tmp_path)
    header = json.loads((tmp_path / HEADER).read_text())
    if change == "without":
        del header[key]
    elif (key, change) == ("parts", None):
        return  # that is right
    else:
        header[key] = change
    (tmp_path / HEADER).write_text(json.dumps(header))
    with pytest.raises(DataError, match="Delete it and make it again"):
        Dataset.load(tmp_path)
