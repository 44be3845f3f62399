"""Snakemake's command in a process that a server forks, which has imported Snakemake and the plan once.

A start takes four seconds of a processor, of which three are imports.
"""

import multiprocessing
import os
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parent
SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["snakemake.cli", "sslrank.pipeline.plan.plan", "sslrank.pipeline.plan.provenance"])


def run_forked(arguments, folder, environment, timeout):
    """Exit code and output of ``python -m snakemake ARGUMENTS``, typed in a folder."""
    with tempfile.NamedTemporaryFile() as output:
        process = SERVER.Process(target=_run, args=(arguments, folder, environment, output.name))
        process.start()
        process.join(timeout)
        code = process.exitcode
        process.kill()
        process.join()
        text = Path(output.name).read_text(encoding="utf-8")
    if code is None:
        raise TimeoutError(f"not finished in {timeout} s: {text[-6000:]}")
    return code, text


def _run(arguments, folder, environment, output):
    from snakemake import cli

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with open(output, "wb") as stream:
        for number in (1, 2):
            os.dup2(stream.fileno(), number)
    # What pytest has put before it is not to be found there.
    path = [each for each in map(Path, sys.path) if each not in (TESTS.parent, TESTS) and TESTS not in each.parents]
    sys.path[:] = map(str, [folder, *environment["PYTHONPATH"].split(os.pathsep), *path])
    sys.argv = [str(Path(cli.__file__).with_name("__main__.py")), *arguments]
    cli.main()
