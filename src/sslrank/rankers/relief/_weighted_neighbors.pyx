"""Votes of the nearest rows under many vectors of feature weights at once, exact.

The squared differences of two rows are the same under all weights; only their sum is not. One pass multiplies
them with all weight vectors in float32. All terms are at least 0, so the sums are right within a known factor,
and only rows that can be the k-th nearest are measured again, in float64. The votes are those of
:func:`sslrank.models._neighbors.nearest_votes` with one vector after the other.
"""

import numpy as np

from libc.math cimport INFINITY

from sslrank.core._select cimport insert
from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t
from sslrank.models._votes cimport Ballots, add_votes

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


def weighted_votes(
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
    intp_t k,
    const intp_t[::1] ballot_starts,
    const intp_t[::1] ballot_columns,
    const float64_t[::1] ballot_values,
    float64_t[:, :, ::1] votes,
    float64_t[:, ::1] parts,
):
    """Write the votes of the k nearest rows of queries start..stop-1, times `parts`, into `votes`.

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
    start, stop, k : int
        k is at most n.
    ballot_starts, ballot_columns, ballot_values
        Targets of the rows as a sparse matrix in compressed rows.
    votes : ndarray of shape (S, m, n_targets)
    parts : ndarray of shape (S, m)
    """
    cdef intp_t n_rows = rows.shape[0], n_columns = rows.shape[1], n_panels = panels.shape[0]
    cdef intp_t n_vectors = weights.shape[0], n_groups = single.shape[0]
    cdef intp_t n_slots = n_panels * WEIGH_LANES, q, p, g, s, c, i, count, kept, settled, n_open
    if start >= stop or k == 0:
        return
    cdef Ballots ballots = Ballots(&ballot_starts[0], NULL, NULL, votes.shape[2])
    if ballot_values.shape[0]:
        ballots.columns, ballots.values = &ballot_columns[0], &ballot_values[0]
    cdef float32_t[:, ::1] square = np.empty((max(n_columns, 1), WEIGH_LANES), dtype=np.float32)
    cdef float32_t[:, ::1] coarse = np.empty((n_groups * WEIGH_VECTORS, n_slots), dtype=np.float32)
    cdef float32_t[::1] scratch = np.empty(n_rows, dtype=np.float32)
    cdef int32_t[::1] near = np.empty(n_rows, dtype=np.int32)
    cdef float64_t[:, ::1] roots = np.sqrt(weights)
    cdef float64_t[::1] best = np.empty(k), distances = np.empty(n_rows), tied = np.empty(max(votes.shape[2], 1))
    cdef intp_t[::1] listed = np.empty(n_rows, dtype=np.intp), open_rows = np.empty(n_rows, dtype=np.intp)
    cdef intp_t[::1] found = np.empty(k, dtype=np.intp)
    cdef float64_t kth
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
                                 &coarse[g * WEIGH_VECTORS, p * WEIGH_LANES], n_slots)
            for s in range(n_vectors):
                # The neighbours under the weights before bound the distance of the k-th one under these.
                bound = INFINITY
                if s > 0 and not wide:
                    bound = 0.0
                    for c in range(k):
                        bound = max(bound, coarse[s, found[c]])
                    bound = bound * factor + least
                count = relief_within(&coarse[s, 0], n_rows, bound, &near[0])
                limit = -INFINITY
                if count > k and not wide:
                    for c in range(count):
                        scratch[c] = coarse[s, near[c]]
                    limit = relief_kth(&scratch[0], count, k - 1)
                    bound = limit * factor + least
                kept = settled = n_open = 0
                for c in range(count):
                    here = coarse[s, near[c]]
                    if here > bound and not wide:
                        continue
                    listed[kept] = near[c]
                    distances[kept] = -1.0
                    if here * factor + least < limit:  # fewer than k rows can be as near, this one included
                        found[settled] = near[c]
                        settled += 1
                    else:
                        open_rows[n_open] = kept
                        n_open += 1
                    kept += 1
                kth = INFINITY
                if kept == k:
                    for c in range(k):
                        found[c] = listed[c]
                else:
                    for c in range(settled, k):
                        best[c] = INFINITY
                        found[c] = n_rows
                    c = 0
                    while c < n_open:
                        for i in range(min(TOGETHER, n_open - c)):
                            relief_terms(&queries[q, 0], &rows[listed[open_rows[c + i]], 0], &weights[s, 0],
                                         &roots[s, 0], &miss[0], n_numeric, n_nominal, n_columns, &terms[i, 0])
                        relief_sums(&terms[0, 0], n_columns, sums)
                        for i in range(min(TOGETHER, n_open - c)):
                            distances[open_rows[c + i]] = sums[i]
                            insert(&best[settled], &found[settled], k - settled, sums[i], listed[open_rows[c + i]])
                        c += TOGETHER
                    kth = best[k - 1]
                parts[s, q] = add_votes(&distances[0], &listed[0], kept, kth, k, ballots, &tied[0], &votes[s, q, 0])
