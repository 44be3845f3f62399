"""Codes of numeric columns: the ranks of their values among the distinct ones, several columns at a time.

Sorting numbers is several times faster than sorting row numbers by them. So a key holds both: the upper bits
of a value, as an integer that orders like it, and the row in the lower bits. Rows whose values differ in the
replaced bits only are neighbours afterwards, and insertion puts them right.
"""

import numpy as np

from libc.string cimport memcpy

from sslrank._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint8_t

# Columns and rows that are copied at a time: neighbouring columns share the cache lines of a row.
cdef intp_t BLOCK = 8
cdef intp_t TILE = 256


cdef inline int64_t ordered_bits(float64_t x) noexcept nogil:
    """An integer that orders like x."""
    cdef int64_t bits
    memcpy(&bits, &x, sizeof(int64_t))
    return bits ^ ((bits >> 63) & <int64_t> 0x7FFFFFFFFFFFFFFF)


cdef bint pack(const float64_t[:, ::1] X, intp_t column, intp_t begin, intp_t end, int64_t rows_mask,
               float64_t* values, int64_t* keys) noexcept nogil:
    """Copy rows begin..end - 1 of a column and make their keys; False if one is NaN."""
    cdef intp_t i
    cdef float64_t x
    cdef bint known = True
    for i in range(begin, end):
        x = X[i, column] + 0.0  # no negative zeros
        known &= x == x
        values[i] = x
        keys[i] = (ordered_bits(x) & ~rows_mask) | i
    return known


cdef bint settle(const float64_t* values, int64_t* keys, int64_t rows_mask, intp_t n,
                 float64_t* ordered) noexcept nogil:
    """Turn sorted keys into rows, and list their values in order; False if too many are out of place."""
    cdef intp_t i, at, moves = 0
    cdef int64_t row
    cdef float64_t x, largest = values[keys[0] & rows_mask]
    for i in range(n):
        row = keys[i] & rows_mask
        x = values[row]
        at = i
        if x < largest:
            while at > 0 and x < ordered[at - 1]:
                keys[at] = keys[at - 1]
                ordered[at] = ordered[at - 1]
                at -= 1
            moves += i - at
            if moves > 4 * n:
                return False
        else:
            largest = x
        keys[at] = row
        ordered[at] = x
    return True


cdef intp_t number(const int64_t* rows, float64_t* ordered, intp_t n, int32_t* codes, intp_t* most,
                   intp_t* mode) noexcept nogil:
    """Codes of rows in order of their values; the distinct values are left in `ordered`.

    Returns how many there are. The `mode` is the first of the values that occur `most` times.
    """
    cdef intp_t i, g = 0, first = 0
    cdef float64_t x, last = ordered[0]
    most[0] = 0
    mode[0] = 0
    for i in range(n):
        x = ordered[i]
        if x != last:
            if i - first > most[0]:
                most[0] = i - first
                mode[0] = g
            g += 1
            first = i
            last = x
        ordered[g] = x
        codes[rows[i]] = <int32_t> g
    if n - first > most[0]:
        most[0] = n - first
        mode[0] = g
    return g + 1


def rank_columns(const float64_t[:, ::1] X, columns, int32_t[:, ::1] codes):
    """Code the columns that have no NaN.

    Parameters
    ----------
    X : ndarray of shape (n, D), float64
    columns : sequence of int
    codes : ndarray of shape (D, n), int32
        Where the codes go.

    Returns
    -------
    dict
        For every coded column its ascending distinct values, the most frequent code (the smallest one of
        several) and how often it occurs. Columns with NaN are left out.
    """
    cdef intp_t n = X.shape[0], j, most = 0, mode = 0, n_distinct, at, row
    cdef int64_t rows_mask = (<int64_t> 1 << max(n - 1, 1).bit_length()) - 1
    ranked = {}
    if n == 0:
        return ranked
    wanted = np.asarray(columns, dtype=np.int32)
    cdef float64_t[:, ::1] values = np.empty((BLOCK, n))
    cdef float64_t[::1] ordered = np.empty(n)
    cdef uint8_t[::1] complete = np.empty(BLOCK, dtype=np.uint8)
    all_keys = np.empty((BLOCK, n), dtype=np.int64)
    cdef int64_t[:, ::1] keys = all_keys
    cdef const int32_t[::1] block
    for at in range(0, len(wanted), BLOCK):
        block = wanted[at:at + BLOCK]
        complete[:] = 1
        for row in range(0, n, TILE):
            for j in range(block.shape[0]):
                complete[j] &= pack(X, block[j], row, min(row + TILE, n), rows_mask,
                                    &values[j, 0], &keys[j, 0])
        for j in range(block.shape[0]):
            if not complete[j]:
                continue
            all_keys[j].sort()
            if not settle(&values[j, 0], &keys[j, 0], rows_mask, n, &ordered[0]):
                all_keys[j] = np.argsort(values[j])
                np.asarray(ordered)[:] = np.asarray(values[j])[all_keys[j]]
            n_distinct = number(&keys[j, 0], &ordered[0], n, &codes[block[j], 0], &most, &mode)
            ranked[block[j]] = np.array(ordered[:n_distinct]), mode, most
    return ranked
