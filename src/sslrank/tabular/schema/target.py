"""Decide the kind of target of a user's table: classes, labels, numbers, or paths of a hierarchy."""

import shlex
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.frames import class_text, is_number
from sslrank.core.hierarchy import decode_paths, label_table
from sslrank.core.messages import counted, listed
from sslrank.core.missing_words import MISSING_LABELS
from sslrank.core.null_model import NullModel
from sslrank.core.target_columns import TargetColumn, doubts_of_classes, guess_task
from sslrank.tabular.schema.identifiers import MIN_ROWS
from sslrank.tabular.schema.missing_codes import find_missing_code
from sslrank.tabular.schema.values import MAX_KINDS, read_numbers

#: Kinds of target in words, where these differ.
TASK_WORDS = {
    "multilabel": "multi-label classification",
    "hierarchical": "hierarchical multi-label classification",
    "multitarget": "multi-target regression",
}
#: Whole numbers that many rows share each, on average, may be codes of classes.
_ROWS_A_CODE = 10
#: Advice if one of several targets is not a number.
_SEVERAL = "Several targets must be numbers, or labels 0 and 1; else rank for one of them at a time"


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """The target of a table.

    Attributes
    ----------
    columns : list of str
        Columns that the targets come from.
    names : list of str
        Names of the targets: the columns, the labels of a hierarchy, or the classes of an adjusted target.
    values : ndarray of shape (n,) or (n, T)
        Class labels as strings or None; numbers or NaN; 0, 1 or NaN.
    task : str
        Kind of `values`, one of :data:`sslrank.core.tasks.TASKS`.
    stated_task : str
        Kind of the target before it was replaced by residuals of `null`.
    reason : str
        The reason for this kind of target.
    event : str or None
        If the target is a follow-up time, the name of the event.
    adjust : tuple of str
        Columns that the target is adjusted for.
    positives_only : bool
        Whether only positive rows are labelled.
    hierarchy : list of list of int or None
        Parents of each label.
    form : {"tree", "dag"} or None
        Form of the hierarchy in the file.
    null : sslrank.core.null_model.NullModel or None
        Null model whose residuals are in `values`.
    missing_codes : dict of str to str
        Targets with a value that may mean unlabelled, and its number of rows.
    notes : tuple of str
        Notes for the user to check.
    """

    columns: list
    names: list
    values: np.ndarray
    task: str
    stated_task: str
    reason: str
    event: str | None = None
    adjust: tuple = ()
    positives_only: bool = False
    hierarchy: list | None = None
    form: str | None = None
    null: NullModel | None = None
    missing_codes: dict = field(default_factory=dict)
    notes: tuple = ()

    @property
    def labeled(self):
        """Rows with at least one known target, shape (n,)."""
        return ~pd.isna(self.values.reshape(len(self.values), -1)).all(axis=1)

    @property
    def class_sizes(self):
        """Number of labelled rows of each class, as a dict; empty for other kinds of target."""
        return pd.Series(self.values).value_counts().sort_index().to_dict() if self.task == "classification" else {}

    @property
    def given(self):
        """What follows the target's name: the event of a time, and what is adjusted for; empty if there is neither."""
        until = f" until {self.event}" if self.event else ""
        return until + (f", given {' and '.join(self.adjust[:3])}" if self.adjust else "")

    @property
    def kind(self):
        """The kind of target in words."""
        if self.event is not None:
            return f"time until {self.event}, by log-rank scores"
        return TASK_WORDS.get(self.stated_task, self.stated_task)

    @property
    def is_transformed(self):
        """True if the ranking is for a time with an event, an adjusted target or positives only."""
        return self.event is not None or bool(self.adjust) or self.positives_only

    def rows(self, index):
        """Select rows by an index array."""
        null = None if self.null is None else self.null.rows(index)
        return replace(self, values=self.values[index], null=null, notes=())


def target_of_file(file_table, columns, roles, *, unlabeled, path):
    """Make the target of the columns of a file.

    Parameters
    ----------
    file_table : sslrank.datasets.readers.ParsedTable
    columns : list of str
    roles : sslrank.tabular.schema.roles.ColumnRoles
    unlabeled : sequence of str
        Values that mean unlabelled.
    path : Path

    Returns
    -------
    Target

    Raises
    ------
    DataError
        If the values are not of the requested kind, or no row has a label.
    """
    given, first = file_table.frame[columns], columns[0]
    masked = pd.DataFrame({name: mask_unlabeled(given[name], unlabeled) for name in columns})
    notes = ()
    if unlabeled and masked.notna().to_numpy().sum() == given.notna().to_numpy().sum():
        notes = (f"no target has the value {' or '.join(map(str, unlabeled))} of --unlabeled",)
    has_hierarchy = bool(file_table.hierarchies) and first in file_table.hierarchies
    if roles.hierarchy or roles.task == "hierarchical" or (has_hierarchy and roles.task is None):
        if len(columns) != 1:
            raise DataError("a hierarchical target is one column of paths such as a/b@a/c")
        target = _target_of_paths(masked[first], file_table, roles)
    else:
        if roles.task != "classification" and len(columns) == 1 and first not in roles.nominal:
            masked[first], text = _without_unit(masked[first])
            notes += (f"{first}: {text}; --nominal {shlex.quote(first)} if not",) if text else ()
        read = [_column_of_file(masked[name], name in roles.nominal) for name in columns]
        target = target_of_values(read, columns, roles, path)
    return checked_labels(replace(target, notes=(*notes, *target.notes)), path)


def _without_unit(column):
    """Read texts such as 16.53 mg as numbers; return the column, and what it is read as."""
    texts = [] if column.dtype == np.float64 else [str(text) for text in column.dropna().unique()]
    read, text = read_numbers(texts) if len(texts) > MAX_KINDS else (None, "")
    return (column, "") if read is None else (column.map(dict(zip(texts, read, strict=True))).astype(np.float64), text)


def _target_of_paths(column, file_table, roles):
    """Make the target of a column of paths of a hierarchy."""
    values = decode_paths(column.astype(object))
    nodes = list(file_table.hierarchies.get(column.name, ()))
    nodes = nodes or sorted({node for row in values if row for node in row})
    form = roles.hierarchy or ("dag" if any(node.startswith("root/") for node in nodes) else "tree")

    def fail(problem, row=None, advice=None):
        line = file_table.numbers[row] if row is not None and file_table.numbers else None
        raise DataError(problem, line=line, column=repr(column.name), advice=advice)

    names, hierarchy, labels = label_table(nodes, values, form, fail)
    reason = f"paths of {counted(len(names), 'label')}, read as a {form}"
    parts = {"hierarchy": hierarchy, "form": form}
    return _target(roles, [column.name], labels, "hierarchical", reason, names=names, **parts)


def _target(roles, columns, values, task, reason, **others):
    """Make a target that is not transformed yet."""
    options = {"event": roles.event_name, "adjust": tuple(roles.adjust), "positives_only": bool(roles.positives_only)}
    return Target(columns=columns, values=values, task=task, stated_task=task, reason=reason,
                  **{"names": columns} | options | others)  # fmt: skip


def _column_of_file(column, is_nominal):
    """Return a target of a file: whole numbers without gaps as integers, as pandas would read them."""
    if column.dtype == np.float64 and not is_nominal:
        values = column.to_numpy()
        missing = np.isnan(values)
        is_integer = not missing.any() and bool((values == np.floor(values)).all())
        return TargetColumn(column.name, values, missing, "integer" if is_integer else "number")
    texts = column.map(class_text, na_action="ignore").astype(object)
    return TargetColumn(column.name, texts.to_numpy(), texts.isna().to_numpy(), "text")


def target_of_values(columns, names, roles, path=None):
    """Make the target of columns that are not paths of a hierarchy.

    Parameters
    ----------
    columns : list of sslrank.core.target_columns.TargetColumn
    names : list of str
    roles : sslrank.tabular.schema.roles.ColumnRoles
    path : Path, optional
        The file, for advice; None for arrays.

    Returns
    -------
    Target

    Raises
    ------
    DataError
        If the values are not of the requested kind, or it is not clear whether -1 means unlabelled.
    """
    task = roles.task if roles.event is None else "regression"
    if task in ("classification", "regression") and len(names) > 1:
        raise DataError(f"task {task!r} takes one target, got {len(names)}: {listed(names)}")
    if task in ("multilabel", "hierarchical", "multitarget") or len(names) > 1:
        numbers = [as_numbers(column, name, _SEVERAL) for column, name in zip(columns, names, strict=True)]
        guess = _guess_task(columns, task, path)[0]
        return _several_targets(np.column_stack(numbers), names, task or guess, roles, path)
    (column,), (name,) = columns, names
    guess, reason, doubt = _guess_task(columns, task, path)
    notes = []
    if doubt and task is None and guess == "classification":
        notes.append(f"the classes are whole numbers; if they are a quantity, use {_task('regression', path)}")
    elif doubt and task is None and _ROWS_A_CODE * len(set(column.known.tolist())) <= len(column.known):
        notes.append(f"if the target's whole numbers are codes of classes, use {_task('classification', path)}")
    reason = reason if task in (None, guess) else f"as requested; {reason}"
    if (task or guess) == "classification":
        if not column.is_whole and (task is None or column.is_numeric):
            _refuse_names(column, name, task, path)
        values, of_classes = _classes(column, name, roles.positives_only, path)
        notes += of_classes
        codes = _missing_codes(name, pd.Categorical(values))
    else:
        values = as_numbers(column, name, f"Or use {_task('classification', path)}")
        notes += _notes_on_minus_one(values, path) if task is None and column.is_whole else []
        codes = _missing_codes(name, values)
    return _target(roles, names, values, task or guess, reason, notes=tuple(notes), missing_codes=codes)


def _guess_task(columns, task, path):
    """Return the task by the values, the reason, and whether it is in doubt.

    Raises DataError with the options that decide it if it is not clear whether -1 means unlabelled.
    """
    try:
        return guess_task(columns)
    except ValueError as error:
        if task is not None:
            return task, "", None
        if path is None:
            raise DataError(str(error)) from None
        number = "regression" if len(columns) == 1 else "multitarget"
        rows = int(np.any([(column.values == -1) & ~column.missing for column in columns], axis=0).sum())
        problem = f"{counted(rows, 'row has', 'rows have')} the target -1: does it mean unlabelled?"
        advice = f"Add --unlabeled -1 if they have no label, --task {number} if it is a value"
        raise DataError(problem, advice=advice) from None


def _several_targets(values, names, task, roles, path):
    not_binary = values[~np.isnan(values) & (values != 0) & (values != 1)]
    if task in ("multilabel", "hierarchical") and not_binary.size:
        advice = f"Or use {_task('multitarget', path)}"
        raise DataError(f"labels must be 0 or 1, found {not_binary[0]:g}", advice=advice)
    reason = f"{counted(len(names), 'target')}, " + ("numbers" if not_binary.size else "all 0 or 1")
    return _target(roles, names, values, task, reason, notes=tuple(_notes_on_minus_one(values, path)))


def _refuse_names(column, name, task, path):
    """Raise DataError if more than half of the rows have a value of their own: these are no classes."""
    n_values, n_known = len(set(column.known.tolist())), len(column.known)
    if n_known >= MIN_ROWS and 2 * n_values > n_known:
        what, why = ("fractions", "are a quantity") if column.is_numeric else ("texts", "name rows")
        other = _task("regression", path) if task else _task("classification", path)
        text = "" if column.is_numeric else read_numbers(sorted(set(map(str, column.known))))[1]
        numbers = f"The values are {text}. Or name" if text else "Name"
        raise DataError(
            f"the target has {n_values} different {what} in {counted(n_known, 'row')}: they {why}, not classes",
            column=repr(name),
            advice=f"{numbers} another target, write numbers plainly, or use {other}",
        )


def _missing_codes(name, values):
    """Find a value of the target that may mean unlabelled; empty if there is none."""
    code = find_missing_code(values, is_target=True)
    is_noted = code.partition(" in ")[0].strip().lower() in MISSING_LABELS  # another note is about these
    return {name: code} if code and not is_noted else {}


def _classes(column, name, positives_only, path):
    """Return the classes as strings, and notes on what may be wrong with them."""
    marked = column.with_marks()
    n_marked = int((marked.missing & ~column.missing).sum())
    if column.marked is not None:
        n_marked += int(column.marked.sum())
    if n_marked and column.kind == "integer" and set(marked.known) == {1} and not positives_only:
        problem = "the target is -1 or 1, and -1 means unlabelled among whole numbers, which leaves one class"
        advice = f"Add --nominal {name} if -1 is a class, --unlabeled -1 if it is not"
        if path is None:
            advice = "Pass y.astype(float) if -1 is a class, numpy.where(y == -1, numpy.nan, y) if it is not"
        raise DataError(problem, advice=advice)
    codes, distinct = np.arange(len(marked.known)), marked.known
    if distinct.dtype != object:
        distinct, codes = np.unique(distinct, return_inverse=True)
    texts = np.full(len(marked.values), None, dtype=object)
    texts[~marked.missing] = np.array([*map(class_text, distinct), None], dtype=object)[codes]
    notes = []
    if n_marked:
        other = "pass y.astype(str)" if path is None else f"--nominal {name}"
        rows = counted(n_marked, "row has", "rows have")
        notes.append(f"{rows} the target -1, taken as unlabelled; {other} if it is a class")
    doubts = doubts_of_classes(marked, np.array(sorted(set(distinct), key=str), dtype=object))
    notes += [f"the target has {doubt}" for doubt in doubts]
    counts = pd.Series(texts, dtype=object).value_counts()
    if len(counts) > 1 and (rare := sorted(counts.index[counts == 1])):
        notes.append(f"classes with only one labelled row: {listed(rare)}")
    return texts, notes


def _task(task, path):
    """Name the option for the kind of target: on the command line, or in Python."""
    return f"task={task!r}" if path is None else f"--task {task}"


def _notes_on_minus_one(values, path):
    """Note that -1 is taken as a value, if a row has it as a target."""
    n_rows = int((values.reshape(len(values), -1) == -1).any(axis=1).sum())
    correction = "make it NaN" if path is None else "--unlabeled -1"
    rows = counted(n_rows, "row has", "rows have")
    return [f"{rows} the target -1, taken as a value; {correction} if it means unlabelled"] if n_rows else []


def mask_unlabeled(column, unlabeled):
    """Replace the values of a column that mean unlabelled by missing ones."""
    if not unlabeled:
        return column
    if column.dtype == np.float64:  # -1 and -1.0 are the same number
        unlabeled = [class_text(float(value)) for value in unlabeled if is_number(value)]
    marked = column.map(class_text, na_action="ignore").astype(object).isin(list(unlabeled))
    return column.where(~marked)


def as_numbers(column, name, advice):
    """Read a target as float64; raises DataError with `advice` if a value is not a number."""
    try:
        return column.numbers()
    except ValueError as error:
        problem = str(error).partition(": ")[2] or str(error)
        raise DataError(f"expected numbers: {problem}", column=repr(name), advice=advice) from None


def checked_labels(target, path):
    """Return a target, with a note if all rows have the same; raises DataError if no row has a label."""
    labeled = target.labeled
    if not labeled.any():
        raise DataError(
            f"the target ({listed(target.columns)}) is empty in every row",
            advice=f"{'Pass a y' if path is None else 'Name as --target a column'} with some labels",
        )
    if target.values.ndim == 2 and len(pd.DataFrame(target.values[labeled]).drop_duplicates()) == 1:
        note = "all labelled rows have the same targets: there is nothing to predict"
        return replace(target, notes=(*target.notes, note))
    return target
