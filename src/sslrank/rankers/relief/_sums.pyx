"""Sums of weighted feature differences over pairs of rows, the second stage of every Relief."""

from libc.math cimport fabs
from libc.stdlib cimport free, malloc

from sslrank.core._typedefs cimport float64_t, int32_t, intp_t, uint8_t

cdef extern from "rankers/relief/_add.h" nogil:
    void relief_differences(const float64_t *a, const float64_t *b, intp_t start, intp_t stop,
                            intp_t n_numeric, const float64_t *unknown, int missing, float64_t *out)
    void relief_add(const float64_t *difference, intp_t n, const float64_t *weight, int count,
                    float64_t *sums, intp_t width)

cdef enum:
    PIECE = 512  # columns whose differences are kept at a time
    CHANNELS = 12
    LABELED_PAIR = 0  # first channel of each kind of pair
    MIXED_PAIR = 2
    UNLABELED_PAIR = 6

N_CHANNELS = CHANNELS


cdef inline void add_pair(const float64_t *a, const float64_t *b, intp_t n_columns, intp_t n_numeric,
                          const float64_t *unknown, int missing, const float64_t *weight, int count,
                          float64_t *sums, float64_t *piece) noexcept nogil:
    cdef intp_t start = 0, stop
    while start < n_columns:
        stop = min(start + PIECE, n_columns)
        relief_differences(a, b, start, stop, n_numeric, unknown, missing, piece)
        relief_add(piece, stop - start, weight, count, sums + start, n_columns)
        start = stop


def add_weighted(
    const float64_t[:, ::1] values,
    intp_t n_numeric,
    const float64_t[::1] unknown,
    const uint8_t[::1] missing,
    const int32_t[::1] queries,
    const int32_t[:, ::1] index,
    const float64_t[:, :, ::1] weights,
    float64_t[:, ::1] sums,
):
    """Add ``weights[r, p, c] * d_j(queries[r], index[r, p])`` to ``sums[c, j]`` for every pair and feature j.

    Parameters
    ----------
    values, n_numeric, unknown, missing
        See :func:`sslrank.rankers.relief._neighbors.find_neighbors`.
    queries : ndarray of shape (m,), int32
        Rows.
    index : ndarray of shape (m, P), int32
        Their neighbours; -1 is none.
    weights : ndarray of shape (m, P, C)
        Weights of the pairs in each of C sums.
    sums : ndarray of shape (C, D)
        Added to.
    """
    cdef intp_t r, p, row, other, n_columns = values.shape[1]
    cdef int count = <int>weights.shape[2]
    cdef float64_t *piece = <float64_t *>malloc(PIECE * sizeof(float64_t))
    if not piece:
        raise MemoryError("no memory for the differences of two rows")
    with nogil:
        for r in range(queries.shape[0]):
            row = queries[r]
            for p in range(index.shape[1]):
                other = index[r, p]
                if other >= 0:
                    add_pair(&values[row, 0], &values[other, 0], n_columns, n_numeric, &unknown[0],
                             missing[row] or missing[other], &weights[r, p, 0], count, &sums[0, 0], piece)
    free(piece)


cdef float64_t target_distance(const float64_t *a, const float64_t *b, const float64_t *weight, intp_t n,
                               int nominal) noexcept nogil:
    cdef float64_t total = 0.0, t
    cdef intp_t j
    for j in range(n):
        if a[j] == a[j] and b[j] == b[j]:
            t = <float64_t>(a[j] != b[j]) if nominal else fabs(a[j] - b[j])
        elif nominal:
            t = 0.5  # 1 - 1 / (number of values), a label has two
        elif a[j] == a[j]:
            t = max(a[j], 1.0 - a[j])
        elif b[j] == b[j]:
            t = max(b[j], 1.0 - b[j])
        else:
            t = 1.0
        total += weight[j] * t
    return total


def add_semi_supervised(
    const float64_t[:, ::1] values,
    intp_t n_numeric,
    const float64_t[::1] unknown,
    const uint8_t[::1] missing,
    const float64_t[:, ::1] targets,
    const float64_t[::1] target_weights,
    bint nominal_target,
    const uint8_t[::1] labeled,
    const float64_t[::1] remoteness,
    const int32_t[::1] group,
    intp_t left_out,
    const int32_t[::1] queries,
    const int32_t[:, ::1] index,
    const float64_t[:, ::1] distance,
    const int32_t[::1] neighbors,
    float64_t[:, :, ::1] sums,
    float64_t[:, ::1] totals,
):
    """Add up Algorithm 3 of paper ssl-ranking for every interval of weights and every k at once.

    With u = 1 - t for the remoteness t of an unlabelled row, its weight is ``u w1 + t w0``. The weight of a
    pair is then 1 (two labelled rows), ``u w1 + t w0`` (one of them), or ``u u' w1^2 + (u t' + t u') w1 w0 +
    t t' w0^2`` (none). One sum is kept for each of these six products of w0 and w1, once of the feature
    difference and once of that times the cluster distance: channels 0-1, 2-5 and 6-11.

    Parameters
    ----------
    values, n_numeric, unknown, missing
        See :func:`sslrank.rankers.relief._neighbors.find_neighbors`.
    targets : ndarray of shape (n, T)
        Scaled targets, NaN is missing.
    target_weights : ndarray of shape (T,)
        The target distance is the weighted sum of the distances of the single targets.
    nominal_target : bool
        Whether the distance in one target is [a != b] (classes, labels) or abs(a - b) (numbers in [0, 1]).
    labeled : ndarray of shape (n,), uint8
        Rows with a target.
    remoteness : ndarray of shape (n,)
        t in [0, 1] of the unlabelled rows: 0 next to the labelled ones, 1 far away.
    group : ndarray of shape (n,), int32
        Group of each row.
    left_out : int
        Group whose rows take no part, -1 for none.
    queries : ndarray of shape (m,), int32
        Rows to iterate over.
    index, distance : ndarrays of shape (m, K)
        Their nearest rows, nearest first, -1 after the last; enough of them without the group left out.
    neighbors : ndarray of shape (S,), int32
        Increasing numbers of neighbours.
    sums : ndarray of shape (S, 12, D)
        Added to. Entry s holds what neighbours ``neighbors[s - 1]`` to ``neighbors[s] - 1`` contribute.
    totals : ndarray of shape (S, 12)
        Added to: the same sums without the feature difference.
    """
    cdef intp_t n_columns = values.shape[1], r, place, row, other, segment, rank, first
    cdef int count, c
    cdef float64_t d, dc, t, u, s, v
    cdef float64_t weight[6]
    cdef float64_t *piece = <float64_t *>malloc(PIECE * sizeof(float64_t))
    try:
        if not piece:
            raise MemoryError("no memory for the differences of two rows")
        with nogil:
            for r in range(queries.shape[0]):
                row = queries[r]
                if group[row] == left_out:
                    continue
                rank = place = 0
                # Invariant: of the first `place` neighbours `rank` are outside of the group left out, and each of these
                # was added to the segment whose numbers of neighbours it lies between.
                for segment in range(neighbors.shape[0]):
                    while rank < neighbors[segment] and place < index.shape[1] and index[r, place] >= 0:
                        other = index[r, place]
                        d = distance[r, place]
                        place += 1
                        if group[other] == left_out:
                            continue
                        rank += 1
                        if labeled[row] and labeled[other]:
                            dc = target_distance(&targets[row, 0], &targets[other, 0], &target_weights[0],
                                                 targets.shape[1], nominal_target)
                            weight[0] = 1.0
                            first = LABELED_PAIR
                            count = 1
                        elif labeled[row] or labeled[other]:
                            dc = d
                            t = remoteness[other] if labeled[row] else remoteness[row]
                            weight[0] = 1.0 - t
                            weight[1] = t
                            first = MIXED_PAIR
                            count = 2
                        else:
                            dc = d
                            t = remoteness[row]
                            u = 1.0 - t
                            s = remoteness[other]
                            v = 1.0 - s
                            weight[0] = u * v
                            weight[1] = u * s + t * v
                            weight[2] = t * s
                            first = UNLABELED_PAIR
                            count = 3
                        for c in range(count):
                            weight[count + c] = weight[c] * dc
                        count = 2 * count
                        for c in range(count):
                            totals[segment, first + c] += weight[c]
                        add_pair(&values[row, 0], &values[other, 0], n_columns, n_numeric, &unknown[0],
                                 missing[row] or missing[other], weight, count, &sums[segment, first, 0],
                                 piece)
    finally:
        free(piece)
