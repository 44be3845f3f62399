"""Rankings of the CLUS program, number by number."""

import numpy as np
import pytest

from oracles.clus.arff import CLUS, read_arff
from sslrank.core.features import Features
from sslrank.core.targets import encode_targets
from sslrank.rankers.relief.grid import Setting, grid_sums, relief_score
from sslrank.rankers.relief.relieff import ReliefF, RReliefF
from sslrank.rankers.relief.space import FeatureSpace
from sslrank.rankers.relief.ssl_relief import SSLRelief
from sslrank.rankers.relief.target_space import target_space

N_TARGETS = {"diabetes": 1, "multitarget": 3, "class": 1, "multilabel": 3}
TASKS = {"diabetes": "regression", "multitarget": "multitarget", "class": "classification", "multilabel": "multilabel"}


def read_problem(name):
    values, n_categories = read_arff(f"data/{name}.arff.gz")
    family = name.split("_")[0]
    count = N_TARGETS[family]
    features = Features(np.ascontiguousarray(values[:, :-count]), n_categories[:-count])
    y = values[:, -count:]
    return features, y, TASKS[family]


def read_importances(name):
    lines = (CLUS / "relief" / f"{name}.fimp").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line.count("\t") == 3 and line[0].isdigit()]
    importances = np.empty(len(rows))
    for index, _, _, value in rows:
        importances[int(index) - 1] = float(value.strip("[]"))
    return importances


@pytest.mark.parametrize(
    ("name", "ranker"),
    [
        ("diabetes_sup", SSLRelief(n_neighbors=15, w0=0.5, w1=1.0)),
        ("multitarget_sup", SSLRelief(n_neighbors=15, w0=0.5, w1=1.0)),
        ("class_full_usedescr", SSLRelief(n_neighbors=10, w0=0.5, w1=1.0)),
        ("multilabel_full", SSLRelief(n_neighbors=15, w0=0.5, w1=1.0)),
        ("class_full", ReliefF(n_neighbors=10)),
        ("diabetes_sup", RReliefF(n_neighbors=15, sigma=None)),
    ],
)
def test_supervised_rankings_match_clus(name, ranker):
    features, y, task = read_problem(name.removesuffix("_usedescr"))
    ranker.set_params(task=task, categorical_features=np.flatnonzero(features.n_categories))
    found = ranker.fit(features.values, y).feature_importances_
    np.testing.assert_allclose(found, read_importances(name), rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "w0", "w1"),
    [
        ("diabetes_ssl", 0.0, 1.0),
        ("multitarget_ssl", 0.0, 1.0),
        ("class_ssl", 0.0, 1.0),
        ("class_ssl_25_75", 0.25, 0.75),
        ("multilabel_ssl", 0.0, 1.0),
    ],
)
def test_semi_supervised_relief_matches_clus_normalisation(name, w0, w1):
    """CLUS departs from Algorithm 3 in two places, followed here with the same sums over pairs.

    The line of weights starts at distance 0, not at that of the nearest unlabelled row; and the number of
    pairs stands for the sum of their weights.
    """
    features, y, task = read_problem("_".join(name.split("_")[:2]))
    targets = encode_targets(y, len(y), task=task)
    labeled = targets.labeled
    space = FeatureSpace(features)
    group = np.where(labeled, 0, 1).astype(np.int32)
    found = space.neighbors(1, group=group[space.first])
    away = np.where(labeled, 0.0, found.distance[found.start[:-1]][space.point])
    grid = grid_sums(
        space, space.neighbors(15), target_space(targets), labeled, away / away.max(), group, -1, [15], None
    )
    sums = grid.pair_sums(Setting(15, w0, w1))
    importances = relief_score(*sums[:3], 15.0 * len(y))
    np.testing.assert_allclose(importances, read_importances(name), rtol=0, atol=1e-10)
