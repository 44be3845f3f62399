"""Experiments on small made-up tables, and how the tables of their parts are joined."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, spearmanr

from sslrank import get_ranker
from sslrank.benchmark.experiments import inverse_rankings, load_experiment, predictors, useless_columns
from sslrank.datasets.dataset import Dataset


def run_part(monkeypatch, module, X, y, **options):
    """Run an experiment on made-up data in place of a dataset."""
    task, y = ("regression", y) if y.dtype == float else ("classification", y.astype(object))
    dataset = Dataset("made", task, pd.DataFrame(X).add_prefix("x"), y, ["y"])
    monkeypatch.setattr("sslrank.benchmark.experiments.data.load_dataset", lambda name, catalogue: dataset)
    (part,) = module.parts(["made"], **options).values()
    return module.experiment(**part, seed=3)


prototype_growth = load_experiment("prototype_growth")
DATASETS = ("mortgage", "birds", "genbase", "digits", "emotions", "edm")
PAIRS = [("forest", "ssl"), ("forest", "sl"), ("relief", "ssl"), ("relief", "sl"), ("random", "ssl"), ("oracle", "sl")]


def test_predictor_with_largest_distance_is_chosen():
    rng = np.random.default_rng(0)
    level = {("random", "ssl"): 0.0, ("oracle", "sl"): 1.0, ("forest", "ssl"): 0.6, ("relief", "ssl"): 0.4}
    rows = [
        (*pair, budget, name, level.get(pair, 0.5) + noise * rng.normal(), "classification", dataset)
        for (name, noise), dataset, pair, budget in itertools.product(
            (("sharp", 0.01), ("blunt", 2.0)), DATASETS, PAIRS, ("50", "200")
        )
    ]
    columns = ["ranking", "mode", "L", "predictor", "value", "task", "dataset"]
    summary = predictors.join({"scores": pd.DataFrame(rows, columns=columns)})["summary"]
    assert set(summary[summary.chosen].predictor) == {"sharp"}
    sharp = summary.set_index(["half", "predictor"]).loc[("all", "sharp")]
    assert sharp.n_datasets == len(DATASETS)
    assert sharp.better + sharp.worse == sharp.n_datasets
    assert [sharp.room, sharp.gain, sharp.forest_gain] == pytest.approx([1.0, 0.0, 0.1], abs=0.02)


def test_each_predictor_scores_the_oracle_above_random_rankings(monkeypatch):
    quick = {"ranker": "relief", "params": {"n_neighbors": 5, "w0": 0.5, "w1": 0.5}}
    monkeypatch.setattr(predictors, "SPECS", predictors.SPECS | {"forest": quick, "relief": quick})
    for options in (predictors.SPECS["oracle"]["params"], predictors.ARENA):
        monkeypatch.setitem(options, "n_estimators", 3)
    X = np.random.default_rng(0).normal(size=(90, 20))
    scores = run_part(monkeypatch, predictors, X, 3 * X[:, 0], L=[50], folds=3, used_folds=1)["scores"]
    scores = scores.pivot(index="predictor", columns=["ranking", "mode"], values="value")
    assert {*scores} == {*PAIRS}
    assert (scores["oracle", "sl"] > scores["random", "ssl"]).all()
    assert {"20 neighbours, weighted", "40 neighbours, weighted"} < {*scores.index}


def test_related_column_is_before_useless_ones(monkeypatch):
    rankers = {"F": ("f_score", {}), "trees": ("genie3", {"n_estimators": 5})}
    monkeypatch.setattr(useless_columns, "RANKERS", {"labelled rows": rankers})
    x = np.random.default_rng(0).normal(size=90)
    shares = run_part(monkeypatch, useless_columns, x[:, None], x, labels=[30, 60], repetitions=1)["shares"]
    assert len(shares) == 3 * 2 * 2  # kinds, numbers of labels, rankers
    assert (shares.loc[shares["kind"] != "second-order", "share"] == 0).all()
    products = useless_columns.useless_columns(x[:, None], np.random.default_rng(0))["second-order"]
    np.testing.assert_array_equal(products[:, 0], x**2)


def test_useless_column_shares_are_averaged_over_datasets():
    shares = pd.DataFrame(
        [("t", d, "random", "labelled rows", "F", 50, share) for d, share in [("a", 0.2), ("a", 0.4), ("b", 0.5)]],
        columns=["task", "dataset", "kind", "looks_at", "ranking", "labels", "share"],
    )
    summary = useless_columns.join({"shares": shares})["summary"]
    assert summary.share.tolist() == pytest.approx([0.4])
    assert summary.n_datasets.tolist() == [2]


def run_all(name, **options):
    """Run the parts of an experiment and join their tables."""
    experiment, found = load_experiment(name), {}
    for part in experiment.parts(**options).values():
        for table, rows in experiment.experiment(**part, seed=1).items():
            found.setdefault(table, []).append(rows)
    return experiment.join({table: pd.concat(rows) for table, rows in found.items()})


def test_laplacian_score_is_never_first_as_it_uses_no_constraints():
    found = run_all("constraint_sets", datasets=["iris"], n_sets=2, labeled=[6], pairs=[10], max_rows=40)
    first = found["summary"].pivot(index="ranker", columns="kind", values="first")
    assert first.loc["laplacian_score"].isna().all()
    assert (first.sum() >= 1).all()
    X, y = np.random.default_rng(0).normal(size=(90, 8)), np.arange(90) % 2
    X[:, 0] += 5 * y  # in the first quarter of one order, and in the last of the other
    accuracy = [load_experiment("constraint_sets")._accuracy(X, y, sign * np.arange(8)) for sign in (-1, 1)]
    assert accuracy[0] > 0.9 > 0.7 > accuracy[1]


def test_variance_of_importances_is_multiplied_by_the_number_of_trees():
    found = run_all("tree_examples", n_forests=2, n_trees=[1, 2], n_features=[4], n_estimators=5)
    variance = found["variance"].pivot(index="score", columns="trees")
    expected = 2 * variance["variance"][2] / variance["variance"][1]
    assert variance["times_trees"][2].tolist() == pytest.approx(expected.tolist())
    assert len(found["order"]) == 4 * 4  # ensembles, features


def test_tied_neighbours_are_counted(monkeypatch):
    neighbor_ties, rows = load_experiment("neighbor_ties"), np.arange(60.0)[:, None]
    for X, tied in ((rows % 2, 1.0), (rows**2, 0.0)):
        options = {"L": [12, 30], "n_neighbors": [9], "folds": 2}
        tables = run_part(monkeypatch, neighbor_ties, X, np.where(rows[:, 0] > 29, "b", "a"), **options)
        found = neighbor_ties.join(tables)["summary"].set_index("neighbors")
        assert found["tied"].to_dict() == {"labeled": tied, "all": tied}
        assert tied or (found["shared"] == found["lower_row"]).all()


def test_growth_matches_formulas():
    growth = load_experiment("growth")
    assert growth.steps("bagging", 1000, 100, 1) == 10 * growth.steps("random forest", 1000, 100, 1)
    assert growth.steps("relief", 1000, 100, 7) == 1000**2 * 100 + 15 * 1000 * (100 + 7)
    seconds = pd.DataFrame({"varied": "rows", "size": [10, 20], "method": "relief", "seconds": [1, 4], "steps": [2, 8]})
    joined = growth.join({"seconds": seconds})
    assert joined["summary"][["seconds", "steps"]].to_numpy().tolist() == [[2.0, 2.0]]


def test_forests_are_correlated_with_the_mean_rank_of_the_others(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    y = np.where(X[:, 0] + 0.6 * X[:, 1] + 0.3 * X[:, 2] > 0, "b", "a")
    table = inverse_rankings.join(run_part(monkeypatch, inverse_rankings, X, y))["correlations"]
    fitted = [get_ranker(name, **params).fit(X, y) for name, params in inverse_rankings.OTHERS.items()]
    others = np.mean([rankdata(-ranker.feature_importances_) for ranker in fitted], axis=0)
    forest = get_ranker("permutation_importance", random_state=3).fit(X, y).feature_importances_
    expected = spearmanr(-forest, others).statistic
    assert table["forest"].tolist() == ["permuted alone", "stay permuted, 2"]
    assert table["correlation"][0] == pytest.approx(expected)


def test_induction_times_are_of_fits_with_as_many_labels(monkeypatch):
    times = load_experiment("induction_times")
    monkeypatch.setattr(times, "_least_seconds", lambda ranker, X, y: np.isfinite(y).sum())
    found = run_part(monkeypatch, times, np.ones((30, 2)), np.arange(30.0), L=[5, 20])["seconds"]
    assert found.pivot(index="method", columns="L", values="seconds").to_dict("list") == {"20": [20] * 5, "5": [5] * 5}


def test_growth_table_has_all_sizes():
    found = prototype_growth.parts([200, 400], [4])
    assert list(found) == ["200 rows", "400 rows"]
    tables = [prototype_growth.experiment(seed=1, **part)["seconds"] for part in found.values()]
    assert tables[0]["variant"].tolist() == ["all rows", "4 units"]
    assert tables[0].loc[0, "agreement"] == pytest.approx(1.0)
    assert tables[1]["found"].between(0.0, 1.0).all()


def test_exponent_uses_the_last_three_sizes():
    sizes = pd.DataFrame({"rows": [500, 1000, 2000, 4000] * 2, "seconds": [9.0, 1.0, 9.0, 16.0, 1.0, 1.0, 2.0, 4.0]})
    sizes["variant"] = ["all rows"] * 4 + ["50 units"] * 4
    summary = prototype_growth.join({"seconds": sizes})["summary"].set_index("variant")
    assert summary["exponent"].to_dict() == pytest.approx({"all rows": 2.0, "50 units": 1.0})
    assert summary.loc["all rows", ["from", "to"]].tolist() == [1000, 4000]
    assert prototype_growth.join({"seconds": sizes[sizes["rows"] == 500]})["summary"].empty
