# The plan (every job that the configuration asks for), the wildcards, and helpers of the rules.
import gc
import json
import os
import re
import sys
import time
from functools import partial
from pathlib import Path

from snakemake.exceptions import WorkflowError

try:
    from sslrank.benchmark.environment import COMMIT, RUN, commit_words, describe_run
    from sslrank.benchmark.plan.fingerprints import (
        content_facts,
        reader_code,
        source_facts,
        source_root,
        step_code,
    )
    from sslrank.benchmark.files import count_failures
    from sslrank.benchmark.config.load import rule_folders
    from sslrank.benchmark.plan.plan import Plan
    from sslrank.benchmark.plan.sources import ResultSources, intended, unplanned
    from sslrank.benchmark.plan.study import StudyPlan
    from sslrank.benchmark.steps.fork_server import start_server
    from sslrank.core.errors import DataError
except ImportError as error:
    raise WorkflowError(f"sslrank is not installed here ({error}); run: make install")

# The job graph of a large study has millions of long-lived objects; repeated garbage collection takes a sixth of the
# time until the first job.
gc.set_threshold(100_000)

# Rules that Snakemake reads from a forge use the definitions of the checkout in which the library is installed.
ROOT = Path(str(workflow.current_basedir)).parents[1]
ROOT = ROOT if ROOT.is_dir() else source_root().parents[1]
# Users' modules next to the Snakefile and in the working directory can be imported, also in the processes of jobs.
for folder in (str(ROOT), os.getcwd()):
    searched = os.environ.setdefault("PYTHONPATH", folder).split(os.pathsep)
    if folder not in searched:
        os.environ.update(PYTHONPATH=os.pathsep.join([*filter(None, searched), folder]))
    if folder not in sys.path:
        sys.path.append(folder)

# Jobs inherit these variables from the run, also on a cluster, and use the configuration that the run has checked.
IS_JOB = RUN in os.environ
try:
    PLAN = Plan(config, ROOT, is_checked=IS_JOB)
except DataError as error:
    raise WorkflowError(error)
if not IS_JOB:
    # For the manifest; not a parameter of a rule, so that another command does not trigger reruns.
    os.environ[RUN] = json.dumps(describe_run(ROOT, PLAN.archive))
    os.environ[COMMIT] = commit_words(ROOT)

ENVIRONMENT = str(ROOT / "envs/sslrank.yaml")
STARTED = time.time()


def one_of(names):
    """A regular expression for exactly these names; for none of them, one that never matches."""
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "(?!)"


def asking(plan_of):
    """Make a function that turns a question to the plan of a study, about other wildcards, into one of wildcards."""

    def about(question, *names):
        return lambda wildcards: question(plan_of(wildcards.study), *(getattr(wildcards, name) for name in names))

    return about


of_study, of_sources = asking(PLAN.study), asking(PLAN.sources)


def step(name):
    """Params of a rule: the function of its step in sslrank.benchmark.steps, and what its result depends on there."""
    return {"function": f"{name}_job", "code": step_code(name.rpartition(".")[2])}


def of_dataset(question):
    """A function of wildcards that asks the plan about their dataset."""
    return lambda wildcards: question(wildcards.dataset)


def reported(path, subcategory, caption, pattern=None, **labels):
    """An output for Snakemake's report: a file, or those files of a folder that match a pattern."""
    shown = {"caption": f"../report/{caption}.rst", "category": "{study}", "subcategory": subcategory, "labels": labels}
    return report(directory(path), patterns=[pattern], **shown) if pattern else report(path, **shown)


def failures(step):
    """Number of failures of a step on a dataset: as a param of its rule, it makes the next run try again."""
    return lambda wildcards: count_failures(f"results/data/{wildcards.dataset}/{step}_failures.log")


NAMED_FOLDERS = set()


def ranked_by(folder):
    """A regular expression for the methods of a folder in workflow/rules/methods/, for the rule in it."""
    NAMED_FOLDERS.add(f"methods/{folder}")
    return one_of(PLAN.methods_of_rule(folder))


def scored_by(folder):
    """The same for the evaluators of a folder in workflow/rules/evaluators/."""
    NAMED_FOLDERS.add(f"evaluators/{folder}")
    return one_of(PLAN.evaluators_of_rule(folder))


def parameter(name, default):
    """A parameter of a method with a rule of its own."""
    return lambda wildcards: (PLAN.study(wildcards.study).spec(wildcards.method)["params"].get(name, default))


def setting(name, default):
    """A setting of an evaluator with a rule of its own."""
    return lambda wildcards: PLAN.evaluators[wildcards.evaluator].params.get(name, default)


def pages_of(studies):
    """The results pages of studies, except of those that the filters empty; print notes on what is left out."""

    def pages(wildcards):
        for note in () if IS_JOB else PLAN.notes(studies):
            print(note, file=sys.stderr)
        return expand("results/{study}/report.html", study=PLAN.with_results(studies))

    return pages


def scores_by(module):
    """Scores of the chosen studies by the evaluators of a module of sslrank.evaluation.evaluators."""
    return lambda wildcards: [
        f"results/{study}/scores/{dataset}/{method}.csv"
        for study in PLAN.chosen
        for dataset, method in PLAN.study(study).pairs()
        if any(PLAN.evaluators[name].evaluator == module for name in PLAN.study(study).evaluators(method))
    ]


def parts_of_chosen(pattern):
    """Files of the parts of experiments that the chosen studies compute in this run."""
    return lambda wildcards: [
        pattern.format(study=study, experiment=experiment, part=part)
        for study in PLAN.chosen
        for experiment, spec in PLAN.sources(study).experiments_here().items()
        for part in spec["parts"]
    ]


def of_methods(pattern):
    """Files of the methods whose results on a dataset are computed in this run."""
    methods = of_sources(ResultSources.specs_here, "dataset")
    return expand(pattern, method=lambda w: list(methods(w)), allow_missing=True)


def from_repository_root(path):
    """A file of the repository, relative to the working directory: a moved checkout re-runs nothing."""
    return os.path.relpath(ROOT / path)


def print_failures():
    """Say last what failed in the studies whose pages this run has made; return those without any result."""
    from sslrank.benchmark.report.runs import failure_line, has_result

    without = []
    there = "" if ROOT == Path.cwd() else f"{Path.cwd()}/"
    for study in PLAN.studies:
        page = Path("results", study, "report.html")
        if page.exists() and page.stat().st_mtime >= STARTED:
            print(failure_line(f"{there}results/{study}"), end="", file=sys.stderr)
            without += [] if has_result(f"results/{study}") else [study]
    return without


def memory(base):
    """Megabytes of a job: `base` and some for the table, more with each attempt."""
    return lambda wildcards, attempt: attempt * (base + PLAN.size(wildcards.dataset) // 10_000)


def short(step):
    """The group of short jobs, which a cluster gets several at a time; None for others."""
    return lambda wildcards: ("short" if PLAN.resources.is_short(step, wildcards) else None)


def this_attempt(wildcards, attempt):
    """Resource `attempt`: the number of the attempt, which shows a job whether a crash will be retried."""
    return attempt


def large_first(wildcards):
    """Priority of large datasets, so that no long job is left over at the end."""
    return min(PLAN.size(wildcards.dataset) // 1000, 100_000)


wildcard_constraints:
    study=one_of(PLAN.studies),
    dataset=one_of(PLAN.catalogue),
    method=one_of(PLAN.methods),
    evaluator=one_of(PLAN.evaluators),
    L=one_of({L for study in PLAN.studies.values() for L in study.splits.L}),
    experiment=one_of({name for study in PLAN.studies.values() for name in study.experiments}),
    part="[^/]+",
