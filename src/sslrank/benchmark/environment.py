"""The environment of a job: commit, versions of packages, machine."""

import argparse
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

#: Environment variable with the commit for the jobs of a run: hash, "-dirty" if files are changed, and date.
COMMIT = "SSLRANK_COMMIT"
#: Environment variable with command line, configuration files and archive of a run for its jobs, as JSON.
RUN = "SSLRANK_RUN"
#: Instruction sets by the processor flags that they need (x86-64 psABI), largest first.
LEVELS = {
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "x86-64-v3": {"avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "x86-64-v2": {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"},
}


def package_versions():
    """Return the versions of this package and its dependencies."""
    names = {"sslrank", "cython"}
    for item in requires("sslrank") or []:
        extra = item.partition("extra == ")[2].strip("\"' ")
        if extra in ("", "workflow", "demo"):
            names.add(re.match(r"[\w.-]+", item)[0].lower())
    versions = {}
    for name in sorted(names):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = None
    return versions


def git_state(root):
    """Return the commit of the checkout, with "-dirty" if files other than results differ; None outside of one."""
    try:
        commit = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)results")
    except (OSError, subprocess.SubprocessError):
        return None
    return commit + ("-dirty" if changed else "")


def commit_words(root):
    """Return commit and date in the format of the variable :data:`COMMIT`; "" outside a checkout."""
    state = git_state(root)
    return "" if state is None else f"{state} {_git(root, 'show', '-s', '--format=%cI', 'HEAD')}"


def _git(root, *words):
    options = {"cwd": root, "capture_output": True, "text": True, "check": True, "timeout": 30}
    return subprocess.run(["git", *words], **options).stdout.strip()


@cache
def _processor():
    """Read the fields of /proc/cpuinfo for the first processor."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("\n\n")[0]
    except OSError:
        return {}
    return dict(re.findall(r"^([^\t:]+)\s*: (.*)$", text, re.MULTILINE))


def machine():
    """Describe the machine."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processor": _processor().get("model name", platform.processor()),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def instruction_set():
    """Return the largest instruction set of :data:`LEVELS` that the processor supports, or its architecture."""
    flags = set(_processor().get("flags", "").split())
    return next((level for level, needed in LEVELS.items() if needed <= flags), platform.machine())


def describe_run(root, archive):
    """Describe the run of this process, for :func:`this_run`; `root` is the repository."""
    words = sys.argv[1:]
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", action="extend", default=[])
    is_here = Path(root).resolve() == Path.cwd()
    return {
        "command": shlex.join(["snakemake", *words]),
        "snakefile": None if is_here else os.path.relpath(Path(root) / "Snakefile"),
        "configfiles": parser.parse_known_args(words)[0].configfile,
        "archive": archive,
    }


def this_run():
    """Return command line, Snakefile of another folder, configuration files and archive of the run of this job.

    None of them outside of a run.
    """
    none = {"command": None, "snakefile": None, "configfiles": [], "archive": None}
    return none | json.loads(os.environ.get(RUN, "{}"))


def environment():
    """Describe the environment of a job, for JSON: commit, committed (its date), versions, machine, instructions.

    Commit and date are those of the run that started the job, None outside a checkout.
    """
    commit, _, committed = os.environ.get(COMMIT, "").partition(" ")
    return {
        "commit": commit or None,
        "committed": committed or None,
        "versions": package_versions(),
        "machine": machine(),
        "instructions": instruction_set(),
    }
