"""Inner loops of the graph scores: nearest neighbours of distance blocks, and sums over edges."""

import numpy as np

from sslrank.core._select cimport insert
from sslrank.core._typedefs cimport float64_t, intp_t

cdef extern from *:
    """
    #include "core/_simd.h"

    SSLRANK_CLONES
    static void add_weighted_square_difference(
        double *restrict out, const double *restrict a, const double *restrict b, double weight, Py_ssize_t n
    ) {
        #pragma omp simd
        for (Py_ssize_t d = 0; d < n; ++d) {
            double difference = a[d] - b[d];
            out[d] += weight * difference * difference;
        }
    }

    SSLRANK_CLONES
    static double squared_distance(const double *restrict a, const double *restrict b, Py_ssize_t n) {
        sslrank_lanes sum = {0};
        Py_ssize_t d = 0;
        for (; d + SSLRANK_SUM_LANES <= n; d += SSLRANK_SUM_LANES) {
            const sslrank_lanes difference = SSLRANK_LOAD(a + d) - SSLRANK_LOAD(b + d);
            sum += difference * difference;
        }
        for (; d < n; ++d)
            sum[d % SSLRANK_SUM_LANES] += (a[d] - b[d]) * (a[d] - b[d]);
        return SSLRANK_TOTAL(sum);
    }
    """
    void add_weighted_square_difference(
        double *out, const double *a, const double *b, double weight, Py_ssize_t n
    ) noexcept nogil
    double squared_distance(const double *a, const double *b, Py_ssize_t n) noexcept nogil


def scan_block(
    const float64_t[:, ::1] block,
    intp_t first,
    float64_t[:, ::1] best_distances,
    intp_t[:, ::1] best_indices,
    float64_t low,
    float64_t high,
    const float64_t[::1] counts,
    float64_t[::1] window,
    float64_t[::1] window_counts,
):
    """Read the upper triangle of one block of squared distances.

    The block holds rows ``first, first + 1, ...`` against columns ``first, first + 1, ...`` to the end. Every
    pair i < j updates the nearest neighbours of both; blocks come in order, so that of two equal distances
    the row that comes first is kept.

    Parameters
    ----------
    block : ndarray of shape (b, m - first)
    first : int
        Number of the first row and column.
    best_distances, best_indices : ndarray of shape (m, k)
        Nearest neighbours so far, updated; start from inf and -1.
    low, high : float
        Pairs at a distance in [low, high] are copied to the window.
    counts : ndarray of shape (m,)
        How many rows each point stands for.
    window, window_counts : ndarray
        Receive distances and the number of ordered pairs they stand for; may be empty.

    Returns
    -------
    used : int
        Filled entries of the window, -1 if it is too small.
    below : float
        Ordered pairs nearer than `low`.
    """
    cdef intp_t n_rows = block.shape[0], n_columns = block.shape[1], k = best_distances.shape[1]
    cdef intp_t room = window.shape[0]
    cdef intp_t r, c, i, j, used = 0
    cdef float64_t distance, below = 0.0
    cdef bint collect = room > 0
    with nogil:
        # Invariant: best_*[i] are the k nearest of the rows that were paired with i so far, nearest first, of equal
        # distances the row that comes first; window[:used] are the pairs in [low, high] so far.
        for r in range(n_rows):
            i = first + r
            for c in range(r + 1, n_columns):
                j = first + c
                distance = block[r, c]
                if k > 0:
                    if distance < best_distances[i, k - 1]:
                        insert(&best_distances[i, 0], &best_indices[i, 0], k, distance, j)
                    if distance < best_distances[j, k - 1]:
                        insert(&best_distances[j, 0], &best_indices[j, 0], k, distance, i)
                if collect:
                    if distance < low:
                        below += 2.0 * counts[i] * counts[j]
                    elif distance <= high:
                        if used == room:
                            used = -1
                            break
                        window[used] = distance
                        window_counts[used] = 2.0 * counts[i] * counts[j]
                        used += 1
            if used < 0:
                break
    return used, below


def edge_energy(
    const float64_t[:, ::1] Z, const intp_t[::1] i, const intp_t[::1] j, const float64_t[::1] weights
):
    """``sum_e weights[e] (Z[i[e]] - Z[j[e]])**2`` for every column of Z, shape (D,)."""
    cdef intp_t n_edges = i.shape[0], n_columns = Z.shape[1], e
    cdef float64_t[::1] out = np.zeros(n_columns)
    if n_edges == 0 or n_columns == 0:
        return np.asarray(out)
    with nogil:
        for e in range(n_edges):
            add_weighted_square_difference(&out[0], &Z[i[e], 0], &Z[j[e], 0], weights[e], n_columns)
    return np.asarray(out)


def edge_distances(const float64_t[:, ::1] Z, const intp_t[::1] i, const intp_t[::1] j):
    """Squared distance of every pair of rows, shape (n_edges,)."""
    cdef intp_t n_edges = i.shape[0], n_columns = Z.shape[1], e
    cdef float64_t[::1] out = np.zeros(n_edges)
    if n_columns == 0:
        return np.asarray(out)
    with nogil:
        for e in range(n_edges):
            out[e] = squared_distance(&Z[i[e], 0], &Z[j[e], 0], n_columns)
    return np.asarray(out)
