"""Snakemake's command in a process that a server forks, which has imported Snakemake and the plan once.

A start takes two seconds of a processor for its imports, and so does each job of such a run. The jobs' scripts and
their children are therefore forked too, by a process that has no threads and has imported what they use. Runs with
another library, and one of the tests in tests/workflow/test_progress.py, start every process as on the command line.
"""

import os
import pickle
import runpy
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

from forked_children import ForkedChild, be_in, code_of, serve

TESTS = Path(__file__).parent


def run_forked(arguments, folder, environment, timeout):
    """Exit code and output of ``python -m snakemake ARGUMENTS``, typed in a folder."""
    with tempfile.NamedTemporaryFile() as output:
        process = serve(_run, arguments, folder, environment, output.name)
        process.join(timeout)
        code = process.exitcode
        process.kill()
        process.join()
        text = Path(output.name).read_text(encoding="utf-8")
    if code is None:
        raise TimeoutError(f"not finished in {timeout} s: {text[-6000:]}")
    return code, text


class Started:
    """A forked run in the background, in a process group of its own, as `subprocess.Popen` has it."""

    def __init__(self, arguments, folder, environment):
        self._process = serve(_run_apart, arguments, folder, environment, os.devnull)
        self.pid = self._process.pid

    def poll(self):
        return self._process.exitcode

    def wait(self):
        self._process.join()


def _run_apart(*given):
    os.setsid()
    _run(*given)


def _run(arguments, folder, environment, output):
    from snakemake import cli, script

    be_in(folder, environment)
    with open(output, "wb") as stream:
        for number in (1, 2):
            os.dup2(stream.fileno(), number)
    # What pytest has put before it is not to be found there.
    path = [each for each in map(Path, sys.path) if each not in (TESTS.parent, TESTS) and TESTS not in each.parents]
    path = [str(each) for each in path]
    sys.path[:] = [str(folder), *environment["PYTHONPATH"].split(os.pathsep), *path]
    asking, asked = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not os.fork():
        asking.close()
        _serve(asked, path)
    asked.close()
    script.PythonScript.execute_script = lambda job, file, edit=False: _ask(asking, file, job.bench_record)
    sys.argv = [str(Path(cli.__file__).with_name("__main__.py")), *arguments]
    cli.main()


def _ask(asking, file, record):
    """Have a job's script run, in place of Snakemake's shell."""
    from snakemake.benchmark import benchmarked

    reading, writing = os.pipe()
    socket.send_fds(asking, [pickle.dumps((file, os.getcwd(), dict(os.environ)))], [writing])
    os.close(writing)
    with os.fdopen(reading) as told:
        process = int(told.readline())
        with benchmarked(process if record is not None else False, record):
            code = int(told.readline() or -1)  # nothing is told by a process that is killed
    if code:
        raise subprocess.CalledProcessError(code, ["python", file])


def _serve(asked, path):
    """Fork a process for each script; whoever asks gets its id and its exit code. Ends with Snakemake.

    Nobody waits for these processes, so that psutil finds also one that has ended when Snakemake begins to measure it.
    """
    while True:
        message, told, *_ = socket.recv_fds(asked, 1 << 20, 1)
        if not message:
            os._exit(0)
        if not os.fork():
            asked.close()
            os.write(told[0], f"{os.getpid()}\n".encode())
            code = code_of(_run_script, path, *pickle.loads(message))
            os.write(told[0], f"{code}\n".encode())
            os._exit(code)
        os.close(told[0])


def _run_script(path, file, folder, environment):
    from sslrank.benchmark.steps import child_process

    be_in(folder, environment)
    sys.path[:] = [str(Path(file).parent.resolve()), *environment["PYTHONPATH"].split(os.pathsep), *path]
    sys.argv = [file]
    child_process.subprocess = SimpleNamespace(Popen=ForkedChild, PIPE=subprocess.PIPE)
    runpy.run_path(file, run_name="__main__")
