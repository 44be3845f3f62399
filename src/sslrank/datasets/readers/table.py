"""The table that readers return, and the conversion of text cells that the text formats share.

:func:`text_columns` collects rows of cells as columns of strings, :func:`convert` turns these into numbers or
categories, and :func:`infer` decides the kind of a column that nobody declared. Every message names file, line and
column.
"""

import csv
import math
import re
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from sslrank.core.messages import nearest
from sslrank.datasets.dataset import DataError, nominal_dtype
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN

csv.field_size_limit(2**31 - 1)  # of liac-arff too; the default is 131,072 characters
#: Cells that mean a missing value in CSV, quoted or not.
BLANKS = ("", "?")
#: Words that mean it where they are not quoted, or where the other values of the column are numbers.
NA_WORDS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
#: Values that a message shows at most.
SHOWN = 5
#: No quadratic search: a digit belongs to one part only. ASCII digits, as float() takes those of any script.
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_INFINITE = re.compile(r"[+-]?(inf|infinity)", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?")
_ZEROS = re.compile(r"0[0-9]+")
#: Numbers as spreadsheets show them: with a currency or per cent sign, perhaps with commas between thousands.
AMOUNT = r"[+-]?(?:[$€£¥] ?)?[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?(?: ?[%$€£¥])?"
_AMOUNT = re.compile(AMOUNT)
_SIGNS = "+-$€£¥%"
#: Doubts about numbers with a comma or a sign.
COMMA = "the values are numbers with a decimal comma"
THOUSANDS = "the values are numbers with a comma, which may separate thousands"
SIGN = "the values are numbers with a currency or per cent sign"
_READ = "numeric=[{0!r}] to read them without signs and commas"
#: Doubt -> the option that reads the values as numbers.
DECIDED = {
    COMMA: "decimal=',' if the comma is their decimal mark",
    THOUSANDS: f"decimal=',' if the comma is their decimal mark; {_READ}",
    SIGN: _READ,
}


class KindDoubt(DataError):
    """Columns may be numeric or nominal, and somebody has to decide; `text` is the first value that is no number."""

    def __init__(self, problem, *, names, text, **others):
        super().__init__(problem, **others)
        self.problem, self.names, self.text = problem, names, text


@dataclass(frozen=True)
class Column:
    """Declaration of a column.

    `kind` is "numeric", "nominal", "string", "hierarchical", or "auto": numeric if it can be, else nominal.
    `categories` are the declared values of a nominal column (None: those that occur) or the nodes of a hierarchical
    one.
    """

    name: str
    kind: str = "auto"
    categories: tuple | None = None


@dataclass
class Table:
    """A parsed file.

    Attributes
    ----------
    frame : DataFrame
        float64 columns (numeric), categoricals (nominal), or objects (strings, None where missing).
    hierarchies : dict of str to tuple of str
        The declared nodes of each hierarchical column; its values are strings such as ``a/b@c``.
    path : Path or None
    numbers : list of int or None
        Line of the file that each row came from, for messages.
    targets : tuple of str
        The targets that the file itself names, if it does.
    weights : ndarray or None
        Weight of each row, if an ARFF file has some.
    kinds : dict of str to Kind
        What was inferred of the columns whose kind nobody declared.
    notes : list of str
        What a person should know about how the file was read.
    left_out : int
        Unlabelled rows of the file that are not in the table, as it is a sample of a large file.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"a": [1.0, 2.0]}), notes=["a comma is the decimal mark"])
    >>> table.frame.shape, table.left_out
    ((2, 1), 0)
    """

    frame: pd.DataFrame
    hierarchies: dict = field(default_factory=dict)
    path: object = None
    numbers: list | None = None
    targets: tuple = ()
    weights: np.ndarray | None = None
    kinds: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    left_out: int = 0


@dataclass
class Rows:
    """Lines of a file on which the rows of its table start, for messages."""

    path: object
    numbers: list

    def fail(self, problem, row=None, column=None, advice=None):
        """Raise a :class:`DataError` about one row."""
        line = None if row is None else self.numbers[row]
        raise DataError(problem, file=self.path, line=line, column=column, advice=advice)


def text_columns(path, rows, n_columns, missing, blanks=" \t"):
    """Collect rows, given as (line, cells), as columns of strings in which null is missing.

    Cells in `missing` mean a missing value; the characters `blanks` around a cell do not belong to it.
    """
    numbers, blocks = [], []
    while block := list(islice(rows, max(1, 500_000 // n_columns))):
        for number, cells in block:
            if len(cells) != n_columns:
                raise DataError(
                    f"the row has {len(cells)} values, expected {n_columns} (one per attribute)",
                    file=path,
                    line=number,
                    advice="A cut line means an incomplete file: get it again; else correct the row",
                )
        numbers += [number for number, _ in block]
        try:
            columns = zip(*(cells for _, cells in block), strict=True)
            flat = pa.array([cell for column in columns for cell in column], pa.string())
        except UnicodeEncodeError as error:  # half of a surrogate pair, from an escape
            raise DataError(f"not a text: {error}", file=path, line=block[0][0]) from None
        flat = clean_cells(flat, missing, blanks)
        blocks.append([flat.slice(j * len(block), len(block)) for j in range(n_columns)])
    if not blocks:
        raise DataError("there are no rows of data", file=path, advice=DOWNLOAD_AGAIN)
    columns = blocks[0] if len(blocks) == 1 else [pa.concat_arrays(pieces) for pieces in zip(*blocks, strict=True)]
    return Rows(path, numbers), columns


def clean_cells(cells, missing, blanks=" \t"):
    """Trim an array of strings of `blanks`, and make those in `missing` null."""
    cells = pc.ascii_trim(cells, blanks)
    return pc.if_else(pc.is_in(cells, pa.array(missing, pa.string())), None, cells)


def place(position, name):
    """Write a column as messages do: number from 1, and name."""
    return f"{position + 1} ({name!r})"


def check_names(columns, path, lines=None, duplicates="refuse"):
    """Check that names of columns are distinct; with the `duplicates` "rename", append _2, _3, ... to later ones.

    `lines` are those on which the columns are declared.
    """
    if duplicates not in ("refuse", "rename"):
        raise DataError(f"option 'duplicates' must be refuse or rename, got {duplicates!r}", file=path)
    first, distinct, numbers = {}, [], {}
    for j, column in enumerate(columns):
        if column.name in first:
            if duplicates == "refuse":
                raise DataError(
                    f"the column name {column.name!r} is declared twice (first as column {first[column.name] + 1})",
                    file=path,
                    line=lines[j] if lines else None,
                    column=place(j, column.name),
                    advice="Rename one of them, or have _2 appended: --reader duplicates=rename on the command line, "
                    "'duplicates: rename' in the reader's options",
                )
            number = numbers.get(column.name, 2)
            while f"{column.name}_{number}" in first:
                number += 1
            numbers[column.name] = number + 1
            column = replace(column, name=f"{column.name}_{number}")
        first[column.name] = j
        distinct.append(column)
    return distinct


def convert(rows, columns, values, words=()):
    """Turn columns of strings into a table; `words` are texts that mean a missing value in numeric columns.

    A DataError says that a value is not what its column declares, or that the kind of a column is in doubt.
    """
    converted, hierarchies, kinds = _plain_numbers(columns, values), {}, {}
    for j, (column, strings) in enumerate(zip(columns, values, strict=True)):
        if converted[j] is not None:
            _check_exact(rows, j, column, strings, converted[j])
            if column.kind == "auto":
                kinds[column.name] = PLAIN
            continue
        kind = column.kind
        if kind == "auto":
            kinds[column.name] = infer(strings, words)
            kind = kinds[column.name].kind
        if kind == "numeric":
            converted[j] = _numbers(rows, j, column, strings, words)
            _check_exact(rows, j, column, strings, converted[j])
        elif kind == "nominal":
            converted[j] = _categories(rows, j, column, strings)
        else:
            converted[j] = np.array(strings.to_pylist(), dtype=object)
            if kind == "hierarchical":
                hierarchies[column.name] = column.categories
    _refuse_doubts(rows, columns, kinds)
    frame = make_frame([column.name for column in columns], converted)
    return Table(frame, hierarchies, rows.path, rows.numbers, kinds=kinds)


@dataclass(frozen=True)
class Kind:
    """Kind of a column of text, "numeric" or "nominal", and what the column is made of, for people.

    `doubt` is why it may well be the other kind: a reader refuses such a column until somebody decides. `count` values
    are no numbers; `rows` are the first of these, and `examples` the values there.
    """

    kind: str
    reason: str
    doubt: str | None = None
    count: int = 0
    rows: tuple = ()
    examples: tuple = ()


#: Of the columns that need no second look.
PLAIN = Kind("numeric", "every value is a number or missing")


def infer(strings, words=NA_WORDS):
    """Decide if a column of text is numeric or nominal.

    It is numeric if every value is a number in decimal notation, nominal if none is, or if the values are whole numbers
    of which some begin with a zero (codes such as 00001). It is in doubt if at least half of the values are numbers, if
    several different numbers stand beside a single text (a mark of missing values?), and if the others have a decimal
    comma, a comma that may separate thousands, or a currency or per cent sign; else it is nominal. `words` are texts
    that count as missing if the other values are numbers.
    """
    encoded = strings.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    counts = np.bincount(encoded.indices.drop_null().to_numpy(), minlength=len(values))
    is_number = np.array([_looks_like_number(value) for value in values], dtype=bool)
    is_word = np.array([value in words for value in values], dtype=bool)
    n_numbers = int(counts[is_number].sum())
    is_text = ~is_number & ~is_word if n_numbers else ~is_number
    texts = [value for value, text in zip(values, is_text, strict=True) if text]
    n_texts = int(counts[is_text].sum())
    if not texts:
        code = next(filter(_ZEROS.fullmatch, values), None)
        if code and all(value in words or _WHOLE.fullmatch(value) for value in values):
            return Kind("nominal", f"whole numbers that begin with a zero, such as {_shorten(code)}")
        return PLAIN
    reason = f"{len(texts)} different texts in {n_texts} rows, numbers in {n_numbers}"
    doubt = None
    if all(map(_THOUSANDS.fullmatch, texts)):
        doubt = THOUSANDS
    elif all(value.strip(_SIGNS) != value and _AMOUNT.fullmatch(value) for value in texts):
        doubt = SIGN
    elif n_numbers >= n_texts:
        doubt = "most of the values are numbers"
    elif len(texts) == 1 and is_number.sum() > SHOWN:
        doubt = f"{int(is_number.sum())} different numbers stand beside a single text"
    elif all(_looks_like_number(value) or _DECIMAL_COMMA.fullmatch(value) for value in values):
        doubt = COMMA
    if doubt is None:
        return Kind("nominal", reason)
    places = np.append(is_text, False)[encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)]
    rows = tuple(np.flatnonzero(places)[:SHOWN].tolist())
    return Kind("nominal", reason, doubt, n_texts, rows, tuple(strings[row].as_py() for row in rows))


def _looks_like_number(text):
    """Infinite ones too, so that the message names them."""
    return (_NUMBER.fullmatch(text.strip(" \t")) or _INFINITE.fullmatch(text)) is not None


def _refuse_doubts(rows, columns, kinds):
    doubtful = [j for j, column in enumerate(columns) if column.name in kinds and kinds[column.name].doubt]
    if not doubtful:
        return
    name = columns[doubtful[0]].name
    kind = kinds[name]
    listed = ", ".join(
        f"{_shorten(text)} in line {rows.numbers[row]}" for text, row in zip(kind.examples, kind.rows, strict=True)
    )
    more = f" and {kind.count - len(kind.rows)} more" if kind.count > len(kind.rows) else ""
    others = [columns[j].name for j in doubtful[1:]]
    also = f". The same holds for {len(others)} more columns: {', '.join(map(repr, others[:SHOWN]))}" if others else ""
    also += ", ..." if len(others) > SHOWN else ""
    if kind.doubt in DECIDED:
        joint, otherwise = ", such as", DECIDED[kind.doubt].format(name)
    else:
        joint = ", but these are not:"
        otherwise = f"missing=[...] with every text that means a missing value, such as {_shorten(kind.examples[0])}"
    raise KindDoubt(
        f"numbers or categories? {kind.doubt}{joint} {listed}{more}{also}",
        names=[columns[j].name for j in doubtful],
        text=kind.examples[0],
        file=rows.path,
        column=place(doubtful[0], name),
        advice=f"Correct them, or set the reader's options: nominal=[{name!r}] if these are categories; {otherwise}",
    )


def _shorten(text):
    return repr(text if len(text) <= 40 else text[:40] + "...")


def parse_number(text):
    """Convert a text in decimal notation to a finite number.

    Unlike float(), this takes no ``nan``, ``inf``, ``1_000`` or digits of other scripts.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{_shorten(text)} is not a number")
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{_shorten(text)} is beyond the range of float64")
    return number


def is_number(text):
    """Tell whether a text is a number; see :func:`parse_number`."""
    try:
        parse_number(text)
    except ValueError:
        return False
    return True


def make_frame(names, columns):
    """Make a DataFrame from arrays; all-numeric ones share one block, which keeps wide tables fast."""
    if all(isinstance(column, np.ndarray) and column.dtype == np.float64 for column in columns):
        values = np.empty((len(columns[0]), len(columns)), order="F")
        for j, column in enumerate(columns):
            values[:, j] = column
        return pd.DataFrame(values, columns=names)
    # Without a dtype, pandas would turn strings with None into its own type with NaN.
    columns = [
        pd.Series(column, dtype=object) if isinstance(column, np.ndarray) and column.dtype.kind == "O" else column
        for column in columns
    ]
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = names
    return frame


def _plain_numbers(columns, values):
    """Float arrays of the columns that are nothing but finite numbers and may be numeric; None for the rest.

    Many narrow columns are converted at once, and halved where that fails: thousands of columns of a few
    rows cost as little as one long column.
    """
    found = [None] * len(columns)
    n_rows = len(values[0])
    step = max(1, 1_000_000 // n_rows)
    wanted = [j for j, column in enumerate(columns) if column.kind in ("numeric", "auto")]
    waiting = [wanted[start : start + step] for start in range(0, len(wanted), step)]
    while waiting:
        block = waiting.pop()
        strings = pa.concat_arrays([values[j] for j in block]) if len(block) > 1 else values[block[0]]
        try:
            numbers = pc.cast(strings, pa.float64())
        except pa.ArrowInvalid:
            numbers = None
        if numbers is not None and not (any(columns[j].kind == "auto" for j in block) and has_codes(strings)):
            array = np.array(numbers.to_numpy(zero_copy_only=False), dtype=np.float64)
            if numbers.null_count == len(array) - np.isfinite(array).sum():
                for i, j in enumerate(block):
                    found[j] = array[i * n_rows : (i + 1) * n_rows]
                continue
        if len(block) > 1:
            waiting += [block[: len(block) // 2], block[len(block) // 2 :]]
    return found


def is_code(text):
    """Tell whether a text is a whole number that begins with a zero, such as 00001."""
    return _ZEROS.fullmatch(text) is not None


def has_codes(strings):
    """Tell whether some of the texts are whole numbers that begin with a zero, such as 00001."""
    candidates = strings.filter(pc.and_(pc.starts_with(strings, "0"), pc.greater(pc.binary_length(strings), 1)))
    return bool(pc.any(pc.match_substring_regex(candidates, "^0[0-9]+$")).as_py())


def _numbers(rows, j, column, strings, words):
    """The numbers of a column that pyarrow does not take as a whole: it knows no +1, for one."""
    numbers = np.full(len(strings), np.nan)
    for row, text in enumerate(strings.to_pylist()):
        if text is None or text in words:
            continue
        try:
            numbers[row] = parse_number(text.strip(" \t"))
        except ValueError as error:
            rows.fail(
                f"{error}; expected a finite number or the mark of a missing value",
                row,
                place(j, column.name),
                "Missing values are written ? in ARFF and KEEL files; in CSV files ?, nothing, NA or nan",
            )
    return numbers


def _check_exact(rows, j, column, strings, numbers):
    """Refuse whole numbers that float64 would change: two codes could become one."""
    for row in np.flatnonzero(np.abs(numbers) >= 2.0**53):
        text = strings[int(row)].as_py().strip(" \t")
        if _WHOLE.fullmatch(text) and int(text) != int(numbers[row]):
            rows.fail(
                f"float64 cannot hold {_shorten(text)}, the nearest number is {int(numbers[row])}",
                row,
                place(j, column.name),
                f"If these are categories, say --nominal {column.name} on the command line, "
                f"nominal=[{column.name!r}] in the reader's options",
            )


def _categories(rows, j, column, strings):
    encoded = strings.dictionary_encode()
    occurring = encoded.dictionary.to_pylist()
    declared = sorted(occurring) if column.categories is None else column.categories
    places = {category: code for code, category in enumerate(declared)}
    recode = np.array([places.get(value, -2) for value in occurring] + [-1])
    codes = recode[encoded.indices.fill_null(len(occurring)).to_numpy()]
    if (codes == -2).any():
        row = int(np.flatnonzero(codes == -2)[0])
        value = strings[row].as_py()
        shown = ", ".join(map(_shorten, declared[:20])) + (", ..." if len(declared) > 20 else "")
        rows.fail(
            f"value {_shorten(value)} is not among the declared ones: {shown}{nearest(value[:100], declared[:1000])}",
            row,
            place(j, column.name),
            "Correct the value or declare it",
        )
    return pd.Categorical.from_codes(codes, dtype=nominal_dtype(tuple(declared)))


def class_text(value):
    """Write a class label as text, integers without a point, whatever type the file had; None where it is missing."""
    if value is None or value != value:
        return None
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)
