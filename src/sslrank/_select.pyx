"""The k smallest entries of rows."""

import numpy as np

from libc.math cimport INFINITY

from sslrank._typedefs cimport float64_t, intp_t


def smallest(const float64_t[:, ::1] block, intp_t k, intp_t own):
    """Columns of the k smallest entries of every row, in order; of equal ones the first column counts.

    Parameters
    ----------
    block : ndarray of shape (b, n)
    k : int
        At most n, or n - 1 when a column is left out.
    own : int
        Row r leaves out column ``own + r``; a negative number leaves out none.

    Returns
    -------
    ndarray of shape (b, k), intp
    """
    cdef intp_t n_rows = block.shape[0], n_columns = block.shape[1], r, c, omitted
    indices = np.empty((n_rows, k), dtype=np.intp)
    cdef intp_t[:, ::1] best = indices
    cdef float64_t[::1] distances = np.empty(k)
    with nogil:
        for r in range(n_rows):
            omitted = own + r if own >= 0 else -1
            for c in range(k):
                distances[c] = INFINITY
            for c in range(n_columns):
                if block[r, c] < distances[k - 1] and c != omitted:
                    insert(&distances[0], &best[r, 0], k, block[r, c], c)
    return indices
