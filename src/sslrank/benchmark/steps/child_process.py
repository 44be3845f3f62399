"""Run work in a child process, so that a crash or timeout ends one unit of the work and not the job.

A supervising process forks a child and tracks its current unit (a fit, an evaluation, a file to read). It imports
little, and survives crashes of the work.
"""

import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from multiprocessing.connection import wait

from sslrank.benchmark.partial_results import partial_results_file, save_result
from sslrank.core.errors import DataError

#: Seconds after which a silent child is checked.
POLL = 5.0
# Fork also on systems where Python would spawn: the supervising process has loaded no threaded library.
_FORKS = multiprocessing.get_context("fork")


class JobError(Exception):
    """A job failed outside of a unit of its work; the message has the reason."""


@dataclass(frozen=True)
class FailedUnit:
    """The unit that crashed or timed out, by the child's key, and its seconds.

    `status` is "failed" or "timeout".
    """

    unit: object
    status: str
    message: str
    seconds: float


def supervise(work, *, limit=0, may_retry=False, **arguments):
    """Run work in a child process; return None if it finished, or the unit that crashed or timed out.

    `work` is called as ``work(send_event, **arguments)`` in the child. It calls ``send_event("unit", key)`` before each
    unit and ``send_event("between")`` after it, or ``send_event("failed", why)`` and ends. A unit may take `limit`
    seconds; 0 is no limit. Raises a JobError if the child ends, or raises an exception, outside of a unit; with
    `may_retry` also if it is killed from outside, as the job is then retried with more memory.
    """
    events, writing = _FORKS.Pipe(duplex=False)
    child = _FORKS.Process(target=_run, args=(work, writing, arguments))
    child.start()
    writing.close()
    try:
        (event, key), started, late = _follow(child, events, limit)
        if late:
            child.kill()
        child.join()
    finally:
        child.kill()
        child.join()
        events.close()
    code = child.exitcode
    if event == "end" and code == 0:
        return None
    if event == "failed":
        return FailedUnit(None, "failed", key, 0.0)
    if event != "unit":
        raise JobError(key or f"the process ended before any work: {_what_ended(code)}")
    seconds = time.perf_counter() - started
    if late:
        return FailedUnit(key, "timeout", f"took longer than the limit of {limit:g} s", seconds)
    message = f"the process died: {_what_ended(code)}"
    if code == -signal.SIGKILL and may_retry:
        raise JobError(f"{key}: {message}")
    return FailedUnit(key, "failed", message, seconds)


def finish_units(work, made_from, output, ended_result, *, limit=0, may_retry=False, **arguments):
    """Run work as :func:`supervise` does, again after each unit that crashes or times out, until all units are done.

    `work` gets also `made_from` and `partial`, the file of results by unit, see
    :func:`sslrank.benchmark.partial_results.partial_results_file`. `output` is a file of the job. The result of a unit
    that crashed or timed out is ``ended_result(ended)``.
    """
    with partial_results_file(output, made_from) as partial:
        arguments |= {"partial": partial, "made_from": made_from}
        while (ended := supervise(work, limit=limit, may_retry=may_retry, **arguments)) is not None:
            unit = ", ".join(map(str, ended.unit)) if isinstance(ended.unit, tuple) else ended.unit
            print(f"{unit}: {ended.status}: {ended.message}", flush=True)
            save_result(partial, ended.unit, made_from, ended_result(ended))


def _follow(child, events, limit):
    """Return the child's last event, its time, and whether a unit timed out."""
    last, started = ("", None), time.perf_counter()
    while True:
        remaining = started + limit - time.perf_counter() if limit and last[0] == "unit" else POLL
        if remaining <= 0:
            return last, started, True
        if wait([events], min(remaining, POLL)):
            try:
                last, started = events.recv(), time.perf_counter()
            except (EOFError, OSError):
                return last, started, False
        elif not child.is_alive():  # a process started by it still holds the pipe
            return last, started, False


def _what_ended(code):
    """Describe the exit code or signal of a process, and the memory of its children."""
    scale = 1e6 if sys.platform == "darwin" else 1e3
    memory = f"largest memory {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / scale:.0f} MB"
    if code >= 0:
        return f"exit code {code}; {memory}"
    hint = "; the system does that when memory runs out" if code == -signal.SIGKILL else ""
    return f"signal {-code} ({signal.Signals(-code).name}){hint}; {memory}"


def _run(work, events, arguments):
    """Run the child's side of :func:`supervise`."""
    for number in (1, 2):  # of what libraries print
        os.dup2(sys.stdout.fileno(), number)

    def end_with_parent():
        multiprocessing.parent_process().join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        work(lambda event, key=None: events.send((event, key)), **arguments)
    except Exception as error:
        events.send(("error", f"{type(error).__name__}: {error}"))
        raise
    events.send(("end", None))


def attempt(function, *, may_retry=False, **arguments):
    """Call a function of a module in a child process; return the reason of a failure, or "".

    An OSError, such as a full disk, is not due to the data and raises a JobError, as do the cases of :func:`supervise`.
    """
    ended = supervise(_call, function=function, arguments=arguments, may_retry=may_retry)
    return ended.message if ended else ""


def _call(send_event, function, arguments):
    send_event("unit", function.__name__)
    try:
        function(**arguments)
    except OSError:
        send_event("between")
        raise
    except Exception as error:
        traceback.print_exc()
        text = f"{error}" if isinstance(error, DataError) else f"{type(error).__name__}: {error}"
        send_event("failed", text)
        sys.exit(1)
    send_event("between")
