"""Comparison with a publication: which column names the entries."""

import numpy as np
import pandas as pd

from sslrank.benchmark.steps.compare_published import _contest, _present


def test_publications_name_methods_or_rankings():
    by_method = pd.DataFrame({"ranking": [np.nan], "method": ["a"]})
    assert _present(by_method, "ranking") == "method"
    assert _present(by_method, "method") == "method"
    assert _present(by_method.assign(ranking="r"), "ranking") == "ranking"
    assert _present(by_method[["ranking"]], "ranking") == "ranking"
    assert _present(by_method.assign(dataset="d"), "dataset") == "dataset"


def test_every_variant_of_a_table_has_a_contest_of_its_own(tmp_path):
    names = ["a", "b", "c"]
    rows = [
        (variant, dataset, method, float(rank), float(rank if variant == "same" else -rank))
        for variant in ("same", "reversed")
        for dataset in ("d1", "d2", "d3")
        for rank, method in enumerate(names)
    ]
    compared = pd.DataFrame(rows, columns=["variant", "dataset", "ranking", "published", "reproduced"])
    _contest(compared, "ranking", ["d1", "d2", "d3"], True, tmp_path / "t")
    ranks = (
        pd.read_csv(tmp_path / "t.ranks.csv").set_index(["variant", "scores", "ranking"]).sort_index()["average_rank"]
    )
    assert ranks["same", "reproduced"].to_dict() == {"a": 3, "b": 2, "c": 1}
    assert ranks["reversed", "reproduced"].to_dict() == {"a": 1, "b": 2, "c": 3}
    assert ranks["reversed", "published"].to_dict() == {"a": 3, "b": 2, "c": 1}
