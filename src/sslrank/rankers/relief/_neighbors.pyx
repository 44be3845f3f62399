"""Nearest neighbours by the Manhattan-type distance of Relief, exact, without an n x n matrix.

A block of rows is compared with all rows in float32. The rounding error of that pass is bounded, so the rows
that can be among the k nearest are known for certain; only their distances are computed again in float64. The
result is that of a float64 computation.
"""

import numpy as np

from libc.math cimport fabs, nearbyint
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from sslrank.core._select cimport insert
from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint8_t

cdef extern from "rankers/relief/_kth.h" nogil:
    float32_t relief_kth(float32_t *v, intp_t n, intp_t k)

cdef extern from "rankers/relief/_scan.h" nogil:
    const intp_t RELIEF_LANES
    const intp_t RELIEF_ROWS
    const intp_t RELIEF_SPANS
    const intp_t RELIEF_TILE
    void relief_scan(const float32_t *rows, const float32_t *panel, intp_t n_abs, intp_t n_ne, intp_t n_dot,
                     float32_t *out, intp_t stride)
    void relief_finish(float32_t *distance, const float32_t *constant, float32_t own, intp_t n_panels,
                       float32_t *least)
    void relief_differences(const float64_t *a, const float64_t *b, intp_t start, intp_t stop,
                            intp_t n_numeric, const float64_t *unknown, int missing, float64_t *out)
    float64_t relief_total(const float64_t *v, intp_t n)
    float64_t relief_numeric_total(const float64_t *a, const float64_t *b, intp_t n)

cdef extern from "<math.h>" nogil:
    const float32_t INFINITY

LANES = RELIEF_LANES
TILE = RELIEF_TILE

cdef enum:
    BLOCK = 32  # rows whose distances are kept at a time
    PIECE = 1024  # columns whose differences are kept at a time

# Distances are rounded to a multiple of 2^-40, so that distances that are equal on paper are equal here, in
# whatever order their terms were added.
cdef float64_t UNIT = 2.0 ** 40

# Distances up to this much apart are equal: neighbouring multiples can stand for the same distance on paper.
TIE = 1.5 / UNIT


cdef float64_t row_distance(const float64_t *a, const float64_t *b, intp_t n_numeric, intp_t n_columns,
                            const float64_t *unknown, int missing, float64_t *scratch) noexcept nogil:
    cdef float64_t total = 0.0
    cdef intp_t start = 0, stop
    if not missing:
        total = relief_numeric_total(a, b, n_numeric)
        start = n_numeric
    while start < n_columns:
        stop = min(start + PIECE, n_columns)
        relief_differences(a, b, start, stop, n_numeric, unknown, missing, scratch)
        total += relief_total(scratch, stop - start)
        start = stop
    return nearbyint(total / n_columns * UNIT) / UNIT


cdef void copy(const int32_t *index, const float64_t *distance, intp_t n, int32_t[::1] to_index,
               float64_t[::1] to_distance):
    if n:
        memcpy(&to_index[0], index, n * sizeof(int32_t))
        memcpy(&to_distance[0], distance, n * sizeof(float64_t))


def find_neighbors(
    const float64_t[:, ::1] values,
    intp_t n_numeric,
    const float64_t[::1] unknown,
    const uint8_t[::1] missing,
    const float32_t[:, ::1] single,
    intp_t n_abs,
    intp_t n_ne,
    const float32_t[::1] constant,
    const float32_t[:, :, ::1] panels,
    const int32_t[::1] row_at,
    const int32_t[::1] slot_of,
    const float32_t[::1] panel_constant,
    const int32_t[::1] first_panel,
    float64_t slack_absolute,
    float64_t slack_relative,
    const int32_t[::1] queries,
    const uint8_t[::1] alone,
    intp_t k,
):
    """The k nearest rows of every group for the rows `queries`, and the rows as near as the last of them.

    Parameters
    ----------
    values : ndarray of shape (n, D), float64
        Scaled rows, numeric columns first; NaN is missing.
    n_numeric : int
        Number of numeric columns.
    unknown : ndarray of shape (D,)
        Difference of a nominal column when a value is missing.
    missing : ndarray of shape (n,), uint8
        Rows with a missing value.
    single, constant : ndarrays of shape (n, C) and (n,), float32
        The same rows for the first pass: the distance of two rows is the sum over the first `n_abs` columns
        of |a - b|, over the next `n_ne` of [a != b], over the rest of a b, and both constants.
    panels : ndarray of shape (P, C, LANES), float32
        `single`, re-ordered by group and transposed in panels of LANES rows; a group starts a new panel.
    row_at, slot_of : ndarrays of int32
        The row at each slot of the panels (-1 for padding), and the slot of each row.
    panel_constant : ndarray of shape (P * LANES,), float32
        `constant` by slot, infinite for padding.
    first_panel : ndarray of shape (G + 1,), int32
        Where each group starts.
    slack_absolute, slack_relative : float
        The first pass is wrong by at most ``slack_absolute + slack_relative * distance``.
    queries : ndarray of shape (m,), int32
        Rows.
    alone : ndarray of shape (n,), uint8
        Rows that are not their own neighbours; another stands for several equal rows.
    k : int
        Neighbours per group.

    Returns
    -------
    lengths : ndarray of shape (m, G), intp
        Number of neighbours found.
    index, distance : ndarrays of shape (lengths.sum(),)
        Neighbours of one query and group after the other, those beyond the k-th distance left out; the k nearest by
        increasing (distance, row), then the others at the k-th distance.
    """
    cdef intp_t n_queries = queries.shape[0], n_columns = values.shape[1], width = single.shape[1]
    cdef intp_t n_panels = panels.shape[0], n_groups = first_panel.shape[0] - 1
    cdef intp_t n_dot = width - n_abs - n_ne, n_slots = n_panels * RELIEF_LANES
    cdef intp_t start, size, padded, i, p, g, row, slot, other, count, kept, lo, hi, c, written = 0, room = 0
    cdef float32_t bound, limit
    cdef bint coarse, enough_memory = True
    cdef float64_t tie = TIE
    lengths = np.zeros((n_queries, n_groups), dtype=np.intp)
    cdef intp_t[:, ::1] length = lengths
    cdef int32_t *index = NULL
    cdef float64_t *distance = NULL
    cdef int32_t *best_row = <int32_t *>malloc(k * sizeof(int32_t))
    cdef float64_t *best = <float64_t *>malloc(k * sizeof(float64_t))
    cdef float64_t *exact = <float64_t *>malloc(n_slots * sizeof(float64_t))
    cdef float32_t *rows = <float32_t *>malloc(BLOCK * width * sizeof(float32_t))
    cdef float32_t *block = <float32_t *>malloc(BLOCK * n_slots * sizeof(float32_t))
    cdef float32_t *least = <float32_t *>malloc(n_panels * RELIEF_SPANS * sizeof(float32_t))
    cdef float32_t *scratch = <float32_t *>malloc(n_slots * sizeof(float32_t))
    cdef int32_t *candidates = <int32_t *>malloc(n_slots * sizeof(int32_t))
    cdef float64_t *piece = <float64_t *>malloc(PIECE * sizeof(float64_t))
    cdef float32_t *mine
    try:
        if not (rows and block and least and scratch and candidates and piece and best_row and best and exact):
            raise MemoryError(f"no memory for the distances of {BLOCK} rows to {n_slots} rows")
        with nogil:
            start = 0
            # Invariant: index[:written] and distance[:written] are complete for queries 0..start-1.
            while start < n_queries and enough_memory:
                size = min(BLOCK, n_queries - start)
                padded = (size + RELIEF_ROWS - 1) // RELIEF_ROWS * RELIEF_ROWS
                for i in range(padded):
                    row = queries[start + min(i, size - 1)]
                    memcpy(rows + i * width, &single[row, 0], width * sizeof(float32_t))
                for p in range(n_panels):
                    i = 0
                    while i < padded:
                        relief_scan(rows + i * width, &panels[p, 0, 0], n_abs, n_ne, n_dot,
                                    block + i * n_slots + p * RELIEF_LANES, n_slots)
                        i += RELIEF_ROWS
                for i in range(size):
                    row = queries[start + i]
                    mine = block + i * n_slots
                    if alone[row] and slot_of[row] >= 0:
                        mine[slot_of[row]] = INFINITY
                    relief_finish(mine, &panel_constant[0], constant[row], n_panels, least)
                    for g in range(n_groups):
                        lo = first_panel[g] * RELIEF_SPANS
                        hi = first_panel[g + 1] * RELIEF_SPANS
                        # The k-th smallest of the spans' minima is at least the k-th smallest distance. With
                        # many spans, the minima of whole panels do as well and are fewer.
                        bound = INFINITY
                        if hi - lo >= k:
                            coarse = hi - lo >= 16 * k
                            count = 0
                            c = lo
                            while c < hi:
                                if coarse:
                                    scratch[count] = min(min(least[c], least[c + 1]),
                                                         min(least[c + 2], least[c + 3]))
                                    c += RELIEF_SPANS
                                else:
                                    scratch[count] = least[c]
                                    c += 1
                                count += 1
                            limit = relief_kth(scratch, count, k - 1)
                            bound = <float32_t>(limit + 2 * (slack_absolute + slack_relative * fabs(limit)))
                        count = 0
                        # Invariant: candidates[:count] are the slots of the spans before c that the bound allows: all
                        # of them that can be among the k nearest.
                        for c in range(lo, hi):
                            if least[c] <= bound:
                                slot = c // RELIEF_SPANS * RELIEF_LANES + c % RELIEF_SPANS
                                for _ in range(RELIEF_LANES // RELIEF_SPANS):
                                    if mine[slot] <= bound and mine[slot] < INFINITY:
                                        candidates[count] = <int32_t>slot
                                        count += 1
                                    slot += RELIEF_SPANS
                        if count > k:
                            for c in range(count):
                                scratch[c] = mine[candidates[c]]
                            limit = relief_kth(scratch, count, k - 1)
                            bound = <float32_t>(limit + 2 * (slack_absolute + slack_relative * fabs(limit)))
                            kept = 0
                            for c in range(count):
                                if mine[candidates[c]] <= bound:
                                    candidates[kept] = candidates[c]
                                    kept += 1
                            count = kept
                        for c in range(k):
                            best[c] = INFINITY
                            best_row[c] = -1
                        for c in range(count):
                            other = row_at[candidates[c]]
                            exact[c] = row_distance(&values[row, 0], &values[other, 0], n_numeric, n_columns,
                                                    &unknown[0], missing[row] or missing[other], piece)
                            insert(best, best_row, k, exact[c], <int32_t>other)
                        if written + count > room:
                            room = 2 * (written + count)
                            index = <int32_t *>realloc(index, room * sizeof(int32_t))
                            distance = <float64_t *>realloc(distance, room * sizeof(float64_t))
                            if not (index and distance):
                                enough_memory = False
                                break
                        kept = written
                        for c in range(min(k, count)):
                            index[written] = best_row[c]
                            distance[written] = best[c]
                            written += 1
                        if count > k:
                            for c in range(count):
                                other = row_at[candidates[c]]
                                if exact[c] <= best[k - 1] + tie and (
                                    exact[c] > best[k - 1] or (exact[c] == best[k - 1] and other > best_row[k - 1])
                                ):
                                    index[written] = <int32_t>other
                                    distance[written] = exact[c]
                                    written += 1
                        length[start + i, g] = written - kept
                    if not enough_memory:
                        break
                start += size
        if not enough_memory:
            raise MemoryError(f"no memory for the {written} neighbours of {n_queries} rows")
        found_index = np.empty(written, dtype=np.int32)
        found_distance = np.empty(written)
        copy(index, distance, written, found_index, found_distance)
        return lengths, found_index, found_distance
    finally:
        free(rows)
        free(block)
        free(least)
        free(scratch)
        free(candidates)
        free(piece)
        free(index)
        free(distance)
        free(best_row)
        free(best)
        free(exact)
