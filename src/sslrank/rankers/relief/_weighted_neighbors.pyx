"""Nearest rows under many vectors of feature weights at once, exact.

The squared differences of two rows are the same under all weights; only their sum is not. One pass multiplies
them with all weight vectors in float32. All terms are at least 0, so the sums are right within a known factor,
and only rows that can be among the k nearest are measured again, in float64; if their order does not matter, only
those that need not be among them. The rows are those of :func:`sslrank.models._neighbors.nearest` with one vector
after the other.
"""

import numpy as np

from libc.math cimport INFINITY

from sslrank.core._select cimport insert
from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t

cdef extern from "rankers/relief/_kth.h" nogil:
    float32_t relief_kth(float32_t *v, intp_t n, intp_t k)

cdef extern from "rankers/relief/_weigh.h" nogil:
    const intp_t WEIGH_LANES
    const intp_t WEIGH_VECTORS
    void relief_squares(const float64_t *a, const float64_t *panel, const float64_t *miss, intp_t n_numeric,
                        intp_t n_nominal, intp_t n_columns, float32_t *square)
    void relief_weigh(const float32_t *square, const float32_t *weight, intp_t n_columns, float32_t *out,
                      intp_t stride)
    void relief_terms(const float64_t *a, const float64_t *b, const float64_t *weight, const float64_t *root,
                      const float64_t *miss, intp_t n_numeric, intp_t n_nominal, intp_t n_columns,
                      float64_t *term)
    void relief_sums(const float64_t *terms, intp_t n_columns, float64_t *sums)
    intp_t relief_within(const float32_t *x, intp_t n, float32_t bound, int32_t *found)

LANES = WEIGH_LANES
VECTORS = WEIGH_VECTORS

cdef enum:
    TOGETHER = 4  # rows whose exact distances are added up side by side

# Squares of larger values could leave the range of float32.
cdef float64_t WIDEST_NUMBER = 1e9


def nearest_weighted(
    const float64_t[:, ::1] rows,
    const float64_t[:, :, ::1] panels,
    const float64_t[:, ::1] queries,
    const float64_t[:, ::1] weights,
    const float32_t[:, :, ::1] single,
    const float64_t[::1] miss,
    intp_t n_numeric,
    intp_t n_nominal,
    intp_t start,
    intp_t stop,
    bint ordered,
    intp_t[:, :, ::1] found,
):
    """Write the nearest rows of queries start..stop-1 into `found`, ties to the lower row.

    Parameters
    ----------
    rows, queries : ndarrays of shape (n, D) and (m, D)
        Columns in three groups: numeric without missing values, nominal without missing values, and those
        with missing values; numbers scaled to [0, 1].
    panels : ndarray of shape (ceil(n / LANES), D, LANES)
        `rows`, transposed in panels of LANES rows, the last one filled up with anything finite.
    weights : ndarray of shape (S, D)
        In [0, 1].
    single : ndarray of shape (ceil(S / VECTORS), D, VECTORS), float32
        `weights`, transposed in groups of VECTORS, filled up with anything finite.
    miss : ndarray of shape (D,)
        Squared distance to a missing value of a nominal column, -1 for numeric ones.
    n_numeric, n_nominal : int
        Sizes of the first two groups.
    start, stop : int
    ordered : bool
        Nearest first; otherwise in any order.
    found : ndarray of shape (S, m, k)
        Written; k is at most n.
    """
    cdef intp_t n_rows = rows.shape[0], n_columns = rows.shape[1], n_panels = panels.shape[0]
    cdef intp_t n_vectors = weights.shape[0], n_groups = single.shape[0], k = found.shape[2]
    cdef intp_t n_places = n_panels * WEIGH_LANES, q, p, g, s, c, i, count, kept, settled, open_places
    if start >= stop or k == 0:
        return
    cdef float32_t[:, ::1] square = np.empty((max(n_columns, 1), WEIGH_LANES), dtype=np.float32)
    cdef float32_t[:, ::1] coarse = np.empty((n_groups * WEIGH_VECTORS, n_places), dtype=np.float32)
    cdef float32_t[::1] scratch = np.empty(n_rows, dtype=np.float32)
    cdef int32_t[::1] near = np.empty(n_rows, dtype=np.int32)
    cdef float64_t[:, ::1] roots = np.sqrt(weights)
    cdef float64_t[::1] best = np.empty(k)
    # Squares, weights, products and sums are rounded to float32, each by at most 2**-24 of its size; and the
    # float64 differences by 2**-52, which matters where all are nearly 0. Two distances are compared.
    cdef float32_t factor = <float32_t>(1.0 + 2.2 * (n_columns + 8) * 2.0**-24)
    cdef float32_t least = <float32_t>(n_columns * 2.0**-50)
    cdef float32_t bound, limit, here
    cdef float64_t[:, ::1] terms = np.zeros((TOGETHER, max(n_columns, 1)))
    cdef float64_t sums[TOGETHER]
    cdef bint wide
    with nogil:
        for q in range(start, stop):
            wide = False
            for c in range(n_columns):
                wide = wide or queries[q, c] > WIDEST_NUMBER or queries[q, c] < -WIDEST_NUMBER
            for p in range(n_panels):
                relief_squares(&queries[q, 0], &panels[p, 0, 0], &miss[0], n_numeric, n_nominal, n_columns,
                               &square[0, 0])
                for g in range(n_groups):
                    relief_weigh(&square[0, 0], &single[g, 0, 0], n_columns,
                                 &coarse[g * WEIGH_VECTORS, p * WEIGH_LANES], n_places)
            for s in range(n_vectors):
                # The neighbours under the weights before bound the distance of the k-th one under these.
                bound = INFINITY
                if s > 0 and not wide:
                    bound = 0.0
                    for c in range(k):
                        bound = max(bound, coarse[s, found[s - 1, q, c]])
                    bound = bound * factor + least
                count = relief_within(&coarse[s, 0], n_rows, bound, &near[0])
                settled = 0
                if count > k and not wide:
                    for c in range(count):
                        scratch[c] = coarse[s, near[c]]
                    limit = relief_kth(&scratch[0], count, k - 1)
                    bound = limit * factor + least
                    kept = 0
                    for c in range(count):
                        here = coarse[s, near[c]]
                        if here <= bound:
                            if ordered or here * factor + least >= limit:
                                near[kept] = near[c]
                                kept += 1
                            else:  # fewer than k rows can be as near, this one included
                                found[s, q, settled] = near[c]
                                settled += 1
                    count = kept
                open_places = k - settled
                if count == open_places and not ordered:
                    for c in range(count):
                        found[s, q, settled + c] = near[c]
                    continue
                for c in range(open_places):
                    best[c] = INFINITY
                    found[s, q, settled + c] = n_rows
                c = 0
                while c < count:
                    for i in range(min(TOGETHER, count - c)):
                        relief_terms(&queries[q, 0], &rows[near[c + i], 0], &weights[s, 0], &roots[s, 0],
                                     &miss[0], n_numeric, n_nominal, n_columns, &terms[i, 0])
                    relief_sums(&terms[0, 0], n_columns, sums)
                    for i in range(min(TOGETHER, count - c)):
                        insert(&best[0], &found[s, q, settled], open_places, sums[i], <intp_t>near[c + i])
                    c += TOGETHER
