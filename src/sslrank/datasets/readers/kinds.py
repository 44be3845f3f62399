"""Numbers or categories: the kind of an undeclared column of text.

:func:`infer` decides it by the values. Where that is in doubt, a reader refuses the column until somebody decides.
"""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from sslrank.core.errors import DataError
from sslrank.core.frames import NUMBER
from sslrank.core.messages import counted, excerpt

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
#: Between thousands, besides a comma: blanks that break or do not break, apostrophes, underscores.
_GROUPS = " \u00a0\u2007\u2009\u202f'\u2019_"
_GROUPED = re.compile(rf"[+-]?[1-9][0-9]{{0,2}}([{_GROUPS}])[0-9]{{3}}(\1[0-9]{{3}})*([.,][0-9]*)?")
_POINTS = re.compile(r"[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+,[0-9]*")
#: Currencies: signs, and the letters that stand for them.
_SIGNS = "$¢£¤¥֏؋৳฿₡₦₩₪₫€₭₮₱₲₴₵₸₹₺₼₽₾₿%"
_LETTERS = (
    "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|RUB|SEK|TRY|USD|ZAR|"
    "A[$]|C[$]|R[$]|US[$]|Fr[.]|Ft|Kč|kr[.]?|Rs[.]?|zł"
)
_BEFORE_OR_AFTER = rf"[{_SIGNS}]|{_LETTERS}"
#: Numbers as spreadsheets show them: perhaps with a currency or per cent sign, and with marks between thousands.
_AMOUNT = re.compile(
    rf"([+-]?)(?:({_BEFORE_OR_AFTER})[ \u00a0\u202f]?)?([+-]?)"
    rf"([0-9]{{1,3}}([,.{_GROUPS}])[0-9]{{3}}(?:\5[0-9]{{3}})*|[0-9]+)"
    rf"([.,][0-9]*)?(?:[ \u00a0\u202f]?({_BEFORE_OR_AFTER}))?"
)
#: Doubts about numbers with a comma, a sign, other marks between thousands, or the digits of another script.
COMMA = "the values are numbers with a decimal comma"
THOUSANDS = "the values are numbers with a comma, which may separate thousands"
SIGN = "the values are numbers with a currency or per cent sign"
GROUPED = "the values are numbers with a blank or another mark between thousands"
DIGITS = "the values are numbers in the digits of another script"
_READ = "numeric=[{0!r}] to read them without signs and marks between thousands"
#: Doubt -> the option that reads the values as numbers.
DECIDED = {
    COMMA: "decimal=',' if the comma is their decimal mark",
    THOUSANDS: f"decimal=',' if the comma is their decimal mark; {_READ}",
    SIGN: _READ,
    GROUPED: f"{_READ}, and decimal=',' if the comma is their decimal mark",
    DIGITS: _READ,
}


def plain_amount(text, decimal="."):
    """Write a number as Python does: no sign of a currency, no marks between thousands, ASCII digits.

    Parameters
    ----------
    text : str
    decimal : {".", ","}
        Its decimal mark.

    Returns
    -------
    number : str
        The text itself if it is no such number.
    sign : str
        The currency or per cent sign, if there is one.

    Examples
    --------
    >>> plain_amount("CHF 1\u2019200.50"), plain_amount("12,5 %", ","), plain_amount("12,5")
    (('1200.50', 'CHF'), ('12.5', '%'), ('12,5', ''))
    """
    found = _AMOUNT.fullmatch(_western(text))
    if found is None:
        return text, ""
    first, before, second, digits, group, fraction, after = found.groups(default="")
    is_right = group != decimal and fraction[:1] in ("", decimal) and not (first and second)
    if not is_right or (group == "." and not fraction):  # 1.299 is no number with a decimal comma, nor surely 1299
        return text, ""
    return first + second + digits.replace(group or ",", "") + fraction.replace(",", "."), before or after


def _western(text):
    """A text with ASCII digits and signs instead of those of another script."""
    if text.isascii():
        return text
    text = text.translate(_MARKS)
    return "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text)


#: Arabic marks of decimals and thousands, full-width ones, and the minus sign.
_MARKS = str.maketrans("\u066b\u066c\u2212\uff0d\uff0b\uff0e\uff0c", ".,--+.,")


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
    comma, a comma or another mark that may separate thousands, a currency or per cent sign, or the digits of another
    script; else it is nominal. `words` are texts that count as missing if the other values are numbers.
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
    reason = f"{counted(len(texts), 'different text')} in {counted(n_texts, 'row')}, numbers in {n_numbers}"
    doubt = None
    if all(map(_THOUSANDS.fullmatch, texts)):
        doubt = THOUSANDS
    elif all(_GROUPED.fullmatch(value) or _POINTS.fullmatch(value) for value in texts):
        doubt = GROUPED
    elif all(map(_has_sign, texts)):
        doubt = SIGN
    elif all(not value.isascii() and _looks_like_number(plain_amount(value)[0]) for value in texts):
        doubt = DIGITS
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


def _has_sign(text):
    return bool(plain_amount(text)[1] or plain_amount(text, ",")[1])


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
    also = (
        f". The same holds for {counted(len(others), 'more column')}: {', '.join(map(repr, others[:SHOWN]))}"
        if others
        else ""
    )
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
