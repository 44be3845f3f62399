"""Fingerprints of what a job's result depends on in addition to its inputs: behaviour, own files, facts of data.

Snakemake detects a changed rule or script, but not a changed module that they import. A rule therefore has as a
parameter the digest of what its method or evaluator computes on small tables (``digests.csv``, made by
:mod:`sslrank.benchmark.digests`): a renamed function re-runs nothing, a changed result does. A user's own modules have
the hash of their files. Cheap steps, such as tables and pages, have the hash of this whole package.
"""

import csv
import hashlib
import importlib.util
import json
import re
import sysconfig
from functools import cache
from modulefinder import ModuleFinder
from pathlib import Path

from sslrank.benchmark.experiments import EXPERIMENTS, experiment_module
from sslrank.evaluation.evaluators import EVALUATORS
from sslrank.rankers.registry import RANKERS

PACKAGE = "sslrank"
#: Parameters that only set how much is computed, and their values in digests.
SIZES = {
    "n_estimators": 3,
    "cv_n_estimators": 3,
    "n_pairs": 3,
    "n_permutations": 3,
    "max_iter": 5,
    "sampling_times": 2,
    "cv_levels": [0.0, 0.5, 1.0],
    "budget": 20,
    "n_rankings": 3,
    "sizes": [0, 3],
    "n_top": 3,
}
#: Steps whose results follow from digests of methods and evaluators.
BY_METHOD = {"rank", "score", "share", "experiment_part"}
#: The user's own ranker as named in a parameter.
_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


# --- digests of what the library computes --------------------------------------------------------------------------


@cache
def digests():
    """Read the committed table of digests, by kind ("ranker", "evaluator", "step"), name and parameters as JSON."""
    with open(source_root() / "benchmark/digests.csv", encoding="utf-8", newline="") as stream:
        return {(row["kind"], row["name"], row["params"]): row["digest"] for row in csv.DictReader(stream)}


def digest_key(kind, name, params):
    """Return the key of a method or evaluator in :func:`digests`."""
    params = sized({key: value for key, value in params.items() if key not in SIZES})
    return kind, name, json.dumps(params, sort_keys=True, separators=(",", ":"))


def sized(params):
    """Return parameters with the :data:`SIZES` of digests."""
    if isinstance(params, dict):
        return {key: SIZES[key] if key in SIZES else sized(value) for key, value in params.items()}
    return [sized(value) for value in params] if isinstance(params, list | tuple) else params


def ranker_code(ranker, params):
    """Return the digest of a ranker with these parameters, or those of all rankers and files that they name.

    A registered ranker with parameters that no study uses has the digest of its defaults.
    """
    if digest := digests().get(digest_key("ranker", ranker, params)):
        return f"{ranker} {digest}"
    names = dict.fromkeys([ranker, *(text for text in _texts(params) if text in RANKERS or _CLASS.fullmatch(text))])
    return " ".join(_code_of("ranker", name) for name in names)


def evaluator_code(evaluator, root="."):
    """Return the digest of an evaluator and its settings, a block with "params" and "evaluator", or the hash of "rule".

    The files of a rule are below `root`.
    """
    if rule := evaluator.get("rule"):
        return f"{rule} {_hash(sorted((Path(root) / 'workflow/rules/evaluators' / rule).iterdir()))}"
    name = evaluator["evaluator"]
    digest = digests().get(digest_key("evaluator", name, evaluator["params"] or {}))
    return f"{name} {digest}" if digest else _code_of("evaluator", name)


def step_code(name):
    """Return what the result of a step depends on in addition to methods and evaluators."""
    if name in BY_METHOD:
        return ""
    digest = digests().get(("step", name, "{}"))
    return f"{name} {digest}" if digest else f"{name} {folder_code()}"


def experiment_code(experiment):
    """Return the hash of an experiment's file and the digests of the rankers and evaluators that it uses."""
    path = source_root().joinpath(*experiment_module(experiment).split(".")[1:]).with_suffix(".py")
    used = [(kind, name) for kind, name, _ in digests() if name in EXPERIMENTS[experiment]]
    return " ".join([f"{experiment} {_hash([path])}", *(_code_of(*each) for each in dict.fromkeys(used))])


def _code_of(kind, name):
    """Return the digest of a library method or evaluator with its defaults, or the hash of a user's own files."""
    if digest := digests().get((kind, name, "{}")):
        return f"{name} {digest}"
    if name in RANKERS or name in EVALUATORS:
        raise LookupError(f"digests.csv has no {kind} {name!r}; run: make digests")
    return f"{name} {own_code(name.partition(':')[0])}"


def _texts(value):
    """Yield all texts in a parameter, which may be a nested list or mapping."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


# --- hashes of files --------------------------------------------------------------------------------------------


@cache
def own_code(module):
    """Hash a user's module and what it imports from its own folder, or, where it is installed, its whole package."""
    top = module.partition(".")[0]
    spec = importlib.util.find_spec(top)  # of the top-level package: this runs nothing
    if spec is None or not spec.has_location:
        raise ModuleNotFoundError(f"there is no module {module!r} to take a fingerprint of", name=module)
    package, file = spec.submodule_search_locations, Path(spec.origin)
    folder = Path(package[0]).parent if package else file.parent
    if str(folder) in sysconfig.get_paths().values() or top == PACKAGE:
        return _hash(sorted(Path(package[0]).rglob("*.py")) if package else [file])
    finder = ModuleFinder(path=[str(folder)])
    finder.import_hook(module)
    return _hash(sorted(Path(found.__file__) for found in finder.modules.values() if found.__file__))


@cache
def folder_code(folder=""):
    """Hash the files of a folder of this package."""
    paths = (source_root() / folder).rglob("*")
    return _hash(sorted(path for path in paths if path.suffix in (".py", ".css", ".js", ".j2")))


def _hash(paths):
    return hashlib.sha256(b"".join(path.name.encode() + b"\0" + path.read_bytes() for path in paths)).hexdigest()[:12]


def source_root():
    """Return the folder of this package."""
    return Path(__file__).parents[2]


# --- facts of data ------------------------------------------------------------------------------------------------


def reader_code(dataset_spec, path=None):
    """Hash the readers of a dataset of the catalogue without a known content, or of the user's file in `path`.

    The content of others is compared with the catalogue, whatever code has read it.
    """
    return "" if dataset_spec.fingerprint and path is None else folder_code("datasets")


def source_facts(dataset_spec):
    """Return the facts that a download depends on: files, hashes and addresses."""
    return [source.model_dump() for variant in dataset_spec.variants for source in variant.files]


def content_facts(dataset_spec):
    """Return the facts that a prepared dataset depends on: everything but titles and notes."""
    facts = dataset_spec.model_dump(include={"name", "task", "shape", "fingerprint"})
    return facts | {"variants": [variant.model_dump() for variant in dataset_spec.variants]}
