"""A publication's protocol next to ours: ``workflow/published/<publication>/protocol.yaml`` and its table.

An entry has `parameter` (in words), `paper` (its value there), `place` (section), `ours` (the value, or words where no
file sets it) and, where the two differ or the paper is silent, `why`. A `key` says where ours is set in the study that
has the publication's name: ``splits.folds``, ``comparison.k``, ``methods.relief.n_neighbors``,
``evaluators.knn.n_neighbors``, ``experiments.synthetic.cv``; with ``*``, or a list, it is about several. Entries with
`why` are the deviations in the publication's README.md.
"""

import fnmatch
import json
from pathlib import Path

import yaml

from sslrank.core.errors import DataError
from sslrank.rankers.registry import get_ranker

PROTOCOL = "protocol.yaml"
#: Lines around the table in a README.md.
BEGIN, END = "<!-- of protocol.yaml, by `snakemake --cores 1 findings` -->", "<!-- end of protocol.yaml -->"
#: Parameters of rankers that no publication can state: what a study fills in, and what does not change importances.
_NOT_OF_A_PROTOCOL = {
    *("task", "n_features_to_select", "categorical_features", "n_jobs", "random_state", "supervised", "hierarchy"),
    *("importance", "estimator"),
}
_REQUIRED, _OPTIONAL = ("parameter", "paper", "place", "ours"), ("key", "why")


def read_protocol(path):
    """Read the entries of a ``protocol.yaml``; a DataError says which of them lacks a field or has an unknown one."""
    entries = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    for entry in entries:
        odd = (set(_REQUIRED) - set(entry)) | (set(entry) - {*_REQUIRED, *_OPTIONAL})
        if odd:
            name, fields = entry.get("parameter", entry), ", ".join(sorted(odd))
            wanted = f"{', '.join(_REQUIRED)} and optionally {' and '.join(_OPTIONAL)}"
            raise DataError(f"{name}: missing or unknown: {fields}; an entry has {wanted}", file=path)
    return entries


def used_parameters(plan, study, every):
    """Keys that a protocol must name: what the study's files set, and the other parameters of its rankers."""
    of_rankers = [key for key in every if key.startswith("methods.") and key.split(".")[-1] not in _NOT_OF_A_PROTOCOL]
    return dict.fromkeys([*dict(_leaves(_given(plan, study, exclude_defaults=True))), *of_rankers])


def every_parameter(plan, study):
    """All parameters of a study, those of its rankers included: value by key."""
    found = {}
    for name in plan.studies[study].methods:
        spec = plan.spec(study, name)
        params = get_ranker(spec["ranker"], **spec["params"]).get_params(deep=False)
        found |= {f"methods.{name}.{key}": value for key, value in params.items()}
    return found | dict(_leaves(_given(plan, study)))


def _given(plan, study, **options):
    block = plan.studies[study]
    return {
        "splits": block.splits.model_dump(exclude_none=True, **options),
        "comparison": block.comparison.model_dump(exclude_none=True, **options),
        "methods": {name: plan.spec(study, name)["params"] for name in block.methods},
        "evaluators": {name: plan.evaluator(name)["params"] for name in block.evaluators},
        "experiments": {name: experiment.params for name, experiment in block.experiments.items()},
    }


def protocol_errors(plan, study, entries):
    """List where a protocol differs from the study's files, or says nothing."""
    every, errors, named = every_parameter(plan, study), [], set()
    for entry in (entry for entry in entries if "key" in entry):
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


def protocol_table(entries):
    """Markdown of the entries that have a `why`."""
    lines = ["| parameter | publication | place | ours | why |", "|---|---|---|---|---|"]
    for entry in entries:
        if "why" in entry:
            ours = f"`{json.dumps(entry['ours'])}`" if "key" in entry else entry["ours"]
            cells = [entry["parameter"], entry["paper"], entry["place"], ours, entry["why"]]
            lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def render_protocols(published):
    """Texts of the READMEs below a folder of publications, with their tables: by file."""
    pages = {}
    for path in sorted(Path(published).glob(f"*/{PROTOCOL}")):
        page = path.with_name("README.md")
        before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        if not (begin and end):
            raise DataError(f"no lines {BEGIN!r} and {END!r}, between which the table stands", file=page)
        pages[page] = f"{before}{BEGIN}\n\n{protocol_table(read_protocol(path))}\n\n{END}{after}"
    return pages


def _leaves(block, prefix=""):
    for name, value in block.items():
        key = f"{prefix}.{name}" if prefix else str(name)
        if isinstance(value, dict):
            yield from _leaves(value, key)
        else:
            yield key, value
