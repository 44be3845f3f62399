"""Which datasets a comparison is about."""

from types import SimpleNamespace

import pandas as pd
import pytest

from sslrank.benchmark.submit.compare import _datasets
from sslrank.core.errors import DataError

PLAN = SimpleNamespace(
    studies={"s": SimpleNamespace(datasets=[f"d{i}" for i in range(9)])},
    sources=lambda study: SimpleNamespace(heads={(f"d{i}", "relief"): None for i in range(8)}),
)


def test_comparison_uses_datasets_of_the_file():
    table = pd.DataFrame({"dataset": ["d3", "d1", "d3"]})
    assert _datasets(table, PLAN, "s", "mine.csv") == ["d1", "d3"]


def test_file_without_archived_datasets_is_refused():
    with pytest.raises(DataError, match=r"is about no dataset that results/archive has\. It has d0, d1"):
        _datasets(pd.DataFrame({"dataset": ["d8"]}), PLAN, "s", "mine.csv")
    with pytest.raises(DataError, match="the study s has no dataset 'e1'"):
        _datasets(pd.DataFrame({"dataset": ["e1"]}), PLAN, "s", "mine.csv")
