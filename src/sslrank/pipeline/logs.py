"""Job logs."""

import contextlib
import sys
import warnings
from pathlib import Path


@contextlib.contextmanager
def log_to(path):
    """Send what a job prints and warns, and the traceback of an error, to its log file.

    Parameters
    ----------
    path : path-like or None
        None leaves the streams alone.
    """
    if path is None:
        yield
        return
    import traceback

    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(path).open("w", encoding="utf-8") as stream:
        terminal = sys.stderr
        with (
            contextlib.redirect_stdout(stream),
            contextlib.redirect_stderr(stream),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("default")
            try:
                yield
            except Exception as error:
                traceback.print_exc()
                # The terminal gets the one line that matters; the log has the rest.
                print(f"{type(error).__name__}: {error} (more in {path})", file=terminal)
                raise SystemExit(1) from None
