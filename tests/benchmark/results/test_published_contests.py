"""Contests: orders, ranks and tests of published and reproduced scores, with known answers."""

import numpy as np
import pandas as pd
import pytest

from repository import ROOT
from sslrank.benchmark.results.published import PUBLISHED, REPRODUCED, SAME_DATASETS, orders, ranks_and_tests
from sslrank.benchmark.steps.compare_published import CompareJob, compare_published_job


@pytest.fixture
def compared():
    """Three datasets and three methods, one dataset not reproduced, and a row that is no dataset."""
    rows = [
        ("d1", "a", 0.9, 0.8), ("d1", "b", 0.7, 0.7), ("d1", "c", 0.5, 0.6),
        ("d2", "a", 0.8, 0.5), ("d2", "b", 0.6, 0.6), ("d2", "c", 0.4, 0.7),
        ("lost", "a", 0.1, None), ("lost", "b", 0.2, None), ("lost", "c", 0.3, None),
        ("Average", "a", 1.5, None), ("Average", "b", 2.0, None), ("Average", "c", 2.5, None),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "ranking", "published", "reproduced"])
    return table.assign(source="t", quantity="score", difference=table.eval("reproduced - published"), spread=np.nan)


def test_orders_compare_published_and_reproduced(compared):
    found = orders(compared, "ranking", ["d1", "d2", "lost"]).set_index("dataset")
    assert found["spearman"].to_dict() == pytest.approx({"d1": 1.0, "d2": -1.0})
    assert found["kendall"].to_dict() == pytest.approx({"d1": 1.0, "d2": -1.0})
    assert found["same_best"].to_dict() == {"d1": True, "d2": False}
    assert found.loc["d2", ["published_best", "reproduced_best"]].tolist() == ["a", "c"]
    two = orders(compared[compared["ranking"] != "b"], "ranking", ["d1", "d2"])
    assert two["spearman"].tolist() == pytest.approx([1.0, -1.0])


def test_tied_scores_share_the_win(compared):
    compared.loc[compared["dataset"] == "d1", "reproduced"] = 0.5
    found = orders(compared, "ranking", ["d1"])
    assert found["reproduced_best"].tolist() == ["a, b, c"]
    assert found["same_best"].tolist() == [True]
    assert found["spearman"].isna().all()


def test_ranks_and_tests_by_hand(compared):
    ranks, tests, pairs = ranks_and_tests(compared, "ranking", ["d1", "d2", "lost"])
    of = ranks.set_index(["scores", "ranking"])["average_rank"]
    assert of[PUBLISHED].to_dict() == pytest.approx({"a": 5 / 3, "b": 2, "c": 7 / 3})
    assert of[SAME_DATASETS].to_dict() == {"a": 1, "b": 2, "c": 3}
    assert of[REPRODUCED].to_dict() == {"a": 2, "b": 2, "c": 2}
    assert tests["n_datasets"].tolist() == [3, 2, 2]
    assert tests.set_index("scores")["p_value"].to_dict()[REPRODUCED] == 1
    assert set(pairs["first"]) == {"a"}  # the publication's best
    assert pairs.set_index(["scores", "second"]).loc[(PUBLISHED, "b"), ["wins", "losses"]].tolist() == [2, 1]


def test_without_reproduction_only_published_ranks_remain(compared):
    compared["reproduced"] = np.nan
    ranks, tests, _ = ranks_and_tests(compared, "ranking", ["d1", "d2", "lost"])
    assert set(ranks["scores"]) == set(tests["scores"]) == {PUBLISHED}
    assert len(orders(compared, "ranking", ["d1", "d2"])) == 0


def test_published_scores_support_the_claim(tmp_path):
    """Paper ssfi: SSFI is better than all three with p < 0.02, by Wilcoxon's test; colon alone is reproduced."""
    published = ROOT / "workflow/published/ssfi"
    file = published / "table2_accuracy_top10.csv"
    (tmp_path / "scores.csv").write_text("dataset,method,ranking,accuracy\ncolon,ssfi,ssfi,0.5\n")
    tables = {"scores": {"function": "method_scores", "title": "Scores", "published": [file]}}
    datasets = {name: name.lower() for name in pd.read_csv(file)["dataset"]}
    out = tmp_path / "out"
    files = {"made": tmp_path, "spelling": published / "names.yaml", "compared": out, "figures": out}
    compare_published_job(CompareJob(**files, blocks=tables, datasets=datasets))
    pairs = pd.read_csv(out / "scores.pairs.csv")
    pairs = pairs[pairs["scores"] == PUBLISHED].set_index("second")
    assert set(pairs["first"]) == {"ssfi"}
    assert pairs["n_datasets"].unique() == [10]
    assert (pairs["p_value"] < 0.02).all()
    assert pairs.loc["permutation_importance", "losses"] == 1  # Warpar10P
