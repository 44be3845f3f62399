"""Stability, best features and digests of rankings."""

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.archive.ranking_summaries import digests, summarize_rankings
from sslrank.benchmark.archive.record import PARTS
from sslrank.benchmark.rankings import FILE_SCHEMA, SCHEMA
from sslrank.benchmark.steps.collect import RANKING_KEYS, STABILITY_COLUMNS, write_stability
from sslrank.stats.stability import rank_agreement, selection_stability

ODD = ["<b>", 'a "quoted" name', "λ" * 300, "x y"]


def kept(folder, importances, names=None, mode="ssl"):
    """Stability and features of rankings of shape (folds, features)."""
    n_features = np.shape(importances)[1]
    names = names or [f"x{j}" for j in range(n_features)]
    rows = [
        (mode, fold, ranking, name, float(value) * (-1 if ranking == "worst" else 1))
        for ranking in ("best", "worst")
        for fold, row in enumerate(importances)
        for name, value in zip(names, row, strict=True)
    ]
    summaries = summarize_rankings(pd.DataFrame(rows, columns=SCHEMA.names).assign(L="50"))
    pair = {"dataset": "d", "task": "regression", "method": "m"}
    write_stability([(pair, summaries)], folder / "s.csv", folder / "f.parquet")
    return pd.read_csv(folder / "s.csv"), pd.read_parquet(folder / "f.parquet")


def test_stability_is_computed_for_every_ranking(tmp_path):
    importances = np.random.default_rng(0).normal(size=(5, 50)) + np.linspace(2, 0, 50)
    stability, features = kept(tmp_path, importances)
    assert list(stability) == STABILITY_COLUMNS
    best = stability[stability["ranking"] == "best"].set_index("top")
    assert best["k"].to_dict() == {"10": 10, "30": 30, "10pct": 5, "all": 50}
    assert (best["n_folds"] == 5).all()
    order = np.argsort(-importances, axis=1)
    for top in ("10", "30", "10pct"):
        selected = np.zeros((5, 50))
        np.put_along_axis(selected, order[:, : best.loc[top, "k"]], 1, axis=1)
        expected = selection_stability(selected)
        assert best.loc[top, "stability"] == pytest.approx(expected.value, abs=1e-4)
        assert best.loc[top, "lower"] == pytest.approx(expected.lower, abs=1e-4)
        assert best.loc[top, "mean_size"] == best.loc[top, "k"]
    assert best.loc["all", "stability"] == pytest.approx(rank_agreement(importances), abs=1e-4)
    assert np.isnan(best.loc["all", "lower"])

    assert features[RANKING_KEYS].drop_duplicates()["ranking"].tolist() == ["best", "worst"]
    lead = features[features["ranking"] == "best"]
    ranks = pd.DataFrame(-importances).rank(axis=1)
    assert lead["place"].tolist() == list(range(1, 31))
    assert lead["feature"].tolist() == [f"x{j}" for j in np.lexsort((-importances.mean(axis=0), ranks.mean()))[:30]]
    number = int(lead["feature"].iloc[3][1:])
    row = lead.iloc[3]
    assert row["mean_rank"] == pytest.approx(ranks[number].mean())
    assert row["rank_deviation"] == pytest.approx(ranks[number].std())
    assert row["mean_importance"] == pytest.approx(importances[:, number].mean())
    assert row["importance_deviation"] == pytest.approx(importances[:, number].std(ddof=1))
    assert row["selected"] == pytest.approx((ranks[number] <= 30).mean())


def test_few_features_and_special_names(tmp_path):
    stability, features = kept(tmp_path, [[4, 3, 2, 1], [3, 4, 2, 1]], ODD)
    assert stability["top"].tolist() == ["10pct", "all"] * 2
    assert features.loc[features["ranking"] == "worst", "feature"].tolist() == [ODD[3], ODD[2], *ODD[:2]]


def test_one_fold_and_ties_have_no_stability(tmp_path):
    stability, features = kept(tmp_path, np.arange(12)[None])
    assert stability["stability"].isna().all()
    assert features["rank_deviation"].isna().all()
    stability, features = kept(tmp_path, np.ones((3, 12)))
    assert stability["stability"].isna().all()
    assert stability.loc[stability["top"] == "10", "mean_size"].tolist() == [0, 0]
    assert (features["mean_rank"] == 6.5).all()


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
