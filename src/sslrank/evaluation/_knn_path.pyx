"""Votes of nearest neighbours along nested feature sets: squared distances grow by one term per column."""

import numpy as np

from libc.math cimport INFINITY

from sslrank.core._select cimport select
from sslrank.core._typedefs cimport float64_t, intp_t
from sslrank.models._votes cimport SSLRANK_TIE, Ballots, add_votes

cdef extern from "models/_within.h" nogil:
    intp_t list_within(const float64_t *y, intp_t n, float64_t bound, float64_t *near, intp_t *indices)

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
    """
    void add_squares(const double *columns, Py_ssize_t stride, const Py_ssize_t *listed, Py_ssize_t n_listed,
                     Py_ssize_t row, double *y, Py_ssize_t n) noexcept nogil

# Columns and distances of one block: both stay in the cache.
cdef intp_t BLOCK = 32
cdef intp_t DISTANCES = 64_000


def votes_curve(
    const float64_t[:, ::1] columns,
    const intp_t[::1] starts,
    const intp_t[::1] order,
    const intp_t[::1] sizes,
    intp_t k,
    bint shared,
    const intp_t[::1] ballot_starts,
    const intp_t[::1] ballot_columns,
    const float64_t[::1] ballot_values,
    intp_t n_targets,
):
    """Count the votes of the k nearest training rows of every test row, on growing sets of features.

    Parameters
    ----------
    columns, starts, order, sizes
        As in :func:`sslrank.evaluation._svm_path.svm_curve`; training rows in any order.
    k : int
        At least 1, at most the number of training rows.
    shared : bool
        Rows at the k-th distance share the weight that is left; otherwise the lower rows count.
    ballot_starts, ballot_columns, ballot_values, n_targets
        Targets of the training rows, of shape (n_train, n_targets), as a sparse matrix in compressed rows.

    Returns
    -------
    votes : ndarray of shape (n_sizes, n_test, n_targets)
        Sums over the neighbours, times `parts`.
    parts : ndarray of shape (n_sizes, n_test)
    """
    cdef intp_t n_train = ballot_starts.shape[0] - 1, n_test = columns.shape[1] - n_train, n_sizes = sizes.shape[0]
    cdef intp_t n_listed = 0, begin, s, q, f, c, first, last
    of_sizes, parts_of_sizes = np.zeros((n_sizes, n_test, n_targets)), np.ones((n_sizes, n_test))
    cdef float64_t[:, :, ::1] votes = of_sizes
    cdef float64_t[:, ::1] parts = parts_of_sizes
    cdef float64_t[:, ::1] distances = np.empty((max(DISTANCES // n_train, 1), n_train))
    cdef intp_t[:, ::1] found = np.empty((distances.shape[0], k), dtype=np.intp)
    cdef float64_t[::1] heap = np.empty(k), near = np.empty(n_train), tied = np.empty(n_targets)
    cdef intp_t[::1] rows = np.empty(n_train, dtype=np.intp), listed = np.empty(columns.shape[0] + 1, dtype=np.intp)
    cdef intp_t[::1] end = np.empty(n_sizes, dtype=np.intp)
    cdef Ballots ballots = Ballots(&ballot_starts[0], NULL, NULL, n_targets)
    cdef float64_t bound, within, distance
    cdef intp_t i, m, kept
    if ballot_values.shape[0]:
        ballots.columns, ballots.values = &ballot_columns[0], &ballot_values[0]
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
                    # The k nearest rows of the size before bound the distance of the k-th one now.
                    bound = INFINITY
                    if s > 0:
                        bound = 0.0
                        for i in range(k):
                            bound = max(bound, distances[q - first, found[q - first, i]])
                    m = list_within(&distances[q - first, 0], n_train, bound * (1.0 + SSLRANK_TIE), &near[0], &rows[0])
                    select(&near[0], m, k, &heap[0], &found[q - first, 0])
                    for i in range(k):
                        found[q - first, i] = rows[found[q - first, i]]
                    if shared:
                        within, kept = heap[k - 1] * (1.0 + SSLRANK_TIE), 0
                        for i in range(m):
                            distance = near[i]
                            near[kept], rows[kept] = distance, rows[i]
                            kept += distance <= within
                        parts[s, q] = add_votes(&near[0], &rows[0], kept, heap[k - 1], k, ballots, &tied[0],
                                                &votes[s, q, 0])
                    else:
                        parts[s, q] = add_votes(&heap[0], &found[q - first, 0], k, INFINITY, k, ballots, &tied[0],
                                                &votes[s, q, 0])
            first = last
    return of_sizes, parts_of_sizes
