"""Ranking in a process of its own: what ends it, or takes too long, ends one fit and not the job.

The supervising process starts a child, which does all fits and keeps each one's result in a file as soon as it is
there. When the child dies inside a fit, or is ended because the fit takes longer than the limit, that fit gets a status
row, and a new child goes on with the next one.
"""

import json
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

#: Seconds after which a silent child is looked at.
POLL = 5.0
_START = (
    "import pickle, sys; job = pickle.load(sys.stdin.buffer); sys.path[:] = job.pop('path'); "
    "from sslrank.pipeline.jobs.supervising import run_child; run_child(job)"
)


class JobError(Exception):
    """A job failed outside of a fit; the message says why."""


def supervised_ranking(data, splits, spec, outputs, *, limit=0, may_retry=False, **options):
    """Do a ranking job in child processes; see :func:`sslrank.pipeline.jobs.ranking.ranking_job`.

    Parameters
    ----------
    data, splits, spec
        As for that function.
    outputs : list of (str, path-like, path-like)
        Label budget, rankings and status; written.
    limit : float, default=0
        Seconds that one fit may take; 0 is no limit. A longer one gets the status "timeout".
    may_retry : bool, default=False
        Whether a kill from outside fails the job, which is then repeated with more memory, instead of the fit.
    **options
        Further arguments of that function.

    Raises
    ------
    JobError
        If a child ends outside of a fit, or is killed and `may_retry`.
    """
    outputs = [(budget, *map(str, files)) for budget, *files in outputs]
    job = {"data": str(data), "splits": str(splits), "spec": spec, "outputs": outputs, "options": options}
    with tempfile.TemporaryDirectory() as folder:
        job["known"] = str(Path(folder) / "fits.pickle")
        Path(job["known"]).touch()
        while (ended := _ended_fit(job, limit)) is not None:
            key, row, code = ended
            if code == -signal.SIGKILL and row["status"] == "failed" and may_retry:
                raise JobError(f"fit {key}: {row['message']}")
            print(f"L {key[0]}, fold {key[1]}, {key[2]}: {row['status']}: {row['message']}", flush=True)
            with open(job["known"], "ab") as stream:
                pickle.dump((key, (row, [])), stream)


def _ended_fit(job, limit):
    """Run a child: None if it finishes, or else the fit that it ended in, its status row and the exit code."""
    reading, writing = os.pipe()
    command = [sys.executable, "-X", "faulthandler", "-c", _START]
    sys.stdout.flush()
    stream = sys.stdout.fileno()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stream, stderr=stream, pass_fds=[writing])
    os.close(writing)
    try:
        pickle.dump(job | {"events": writing, "path": sys.path}, child.stdin)
        child.stdin.flush()
        last, started, late = _follow(child, reading, limit)
        if late:
            child.kill()
        code = child.wait()
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        os.close(reading)
    if last.get("event") == "end" and code == 0:
        return None
    if last.get("event") != "fit":
        raise JobError(last.get("error") or f"the ranking process ended before a fit: {_what_ended(code)}")
    row = {"mode": last["fit"][2], "fold": last["fit"][1], "details": {}, "seconds": time.perf_counter() - started}
    if late:
        row |= {"status": "timeout", "message": f"the fit took longer than the limit of {limit:g} s"}
    else:
        row |= {"status": "failed", "message": f"the process died in this fit: {_what_ended(code)}"}
    return tuple(last["fit"]), row, code


def _follow(child, events, limit):
    """The child's last event, when it came, and whether a fit has taken too long."""
    last, started, text = {}, time.perf_counter(), b""
    while True:
        left = started + limit - time.perf_counter() if limit and last.get("event") == "fit" else POLL
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
    """The child's side: do the fits that are not known yet, and write the tables."""
    events = open(job["events"], "w", encoding="utf-8", buffering=1)  # noqa: SIM115 (open until the process ends)

    def tell(event, **more):
        print(json.dumps({"event": event} | more), file=events, flush=True)

    def end_with_parent():
        os.read(0, 1)  # comes back when the supervising process is gone
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    import warnings

    warnings.simplefilter("default")
    try:
        from sslrank.pipeline.jobs.ranking import ranking_job

        known = _read_known(job["known"])
        with open(job["known"], "ab") as stream:

            def keep(key, found):
                pickle.dump((key, found), stream)
                stream.flush()
                tell("between")

            options = job["options"] | {"known": known, "before": lambda key: tell("fit", fit=key), "after": keep}
            for budget, rankings, status in job["outputs"]:
                ranking_job(job["data"], job["splits"], budget, job["spec"], rankings, status, **options)
        tell("end")
    except Exception as error:
        tell("error", error=f"{type(error).__name__}: {error}")
        raise


def _read_known(path):
    """Fits that are done, by (L, fold, mode)."""
    known = {}
    with open(path, "rb") as stream:
        while True:
            try:
                key, found = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                return known
            known[key] = found
