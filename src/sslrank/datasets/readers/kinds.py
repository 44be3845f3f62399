"""Decide whether an undeclared column of text is numeric or nominal.

:func:`infer` decides by the values. A reader refuses an ambiguous column until the user decides.
"""

import re
import shlex
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sslrank.core.amounts import joint_unit, plain_amount, read_amounts
from sslrank.core.errors import DataError
from sslrank.core.frames import NUMBER, is_number
from sslrank.core.messages import counted, excerpt, listed
from sslrank.core.missing_words import MAY_MEAN_MISSING, NA_WORDS, TOTALS

#: Maximum number of values that a message shows.
MAX_EXAMPLES = 5
WHOLE = re.compile(r"[+-]?[0-9]+")
_INFINITE = re.compile(r"[+-]?(inf|infinity)", re.IGNORECASE)
#: Codes: numbers that begin with a zero, such as 007 and 007.1.
_ZEROS = re.compile(r"0[0-9]+|00[0-9]+\.[0-9]+")
_OF_CODES = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_LIMIT = re.compile(r"[<>≤≥]=? ?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
#: Doubts about numbers as people write them, and about limits of detection.
AMOUNTS = "the values are numbers with decimal commas, thousands separators, currency signs or other digits"
LIMITS = "the values are numbers, and limits of detection"
UNITS = "some of the numbers have a unit"
#: Doubt -> what to do, and the option that reads the values as numbers.
_ADVICE = {
    AMOUNTS: ("Write plain numbers", "--numeric {name} to read 1,000 as 1000; --reader decimal=, to read it as 1.000"),
    UNITS: ("Write plain numbers", "--numeric {name} if all numbers are in this unit"),
    LIMITS: ("Write numbers", "--reader below=limit to read <2 as 2, --reader below=half to read it as 1"),
}
_MARK = ("Correct them", "--reader missing={text} if that means a missing value")


class KindDoubt(DataError):
    """Raised if the user has to decide whether a column is numeric or nominal.

    `name` is the first such column, and `columns` are the names of all columns.
    """

    def __init__(self, problem, *, name, columns, **others):
        super().__init__(problem, **others)
        self.name, self.columns = name, columns


@dataclass(frozen=True)
class Kind:
    """Kind of a column of text, "numeric" or "nominal".

    `doubt` says why it may be the other kind; `texts` are the rows and values that are not numbers. `read` has what
    they are read as, None for a missing value, if that is clear.
    """

    kind: str
    doubt: str | None = None
    texts: tuple = ()
    read: dict = field(default_factory=dict)

    @property
    def sign(self):
        """Currency or per cent sign of the numbers, empty if there is none."""
        amounts = [text for text, number in self.read.items() if number is not None]
        return max((sign for _, sign in read_amounts(amounts, units=False)[0]), default="")


def infer(strings, words=NA_WORDS):
    """Decide if a column of text is numeric or nominal.

    It is numeric if every value is a number in decimal notation, nominal if none is, or if the values are whole numbers
    of which some begin with a zero (codes such as 00001). It is in doubt if at least half of the values are numbers, if
    several different numbers and a single text occur (a mark of missing values?), and if the others have a decimal
    comma, thousands separators, a currency or per cent sign, or the digits of another script; else it is nominal.
    There is no doubt if one decimal mark and one sign fit all values, and if the others mean missing, such as "k.A.".
    `words` are texts that count as missing if the other values are numbers.
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
        has_zero = any(map(_ZEROS.fullmatch, values))
        are_codes = has_zero and all(value in words or _OF_CODES.fullmatch(value) for value in values)
        return Kind("nominal" if are_codes else "numeric")
    marks = [text for text in texts if text not in NA_WORDS and MAY_MEAN_MISSING.fullmatch(text)]
    amounts = [text for text in texts if text not in marks]
    if amounts and all(map(_is_amount, amounts)):
        doubt = AMOUNTS
    elif n_numbers and all(map(_LIMIT.fullmatch, texts)):
        doubt = LIMITS
    elif n_numbers >= n_texts and _have_one_unit(amounts):
        doubt = UNITS
    elif n_numbers >= n_texts:
        doubt = "most of the values are numbers"
    elif len(texts) == 1 and is_number.sum() > MAX_EXAMPLES:
        doubt = f"{int(is_number.sum())} different numbers and a single text"
    else:
        return Kind("nominal")
    numbers = [value for value, plain in zip(values, is_number, strict=True) if plain]
    if (not amounts or doubt == AMOUNTS) and (read := _clear_reading(amounts, numbers)) is not None:
        return Kind("numeric", read=read | dict.fromkeys(marks))
    is_text_row = np.append(is_text, False)[encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)]
    return Kind("nominal", doubt, tuple((row, strings[row].as_py()) for row in np.flatnonzero(is_text_row).tolist()))


def _clear_reading(amounts, numbers):
    """Return the plain numbers of texts in a column that also has numbers; None if that is in doubt."""
    read, is_clear = read_amounts([*amounts, *numbers], units=False)
    is_clear &= len({sign for _, sign in read}) == 1 and all(is_number(number) for number, _ in read)
    is_clear &= not any(map(_ZEROS.fullmatch, numbers))
    return {text: number for text, (number, _) in zip(amounts, read, strict=False)} if is_clear else None


def _have_one_unit(texts):
    amounts = read_amounts(texts)[0]
    return all(is_number(number) for number, _ in amounts) and bool(joint_unit([("0", ""), *amounts]))


def _is_amount(text):
    """Check if a text is a number with a decimal comma, thousands separators, a sign, or other digits."""
    numbers = (plain_amount(text, decimal, units=False)[0] for decimal in ".,")
    return any(NUMBER.fullmatch(number) and not _ZEROS.match(number) for number in numbers)


def read_limits(strings, share):
    """Replace <2 by the given fraction of 2, and >9 by 9, in a column whose other values are numbers."""
    encoded = strings.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    limits = {value: match[1] for value in values if (match := _LIMIT.fullmatch(value))}
    if not limits or not all(value in limits or value in NA_WORDS or _looks_like_number(value) for value in values):
        return strings
    numbers = [
        repr(float(limits[value]) * (share if value[0] in "<≤" else 1)) if value in limits else value
        for value in values
    ]
    return pa.array(numbers, pa.string()).take(encoded.indices)


def _looks_like_number(text):
    """Check if a text is a number; infinite ones count, so that the message names them."""
    return (NUMBER.fullmatch(text.strip(" \t")) or _INFINITE.fullmatch(text)) is not None


def refuse_doubts(columns, kinds, lines, start=0):
    """Raise a :class:`KindDoubt` if the kind of a column is in doubt; `lines` and `start` as for ``convert``."""
    doubtful = [j for j, column in enumerate(columns) if column.name in kinds and kinds[column.name].doubt]
    if not doubtful:
        return
    name = columns[doubtful[0]].name
    doubt, texts = kinds[name].doubt, kinds[name].texts
    examples = ", ".join(f"{excerpt(text)} in line {lines[row]}" for row, text in texts[:MAX_EXAMPLES])
    more = f" and {len(texts) - MAX_EXAMPLES} more" if len(texts) > MAX_EXAMPLES else ""
    others = [repr(columns[j].name) for j in doubtful[1:]]
    also = f". The same holds for {counted(len(others), 'more column')}: {listed(others)}" if others else ""
    quoted = shlex.quote(name)
    first, last = _ADVICE.get(doubt, _MARK)
    if all(TOTALS.fullmatch(text) for _, text in texts):
        last = f"--reader skip_lines={','.join(str(lines[row]) for row, _ in texts)} if that is a row of totals"
    last = last.format(name=quoted, text=shlex.quote(texts[0][1]))
    joint = ", such as" if doubt in _ADVICE else ", but these are not:"
    raise KindDoubt(
        f"numbers or categories? {doubt}{joint} {examples}{more}{also}",
        name=name,
        columns=[column.name for column in columns],
        column=f"{start + doubtful[0] + 1} ({name!r})",
        advice=f"{first}, or add --nominal {quoted} if these are categories, or {last}; in a study these are keys of "
        "'reader'",
    )


def has_codes(strings):
    """Check if some of the texts are numbers that begin with a zero, such as 00001 or 007.1."""
    candidates = strings.filter(pc.and_(pc.starts_with(strings, "0"), pc.greater(pc.binary_length(strings), 1)))
    return bool(pc.any(pc.match_substring_regex(candidates, f"^({_ZEROS.pattern})$")).as_py())
