"""Durations as people read and write them."""

import pytest

from sslrank.core.durations import duration, parse_duration
from sslrank.core.errors import DataError


def test_durations_are_formatted():
    said = [duration(seconds) for seconds in (0.04, 9.96, 89, 91, 5401, 9000)]
    assert said == ["0.0 s", "10 s", "89 s", "2 min", "1.5 h", "2.5 h"]


def test_durations_are_parsed():
    assert [parse_duration(text) for text in ("90s", "5min", "2 h", 30)] == [90, 300, 7200, 30]
    for text in ("soon", "0", "-3s"):
        with pytest.raises(DataError, match="not a duration"):
            parse_duration(text)
