"""Run BLAS with one thread, because more threads change rounding and slow down small products."""

from functools import cache

from threadpoolctl import ThreadpoolController


def one_blas_thread():
    """Limit the BLAS libraries of this process to one thread.

    Returns
    -------
    context manager

    Examples
    --------
    >>> import numpy as np
    >>> with one_blas_thread():
    ...     product = np.eye(2) @ [1.0, 2.0]
    """
    return _pools().limit(limits=1)


@cache
def _pools():
    """Find the loaded BLAS libraries; cached, because the search takes 6 ms, longer than many fits."""
    return ThreadpoolController()
