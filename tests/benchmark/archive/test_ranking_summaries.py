"""Summaries of rankings in the archive; tests/benchmark/steps/test_stability.py has the rest."""

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.ranking_summaries import digests, summarize_rankings
from sslrank.benchmark.archive.record import PARTS
from sslrank.benchmark.rankings import FILE_SCHEMA


def test_rankings_have_one_digest_per_fold():
    rows = [
        ("50", "ssl", fold, "r", f"x{j}", value) for fold in (3, 5) for j, value in enumerate([3.0, 1.0, 2.0 + fold])
    ]
    found = summarize_rankings(pd.DataFrame(rows, columns=FILE_SCHEMA.names))
    assert {part: list(table.columns) for part, table in found.items()} == {part: PARTS[part] for part in found}
    assert found["ranking"]["fold"].tolist() == [3, 5]
    assert found["ranking"].loc[1, ["bits", "order"]].to_dict() == digests([3.0, 1.0, 7.0])
    assert len(set(found["ranking"]["bits"])) == 2
    assert len(set(found["ranking"]["order"])) == 1


def test_no_rankings_give_empty_tables():
    found = summarize_rankings(pd.DataFrame(columns=FILE_SCHEMA.names))
    assert {part: list(table.columns) for part, table in found.items()} == {part: PARTS[part] for part in found}
    assert not any(map(len, found.values()))


def test_digests_differ_for_bits_and_order():
    first, same, scaled, tied = digests([3, 1, 2]), digests([3.0, 1.0, 2.0]), digests([6, 2, 4]), digests([3, 2, 2])
    assert first == same
    assert first["bits"] != scaled["bits"]
    assert first["order"] == scaled["order"]
    assert first["order"] != tied["order"]
    assert digests(np.array([0.0, 1.0])) == digests([-0.0, 1.0])
