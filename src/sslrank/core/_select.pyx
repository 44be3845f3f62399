"""The k smallest entries of rows."""

import numpy as np

from sslrank.core._typedefs cimport float64_t, intp_t


cdef void sift_down(float64_t *d, intp_t *index, intp_t root, intp_t size) noexcept nogil:
    """Restore the max-heap over (distance, index) below `root`."""
    cdef intp_t child, i = index[root]
    cdef float64_t value = d[root]
    # Invariant: the max-heap property holds everywhere except possibly at `root`, where (value, i) may be too small.
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
    """A heap of the smallest so far, then sorted."""
    cdef intp_t i, size
    cdef float64_t value
    for i in range(k):
        heap[i] = distances[i]
        index[i] = i
    # Invariant: positions after i are roots of max-heaps.
    for i in range(k // 2 - 1, -1, -1):
        sift_down(heap, index, i, k)
    # Invariant: the heap holds the k first of columns 0..i-1 by (distance, column), the last of them at its root.
    for i in range(k, n):
        if distances[i] < heap[0]:  # an equal distance at a higher index loses
            heap[0] = distances[i]
            index[0] = i
            sift_down(heap, index, 0, k)
    # Invariant: positions after `size` are sorted and final; positions 0..size are a max-heap of the smaller ones.
    for size in range(k - 1, 0, -1):
        value = heap[0]
        i = index[0]
        heap[0] = heap[size]
        index[0] = index[size]
        heap[size] = value
        index[size] = i
        sift_down(heap, index, 0, size)


def smallest(const float64_t[:, ::1] block, intp_t k, intp_t own=-1):
    """Columns of the k smallest entries of every row, in order; of equal ones the first column counts.

    Parameters
    ----------
    block : ndarray of shape (b, n)
        Infinities are allowed; with NaN the choice is arbitrary, but of k columns.
    k : int
        At most n, or n - 1 when a column is left out.
    own : int, default=-1
        Row r leaves out column ``own + r``; a negative number leaves out none.

    Returns
    -------
    ndarray of shape (b, k), intp

    Raises
    ------
    ValueError
        If there are fewer than k columns.
    """
    cdef intp_t n_rows = block.shape[0], n_columns = block.shape[1], r, c, kept, most = k + (own >= 0)
    if not 0 <= k <= n_columns - (own >= 0):
        raise ValueError(f"k must be in 0..{n_columns - (own >= 0)}, got {k}")
    indices = np.empty((n_rows, k), dtype=np.intp)
    cdef intp_t[:, ::1] best = indices
    if k == 0:
        return indices
    cdef float64_t[::1] heap = np.empty(most)
    cdef intp_t[::1] found = np.empty(most, dtype=np.intp)
    with nogil:
        for r in range(n_rows):
            select(&block[r, 0], n_columns, most, &heap[0], &found[0])
            kept = 0
            # Invariant: best[r, :kept] are the first of found[:c] that are not the row's own column.
            for c in range(most):
                if kept < k and (own < 0 or found[c] != own + r):
                    best[r, kept] = found[c]
                    kept += 1
    return indices
