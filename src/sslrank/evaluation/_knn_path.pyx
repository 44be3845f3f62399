"""Nearest neighbours along nested feature sets: the matrix of squared distances grows by one term per column."""

import numpy as np

from libc.math cimport INFINITY

from sslrank.core._select cimport select
from sslrank.core._typedefs cimport float64_t, intp_t

cdef extern from *:
    """
    #include "core/_simd.h"

    /* y += (a - x)^2 */
    SSLRANK_CLONES
    static void add_squares(double a, const double *x, double *y, Py_ssize_t n) {
        #pragma omp simd
        for (Py_ssize_t i = 0; i < n; i++) { const double d = a - x[i]; y[i] += d * d; }
    }
    """
    void add_squares(double a, const double *x, double *y, Py_ssize_t n) noexcept nogil


def neighbors_curve(
    const float64_t[:, ::1] columns,
    const intp_t[::1] starts,
    const intp_t[::1] order,
    const intp_t[::1] sizes,
    intp_t n_train,
    intp_t k,
):
    """The k nearest training rows of every test row, on growing sets of features.

    Parameters
    ----------
    columns, starts, order, sizes
        As in :func:`sslrank.evaluation._svm_path.svm_curve`; training rows in any order.
    n_train, k : int
        1 <= k <= n_train.

    Returns
    -------
    ndarray of shape (n_sizes, n_test, k), int
        Nearest first, ties to the lower row.
    """
    cdef intp_t n_test = columns.shape[1] - n_train, n_sizes = sizes.shape[0], s, q, f, c, done = 0
    found = np.empty((n_sizes, n_test, k), dtype=np.intp)
    cdef intp_t[:, :, ::1] index = found
    cdef float64_t[:, ::1] distances = np.zeros((max(n_test, 1), n_train))
    cdef float64_t[::1] heap = np.empty(k), near = np.empty(n_train)
    cdef intp_t[::1] rows = np.empty(n_train, dtype=np.intp)
    cdef float64_t bound, d
    cdef intp_t i, m
    with nogil:
        # Invariant: distances[q] are sums over the features order[:done], and `done` is the size of the step before.
        for s in range(n_sizes):
            for q in range(n_test):
                for f in range(done, sizes[s]):
                    for c in range(starts[order[f]], starts[order[f] + 1]):
                        add_squares(columns[c, n_train + q], &columns[c, 0], &distances[q, 0], n_train)
                # The k neighbours of the step before bound the distance of the k-th one now.
                bound = INFINITY
                if s > 0:
                    bound = 0.0
                    for i in range(k):
                        bound = max(bound, distances[q, index[s - 1, q, i]])
                m = 0
                # Invariant: near[:m] and rows[:m] are the rows before i that are not beyond the bound; m <= i.
                for i in range(n_train):
                    d = distances[q, i]
                    near[m] = d
                    rows[m] = i
                    m += d <= bound
                select(&near[0], m, k, &heap[0], &index[s, q, 0])
                for i in range(k):
                    index[s, q, i] = rows[index[s, q, i]]
            done = sizes[s]
    return found
