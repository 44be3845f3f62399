"""Protocols of the publications agree with the studies' files, and their READMEs have the tables."""

import fnmatch

import pytest
import yaml

from repository import CONFIG, ROOT
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.report.protocol import render_protocols
from sslrank.rankers.registry import get_ranker

PUBLISHED = ROOT / "workflow" / "published"
PUBLICATIONS = sorted(path.parent.name for path in PUBLISHED.glob("*/names.yaml"))
#: Parameters of rankers that no publication can state: what a study fills in, and what does not change importances.
_NOT_OF_A_PROTOCOL = {
    *("task", "n_features_to_select", "categorical_features", "n_jobs", "random_state", "supervised", "hierarchy"),
    *("importance", "estimator"),
}


def protocol_of(publication):
    return yaml.safe_load((PUBLISHED / publication / "protocol.yaml").read_text(encoding="utf-8"))


def protocol_errors(plan, study, protocol):
    """List what a protocol says otherwise than the study's files, or does not say at all."""
    every, errors, named = every_parameter(plan, study), [], set()
    for entry in (entry for entry in protocol if "key" in entry):
        patterns = [entry["key"]] if isinstance(entry["key"], str) else entry["key"]
        found = {pattern: fnmatch.filter(every, pattern) for pattern in patterns}
        errors += [f"{pattern}: the study has no such parameter" for pattern, keys in found.items() if not keys]
        keys = [key for keys in found.values() for key in keys]
        named.update(keys)
        errors += [
            f"{key}: protocol.yaml says {entry['ours']!r}, the study has {every[key]!r}"
            for key in keys
            if every[key] != entry["ours"]
        ]
    return errors + [f"{key}: not in protocol.yaml" for key in used_parameters(plan, study, every) if key not in named]


def used_parameters(plan, study, every):
    """Keys that a protocol must name: what the study's files set, and the other parameters of its rankers."""
    of_rankers = [key for key in every if key.startswith("methods.") and key.split(".")[-1] not in _NOT_OF_A_PROTOCOL]
    return dict.fromkeys([*dict(_leaves(_given(plan, study, exclude_defaults=True))), *of_rankers])


def every_parameter(plan, study):
    """All parameters of a study, those of its rankers included: value by key."""
    found = {}
    for name in plan.studies[study].methods:
        spec = plan.study(study).spec(name)
        params = get_ranker(spec["ranker"], **spec["params"]).get_params(deep=False)
        found |= {f"methods.{name}.{key}": value for key, value in params.items()}
    return found | dict(_leaves(_given(plan, study)))


def _given(plan, study, **options):
    block = plan.studies[study]
    return {
        "splits": block.splits.model_dump(exclude_none=True, **options),
        "comparison": block.comparison.model_dump(exclude_none=True, **options),
        "methods": {name: plan.study(study).spec(name)["params"] for name in block.methods},
        "evaluators": {name: plan.evaluators[name].computed["params"] for name in block.evaluators},
        "experiments": {name: experiment.params for name, experiment in block.experiments.items()},
    }


def _leaves(block, prefix=""):
    for name, value in block.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(value, dict):
            yield from _leaves(value, key)
        else:
            yield key, value


@pytest.fixture(scope="module")
def plan():
    return Plan(CONFIG, ROOT)


@pytest.mark.parametrize("publication", PUBLICATIONS)
def test_protocol_matches_the_study(plan, publication):
    assert protocol_errors(plan, publication, protocol_of(publication)) == []


def test_readmes_contain_protocol_tables():
    for page, text in render_protocols(PUBLISHED).items():
        assert page.read_text(encoding="utf-8") == text, "run `snakemake --cores 1 findings`"
