"""Which jobs a change in the code re-runs: those that run it, and no others."""

import ast
import contextlib
import inspect
import os
import re
import shutil
from importlib.machinery import EXTENSION_SUFFIXES
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, OutputSettings, Quietness, ResourceSettings

from sslrank.benchmark.plan import fingerprints

ROOT = Path(__file__).parents[2]
RANKERS = {
    "forest": "genie3",
    "graph": "laplacian_score",
    "relief": "relief",
    "relieff": "relieff",
    "label_sets": "lp_cls",
    "memetic": "memetic",
}
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
EXPERIMENT = {"experiment", "experiment_part"}
PREPARE = {"prepare csv", "prepare arff", "prepare recipe"}
#: Every job that reads a prepared dataset.
READING = RANK | SCORE | SHARE | {"splits", "clustering_hypothesis", "export", "import_rankings"}


def using(*evaluators):
    """The jobs of some evaluators."""
    return {f"{rule} {name}" for rule in ("score", "share") for name in evaluators}


#: Function in a file of the package -> the jobs that run it, by rule, and method, evaluator or dataset.
EDITS = {
    # what comes is checked by its hash, whatever code fetched it
    "datasets/download.py:fetch": set(),
    "datasets/prepare.py:prepare": PREPARE,
    "datasets/readers/arff.py:read": {"prepare arff", "prepare recipe"},
    "datasets/readers/delimited.py:read": {"prepare csv", "prepare recipe"},
    "datasets/recipes.py:coil2000": {"prepare recipe"},
    # collect loads the datasets, for the facts of their tables
    "datasets/dataset.py:target_columns": READING | PREPARE | {"collect"},
    "benchmark/steps/export.py:export_job": {"export"},
    "benchmark/steps/import_rankings.py:import_rankings_job": {"import_rankings"},
    "benchmark/steps/clustering_hypothesis.py:clustering_hypothesis_job": {"clustering_hypothesis"},
    "model_selection/splits.py:make_splits": {"splits"},
    "model_selection/stratified.py:deal": {
        "splits",
        "rank forest",
        "rank relief",
        *EXPERIMENT,
        "score curves",
        "share curves",
    },
    "benchmark/fits.py:rank_dataset": RANK,
    # SSDR takes its pairs of rows from a ranker's module
    "core/base.py:fit": RANK | using("ml_knn"),
    "rankers/trees/_builder": {"rank forest"},
    "rankers/graph/laplacian_score.py:laplacian_scores": {"rank graph"},
    "rankers/relief/_sums": {"rank relief", "rank relieff"},
    "rankers/multilabel/lp_cls.py:label_set_codes": {"rank label_sets", "rank memetic"} | using("ml_knn"),
    "rankers/registry.py:get_ranker": set(),
    "models/_neighbors": {"rank relief", *EXPERIMENT} | using("knn", "top", "curves"),
    "models/multilabel/ml_knn.py:_fit": {"rank memetic"} | using("ml_knn"),
    "evaluation/transformers/ssdr.py:fit": using("ml_knn"),
    "benchmark/steps/child_process.py:supervise": RANK | SCORE | SHARE | PREPARE,
    "benchmark/scoring.py:score_rankings": SCORE | SHARE,
    "benchmark/steps/share.py:share_job": SHARE,
    "evaluation/evaluators/knn.py:evaluate": using("knn"),
    "evaluation/evaluators/top_features.py:evaluate": using("top"),
    "evaluation/curves.py:random_curve": EXPERIMENT | using("curves"),
    "benchmark/experiments/noise.py:experiment": EXPERIMENT,
    "benchmark/steps/experiment_part.py:compute_part": {"experiment_part"},
    "benchmark/steps/experiment.py:experiment_job": {"experiment"},
    "benchmark/steps/collect.py:collect_job": {"collect"},
    "stats/stability.py:rank_agreement": {"collect", "stability"},
    "benchmark/steps/tables.py:tables_job": {"tables"},
    "benchmark/results/tables/areas.py:areas": {"tables"},
    "benchmark/results/tables/rank_tests.py:friedman": set(),
    "benchmark/steps/compare_published.py:compare_published_job": {"compare_published"},
    "benchmark/report/figures.py:figures_job": {"figures", "compare_published"},
    "benchmark/report/manifest.py:manifest_job": {"manifest"},
    "benchmark/report/page.py:page_job": {"page"},
    "benchmark/report/summary.py:write_summary": {"study_summary"},
    "benchmark/logs.py:log_to": set(),
    "benchmark/environment.py:environment": set(),
    "benchmark/plan/fingerprints.py:code_fingerprint": set(),
}
#: Rules whose results are never kept, so that nothing has to tell when they are out of date.
ANEW = {"archive", "check_archive", "findings", "job", "verify", "verify_cell", "verify_part"}


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
    entries = {name: {"title": name, **common, **block} for name, block in datasets.items()}
    catalogue.write_text(yaml.safe_dump(entries), encoding="utf-8")
    study = {
        "datasets": list(datasets),
        "methods": list(RANKERS),
        "evaluators": list(EVALUATORS),
        "splits": {"L": ["all"]},
        "clustering_hypothesis": True,
        "experiments": {"noise": {"experiment": "noise"}},
        "tables": {"areas": {}},
    }
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
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=config,
            snakefile=ROOT / "Snakefile",
            workdir=folder,
        )._workflow
        yield list(workflow.rules)
    os.chdir(here)
    # The rules note in the environment what was typed and is checked out, for their jobs; no other test is to find it.
    for name, value in noted.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package, whose files can be replaced, that fingerprints are taken of."""
    source, copy = fingerprints.source_root(), tmp_path_factory.mktemp("copy") / "sslrank"
    shutil.copytree(source, copy, copy_function=os.symlink, ignore=shutil.ignore_patterns("*.c", "__pycache__"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fingerprints, "source_root", lambda: copy)
        forget()
        yield copy
    forget()


def forget():
    """Read files again, as a new process would."""
    fingerprints.reached_files.cache_clear()
    fingerprints.code_fingerprint.cache_clear()


@contextlib.contextmanager
def changed(path, content):
    """Replace a file for a while. Its imports must stay: which files a module reaches is not computed again."""
    original = path.readlink()
    path.unlink()
    path.write_bytes(content)
    fingerprints.code_fingerprint.cache_clear()
    yield
    path.unlink()
    path.symlink_to(original)
    fingerprints.code_fingerprint.cache_clear()


def edited(package, place):
    """A file, and its content with a statement more in a function, or with a byte more in an extension."""
    file, _, function = place.partition(":")
    if not function:
        (path,) = [path for end in EXTENSION_SUFFIXES if (path := Path(f"{package / file}{end}")).is_file()]
        return path, path.read_bytes() + b"\0"
    path = package / file
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function]
    found[0].body.insert(0, ast.parse("edited = True").body[0])
    return path, ast.unparse(tree).encode()


def parameters(rules):
    """Parameters of a job of every kind that depend on its wildcards, the code among them."""
    values = {
        "study": ["every"],
        "dataset": ["csv", "arff", "recipe"],
        "method": list(RANKERS),
        "evaluator": list(EVALUATORS),
        "experiment": ["noise"],
        "part": ["combined-truth"],
        "L": ["all"],
        "form": ["arff"],
    }
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
            if hasattr(rule.params, "code"):  # taken when the rules are read
                found[label]["code"] = fingerprints.step_code(rule.name)
            if rule.name == "score":  # each evaluator is repeated by itself
                job = found.pop("score")
                found |= {f"score {name}": {"job": block, "code": job["code"]} for name, block in job["job"].items()}
    return found


@pytest.fixture(scope="module")
def unchanged(rules, package):
    """The parameters before any edit."""
    return parameters(rules)


@pytest.mark.parametrize("place", EDITS)
def test_code_edit_reruns_dependent_jobs(rules, unchanged, package, place):
    with changed(*edited(package, place)):
        after = parameters(rules)
    assert {job for job in unchanged if unchanged[job] != after[job]} == EDITS[place]


def test_every_job_type_is_covered_by_an_edit(unchanged):
    assert set().union(*EDITS.values()) | {"download"} == set(unchanged)


def test_comment_edits_rerun_nothing(rules, unchanged, package):
    text = (package / "core/base.py").read_text(encoding="utf-8")
    other = '"""Another docstring."""\n# and a comment\n' + text.partition('"""\n')[2]
    with changed(package / "core/base.py", other.encode()):
        assert parameters(rules) == unchanged


def test_rules_hash_the_step_they_run():
    """But for the download, whose files are checked by their own hashes, and what is always made anew."""
    seen, others = set(), {"download", *ANEW}
    for path in [*(ROOT / "workflow/rules").glob("*.smk")]:
        for rule in path.read_text(encoding="utf-8").split("\nuse rule job as ")[1:]:
            name = re.match(r"\w+", rule)[0]
            if name not in others:
                assert f'code=step_code("{name}")' in rule, f"{path.name}: {name}"
                seen.add(name)
    modules = {path.stem for path in (ROOT / "src/sslrank/benchmark/steps").glob("*.py")}
    assert seen | others - {"job"} == modules - {"__init__", "child_process", "fork_server", "rankings_csv"}
