"""Counts for the nearest-neighbour estimate of the mutual information with a class."""

import numpy as np

from libc.math cimport INFINITY

from sslrank.core._select cimport insert
from sslrank.core._typedefs cimport float64_t, intp_t

cdef extern from *:
    """
    #include "core/_simd.h"
    #include <math.h>

    /* out may be base */
    SSLRANK_CLONES
    static void farthest_numeric(
        double *out, const double *base, const double *f, double x, Py_ssize_t n
    ) {
        #pragma omp simd
        for (Py_ssize_t j = 0; j < n; ++j) {
            double difference = fabs(f[j] - x);
            out[j] = difference > base[j] ? difference : base[j];
        }
    }

    SSLRANK_CLONES
    static void farthest_nominal(
        double *out, const double *base, const double *f, double x, Py_ssize_t n
    ) {
        #pragma omp simd
        for (Py_ssize_t j = 0; j < n; ++j) {
            double difference = f[j] != x ? 1.0 : 0.0;
            out[j] = difference > base[j] ? difference : base[j];
        }
    }

    SSLRANK_CLONES
    static Py_ssize_t count_within(const double *restrict a, double radius, Py_ssize_t n) {
        Py_ssize_t count = 0;
        #pragma omp simd reduction(+ : count)
        for (Py_ssize_t j = 0; j < n; ++j)
            count += a[j] <= radius;
        return count;
    }
    """
    void farthest_numeric(
        double *out, const double *base, const double *f, double x, Py_ssize_t n
    ) noexcept nogil
    void farthest_nominal(
        double *out, const double *base, const double *f, double x, Py_ssize_t n
    ) noexcept nogil
    Py_ssize_t count_within(const double *a, double radius, Py_ssize_t n) noexcept nogil


def widen(float64_t[:, ::1] distances, const float64_t[::1] feature, bint nominal):
    """Raise distances of rows, in place, to those with one more feature in the maximum norm."""
    cdef intp_t n = feature.shape[0], i
    with nogil:
        for i in range(n):
            if nominal:
                farthest_nominal(&distances[i, 0], &distances[i, 0], &feature[0], feature[i], n)
            else:
                farthest_numeric(&distances[i, 0], &distances[i, 0], &feature[0], feature[i], n)


def neighbor_counts(
    const float64_t[:, ::1] distances,
    const float64_t[::1] feature,
    bint nominal,
    const intp_t[::1] starts,
    intp_t k,
):
    """Rows within the distance of the k-th nearest of the own class.

    Parameters
    ----------
    distances : ndarray of shape (n, n)
        Distances without the feature; rows are sorted by class.
    feature : ndarray of shape (n,)
    nominal : bool
        Whether two values are at distance 0 or 1, equal or not.
    starts : ndarray of shape (n_classes + 1,)
        First row of each class, and n. Classes have at least two rows.
    k : int
        In a smaller class all other rows are taken.

    Returns
    -------
    own, all : ndarray of shape (n,), intp
        Other rows of the class, and of all classes, at that distance or nearer.
    """
    cdef intp_t n = feature.shape[0], n_classes = starts.shape[0] - 1
    own_counts, all_counts = np.empty(n, dtype=np.intp), np.empty(n, dtype=np.intp)
    cdef intp_t[::1] own = own_counts, every = all_counts
    cdef float64_t[::1] row = np.empty(n), best = np.empty(k)
    cdef intp_t[::1] near = np.empty(k, dtype=np.intp)
    cdef intp_t c, i, j, first, last, size
    cdef float64_t radius
    with nogil:
        for c in range(n_classes):
            first, last = starts[c], starts[c + 1]
            size = min(k, last - first - 1)
            for i in range(first, last):
                if nominal:
                    farthest_nominal(&row[0], &distances[i, 0], &feature[0], feature[i], n)
                else:
                    farthest_numeric(&row[0], &distances[i, 0], &feature[0], feature[i], n)
                for j in range(size):
                    best[j] = INFINITY
                    near[j] = -1
                # Invariant: best and near are the nearest of rows first..j-1, without row i, nearest first.
                for j in range(first, last):
                    if j != i:
                        insert(&best[0], &near[0], size, row[j], j)
                radius = best[size - 1] * (1.0 + 1e-9)  # differences that are equal on paper can differ by rounding
                own[i] = count_within(&row[first], radius, last - first) - 1
                every[i] = count_within(&row[0], radius, n) - 1
    return own_counts, all_counts
