# The plan (every job that the configuration asks for), the wildcards, and helpers of the rules.
import os
import re
import shlex
import sys
import threading
import time
from pathlib import Path

from snakemake.cli import get_argument_parser
from snakemake.exceptions import WorkflowError

try:
    from sslrank.datasets.dataset import DataError
    from sslrank.benchmark.environment import COMMIT, commit_words
    from sslrank.benchmark import paths
    from sslrank.benchmark.plan.plan import ConfigError, Plan
    from sslrank.benchmark.plan.fingerprints import (
        content_facts,
        evaluator_code,
        experiment_code,
        page_assets,
        ranker_code,
        reader_code,
        script_fingerprint,
        source_facts,
    )
except ImportError as error:
    raise WorkflowError(f"sslrank is not installed here ({error}); run: make install")

ROOT = Path(str(workflow.current_basedir)).parents[1]
# Own modules may be beside the Snakefile, in every process that a job starts.
SEARCHED = os.environ.setdefault("PYTHONPATH", str(ROOT))
if str(ROOT) not in SEARCHED.split(os.pathsep):
    os.environ.update(PYTHONPATH=os.pathsep.join([SEARCHED, str(ROOT)]))
# What was typed, for the manifest. Jobs inherit it, so that it is not what Snakemake starts them with.
os.environ.setdefault("SSLRANK_COMMAND", shlex.join(["snakemake", *sys.argv[1:]]))
# What is checked out, for the records of jobs.
if COMMIT not in os.environ:
    os.environ[COMMIT] = commit_words(ROOT)

try:
    PLAN = Plan(config, ROOT)
except (ConfigError, DataError) as error:
    raise WorkflowError(error)


def one_of(names):
    """A regular expression for exactly these names; for none of them, one that never matches."""
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "(?!)"


def unused_name(study):
    """A study's name, which names its target and so can be that of no other rule."""
    if workflow.is_rule(study):
        raise WorkflowError(
            f"the study {study!r} has the name of a rule; give it another one"
        )
    return study


def check_targets():
    """Stop with a suggestion where a target is misspelt, or where filters leave nothing of it."""
    if (
        "snakemake" not in Path(sys.argv[0]).parts[-2:]
    ):  # started by another program, with targets of its own
        return
    try:
        PLAN.check_targets(
            get_argument_parser().parse_args(sys.argv[1:]).targets,
            [rule.name for rule in workflow.rules],
        )
    except (ConfigError, DataError) as error:
        raise WorkflowError(error)


def date_of(path):
    """When a file was written; 0 for a link to nowhere, and for what goes while one looks."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def check_results_folder():
    """Stop before the first job where results cannot be written, or have dates that are still to come."""
    folder = Path("results")
    if folder.exists() and not os.access(folder, os.W_OK):
        raise WorkflowError(
            f"the folder {folder.resolve()} cannot be written; make it writable, or run in another one: --directory"
        )
    soon = time.time() + 60
    ahead = [path for path in folder.rglob("*") if date_of(path) > soon]
    if ahead:
        raise WorkflowError(
            f"{ahead[0]} and {len(ahead) - 1} more below {folder} are of a time that is still to come, so that nobody can "
            "tell what is out of date; if this machine's clock is right, date them anew: "
            f"find {folder} -newermt now -exec touch {{}} +"
        )


def end_now():
    """Cancel the timers with which the scheduler would look for jobs again; Snakemake waits for them at its end."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()


def dataset_results(dataset):
    """Results of one dataset in the studies that are run without a target, or else in all that have it."""
    chosen = [study for study in PLAN.chosen if dataset in PLAN.datasets(study)]
    return lambda wildcards: [
        path
        for study in chosen or PLAN.studies
        for path in PLAN.sources.files(study, dataset)
    ]


def at_root(path):
    """A file of the repository, relative to the working directory: a moved checkout re-runs nothing."""
    return os.path.relpath(ROOT / path)


def code_of(script):
    """What a script runs, as a parameter of its rule; what it finds by name is another one."""
    return lambda wildcards: script_fingerprint(ROOT / f"workflow/scripts/{script}.py")


def check_rules_of_methods():
    """Stop where a method's folder cannot make its rankings: Snakemake would take old results for them without a word."""
    for study in PLAN.studies:
        for dataset, method in PLAN.pairs(study):
            folder = PLAN.methods[method].rule
            if folder is None:
                continue
            names = {"study": study, "dataset": dataset, "method": method}
            path = paths.EXTERNAL.format(L=PLAN.budgets(study)[0], **names)
            rules = [each for each in workflow.rules if each.is_producer(path)]
            if not rules:
                raise WorkflowError(
                    f"workflow/rules/methods/{folder}/rule.smk: no rule there makes the rankings of method {method!r}; "
                    f"its output must be paths.EXTERNAL, with method=one_of(PLAN.methods_of_rule({folder!r})) under "
                    "wildcard_constraints"
                )
            for file in rules[0].input:
                made = callable(file) or any(
                    each.is_producer(file) for each in workflow.rules
                )
                if not made and "{" not in file and not Path(file).exists():
                    raise WorkflowError(
                        f"workflow/rules/methods/{folder}/rule.smk: there is no file {file}, "
                        f"which is among the inputs of its rule {rules[0].name}"
                    )


def exports_of(wildcards):
    """The exports that the rule of a method in another language reads."""
    path = paths.EXTERNAL.format(**wildcards)
    read = {
        file for each in workflow.rules if each.is_producer(path) for file in each.input
    }
    exports = [paths.fill(paths.EXPORT, form=form) for form in ("csv", "arff")]
    return [export.format(**wildcards) for export in exports if export in read]


def memory(base):
    """Megabytes of a job: `base` and some for the table, more with each attempt."""
    return lambda wildcards, attempt: attempt * (
        base + PLAN.size(wildcards.dataset) // 10_000
    )


def minutes(base):
    """Minutes of a job, more with each attempt."""
    return lambda wildcards, attempt: attempt * base


def large_first(wildcards):
    """Priority of large datasets, so that no long job is left over at the end."""
    return min(PLAN.size(wildcards.dataset) // 1000, 100_000)


ENVIRONMENT = str(ROOT / "envs/sslrank.yaml")
DATASET_TABLE = {"table": paths.TABLE, "header": paths.HEADER}
SPLIT_TABLE = DATASET_TABLE | {"splits": paths.SPLITS}

# What the command line or a profile says of rule `rank` or `score` holds for its joined forms too.
for GIVEN in (
    workflow.resource_settings.overwrite_threads,
    workflow.resource_settings.overwrite_resources,
):
    for STAGE, NAME in PLAN.joined_rules():
        if STAGE in GIVEN:
            GIVEN.setdefault(NAME, GIVEN[STAGE])


wildcard_constraints:
    study=one_of(PLAN.studies),
    dataset=one_of(PLAN.catalogue),
    method=one_of(PLAN.methods),
    evaluator=one_of(PLAN.evaluators),
    L=one_of({budget for study in PLAN.studies for budget in PLAN.budgets(study)}),
    task="classification|mlc|hmlc|str|mtr",
    table=one_of({table for study in PLAN.studies.values() for table in study.tables}),
