"""Functions of the C library: NumPy's own have other last bits where a processor has AVX-512.

>>> exp([0.0, 1.0]).round(3)
array([1.   , 2.718])
"""

import numpy as np

from libc cimport math

from sslrank.core._typedefs cimport float64_t, intp_t

ctypedef float64_t (*function)(float64_t) noexcept nogil


cdef compute(function f, values):
    values = np.asarray(values, dtype=np.float64)
    cdef const float64_t[::1] x = np.ascontiguousarray(values).ravel()
    cdef float64_t[::1] y = np.empty(x.shape[0])
    cdef intp_t i
    with nogil:
        for i in range(x.shape[0]):
            y[i] = f(x[i])
    return np.asarray(y).reshape(values.shape)[()]


def exp(values):
    """Compute the exponential of each value of an array of any shape, as float64."""
    return compute(math.exp, values)


def log(values):
    """Compute the natural logarithm of each value of an array of any shape, as float64."""
    return compute(math.log, values)


def log1p(values):
    """Compute the natural logarithm of 1 + x of each value of an array of any shape, as float64."""
    return compute(math.log1p, values)


def cos(values):
    """Compute the cosine of each value of an array of any shape, as float64."""
    return compute(math.cos, values)


def sin(values):
    """Compute the sine of each value of an array of any shape, as float64."""
    return compute(math.sin, values)


def tan(values):
    """Compute the tangent of each value of an array of any shape, as float64."""
    return compute(math.tan, values)


def arctan(values):
    """Compute the inverse tangent of each value of an array of any shape, as float64."""
    return compute(math.atan, values)


def tanh(values):
    """Compute the hyperbolic tangent of each value of an array of any shape, as float64."""
    return compute(math.tanh, values)


def arctanh(values):
    """Compute the inverse hyperbolic tangent of each value of an array of any shape, as float64."""
    return compute(math.atanh, values)
