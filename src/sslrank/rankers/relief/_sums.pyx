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
    const intp_t[::1] start,
    const int32_t[::1] index,
    const float64_t[::1] weights,
    float64_t[::1] sums,
):
    """Add ``weights[p] * d_j(queries[r], index[p])`` to ``sums[j]`` for every neighbour p of r and feature j.

    Parameters
    ----------
    values, n_numeric, unknown, missing
        See :func:`sslrank.rankers.relief._neighbors.find_neighbors`.
    queries : ndarray of shape (m,), int32
        Rows.
    start : ndarray of shape (m + 1,), intp
        The neighbours of row r are start[r] to start[r + 1] - 1.
    index : ndarray of shape (P,), int32
    weights : ndarray of shape (P,)
    sums : ndarray of shape (D,)
        Added to.
    """
    cdef intp_t r, p, row, other, n_columns = values.shape[1]
    cdef float64_t *piece = <float64_t *>malloc(PIECE * sizeof(float64_t))
    if not piece:
        raise MemoryError("no memory for the differences of two rows")
    with nogil:
        for r in range(queries.shape[0]):
            row = queries[r]
            for p in range(start[r], start[r + 1]):
                other = index[p]
                add_pair(&values[row, 0], &values[other, 0], n_columns, n_numeric, &unknown[0],
                         missing[row] or missing[other], &weights[p], 1, &sums[0], piece)
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
    const int32_t[::1] point,
    const intp_t[::1] first_member,
    const int32_t[::1] member,
    const int32_t[::1] present,
    const float64_t[:, ::1] targets,
    const float64_t[::1] target_weights,
    bint nominal_target,
    const uint8_t[::1] labeled,
    const float64_t[::1] remoteness,
    const int32_t[::1] group,
    intp_t left_out,
    const int32_t[::1] queries,
    const int32_t[::1] list_of,
    const intp_t[::1] start,
    const int32_t[::1] index,
    const float64_t[::1] distance,
    float64_t tie,
    const float64_t[:, ::1] reached,
    float64_t[:, :, ::1] sums,
    float64_t[:, ::1] totals,
):
    """Add up Algorithm 3 of paper ssl-ranking for every interval of weights and every k at once.

    With u = 1 - t for the remoteness t of an unlabelled row, its weight is ``u w1 + t w0``. The weight of a
    pair is then 1 (two labelled rows), ``u w1 + t w0`` (one of them), or ``u u' w1^2 + (u t' + t u') w1 w0 +
    t t' w0^2`` (none). One sum is kept for each of these six products of w0 and w1, once of the feature
    difference and once of that times the cluster distance: channels 0-1, 2-5 and 6-11. Rows at the same
    distance share the weights of their ranks.

    Parameters
    ----------
    values, n_numeric, unknown, missing
        Points, see :func:`sslrank.rankers.relief._neighbors.find_neighbors`.
    point : ndarray of shape (n,), int32
        Point of each row.
    first_member, member : ndarrays of shape (P + 1,) and (n,)
        The rows of point p are ``member[first_member[p] : first_member[p + 1]]``.
    present : ndarray of shape (P,), int32
        Number of its rows outside of the group left out.
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
    list_of : ndarray of shape (m,), int32
        The list of each one's neighbours.
    start, index, distance : ndarrays of shape (L + 1,), (E,) and (E,)
        The points of list l are ``index[start[l] : start[l + 1]]``, nearest first; enough of them without the group
        left out.
    tie : float
        Distances up to this much apart are equal.
    reached : ndarray of shape (S, K + 1)
        Sum of the weights of the first 0, 1, ..., K neighbours in each of S sums.
    sums : ndarray of shape (S, 12, D)
        Added to.
    totals : ndarray of shape (S, 12)
        Added to: the same sums without the feature difference.
    """
    cdef intp_t n_columns = values.shape[1], most = reached.shape[1] - 1
    cdef intp_t r, row, own, begin, stop, end, tied, rank, reach, segment, near, other, p
    cdef int first, count, c
    cdef float64_t d, dc, t, u, s, v, share
    cdef float64_t weight[CHANNELS]
    cdef float64_t shared[6]
    cdef bint used[CHANNELS]
    cdef float64_t *piece = <float64_t *>malloc(PIECE * sizeof(float64_t))
    try:
        if not piece:
            raise MemoryError("no memory for the differences of two rows")
        with nogil:
            for r in range(queries.shape[0]):
                row = queries[r]
                if group[row] == left_out:
                    continue
                own = point[row]
                begin = start[list_of[r]]
                end = start[list_of[r] + 1]
                rank = 0
                # Invariant: `rank` rows, at most `most`, are nearer than the points from `begin` on, and these rows
                # were added with the weights of their ranks.
                while rank < most and begin < end:
                    stop = begin
                    tied = 0
                    while stop < end and distance[stop] <= distance[begin] + tie:
                        tied += present[index[stop]] - (index[stop] == own)
                        stop += 1
                    reach = min(rank + tied, most)
                    for near in range(begin, stop if tied else begin):
                        d = distance[near]
                        for c in range(CHANNELS):
                            weight[c] = 0.0
                            used[c] = False
                        for p in range(first_member[index[near]], first_member[index[near] + 1]):
                            other = member[p]
                            if other == row or group[other] == left_out:
                                continue
                            if labeled[row] and labeled[other]:
                                dc = target_distance(&targets[row, 0], &targets[other, 0], &target_weights[0],
                                                     targets.shape[1], nominal_target)
                                first = LABELED_PAIR
                                weight[LABELED_PAIR] += 1.0
                                weight[LABELED_PAIR + 1] += dc
                            elif labeled[row] or labeled[other]:
                                t = remoteness[other] if labeled[row] else remoteness[row]
                                first = MIXED_PAIR
                                weight[MIXED_PAIR] += 1.0 - t
                                weight[MIXED_PAIR + 1] += t
                                weight[MIXED_PAIR + 2] += (1.0 - t) * d
                                weight[MIXED_PAIR + 3] += t * d
                            else:
                                t = remoteness[row]
                                u = 1.0 - t
                                s = remoteness[other]
                                v = 1.0 - s
                                first = UNLABELED_PAIR
                                weight[UNLABELED_PAIR] += u * v
                                weight[UNLABELED_PAIR + 1] += u * s + t * v
                                weight[UNLABELED_PAIR + 2] += t * s
                                weight[UNLABELED_PAIR + 3] += u * v * d
                                weight[UNLABELED_PAIR + 4] += (u * s + t * v) * d
                                weight[UNLABELED_PAIR + 5] += t * s * d
                            used[first] = True
                        for first in range(CHANNELS):
                            if not used[first]:
                                continue
                            count = 2 if first == LABELED_PAIR else (4 if first == MIXED_PAIR else 6)
                            for segment in range(reached.shape[0]):
                                share = (reached[segment, reach] - reached[segment, rank]) / tied
                                if share == 0.0:
                                    continue
                                for c in range(count):
                                    shared[c] = share * weight[first + c]
                                    totals[segment, first + c] += shared[c]
                                add_pair(&values[own, 0], &values[index[near], 0], n_columns, n_numeric, &unknown[0],
                                         missing[own] or missing[index[near]], shared, count,
                                         &sums[segment, first, 0], piece)
                    rank = reach
                    begin = stop
    finally:
        free(piece)
