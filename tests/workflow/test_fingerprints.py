"""Which jobs a changed behaviour re-runs: those that depend on it, and no others."""

import inspect
import os
from importlib import import_module
from itertools import product
from types import SimpleNamespace

import pytest
import yaml
from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, OutputSettings, Quietness, ResourceSettings

from repository import ROOT
from sslrank.benchmark import steps
from sslrank.benchmark.plan import fingerprints

RANKERS = {
    "forest": "genie3", "graph": "laplacian_score", "relief": "relief", "relieff": "relieff", "label_sets": "lp_cls",
    "memetic": "memetic",
}  # fmt: skip
EVALUATORS = {
    "knn": {"evaluator": "knn"},
    "top": {"evaluator": "top_features"},
    "curves": {"evaluator": "eca", "params": {"expected": True}},
    "homer": {"evaluator": "multilabel", "params": {"classifier": "homer"}},
    "ml_knn": {"evaluator": "multilabel", "params": {"classifier": "ml_knn", "transformer": "ssdr"}},
}
RANK = {f"rank {name}" for name in RANKERS}
SCORE = {f"score {name}" for name in EVALUATORS}
SHARE = {f"share {name}" for name in EVALUATORS}
PREPARE = {"prepare csv", "prepare arff", "prepare recipe"}
#: Jobs of the digest of a method, evaluator or step.
CHANGES = {
    "genie3": {"rank forest"},
    "relief": {"rank relief"},
    "knn": {"score knn", "share knn"},
    "eca": {"score curves", "share curves", "experiment", "experiment_part"},
    "multilabel": {f"{rule} {name}" for rule in ("score", "share") for name in ("homer", "ml_knn")},
    "splits": {"splits"},
    "prepare": PREPARE,
    "export": {"export"},
    "import_rankings": {"import_rankings"},
    "clustering_hypothesis": {"clustering_hypothesis"},
}
#: Jobs that a changed file of the package re-runs.
CHEAP = {
    "gather", "export_rows", "export_rankings", "collect", "stability", "tables", "compare_published", "figures",
    "manifest", "page", "study_summary",
}  # fmt: skip
CHEAP |= PREPARE | {"experiment"}
#: Rules whose results are never kept, so that nothing has to tell when they are out of date.
ANEW = {"archive", "check_archive", "findings", "job"}


def configuration(folder):
    """A study with every kind of job, on datasets that nobody downloads here."""
    source = {"sha256": "0" * 64}
    common = {"home": "nowhere", "task": "multilabel", "columns": {"target": ["y"]}}
    datasets = {
        "csv": {"files": [{"file": "a.csv", **source}], "reader": {"format": "csv"}},
        "arff": {"files": [{"file": "a.arff", **source}], "reader": {"format": "arff"}},
        "recipe": {"files": [{"file": "a.txt", "role": "ingredient", **source}], "recipe": "coil2000"},
    }
    catalogue = folder / "datasets.yaml"
    blocks = {name: {"title": name, **common, **block} for name, block in datasets.items()}
    catalogue.write_text(yaml.safe_dump(blocks), encoding="utf-8")
    study = {
        "datasets": list(datasets),
        "methods": list(RANKERS),
        "evaluators": list(EVALUATORS),
        "splits": {"L": ["all"]},
        "clustering_hypothesis": True, "experiments": {"noise": {"experiment": "noise"}}, "tables": {"areas": {}},
    }  # fmt: skip
    own = {
        "studies": {"every": study},
        "methods": {name: {"ranker": ranker} for name, ranker in RANKERS.items()} | {"awk": {"rule": "variance"}},
        "evaluators": EVALUATORS,
    }
    config = {"data": {"catalogue": str(catalogue)}, "own": own}
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """The rules of the workflow for that study."""
    folder = tmp_path_factory.mktemp("every")
    config = ConfigSettings(configfiles=[configuration(folder)])
    here, noted = os.getcwd(), {name: os.environ.get(name) for name in ("SSLRANK_RUN", "SSLRANK_COMMIT")}
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        given = {"resource_settings": ResourceSettings(cores=1), "config_settings": config, "workdir": folder}
        workflow = api.workflow(snakefile=ROOT / "Snakefile", **given)._workflow
        yield list(workflow.rules)
    os.chdir(here)
    # The rules note in the environment what was typed and is checked out, for their jobs; no other test is to find it.
    for name, value in noted.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def test_names_of_rules_are_fields_of_their_jobs(rules):
    for rule in rules:
        if rule.script is None or rule.name == "job":
            continue
        module, _, name = rule.params.function.rpartition(".")
        function = getattr(import_module(f"{steps.__name__}.{module or name.removesuffix('_job')}"), name)
        (job,) = inspect.signature(function).parameters.values()
        fields = job.annotation.__dataclass_fields__.keys()
        named = [name for names in (rule.input, rule.output, rule.params) for name, _ in names.items()]
        assert len(set(named)) == len(named), rule
        assert fields - steps.Job.__dataclass_fields__.keys() <= set(named) <= fields | {*steps.NOT_PASSED}, rule


def parameters(rules):
    """Parameters of a job of every kind that depend on its wildcards, the code among them."""
    values = {
        "study": ["every"], "dataset": ["csv", "arff", "recipe"], "method": list(RANKERS),
        "evaluator": list(EVALUATORS), "experiment": ["noise"], "part": ["combined-truth"], "L": ["all"],
    }  # fmt: skip
    told_apart = {"prepare": ["dataset"], "rank": ["method"], "share": ["evaluator"]}
    found = {}
    for rule in rules:
        if rule.script is None or rule.name in ANEW:
            continue
        apart = told_apart.get(rule.name, [])
        axes = [values[name] if name in apart else values[name][:1] for name in rule.wildcard_names]
        for chosen in product(*axes):
            wildcards = SimpleNamespace(**dict(zip(rule.wildcard_names, chosen, strict=True)))
            label = " ".join([rule.name, *(getattr(wildcards, name) for name in apart)])
            found[label] = {
                name: value(wildcards)
                for name, value in rule.params.items()
                if callable(value) and len(inspect.signature(value).parameters) == 1
            }
            if hasattr(rule.params, "code"):  # read with the rules
                found[label]["code"] = fingerprints.step_code(rule.name)
            if rule.name == "score":  # each evaluator is repeated by itself
                job = found.pop("score")
                blocks = job["evaluators"].items()
                found |= {f"score {name}": {"scoring": block, "code": job["code"]} for name, block in blocks}
    return found


@pytest.fixture(scope="module")
def unchanged(rules):
    """The parameters before any change."""
    return parameters(rules)


@pytest.mark.parametrize("name", CHANGES)
def test_changed_digest_reruns_dependent_jobs(rules, unchanged, name, monkeypatch):
    changed = {key: "0" * 12 if key[1] == name else digest for key, digest in fingerprints.digests().items()}
    monkeypatch.setattr(fingerprints, "digests", lambda: changed)
    after = parameters(rules)
    assert {job for job in unchanged if unchanged[job] != after[job]} == CHANGES[name]


def test_edited_file_reruns_cheap_jobs_only(rules, unchanged, monkeypatch):
    monkeypatch.setattr(fingerprints, "folder_code", lambda folder="": "0" * 12)
    after = parameters(rules)
    assert {job for job in unchanged if unchanged[job] != after[job]} == CHEAP


def test_every_job_depends_on_the_code(unchanged):
    assert set().union(CHEAP, *CHANGES.values(), RANK, SCORE, SHARE) | {"download"} == set(unchanged)
