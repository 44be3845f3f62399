"""Switch garbage collection off while modules are imported."""

import gc
from contextlib import contextmanager


@contextmanager
def no_garbage_collection():
    """Switch garbage collection off for a block: what imports make stays, and a search takes a tenth of their time.

    Examples
    --------
    >>> with no_garbage_collection():
    ...     import sslrank
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
