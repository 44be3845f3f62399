"""Censored, adjusted and positive-only targets of a user's table: replace them by residuals of a null model."""

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.events import which_is_yes
from sslrank.core.frames import class_text, make_frame
from sslrank.core.messages import counted, listed
from sslrank.core.null_model import NullModel, class_residuals, log_rank_scores, nothing_is_left, regress_out

#: Reasons for leaving out columns.
ADJUSTED, EXPLAINED = "adjusted for", "explained by the columns that are adjusted for"
#: Class of the rows that are not known to be positive.
UNLABELED = "unlabelled"
#: Minimum share of its variance that a feature must keep; less is rounding error.
_MIN_VARIANCE_LEFT = 1e-8
#: Maximum number of levels of an adjusting column, as a share of the rows: ten rows per level, like the ten events per
#: variable of P. Peduzzi et al. (Journal of Clinical Epidemiology 49, 1996).
_MAX_LEVEL_SHARE = 0.1


def adjusting_columns(frame, nominal=()):
    """Encode adjusting columns as numbers.

    Parameters
    ----------
    frame : DataFrame
        float64 columns, or texts and categories.
    nominal : sequence of str
        Numeric columns that are categories.

    Returns
    -------
    ndarray of shape (n, k)
        Numbers with missing values replaced by the mean, indicators of all levels but the most frequent one, and of
        missing values.

    Raises
    ------
    DataError
        If a column has nearly as many texts as rows.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [50.0, 70, np.nan], "sex": ["f", "m", "f"]})
    >>> adjusting_columns(frame)
    array([[50.,  0.,  0.],
           [70.,  0.,  1.],
           [60.,  1.,  0.]])
    """
    arrays = []
    for name, column in frame.items():
        if isinstance(column.dtype, pd.SparseDtype):
            column = column.sparse.to_dense()
        missing = column.isna().to_numpy()
        if column.dtype == np.float64 and name not in nominal:
            arrays.append(np.where(missing, np.nanmean(column) if not missing.all() else 0.0, column))
        else:
            texts = column.astype(object).map(class_text, na_action="ignore")
            levels = list(texts.value_counts(sort=True).index)
            if len(levels) > max(_MAX_LEVEL_SHARE * len(texts), 10):
                advice = "Adjust for a number, or for a category of fewer levels"
                problem = f"{len(levels)} different texts are too many to adjust for"
                raise DataError(problem, column=repr(name), advice=advice)
            arrays += [(texts == level).to_numpy() for level in levels[1:]]
        arrays += [missing] if missing.any() else []
    return np.column_stack(arrays).astype(np.float64) if arrays else np.empty((len(frame), 0))


def _take_positives(table):
    """Make two classes of a target of which only positives are labelled: positive, and all other rows.

    Raises DataError if the target is no class, it is not clear which class is positive, or all rows have it.
    """
    option = "positives_only" if table.path is None else "--positives-only"
    if table.task != "classification":
        raise DataError(f"{option} takes one class, and the target is of the kind {table.task}")
    classes = sorted({label for label in table.y if label is not None})
    positive = classes[0] if len(classes) == 1 else which_is_yes(classes) if len(classes) == 2 else None
    if positive is None:
        raise DataError(
            f"{option}: which of {listed(classes)} is positive?",
            advice="Write 1 in positive rows, and leave the target of the others empty",
        )
    is_positive = table.y == positive
    if is_positive.all():
        raise DataError(f"all rows are positive: {option} compares them with other rows")
    table.y = np.where(is_positive, positive, UNLABELED).astype(object)
    table.reason = f"{int(is_positive.sum())} positive rows, against all other rows"
    table.null = NullModel(np.empty((len(table.y), 0)))


def take_null_model(table, adjust=(), columns=None):
    """Replace a table's target by the residuals of a null model, and adjust its numeric features.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
        Table with target, event (for times) and features; changed in place.
    adjust : sequence of str
        Names of the adjusting columns.
    columns : ndarray of shape (n, k), optional
        See :func:`adjusting_columns`.

    Raises
    ------
    DataError
        If a time is negative, no labelled row has the event, the columns explain the target or all features, or of a
        target with positives only it is not clear which rows are positive.
    """
    if table.target_options is not None:
        table.target_options["task"] = table.task
        if table.target_options["positives_only"]:
            _take_positives(table)
    if table.event is None and not adjust:
        return
    columns = np.empty((len(table.y), 0)) if columns is None else columns
    task, y = table.task, table.y
    if table.event is not None:
        table.null, residuals = _time_null_model(table, columns)
        share = np.nanmean(table.null.event)
        n_events = int(np.nansum(table.null.event))
        table.reason = f"{n_events} rows have the event, {1 - share:.0%} are censored"
    elif task == "classification":
        classes = sorted({label for label in y if label is not None}, key=lambda label: (label != UNLABELED, label))
        codes = pd.Categorical(y, categories=classes).codes.astype(np.float64)
        residuals = class_residuals(np.where(codes < 0, np.nan, codes), columns)
        name = table.target_names[0]
        table.target_names = [f"{name}={label}" for label in (classes[1:] if len(classes) == 2 else classes)]
        table.null = NullModel(columns)
    elif task == "hierarchical":
        raise DataError("a hierarchical target cannot be adjusted")
    else:
        y = y.reshape(len(y), -1)
        is_number = task != "multilabel"
        residuals = regress_out(y, columns) if is_number else np.hstack([class_residuals(c, columns) for c in y.T])
        table.null = NullModel(columns, ranked=is_number)
    n_labeled = int((~np.isnan(residuals)).any(axis=1).sum())
    if adjust:
        before = _as_numbers(y) if table.event is None else log_rank_scores(table.null.time, table.null.event)
        explained = nothing_is_left(residuals - np.nanmean(residuals, axis=0), before)
        if explained or columns.shape[1] + 2 >= n_labeled:
            problem = f"nothing is left of the target, it depends on nothing but {listed(adjust)}"
            raise DataError(problem, advice="Adjust for other columns, or for fewer")
        table.reason += f"; adjusted for {listed(adjust)}"
        _adjust_features(table, columns)
    table.y = residuals[:, 0] if residuals.shape[1] == 1 else residuals
    table.task = "regression" if residuals.shape[1] == 1 else "multitarget"


def _as_numbers(y):
    """Convert a target to numeric columns; classes become indicators."""
    return pd.get_dummies(pd.Series(y)).to_numpy(dtype=np.float64) if y.dtype == object else y.reshape(len(y), -1)


def _time_null_model(table, columns):
    """Compute the null model of times with events, and its residuals."""
    time, event = table.y, table.event
    known = ~np.isnan(time) & ~np.isnan(event)
    time, event = np.where(known, time, np.nan), np.where(known, event, np.nan)
    name = repr(table.target_names[0])
    if (odd := np.flatnonzero(time < 0)).size:
        problem = f"a follow-up time is at least 0, found {time[odd[0]]:g} in row {odd[0] + 1} ({len(odd)} in all)"
        raise DataError(problem, column=name, advice="Count times from the start of each row")
    if not np.nansum(event):
        raise DataError("no row with a time has the event: all are censored", column=name)
    if n_zero := int((time == 0).sum()):
        table.notes.append(f"{counted(n_zero, 'row has', 'rows have')} the time 0, which counts as the first time")
    if "cens" in str(table.target_options["event"]).lower():
        table.notes.append(
            f"{table.target_options['event']}: {int(np.nansum(event))} rows count as events; if these are censored, "
            "invert the column"
        )
    return NullModel(columns, time, event), log_rank_scores(time, event, columns)[:, None]


def _adjust_features(table, columns):
    """Subtract from numeric features their prediction by the columns; leave out features that are fully explained."""
    kept = {name: column.array for name, column in table.X.items()}
    for name in table.X.columns[~table.nominal]:
        values = table.X[name].to_numpy(dtype=np.float64)[:, None]
        residuals = regress_out(values, columns)
        if np.nanvar(residuals) <= _MIN_VARIANCE_LEFT * np.nanvar(values):
            table.dropped[name] = EXPLAINED
            del kept[name]
        else:
            kept[name] = residuals[:, 0]
    if not kept:
        raise DataError("no feature is left: the columns that are adjusted for explain them all")
    table.X = make_frame(list(kept), list(kept.values()))
