"""Snakemake's command, and the scripts of its jobs, in processes that a server of the tests forks.

A start of Snakemake takes two seconds of a processor for its imports. Runs with another library, and those that tests
ask for, start every process as on the command line.
"""

import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

from sslrank.benchmark.steps import fork_server

TESTS = Path(__file__).parent
STEPS = Path(fork_server.__file__).parent
#: What runs of Snakemake, and their jobs, import.
IMPORTED = (
    *fork_server.PRELOADED,
    *(f"sslrank.benchmark.steps.{path.stem}" for path in STEPS.glob("[a-z]*.py")),
    "snakemake.cli",
    "sslrank.benchmark.plan.plan",
    "sslrank.benchmark.report.figures",
    "sslrank.benchmark.report.page",
)


def run_forked(arguments, folder, environment):
    """Exit code and output of ``python -m snakemake ARGUMENTS``, typed in a folder."""
    fork_server.start_server(IMPORTED)
    environment = {**environment, fork_server.SERVER: os.environ[fork_server.SERVER]}
    with tempfile.NamedTemporaryFile() as output:
        code = fork_server.run_in_fork(_run, arguments, folder, environment, output.name)
        return code, Path(output.name).read_text(encoding="utf-8")


def _run(arguments, folder, environment, output):
    from snakemake import cli, script

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with open(output, "wb") as stream:
        for number in (1, 2):
            os.dup2(stream.fileno(), number)
    # What pytest has put before it is not to be found there.
    path = [each for each in map(Path, sys.path) if each not in (TESTS.parent, TESTS) and TESTS not in each.parents]
    sys.path[:] = [str(folder), *environment["PYTHONPATH"].split(os.pathsep), *map(str, path)]
    script.PythonScript.execute_script = lambda job, file, edit=False: _execute(file)
    sys.argv = [str(Path(cli.__file__).with_name("__main__.py")), *arguments]
    cli.main()


def _execute(file):
    """Run a job's script, in place of Snakemake's shell."""
    if code := fork_server.run_in_fork(runpy.run_path, file, None, "__main__"):
        raise subprocess.CalledProcessError(code, ["python", file])
