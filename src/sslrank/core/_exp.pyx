"""The exponential function of the C library: NumPy's gives other last bits where a processor has AVX-512."""

import numpy as np

from libc.math cimport exp

from sslrank.core._typedefs cimport float64_t, intp_t


def exponential(values):
    """Compute exp for each value of an array of any shape, as float64.

    Examples
    --------
    >>> exponential(np.array([0.0, 1.0])).round(3)
    array([1.   , 2.718])
    """
    values = np.asarray(values, dtype=np.float64)
    cdef const float64_t[::1] x = np.ascontiguousarray(values).ravel()
    cdef float64_t[::1] y = np.empty(x.shape[0])
    cdef intp_t i
    with nogil:
        for i in range(x.shape[0]):
            y[i] = exp(x[i])
    return np.asarray(y).reshape(values.shape)
