"""Job logs, whose last line is the record of a finished job."""

import contextlib
import hashlib
import json
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path

#: What the line starts with.
RECORD = "record of this job: "


@contextlib.contextmanager
def log_to(path, job=None):
    """Send what a job prints and warns, and the traceback of an error, to its log file.

    Yields a function that prints a line there and on the terminal.

    Parameters
    ----------
    path : path-like or None
        None leaves the streams alone.
    job : snakemake.script.Snakemake, optional
        The job whose record ends the log: its rule and parameters, the hashes of the files that it read and wrote, what
        it ran on (:func:`sslrank.pipeline.environment.environment`) and when it ended.
    """
    if path is None:
        yield print
        return
    import traceback

    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(b"")

    def tell(text):
        print(text)
        print(text, file=terminal)

    with Path(path).open("a", encoding="utf-8") as stream:  # to append, as processes that the job starts do
        terminal = sys.stderr
        with (
            contextlib.redirect_stdout(stream),
            contextlib.redirect_stderr(stream),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("default")
            try:
                yield tell
            except Exception as error:
                traceback.print_exc()
                # The terminal gets the one line that matters; the log has the rest.
                kind = "" if type(error).__name__ == "JobError" else f"{type(error).__name__}: "
                print(f"{kind}{error} (more in {path})", file=terminal)
                raise SystemExit(1) from None
            if job is not None:
                print(RECORD + json.dumps(_record(job), sort_keys=True))


def _record(job):
    from sslrank.pipeline.environment import environment

    return {
        "rule": job.rule,
        "params": dict(job.params.items()),
        "input": file_hashes(job.input),
        "output": file_hashes(job.output),
        "how": environment(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def file_hashes(paths):
    """The sha256 of some files, by path."""
    found = {}
    for path in map(str, paths):
        with open(path, "rb") as stream:
            found[path] = hashlib.file_digest(stream, "sha256").hexdigest()
    return found


def read_record(path):
    """The record that a finished job has left in its log.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict or None
        None without a log, or where the job has not ended, or was run before jobs had records.
    """
    try:
        last = Path(path).read_bytes().rstrip().rpartition(b"\n")[2]
    except FileNotFoundError:
        return None
    if not last.startswith(RECORD.encode()):
        return None
    return json.loads(last.removeprefix(RECORD.encode()))
