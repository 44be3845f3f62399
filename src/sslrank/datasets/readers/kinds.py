"""Numbers or categories: the kind of an undeclared column of text.

:func:`infer` decides it by the values. Where that is in doubt, a reader refuses the column until somebody decides.
"""

import re
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from sslrank.core.errors import DataError
from sslrank.core.frames import NUMBER
from sslrank.core.messages import excerpt

#: Cells that mean a missing value in CSV, quoted or not.
BLANKS = ("", "?")
#: Words that mean it where they are not quoted, or where the other values of the column are numbers.
NA_WORDS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
#: Values that a message shows at most.
SHOWN = 5
WHOLE = re.compile(r"[+-]?[0-9]+")
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
    """Columns may be numeric or nominal, and the user has to decide; `text` is the first value that is not a number."""

    def __init__(self, problem, *, names, text, **others):
        super().__init__(problem, **others)
        self.problem, self.names, self.text = problem, names, text


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
    several different numbers and a single text occur (a mark of missing values?), and if the others have a decimal
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
        if code and all(value in words or WHOLE.fullmatch(value) for value in values):
            return Kind("nominal", f"whole numbers that begin with a zero, such as {excerpt(code)}")
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
        doubt = f"{int(is_number.sum())} different numbers and a single text"
    elif all(_looks_like_number(value) or _DECIMAL_COMMA.fullmatch(value) for value in values):
        doubt = COMMA
    if doubt is None:
        return Kind("nominal", reason)
    places = np.append(is_text, False)[encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)]
    rows = tuple(np.flatnonzero(places)[:SHOWN].tolist())
    return Kind("nominal", reason, doubt, n_texts, rows, tuple(strings[row].as_py() for row in rows))


def _looks_like_number(text):
    """Infinite ones too, so that the message names them."""
    return (NUMBER.fullmatch(text.strip(" \t")) or _INFINITE.fullmatch(text)) is not None


def refuse_doubts(rows, columns, kinds):
    """Raise a :class:`KindDoubt` if the kind of a column is in doubt."""
    doubtful = [j for j, column in enumerate(columns) if column.name in kinds and kinds[column.name].doubt]
    if not doubtful:
        return
    name = columns[doubtful[0]].name
    kind = kinds[name]
    listed = ", ".join(
        f"{excerpt(text)} in line {rows.numbers[row]}" for text, row in zip(kind.examples, kind.rows, strict=True)
    )
    more = f" and {kind.count - len(kind.rows)} more" if kind.count > len(kind.rows) else ""
    others = [columns[j].name for j in doubtful[1:]]
    also = f". The same holds for {len(others)} more columns: {', '.join(map(repr, others[:SHOWN]))}" if others else ""
    also += ", ..." if len(others) > SHOWN else ""
    if kind.doubt in DECIDED:
        joint, otherwise = ", such as", DECIDED[kind.doubt].format(name)
    else:
        joint = ", but these are not:"
        otherwise = f"missing=[...] with every text that means a missing value, such as {excerpt(kind.examples[0])}"
    raise KindDoubt(
        f"numbers or categories? {kind.doubt}{joint} {listed}{more}{also}",
        names=[columns[j].name for j in doubtful],
        text=kind.examples[0],
        file=rows.path,
        column=f"{doubtful[0] + 1} ({name!r})",
        advice=f"Correct them, or set the reader's options: nominal=[{name!r}] if these are categories; {otherwise}",
    )


def is_code(text):
    """True if a text is a whole number that begins with a zero, such as 00001."""
    return _ZEROS.fullmatch(text) is not None


def has_codes(strings):
    """True if some of the texts are whole numbers that begin with a zero, such as 00001."""
    candidates = strings.filter(pc.and_(pc.starts_with(strings, "0"), pc.greater(pc.binary_length(strings), 1)))
    return bool(pc.any(pc.match_substring_regex(candidates, "^0[0-9]+$")).as_py())
