"""The jobs of the workflow, and what they share.

A rule names the function of its step: ``rank_job`` is that of ``steps/rank.py``, and ``report.page_job`` is in
``steps/report.py``. The script of all rules, ``workflow/scripts/step.py``, calls it with one argument: a dataclass of
the module, whose fields are the names of the rule's input, output and params, and those of :class:`Job`. Files without
a name are only what the job depends on. The lines that the function returns are shown.
"""

import contextlib
import json
import os
import resource
import sys
import time
import traceback
import warnings
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from inspect import signature
from pathlib import Path

from sslrank.benchmark.steps.fork_server import run_in_fork
from sslrank.core.durations import parse_duration

#: Names of rules that may be no field: the function, its measurements, and what a job only depends on.
NOT_PASSED = ("function", "benchmark", "code", "used", "content", "n_failures", "sources", "spec", "table")


@dataclass(frozen=True, kw_only=True)
class Job:
    """What the function of every step gets from the run; every subclass is a frozen dataclass.

    `threads` change no result, `fit_limit` is the maximum seconds of one fit (0 is no limit), with `may_retry` a kill
    from outside fails the job, and `code_key` has what results depend on in addition to files and params.
    """

    threads: int = 1
    fit_limit: float = 0
    may_retry: bool = False
    code_key: str = ""

    def __init_subclass__(cls):
        dataclass(frozen=True, kw_only=True)(cls)


class DatasetJob(Job):
    """A job on a prepared dataset with this `header`."""

    header: Path

    @property
    def data(self):
        """The folder of the prepared dataset."""
        return self.header.parent


class SplitJob(DatasetJob):
    """A job on a prepared dataset and its splits."""

    splits: Path


def run(job):
    """Run a job of the workflow, if possible in a fork of the run's server; print nothing after Ctrl-C."""
    try:
        code = run_in_fork(run_step, job, threads=job.threads)
        if code is None:
            run_step(job)
    except KeyboardInterrupt:
        code = 130
    if code:
        sys.exit(code if code > 0 else 128 - code)


def run_step(job):
    """Run a job in this process; its output, and the traceback of an error, go to its log."""
    started, name = time.perf_counter(), job.params["function"]
    with log_to(job.log[0]) as log:
        module, _, name = name.rpartition(".")
        function = getattr(import_module(f"{__name__}.{module or name.removesuffix('_job')}"), name)
        for line in function(job_of(function, job)) or ():
            log(line)
        if path := job.output.get("benchmark"):
            write_benchmark(path, job, time.perf_counter() - started)


@contextlib.contextmanager
def log_to(path):
    """Send a job's output, warnings and traceback to its log file.

    Yields a function that prints a line to the log and the terminal. An error is written to both, and raises
    SystemExit.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(b"")

    def log(text):
        print(text)
        print(text, file=terminal)

    with Path(path).open("a", encoding="utf-8") as stream:  # append mode: child processes write to the same file
        terminal = sys.stderr
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream), warnings.catch_warnings():
            warnings.simplefilter("default")
            try:
                yield log
            except Exception as error:
                traceback.print_exc()
                # The terminal gets the one line that matters; the log has the rest.
                kind = "" if type(error).__name__ in ("JobError", "NoDataError") else f"{type(error).__name__}: "
                print(f"{kind}{error} (more in {path})", file=terminal)
                raise SystemExit(1) from None


def job_of(function, job):
    """Build the argument of a step's function from Snakemake's job; a name of the rule that is no field is an error."""
    (argument,) = signature(function).parameters.values()
    files = {name: _paths(value) for name, value in [*job.input.items(), *job.output.items()]}
    given, fields = dict(job.params.items()) | files, argument.annotation.__dataclass_fields__
    limit = (job.config.get("limits") or {}).get("fit")  # not a param, because a limit changes no ranking
    return argument.annotation(
        **{name: value for name, value in given.items() if name in fields or name not in NOT_PASSED},
        threads=job.threads,
        fit_limit=parse_duration(limit) if limit else 0,
        # Slurm jobs are retried twice, with more memory.
        may_retry="SLURM_JOB_ID" in os.environ and job.resources.get("attempt", 3) < 3,
        code_key=code_key(job.params) if "benchmark" in files else "",
    )


def _paths(value):
    return Path(value) if isinstance(value, str) else [Path(path) for path in value]


def code_key(params):
    """Return what results depend on in addition to the params: digests and versions.

    Partial results of a stopped job are reused only if this is unchanged.
    """
    from sslrank.benchmark.environment import environment

    facts = environment()
    return repr((params.get("code"), params.get("used"), facts["versions"], facts["instructions"]))


def write_benchmark(path, job, seconds):
    """Write seconds, memory in MB and processor seconds of this process and its children, and what made the results.

    The JSON also has the job's params, its environment (:func:`sslrank.benchmark.environment.environment`) and its end.
    """
    from sslrank.benchmark.environment import environment

    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    megabytes = max(each.ru_maxrss for each in usage) / (1e6 if sys.platform == "darwin" else 1e3)
    processor = sum(each.ru_utime + each.ru_stime for each in usage)
    measured = {"s": round(seconds, 4), "max_rss": round(megabytes, 2), "cpu_time": round(processor, 2)}
    made_by = {"params": dict(job.params.items()), "environment": environment()}
    made_by["date"] = datetime.now(UTC).isoformat(timespec="seconds")
    Path(path).write_text(json.dumps(measured | made_by, sort_keys=True) + "\n", encoding="utf-8")


def unavailable_lines(problem):
    """Return lines about an unavailable dataset; none if there is no problem."""
    if not problem:
        return []
    return [f"{problem}\nThe rest is made without it. The next run tries failed downloads and readings again."]
