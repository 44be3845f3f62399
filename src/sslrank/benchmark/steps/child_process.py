"""Work in a child process: a crash or a timeout ends one unit of the work and not the job.

A supervising process starts a child and follows which unit (a fit, an evaluation, a file to be read) it is in. It is
independent of the work: it imports little and survives crashes of the work.
"""

import contextlib
import json
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import dataclass

from sslrank.benchmark.steps import fork_server
from sslrank.core.errors import DataError

#: Seconds after which a silent child is looked at.
POLL = 5.0
_START = (
    "import pickle, sys; stream = sys.stdin.buffer; sys.path[:] = pickle.load(stream); "
    "from sslrank.benchmark.steps.child_process import run_child; run_child(pickle.load(stream))"
)


class JobError(Exception):
    """A job failed outside of a unit of its work; the message says why."""


@dataclass(frozen=True)
class Ended:
    """The unit that crashed or timed out, by the child's name for it (lists for tuples), and after how many seconds.

    `status` is "failed" or "timeout".
    """

    unit: object
    status: str
    message: str
    seconds: float


def supervise(work, *, limit=0, may_retry=False, **arguments):
    """Do some work in a child process; return None if it was finished, or the unit that crashed or timed out.

    `work` is a function of a module, called as ``work(tell, **arguments)`` in the child. It calls ``tell("unit", key)``
    before each unit and ``tell("between")`` after it, or ``tell("failed", why)`` and ends. One unit may take `limit`
    seconds, 0 is no limit. A JobError is raised if the child ends, or raises an exception, outside of a unit; with
    `may_retry` also if it is killed from outside: the job is then repeated with more memory.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    start = Fork if fork_server.is_fork else _spawned
    child = start((work, writing, arguments), sys.stdout.fileno())
    os.close(writing)
    try:
        last, started, late = _follow(child, reading, limit)
        if late:
            child.kill()
        code = child.wait()
    finally:
        child.kill()
        child.wait()
        os.close(reading)
        with contextlib.suppress(BrokenPipeError):  # it ended before it had read its work
            child.stdin.close()
    if last.get("event") == "end" and code == 0:
        return None
    if last.get("event") == "failed":
        return Ended(None, "failed", last["key"], 0.0)
    if last.get("event") != "unit":
        raise JobError(last.get("key") or f"the process ended before any work: {_what_ended(code)}")
    seconds = time.perf_counter() - started
    if late:
        return Ended(last["key"], "timeout", f"took longer than the limit of {limit:g} s", seconds)
    message = f"the process died: {_what_ended(code)}"
    if code == -signal.SIGKILL and may_retry:
        raise JobError(f"{last['key']}: {message}")
    return Ended(last["key"], "failed", message, seconds)


def _spawned(job, stream):
    """Start a child as a new Python."""
    command, options = [sys.executable, "-X", "faulthandler", "-c", _START], {"stdout": stream, "stderr": stream}
    child = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[job[1]], **options)
    pickle.dump(sys.path, child.stdin)
    pickle.dump(job, child.stdin)
    child.stdin.flush()
    return child


class Fork:
    """A child that is forked from this process, which has imported all it needs; used as a ``subprocess.Popen``."""

    def __init__(self, job, stream):
        reading, writing = os.pipe()
        self.code, self.pid = None, os.fork()
        if self.pid == 0:
            os.close(writing)
            os.dup2(reading, 0)
            fork_server.be_child(stream, stream, run_child, job)
        os.close(reading)
        self.stdin = open(writing, "wb")  # noqa: SIM115 (open until the work has ended)

    def poll(self):
        """Exit code, negative for a signal; None while the child runs."""
        return self.wait(os.WNOHANG)

    def wait(self, options=0):
        """Wait for the child, and return its exit code."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, options)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code

    def kill(self):
        """End the child."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def _follow(child, events, limit):
    """The child's last event, when it came, and whether a unit has taken too long."""
    last, started, text = {}, time.perf_counter(), b""
    while True:
        left = started + limit - time.perf_counter() if limit and last.get("event") == "unit" else POLL
        if left <= 0:
            return last, started, True
        if not select.select([events], [], [], min(left, POLL))[0]:
            if child.poll() is not None:  # something that it has started still holds the pipe
                return last, started, False
            continue
        read = os.read(events, 1 << 16)
        if not read:
            return last, started, False
        *lines, text = (text + read).split(b"\n")
        if lines:
            last, started = json.loads(lines[-1]), time.perf_counter()


def _what_ended(code):
    """Exit code or signal of a process in words, and the memory that children have had."""
    scale = 1e6 if sys.platform == "darwin" else 1e3
    memory = f"largest memory {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / scale:.0f} MB"
    if code >= 0:
        return f"exit code {code}; {memory}"
    hint = "; the system does that when memory runs out" if code == -signal.SIGKILL else ""
    return f"signal {-code} ({signal.Signals(-code).name}){hint}; {memory}"


def run_child(job):
    """The child's side of :func:`supervise`."""
    work, events, arguments = job
    events = open(events, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 (open until the process ends)

    def tell(event, key=None):
        print(json.dumps({"event": event, "key": key}), file=events, flush=True)

    def end_with_parent():
        os.read(0, 1)  # comes back when the supervising process is gone
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    import warnings

    warnings.simplefilter("default")
    try:
        work(tell, **arguments)
    except Exception as error:
        tell("error", f"{type(error).__name__}: {error}")
        raise
    tell("end")


def attempt(function, *, may_retry=False, **arguments):
    """Call a function of a module in a child process; return why it failed, or "".

    A failure by an OSError, such as a full disk, is not due to the data: it raises a JobError, and so does what
    :func:`supervise` raises it for.
    """
    ended = supervise(_call, function=function, arguments=arguments, may_retry=may_retry)
    return ended.message if ended else ""


def _call(tell, function, arguments):
    tell("unit", function.__name__)
    try:
        function(**arguments)
    except OSError:
        tell("between")
        raise
    except Exception as error:
        traceback.print_exc()
        text = f"{error}" if isinstance(error, DataError) else f"{type(error).__name__}: {error}"
        tell("failed", text)
        sys.exit(1)
    tell("between")
