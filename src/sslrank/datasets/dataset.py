"""A prepared dataset: typed features, targets, hierarchy and predefined parts; saved as Parquet and JSON.

After :meth:`Dataset.load` no text is parsed again.
"""

import json
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.core.errors import DataError, NoDataError
from sslrank.core.frames import nominal_dtype
from sslrank.core.labeled_table import LabeledTable
from sslrank.core.targets import encode_targets
from sslrank.core.tasks import DATASET_TASKS

TABLE = "table.parquet"
HEADER = "header.json"
FORMAT_VERSION = 1
#: Above this many all-numeric features, Parquet's cost per column dominates and the features are stored as
#: one list column (see :meth:`Dataset.save`).
WIDE = 2000
#: Name of that list column.
MATRIX_COLUMN = "features"


def _check_names(what, names):
    """Raise ValueError if names of features or targets are not distinct strings."""
    if not names.is_unique:
        raise ValueError(f"two {what} are named {names[names.duplicated()][0]!r}")
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"names of {what} must be strings")


@dataclass(frozen=True, eq=False)
class Dataset(LabeledTable):
    """Validated table of features and targets.

    Attributes
    ----------
    name : str
    task : str
        One of :data:`sslrank.core.tasks.DATASET_TASKS`.
    X : DataFrame of shape (n, D)
        float64 columns (numeric; NaN is missing) or unordered categoricals of strings (nominal).
    y : ndarray
        classification: (n,) object array of str, None is missing. Others are float64, and NaN is missing: regression
        (n,); multitarget (n, T); multilabel and hierarchical (n, T) of 0 and 1, closed upward for hierarchical;
        survival (n, 2), the time and 1 (the event) or 0 (censored).
    target_names : list of str
        The class attribute, or the targets or labels by column of `y`.
    hierarchy : list of list of int, or None
        hierarchical: the parents of every label, by column of `y`.
    parts : dict of str to ndarray, or None
        Row indices of the predefined parts, "train" and "test".
    provenance : dict
        Where the data came from: files, sha256, content fingerprint. Free form, JSON.

    Raises
    ------
    DataError
        If attributes contradict each other.

    Examples
    --------
    >>> X = pd.DataFrame({"a": [1.5, 2.0], "shade": pd.Categorical(["dark", "light"])})
    >>> dataset = Dataset("mine", "classification", X, np.array(["no", "yes"], dtype=object), ["y"])
    >>> dataset.save("prepared")
    >>> Dataset.load("prepared").nominal
    array([False,  True])
    """

    name: str
    task: str
    X: pd.DataFrame
    y: np.ndarray
    target_names: list
    hierarchy: list | None = None
    parts: dict | None = None
    provenance: dict = field(default_factory=dict)

    def __post_init__(self):
        for check in (self._check_features, self._check_targets, self._check_hierarchy, self._check_parts):
            try:
                check()
            except ValueError as error:
                raise DataError(f"dataset {self.name!r}: {error}") from None

    def _check_features(self):
        if self.task not in DATASET_TASKS:
            raise ValueError(f"task must be one of {', '.join(DATASET_TASKS)}, got {self.task!r}")
        if 0 in self.X.shape:
            raise ValueError(f"the table is empty ({self.X.shape[0]} rows, {self.X.shape[1]} features)")
        _check_names("features", self.X.columns)
        _check_names("targets", pd.Index(self.target_names))
        for name, column in self.X.select_dtypes(exclude=np.float64).items():
            kind = column.dtype
            is_nominal = isinstance(kind, pd.CategoricalDtype) and not kind.ordered
            if not is_nominal or not all(isinstance(value, str) for value in kind.categories):
                expected = "float64 or an unordered categorical of strings"
                raise ValueError(f"feature {name!r} has type {kind}, expected {expected}")
        if np.isinf(self.X.select_dtypes(np.float64).to_numpy()).any():
            raise ValueError("a feature is infinite")

    def _check_targets(self):
        n_rows, names = self.n_rows, self.target_names
        if self.target_table.shape != (n_rows, len(names)):
            raise ValueError(f"targets have shape {self.y.shape}, expected {n_rows} rows and {len(names)} names")
        if self.task == "classification":
            if not all(isinstance(label, str) for label in self.y if label is not None):
                raise ValueError("class labels must be strings, None where missing")
        elif self.y.dtype != np.float64:
            raise ValueError("targets must be float64 numbers, NaN where missing")
        if not self.labeled.any():
            raise ValueError("no row has a target")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            encode_targets(self.y, n_rows, task=self.task, hierarchy=self.hierarchy)

    def _check_hierarchy(self):
        names = self.target_names
        for label, parents in enumerate(self.hierarchy or ()):
            for parent in parents:
                if (self.y[:, parent] < self.y[:, label]).any():
                    raise ValueError(f"a row has label {names[label]!r} without its parent {names[parent]!r}")

    def _check_parts(self):
        n_rows = self.n_rows
        for part, rows in (self.parts or {}).items():
            if len(rows) == 0 or rows.min() < 0 or rows.max() >= n_rows or len(np.unique(rows)) != len(rows):
                raise ValueError(f"part {part!r} must list distinct rows out of 0..{n_rows - 1}")

    @property
    def target_columns(self):
        """Names of the targets in a table with the features: ``target:NAME`` where NAME is also a feature's."""
        used_names = set(self.X.columns) | {MATRIX_COLUMN}
        columns = []
        for name in self.target_names:
            while name in used_names:
                name = f"target:{name}"
            used_names.add(name)
            columns.append(name)
        return columns

    def save(self, directory):
        """Write ``table.parquet`` and ``header.json``.

        The table has one Parquet column per feature and target, nominal ones as strings. More than
        :data:`WIDE` features that are all numeric become one column ``features``, a fixed-size list of
        float64 per row (an open Parquet type), because 20,000 Parquet columns take many seconds to open; the
        header's ``layout`` says which of the two it is and its ``features`` gives the names in order.

        Parameters
        ----------
        directory : path-like
            Created if it does not exist.

        Raises
        ------
        OSError
            If the files cannot be written; :meth:`load` then reports an incomplete dataset.
        """
        directory, header = Path(directory), json.dumps(self._to_header(), indent=1) + "\n"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / HEADER).unlink(missing_ok=True)  # written last: a dataset without it is incomplete
        pq.write_table(self._to_table(), directory / TABLE, compression="zstd")
        (directory / HEADER).write_text(header, encoding="utf-8")

    def _to_table(self):
        if self._is_wide():
            values = np.ascontiguousarray(self.X.to_numpy())
            features = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])
            table = pa.table({MATRIX_COLUMN: features})
        else:
            table = pa.Table.from_pandas(self.X, preserve_index=False).replace_schema_metadata()
        kind = pa.string() if self.task == "classification" else pa.float64()
        for name, column in zip(self.target_columns, self.target_table.T, strict=True):
            table = table.append_column(name, pa.array(np.ascontiguousarray(column), kind))
        return table

    def _is_wide(self):
        return self.X.shape[1] > WIDE and not self.nominal.any()

    def _to_header(self):
        nominal = {name: list(self.X[name].cat.categories) for name in self.X.columns[self.nominal]}
        return {
            "format": FORMAT_VERSION,
            "name": self.name,
            "task": self.task,
            "layout": "matrix" if self._is_wide() else "columns",
            "n_rows": self.n_rows,
            "features": list(self.X.columns),
            "nominal": nominal,
            "targets": list(self.target_names),
            "target_columns": self.target_columns,
            "hierarchy": self.hierarchy,
            "parts": {part: rows.tolist() for part, rows in self.parts.items()} if self.parts else None,
            "provenance": self.provenance,
        }

    @classmethod
    def load(cls, directory):
        """Read a dataset written by :meth:`save`.

        Parameters
        ----------
        directory : path-like

        Returns
        -------
        Dataset

        Raises
        ------
        NoDataError
            If the files say that an earlier job failed.
        DataError
            If the files are missing, damaged or do not belong together.
        """
        directory = Path(directory)
        advice, file = "Delete it and make it again", directory / HEADER
        try:
            header = json.loads((directory / HEADER).read_text(encoding="utf-8"))
            if isinstance(header, dict) and "problem" in header:
                raise NoDataError(header["problem"])
            file = directory / TABLE
            table = pq.read_table(file)
        except FileNotFoundError as error:
            raise DataError("the file is missing", file=error.filename, advice=advice) from None
        except NoDataError:
            raise
        except (OSError, ValueError, RecursionError, pa.ArrowException) as error:
            raise DataError(f"cannot be read ({error})", file=file, advice=advice) from None
        if not isinstance(header, dict) or header.get("format") != FORMAT_VERSION:
            raise DataError(f"{HEADER} is not of format {FORMAT_VERSION}", file=directory, advice=advice)
        try:
            return cls._from_table(table, header)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, pa.ArrowException) as error:
            problem = f"{TABLE} and {HEADER} do not belong together, or are damaged ({type(error).__name__}: {error})"
            raise DataError(problem, file=directory, advice=advice) from None

    @classmethod
    def _from_table(cls, table, header):
        if not set(header["nominal"]) <= set(header["features"]):
            raise ValueError("'nominal' names other columns than 'features'")
        table.validate(full=True)
        features, targets = header["features"], header["target_columns"]
        is_matrix = header["layout"] == "matrix"
        expected = [*([MATRIX_COLUMN] if is_matrix else features), *targets]
        if table.num_rows != header["n_rows"] or table.column_names != expected:
            raise DataError(f"the header has {header['n_rows']} rows, the table {table.num_rows}, or other columns")
        if is_matrix:
            values = table.column(MATRIX_COLUMN).combine_chunks().flatten().to_numpy()
            X = pd.DataFrame(values.reshape(table.num_rows, len(features)), columns=features)
        else:
            X = table.select(features).to_pandas(ignore_metadata=True)
            for name, categories in header["nominal"].items():
                # Parquet may keep only the categories that occur, in any order, which Series.astype would not change.
                X[name] = X[name].array.astype(nominal_dtype(tuple(categories)))
        if header["task"] == "classification":
            y = np.array(table.column(targets[0]).to_pylist(), dtype=object)
        else:
            y = np.column_stack([table.column(name).to_numpy() for name in targets])
            y = y[:, 0] if header["task"] == "regression" else y
        parts = header["parts"] and {part: np.array(rows) for part, rows in header["parts"].items()}
        name, task, target_names, hierarchy = (header[key] for key in ("name", "task", "targets", "hierarchy"))
        return cls(name, task, X, y, target_names, hierarchy, parts, header["provenance"])
