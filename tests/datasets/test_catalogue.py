"""The catalogue, and what becomes of misspelt keys."""

import importlib
import inspect
import re

import pytest
import yaml

from repository import ROOT
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.dataset import DataError
from sslrank.datasets.readers import reader_module

CATALOGUE = ROOT / "workflow" / "datasets.yaml"
SHA256 = "0" * 64


@pytest.fixture(scope="module")
def content():
    return yaml.safe_load(CATALOGUE.read_text())


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue(CATALOGUE)


def entry(**changes):
    files = [{"file": "a.csv", "sha256": SHA256}]
    return {
        "title": "Toy", "task": "regression", "home": "here", "files": files, "reader": {"format": "csv"}, **changes,
    }  # fmt: skip


def test_published_datasets_are_listed_once(catalogue):
    names = {"ssl-ranking": 38, "eca": 28, "ssfi": 10, "scls": 8}
    for study, number in names.items():
        published = [entry.studies[study].name for entry in catalogue.values() if study in entry.studies]
        assert len(published) == len(set(published)) == number, study


def test_available_datasets_are_pinned_and_described(catalogue):
    for name, item in catalogue.items():
        shape = item.shape.rows, item.shape.features, item.shape.targets
        assert all(shape), name
        assert item.fingerprint or not item.available, name
        for published in item.studies.values():
            differs = (published.rows, published.features, published.targets) != shape
            assert not differs or item.note, f"{name} differs from what is printed, and its note does not say so"


def test_github_addresses_name_a_commit(catalogue):
    for item in catalogue.values():
        for url in (url for variant in item.variants for source in variant.files for url in source.urls):
            assert "githubusercontent" not in url or re.search(r"/[0-9a-f]{40}/", url), url


def test_reader_options_are_known(catalogue):
    for item in catalogue.values():
        for options in (variant.reader for variant in item.variants if variant.files):
            reader = importlib.import_module(reader_module(options.get("format", "csv"))).read
            assert set(options) - {"format"} <= set(inspect.signature(reader).parameters), item.name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"taks": "regression"}, "toy: unknown key 'taks'; did you mean 'task'"),
        ({"shape": [3]}, r"toy.shape: expected a block of keys, found \[3\]"),
        ({"files": [{"sha256": SHA256}]}, r"toy.files\[0\]: the key 'file' is missing"),
        ({"files": [{"file": "a"}]}, "toy: a has no sha256, so the dataset needs a fingerprint"),
        ({"files": [{"file": "a", "role": "training"}]}, "'training' is not one of its values; did you mean 'train'"),
        ({"alternatives": [{"file": []}]}, r"toy.alternatives\[0\]: unknown key 'file'; did you mean 'files'"),
        (
            {"files": [{"file": "/etc/passwd", "sha256": SHA256}]},
            r"toy.files\[0\].file: '/etc/passwd' is not a name of",
        ),
        ({"files": [{"file": "a", "package": "d==1: ../../a"}]}, r"package: 'd==1: \.\./\.\./a' leaves the package"),
        ({"shape": {"rows": "many"}}, "toy.shape.rows: should be a valid integer.*found 'many'"),
        ({"files": [{"file": "a", "sha256": "0"}]}, r"toy.files\[0\].sha256: .*found '0'"),
        ({"columns": {"target": 3}}, "toy.columns.target: .*found 3"),
        ({"task": "ranking"}, "toy.task: 'ranking' is not one of its values; known are: classification"),
        ({"columns": {"hierarchy": "tre"}}, "hierarchy: 'tre' is not one of its values; did you mean 'tree'"),
        ({"recipe": "coil200"}, "recipe: 'coil200' is not one of its values; did you mean 'coil2000'"),
        ({"files": []}, "needs files if it is available, and only then"),
        ({"available": False, "reason": "lost"}, "needs files if it is available, and only then"),
        ({"reason": "lost"}, "needs a reason if it is not available, and only then"),
    ],
)
def test_invalid_entries_are_refused(changes, message, tmp_path):
    path = tmp_path / "datasets.yaml"
    path.write_text(yaml.safe_dump({"toy": entry(**changes)}))
    with pytest.raises(DataError, match=rf"datasets\.yaml: {message}|datasets\.yaml: .*{message}"):
        load_catalogue(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "line 2, column 1: did not find expected node content"),
        ("- a", "expected names and their blocks"),
        ("", "expected names of datasets and their blocks, found nothing"),
        ("a: 3\na: 4", "line 2, column 1: the key 'a' is duplicated"),
        ("a: 3", "a: expected"),
    ],
)
def test_invalid_catalogue_files_are_refused(text, message, tmp_path):
    (tmp_path / "datasets.yaml").write_text(text)
    with pytest.raises(DataError, match=message):
        load_catalogue(tmp_path / "datasets.yaml")
    with pytest.raises(DataError, match="cannot be read"):
        load_catalogue(tmp_path / "none.yaml")
