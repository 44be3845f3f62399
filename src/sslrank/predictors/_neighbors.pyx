"""Nearest rows by the squared, weighted distance of paper ssl-ranking (section 6.4), with exact ties.

Distances are summed directly, feature by feature in column order, and never as |a|^2 + |b|^2 - 2ab: equal
pairs of rows then have bit-equal distances wherever they stand, so that ties really go to the lower row.
Training rows are packed in blocks of BLOCK rows, feature-major, so that the inner loop runs over
the rows of a block, with the running sums in registers.
"""

import numpy as np

from sslrank._typedefs cimport float64_t, intp_t

cdef extern from *:
    """
    #include "_simd.h"
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

    /* Columns with missing values, rare. Nominal ones have miss[j] >= 0, the squared distance
     * to a missing value. */
    static double worst(double t) { return t > 1.0 - t ? t : 1.0 - t; }

    static void add_missing(const double *a, const double *b, const double *w, const double *miss,
                            Py_ssize_t n, double *out) {
        for (Py_ssize_t j = 0; j < n; j++) {
            const double x = a[j], weight = w[j];
            const double *row = b + j * SSLRANK_BLOCK;
            for (int i = 0; i < SSLRANK_BLOCK; i++) {
                const double y = row[i];
                double d;
                if (miss[j] >= 0.0) {
                    d = (x != x || y != y) ? miss[j] : (x != y ? 1.0 : 0.0);
                } else if (x != x) {
                    d = (y != y) ? 1.0 : worst(y);
                    d *= d;
                } else {
                    d = (y != y) ? worst(x) : x - y;
                    d *= d;
                }
                out[i] += weight * d;
            }
        }
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


cdef inline bint precedes(float64_t d, intp_t i, float64_t other_d, intp_t other_i) noexcept nogil:
    return d < other_d or (d == other_d and i < other_i)


cdef void sift_down(float64_t *d, intp_t *index, intp_t root, intp_t size) noexcept nogil:
    """Restore the max-heap over (distance, row) below `root`."""
    cdef intp_t child, i = index[root]
    cdef float64_t value = d[root]
    while True:
        child = 2 * root + 1
        if child >= size:
            break
        if child + 1 < size and precedes(d[child], index[child], d[child + 1], index[child + 1]):
            child += 1
        if not precedes(value, i, d[child], index[child]):
            break
        d[root] = d[child]
        index[root] = index[child]
        root = child
    d[root] = value
    index[root] = i


cdef void select(
    const float64_t *distances, intp_t n, intp_t k, float64_t *heap, intp_t *index
) noexcept nogil:
    """The k nearest of n rows, sorted by (distance, row), into heap and index."""
    cdef intp_t i, size
    cdef float64_t value
    for i in range(k):
        heap[i] = distances[i]
        index[i] = i
    for i in range(k // 2 - 1, -1, -1):
        sift_down(heap, index, i, k)
    for i in range(k, n):
        if distances[i] < heap[0]:  # an equal distance at a higher row loses
            heap[0] = distances[i]
            index[0] = i
            sift_down(heap, index, 0, k)
    for size in range(k - 1, 0, -1):
        value = heap[0]
        i = index[0]
        heap[0] = heap[size]
        index[0] = index[size]
        heap[size] = value
        index[size] = i
        sift_down(heap, index, 0, size)


def nearest_of(const float64_t[:, ::1] distances, intp_t k):
    """Column indices (n, k) of the k smallest entries of each row, sorted; ties go to the lower column."""
    cdef intp_t n = distances.shape[0], m = distances.shape[1], i
    found = np.empty((n, k), dtype=np.intp)
    cdef intp_t[:, ::1] index = found
    cdef float64_t[::1] heap = np.empty(max(k, 1))
    if not 0 <= k <= m:
        raise ValueError(f"k must be in 0..{m}, got {k}")
    if k:
        with nogil:
            for i in range(n):
                select(&distances[i, 0], m, k, &heap[0], &index[i, 0])
    return found


def nearest(
    const float64_t[:, ::1] queries,
    const float64_t[:, :, ::1] blocks,
    const float64_t[::1] weights,
    const float64_t[::1] miss,
    intp_t n_numeric,
    intp_t n_nominal,
    intp_t n_rows,
    intp_t k,
    intp_t start,
    intp_t stop,
    intp_t[:, ::1] found,
):
    """Write the k nearest training rows of queries start..stop-1 into `found`, nearest first.

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
    n_rows, k : int
        Number of training rows; neighbours, at most n_rows.
    """
    cdef intp_t n_blocks = blocks.shape[0], n_columns = blocks.shape[1]
    cdef intp_t q, b, rest = n_columns - n_numeric - n_nominal, width = n_blocks * SSLRANK_BLOCK
    cdef intp_t first = n_numeric, second = n_numeric + n_nominal, chunk, lower, upper
    if start >= stop or k <= 0:
        return
    chunk = max(1, min(64, stop - start))
    cdef float64_t[:, ::1] distances = np.empty((chunk, width))
    cdef float64_t[::1] heap = np.empty(k)
    cdef float64_t *out
    with nogil:
        lower = start
        while lower < stop:
            upper = min(lower + chunk, stop)
            distances[:, :] = 0.0
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
                select(&distances[q - lower, 0], n_rows, k, &heap[0], &found[q, 0])
            lower = upper
