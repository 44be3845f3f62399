"""Functions of the C library: NumPy's own have other last bits where a processor has AVX-512."""

import numpy as np

from libc cimport math

from sslrank.core._typedefs cimport float64_t, intp_t

ctypedef float64_t (*function)(float64_t) noexcept nogil


cdef compute(function f, values):
    """Compute f for each value of an array of any shape, as float64."""
    values = np.asarray(values, dtype=np.float64)
    cdef const float64_t[::1] x = np.ascontiguousarray(values).ravel()
    cdef float64_t[::1] y = np.empty(x.shape[0])
    cdef intp_t i
    with nogil:
        for i in range(x.shape[0]):
            y[i] = f(x[i])
    return np.asarray(y).reshape(values.shape)[()]


def exp(values):
    return compute(math.exp, values)


def log(values):
    return compute(math.log, values)


def log1p(values):
    return compute(math.log1p, values)


def cos(values):
    return compute(math.cos, values)


def sin(values):
    return compute(math.sin, values)


def tan(values):
    return compute(math.tan, values)


def arctan(values):
    return compute(math.atan, values)


def tanh(values):
    return compute(math.tanh, values)


def arctanh(values):
    return compute(math.atanh, values)
