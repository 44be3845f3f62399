"""Logs of jobs."""

import contextlib
import sys
import warnings
from pathlib import Path


@contextlib.contextmanager
def log_to(path):
    """Send a job's output, warnings and traceback to its log file, if it has one.

    Yields a function that prints a line to the log and the terminal. An error is written to both, and raises
    SystemExit.
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
