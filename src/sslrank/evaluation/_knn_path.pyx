"""Nearest neighbours along nested feature sets: the matrix of squared distances grows by one term per column."""

import numpy as np

from libc.math cimport INFINITY

from sslrank.core._select cimport select
from sslrank.core._typedefs cimport float64_t, intp_t

cdef extern from *:
    """
    #include "core/_simd.h"

    /* y += (x[row] - x)^2, for each of the listed columns x in turn; four at a time, so that y is loaded less often */
    SSLRANK_CLONES
    static void add_squares(const double *columns, Py_ssize_t stride, const Py_ssize_t *listed, Py_ssize_t n_listed,
                            Py_ssize_t row, double *y, Py_ssize_t n) {
        Py_ssize_t c = 0;
        for (; c + 4 <= n_listed; c += 4) {
            const double *p = columns + listed[c] * stride, *q = columns + listed[c + 1] * stride;
            const double *r = columns + listed[c + 2] * stride, *s = columns + listed[c + 3] * stride;
            const double a = p[row], b = q[row], e = r[row], f = s[row];
            #pragma omp simd
            for (Py_ssize_t i = 0; i < n; i++) {
                const double of_p = a - p[i], of_q = b - q[i], of_r = e - r[i], of_s = f - s[i];
                y[i] = (((y[i] + of_p * of_p) + of_q * of_q) + of_r * of_r) + of_s * of_s;
            }
        }
        for (; c < n_listed; c++) {
            const double *x = columns + listed[c] * stride, a = x[row];
            #pragma omp simd
            for (Py_ssize_t i = 0; i < n; i++) {
                const double d = a - x[i];
                y[i] += d * d;
            }
        }
    }

    /* Lists the n distances that are at most the bound, and their indices; returns their number.
       Usually none of sixteen is, so sixteen are compared at a time. */
    SSLRANK_CLONES
    static Py_ssize_t list_within(const double *y, Py_ssize_t n, double bound, double *near, Py_ssize_t *places) {
        Py_ssize_t m = 0;
        for (Py_ssize_t start = 0; start < n; start += 16) {
            const Py_ssize_t stop = start + 16 < n ? start + 16 : n;
            int any = 0;
            #pragma omp simd reduction(|:any)
            for (Py_ssize_t i = start; i < stop; i++)
                any |= y[i] <= bound;
            for (Py_ssize_t i = start; any && i < stop; i++) {
                near[m] = y[i];
                places[m] = i;
                m += y[i] <= bound;
            }
        }
        return m;
    }
    """
    Py_ssize_t list_within(const double *y, Py_ssize_t n, double bound, double *near,
                           Py_ssize_t *places) noexcept nogil
    void add_squares(const double *columns, Py_ssize_t stride, const Py_ssize_t *listed, Py_ssize_t n_listed,
                     Py_ssize_t row, double *y, Py_ssize_t n) noexcept nogil

# Columns and distances of one block: both stay in the cache.
cdef intp_t BLOCK = 32
cdef intp_t DISTANCES = 64_000


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
    cdef intp_t n_test = columns.shape[1] - n_train, n_sizes = sizes.shape[0], s, q, f, c, first, last
    cdef intp_t n_listed = 0, begin
    found = np.empty((n_sizes, n_test, k), dtype=np.intp)
    cdef intp_t[:, :, ::1] index = found
    cdef float64_t[:, ::1] distances = np.empty((max(DISTANCES // n_train, 1), n_train))
    cdef float64_t[::1] heap = np.empty(k), near = np.empty(n_train)
    cdef intp_t[::1] rows = np.empty(n_train, dtype=np.intp), listed = np.empty(columns.shape[0] + 1, dtype=np.intp)
    cdef intp_t[::1] end = np.empty(n_sizes, dtype=np.intp)
    cdef float64_t bound
    cdef intp_t i, m
    with nogil:
        f = 0
        # Invariant: listed[:n_listed] are the columns of the features order[:f].
        for s in range(n_sizes):
            while f < sizes[s]:
                for c in range(starts[order[f]], starts[order[f] + 1]):
                    listed[n_listed] = c
                    n_listed += 1
                f += 1
            end[s] = n_listed
        first = 0
        while first < n_test:
            last = min(first + distances.shape[0], n_test)
            distances[:] = 0.0
            begin = 0
            # Invariant: distances[q - first] are sums over the columns listed[:begin], those of the sizes before s.
            for s in range(n_sizes):
                while begin < end[s]:
                    for q in range(first, last):
                        add_squares(&columns[0, 0], columns.shape[1], &listed[begin], min(BLOCK, end[s] - begin),
                                    n_train + q, &distances[q - first, 0], n_train)
                    begin = min(begin + BLOCK, end[s])
                for q in range(first, last):
                    # The k neighbours of the size before bound the distance of the k-th one now.
                    bound = INFINITY
                    if s > 0:
                        bound = 0.0
                        for i in range(k):
                            bound = max(bound, distances[q - first, index[s - 1, q, i]])
                    m = list_within(&distances[q - first, 0], n_train, bound, &near[0], &rows[0])
                    select(&near[0], m, k, &heap[0], &index[s, q, 0])
                    for i in range(k):
                        index[s, q, i] = rows[index[s, q, i]]
            first = last
    return found
