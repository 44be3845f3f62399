"""Datasets as ARFF and CSV, for tools outside: a training split with its missing labels."""

import contextlib
import csv
import os
import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.datasets.dataset import DataError

#: Name of the hierarchical attribute of an exported dataset.
CLASS = "class"
_PLAIN = re.compile(r"[^\s,'\"{}%?\\]+")


def to_arff(dataset, path, rows=None, labeled=None):
    """Write ARFF, with a missing label as ``?``.

    Labels of multilabel are nominal {0,1}. A hierarchy becomes Clus's ``hierarchical`` attribute ``class``: paths
    when the names of the labels are the paths of a tree, pairs ``parent/child`` otherwise; values name the
    most specific labels, ``?`` is an unlabelled row and an empty quoted value a row with no label.

    Parameters
    ----------
    dataset : sslrank.datasets.dataset.Dataset
    path : path-like
        Written through a temporary file.
    rows : array-like of int, optional
        The rows to write, in this order; all by default.
    labeled : array-like of int, optional
        Those of the rows that keep their targets; all by default.

    Raises
    ------
    DataError
        If a row of a hierarchical dataset misses some of its labels but not all, or a label's name contains
        a character that paths and pairs reserve.

    Examples
    --------
    >>> from sslrank.datasets.dataset import Dataset
    >>> X = pd.DataFrame({"a": [1.5, 2.0]})
    >>> dataset = Dataset("mine", "classification", X, np.array(["no", "yes"], dtype=object), ["y"])
    >>> to_arff(dataset, "mine.arff", labeled=[0])
    >>> Path("mine.arff").read_text().splitlines()[-2:]
    ['1.5,no', '2,?']
    """
    columns = [f"@attribute {quoted(name)} {_arff_type(column)}" for name, column in dataset.X.items()]
    features = [_arff_values(column) for _, column in dataset.X.items()]
    if dataset.task == "hierarchical":
        declaration, targets = _hierarchical(dataset)
        columns.append(f"@attribute {_free_name(dataset)} hierarchical {declaration}")
        targets = [targets]
    else:
        targets = []
        for name, values in zip(dataset.target_columns, dataset.target_table.T, strict=True):
            if dataset.task == "classification":
                column = pd.Series(pd.Categorical(values))
            elif dataset.task == "multilabel":
                categories = ["0", "1"]
                column = pd.Series(pd.Categorical.from_codes(np.nan_to_num(values, nan=-1).astype(int), categories))
            else:
                column = pd.Series(np.asarray(values, dtype=np.float64))
            columns.append(f"@attribute {quoted(name)} {_arff_type(column)}")
            targets.append(_arff_values(column))
    rows, hidden = _rows(dataset, rows, labeled)
    with written(path) as stream:
        stream.write(f"@relation {quoted(dataset.name)}\n\n" + "\n".join(columns) + "\n\n@data\n")
        for row in rows:
            fields = [values[row] for values in features]
            fields += ["?"] * len(targets) if row in hidden else [values[row] for values in targets]
            stream.write(",".join(fields) + "\n")


def to_csv(dataset, path, rows=None, labeled=None):
    r"""Write CSV with a header line; missing values and labels are empty. Targets come last.

    Kinds, hierarchy and parts do not fit into a CSV; they are in the header that
    :meth:`sslrank.datasets.dataset.Dataset.save` writes.

    Parameters
    ----------
    dataset, path, rows, labeled
        As in :func:`to_arff`.

    Examples
    --------
    >>> from sslrank.datasets.dataset import Dataset
    >>> X = pd.DataFrame({"a": [1.5, 2.0]})
    >>> dataset = Dataset("mine", "classification", X, np.array(["no", "yes"], dtype=object), ["y"])
    >>> to_csv(dataset, "mine.csv", labeled=[0])
    >>> Path("mine.csv").read_text()
    'a,y\n1.5,no\n2,\n'
    """
    features = [_csv_values(column) for _, column in dataset.X.items()]
    targets = [_csv_values(pd.Series(values)) for values in dataset.target_table.T]
    rows, hidden = _rows(dataset, rows, labeled)
    with written(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*dataset.X.columns, *dataset.target_columns])
        for row in rows:
            fields = [values[row] for values in features]
            fields += [""] * len(targets) if row in hidden else [values[row] for values in targets]
            writer.writerow(fields)


@contextlib.contextmanager
def written(path):
    """Open a text file that appears only when all of it was written."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as stream:
            yield stream
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def quoted(text):
    """Quote an ARFF name or value where it has to be."""
    if _PLAIN.fullmatch(text) and not text.startswith("@"):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    for character, code in (("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        escaped = escaped.replace(character, code)
    return f"'{escaped}'"


def _rows(dataset, rows, labeled):
    rows = range(dataset.n_rows) if rows is None else [int(row) for row in rows]
    if labeled is None:
        return rows, frozenset()
    kept = {int(row) for row in labeled}
    if not kept <= set(rows):
        raise DataError(f"dataset {dataset.name!r}: labelled row {min(kept - set(rows))} is not among the rows")
    return rows, frozenset(rows) - kept


def _arff_type(column):
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "{" + ",".join(quoted(value) for value in column.cat.categories) + "}"
    return "numeric"


def _arff_values(column):
    if isinstance(column.dtype, pd.CategoricalDtype):
        texts = np.array([quoted(value) for value in column.cat.categories] + ["?"], dtype=object)
        return texts[column.cat.codes.to_numpy()]
    return ["?" if value != value else _number(value) for value in column.to_numpy()]


def _csv_values(column):
    values = column.astype(object).to_numpy()
    return [
        "" if value is None or value != value else value if isinstance(value, str) else _number(value)
        for value in values
    ]


def _number(value):
    """The shortest text that reads back as the same float64."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _free_name(dataset):
    name = CLASS
    while name in dataset.X.columns:
        name += "_"
    return quoted(name)


def _hierarchical(dataset):
    """The declaration of the labels and the value of each row."""
    names, parents = dataset.target_names, dataset.hierarchy
    is_tree = all(
        len(above) <= 1 and name.rpartition("/")[0] == (names[above[0]] if above else "")
        for name, above in zip(names, parents, strict=True)
    )
    for name in names:
        if re.search(r"[@,%'\"\s]" if is_tree else r"[@,%'\"\s/]", name) or name in ("", "?", "root"):
            raise DataError(f"dataset {dataset.name!r}: label {name!r} cannot be written in a Clus hierarchy")
    if is_tree:
        declaration = ",".join(names)
    else:
        pairs = [(names[p] for p in above) if above else ("root",) for above in parents]
        declaration = ",".join(f"{p}/{name}" for name, above in zip(names, pairs, strict=True) for p in above)
    has_child_on = np.zeros_like(dataset.y)
    for label, above in enumerate(parents):
        for parent in above:
            has_child_on[:, parent] = np.fmax(has_child_on[:, parent], dataset.y[:, label])
    missing = np.isnan(dataset.y)
    partly = missing.any(axis=1) & ~missing.all(axis=1)
    if partly.any():
        raise DataError(
            f"dataset {dataset.name!r}: row {int(np.flatnonzero(partly)[0])} misses some of its labels, "
            "which a Clus hierarchy cannot express"
        )
    values = []
    for row in range(dataset.n_rows):
        on = np.flatnonzero((dataset.y[row] == 1) & (has_child_on[row] != 1))
        values.append("?" if missing[row].any() else "@".join(names[label] for label in on) or "''")
    return declaration, values
