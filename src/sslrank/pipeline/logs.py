"""Job logs."""

import contextlib
import sys
import warnings
from pathlib import Path


@contextlib.contextmanager
def log_to(path):
    """Send what a job prints and warns, and the traceback of an error, to its log file.

    Yields a function that prints a line there and on the terminal.

    Parameters
    ----------
    path : path-like or None
        None leaves the streams alone.
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
