"""Files for forges, package builders and registries are well-formed and agree with the project, and the paper does."""

import json
import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from repository import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
GRAPH = json.loads((ROOT / "ro-crate-metadata.json").read_text(encoding="utf-8"))["@graph"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_hash(workflow):
    used = re.findall(r"uses: (.*)", workflow.read_text(encoding="utf-8"))
    assert used
    for action in used:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_jobs_have_limits_and_minimal_permissions(workflow):
    content = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    assert content["permissions"] == {"contents": "read"}
    for job in content["jobs"].values():
        assert job["timeout-minutes"] <= 120
    steps = [step for job in content["jobs"].values() for step in job["steps"]]
    checkouts = [step for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_python_versions_match_the_project():
    tests = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    pythons = tests["jobs"]["newest"]["strategy"]["matrix"]["python"]
    assert len(pythons) == 3
    assert PROJECT["project"]["requires-python"] == f">={min(pythons, key=Version)}"
    wheels = PROJECT["tool"]["cibuildwheel"]["build"]
    assert all(f"cp{python.replace('.', '')}-*" in wheels for python in pythons)


def test_oldest_versions_match_the_project():
    lock = (ROOT / "envs/oldest.lock").read_text(encoding="utf-8")
    pins = {name.lower(): Version(version) for name, version in re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE)}
    direct = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
    for requirement in direct:
        oldest = min(Version(bound.version) for bound in requirement.specifier if bound.operator == ">=")
        # A patch release may be the first that goes with the other bounds.
        assert pins[requirement.name].release[:2] == (*oldest.release, 0)[:2], requirement


def test_release_versions_agree():
    version, date = CITATION["version"], str(CITATION["date-released"])
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(\S+)\] - (\S+)$", changes, re.MULTILINE).groups() == (version, date)
    root, flow = (next(entity for entity in GRAPH if entity["@id"] == name) for name in ("./", "Snakefile"))
    assert (root["version"], root["datePublished"], flow["version"]) == (version, date, version)
    assert PROJECT["project"]["version"] == version


def test_conda_recipe_matches_the_project():
    recipe = yaml.safe_load((ROOT / "envs/recipe/recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == PROJECT["project"]["version"]
    for asked, listed in (
        (PROJECT["project"]["dependencies"], recipe["requirements"]["run"]),
        (PROJECT["build-system"]["requires"], recipe["requirements"]["host"]),
    ):
        found = {Requirement(text.replace(" ", "")) for text in listed} - {Requirement("python"), Requirement("pip")}
        assert found == {Requirement(text) for text in asked}
    for extra in recipe["requirements"]["run_constraints"]:
        name, bound = extra.replace("matplotlib-base", "matplotlib").split()
        extras = PROJECT["project"]["optional-dependencies"].values()
        assert any(f"{name}{bound}" in group for group in extras), extra
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert entry == "sslrank = " + PROJECT["project"]["scripts"]["sslrank"]


def test_crate_entities_are_complete():
    identifiers = [entity["@id"] for entity in GRAPH]
    assert len(set(identifiers)) == len(identifiers)
    for entity in GRAPH:
        for value in entity.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict) and not one["@id"].startswith("https://"):
                    assert one["@id"] in identifiers, (entity["@id"], one)
        if not entity["@id"].startswith(("#", "https://")):
            assert (ROOT / entity["@id"]).exists(), entity["@id"]


def test_paper_citations_exist():
    paper, references = (
        (ROOT / "src/docs/paper" / name).read_text(encoding="utf-8") for name in ("paper.md", "paper.bib")
    )
    keys = re.findall(r"^@\w+\{(\w+),$", references, re.MULTILINE)
    assert len(set(keys)) == len(keys)
    assert set(re.findall(r"@(\w+\d{4})", paper)) == set(keys)
    for entry in re.split(r"\n(?=@)", references):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        assert {"author", "title", "year"} <= set(fields), entry
        assert re.search(rf"\w{fields['year']},", entry.splitlines()[0]), entry
        if "doi" in fields:
            assert re.fullmatch(r"10\.\d{4,9}/\S+", fields["doi"]), entry
    cited = {reference["doi"] for reference in CITATION["references"] if "doi" in reference}
    assert cited <= set(re.findall(r"doi = \{(.*)\}", references))
