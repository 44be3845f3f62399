"""The jobs of the workflow, one module for each rule, and what these share.

The rules' script, ``workflow/scripts/step.py``, passes Snakemake's job to :func:`run_step`, which calls the function of
the rule, such as ``rank_job`` in ``steps/rank.py``, with the values of :func:`step_arguments` for its parameters. The
lines that it returns are shown.
"""

import os
import resource
import sys
import time
from importlib import import_module
from inspect import signature
from pathlib import Path

from sslrank.benchmark.steps.fork_server import run_in_fork
from sslrank.core.durations import parse_duration

#: Rules whose logs end with the job's parameters and environment, which the archive keeps.
RECORDED = ("splits", "rank", "import_rankings", "score", "experiment_part")


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
    from sslrank.benchmark.logs import log_to

    started = time.perf_counter()
    with log_to(job.log[0], job, record=job.rule in RECORDED) as log:
        step, known = getattr(import_module(f"{__name__}.{job.rule}"), f"{job.rule}_job"), step_arguments(job)
        for line in step(**{name: known[name] for name in signature(step).parameters if name in known}) or ():
            log(line)
        if path := job.output.get("benchmark"):
            write_benchmark(path, time.perf_counter() - started)


def write_benchmark(path, seconds):
    """Write seconds, memory and processor seconds of this process and its children in Snakemake's format."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    megabytes = max(each.ru_maxrss for each in usage) / (1e6 if sys.platform == "darwin" else 1e3)
    processor = sum(each.ru_utime + each.ru_stime for each in usage)
    text = f"s\tmax_rss\tcpu_time\n{seconds:.4f}\t{megabytes:.2f}\t{processor:.2f}\n"
    Path(path).write_text(text, encoding="utf-8")


def step_arguments(job):
    """Return the arguments that a step's function may take, by name: wildcards, files, params and the following.

    - `names`, all wildcards; `inputs`, all input files; `output` and `folder`, the first output and its folder;
    - `data`, the folder of the prepared dataset; `collected`, the folder of the first input;
    - `n_jobs`, the threads; `limit`, the maximum seconds of one fit, 0 for no limit; `may_retry`, whether a kill from
      outside fails the job.
    """
    params = dict(job.params.items())
    known = {**dict(job.wildcards.items()), **dict(job.output.items()), **dict(job.input.items())}
    for name in ("experiments", "shared"):  # files and folders by their names
        known[name] = {Path(path).name.removesuffix(".csv"): path for path in known.get(name, ())}
    first, output = (Path(next(iter(files), "")) for files in (job.input, job.output))
    limit = (job.config.get("limits") or {}).get("fit")  # not a param, because a limit changes no ranking
    more = {
        "names": dict(job.wildcards.items()),
        "inputs": list(job.input),
        "output": output,
        "folder": output.parent,
        "data": Path(known.get("table", "")).parent,
        "collected": first.parent,
        "n_jobs": job.threads,
        "limit": parse_duration(limit) if limit else 0,
        # Slurm jobs are retried twice, with more memory.
        "may_retry": "SLURM_JOB_ID" in os.environ and job.resources.get("attempt", 3) < 3,
    }
    if job.rule in RECORDED:
        more["code_key"] = code_key(params)
    return more | known | params | params.get("job", {})


def code_key(params):
    """Return what results depend on in addition to the params: digests and versions.

    Partial results of a stopped job are reused only if this is unchanged.
    """
    from sslrank.benchmark.environment import environment

    job, made_by = params.get("job", {}), environment()
    return repr((params.get("code"), job.get("used"), made_by["versions"], made_by["instructions"]))


def unavailable_lines(problem):
    """Return lines that report an unavailable dataset; none if there is no problem."""
    if not problem:
        return []
    return [f"{problem}\nThe rest is made without it. The next run tries failed downloads and readings again."]
