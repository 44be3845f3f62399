"""ARFF and CSV exports, read back."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sslrank.datasets.catalogue import ColumnMeanings
from sslrank.datasets.dataset import DataError, Dataset
from sslrank.datasets.export import to_arff, to_csv
from sslrank.datasets.prepare import assemble
from sslrank.datasets.readers import read

FILES = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(st.sampled_from("aZ é'\"\\,%{}?@\t9"), min_size=1, max_size=5)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def datasets(draw):
    n_rows = draw(st.integers(1, 5))
    names = draw(st.lists(TEXT, min_size=2, max_size=5, unique=True))
    task = draw(st.sampled_from(["classification", "regression", "multitarget", "multilabel"]))
    n_targets = 1 if task in ("classification", "regression") else draw(st.integers(1, len(names) - 1))
    targets, features = names[:n_targets], names[n_targets:]

    def rows(values):
        return draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    columns = []
    for _ in features:
        if draw(st.booleans()):
            columns.append(np.array(rows(st.one_of(NUMBER, st.just(np.nan)))))
        else:
            categories = sorted(draw(st.lists(TEXT, min_size=1, max_size=4, unique=True)))
            columns.append(pd.Categorical(rows(st.sampled_from(categories)), categories=categories))
    X = pd.DataFrame(dict(enumerate(columns)))
    X.columns = features
    value = {"classification": TEXT, "multilabel": st.sampled_from([0.0, 1.0])}.get(task, NUMBER)
    y = [rows(value) for _ in targets]
    if task == "classification":
        y = np.array(y[0], dtype=object)
    else:
        y = np.array(y[0]) if task == "regression" else np.column_stack(y)
    return Dataset("a 'set'", task, X, y, targets)


def read_back(dataset, path, **columns):
    columns = ColumnMeanings(**{"target": dataset.target_columns, "missing_targets": True, **columns})
    return assemble(dataset.name, dataset.task, [("full", read(path))], columns)


def assert_same(back, dataset):
    assert list(back.X.columns) == list(dataset.X.columns)
    for name, column in dataset.X.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            assert back.X[name].tolist() == column.tolist()
        else:
            np.testing.assert_array_equal(back.X[name], column)
    np.testing.assert_array_equal(back.y, dataset.y)


@FILES
@given(datasets())
def test_arff_is_read_back_bit_for_bit(tmp_path, dataset):
    to_arff(dataset, tmp_path / "a.arff")
    assert_same(read_back(dataset, tmp_path / "a.arff"), dataset)


@FILES
@given(st.data())
def test_hierarchies_are_read_back(tmp_path, data):
    n_labels, n_rows = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 5))
    hierarchy = [
        data.draw(st.lists(st.integers(0, label - 1), max_size=2, unique=True)) if label else []
        for label in range(n_labels)
    ]
    y = np.array(data.draw(st.lists(st.booleans(), min_size=n_rows * n_labels, max_size=n_rows * n_labels)))
    y = y.astype(float).reshape(n_rows, n_labels)
    for label in reversed(range(n_labels)):
        for parent in hierarchy[label]:
            y[:, parent] = np.maximum(y[:, parent], y[:, label])
    X = pd.DataFrame({"class": np.arange(n_rows, dtype=float)})
    names = [f"n{label}" for label in range(n_labels)]
    dataset = Dataset("dag", "hierarchical", X, y, names, hierarchy)
    to_arff(dataset, tmp_path / "a.arff")
    is_tree = not any(hierarchy)  # paths without a slash are a tree of roots
    back = read_back(dataset, tmp_path / "a.arff", target="class_", hierarchy="tree" if is_tree else "dag")
    order = [back.target_names.index(name) for name in names]
    np.testing.assert_array_equal(back.y[:, order], y)
    assert [{back.target_names[parent] for parent in back.hierarchy[label]} for label in order] == [
        {names[parent] for parent in above} for above in hierarchy
    ]


def tree(y, **changes):
    names = ["a", "b", "a/c"]
    X = pd.DataFrame({"x": np.arange(float(len(y)))})
    return Dataset("tree", "hierarchical", X, np.array(y, dtype=float), names, [[], [], [0]], **changes)


def test_a_tree_is_written_with_paths(tmp_path):
    dataset = tree([[1, 1, 1], [1, 0, 0], [np.nan] * 3, [0, 0, 0]])
    to_arff(dataset, tmp_path / "a.arff", rows=[0, 1, 2, 3], labeled=[0, 1, 2, 3])
    text = (tmp_path / "a.arff").read_text()
    assert "@attribute class hierarchical a,b,a/c\n" in text
    assert text.endswith("@data\n0,b@a/c\n1,a\n2,?\n3,''\n")
    back = read_back(dataset, tmp_path / "a.arff", target="class")
    np.testing.assert_array_equal(back.y, dataset.y)


def test_what_clus_cannot_express_is_refused(tmp_path):
    with pytest.raises(DataError, match="row 0 misses some of its labels"):
        to_arff(tree([[1, np.nan, 1]]), tmp_path / "a.arff")
    dataset = tree([[1, 1, 1]])
    dataset.target_names = ["a", "b", "c@d"]
    with pytest.raises(DataError, match="label 'c@d' cannot be written"):
        to_arff(dataset, tmp_path / "a.arff")
    assert list(tmp_path.iterdir()) == []
    two_parents = tree([[1, 1, 1]])
    two_parents.hierarchy = [[], [], [0, 1]]  # no tree, so that a slash in a name would be read as a parent
    with pytest.raises(DataError, match="label 'a/c' cannot be written"):
        to_arff(two_parents, tmp_path / "a.arff")


def small():
    X = pd.DataFrame({"x": [1.5, np.nan, 3.0], "c": pd.Categorical(["u", "v, w", None])})
    return Dataset("small", "classification", X, np.array(["yes", "no", None], dtype=object), ["x y"])


def test_a_training_split_hides_the_other_labels(tmp_path):
    to_arff(small(), tmp_path / "a.arff", rows=[2, 1, 0], labeled=[0])
    assert (tmp_path / "a.arff").read_text() == (
        "@relation small\n\n@attribute x numeric\n@attribute c {u,'v, w'}\n@attribute 'x y' {no,yes}\n\n"
        "@data\n"
        "3,?,?\n?,'v, w',?\n1.5,u,yes\n"
    )
    to_csv(small(), tmp_path / "a.csv", rows=[1, 0], labeled=[0])
    assert (tmp_path / "a.csv").read_text() == 'x,c,x y\n,"v, w",\n1.5,u,yes\n'
    with pytest.raises(DataError, match="labelled row 2 is not among the rows"):
        to_csv(small(), tmp_path / "b.csv", rows=[0], labeled=[2])
    assert not (tmp_path / "b.csv").exists()


def test_csv_is_read_back(tmp_path):
    X = pd.DataFrame({"x": [0.1, 1e300], "y": [2.0, np.nan]})
    dataset = Dataset("d", "multitarget", X, np.array([[1.0, 2.5], [3.0, np.nan]]), ["x", "t"])
    to_csv(dataset, tmp_path / "a.csv")
    assert_same(read_back(dataset, tmp_path / "a.csv"), dataset)


def test_a_failed_export_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("os.replace", lambda *arguments: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        to_arff(small(), tmp_path / "a.arff")
    assert list(tmp_path.iterdir()) == []
