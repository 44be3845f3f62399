# The plan (every job that the configuration asks for), the wildcards, and helpers of the rules.
import gc
import json
import os
import re
import shlex
import sys
import time
from pathlib import Path

from snakemake.exceptions import WorkflowError

try:
    from sslrank.datasets.dataset import DataError
    from sslrank.benchmark.environment import COMMIT, RUN, commit_words
    from sslrank.benchmark.plan.plan import ConfigError, Plan
    from sslrank.benchmark.plan.fingerprints import (
        content_facts,
        evaluator_code,
        experiment_code,
        page_assets,
        ranker_facts,
        reader_code,
        source_facts,
        step_code,
    )
    from sslrank.benchmark.plan.results import cells
except ImportError as error:
    raise WorkflowError(f"sslrank is not installed here ({error}); run: make install")

# The graph of a large study has millions of objects, which all stay: to look among them for garbage again and again takes
# a sixth of the time until the first job.
gc.set_threshold(100_000)

ROOT = Path(str(workflow.current_basedir)).parents[1]
# Modules of users may be next to the Snakefile, in every process that a job starts.
SEARCHED = os.environ.setdefault("PYTHONPATH", str(ROOT))
if str(ROOT) not in SEARCHED.split(os.pathsep):
    os.environ.update(PYTHONPATH=os.pathsep.join([SEARCHED, str(ROOT)]))


def snakefile_elsewhere():
    """The Snakefile as seen from the folder of the results, where that is another (--directory); or else None."""
    path = Path(workflow.main_snakefile)
    return None if path.parent == Path.cwd() else os.path.relpath(path)


# The run, for the manifest. Jobs inherit it, and would otherwise record their own command. No parameter of a rule: the
# same results by another command are not made again.
THIS_RUN = {
    "command": shlex.join(["snakemake", *sys.argv[1:]]),
    "snakefile": snakefile_elsewhere(),
    "configfiles": [os.path.relpath(path) for path in workflow.overwrite_configfiles],
    "archive": config.get("archive"),
}
os.environ.setdefault(RUN, json.dumps(THIS_RUN))
# The commit, for the records of jobs.
if COMMIT not in os.environ:
    os.environ[COMMIT] = commit_words(ROOT)

try:
    PLAN = Plan(config, ROOT, is_checked=not workflow.is_main_process)
except (ConfigError, DataError) as error:
    raise WorkflowError(error)

ENVIRONMENT = str(ROOT / "envs/sslrank.yaml")
STARTED = time.time()


def one_of(names):
    """A regular expression for exactly these names; for none of them, one that never matches."""
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "(?!)"


def page_of(study):
    """The results page of a study."""
    return lambda wildcards: PLAN.pages([study])


def results_of(dataset):
    """Results of one dataset in the studies that are run without a target, or else in all that have it."""
    there = [study for study in PLAN.chosen if study in PLAN.studies]
    chosen = [study for study in there if dataset in PLAN.datasets(study)]
    return lambda wildcards: [
        path
        for study in chosen or PLAN.studies
        for path in PLAN.results(study).files(dataset)
    ]


def at_root(path):
    """A file of the repository, relative to the working directory: a moved checkout re-runs nothing."""
    return os.path.relpath(ROOT / path)


def code_of(step):
    """The code of a step, as a parameter of its rule: what changes re-runs its jobs."""
    return lambda wildcards: step_code(step)


# Rules by their old names, which somebody's scripts may have: --forcerun summarize, --set-resources condense:mem_mb=...
RENAMED = {"condense": "stability", "summarize": "study_summary"}
for word in [part for typed in sys.argv[1:] for part in re.split("[:=]", typed)]:
    if word in RENAMED and word not in PLAN.studies:
        raise WorkflowError(f"the rule {word!r} is now called {RENAMED[word]!r}")


def check_results(folder=Path("results")):
    """Stop before the first job where results cannot be written, or have dates in the future, which re-run for ever."""
    if folder.exists() and not os.access(folder, os.W_OK):
        raise WorkflowError(f"{folder.resolve()} cannot be written; make it writable")
    dates = {path: path.lstat().st_mtime for path in folder.rglob("*")}
    if ahead := [path for path, date in dates.items() if date > time.time() + 60]:
        raise WorkflowError(
            f"{ahead[0]} and {len(ahead) - 1} more files have dates in the future; if this machine's clock is right, run: "
            f"find {folder} -newermt now -exec touch {{}} +"
        )


def tell_failures():
    """Say last what failed in the studies whose pages this run has made."""
    from sslrank.benchmark.report.runs import failure_line

    there = f"{Path.cwd()}/" if snakefile_elsewhere() else ""
    for study in PLAN.studies:
        page = Path("results", study, "report.html")
        if page.exists() and page.stat().st_mtime >= STARTED:
            print(failure_line(f"{there}results/{study}"), end="", file=sys.stderr)


def memory(base):
    """Megabytes of a job: `base` and some for the table, more with each attempt."""
    return lambda wildcards, attempt: attempt * (
        base + PLAN.size(wildcards.dataset) // 10_000
    )


def walltime(step):
    """Minutes of a job of a step by the archive's durations, more with each attempt."""
    return lambda wildcards, attempt: PLAN.resources.minutes(step, wildcards, attempt)


def megabytes(step):
    """Memory of a job of a step by the archive's durations, more with each attempt."""
    return lambda wildcards, attempt: PLAN.resources.megabytes(step, wildcards, attempt)


def short(step):
    """The group of short jobs, of which a cluster gets several as one; None for others."""
    return lambda wildcards: (
        "short" if PLAN.resources.is_short(step, wildcards) else None
    )


# The number of the attempt, which a job asks for before it gives up.
def this_attempt(wildcards, attempt):
    return attempt


def large_first(wildcards):
    """Priority of large datasets, so that no long job is left over at the end."""
    return min(PLAN.size(wildcards.dataset) // 1000, 100_000)


wildcard_constraints:
    study=one_of(PLAN.studies),
    dataset=one_of(PLAN.catalogue),
    method=one_of(PLAN.methods),
    evaluator=one_of(PLAN.evaluators),
    L=one_of({budget for study in PLAN.studies for budget in PLAN.budgets(study)}),
    experiment=one_of(PLAN.experiments()),
