"""Child processes of jobs that are forked where a start of Python would import scikit-learn again, for two seconds.

`ForkedChild` and `ServedChild` stand in for `subprocess.Popen` in `sslrank.benchmark.steps.child_process`: they run the
same program with the same input. A test in tests/workflow/test_progress.py and one in
tests/benchmark/steps/test_child_process.py start Python as users do.
"""

import faulthandler
import multiprocessing
import os
import runpy
import signal
import sys
import traceback
from multiprocessing import forkserver, resource_tracker
from multiprocessing.reduction import DupFd
from pathlib import Path
from unittest import mock

#: A process without threads that has imported what jobs use, and forks.
SERVER = multiprocessing.get_context("forkserver")


def serve(target, *given):
    """Start a process that the server forks."""
    SERVER.set_forkserver_preload(["forked_imports"])
    with mock.patch.dict(os.environ, PYTHONPATH=str(Path(__file__).parent)):  # where it finds that
        forkserver.ensure_running()
    process = SERVER.Process(target=target, args=given)
    process.start()
    return process


class ForkedChild:
    """A child that the calling process forks, which must have no threads."""

    def __init__(self, command, stdin, stdout, stderr, pass_fds):
        reading, writing = os.pipe()
        self._start(command[-1], reading, stdout, *pass_fds)
        os.close(reading)
        self.stdin = open(writing, "wb")  # noqa: SIM115 (closed by the caller)
        self._code = None

    def _start(self, *given):
        self._process = os.fork()
        if not self._process:
            os._exit(code_of(run_program, *given))

    def wait(self, flags=0):
        """Exit code, or minus the number of the signal that has ended it."""
        if self._code is None:
            process, status = os.waitpid(self._process, flags)
            self._code = os.waitstatus_to_exitcode(status) if process else None
        return self._code

    def poll(self):
        return self.wait(os.WNOHANG)

    def kill(self):
        if self.poll() is None:
            os.kill(self._process, signal.SIGKILL)


class ServedChild(ForkedChild):
    """A child that the server forks, for a calling process that has threads, as that of the tests."""

    def _start(self, program, stdin, output, events):
        given = (program, *map(_Passed, (stdin, output)), (_Passed(events), events))
        self._process = serve(_in_the_server, given, os.getcwd(), dict(os.environ))

    def wait(self):
        self._process.join()
        return self._process.exitcode

    def poll(self):
        return self._process.exitcode

    def kill(self):
        self._process.kill()


class _Passed:
    """A file descriptor that arrives at the server's child under another number."""

    def __init__(self, number):
        self.number = number

    def __reduce__(self):
        return _received, (DupFd(self.number),)


def _received(passed):
    return passed.detach()


def _in_the_server(given, folder, environment):
    program, stdin, output, (events, number) = given
    be_in(folder, environment)
    os._exit(code_of(run_program, program, stdin, output, events, number))


def run_program(program, stdin, output, events, number=None):
    """Run ``python -X faulthandler -c PROGRAM`` in this process, with the descriptors of a child."""
    for given, standard in ((stdin, 0), (output, 1), (output, 2), (events, number or events)):
        os.dup2(given, standard)
    kept = number or events
    os.closerange(3, kept)
    os.closerange(kept + 1, 1 << 16)
    tracker = resource_tracker._resource_tracker  # of locks; it starts one of its own now, as any process does
    tracker._fd = tracker._pid = None
    sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
    faulthandler.enable()
    for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        if folder and Path(folder, "sitecustomize.py").is_file():
            runpy.run_path(str(Path(folder, "sitecustomize.py")))
    exec(program, {"__name__": "__main__"})


def be_in(folder, environment):
    """Change the folder and the environment."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)


def code_of(function, *given):
    """Call a function; the exit code that a process which does so has."""
    try:
        function(*given)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code
