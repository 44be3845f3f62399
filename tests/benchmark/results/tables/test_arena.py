import numpy as np
import pandas as pd
import pytest
from scipy.stats import wilcoxon

from made_study import made_study
from sslrank.benchmark.results.tables.arena import arena, sets_needed
from sslrank.datasets.arena import arena_part

DATASETS = ["madelon", "sonar", "car", "digits", "colon", "german", "ionosphere", "chess"]
COMPARISON = {"evaluator": "arena", "measure": "area", "spacing": "log"}


@pytest.fixture
def study():
    rng = np.random.default_rng(0)
    rows, status = [], []
    for number, dataset in enumerate(DATASETS):
        for budget in ("20", "50"):
            for ranking, lead in (("forest", 0.0), ("better", 0.02 + 0.01 * number), ("worse", -0.05)):
                for fold in (0, 1):
                    value = 0.5 + lead + 0.001 * rng.normal()
                    key = ("s", dataset, "classification", "consensus", ranking, "ssl", budget, fold, "arena", "area")
                    rows.append((*key, 60, value, 30, int(budget)))
            for fold in (0, 1):
                status.append((dataset, "classification", "consensus", budget, "ssl", fold, "ok", 1.0, "", "{}"))
    datasets = pd.DataFrame({"dataset": DATASETS, "features": [500, 60, 6, 64, 2000, 20, 34, 36]})
    return made_study(rows, status, methods=["consensus"], datasets=datasets, comparison=COMPARISON)


def test_every_ranking_is_compared_with_the_reference(study):
    table = arena(study, reference="forest")
    whole = table[(table[["part", "L", "task", "shape"]] == "all").all(axis=1)].set_index("ranking")
    assert whole.index.tolist() == ["better", "forest", "worse"]
    assert whole["average_rank"].tolist() == [1, 2, 3]
    better = whole.loc["better"]
    assert better["difference"] == pytest.approx(2 + 3.5, abs=0.1)
    assert (better["wins"], better["losses"], better["n_datasets"]) == (8, 0, 8)
    assert better["p_value"] == pytest.approx(wilcoxon(np.arange(8) + 1.0).pvalue)
    assert better["p_holm"] == pytest.approx(2 * better["p_value"])
    assert np.isnan(whole.loc["forest", "difference"])


def test_parts_budgets_and_shapes_have_rows_of_their_own(study):
    table = arena(study, reference="forest").drop_duplicates(["part", "L", "task", "shape"])
    sizes = table.set_index(["part", "L", "task", "shape"])["n_datasets"]
    held_out = sum(arena_part(name) == "held out" for name in DATASETS)
    assert sizes["held out", "all", "all", "all"] == sizes["held out", "20", "all", "all"] == held_out
    assert sizes["choose", "50", "all", "all"] == len(DATASETS) - held_out
    assert sizes["all", "all", "all", "wide"] == 2
    assert sizes["all", "all", "classification", "all"] == 8


def test_how_many_datasets_a_test_would_take():
    # Cohen's d of 0.5: some 32 pairs for a power of 80 %.
    gains = np.random.default_rng(0).normal(size=1000)
    gains = (gains - gains.mean()) / gains.std(ddof=1) + 0.5
    assert sets_needed(gains) == 32
    assert np.isnan(sets_needed(np.zeros(5)))
