"""The studies of the repository's own configuration: what they plan, and that no rule knows one by name."""

from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from sslrank.benchmark.plan.plan import Plan
from sslrank.core.errors import DataError

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def own():
    return Plan(deepcopy(CONFIG), ROOT)


@pytest.mark.parametrize(("study", "asked", "available"), [("ssfi", 11, 10), ("eca", 28, 21), ("scls", 8, 7)])
def test_studies_have_published_datasets(own, study, asked, available):
    assert len(own.studies[study].datasets) == asked
    assert len(own.study(study).datasets()) == available
    published = {name for name, entry in own.catalogue.items() if study in entry.studies}
    assert published <= set(own.studies[study].datasets)


def test_publications_are_compared_completely(own):
    """Every published file is in a table of its study, but for the one that repeats a printed number."""
    for study in ("ssl-ranking", "ssfi", "eca", "scls"):
        files = {Path(file).name for file in own.study(study).published_files()}
        folder = ROOT / "workflow/published" / own.studies[study].published
        assert {path.name for path in folder.glob("*.csv")} - files <= {"cd_diagram.csv"}, study


def test_every_published_table_has_a_verdict(own):
    """What the verdicts say is tested in tests/docs/test_findings.py."""
    missing = [
        (name, key)
        for name, study in own.studies.items()
        for key, table in study.tables.items()
        if table.published and not (table.verdict or table.note) and not name.endswith("-seed2")
    ]
    assert missing == []


def test_publications_and_demo_have_controls(own):
    """Where the scale from random to oracle can be shown: equal weights say nothing where only the order counts."""
    for study in ("demo", "ssl-ranking", "ssfi", "eca", "scls"):
        assert {"random_ranking", "oracle"} <= set(own.studies[study].controls), study
        used = {own.evaluators[name].evaluator for name in own.studies[study].evaluators}
        assert ("equal_weights" in own.studies[study].controls) == ("knn" in used), study


def test_evaluators_score_only_their_methods(own):
    planned, study = {}, own.study("scls")
    for method in own.studies["scls"].ranked:
        for evaluator in study.evaluators(method):
            planned.setdefault(evaluator, set()).add(method)
    assert planned["ml_knn"] == set(own.studies["scls"].ranked)
    for evaluator in ("ml_knn_all", "sdr_mc", "rakel", "iblr", "homer", "ecc"):
        assert planned[evaluator] == {"s_cls"}
        assert study.scored_budgets(evaluator) == ["10pct"]
    assert study.scored_budgets("ml_knn") == ["10pct", "all"]


def test_published_names_map_to_study_methods(own):
    """A published method's name must translate into one that the study has."""
    for study in ("ssfi", "eca", "scls"):
        names = yaml.safe_load(Path(own.study(study).published_names()).read_text(encoding="utf-8"))
        rankers = {own.methods[name].ranker for name in own.studies[study].methods}
        tables = own.studies[study].tables
        others = tables["measures"].options["others"] if "measures" in tables else ()
        known = rankers | set(own.studies[study].methods) | set(others)
        for column in ("ranking", "method"):
            assert set(names.get(column, {}).values()) <= known, (study, column)


@pytest.mark.parametrize(
    ("kind", "block", "message"),
    [
        ("evaluators", {"like": "rakel", "only": {"methods": ["s_clss"]}}, r"only\.methods: 's_clss' .* mean 's_cls'"),
        ("studies", {"like": "eca", "experiments": {"synthetic": {"experiment": "noisy"}}}, "'noisy' .* mean 'noise'"),
        ("studies", {"like": "ssfi", "comparison": {"k": "median"}}, r"comparison\.k: 'median' .* mean 'mean'"),
        ("studies", {"like": "ssfii"}, "own.studies.mine.like: 'ssfii' is not known; did you mean 'ssfi'"),
    ],
)
def test_mistakes_in_overriding_configuration_are_named(kind, block, message):
    with pytest.raises(DataError, match=message):
        Plan({**CONFIG, "own": {kind: {"mine": block}}}, ROOT)


def test_evaluator_titles_are_unique(own):
    found = [evaluator.title for evaluator in own.evaluators.values()]
    assert None not in found
    assert len(set(found)) == len(found)
    mine = {"evaluators": {"mine": {"like": "knn"}}}
    assert Plan({**CONFIG, "own": mine}, ROOT).evaluators["mine"].title is None
