"""Parse numbers with currencies, units and thousands separators."""

import re
import unicodedata

#: Thousands separators other than a comma: blanks, no-break spaces, apostrophes, underscores.
GROUPS = " \u00a0\u2007\u2009\u202f'\u2019_"
#: Currencies: signs and codes.
_SIGNS = "$¢£¤¥֏؋৳฿₡₦₩₪₫€₭₮₱₲₴₵₸₹₺₼₽₾₿%"
_LETTERS = (
    "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|RUB|SEK|TRY|USD|ZAR|"
    "A[$]|C[$]|R[$]|US[$]|Fr[.]|Ft|Kč|kr[.]?|Rs[.]?|zł"
)
_BEFORE_OR_AFTER = rf"[{_SIGNS}]|{_LETTERS}"
#: Numbers as spreadsheets show them, optionally with a currency or per cent sign and thousands separators.
_AMOUNT = re.compile(
    rf"([+-]?)(?:({_BEFORE_OR_AFTER})[ \u00a0\u202f]?)?([+-]?)"
    rf"([0-9]{{1,3}}([,.{GROUPS}])[0-9]{{3}}(?:\5[0-9]{{3}})*|[0-9]+)"
    rf"([.,][0-9]*)?(?:[ \u00a0\u202f]?({_BEFORE_OR_AFTER}))?"
)
#: A number with points or commas, without sign or unit, from its first digit (long cells take linear time).
_MARKED = re.compile(r"(?<![0-9])[0-9]*[.,][0-9.,]*")
_NUMBER = r"[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?|[.,][0-9]+"
_UNIT = r"(?:[^\W\d_]|[°²³·/^%‰Ω])+[23]?(?: [^\W\d_]{1,6})?"
#: A number with a unit or an uncertainty, or a range of numbers.
_QUANTITY = re.compile(
    rf"([+-]?(?:{_NUMBER}))(?:\s?(?:-|–|to)\s?({_NUMBER})|\s?({_UNIT})|\s?((?:±|\+/-)\s?(?:{_NUMBER})|\((?:{_NUMBER})\)))"
)


def plain_amount(text, decimal=".", units=True):
    """Rewrite a number in Python's notation: without currency or thousands separators, in ASCII digits.

    Parameters
    ----------
    text : str
    decimal : {".", ","}
        Decimal mark of the text.
    units : bool, default=True
        Accept units and ranges, not only currency signs.

    Returns
    -------
    number : str
        Unchanged if it is not such a number.
    sign : str
        Currency, per cent sign or unit, if any; "±" for a number with an uncertainty, which is dropped; "-" for a
        range, which is replaced by its midpoint.

    Examples
    --------
    >>> plain_amount("CHF 1\u2019200.50"), plain_amount("12,5 %", ","), plain_amount("12,5")
    (('1200.50', 'CHF'), ('12.5', '%'), ('12,5', ''))
    >>> plain_amount("5.25 mg/dL"), plain_amount("5.2 ± .3"), plain_amount("20-29")
    (('5.25', 'mg/dL'), ('5.2', '±'), ('24.5', '-'))
    """
    match = _AMOUNT.fullmatch(_western(text))
    if match is None:
        return _with_unit(text, decimal) if units else (text, "")
    first, before, second, digits, group, fraction, after = match.groups(default="")
    is_right = group != decimal and fraction[:1] in ("", decimal) and not (first and second)
    if not is_right or (group == "." and not fraction):  # 1.299 is no number with a decimal comma, nor surely 1299
        return text, ""
    return first + second + digits.replace(group or ",", "") + fraction.replace(",", "."), before or after


def read_amounts(texts, units=True):
    """Rewrite the numbers of a column; the decimal mark is decided by all of them.

    Parameters
    ----------
    texts : list of str
    units : bool, default=True
        As in :func:`plain_amount`.

    Returns
    -------
    amounts : list of (str, str)
        As :func:`plain_amount` returns them; a comma is between thousands if the marks do not decide.
    is_clear : bool
        Whether they decide.

    Examples
    --------
    >>> read_amounts(["1.250,75 €", "7 €"])
    ([('1250.75', '€'), ('7', '€')], True)
    >>> read_amounts(["1,250", "7"])
    ([('1250', ''), ('7', '')], False)
    """
    numbers = [match[0] for text in texts if (match := _MARKED.search(_western(text)))]
    marks = {_decimal(number) for number in numbers}
    is_clear = len(marks - {None}) == 1 if marks - {None} else not any("," in number for number in numbers)
    if marks - {None} != {","}:
        return [plain_amount(text, units=units) for text in texts], is_clear
    has_points = any("." in number for number in numbers)
    is_clear = not has_points or any({*number} >= {",", "."} for number in numbers)  # else 1.234 may be 1234 or not
    plain = (_MARKED.sub(lambda match: match[0].replace(".", "").replace(",", "."), _western(text)) for text in texts)
    return [plain_amount(text, units=units) for text in plain], is_clear


def joint_unit(amounts):
    """Find the unit that all numbers of a column may have: the only one, also where some have none.

    Parameters
    ----------
    amounts : iterable of (str, str)
        As :func:`read_amounts` returns them.

    Returns
    -------
    str or None
        None if there are several units, or a per cent sign and plain numbers: 0.05 and 5 % may be equal.

    Examples
    --------
    >>> joint_unit(read_amounts(["66,1", "68,3 kg"])[0]), joint_unit([("1", "mg"), ("2", "g")])
    ('kg', None)
    """
    units = {unit for _, unit in amounts}
    named = units - {""}
    return (named or {""}).pop() if len(named) < 2 and (named == units or named != {"%"}) else None


def _decimal(number):
    """Return the decimal mark of a number; None if it is not clear."""
    marks = re.findall("[.,]", number)
    if not marks or (len(marks) == 1 and re.fullmatch(r"[1-9][0-9]{0,2}[.,][0-9]{3}", number)):
        return None
    if len(marks) > 1 and len({*marks}) == 1:
        return "." if marks[0] == "," else ","
    return marks[-1]


def _with_unit(text, decimal):
    match = _QUANTITY.fullmatch(_western(text))
    if match is None:
        return text, ""
    first, second, unit, _ = match.groups()
    numbers = [number.replace(decimal, ".") for number in (first, second) if number is not None]
    if second is None:
        return numbers[0], unit or "±"
    low, high = map(float, numbers)
    return (str((low + high) / 2), "-") if low < high else (text, "")


def _western(text):
    """Replace digits and signs of other scripts by ASCII ones."""
    if text.isascii():
        return text
    text = text.translate(_MARKS)
    return "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text)


#: Arabic marks of decimals and thousands, full-width ones, and the minus sign.
_MARKS = str.maketrans("\u066b\u066c\u2212\uff0d\uff0b\uff0e\uff0c", ".,--+.,")
