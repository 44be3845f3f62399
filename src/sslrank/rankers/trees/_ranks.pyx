"""Codes of numeric columns: the ranks of their values among the distinct ones, several columns at a time.

A key is a value as an integer that orders like it, counted from the column's least one, without its lowest bits if
there are more than DIGITS, and the row below. Counting passes sort keys several times faster than comparisons do. Rows
whose values differ in the lost bits only are neighbours afterwards, and insertion puts them right.
"""

import numpy as np

from libc.string cimport memcpy

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint64_t, uint8_t

cdef extern from "_sort.h" nogil:
    enum:
        SSLRANK_DIGITS
    uint64_t* sslrank_radix64(uint64_t* keys, uint64_t* other, intp_t n, int shift, int64_t spread, int32_t* count)

# Bits of a value that are sorted by: three counting passes.
cdef int DIGITS = 33
# Columns and rows that are copied at a time: neighbouring columns share the cache lines of a row.
cdef intp_t BLOCK = 8
cdef intp_t TILE = 256


cdef inline uint64_t ordered_bits(float64_t x) noexcept nogil:
    """An integer that orders like x."""
    cdef uint64_t bits, sign = <uint64_t> 1 << 63
    memcpy(&bits, &x, sizeof(uint64_t))
    return ~bits if bits & sign else bits | sign


cdef bint copy_rows(const float64_t[:, ::1] X, intp_t column, intp_t begin, intp_t end,
                    float64_t* values) noexcept nogil:
    """Copy rows begin..end - 1 of a column; False if one is NaN."""
    cdef intp_t i
    cdef float64_t x
    cdef bint known = True
    for i in range(begin, end):
        x = X[i, column] + 0.0  # no negative zeros
        known &= x == x
        values[i] = x
    return known


cdef uint64_t* sort_keys(const float64_t* values, intp_t n, int row_bits, uint64_t* keys, uint64_t* other,
                         int32_t* count) noexcept nogil:
    """The keys of n values in order: `keys` or `other`."""
    cdef intp_t i
    cdef int lost = 0
    cdef uint64_t low = ordered_bits(values[0]), high = low
    for i in range(n):
        keys[i] = ordered_bits(values[i])
        low = min(low, keys[i])
        high = max(high, keys[i])
    # Drop low bits until a key has room for the row number; `settle` sorts values that differ only in these bits.
    while (high - low) >> lost >> DIGITS:
        lost += 1
    for i in range(n):
        keys[i] = (keys[i] - low) >> lost << row_bits | <uint64_t> i
    return sslrank_radix64(keys, other, n, row_bits, ((high - low) >> lost) + 1, count)


cdef bint settle(const float64_t* values, uint64_t* keys, uint64_t rows_mask, intp_t n,
                 float64_t* ordered) noexcept nogil:
    """Turn sorted keys into rows, and list their values in order; False if too many are out of place."""
    cdef intp_t i, at, moves = 0
    cdef uint64_t row
    cdef float64_t x, largest = values[keys[0] & rows_mask]
    # Invariant: ordered[:i] ascends and keys[:i] are its rows; `largest` is its last value.
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


cdef intp_t number(const uint64_t* rows, float64_t* ordered, intp_t n, int32_t* codes, intp_t* most,
                   intp_t* mode) noexcept nogil:
    """Codes of rows in order of their values; the distinct values are left in `ordered`.

    Returns how many there are. The `mode` is the first of the values that occur `most` times.
    """
    cdef intp_t i, g = 0, first = 0
    cdef float64_t x, last = ordered[0]
    most[0] = 0
    mode[0] = 0
    # Invariant: ordered[:g + 1] are the distinct values so far; value g begins at position `first`, and `most` and
    # `mode` are of the values before it.
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
    cdef int row_bits = max(n - 1, 1).bit_length()
    cdef uint64_t* sorted_keys
    ranked = {}
    if n == 0:
        return ranked
    wanted = np.asarray(columns, dtype=np.int32)
    cdef float64_t[:, ::1] values = np.empty((BLOCK, n))
    cdef float64_t[::1] ordered = np.empty(n)
    cdef uint8_t[::1] complete = np.empty(BLOCK, dtype=np.uint8)
    cdef uint64_t[:, ::1] keys = np.empty((2, n), dtype=np.uint64)
    cdef int32_t[::1] count = np.empty(SSLRANK_DIGITS, dtype=np.int32)
    cdef const int32_t[::1] block
    for at in range(0, len(wanted), BLOCK):
        block = wanted[at:at + BLOCK]
        complete[:] = 1
        for row in range(0, n, TILE):
            for j in range(block.shape[0]):
                complete[j] &= copy_rows(X, block[j], row, min(row + TILE, n), &values[j, 0])
        for j in range(block.shape[0]):
            if not complete[j]:
                continue
            sorted_keys = sort_keys(&values[j, 0], n, row_bits, &keys[0, 0], &keys[1, 0], &count[0])
            if not settle(&values[j, 0], sorted_keys, (<uint64_t> 1 << row_bits) - 1, n, &ordered[0]):
                sorted_keys = &keys[0, 0]
                np.asarray(keys)[0] = np.argsort(values[j])
                np.asarray(ordered)[:] = np.sort(values[j])
            n_distinct = number(sorted_keys, &ordered[0], n, &codes[block[j], 0], &most, &mode)
            ranked[block[j]] = np.array(ordered[:n_distinct]), mode, most
    return ranked
