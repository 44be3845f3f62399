"""Censored, adjusted and positive-only targets of a user's table: replace them by residuals of a null model."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError, errors_in
from sslrank.core.events import which_is_yes
from sslrank.core.frames import class_text, make_frame
from sslrank.core.messages import counted, listed
from sslrank.core.null_model import (
    NullModel,
    adjusted_values,
    check_entry,
    nothing_is_left,
    regress_out,
    residuals_of_times,
)

#: Reasons for leaving out columns.
ADJUSTED, EXPLAINED = "adjusted for", "explained by the columns that are adjusted for"
#: Names of times of entry, as in counting processes.
_ENTRY = re.compile(
    r"(t|time|age)?[ _.-]?(start|begin|entry|enter|left|trunc\w*)[ _.-]?(time|day|age|date)?", re.IGNORECASE
)
#: Class of the rows that are not known to be positive.
UNLABELED = "unlabelled"
#: Minimum share of its variance that a feature must keep; less is rounding error.
_MIN_VARIANCE_LEFT = 1e-8
#: Maximum number of adjusting columns, levels included, as a share of the rows, up to which tests were measured
#: (tests/measurements/trust.md); of levels of one text, as pairs of rows are rather strata; and of cells, for the
#: memory.
_MAX_SHARE, _MAX_LEVEL_SHARE, _MAX_ADJUSTING_CELLS = 0.6, 0.4, 2e7


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
            if len(levels) > max(min(_MAX_LEVEL_SHARE * len(texts), _MAX_ADJUSTING_CELLS / len(texts)), 10):
                advice = "Adjust for a category of fewer levels, or give it as strata to compare rows of the same level"
                problem = f"{len(levels)} different texts are too many to adjust for"
                raise DataError(problem, column=repr(name), advice=advice)
            arrays += [(texts == level).to_numpy() for level in levels[1:]]
        arrays += [missing] if missing.any() else []
    return np.column_stack(arrays).astype(np.float64) if arrays else np.empty((len(frame), 0))


def with_null_model(target, features, row_columns, columns, is_file):
    """Replace a target by the residuals of a null model, and adjust numeric features.

    Parameters
    ----------
    target : sslrank.tabular.schema.target.Target
    features : sslrank.tabular.schema.features.FeatureColumns
    row_columns : sslrank.tabular.schema.row_columns.RowColumns
        Its event, its time of entry and its strata, which have a hazard each, are those of a follow-up time.
    columns : ndarray of shape (n, k)
        Columns to adjust for, see :func:`adjusting_columns`.
    is_file : bool
        Whether the table is a file, for the names of options in messages.

    Returns
    -------
    target : sslrank.tabular.schema.target.Target
    features : sslrank.tabular.schema.features.FeatureColumns

    Raises
    ------
    DataError
        If a time is negative, no labelled row has the event, the columns explain the target or all features, or of a
        target with positives only it is not clear which rows are positive.
    """
    if target.positives_only:
        target = _positives(target, "--positives-only" if is_file else "positives_only")
    if row_columns.event is None and not target.adjust:
        return target, features
    if row_columns.event is not None:
        if row_columns.entry is None:
            target, features = _without_entry(target, features, is_file)
        target, residuals = _time_residuals(target, row_columns, columns)
        before = target.null.without_columns.scores()
    elif target.task == "hierarchical":
        raise DataError("a hierarchical target cannot be adjusted")
    else:
        before = _as_numbers(target.values)
        target, residuals = _residuals(target, columns)
    if target.adjust:
        n_labeled = int((~np.isnan(residuals)).any(axis=1).sum())
        if columns.shape[1] > _MAX_SHARE * n_labeled:
            problem = (
                f"{columns.shape[1]} columns, levels included, are too many to adjust {n_labeled} labelled rows for"
            )
            raise DataError(problem, advice=f"At most {int(_MAX_SHARE * n_labeled)} leave enough rows for tests")
        if nothing_is_left(residuals - np.nanmean(residuals, axis=0), before):
            problem = f"nothing is left of the target, it depends on nothing but {listed(target.adjust)}"
            raise DataError(problem, advice="Adjust for other columns, or for fewer")
        target = replace(target, reason=f"{target.reason}; adjusted for {listed(target.adjust)}")
        features = _adjusted_features(features, columns, ~np.isnan(residuals).all(axis=1))
    is_single = residuals.shape[1] == 1
    values, task = (residuals[:, 0], "regression") if is_single else (residuals, "multitarget")
    return replace(target, values=values, task=task), features


def _positives(target, option):
    """Make two classes of a target whose positives alone are labelled: positive, and all other rows.

    Raises DataError if the target is no class, it is not clear which class is positive, or all rows have it.
    """
    if target.task != "classification":
        raise DataError(f"{option} takes one class, and the target is of the kind {target.task}")
    classes = sorted({label for label in target.values if label is not None})
    positive = classes[0] if len(classes) == 1 else which_is_yes(classes) if len(classes) == 2 else None
    if positive is None:
        raise DataError(
            f"{option}: which of {listed(classes)} is positive?",
            advice="Write 1 in positive rows, and leave the target of the others empty",
        )
    is_positive = target.values == positive
    if is_positive.all():
        raise DataError(f"all rows are positive: {option} compares them with other rows")
    reason = f"{int(is_positive.sum())} positive rows, against all other rows"
    values = np.where(is_positive, positive, UNLABELED).astype(object)
    return replace(target, values=values, reason=reason, null=NullModel(np.empty((len(values), 0))))


def _residuals(target, columns):
    """Adjust classes, labels or numbers for columns; return the target with its null model, and its residuals."""
    y, names = target.values, target.names
    if target.task == "classification":
        classes = sorted({label for label in y if label is not None}, key=lambda label: (label != UNLABELED, label))
        y = pd.Categorical(y, categories=classes).codes.astype(np.float64)
        y[y < 0] = np.nan
        names = [f"{names[0]}={label}" for label in (classes[1:] if len(classes) == 2 else classes)]
    residuals, null = adjusted_values(y.reshape(len(y), -1), columns, target.task)
    return replace(target, names=names, null=null), residuals


def _as_numbers(y):
    """Convert a target to numeric columns; classes become indicators."""
    return pd.get_dummies(pd.Series(y)).to_numpy(dtype=np.float64) if y.dtype == object else y.reshape(len(y), -1)


def _without_entry(target, features, is_file):
    """Leave out a feature that seems to be the time of entry, with a note of the target, unless it is the only one."""
    for name, column in features.X.items() if features.X.shape[1] > 1 else ():
        if _ENTRY.fullmatch(str(name)) and column.dtype == np.float64:
            has_both = ~np.isnan(target.values) & column.notna().to_numpy()
            if has_both.any() and (column[has_both] >= 0).all() and (column[has_both] < target.values[has_both]).all():
                option = f"--entry {name}" if is_file else f"entry={name!r}"
                note = f"{name} is before each follow-up time: {option} if rows are at risk from then on"
                dropped = {**features.dropped, name: "may be the time of entry"}
                features = replace(features, X=features.X.drop(columns=name), dropped=dropped)
                return replace(target, notes=(*target.notes, note)), features
    return target, features


def _time_residuals(target, row_columns, columns):
    """Return a follow-up time with its null model, and log-rank scores."""
    time, event, entry, strata = target.values, row_columns.event, row_columns.entry, row_columns.strata
    is_known = ~np.isnan(time) & ~np.isnan(event)
    time, event = np.where(is_known, time, np.nan), np.where(is_known, event, np.nan)
    name = repr(target.names[0])
    if (rows := np.flatnonzero(time < 0)).size:
        problem = f"a follow-up time is at least 0, found {time[rows[0]]:g} in row {rows[0] + 1} ({len(rows)} in all)"
        raise DataError(problem, column=name, advice="Count times from the start of each row")
    if not (n_events := int(np.nansum(event))):
        raise DataError("no row with a time has the event: all are censored", column=name)
    notes = list(target.notes)
    if n_zero := int((time == 0).sum()):
        notes.append(f"{counted(n_zero, 'row has', 'rows have')} the time 0, which counts as the first time")
    if "cens" in target.event.lower():
        notes.append(f"{target.event}: {n_events} rows count as events; if these are censored, invert the column")
    if "=" in target.event:
        notes.append(f"{target.event}: rows with other values count as censored (cause-specific hazard)")
    reason = f"{n_events} rows have the event, {1 - np.nanmean(event):.0%} are censored"
    reason += "" if entry is None else "; rows are at risk from their entry on"
    reason += "" if strata is None else "; each stratum has its own hazard"
    entry = None if entry is None else np.where(is_known, entry, np.nan)
    null = NullModel(columns, time, event, entry=entry, strata=strata)
    with errors_in(column=name):
        check_entry(null)
    target = replace(target, reason=reason, notes=tuple(notes), null=null)
    return target, residuals_of_times(target.null)


def _adjusted_features(features, columns, labeled):
    """Subtract from numeric features their prediction by the columns; leave out features that are fully explained."""
    deviations = {}
    arrays, dropped = {name: column.array for name, column in features.X.items()}, dict(features.dropped)
    for name in [name for name, kind in features.X.dtypes.items() if not isinstance(kind, pd.CategoricalDtype)]:
        values = features.X[name].to_numpy(dtype=np.float64)[:, None]
        residuals = regress_out(values, columns)
        if np.nanvar(residuals) <= _MIN_VARIANCE_LEFT * np.nanvar(values):
            dropped[name] = EXPLAINED
            del arrays[name]
        else:
            arrays[name], deviations[name] = residuals[:, 0], float(np.nanstd(values[labeled], ddof=1))
    if not arrays:
        raise DataError("no feature is left: the columns that are adjusted for explain them all")
    X = make_frame(list(arrays), list(arrays.values()))
    return replace(features, X=X, dropped=dropped, deviations=deviations)
