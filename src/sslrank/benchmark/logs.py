"""Job logs; the last line of a computing job's log is its record: parameters, environment and date."""

import contextlib
import json
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path

#: Start of that line.
RECORD = "record of this job: "


@contextlib.contextmanager
def log_to(path, job=None, *, record=True):
    """Send a job's output, warnings and traceback to its log file, if it has one.

    Yields a function that prints a line to the log and the terminal. With `record`, the log ends with the job's rule
    and parameters, its environment (:func:`sslrank.benchmark.environment.environment`) and its end. An error is written
    to the log and the terminal, and raises SystemExit.
    """
    import traceback

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
            if job is not None and record:
                print(RECORD + json.dumps(_record(job), sort_keys=True))


def _record(job):
    from sslrank.benchmark.environment import environment

    date = datetime.now(UTC).isoformat(timespec="seconds")
    params = {key: value for key, value in job.params.items() if key != "job"} | dict(job.params.get("job") or {})
    return {"rule": job.rule, "params": params, "environment": environment(), "date": date}


def read_job_record(path):
    """Read the record that a finished job left in its log; None without a log, or if the job has not ended."""
    try:
        last = Path(path).read_bytes().rstrip().rpartition(b"\n")[2]
    except FileNotFoundError:
        return None
    if not last.startswith(RECORD.encode()):
        return None
    try:
        return json.loads(last.removeprefix(RECORD.encode()))
    except ValueError:  # cut off by a full disk
        return None
