"""A user's table, with features, target and descriptions of rows, from a file, arrays or data frames."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from sslrank.core.containers import DATE, as_table, check_same_index, inexact, read_column, take_rows
from sslrank.core.errors import DataError, errors_in
from sslrank.core.events import event_values
from sslrank.core.frames import make_frame
from sslrank.core.labeled_table import LabeledTable
from sslrank.core.messages import counted, listed, nearest, quoted
from sslrank.core.null_model import NullModel
from sslrank.core.target_columns import read_targets, survival_pair
from sslrank.core.targets import encode_targets
from sslrank.tabular.schema.features import EQUAL, choose_features
from sslrank.tabular.schema.names import ColumnNames
from sslrank.tabular.schema.null_target import ADJUSTED, adjusting_columns, take_null_model
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.schema.row_columns import group_codes, time_values, weight_values
from sslrank.tabular.schema.sparse_table import MIN_NONCONSTANT_ROWS, choose_part, is_large_sparse
from sslrank.tabular.schema.target import check_labeled, target_of_values
from sslrank.tabular.schema.texts import NAME, notes_on_texts, rows_of_totals

#: Unlabelled rows are sampled so that the table has at most this many cells; all labelled rows are kept.
MAX_CELLS = 20_000_000

#: Kinds of target in words, where these differ.
TASK_WORDS = {
    "multilabel": "multi-label classification",
    "hierarchical": "hierarchical multi-label classification",
    "multitarget": "multi-target regression",
}


#: Columns that describe rows: how they are read, and why they are not features.
ROW_COLUMNS = {
    "groups": (group_codes, "the groups of rows"),
    "time": (time_values, "the time of rows"),
    "weights": (weight_values, "the weights of rows"),
    "event": (event_values, "the event of the target"),
}


_ARGUMENTS = {"groups": "groups", "time": "time", "weights": "sample_weight", "event": "event"}


@dataclass
class OwnTable(LabeledTable):
    """A user's table with typed features, its target and descriptions of rows.

    Attributes
    ----------
    X : DataFrame
        The features to rank: float64 columns and categoricals.
    y : ndarray of shape (n,) or (n, T)
        Class labels as strings or None; numbers or NaN; 0, 1 or NaN.
    task : str
        One of :data:`sslrank.core.tasks.TASKS`.
    reason : str
        The reason for this kind of target.
    target_names : list of str
    target_columns : list of str
        Columns of the file that the targets come from.
    hierarchy : list of list of int or None
    dropped : dict of str to str
        Columns left out, with the reason.
    possible_identifiers : list of str
        Features that may be identifiers: more than half of the rows have a unique string.
    units : dict of str to ndarray of shape (n,), intp
        Repeated identifiers, and strings such as villages, that may group rows; the code of each row's value.
    missing_codes : dict of str to str
        Columns with a value that may mean missing, and its number of rows.
    totals : dict of str to str
        Rows named as totals or means, by line of the file or number from 0, with the reason.
    converted : dict of str to str
        Features whose values were converted, such as numbers with a unit, with the result.
    sorted_by : str
        The column of times, dates or years by which the rows are sorted; empty if there is none.
    notes : list of str
        Notes for the user to check.
    path : Path or None
    targets : DataFrame or None
        Target columns as in the file.
    form : {"tree", "dag"} or None
        Form of the hierarchy in the file.
    groups : ndarray of shape (n,), intp, or None
        The group of each row (0..k-1), such as its patient; splits keep groups whole.
    time : ndarray of shape (n,), float64, or None
        Time of each row.
    weights : ndarray of shape (n,), float64, or None
        Weight of each row.
    event : ndarray of shape (n,), float64, or None
        1 if the event of the time happened, 0 if the time is censored, NaN if unknown.
    null : sslrank.core.null_model.NullModel or None
        Null model whose residuals replace the target in `y`.
    target_options : dict or None
        Transformation of the target: "event", "adjust" and "positives_only", and its original "task".
    left_out : int
        Number of unlabelled rows of a large file that were not read.
    declared_absent : frozenset of str
        Declared to be absent by the user: "groups", "time".
    names : sslrank.tabular.schema.names.ColumnNames or None
        Names of a data frame and their strings in X; None if they are equal.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> table = rank(X, y, methods="f_score", effort="order").table
    >>> table.describe()[0]
    'table: 150 rows, 150 labelled, 0 unlabelled'
    """

    X: pd.DataFrame
    y: np.ndarray
    task: str
    reason: str
    target_names: list
    target_columns: list
    hierarchy: list | None = None
    dropped: dict = field(default_factory=dict)
    possible_identifiers: list = field(default_factory=list)
    units: dict = field(default_factory=dict)
    missing_codes: dict = field(default_factory=dict)
    totals: dict = field(default_factory=dict)
    converted: dict = field(default_factory=dict)
    sorted_by: str = ""
    notes: list = field(default_factory=list)
    path: Path | None = None
    targets: pd.DataFrame | None = None
    form: str | None = None
    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    weights: np.ndarray | None = None
    event: np.ndarray | None = None
    null: NullModel | None = None
    target_options: dict | None = None
    left_out: int = 0
    declared_absent: frozenset = frozenset()
    names: ColumnNames | None = None

    def rows(self, index):
        """Return the table with some of its rows, given as an index array."""
        row_columns = {key: getattr(self, key) for key in ROW_COLUMNS}
        row_columns = {key: None if values is None else values[index] for key, values in row_columns.items()}
        X = self.X.iloc[index].reset_index(drop=True)
        units = {name: codes[index] for name, codes in self.units.items()}
        null = None if self.null is None else self.null.rows(index)
        return replace(self, X=X, y=self.y[index], targets=None, notes=[], units=units, null=null, **row_columns)

    def coded(self):
        """Code features and targets as numbers, see :meth:`sslrank.core.labeled_table.LabeledTable.coded`."""
        coded = super().coded()
        return replace(coded, targets=replace(coded.targets, null=self.null))

    @property
    def given(self):
        """What follows the target's name: the event of a time, and what is adjusted for; empty if there is neither."""
        asked = self.target_options or {"event": None, "adjust": []}
        until = f" until {asked['event']}" if asked["event"] else ""
        return until + (f", given {' and '.join(asked['adjust'][:3])}" if asked["adjust"] else "")

    @property
    def kind(self):
        """The kind of target in words."""
        if self.event is not None:
            return f"time until {self.target_options['event']}, by log-rank scores"
        task = self.task if self.target_options is None else self.target_options["task"]
        return TASK_WORDS.get(task, task)

    def describe(self):
        """Describe in lines how the table was read, with the options to correct it."""
        labeled, n_rows = int(self.labeled.sum()), self.n_rows
        is_file = isinstance(self.path, Path)
        by_task = "; if wrong: --task" if is_file else "; if wrong: task="
        by_kind = "; if wrong: --nominal, --numeric, --drop" if is_file else ""
        by_task = "" if self.target_options is not None else by_task
        split = f", {labeled} labelled, {n_rows - labeled + self.left_out} unlabelled"
        if (self.target_options or {}).get("positives_only"):  # the kind of target has these numbers
            split = ""
        lines = [
            f"{self.path or 'table'}: {counted(n_rows + self.left_out, 'row')}{split}",
            f"target {listed(self.target_columns)}: {self.kind} ({self.reason}){by_task}",
        ]
        nominal = list(self.X.columns[self.nominal])
        numeric = self.X.shape[1] - len(nominal)
        shown = f": {listed(nominal, NAME)}" if nominal else ""
        lines.append(f"features: {numeric} numeric, {len(nominal)} nominal{shown}{by_kind}")
        why = {}
        for name, reason in self.dropped.items():
            if twin := reason.partition(EQUAL)[2]:
                name, reason = f"{name} ({twin})", f"{EQUAL}another column"
            why.setdefault(reason, []).append(name)
        asked = [ADJUSTED, *(reason for _, reason in ROW_COLUMNS.values())]
        lines += [
            f"left out, {reason}: {listed(names, NAME)}{'' if reason in asked else '; if wrong: --keep'}"
            for reason, names in why.items()
        ]
        return [*lines, *(f"note: {note}" for note in self.notes)]


def own_table(X, y, roles=None, name=None):
    """Build an OwnTable from arrays and data frames.

    Parameters
    ----------
    X : array-like, DataFrame, polars or Arrow table, or sparse matrix of shape (n, D)
        Columns without names are called x1, x2, ... For a sparse X that would be large as a dense one, see
        :func:`sslrank.tabular.schema.sparse_table.choose_part`.
    y : array-like of shape (n,) or (n, T), or str
        The name of a column of X, or values; None, NaN, and -1 among integer classes, mean unlabelled, see
        :func:`sslrank.core.targets.encode_targets`.
    roles : ColumnRoles, optional
        The user's options about the columns.
    name : str, optional
        Name of the table.

    Returns
    -------
    OwnTable

    Raises
    ------
    ValueError
        If X and y do not match, a column cannot be read, an option names an unknown column, or no feature is left.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"id": range(12), "a": [i * 7 % 12 / 2 for i in range(12)]})
    >>> own_table(X, [0, 1, -1] * 4).dropped
    {'id': 'a row counter'}
    """
    roles = ColumnRoles() if roles is None else roles
    for option in ("nominal", "numeric", "drop", "keep", "adjust"):
        if isinstance(value := getattr(roles, option), str):
            raise ValueError(f"{option} must be a sequence of names, got the string {value!r}; pass [{value!r}]")
        if not isinstance(value, Iterable):
            raise ValueError(f"{option} must be a sequence of names, got {quoted(value)}")
    task, hierarchy = roles.task, roles.hierarchy
    is_named = isinstance(X, pd.DataFrame)
    X = as_table(X)
    _check_shape(X)
    if isinstance(y, str):
        if not isinstance(X, pd.DataFrame) or y not in X:
            raise ValueError(f"y: X has no column {y!r}{nearest(y, X) if is_named else ''}")
        if y in roles.adjust:
            raise ValueError(f"{y}: the column is given to both adjust and the target")
        X, y = X.drop(columns=y), X[y]
    check_same_index(X, y)
    names = ColumnNames(X.columns) if is_named else None
    roles = replace(roles, **names.translated(roles)) if is_named else roles
    row_columns = roles.row_columns
    for key, value in row_columns.items():
        if not isinstance(value, str) and np.ndim(value) != 1:
            got = f"shape {np.shape(value)}" if np.ndim(value) else quoted(value)
            raise ValueError(f"{_ARGUMENTS[key]} must have a value for each row, or be the name of a column, got {got}")
    if is_large_sparse(X, MAX_CELLS):
        named = {*roles.nominal, *roles.numeric, *roles.drop, *roles.keep, *roles.adjust}
        named |= {value for value in row_columns.values() if isinstance(value, str)}
        n_rows = X.shape[0]
        rows, X, note = _part_of_sparse(X, y, task, named)
        taken = {key: value if isinstance(value, str) else take_rows(value, rows) for key, value in row_columns.items()}
        table = own_table(X, take_rows(y, rows), replace(roles, **taken), name)
        table.notes.append(note)
        table.left_out = n_rows - len(rows)
        return table
    by_name = {key: value for key, value in row_columns.items() if isinstance(value, str)}
    frame = _named_columns(X, names)
    check_options(frame.columns, roles)
    row_columns |= {key: frame[column] for key, column in by_name.items()}
    n_rows = len(frame)
    if (pair := survival_pair(y)) is not None and roles.event is None and task in (None, "regression"):
        row_columns["event"], y = pair
        roles = replace(roles, event=row_columns["event"])
    columns = read_targets(y, n_rows)
    targets = [column.name for column in columns]
    if None in targets:
        targets = ["y"] if len(targets) == 1 else [f"y{j + 1}" for j in range(len(targets))]
    targets = ColumnNames(targets).texts
    table = OwnTable(
        pd.DataFrame(), np.empty(0), "", "", targets, targets, path=name, declared_absent=roles.declared_absent
    )
    table.names, table.target_options = names, roles.target_options
    for key, values in row_columns.items():
        column = pd.Series(values).reset_index(drop=True).rename(by_name.get(key, _ARGUMENTS[key]))
        if len(column) != n_rows:
            raise ValueError(f"X has {counted(n_rows, 'row')}, {_ARGUMENTS[key]} has {len(column)}")
        row_columns[key] = column
    describe_rows(table, row_columns)
    if task == "hierarchical" and hierarchy is None:
        raise ValueError("task 'hierarchical' needs a hierarchy")
    target_of_values(table, columns, task)
    if hierarchy is not None:
        table.task, table.reason, table.hierarchy = "hierarchical", "a hierarchy is given", hierarchy
        encode_targets(table.y, n_rows, task="hierarchical", hierarchy=hierarchy)  # checks it
    check_labeled(table)
    table.dropped |= {column: ROW_COLUMNS[key][1] for key, column in by_name.items()}
    frame = frame.drop(columns=list(by_name.values()))
    return with_features(table, *_typed_columns(frame, set(roles.nominal), set(roles.drop)), roles)


def describe_rows(table, row_columns):
    """Set groups, time, weights and event of the rows of a table from columns by role."""
    for key, column in row_columns.items():
        with errors_in(column=repr(column.name)):
            setattr(table, key, ROW_COLUMNS[key][0](column))


def with_features(table, frame, dates, roles, lines=()):
    """Set the features of a table from its other columns, adjust it, and note what is odd in texts and rows.

    `dates` are the columns whose type is a date or time, `lines` the line of the file that each row is from.
    """
    table.dropped |= dict.fromkeys(roles.adjust, ADJUSTED)
    adjusting = adjusting_columns(frame[list(roles.adjust)], roles.nominal)
    if constant := [name for name in roles.adjust if frame[name].nunique(dropna=False) == 1]:
        table.notes.append(f"constant, so that adjusting for it changes nothing: {listed(constant)}")
    frame = frame.drop(columns=list(roles.adjust))
    choose_features(table, frame, roles, dates)
    take_null_model(table, roles.adjust, adjusting)
    table.notes += notes_on_texts(frame, {*roles.nominal, *roles.numeric, *table.dropped, *table.converted})
    for row, why in rows_of_totals(frame).items():
        table.totals[f"line {lines[row]}" if lines else f"row {row}"] = why
    return table


def _part_of_sparse(X, y, task, named):
    """Choose the rows and columns of a large sparse table to use; return them with a note."""
    targets = read_targets(y, X.shape[0])
    table = OwnTable(pd.DataFrame(), np.empty(0), "", "", *2 * [[column.name for column in targets]])
    target_of_values(table, targets, task)
    check_labeled(table)
    numbers = {f"x{j + 1}": j for j in range(X.shape[1])} if named else {}
    rows, columns, note = choose_part(X, table.labeled, MAX_CELLS, [numbers[name] for name in named if name in numbers])
    if not len(columns):
        raise ValueError(f"no column of X differs from its most frequent value in {MIN_NONCONSTANT_ROWS} labelled rows")
    values = sparse.csr_array(X)[rows][:, columns].toarray()
    if np.isinf(values).any():
        raise ValueError("X contains infinity; missing values are NaN")
    return rows, pd.DataFrame(values, columns=[f"x{j + 1}" for j in columns]), note


def _check_shape(X):
    """Raise ValueError if X is no table, or an empty one."""
    if len(X.shape) != 2 and X.shape != (0,):
        received = f"shape {X.shape}" if X.shape else quoted(X)
        raise ValueError(f"X must be a table, with two dimensions and some columns, got {received}")
    if lacks := [what for what, size in zip(("rows", "columns"), (*X.shape, 0), strict=False) if not size]:
        raise ValueError(f"X has no {' and no '.join(lacks)}; pass a table with a column for each feature")


def _named_columns(X, names):
    """Return features as a DataFrame with texts as names; X is a table of :func:`sslrank.core.containers.as_table`."""
    if isinstance(X, pd.DataFrame):
        if names is None:  # an array of objects has none
            is_numbered = isinstance(X.columns, pd.RangeIndex)
            names = ColumnNames([f"x{j + 1}" for j in range(X.shape[1])] if is_numbered else X.columns)
        return X.set_axis(names.texts, axis=1).reset_index(drop=True)
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported in X")
    if sparse.issparse(X):
        frame = pd.DataFrame.sparse.from_spmatrix(sparse.csc_array(X, dtype=np.float64))
    else:
        from sklearn.utils.validation import check_array

        frame = pd.DataFrame(check_array(X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=0))
        if X.dtype.kind in "iu" and (code := inexact(X, frame.to_numpy())) is not None:
            raise ValueError(
                f"X has {code}, which float64 cannot hold. If these are codes, pass a DataFrame with texts"
            )
    frame.columns = [f"x{j + 1}" for j in range(X.shape[1])]
    return frame


def _typed_columns(frame, nominal, drop):
    """Convert the columns to float64 or categoricals; return them and the names of those with dates or times."""
    _refuse_infinity(frame.drop(columns=[*drop]) if drop else frame)
    if all(kind == np.float64 for kind in frame.dtypes) and not nominal & {*frame.columns}:
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
    numbers = frame.loc[:, [kind == np.float64 for kind in frame.dtypes]]
    if len(infinite := np.argwhere(np.isinf(numbers.to_numpy().T))):
        name, row = numbers.columns[infinite[0, 0]], infinite[0, 1]
        raise ValueError(f"column {name!r} of X contains infinity (row {row}, counted from 0); missing is NaN")


def check_options(columns, roles, dashes="", target=()):
    """Check that names given to options are columns, and that each column has one role.

    `dashes` are those before the name of an option, `target` the columns of the target.
    """
    named = {option: getattr(roles, option) for option in ("nominal", "numeric", "drop", "keep", "adjust")}
    row_columns = {option: [name] for option, name in roles.row_columns.items() if isinstance(name, str)}
    for option, names in (named | row_columns).items():
        check_known(names, columns, f"{dashes}{option}: " if dashes else f"{_ARGUMENTS.get(option, option)}: ")
    pairs = [("drop", "keep"), ("nominal", "numeric"), ("adjust", "drop"), ("adjust", "keep"), ("adjust", "")]
    pairs += [("", "drop"), *product(row_columns, ("", "keep", "adjust")), *combinations(row_columns, 2)]
    named |= row_columns | {"": target}
    for one, other in pairs:
        if both := sorted(set(named[one]) & set(named[other])):
            both_options = " and ".join(dashes + option if option else "the target" for option in (one, other))
            raise DataError(f"{listed(both)}: the column is given to both {both_options}")
    if roles.declared_absent and "none" in columns:
        option = min(roles.declared_absent)
        option = f"--{option} none" if dashes else f"{option}='none'"
        raise DataError(f"{option} means that there is none, but a column has that name", advice="Rename it")


def check_known(names, columns, place=""):
    """Check that names are columns; an error begins with the place that names them."""
    known = set(columns) if names else ()
    for name in names:
        if not isinstance(name, Hashable) or name not in known:
            raise DataError(f"{place}there is no column {quoted(name)}; {near_names(name, columns)}")


def near_names(name, columns):
    """Suggest the column with the most similar name, or list all columns."""
    return nearest(name, columns).lstrip("; ") or f"the columns are {listed(columns)}"
