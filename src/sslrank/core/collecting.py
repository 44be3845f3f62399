"""Import without looking for garbage."""

import gc
from contextlib import contextmanager


@contextmanager
def all_kept():
    """Collect no garbage meanwhile: what imports make stays, and looking through it takes a tenth of their time.

    Examples
    --------
    >>> with all_kept():
    ...     import sslrank
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
