"""Votes of the nearest rows by the squared, weighted distance of paper ssl-ranking (section 6.4).

Distances are summed directly, feature by feature in column order, and never as |a|^2 + |b|^2 - 2ab: equal
pairs of rows then have bit-equal distances wherever they stand, and no order of the rows decides.
Training rows are packed in blocks of BLOCK rows, feature-major, so that the inner loop runs over
the rows of a block, with the running sums in registers.
"""

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
    #include "models/_missing.h"
    #define SSLRANK_BLOCK 32

    /* acc[i] += sum_j (a[j] - b[j][i])^2; the weight is already a factor of both sides */
    SSLRANK_CLONES
    static void add_numeric(const double *a, const double *b, Py_ssize_t n, double *out) {
        double acc[SSLRANK_BLOCK];
        for (int i = 0; i < SSLRANK_BLOCK; i++) acc[i] = out[i];
        for (Py_ssize_t j = 0; j < n; j++) {
            const double x = a[j];
            const double *row = b + j * SSLRANK_BLOCK;
            #pragma omp simd
            for (int i = 0; i < SSLRANK_BLOCK; i++) {
                const double d = x - row[i];
                acc[i] += d * d;
            }
        }
        for (int i = 0; i < SSLRANK_BLOCK; i++) out[i] = acc[i];
    }

    /* acc[i] += sum_j w[j] [a[j] != b[j][i]] */
    SSLRANK_CLONES
    static void add_nominal(const double *a, const double *b, const double *w, Py_ssize_t n, double *out) {
        double acc[SSLRANK_BLOCK];
        for (int i = 0; i < SSLRANK_BLOCK; i++) acc[i] = out[i];
        for (Py_ssize_t j = 0; j < n; j++) {
            const double x = a[j], weight = w[j];
            const double *row = b + j * SSLRANK_BLOCK;
            #pragma omp simd
            for (int i = 0; i < SSLRANK_BLOCK; i++) acc[i] += (x != row[i]) ? weight : 0.0;
        }
        for (int i = 0; i < SSLRANK_BLOCK; i++) out[i] = acc[i];
    }

    /* acc[i] += sum_j w[j] of the squared difference, missing values included */
    SSLRANK_CLONES
    static void add_missing(const double *a, const double *b, const double *w, const double *miss,
                            Py_ssize_t n, double *out) {
        double acc[SSLRANK_BLOCK], square[SSLRANK_BLOCK];
        for (int i = 0; i < SSLRANK_BLOCK; i++) acc[i] = out[i];
        for (Py_ssize_t j = 0; j < n; j++) {
            const double weight = w[j];
            sslrank_missing_squares(a[j], b + j * SSLRANK_BLOCK, miss[j], SSLRANK_BLOCK, square);
            #pragma omp simd
            for (int i = 0; i < SSLRANK_BLOCK; i++) acc[i] += weight * square[i];
        }
        for (int i = 0; i < SSLRANK_BLOCK; i++) out[i] = acc[i];
    }
    """
    enum: SSLRANK_BLOCK
    void add_numeric(const double *a, const double *b, Py_ssize_t n, double *out) noexcept nogil
    void add_nominal(const double *a, const double *b, const double *w, Py_ssize_t n,
                     double *out) noexcept nogil
    void add_missing(const double *a, const double *b, const double *w, const double *miss, Py_ssize_t n,
                     double *out) noexcept nogil

BLOCK = SSLRANK_BLOCK


def pack(const float64_t[:, ::1] rows):
    """Rows (n, D) as blocks (ceil(n / BLOCK), D, BLOCK); the last block is padded with zeros."""
    cdef intp_t n = rows.shape[0], n_columns = rows.shape[1]
    out = np.zeros(((n + SSLRANK_BLOCK - 1) // SSLRANK_BLOCK, n_columns, SSLRANK_BLOCK))
    cdef float64_t[:, :, ::1] blocks = out
    cdef intp_t i, j
    with nogil:
        for i in range(n):
            for j in range(n_columns):
                blocks[i // SSLRANK_BLOCK, j, i % SSLRANK_BLOCK] = rows[i, j]
    return out


def nearest_votes(
    const float64_t[:, ::1] queries,
    const float64_t[:, :, ::1] blocks,
    const float64_t[::1] weights,
    const float64_t[::1] miss,
    intp_t n_numeric,
    intp_t n_nominal,
    const intp_t[::1] ks,
    bint shared,
    const intp_t[::1] starts,
    const intp_t[::1] columns,
    const float64_t[::1] values,
    intp_t start,
    intp_t stop,
    float64_t[:, :, ::1] votes,
    float64_t[:, ::1] parts,
):
    """Write the votes of the k nearest training rows of queries start..stop-1, times `parts`, into `votes`.

    Parameters
    ----------
    queries : ndarray of shape (n_queries, D)
        Columns in three groups: numeric without missing values (times the root of their weight), nominal
        without missing values, and those with missing values.
    blocks : ndarray of shape (n_blocks, D, BLOCK)
        Packed training rows, same columns.
    weights, miss : ndarray of shape (D,)
        Weights, and the squared distance to a missing value of a nominal column (-1 for numeric columns).
    n_numeric, n_nominal : int
        Sizes of the first two groups.
    ks : ndarray of shape (n_ks,)
        Ascending, at most the number of training rows.
    shared : bool
        Rows at the k-th distance share the weight that is left; otherwise the lower rows count.
    starts, columns, values
        Targets of the training rows as a sparse matrix in compressed rows.
    votes : ndarray of shape (n_ks, n_queries, n_columns)
    parts : ndarray of shape (n_ks, n_queries)
    """
    cdef intp_t n_blocks = blocks.shape[0], n_columns = blocks.shape[1], n_rows = starts.shape[0] - 1
    cdef intp_t q, b, i, m, rest = n_columns - n_numeric - n_nominal, width = n_blocks * SSLRANK_BLOCK
    cdef intp_t first = n_numeric, second = n_numeric + n_nominal, chunk, lower, upper
    cdef intp_t n_ks = ks.shape[0], k_max = ks[n_ks - 1]
    if start >= stop or votes.shape[2] == 0:
        return
    chunk = max(1, min(64, stop - start))
    cdef float64_t[:, ::1] distances = np.empty((chunk, width))
    cdef float64_t[::1] heap = np.empty(k_max), near = np.empty(n_rows), tied = np.empty(votes.shape[2])
    cdef intp_t[::1] found = np.empty(k_max, dtype=np.intp), rows = np.empty(n_rows, dtype=np.intp)
    cdef Ballots ballots = Ballots(&starts[0], NULL, NULL, votes.shape[2])
    if values.shape[0]:
        ballots.columns, ballots.values = &columns[0], &values[0]
    cdef float64_t bound
    cdef float64_t *out
    with nogil:
        lower = start
        # Invariant: `votes` are complete for queries start..lower-1.
        while lower < stop:
            upper = min(lower + chunk, stop)
            distances[:, :] = 0.0
            # Invariant: distances[q - lower, i] is complete for the training rows i of blocks before b.
            for b in range(n_blocks):  # a block of training rows stays in the cache for the whole chunk
                for q in range(lower, upper):
                    out = &distances[q - lower, b * SSLRANK_BLOCK]
                    if n_numeric:
                        add_numeric(&queries[q, 0], &blocks[b, 0, 0], n_numeric, out)
                    if n_nominal:
                        add_nominal(&queries[q, first], &blocks[b, first, 0], &weights[first], n_nominal, out)
                    if rest:
                        add_missing(
                            &queries[q, second], &blocks[b, second, 0], &weights[second], &miss[second],
                            rest, out,
                        )
            for q in range(lower, upper):
                out = &distances[q - lower, 0]
                select(out, n_rows, k_max, &heap[0], &found[0])
                if not shared:
                    for i in range(n_ks):
                        parts[i, q] = add_votes(&heap[0], &found[0], ks[i], INFINITY, ks[i], ballots, &tied[0],
                                                &votes[i, q, 0])
                    continue
                bound = heap[k_max - 1] * (1.0 + SSLRANK_TIE)
                m = list_within(out, n_rows, bound, &near[0], &rows[0])
                for i in range(n_ks):
                    parts[i, q] = add_votes(&near[0], &rows[0], m, heap[ks[i] - 1], ks[i], ballots, &tied[0],
                                            &votes[i, q, 0])
            lower = upper
