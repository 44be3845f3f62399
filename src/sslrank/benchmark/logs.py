"""Job logs, whose last line is the record of a finished job, and sums that tell damaged results."""

import contextlib
import hashlib
import json
import sys
import warnings
from datetime import UTC, datetime
from pathlib import Path

from sslrank.core.errors import DataError

#: What the line starts with.
RECORD = "record of this job: "
#: The sha256 of what jobs have written, by path, beside what Snakemake knows of these files.
SUMS = Path(".snakemake/sums")


@contextlib.contextmanager
def log_to(path, job=None, *, record=True):
    """Send what a job prints and warns, and the traceback of an error, to its log file.

    Yields a function that prints a line there and on the terminal; its dict `noted` becomes a part of the record.

    Parameters
    ----------
    path : path-like or None
        None leaves the streams alone.
    job : snakemake.script.Snakemake, optional
        The job. What it reads must be as the jobs before have written it; what it writes is noted for those after it.
    record : bool
        Whether the log ends with the job's record: its rule and parameters, the hashes of the files that it read and
        wrote, what it ran on (:func:`sslrank.benchmark.environment.environment`) and when it ended.

    Raises
    ------
    SystemExit
        After an error, which the log and the terminal have then.
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

    tell.noted = {}
    with Path(path).open("a", encoding="utf-8") as stream:  # to append, as processes that the job starts do
        terminal = sys.stderr
        with (
            contextlib.redirect_stdout(stream),
            contextlib.redirect_stderr(stream),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("default")
            try:
                read = {} if job is None else check_inputs(job.input)
                yield tell
                written = {} if job is None else note_outputs(job.output)
            except Exception as error:
                traceback.print_exc()
                # The terminal gets the one line that matters; the log has the rest.
                kind = "" if type(error).__name__ == "JobError" else f"{type(error).__name__}: "
                print(f"{kind}{error} (more in {path})", file=terminal)
                raise SystemExit(1) from None
            if job is not None and record:
                print(RECORD + json.dumps(_record(job, read, written) | tell.noted, sort_keys=True))


def _record(job, read, written):
    from sslrank.benchmark.environment import environment

    return {
        "rule": job.rule,
        "params": dict(job.params.items()),
        "input": read,
        "output": written,
        "how": environment(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def file_hashes(paths):
    """The sha256 of some files and folders, by path."""
    return {path: content_hash(path) for path in map(str, paths)}


def check_inputs(paths):
    """The sha256 of some files and folders, by path.

    Raises
    ------
    DataError
        If some are not as the jobs that made them have left them; it names them all.
    """
    found = file_hashes(paths)
    noted = {path: _sum_of(path) for path in found}
    damaged = [
        path
        for path, content in found.items()
        if noted[path] is not None and noted[path].is_file() and noted[path].read_bytes() != content.encode()
    ]
    if damaged:
        raise _damaged(*damaged)
    return found


def check_foreign(path, run):
    """Check what a program that notes no sums has written, as it was when it was read for the first time.

    Parameters
    ----------
    path : path-like
        Relative to the working directory.
    run : path-like
        A file that is written anew whenever the program runs.

    Raises
    ------
    DataError
        If it has changed without a run of the program.
    """
    noted = _sum_of(path, "read.sha256")
    content, date = content_hash(path), str(Path(run).stat().st_mtime_ns)
    before = noted.read_text(encoding="ascii", errors="replace").split() if noted.is_file() else []
    if before[1:] == [date] and before[0] != content:
        raise _damaged(path)
    noted.parent.mkdir(parents=True, exist_ok=True)
    noted.write_text(f"{content} {date}", encoding="ascii")


def _damaged(*paths):
    is_, it, it_is = ("is", "it", "it is") if len(paths) == 1 else ("are", "them", "they are")
    return DataError(
        f"{', '.join(paths)} {is_} not what was written there (sha256); {it_is} damaged or edited. "
        f"Delete {it} and run again: {it_is} made again"
    )


def note_outputs(paths):
    """Note the sha256 of some files and folders, and return them by path."""
    found = file_hashes(paths)
    for path, content in found.items():
        noted = _sum_of(path)
        if noted is not None:
            noted.parent.mkdir(parents=True, exist_ok=True)
            noted.write_text(content, encoding="ascii")
    return found


def _sum_of(path, suffix="sha256"):
    """Where the sum of a file is noted; None outside of the working directory."""
    path = Path(path)
    if path.is_absolute() or ".." in path.parts:
        return None
    return SUMS / path.parent / f"{path.name}.{suffix}"


def content_hash(path):
    """The sha256 of a file, or of the names and contents of a folder's files."""
    path = Path(path)
    if not path.is_dir():
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    whole = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file() and not file.name.startswith("."):  # Snakemake leaves a time stamp there
            whole.update(f"{file.relative_to(path)}\0{content_hash(file)}\n".encode())
    return whole.hexdigest()


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
    try:
        return json.loads(last.removeprefix(RECORD.encode()))
    except ValueError:  # cut off by a full disk
        return None
