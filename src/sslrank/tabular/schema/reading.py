"""Read a user's file: its columns, and which of them are targets, features or descriptions of rows."""

import fnmatch
import hashlib
import inspect
import shlex
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError, errors_in
from sslrank.core.frames import is_number
from sslrank.core.messages import listed
from sslrank.core.missing_words import BLANKS, NA_WORDS
from sslrank.datasets.readers import PACKED, ParsedTable, format_of, read, reader_module
from sslrank.datasets.readers.guesses import guess_decimal, guess_delimiter, guess_encoding
from sslrank.datasets.readers.kinds import KindDoubt
from sslrank.datasets.readers.mulan import read_labels
from sslrank.datasets.readers.pieces import is_large, read_in_pieces
from sslrank.hypothesis_tests.design import DESIGN
from sslrank.tabular.schema.roles import ColumnRoles, check_known, check_options, near_names
from sslrank.tabular.schema.row_columns import RowColumns
from sslrank.tabular.schema.table import MAX_CELLS, make_table
from sslrank.tabular.schema.target import mask_unlabeled, target_of_file

#: Formats whose cells are texts.
TEXT_FORMATS = ("csv", "ods", "xls", "xlsx")


def read_own(path, target=(), roles=None, *, ranked=(), unlabeled=(), missing=(), **reading):
    """Read a file with features and targets.

    Parameters
    ----------
    path : path-like
        CSV, TSV, Excel, OpenDocument, Parquet, Feather, JSON, SPSS, Stata, SAS, ARFF, KEEL, Orange, MATLAB or R; may be
        compressed.
    target : sequence of str
        Columns, or patterns such as ``label_*``. If empty, the target that the file declares (Mulan's XML next to it, a
        hierarchical attribute).
    roles : ColumnRoles, optional
        The user's options about columns; `groups`, `time` and `weights` are names.
    ranked : sequence of str
        Further columns to keep, unless they are dropped.
    unlabeled : sequence of str
        Values of the target that mean unlabelled, in addition to empty, NaN and ``?``.
    missing : sequence of str
        Further texts that mean a missing value (CSV).
    **reading
        `max_size` as in :func:`sslrank.datasets.readers.read`, and options of :func:`reader_of`.

    Returns
    -------
    OwnTable

    Raises
    ------
    DataError
        If the file cannot be used; the message says what to correct.
    """
    path = _file(path)
    roles = ColumnRoles() if roles is None else roles
    by_role = roles.row_columns
    design = [name for role, name in by_role.items() if role in DESIGN and name not in roles.numeric]
    with errors_in(path):
        if not target and (labels := _labels_next_to(path)).is_file():
            target = read_labels(labels)
        labeled = _LabeledRows(target, unlabeled)
        as_texts = [*roles.nominal, *design]
        parsed, options = _read(path, target, as_texts, roles.numeric, missing, roles.drop, labeled=labeled, **reading)
        frame, notes = parsed.frame, list(parsed.notes)
        columns = _targets(parsed, target)
        roles = roles.with_event_code(frame.columns)
        by_role = roles.row_columns
        check_options(frame.columns, roles, "--", columns)
        if parsed.n_unread:
            n_drawn = int((~labeled(parsed)).sum())
            drawn = f"{n_drawn} of {n_drawn + parsed.n_unread} unlabelled ones, drawn at random"
            notes.insert(0, f"rows read: all labelled ones and {drawn}")
        rows = RowColumns.read({role: frame[name] for role, name in by_role.items()}, roles)
        return make_table(
            frame.drop(columns=[*columns, *by_role.values()]),
            target_of_file(parsed, columns, roles, unlabeled=unlabeled, path=path),
            rows,
            roles,
            ranked=ranked,
            signs=parsed.signs,
            lines=parsed.numbers or (),
            notes=notes,
            path=path,
            sha256=_sha256(path),
            n_unread=parsed.n_unread,
            reading={"unlabeled": list(unlabeled), "reader": _reading_options(reading, missing, options)},
        )


def _reading_options(given, missing, options):
    """Return the options by which a later file is read: those given, and a comma as the decimal mark."""
    kept = given | {"missing": list(missing), "decimal": options.get("decimal"), "max_size": None}
    return {key: value for key, value in kept.items() if value not in (None, (), [])}


def column_names(path, target=(), missing=(), **reading):
    """List the columns of a file, of the sheet with the target, even if the kind of one is in doubt."""
    return list(_read(_file(path), target, "all", (), missing, (), **reading)[0].frame.columns)


def options_of_format(path, options):
    """Select those of some options that the reader of a file has."""
    format = options.get("format") or format_of(path)
    names = {*inspect.signature(import_module(reader_module(format)).read).parameters, "format", "missing"}
    names |= {"not_missing"} if format in TEXT_FORMATS else set()
    names -= {"decimal"} if format == "csv" and guess_delimiter(path, options.get("skip_lines")) == "," else set()
    return {key: value for key, value in options.items() if key in names}


def read_columns(path, names, texts=(), others=(), **reading):
    """Read some columns of another file, unchanged.

    Parameters
    ----------
    path : path-like
    names : list of str
    texts : sequence of str
        Columns whose commas are text, not decimal commas.
    others : sequence of str
        Further columns to read, if they exist.
    **reading
        As in :func:`read_own`.

    Returns
    -------
    frame : DataFrame
    notes : list of str
        Notes for the user on how the file was read.

    Raises
    ------
    DataError
        If a column does not exist.
    """
    path = _file(path)
    is_sheet = (reading.get("format") or format_of(path)) in ("ods", "xls", "xlsx")
    reading.pop("missing", None)  # cells stay as they are
    table, options = _read(path, names if is_sheet else (), "all", (), (), _AllBut([*names, *others]), **reading)
    frame = table.frame
    with errors_in(path):
        check_known(names, frame.columns)
    part = frame[[*names, *(name for name in others if name in frame and name not in names)]].copy()
    if options.get("decimal") == ",":  # given or guessed
        for name in part.columns.difference(texts):
            part[name] = part[name].astype(object).str.replace(",", ".")
    return part, table.notes


class _AllBut(frozenset):
    """All names except some; other columns of a Parquet file are not read, because they may be unreadable."""

    def __contains__(self, name):
        return not super().__contains__(name)


def reader_of(path, nominal, numeric, missing, drop, target, notes, **given):
    """Find the format of a file, and the options of its reader.

    Parameters
    ----------
    path : Path
    nominal : sequence of str, or "all"
    numeric, missing : sequence of str
    drop : sequence of str
        Columns that will not be used: Parquet's are not read, and those of other files are read as texts.
    target : sequence of str
        Columns by which the sheet of a workbook, or the variable of a MATLAB file, is chosen.
    notes : list of str
        Gets the guesses.
    **given
        Options of the reader; None means not given. Also `format`, by default that of the suffix, and for texts
        `not_missing`: strings that are values although they usually mean missing, such as NA among country codes, or ""
        for blanks.

    Returns
    -------
    format : str
    options : dict
    """
    options = {key: value for key, value in given.items() if value is not None}
    format = options.pop("format", None) or format_of(path)
    if format not in TEXT_FORMATS:  # the reader refuses what it does not have
        of_format = {"parquet": {"drop": drop}, "mat": {"target": target[0]} if target else {}}
        return format, options | of_format.get(format, {})
    not_missing = options.pop("not_missing", ())
    if format == "csv":
        skipped = options.get("skip_lines")
        options["delimiter"] = options.get("delimiter") or guess_delimiter(path, skipped)
        guessed = {"decimal": guess_decimal(path, options["delimiter"], skipped)}
        if not is_large(path, format):
            guessed["encoding"] = guess_encoding(path)
        usual = {"decimal": ".", "encoding": "utf-8"}
        for key, value in guessed.items():
            if key not in options and value != usual[key]:
                options[key] = value
                what = "decimal mark" if key == "decimal" else key
                notes.append(f"its {what} is taken to be {value!r}; else --reader {key}={usual[key]}")
    else:
        options["required_names"] = list(target)
    if nominal != "all":
        nominal = [*nominal, *(name for name in drop if name not in numeric)]
    options |= {"nominal": nominal, "numeric": list(numeric)}
    if missing or not_missing:
        options["missing"] = [text for text in (*BLANKS, *NA_WORDS, *missing) if text not in not_missing]
    return format, options


class _LabeledRows:
    """Find the labelled rows of a table that was read."""

    def __init__(self, target, unlabeled):
        self.target, self.unlabeled, self.columns = target, unlabeled, None

    def __call__(self, table):
        if self.columns is None:
            self.columns = _targets(table, self.target)
        return np.any([mask_unlabeled(table.frame[name], self.unlabeled).notna() for name in self.columns], axis=0)


def _read(path, target, nominal, numeric, missing, drop, max_size=None, labeled=None, **reading):
    """Read a file, all rows of it or, if `labeled` finds its labelled rows and it is large, those and a sample."""
    notes = []
    format, options = reader_of(path, nominal, numeric, missing, drop, target, notes, **reading)
    has_pieces = labeled is not None and not options.get("skip_lines")
    try:
        if has_pieces and is_large(path, format, options.get("encoding", "utf-8")):
            table = read_in_pieces(path, format, labeled, max_cells=MAX_CELLS, max_size=max_size, **options)
        else:
            table = read(path, format, max_size, **options)
    except KindDoubt as doubt:
        if labeled is not None:  # a misspelt name is said first
            _targets(ParsedTable(pd.DataFrame(columns=doubt.columns)), target)
        if doubt.name in target:
            doubt.advice += (
                f"; if -1 means 'no target' among classes, add --nominal {shlex.quote(doubt.name)} --unlabeled=-1"
            )
        raise
    table.notes += notes
    codes = [float(text) for text in missing if is_number(text)]  # -9999 is also -9999.0
    for name in table.frame.columns if missing else ():
        marks = codes if table.frame[name].dtype == np.float64 else list(missing)
        table.frame[name] = table.frame[name].mask(table.frame[name].isin(marks))
    if "nominal" in options and "header" not in options:
        _check_header(table.frame, table.notes)
    return table, options


def _check_header(frame, notes):
    """Note names that are numbers; raise DataError if all are, or if those of most texts occur among the texts."""
    numbers = [name for name in frame if is_number(name)]
    texts = [name for name, kind in frame.dtypes.items() if isinstance(kind, pd.CategoricalDtype)]
    categories = {name: {str(text).strip("'") for text in frame.dtypes[name].categories} for name in texts}
    values = [name for name in texts if {name} < categories[name]]  # a column "Cat" of surveys has "Cat" or a blank
    ways = "add --reader header=false if the first line has no names, header=true if it has"
    if len(values) > max(1, len(texts) / 2) or len(numbers) == frame.shape[1]:
        raise DataError(
            f"the first line looks like values, not names: {listed(values or numbers)}", advice=ways.capitalize()
        )
    if numbers:
        count = f"{len(numbers)} of {frame.shape[1]} columns"
        notes.append(f"names of {count} are numbers: {listed(numbers)}; {ways}")


def _file(path):
    path = Path(path)
    if path.is_dir():
        raise DataError("expected a file, found a folder", file=path, advice="Name a file in it")
    if str(path) == "-" or (path.exists() and not path.is_file()):
        raise DataError("expected a file, found a pipe", file=path, advice="Save its output to a file, and name that")
    if not path.exists():
        raise DataError("there is no such file", file=path)
    return path


def _sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _labels_next_to(path):
    """Find Mulan's XML file next to an ARFF file, compressed or not."""
    plain = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return plain.with_suffix(".xml") if plain.suffix.lower() == ".arff" else Path()


def _targets(table, target):
    columns = list(table.frame.columns)
    names = list(target) or list(table.targets) or list(table.hierarchies)
    if not names:
        raise DataError("no target is given", advice=f"Add --target; the columns are {listed(columns)}")
    targets = []
    for name in names:
        fits = [name] if name in columns else fnmatch.filter(columns, name)
        if not fits:
            hint = near_names(name, columns)
            if name.lower() == "none":
                hint = "without a target, rank in Python: get_ranker('laplacian_score').fit(X)"
            if 2 * sum(column.startswith("column ") for column in columns) >= len(columns):  # the reader named them
                hint += "; if the names are in another line, --reader skip_lines=1 leaves out the first"
            raise DataError(f"there is no column {name!r}; {hint}")
        targets += [column for column in fits if column not in targets]
    return targets
