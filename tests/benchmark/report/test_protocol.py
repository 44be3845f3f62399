"""Protocols of the publications agree with the studies' files, and their READMEs have the tables."""

import shutil
from pathlib import Path

import pytest
import yaml

from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.report.protocol import protocol_errors, protocol_table, read_protocol, render_protocols
from sslrank.core.errors import DataError

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "workflow" / "published"
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
PUBLICATIONS = sorted(path.parent.name for path in PUBLISHED.glob("*/names.yaml"))


def entries(publication):
    return read_protocol(PUBLISHED / publication / "protocol.yaml")


@pytest.fixture(scope="module")
def plan():
    return Plan(CONFIG, ROOT)


@pytest.mark.parametrize("publication", PUBLICATIONS)
def test_protocol_is_that_of_the_study(plan, publication):
    assert protocol_errors(plan, publication, entries(publication)) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "error"),
    [
        ("studies/ssl-ranking.yaml", "folds: 10", "folds: 5", "splits.folds: protocol.yaml says 10, the study has 5"),
        ("studies/ssfi.yaml", "repetitions: 10", "repetitions: 50", "splits.repetitions"),
        ("studies/eca.yaml", "n_rankings: 100", "n_rankings: 5", "experiments.synthetic.n_rankings"),
        ("studies/ssl-ranking.yaml", "k: 40", "k: 20", "comparison.k"),
        ("studies/eca.yaml", "folds: 10, L", "folds: 10, max_rows: 99, L", "splits.max_rows: not in"),
        ("methods.yaml", "n_estimators: 100, supervision: cv", "n_estimators: 50, supervision: cv", "n_estimators"),
        ("methods.yaml", "{C: 0.1, step: 1}", "{C: 1.0, step: 1}", "methods.svm_rfe.C"),
        ("evaluators.yaml", "n_neighbors: [20, 40]", "n_neighbors: [20, 40, 80]", "evaluators.knn.n_neighbors"),
    ],
)
def test_a_changed_value_is_noticed(tmp_path, file, old, new, error):
    shutil.copytree(ROOT / "workflow", tmp_path / "workflow")
    changed = tmp_path / "workflow" / file
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")
    plan = Plan(CONFIG, tmp_path)
    found = [line for name in PUBLICATIONS for line in protocol_errors(plan, name, entries(name))]
    assert any(error in line for line in found)


def test_a_default_of_a_ranker_is_noticed(plan):
    every = [entry for entry in entries("ssfi") if "min_samples_split" not in str(entry.get("key"))]
    assert protocol_errors(plan, "ssfi", every) == [
        f"methods.{name}.min_samples_split: not in protocol.yaml" for name in ("ssfi", "fwfs")
    ]


def test_a_key_that_no_parameter_has(plan):
    entry = {"parameter": "trees", "paper": "7", "place": "", "ours": 7, "key": "methods.forest.n_trees"}
    assert protocol_errors(plan, "ssfi", [entry])[0] == "methods.forest.n_trees: the study has no such parameter"


def test_readmes_have_the_tables():
    for page, text in render_protocols(PUBLISHED).items():
        assert page.read_text(encoding="utf-8") == text, "run `snakemake --cores 1 findings`"


def test_table_has_the_deviations_alone():
    same = {"parameter": "folds", "paper": "10", "place": "section 4", "ours": 10, "key": "splits.folds"}
    other = {"parameter": "weight", "paper": "1", "place": "Eq. (4)", "ours": "1/|S|", "why": "it fits"}
    assert protocol_table([same, other]).splitlines()[2:] == ["| weight | 1 | Eq. (4) | 1/\\|S\\| | it fits |"]


def test_entry_without_a_place_is_an_error(tmp_path):
    path = tmp_path / "protocol.yaml"
    path.write_text("- {parameter: folds, paper: 10, ours: 10, reason: none}", encoding="utf-8")
    with pytest.raises(DataError, match="folds: missing or unknown: place, reason"):
        read_protocol(path)
