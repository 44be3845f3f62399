"""What kind of target a person's table has: classes, labels, numbers, or paths of a hierarchy."""

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.messages import SHOWN, listed
from sslrank.datasets.hierarchy import decode_paths, label_table
from sslrank.datasets.prepare import class_text
from sslrank.datasets.readers.table import is_number, parse_number

#: Whole numbers with more different values than this are a quantity, not classes.
MAX_CLASSES = 10
#: Advice where one of several targets is no number.
SEVERAL = "Several targets are numbers, or labels of 0 and 1"


def understand_target(found, table, task, hierarchy, unlabeled):
    """Set target, task and reason of a table by the columns of a file.

    Parameters
    ----------
    found : OwnTable
        With the names of the target's columns.
    table : sslrank.datasets.readers.table.Table
    task : str, optional
    hierarchy : {"tree", "dag"}, optional
    unlabeled : sequence of str
        Values that mean unlabelled.

    Raises
    ------
    DataError
        If the values are not of that kind, or no row has a label.
    """
    targets = table.frame[found.target_columns].copy()
    first = found.target_columns[0]
    n_known = targets.notna().to_numpy().sum()
    for column in targets:
        targets[column] = _without(targets[column], unlabeled)
    if unlabeled and targets.notna().to_numpy().sum() == n_known:
        found.notes.append(f"no target is {' or '.join(map(str, unlabeled))}, which --unlabeled names")
    if hierarchy or task == "hmlc" or (table.hierarchies and first in table.hierarchies and task is None):
        if targets.shape[1] != 1:
            raise DataError("a hierarchical target is one column of paths such as a/b@a/c", file=found.path)
        values = decode_paths(targets[first].astype(object))
        nodes = list(table.hierarchies.get(first, ()))
        nodes = nodes or sorted({node for row in values if row for node in row})
        form = hierarchy or ("dag" if any(node.startswith("root/") for node in nodes) else "tree")

        def fail(problem, row=None, advice=None):
            line = table.numbers[row] if row is not None and table.numbers else None
            raise DataError(problem, file=found.path, line=line, column=repr(first), advice=advice)

        found.form = form
        found.target_names, found.hierarchy, found.y = label_table(nodes, values, form, fail)
        found.task, found.reason = "hmlc", f"paths of {len(found.target_names)} labels, read as a {form}"
    else:
        target_of_values(found, targets, task, found.path)
    check_labeled(found)


def target_of_values(found, targets, task, path):
    """Set target, task and reason by columns that are no paths of a hierarchy.

    Parameters
    ----------
    found : OwnTable
    targets : DataFrame
        Float64 columns, or texts.
    task : str, optional
    path : Path or None
        For messages.

    Raises
    ------
    DataError
        If the values are not of that kind.
    """
    names = list(targets.columns)
    if task in ("mlc", "mtr") or len(names) > 1:
        values = np.column_stack([as_numbers(targets[name], name, path, SEVERAL) for name in names])
        known = values[~np.isnan(values)]
        is_label = bool(np.isin(known, (0.0, 1.0)).all())
        if task in ("classification", "str"):
            raise DataError(f"task {task!r} takes one target, got {len(names)}: {listed(names)}", file=path)
        if task in ("mlc", "hmlc") and not is_label:
            odd = known[~np.isin(known, (0.0, 1.0))][0]
            raise DataError(f"labels must be 0 or 1, found {odd:g}", file=path, advice=f"Or say {_task('mtr', path)}")
        if marked := int((values == -1.0).any(axis=1).sum()):
            found.notes.append(_said_of_marks(marked, path))
        found.task = task or ("mlc" if is_label else "mtr")
        found.y = values
        found.reason = f"{len(names)} targets, " + ("all 0 or 1" if is_label else "numbers")
        return
    column = targets[names[0]]
    is_text = column.dtype != np.float64
    known = column.dropna()
    n_values = known.nunique()
    shown = f"{n_values} different ones" if n_values > 1 else "all equal"
    is_whole = not is_text and bool((known == np.floor(known)).all())
    if is_text:
        guess, reason = "classification", f"texts, {shown}"
    elif not is_whole:
        guess, reason = "str", "numbers with fractions" if n_values > 1 else "numbers, all equal"
    elif n_values <= 2 or (n_values <= MAX_CLASSES and 2 * n_values <= len(known)):
        guess, reason = "classification", f"whole numbers, {shown}"
        if n_values > 2:
            found.notes.append(f"the classes are whole numbers; if they are a quantity, say {_task('str', path)}")
    else:
        guess, reason = "str", f"whole numbers, {shown}"
        found.notes.append(f"if the target's whole numbers are codes of classes, say {_task('classification', path)}")
    found.task, found.reason = task or guess, reason if task in (None, guess) else f"as asked for; {reason}"
    if is_whole and (known == -1).any() and known.nunique() > 1:
        found.notes.append(_said_of_marks(int((known == -1).sum()), path))
    if found.task == "classification":
        found.y = np.array([class_text(value) for value in column.astype(object)], dtype=object)
        _note_rare_classes(found)
    else:
        found.y = as_numbers(column, names[0], path, f"Or say {_task('classification', path)}")
        if n_values == 1:
            found.notes.append("all labelled rows have the same target: features cannot tell them apart")


def _task(task, path):
    """How a person says the kind of target: on the command line, or of arrays."""
    return f"task={task!r}" if path is None else f"--task {task}"


def _said_of_marks(count, path):
    correction = "make it NaN" if path is None else "--unlabeled -1"
    return f"{count} rows have the target -1, taken as a value; {correction} if they have no label"


def _without(column, unlabeled):
    """The column with the values that mean unlabelled missing."""
    if not unlabeled:
        return column
    if column.dtype == np.float64:  # -1 and -1.0 are the same number
        unlabeled = [class_text(float(value)) for value in unlabeled if is_number(value)]
    marked = column.map(class_text, na_action="ignore").astype(object).isin(list(unlabeled))
    return column.where(~marked)


def _note_rare_classes(found):
    labels, counts = np.unique([label for label in found.y if label is not None], return_counts=True)
    rare = [str(label) for label, count in zip(labels, counts, strict=True) if count == 1]
    if rare and len(labels) > 1:
        found.notes.append(
            f"the classes {listed(rare)} have only one labelled row each: little can be said about them"
            if len(rare) > 1
            else f"the class {rare[0]} has only one labelled row: little can be said about it"
        )
    alike = {}
    for label in labels:
        alike.setdefault(str(label).casefold(), []).append(label)
    if same := [", ".join(map(str, group)) for group in alike.values() if len(group) > 1]:
        found.notes.append(
            f"classes that differ only in capital letters: {'; '.join(same[:SHOWN])}; are they the same?"
        )
    if len(labels) == 1:
        found.notes.append(f"all labelled rows are of class {labels[0]}: features cannot tell classes apart")


def as_numbers(column, name, path, advice):
    """The values of a column as float64.

    Raises
    ------
    DataError
        If one is no number.
    """
    try:
        plain = [parse_number(value) if isinstance(value, str) else value for value in column.astype(object)]
        return np.array(plain, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"expected numbers: {error}",
            file=path,
            column=repr(name),
            advice=advice,
        ) from None


def check_labeled(found):
    """Check that some row has a label, and note if all have the same.

    Raises
    ------
    DataError
        If none has.
    """
    if not found.labeled.any():
        raise DataError(
            f"the target ({listed(found.target_columns)}) is empty in every row",
            file=found.path,
            advice="Name another column as --target; features are not ranked without any label here",
        )
    if found.y.ndim == 2 and len(pd.DataFrame(found.y[found.labeled]).drop_duplicates()) == 1:
        found.notes.append("all labelled rows have the same targets: features cannot tell them apart")
