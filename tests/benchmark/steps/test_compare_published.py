"""Comparison with a publication: a contest for each variant of a table, and which column names the methods."""

import pandas as pd
import pytest

from sslrank.benchmark.steps.compare_published import _contest


@pytest.mark.parametrize("column", ["ranking", "method"])
def test_table_variants_are_ranked_separately(tmp_path, column):
    names = ["a", "b", "c"]
    rows = [
        (variant, dataset, method, float(rank), float(rank if variant == "same" else -rank))
        for variant in ("same", "reversed")
        for dataset in ("d1", "d2", "d3")
        for rank, method in enumerate(names)
    ]
    compared = pd.DataFrame(rows, columns=["variant", "dataset", column, "published", "reproduced"])
    _contest(compared.assign(ranking=compared.get("ranking")), ["d1", "d2", "d3"], tmp_path / "t")
    ranks = pd.read_csv(tmp_path / "t.ranks.csv").set_index(["variant", "scores", column]).sort_index()["average_rank"]
    assert ranks["same", "reproduced"].to_dict() == {"a": 3, "b": 2, "c": 1}
    assert ranks["reversed", "reproduced"].to_dict() == {"a": 1, "b": 2, "c": 3}
    assert ranks["reversed", "published"].to_dict() == {"a": 3, "b": 2, "c": 1}
