import math

import numpy as np
import pytest

from sslrank.core.validation import check_choice, check_count, check_number, resolve_size


def refused(message, check, *args, **options):
    with pytest.raises(ValueError) as raised:  # noqa: PT011, the text is compared as a whole
        check("p", *args, **options)
    assert str(raised.value) == message


def test_check_count_validates_integers():
    for value in (1, np.int64(7)):
        check_count("p", value)
    check_count("p", None, words=(None,))
    refused("p must be an int >= 1, got 0", check_count, 0)
    refused("p must be an int >= 2, got True", check_count, True, least=2)
    refused("p must be 'cv', None or an int >= 1, got 2.0", check_count, 2.0, words=("cv", None))
    refused("p must be an int >= 1, got None", check_count, None)


def test_check_number_validates_ranges():
    for value in (0, 0.5, np.float32(1)):
        check_number("p", value, 0, 1)
    check_number("p", "cv", 0, 1, words=("cv",))
    refused("p must be a number in [0, 1], got 2", check_number, 2, 0, 1)
    refused("p must be 'cv' or a number in (0, 1], got 0", check_number, 0, 0, 1, above=True, words=("cv",))
    refused("p must be a number > 0, got inf", check_number, math.inf, above=True)
    refused("p must be a number >= 0, got nan", check_number, math.nan)
    refused("p must be a number >= 0, got False", check_number, False)


def test_check_choice_validates_options():
    check_choice("p", None, (None, "range"))
    check_choice("p", np.True_, ("auto", True, False))
    refused("p must be one of 'a', 'b', got array([1, 2])", check_choice, np.array([1, 2]), ("a", "b"))
    refused("p must be one of 'a', True, got 1", check_choice, 1, ("a", True))


def test_resolve_size_accepts_counts_shares_and_words():
    words = {"sqrt": math.isqrt, None: lambda n: n // 2}
    sizes = [resolve_size("p", value, 10, words) for value in ("sqrt", None, 3, 99, 0.25, 1.0, 1e-9)]
    assert sizes == [3, 5, 3, 10, 3, 10, 1]
    assert resolve_size("p", 0.25, 10, rounding=int) == 2
    assert resolve_size("p", None, 1, words) == 1
    for value in (0, 1.5, True, "log2", -0.1):
        refused(
            f"p must be 'sqrt', None, an int >= 1 or a float in (0, 1], got {value!r}", resolve_size, value, 10, words
        )
