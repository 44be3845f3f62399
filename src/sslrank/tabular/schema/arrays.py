"""A user's table from arrays and data frames."""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse

from sslrank.core.containers import DATE, as_table, check_row_values, check_same_index, inexact, read_column, take_rows
from sslrank.core.errors import DataError
from sslrank.core.frames import make_frame
from sslrank.core.messages import nearest, quoted
from sslrank.core.target_columns import read_targets, survival_pair
from sslrank.core.targets import encode_targets
from sslrank.tabular.schema.names import ColumnNames
from sslrank.tabular.schema.roles import ARGUMENTS, COLUMN_LISTS, ColumnRoles, check_options
from sslrank.tabular.schema.row_columns import RowColumns
from sslrank.tabular.schema.sparse_table import MIN_NONCONSTANT_ROWS, choose_part, is_large_sparse
from sslrank.tabular.schema.table import MAX_CELLS, make_table
from sslrank.tabular.schema.target import checked_labels, target_of_values


def own_table(X, y, roles=None, ranked=()):
    """Build a table from arrays and data frames.

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
    ranked : sequence of str
        Columns to keep like those that `roles` names.

    Returns
    -------
    sslrank.tabular.schema.table.OwnTable

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
    is_named = isinstance(X, pd.DataFrame)
    X, y = _split(as_table(X), y, roles, is_named)
    names = ColumnNames(X.columns) if is_named else None
    roles = replace(roles, **names.translated(roles)) if is_named else roles
    by_value = {role: value for role, value in roles.row_columns.items() if not isinstance(value, str)}
    for role, value in by_value.items():
        check_row_values(X, value, ARGUMENTS[role], ", or be the name of a column")
    if not is_large_sparse(X, MAX_CELLS):
        return _table_of_frame(_named_columns(X, names), y, roles, names=names, ranked=ranked)
    rows, frame, note = _part_of_sparse(X, y, roles)
    roles = replace(roles, **{role: take_rows(value, rows) for role, value in by_value.items()})
    return _table_of_frame(
        frame, take_rows(y, rows), roles, n_unread=X.shape[0] - len(rows), notes=[note], ranked=ranked
    )


def _table_of_frame(frame, y, roles, **others):
    """Build a table from a data frame whose columns are named by texts."""
    roles = roles.with_event_code(frame.columns)
    check_options(frame.columns, roles)
    row_columns, n_rows = roles.row_columns, len(frame)
    by_name = {role: name for role, name in row_columns.items() if isinstance(name, str)}
    row_columns |= {role: frame[name] for role, name in by_name.items()}
    if (pair := survival_pair(y)) is not None and roles.event is None and roles.task in (None, "regression"):
        row_columns["event"], y = pair
        roles = replace(roles, event=row_columns["event"])
    for role, values in row_columns.items():
        row_columns[role] = pd.Series(values).reset_index(drop=True).rename(by_name.get(role, ARGUMENTS[role]))
    rows = RowColumns.read(row_columns, roles)
    if roles.task == "hierarchical" and roles.hierarchy is None:
        raise ValueError("task 'hierarchical' needs a hierarchy")
    target = _read_target(y, n_rows, roles)
    if roles.hierarchy is not None:
        encode_targets(target.values, n_rows, task="hierarchical", hierarchy=roles.hierarchy)  # checks it
        kind = {"task": "hierarchical", "stated_task": "hierarchical", "hierarchy": roles.hierarchy}
        target = replace(target, reason="a hierarchy is given", **kind)
    target = checked_labels(target, None)
    frame, dates = _typed_columns(frame.drop(columns=list(by_name.values())), set(roles.nominal), set(roles.drop))
    return make_table(frame, target, rows, roles, dates=dates, **others)


def _split(X, y, roles, is_named):
    """Return features and target; y may name a column of X."""
    _check_shape(X)
    if isinstance(y, str):
        if not isinstance(X, pd.DataFrame) or y not in X:
            raise ValueError(f"y: X has no column {y!r}{nearest(y, X) if is_named else ''}")
        if y in roles.adjust:
            raise ValueError(f"{y}: the column is given to both adjust and the target")
        X, y = X.drop(columns=y), X[y]
    check_same_index(X, y)
    return X, y


def _read_target(y, n_rows, roles):
    """Read the target, with names that are distinct texts."""
    targets = read_targets(y, n_rows)
    names = [column.name for column in targets]
    if None in names:
        names = ["y"] if len(names) == 1 else [f"y{j + 1}" for j in range(len(names))]
    return target_of_values(targets, ColumnNames(names).texts, roles)


def _part_of_sparse(X, y, roles):
    """Choose the rows and columns of a large sparse table to use; return them with a note."""
    named = {name for option in COLUMN_LISTS for name in getattr(roles, option)}
    named |= {value for value in roles.row_columns.values() if isinstance(value, str)}
    labeled = checked_labels(_read_target(y, X.shape[0], roles), None).labeled
    numbers = {f"x{j + 1}": j for j in range(X.shape[1])} if named else {}
    rows, columns, note = choose_part(X, labeled, MAX_CELLS, [numbers[name] for name in named if name in numbers])
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
