"""Prepare a :class:`sslrank.datasets.dataset.Dataset` from raw files, checked against its catalogue entry."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.core.errors import errors_in
from sslrank.core.events import event_values
from sslrank.core.frames import class_text, make_frame, sorted_categories
from sslrank.core.hierarchy import decode_paths, label_table
from sslrank.core.messages import nearest
from sslrank.datasets.catalogue import ColumnMeanings, Variant
from sslrank.datasets.dataset import DataError, Dataset
from sslrank.datasets.fingerprint import fingerprint, sha256_of
from sslrank.datasets.readers import format_of, read
from sslrank.datasets.readers.mulan import read_labels
from sslrank.datasets.recipes import RECIPES

_PARTS = {"full": None, "train": "train", "valid": "train", "test": "test"}


def prepare(entry, raw_dir=None, *, path=None, check=True):
    r"""Read a dataset's raw files.

    Parameters
    ----------
    entry : sslrank.datasets.catalogue.DatasetSpec
    raw_dir : path-like, optional
        Folder with the entry's files, as :func:`sslrank.datasets.download.fetch` returns it.
    path : path-like, optional
        Instead of `raw_dir`, for datasets that cannot be downloaded: one file with the whole table, in any supported
        format.
    check : bool, default=True
        Compare shape and fingerprint with the entry's.

    Returns
    -------
    Dataset
        Nominal features have the categories that occur, sorted, whatever the file declares.

    Raises
    ------
    DataError
        If a file is missing, malformed or too large, or its content differs from the entry.

    Examples
    --------
    >>> from sslrank.datasets.catalogue import own_entry
    >>> size = Path("data.csv").write_text("a,b,y\n1,2.5,no\n2,0.5,yes\n")
    >>> dataset = prepare(own_entry("mine", "data.csv", "classification", columns={"target": "y"}), path="data.csv")
    >>> dataset.X.shape, dataset.y
    ((2, 2), array(['no', 'yes'], dtype=object))
    """
    if path is not None:
        variant = entry.variants[0] if entry.variants else Variant()
        tables = [("full", read(path, **_portable(variant.reader, path)))]
        labels, files = None, [Path(path)]
    else:
        variant, files = _find_variant(entry, Path(raw_dir))
        with_roles = [(source.role, file) for source, file in zip(variant.files, files, strict=True)]
        if variant.recipe:
            tables = RECIPES[variant.recipe]({file.name: file for file in files})
        else:
            tables = [(role, read(file, **variant.reader)) for role, file in with_roles if role in _PARTS]
        labels = next((file for role, file in with_roles if role == "labels"), None)
    dataset = assemble(entry.name, entry.task, tables, variant.columns, labels)
    sources = [{"file": file.name, "sha256": sha256_of(file)} for file in files]
    dataset.provenance.update(files=sources, home=entry.home, note=entry.note)
    dataset.provenance["fingerprint"] = fingerprint(dataset)
    notes = [f"{table.path}: {note}" for _, table in tables for note in table.notes]
    if notes:
        dataset.provenance["notes"] = notes
    if check:
        check_content(entry, dataset, files)
    return dataset


def _portable(options, path):
    """Select the entry's reader options that also apply to another file of the same data."""
    format = format_of(path)
    return dict(options) if options.get("format") == format else {"format": format}


def _find_variant(entry, raw_dir):
    """Find the first variant whose files all exist; return it with these files."""
    missing = []
    for variant in entry.variants:
        files = [raw_dir / source.file for source in variant.files]
        absent = [file for file in files if not file.is_file()]
        if files and not absent:
            return variant, files
        missing.extend(absent)
    if not entry.available:
        raise DataError(
            f"dataset {entry.name!r} is not available: {entry.reason}",
            advice=f"Get it from {entry.home} and give the file's path",
        )
    raise DataError("the file is missing", file=missing[0], advice=f"Run 'sslrank download {entry.name}' first")


def assemble(name, task, tables, columns=None, labels=None):
    """Join parsed parts, each a role and a table, into a Dataset.

    Without `columns` the target is the one that the file names; `labels` is Mulan's XML file with the names of the
    labels.
    """
    columns = columns or ColumnMeanings()
    tables = sorted(tables, key=lambda item: list(_PARTS).index(item[0]))
    table, parts = _concatenate(tables, columns.drop)
    fail = _RowErrors(tables)
    target_names = _target_names(table, columns.target or list(tables[0][1].targets), labels, fail)
    if (task == "survival") != (columns.event is not None):
        fail("the key 'event' is needed for task 'survival', and for it only")
    if task not in ("multitarget", "multilabel") and len(target_names) != 1:
        fail(f"task {task!r} needs one target, found {len(target_names)}: {', '.join(target_names[:5])}")
    if task == "survival":
        target_names += _target_names(table, columns.event, None, fail)
    X = _features(table, [name for name in table.columns if name not in set(target_names)], columns, fail)
    hierarchy = None
    if task == "hierarchical":
        declared = [node for _, item in tables for node in item.hierarchies.get(target_names[0], ())]
        target_names, hierarchy, y = _hierarchical(table[target_names[0]], declared, columns, fail)
    elif task == "classification":
        y = np.array([class_text(value) for value in table[target_names[0]].astype(object)], dtype=object)
    elif task == "survival":
        time, event = (table[name] for name in target_names)
        with errors_in(fail.paths[0], repr(event.name)):
            y = np.column_stack([_numbers(time, fail), event_values(event)])
        y[np.isnan(y).any(axis=1)] = np.nan
    else:
        y = np.column_stack([_numbers(table[target], fail, task == "multilabel") for target in target_names])
        y = y[:, 0] if task == "regression" else y
    _check_targets(y, target_names, columns.missing_targets, fail)
    return Dataset(name, task, X, y, target_names, hierarchy, parts, {})


def _hierarchical(column, declared, columns, fail):
    """Make labels, hierarchy and 0/1 table of a hierarchical attribute, or of classes with paths."""
    if paths := columns.class_paths:
        classes = column.astype(object).map(class_text, na_action="ignore")
        for label in sorted(set(classes.dropna()) - set(paths)):
            fail(f"class {label!r} has no path in 'class_paths'", column=column.name)
        declared, column = list(paths.values()), classes.map(paths)
    if not declared:
        fail("the attribute is not hierarchical", column=column.name)
    return label_table(list(dict.fromkeys(declared)), decode_paths(column), columns.hierarchy, fail)


class _RowErrors:
    """Raise errors that state the file and line of a row of the joined table."""

    def __init__(self, tables):
        self.paths = [item.path for _, item in tables]
        self.lines = [(item.path, number) for _, item in tables for number in item.numbers or ()]

    def __call__(self, problem, *, row=None, column=None, advice=None):
        file, line = self.paths[0], None
        if row is not None and row < len(self.lines):
            file, line = self.lines[row]
        raise DataError(problem, file=file, line=line, column=None if column is None else repr(column), advice=advice)


def _concatenate(tables, drop):
    frames, parts, start = [], {}, 0
    first = tables[0][1]
    for role, item in tables:
        unknown = [name for name in drop if not any(name in other.frame.columns for _, other in tables)]
        if unknown:
            raise DataError(
                f"there is no column {unknown[0]!r} to drop{nearest(unknown[0], item.frame.columns)}", file=item.path
            )
        frame = item.frame.drop(columns=[name for name in drop if name in item.frame.columns])
        if frames and list(frame.columns) != list(frames[0].columns):
            other = [a for a, b in zip(frame.columns, frames[0].columns, strict=False) if a != b]
            raise DataError(
                f"its {frame.shape[1]} columns are not the {frames[0].shape[1]} of {first.path}"
                + (f"; first difference: {other[0]!r}" if other else ""),
                file=item.path,
            )
        frames.append(frame)
        if _PARTS[role]:
            rows = np.arange(start, start + len(frame))
            parts[_PARTS[role]] = np.concatenate([parts.get(_PARTS[role], rows[:0]), rows])
        start += len(frame)
    if len(frames) > 1:
        nominal = frames[0].select_dtypes("category").columns  # whose categories are merged
        frames = [pd.concat(frames, ignore_index=True).astype(dict.fromkeys(nominal, "category"))]
    return frames[0], parts or None


def _target_names(table, target, labels, fail):
    names = list(table.columns)
    if labels is not None:
        asked_for = read_labels(labels)
        for name in asked_for:
            if name not in names:
                raise DataError(f"label {name!r} is not an attribute of the table{nearest(name, names)}", file=labels)
        label_names = set(asked_for)
        return [name for name in names if name in label_names]  # the order of the table's columns
    if not target:
        fail("the entry names no target", advice="Set 'target' to its name, or to 'last 1'")
    edge = re.fullmatch(r"(first|last) (\d+)", target) if isinstance(target, str) else None
    if edge:
        count = int(edge.group(2))
        if not 0 < count < len(names):
            fail(f"'{target}' columns are not there, the table has {len(names)}")
        return names[:count] if edge.group(1) == "first" else names[-count:]
    asked_for = [target] if isinstance(target, str) else list(target)
    for name in asked_for:
        if name not in names:
            fail(f"there is no column {name!r} for the target{nearest(name, names)}")
    return asked_for


def _numbers(column, fail, is_label=False):
    if column.dtype == np.float64:
        values = column.to_numpy()
    else:
        try:
            values = column.astype(object).astype(np.float64).to_numpy()
        except (TypeError, ValueError) as error:
            fail(f"expected numbers only: {error}", column=column.name)
    bad = ~np.isnan(values) & ~np.isin(values, (0.0, 1.0))
    if is_label and bad.any():
        row = int(np.flatnonzero(bad)[0])
        fail(f"{values[row]:g} is not a label, expected 0 or 1", row=row, column=column.name)
    return values


def _check_targets(y, target_names, missing_allowed, fail):
    missing = pd.isna(y).reshape(len(y), -1)
    if missing.all():
        fail("the target is empty in every row", column=target_names[0], advice="Is this the right column?")
    if missing.any() and not missing_allowed:
        row, column = np.argwhere(missing)[0]
        fail(
            "the target is empty",
            row=row,
            column=target_names[column],
            advice="If the data really has rows without a target, set 'missing_targets: true' in its entry",
        )


def _features(table, names, columns, fail):
    if not names:
        fail("there are no features: every column is a target or dropped")
    values = []
    for name in names:
        column = table[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            if name in columns.numeric:
                values.append(_numbers(column, fail))
            else:
                values.append(sorted_categories(column.array))
        elif column.dtype == np.float64:
            values.append(column.to_numpy())
        else:
            fail(
                "text that is neither a number nor of declared values cannot be a feature",
                column=name,
                advice="If it is an identifier, list it under 'drop'",
            )
    return make_frame(names, values)


def check_content(entry, dataset, files):
    """Compare a dataset with the shape and the fingerprint of its entry; messages name the `files`."""
    shape, declared = describe(dataset), entry.shape
    where = ", ".join(str(file) for file in files)
    for key in ("rows", "features", "targets", "parts", "class_counts"):
        expected = getattr(declared, key)
        if expected is not None and shape[key] != expected:
            raise DataError(
                f"dataset {entry.name!r} has {key} {shape[key]}, expected {expected}",
                file=where,
                advice="The file is incomplete or not this dataset; get it again",
            )
    actual = dataset.provenance["fingerprint"]
    if entry.fingerprint is not None and actual != entry.fingerprint:
        raise DataError(
            f"the content of dataset {entry.name!r} differs: its fingerprint is {actual}, expected {entry.fingerprint}",
            file=where,
            advice="Same shape but other values, names or order of rows: use the original, or add the file "
            "as a dataset of its own name",
        )


def describe(dataset):
    """Count rows, features, targets, parts and rows by class: the keys of :class:`sslrank.datasets.catalogue.Shape`."""
    counts = None
    targets = len(dataset.target_names)
    if dataset.task == "classification":
        labels, numbers = np.unique([label for label in dataset.y if label is not None], return_counts=True)
        counts = {str(label): int(number) for label, number in zip(labels, numbers, strict=True)}
        targets = len(counts)
    return {
        "rows": dataset.n_rows,
        "features": dataset.X.shape[1],
        "targets": targets,
        "parts": {part: len(rows) for part, rows in dataset.parts.items()} if dataset.parts else None,
        "class_counts": counts,
    }
