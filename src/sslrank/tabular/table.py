"""A person's own file or arrays as a table: what is read, and what it is taken for."""

import fnmatch
import inspect
import shlex
import warnings
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_array

from sslrank.core.containers import DATE, as_table, check_rows, read_column, take_rows
from sslrank.core.errors import DataError
from sslrank.core.messages import listed, nearest, suggestion
from sslrank.core.targets import encode_targets, read_targets
from sslrank.core.tasks import TASKS
from sslrank.datasets.readers import PACKED, format_of, read, reader_module
from sslrank.datasets.readers.delimited import guess_delimiter
from sslrank.datasets.readers.mulan import read_labels
from sslrank.datasets.readers.pieces import is_large, read_in_pieces
from sslrank.datasets.readers.table import BLANKS, COMMA, NA_WORDS, SIGN, THOUSANDS, KindDoubt, is_number, make_frame
from sslrank.tabular.features import choose_features
from sslrank.tabular.row_columns import group_codes, time_values, weight_values
from sslrank.tabular.sparse_table import FEWEST_ROWS, choose_part, is_large_sparse
from sslrank.tabular.target import check_labeled, target_of_values, understand_target, without

#: So many unlabelled rows are taken that the table has at most this many cells; labelled rows are all taken.
MAX_CELLS = 20_000_000

KINDS = {
    "classification": "classification",
    "mlc": "multi-label classification",
    "hmlc": "hierarchical multi-label classification",
    "str": "regression",
    "mtr": "regression of several targets",
}


#: Columns that describe rows: how they are read, and why they are no features.
ROW_COLUMNS = {
    "groups": (group_codes, "the groups of rows"),
    "time": (time_values, "the time of rows"),
    "weights": (weight_values, "the weights of rows"),
}


_ARGUMENTS = {"groups": "groups", "time": "time", "weights": "sample_weight"}


@dataclass
class OwnTable:
    """A file as it was understood.

    Attributes
    ----------
    X : DataFrame
        The features that are ranked: float64 columns, and categoricals.
    y : ndarray of shape (n,) or (n, T)
        Class labels as texts or None; numbers or NaN; 0, 1 or NaN.
    task : str
        One of :data:`sslrank.core.tasks.TASKS`.
    reason : str
        Why this kind of target.
    target_names : list of str
    target_columns : list of str
        The columns of the file that they come from.
    hierarchy : list of list of int or None
    dropped : dict of str to str
        Columns left out, and why.
    notes : list of str
        What the person should look at.
    path : Path or None
    targets : DataFrame or None
        The target columns as they are in the file.
    form : {"tree", "dag"} or None
        What a hierarchy was read as.
    groups : ndarray of shape (n,), intp, or None
        The group of each row (0..k-1), such as its patient. Rows of one group are never in both parts of a split.
    time : ndarray of shape (n,), float64, or None
        When each row was recorded.
    weights : ndarray of shape (n,), float64, or None
        How much each row counts.
    left_out : int
        Unlabelled rows of a large file that were not read.
    """

    X: pd.DataFrame
    y: np.ndarray
    task: str
    reason: str
    target_names: list
    target_columns: list
    hierarchy: list | None = None
    dropped: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    path: Path | None = None
    targets: pd.DataFrame | None = None
    form: str | None = None
    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    weights: np.ndarray | None = None
    left_out: int = 0

    def rows(self, index):
        """The table of some of its rows, given as an index array."""
        of_rows = {key: getattr(self, key) for key in ("groups", "time", "weights")}
        of_rows = {key: None if values is None else values[index] for key, values in of_rows.items()}
        X = self.X.iloc[index].reset_index(drop=True)
        return replace(self, X=X, y=self.y[index], targets=None, notes=[], **of_rows)

    @property
    def labeled(self):
        """Rows with at least one known target, shape (n,)."""
        missing = pd.isna(self.y)
        return ~(missing if missing.ndim == 1 else missing.all(axis=1))

    @property
    def complete(self):
        """Rows with every target known, shape (n,)."""
        missing = pd.isna(self.y)
        return ~(missing if missing.ndim == 1 else missing.any(axis=1))

    @property
    def nominal(self):
        """Names of the nominal features."""
        return [name for name, kind in self.X.dtypes.items() if isinstance(kind, pd.CategoricalDtype)]

    def describe(self):
        """What was understood and how to correct it, as lines of text."""
        labeled, n_rows = int(self.labeled.sum()), len(self.X)
        is_file = isinstance(self.path, Path)
        by_task, by_kind = ("; else --task", "; else --nominal, --numeric, --drop") if is_file else ("; else task=", "")
        lines = [
            f"{self.path or 'table'}: {n_rows + self.left_out} rows, {labeled} labelled, "
            f"{n_rows - labeled + self.left_out} unlabelled",
            f"target {listed(self.target_columns)}: {KINDS[self.task]} ({self.reason}){by_task}",
        ]
        nominal = self.nominal
        numeric = self.X.shape[1] - len(nominal)
        shown = f": {listed(nominal)}" if nominal else ""
        lines.append(f"features: {numeric} numeric, {len(nominal)} nominal{shown}{by_kind}")
        why = {}
        for name, reason in self.dropped.items():
            why.setdefault(reason, []).append(name)
        lines += [f"left out, {reason}: {listed(names)}; else --keep" for reason, names in why.items()]
        return [*lines, *(f"note: {note}" for note in self.notes)]


def read_own(
    path,
    target=(),
    *,
    task=None,
    nominal=(),
    numeric=(),
    drop=(),
    keep=(),
    ranked=(),
    hierarchy=None,
    unlabeled=(),
    missing=(),
    labels=None,
    groups=None,
    time=None,
    weights=None,
    **reading,
):
    """Read a file with features and targets.

    Parameters
    ----------
    path : path-like
        CSV, TSV, Parquet, ARFF, MATLAB, KEEL or R; may be compressed.
    target : sequence of str
        Columns, or patterns such as ``label_*``. Empty: what the file itself names (Mulan's XML beside it, a
        hierarchical attribute).
    task : str, optional
        Kind of target; by default by its values.
    nominal, numeric, drop, keep : sequence of str
        Columns that are categories, numbers, no features, or features though they look like none.
    ranked : sequence of str
        Kept too where they are columns, and not to be dropped.
    hierarchy : {"tree", "dag"}, optional
        The target holds paths ``a/b@c/d`` (tree) or nodes of a declared graph (ARFF).
    unlabeled : sequence of str
        Values of the target that mean unlabelled besides empty, NaN and ``?``.
    missing : sequence of str
        Further texts that mean a missing value (CSV).
    labels : path-like, optional
        Mulan's XML file; by default the one beside an ARFF file.
    groups, time, weights : str, optional
        Columns with the group, the time and the weight of each row; they are no features.
    **reading
        `max_size` as in :func:`sslrank.datasets.readers.read`, and what :func:`reader_of` takes.

    Returns
    -------
    OwnTable

    Raises
    ------
    DataError
        With one message, which says what to correct and how.
    """
    path = _file(path)
    if task is not None and task not in TASKS:
        raise DataError(f"unknown task {task!r}; {suggestion(task, TASKS)}")
    of_rows = {
        key: name for key, name in (("groups", groups), ("time", time), ("weights", weights)) if name is not None
    }
    as_texts = [*nominal, *(name for name in (groups, time) if name is not None and name not in numeric)]
    if labels is None and not target and (beside := _beside(path)).is_file():
        labels = beside
    if labels is not None and target:
        raise DataError("both targets and a list of labels are given", file=path, advice="Leave one of them out")
    target = target if labels is None else read_labels(labels)
    labeled = _Labeled(target, unlabeled, path)
    table = _read(path, target, as_texts, numeric, missing, drop, labeled=labeled, **reading)
    frame = table.frame
    _check_options(frame.columns, nominal, numeric, drop, keep, path)
    _check_known(of_rows.values(), frame.columns, path)
    columns = _targets(table, target, path)
    _check_one_way(path, "the target", columns, "--drop", drop)
    _check_roles(of_rows, columns, keep, path)
    found = OwnTable(pd.DataFrame(), np.empty(0), "", "", columns, columns, path=path, targets=frame[columns])
    found.left_out = table.left_out
    if table.left_out:
        n_drawn = int((~labeled(table)).sum())
        found.notes.append(
            f"{n_drawn} of {n_drawn + table.left_out} unlabelled rows, drawn at random, are read, and all labelled rows"
        )
    found.notes += [note.partition(": ")[2] for note in table.notes]
    understand_target(found, table, task, hierarchy, unlabeled, set(nominal))
    for key, name in of_rows.items():
        setattr(found, key, ROW_COLUMNS[key][0](frame[name], path))
        found.dropped[name] = ROW_COLUMNS[key][1]
    if table.weights is not None and weights is None:
        found.weights = weight_values(pd.Series(table.weights, name="weights"), path)
        found.notes.append("rows have weights in the file, which are used; --weights names a column instead")
    frame = frame.drop(columns=[*columns, *of_rows.values()])
    choose_features(found, frame, set(nominal), set(numeric), set(drop), {*keep, *ranked})
    return found


def read_columns(path, names, numbers=(), **reading):
    """Some columns of another file, as they are.

    Parameters
    ----------
    path : path-like
    names : list of str
    numbers : sequence of str
        Those that hold numbers, which get a point for a decimal comma.
    **reading
        As in :func:`read_own`; what does not apply to this file's format is left out.

    Returns
    -------
    DataFrame

    Raises
    ------
    DataError
        If a column is not there.
    """
    path = _file(path)
    reading = dict(reading, format=reading.get("format") or format_of(path))
    known = inspect.signature(import_module(reader_module(reading["format"])).read).parameters
    reading = {key: reading[key] for key in reading if key in known or key in ("format", "header", "max_size")}
    frame = _read(path, (), "all", (), (), (), **reading).frame
    _check_known(names, frame.columns, path)
    found = frame[names].copy()
    if reading.get("decimal") == ",":
        for name in numbers:
            found[name] = found[name].astype(object).str.replace(",", ".")
    return found


def own_table(
    X,
    y,
    *,
    task=None,
    hierarchy=None,
    nominal=(),
    numeric=(),
    drop=(),
    keep=(),
    groups=None,
    time=None,
    sample_weight=None,
    name=None,
):
    """Understand arrays and data frames as :func:`read_own` does a file.

    Parameters
    ----------
    X : array-like, DataFrame, polars or Arrow table, or sparse matrix of shape (n, D)
        Without names of columns they are called x1, x2, ... Of a sparse X that would be large as a dense one, see
        :func:`sslrank.tabular.sparse_table.choose_part`.
    y : array-like of shape (n,) or (n, T)
        None and NaN are unlabelled, and -1 among integer classes; see :func:`sslrank.core.targets.encode_targets`.
    task : str, optional
    hierarchy : list of list of int, optional
        Parents of each label, for 0/1 labels.
    nominal, numeric, drop, keep : sequence of str
        Columns that are categories, numbers, no features, or features though they look like none.
    groups, time, sample_weight : array-like of shape (n,) or str, optional
        The group, the time and the weight of each row, or the name of a column of X with them, which is no feature.
    name : str, optional
        What to call the table.

    Returns
    -------
    OwnTable

    Raises
    ------
    ValueError
        If X and y do not fit, a column cannot be read, an option names no column, or no feature is left.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"id": range(12), "a": [i * 7 % 12 / 2 for i in range(12)]})
    >>> own_table(X, [0, 1, -1] * 4).dropped
    {'id': 'counts the rows'}
    """
    for option, value in (("nominal", nominal), ("numeric", numeric), ("drop", drop), ("keep", keep)):
        if isinstance(value, str):
            raise ValueError(f"{option} must be a sequence of names, got the text {value!r}; pass [{value!r}]")
    if task is not None and task not in TASKS:
        raise ValueError(f"unknown task {task!r}; {suggestion(task, TASKS)}")
    X = as_table(X)
    check_rows(X, y)
    of_rows = {"groups": groups, "time": time, "weights": sample_weight}
    of_rows = {key: value for key, value in of_rows.items() if value is not None}
    if is_large_sparse(X, MAX_CELLS):
        named = {*nominal, *numeric, *drop, *keep, *(value for value in of_rows.values() if isinstance(value, str))}
        n_rows = X.shape[0]
        rows, X, note = _part_of_sparse(X, y, task, named)
        of_rows = {key: value if isinstance(value, str) else take_rows(value, rows) for key, value in of_rows.items()}
        options = {"nominal": nominal, "numeric": numeric, "drop": drop, "keep": keep, "name": name}
        options |= {_ARGUMENTS[key]: value for key, value in of_rows.items()}
        found = own_table(X, take_rows(y, rows), task=task, hierarchy=hierarchy, **options)
        found.notes.append(note)
        found.left_out = n_rows - len(rows)
        return found
    taken = {key: value for key, value in of_rows.items() if isinstance(value, str)}
    frame = _named_columns(X)
    _check_options(frame.columns, nominal, numeric, drop, keep, None)
    for key, column in taken.items():
        if column not in frame:
            raise ValueError(f"{_ARGUMENTS[key]}: X has no column {column!r}{nearest(column, frame.columns)}")
        of_rows[key] = frame[column]
    n_rows = len(frame)
    columns = read_targets(y, n_rows)
    names = [column.name for column in columns]
    if None in names:
        names = ["y"] if len(names) == 1 else [f"y{j + 1}" for j in range(len(names))]
    found = OwnTable(pd.DataFrame(), np.empty(0), "", "", names, names, path=name)
    for key, values in of_rows.items():
        column = pd.Series(values).reset_index(drop=True).rename(taken.get(key, _ARGUMENTS[key]))
        if len(column) != n_rows:
            raise ValueError(f"X has {n_rows} rows, {_ARGUMENTS[key]} has {len(column)}")
        setattr(found, key, ROW_COLUMNS[key][0](column))
    if task == "hmlc" and hierarchy is None:
        raise ValueError("task 'hmlc' needs the hierarchy")
    target_of_values(found, columns, task)
    if hierarchy is not None:
        found.task, found.reason, found.hierarchy = "hmlc", "a hierarchy is given", hierarchy
        encode_targets(found.y, n_rows, task="hmlc", hierarchy=hierarchy)  # checks it
    check_labeled(found)
    found.dropped |= {column: ROW_COLUMNS[key][1] for key, column in taken.items()}
    frame = frame.drop(columns=list(taken.values()))
    typed, dates = _typed_columns(frame, set(nominal), set(drop))
    choose_features(found, typed, set(nominal), set(numeric), set(drop), set(keep), dates)
    return found


def _part_of_sparse(X, y, task, named):
    """Rows of a large sparse table that are used, the columns that vary among the labelled ones, and a note."""
    targets = read_targets(y, X.shape[0])
    found = OwnTable(pd.DataFrame(), np.empty(0), "", "", *2 * [[column.name for column in targets]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said when the part is understood
        target_of_values(found, targets, task)
    check_labeled(found)
    places = {f"x{j + 1}": j for j in range(X.shape[1])} if named else {}
    rows, columns, note = choose_part(X, found.labeled, MAX_CELLS, [places[name] for name in named if name in places])
    if not len(columns):
        raise ValueError(f"no column of X differs from its most frequent value in {FEWEST_ROWS} labelled rows")
    values = sparse.csr_array(X)[rows][:, columns].toarray()
    if np.isinf(values).any():
        raise ValueError("X contains infinity; missing values are NaN")
    return rows, pd.DataFrame(values, columns=[f"x{j + 1}" for j in columns]), note


def _named_columns(X):
    """The features as a DataFrame with names, of a form of :func:`sslrank.core.containers.as_table`."""
    if isinstance(X, pd.DataFrame):
        frame = X.set_axis([str(column) for column in X.columns], axis=1).reset_index(drop=True)
        if all(isinstance(column, int | np.integer) for column in X.columns) and isinstance(X.columns, pd.RangeIndex):
            frame.columns = [f"x{j + 1}" for j in range(X.shape[1])]
        _check_distinct(list(frame.columns))
        if not frame.shape[1]:
            raise ValueError("X has no columns")
        return frame
    if getattr(X, "ndim", 2) != 2 or not X.shape[1]:
        raise ValueError(f"X must have two dimensions and some columns, got shape {X.shape}")
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported in X")
    if sparse.issparse(X):
        frame = pd.DataFrame.sparse.from_spmatrix(sparse.csc_array(X, dtype=np.float64))
    else:
        frame = pd.DataFrame(check_array(X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=0))
    frame.columns = [f"x{j + 1}" for j in range(X.shape[1])]
    return frame


def _typed_columns(frame, nominal, drop):
    """The frame with float64 columns and categoricals only, and the names of those that hold dates or times."""
    if all(kind == np.float64 for kind in frame.dtypes) and not nominal & {*frame.columns}:
        _refuse_infinity(frame)
        return frame, set()
    columns, dates = [], set()
    for name, column in frame.items():
        if name in drop:
            columns.append(np.full(len(frame), np.nan))
            continue
        if isinstance(column.dtype, pd.SparseDtype) and column.dtype.subtype.kind in "iuf" and name not in nominal:
            columns.append(column)
            continue
        try:
            kind, values = read_column(column, name, name in nominal)
        except (TypeError, ValueError) as error:
            raise DataError(f"{error}. Or leave the column out: drop=[{name!r}]") from None
        if kind == DATE:
            dates.add(name)
        columns.append(values)
    if all(isinstance(column, pd.Series) for column in columns):
        return frame, dates
    typed = make_frame(list(frame.columns), columns)
    _refuse_infinity(typed)
    return typed, dates


def _refuse_infinity(frame):
    for name, column in frame.items():
        if column.dtype == np.float64 and np.isinf(column.to_numpy()).any():
            row = int(np.argmax(np.isinf(column.to_numpy())))
            raise ValueError(f"column {name!r} of X contains infinity (row {row}, counted from 0); missing is NaN")


def _check_options(columns, nominal, numeric, drop, keep, path):
    for names in (nominal, numeric, drop, keep):
        _check_known(names, columns, path)
    drop_, keep_, nominal_, numeric_ = ("--drop", "--keep", "--nominal", "--numeric") if path else (
        "drop", "keep", "nominal", "numeric",
    )  # fmt: skip
    _check_one_way(path, drop_, drop, keep_, keep)
    _check_one_way(path, nominal_, nominal, numeric_, numeric)


def reader_of(path, nominal=(), numeric=(), missing=(), format=None, delimiter=None, header=None, **others):
    """The format of a file, and the options of its reader.

    Parameters
    ----------
    path : Path
    nominal : sequence of str, or "all"
    numeric, missing : sequence of str
    format, delimiter : str, optional
        By default by the suffix and the first lines.
    header : bool, optional
        Whether the first line of a text has names; by default that is refused where all are numbers.
    **others
        Further options of the reader; None is not passed on.

    Returns
    -------
    format : str
    options : dict
    """
    format = format or format_of(path, others.get("member"))
    options = {key: value for key, value in others.items() if value is not None}
    if format not in ("csv", "xlsx"):
        return format, options
    if format == "csv":
        options["delimiter"] = delimiter or guess_delimiter(path, others.get("member"))
    options |= {"nominal": nominal if nominal == "all" else list(nominal), "numeric": list(numeric)}
    if missing:
        options["missing"] = [*BLANKS, *NA_WORDS, *missing]
    if header is False:
        options["header"] = False
    return format, options


class _Labeled:
    """Tells which rows of a table that was read are labelled."""

    def __init__(self, target, unlabeled, path):
        self.target, self.unlabeled, self.path, self.columns = target, unlabeled, path, None

    def __call__(self, table):
        if self.columns is None:
            self.columns = _targets(table, self.target, self.path)
        return np.any([without(table.frame[name], self.unlabeled).notna() for name in self.columns], axis=0)


def _read(path, target, nominal, numeric, missing, drop, max_size=None, header=None, labeled=None, **reading):
    format, options = reader_of(path, nominal, numeric, missing, header=header, **reading)
    if format == "parquet":
        options["drop"] = drop
    if format in ("csv", "xlsx") and options["nominal"] != "all":
        options["nominal"] += [name for name in drop if name not in options["numeric"]]  # read as they stand
    if format == "mat" and target:
        options["target"] = target[0]
    try:
        if labeled is not None and is_large(path, format, options.get("encoding", "utf-8")):
            table = read_in_pieces(path, format, labeled, max_cells=MAX_CELLS, max_size=max_size, **options)
        else:
            table = read(path, format, max_size, **options)
    except KindDoubt as doubt:
        if SIGN in doubt.problem:
            first, last = "Write plain numbers", f"--numeric {doubt.names[0]} to read them without signs and commas"
        elif THOUSANDS in doubt.problem:
            first, last = (
                "Remove these commas",
                f"--reader decimal=, if {doubt.text} means {doubt.text.replace(',', '.')}",
            )
        elif COMMA in doubt.problem:
            first, last = "Correct them", "--reader decimal=, if they are numbers"
        else:
            first, last = "Correct them", f"--reader missing={shlex.quote(doubt.text)} if that means a missing value"
        advice = f"{first}, or add --nominal {doubt.names[0]} if these are categories, or {last}"
        raise DataError(doubt.problem, file=path, column=doubt.column, advice=advice) from None
    numbers = (
        [name for name in table.frame.columns if is_number(name)]
        if format in ("csv", "xlsx") and header is None
        else []
    )
    if numbers and len(numbers) < table.frame.shape[1]:
        table.notes.append(
            f"{path.name}: {len(numbers)} of {table.frame.shape[1]} columns have a number as name: {listed(numbers)}; "
            "add --reader header=false if the first line is no line of names, header=true if it is"
        )
    elif numbers:
        raise DataError(
            f"every column's name is a number: {listed(table.frame.columns)}",
            file=path,
            advice="Add --reader header=false if the first line is a row of data, header=true if it has names",
        )
    return table


def _file(path):
    path = Path(path)
    if path.is_dir():
        raise DataError("this is a folder, expected a file", file=path, advice="Name a file in it")
    if str(path) == "-" or (path.exists() and not path.is_file()):
        raise DataError("pipes are not read", file=path, advice="Save what comes out as a file, and name that")
    if not path.exists():
        raise DataError("there is no such file", file=path)
    return path


def _beside(path):
    """Where Mulan's XML of an ARFF file would be, packed or not."""
    plain = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return plain.with_suffix(".xml") if plain.suffix.lower() == ".arff" else Path()


def _check_known(names, columns, path):
    known = set(columns)
    for name in names:
        if name not in known:
            raise DataError(f"there is no column {name!r}; {_near(name, columns)}", file=path)


def _check_one_way(path, first, names, second, others):
    if both := sorted(set(names) & set(others)):
        raise DataError(f"{listed(both)}: {first} and {second} name it, which contradict each other", file=path)


def _near(name, columns):
    return nearest(name, columns).lstrip("; ") or f"it has {listed(columns)}"


def _check_roles(of_rows, target, keep, path):
    """A column has one role."""
    names = list(of_rows.values())
    for key, name in of_rows.items():
        option = f"--{key}"
        _check_one_way(path, option, [name], "the target", target)
        _check_one_way(path, option, [name], "--keep", keep)
        if names.count(name) > 1 and names.index(name) < list(of_rows).index(key):
            raise DataError(f"{name}: two options name it, of which {option} is one", file=path)


def _check_distinct(names):
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"two columns of X are named {twice!r}")


def _targets(table, target, path):
    columns = list(table.frame.columns)
    wanted = list(target) or list(table.targets) or list(table.hierarchies)
    if not wanted:
        raise DataError("no target is named", file=path, advice=f"Add --target; the columns are {listed(columns)}")
    found = []
    for name in wanted:
        fits = [name] if name in columns else fnmatch.filter(columns, name)
        if not fits:
            raise DataError(f"there is no column {name!r}; {_near(name, columns)}", file=path)
        found += [column for column in fits if column not in found]
    return found
