"""Experiments on predictors and useless columns: how the tables of parts are joined."""

import itertools

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.experiments import predictors, useless_columns

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
    assert [sharp.room, sharp.gain, sharp.forest_gain] == pytest.approx([1.0, 0.0, 0.1], abs=0.02)


def test_useless_column_shares_are_averaged_over_datasets():
    shares = pd.DataFrame(
        [("t", d, "random", "labelled rows", "F", 50, share) for d, share in [("a", 0.2), ("a", 0.4), ("b", 0.5)]],
        columns=["task", "dataset", "kind", "looks_at", "ranking", "labels", "share"],
    )
    summary = useless_columns.join({"shares": shares})["summary"]
    assert summary.share.tolist() == pytest.approx([0.4])
    assert summary.n_datasets.tolist() == [2]
