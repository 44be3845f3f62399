"""Decide the kind of target of a user's table: classes, labels, numbers, or paths of a hierarchy."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.frames import class_text, is_number
from sslrank.core.hierarchy import decode_paths, label_table
from sslrank.core.messages import counted, listed
from sslrank.core.target_columns import MISSING_LABELS, TargetColumn, doubts_of_classes, guess_task, read_targets
from sslrank.tabular.schema.identifiers import MIN_ROWS
from sslrank.tabular.schema.missing_codes import find_missing_code

#: Whole numbers that many rows share each, on average, may be codes of classes.
_ROWS_A_CODE = 10
#: Advice if one of several targets is not a number.
_SEVERAL = "Several targets must be numbers, or labels 0 and 1; else rank for one of them at a time"
#: Names of times until an event, of those that are nothing else, and of columns that say whether it happened.
_TIME = re.compile(
    r"(.*[ _.-])?(t|stop|os|pfs|tte|.*(time|days|weeks?|months|surv|survival|duration|dur|follow[ _.-]?up))\d*"
    r"([ _.-].*)?",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"time|days|weeks|months|lenfol|(days|months|time)[ _.-]to[ _.-].*|"
    r"(os|pfs|rfs|dfs|tte|fu|surv(ival)?|follow[ _.-]?up)([ _.-]?(time|days|months|years))?",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(.*[ _.-])?(e|c|events?|.*stat(us)?|.*cens\w*|death|dead|died|deceased|observed|delta|fail\w*|relapse\w*)"
    r"([ _.-].*)?",
    re.IGNORECASE,
)


def understand_target(table, file_table, roles, unlabeled):
    """Set target, task and reason of a table from the columns of a file.

    `roles` are :class:`sslrank.tabular.schema.roles.ColumnRoles`; `unlabeled` are values that mean unlabelled.
    Raises DataError if the values are not of the requested kind, or no row has a label.
    """
    task, hierarchy, nominal = roles.task, roles.hierarchy, set(roles.nominal)
    targets = file_table.frame[table.target_columns].copy()
    first = table.target_columns[0]
    n_known = targets.notna().to_numpy().sum()
    for column in targets:
        targets[column] = mask_unlabeled(targets[column], unlabeled)
    if unlabeled and targets.notna().to_numpy().sum() == n_known:
        table.notes.append(f"no target has the value {' or '.join(map(str, unlabeled))} of --unlabeled")
    has_hierarchy = bool(file_table.hierarchies) and first in file_table.hierarchies
    if hierarchy or task == "hierarchical" or (has_hierarchy and task is None):
        if targets.shape[1] != 1:
            raise DataError("a hierarchical target is one column of paths such as a/b@a/c")
        values = decode_paths(targets[first].astype(object))
        nodes = list(file_table.hierarchies.get(first, ()))
        nodes = nodes or sorted({node for row in values if row for node in row})
        form = hierarchy or ("dag" if any(node.startswith("root/") for node in nodes) else "tree")

        def fail(problem, row=None, advice=None):
            line = file_table.numbers[row] if row is not None and file_table.numbers else None
            raise DataError(problem, line=line, column=repr(first), advice=advice)

        table.form = form
        table.target_names, table.hierarchy, table.y = label_table(nodes, values, form, fail)
        table.task = "hierarchical"
        table.reason = f"paths of {counted(len(table.target_names), 'label')}, read as a {form}"
    else:
        target_of_values(table, [_column_of_file(targets[name], name in nominal) for name in targets], task)
    check_labeled(table)


def _column_of_file(column, is_nominal):
    """Return a target of a file: whole numbers without gaps as integers, as pandas would read them."""
    if column.dtype == np.float64 and not is_nominal:
        values = column.to_numpy()
        missing = np.isnan(values)
        is_integer = not missing.any() and bool((values == np.floor(values)).all())
        return TargetColumn(column.name, values, missing, "integer" if is_integer else "number")
    (column_target,) = read_targets(column.map(class_text, na_action="ignore").astype(object))
    if column_target.kind != "text":  # no value is known
        column_target = replace(column_target, values=column.astype(object).to_numpy(), kind="text")
    return column_target


def target_of_values(table, columns, task):
    """Set target, task and reason from target columns that are not paths of a hierarchy.

    Raises DataError if the values are not of that kind, or it is not clear whether -1 means unlabelled.
    """
    names, path = table.target_names, table.path
    task = "regression" if table.event is not None else task
    if task in ("classification", "regression") and len(names) > 1:
        raise DataError(f"task {task!r} takes one target, got {len(names)}: {listed(names)}")
    are_several = task in ("multilabel", "hierarchical", "multitarget") or len(names) > 1
    if are_several:
        numbers = [as_numbers(column, name, _SEVERAL) for column, name in zip(columns, names, strict=True)]
        table.y = np.column_stack(numbers)
    try:
        guess, reason, doubt = guess_task(columns)
    except ValueError as error:
        if task is None:
            raise _with_options_for_minus_one(table, error, columns) from None
        guess, reason, doubt = task, "", None
    if are_several:
        table.task = task or guess
        not_binary = table.y[~np.isnan(table.y) & (table.y != 0) & (table.y != 1)]
        if table.task in ("multilabel", "hierarchical") and not_binary.size:
            advice = f"Or use {_task('multitarget', path)}"
            raise DataError(f"labels must be 0 or 1, found {not_binary[0]:g}", advice=advice)
        _note_minus_one(table)
        table.reason = f"{counted(len(names), 'target')}, " + ("numbers" if not_binary.size else "all 0 or 1")
        return
    (column,) = columns
    table.task, table.reason = task or guess, reason if task in (None, guess) else f"as requested; {reason}"
    if doubt and task is None and guess == "classification":
        table.notes.append(f"the classes are whole numbers; if they are a quantity, use {_task('regression', path)}")
    elif doubt and task is None and _ROWS_A_CODE * len(set(column.known.tolist())) <= len(column.known):
        table.notes.append(f"if the target's whole numbers are codes of classes, use {_task('classification', path)}")
    if table.task == "classification":
        if task is None and not column.is_numeric:
            _refuse_names(column, names[0], path)
        _set_classes(table, column)
        _note_missing_code(table, names[0], pd.Categorical(table.y))
        return
    table.y = as_numbers(column, names[0], f"Or use {_task('classification', path)}")
    if task is None and column.is_whole:
        _note_minus_one(table)
    _note_missing_code(table, names[0], table.y)


def _refuse_names(column, name, path):
    """Raise DataError if more than half of the rows have a string of their own: these are names, not classes."""
    n_values, n_known = len(set(column.known.tolist())), len(column.known)
    if n_known >= MIN_ROWS and 2 * n_values > n_known:
        raise DataError(
            f"the target has {n_values} different texts in {counted(n_known, 'row')}: they name rows, not classes",
            column=repr(name),
            advice="Name another target, write numbers plainly, or use " + _task("classification", path),
        )


def _note_missing_code(table, name, values):
    """Add a value of the target that may mean unlabelled to the missing codes of a table."""
    code = find_missing_code(values, is_target=True)
    if code and code.partition(" in ")[0].strip().lower() not in MISSING_LABELS:  # of which another note speaks
        table.missing_codes[name] = code


def censoring_note(table, columns):
    """Write the note about a column that may mark censored times of the target; empty if there is none.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
        With its target.
    columns : dict of str to ndarray or Categorical
        The other columns.

    Returns
    -------
    str
    """
    if table.task not in ("regression", "multitarget") or table.event is not None:
        return ""
    targets = dict(zip(map(str, table.target_names), table.y.reshape(len(table.y), -1).T, strict=True))
    times = [name for name, values in targets.items() if _TIME.fullmatch(name) and np.nanmin(values) >= 0]
    others = columns if len(targets) == 1 else {name: values for name, values in targets.items() if name not in times}
    events = [str(name) for name, values in others.items() if _EVENT.fullmatch(str(name)) and _is_event(values)]
    if not times or not events:
        return ""
    time, event = times[0], events[0]
    way = f"--target {time} --event {event}" if isinstance(table.path, Path) else f"event={event!r}"
    return (
        f"{listed(events)}: may say whether {time} ended or was censored; a censored {time} is only a lower bound: "
        f"{way} ranks for both"
    )


def follow_up_times(table, columns):
    """List the follow-up times of an event that is the target; they reveal too much of it to be ranked.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
        With its target.
    columns : dict of str to ndarray or Categorical

    Returns
    -------
    set of str
    """
    is_event = table.task == "classification" and len({label for label in table.y if label is not None}) == 2
    if not is_event or len(table.target_names) > 1 or not _EVENT.fullmatch(str(table.target_names[0])):
        return set()
    named = {name: values for name, values in columns.items() if _FOLLOW_UP.fullmatch(name)}
    return {name for name, values in named.items() if not isinstance(values, pd.Categorical) and np.nanmin(values) >= 0}


def _is_event(values):
    if isinstance(values, pd.Categorical):
        return len(values.categories) == 2
    known = np.unique(values[~np.isnan(values)])
    return len(known) in (2, 3) and bool(np.isin(known, (0, 1, 2)).all())


def _set_classes(table, column):
    """Set the classes of a table as strings, and note what may be wrong with them."""
    path, marked = table.path, column.with_marks()
    n_marked = int((marked.missing & ~column.missing).sum())
    if column.marked is not None:
        n_marked += int(column.marked.sum())
    is_pu = (table.target_options or {}).get("positives_only")
    if n_marked and column.kind == "integer" and set(marked.known) == {1} and not is_pu:
        raise DataError(
            "the target is -1 or 1, and -1 means unlabelled among whole numbers, which leaves one class",
            advice="Pass y.astype(float) if -1 is a class, numpy.where(y == -1, numpy.nan, y) if it is not"
            if path is None
            else f"Add --nominal {table.target_names[0]} if -1 is a class, --unlabeled -1 if it is not",
        )
    texts = [None if gone else class_text(value) for gone, value in zip(marked.missing, marked.values, strict=True)]
    table.y = np.array(texts, dtype=object)
    if n_marked:
        other = "pass y.astype(str)" if path is None else f"--nominal {table.target_names[0]}"
        table.notes.append(
            f"{counted(n_marked, 'row has', 'rows have')} the target -1, taken as unlabelled; {other} if it is a class"
        )
    for doubt in doubts_of_classes(marked, np.array(sorted(set(marked.known), key=str), dtype=object)):
        table.notes.append(f"the target has {doubt}")
    _note_rare_classes(table)


def _with_options_for_minus_one(table, error, columns):
    """Make the error if it is not clear whether -1 means unlabelled, with the options that decide it."""
    if table.path is None:
        return DataError(str(error))
    task = "regression" if len(columns) == 1 else "multitarget"
    rows = int(np.any([(column.values == -1) & ~column.missing for column in columns], axis=0).sum())
    return DataError(
        f"{counted(rows, 'row has', 'rows have')} the target -1: does it mean unlabelled?",
        advice=f"Add --unlabeled -1 if they have no label, --task {task} if it is a value",
    )


def _task(task, path):
    """Name the option for the kind of target: on the command line, or in Python."""
    return f"task={task!r}" if path is None else f"--task {task}"


def _note_minus_one(table):
    """Note that -1 is taken as a value, if a row has it as a target."""
    if rows := int((table.y.reshape(len(table.y), -1) == -1).any(axis=1).sum()):
        count = f"{counted(rows, 'row has', 'rows have')} the target -1, taken as a value"
        correction = "make it NaN" if table.path is None else "--unlabeled -1"
        table.notes.append(f"{count}; {correction} if it means unlabelled")


def mask_unlabeled(column, unlabeled):
    """Replace the values of a column that mean unlabelled by missing ones."""
    if not unlabeled:
        return column
    if column.dtype == np.float64:  # -1 and -1.0 are the same number
        unlabeled = [class_text(float(value)) for value in unlabeled if is_number(value)]
    marked = column.map(class_text, na_action="ignore").astype(object).isin(list(unlabeled))
    return column.where(~marked)


def _note_rare_classes(table):
    counts = pd.Series(table.y).value_counts()
    if len(counts) > 1 and (rare := sorted(counts.index[counts == 1])):
        table.notes.append(f"classes with only one labelled row: {listed(rare)}")


def as_numbers(column, name, advice):
    """Read a target as float64; raises DataError with `advice` if a value is not a number."""
    try:
        return column.numbers()
    except ValueError as error:
        problem = str(error).partition(": ")[2] or str(error)
        raise DataError(f"expected numbers: {problem}", column=repr(name), advice=advice) from None


def check_labeled(table):
    """Raise DataError if no row has a label, and note if all have the same."""
    if not table.labeled.any():
        raise DataError(
            f"the target ({listed(table.target_columns)}) is empty in every row",
            advice=f"{'Pass a y' if table.path is None else 'Name as --target a column'} with some labels",
        )
    if table.y.ndim == 2 and len(pd.DataFrame(table.y[table.labeled]).drop_duplicates()) == 1:
        table.notes.append("all labelled rows have the same targets: there is nothing to predict")
