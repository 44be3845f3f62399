"""The descriptive side as codes: see _table.pxd."""

import numpy as np

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t


cdef class FeatureTable:
    """Codes of the features of all rows.

    Parameters
    ----------
    n_codes : ndarray of shape (D,), int32
    nominal : ndarray of shape (D,), uint8
    values : ndarray, float64
        Distinct values of the numeric features, ascending, one feature after the other.
    value_start : ndarray of shape (D + 1,), int64
    codes : ndarray of shape (D, n), int32, or None
        Dense codes, -1 where a value is missing.
    n_rows : int
    default_code : ndarray of shape (D,), int32, optional
        The code of all rows without an entry, in sparse form.
    columns : tuple of (start, row, code), optional
        Entries by column.
    by_row : tuple of (start, feature, code), optional
        The same entries by row.
    by_position : tuple of (feature_at, row_position), optional
        Features from the most to the least frequent one, and the entries by row as ascending positions therein;
        only if every feature has at most two values.
    numbers : ndarray of shape (n, D), float64, optional
        Dense form: the values that the codes stand for.
    """

    def __init__(self, n_codes, nominal, values, value_start, codes, n_rows, default_code=None, columns=None,
                 by_row=None, by_position=None, numbers=None):
        self.n_rows = n_rows
        self.n_features = len(n_codes)
        self.n_codes = n_codes
        self.nominal = nominal
        self.values = values
        self.value_start = value_start
        self.sparse = codes is None
        if self.sparse:
            self.codes = np.empty((0, 0), dtype=np.int32)
            self.default_code = default_code
            self.column_start, self.column_row, self.column_code = columns
            self.row_start, self.row_feature, self.row_code = by_row
            self.two_valued = by_position is not None
            if self.two_valued:
                self.feature_at, self.row_position = by_position
        else:
            self.codes = codes
            self.numbers = numbers
            self.has_missing = (np.min(codes, axis=1, initial=0) < 0).astype(np.uint8)

    cdef int32_t code(self, intp_t feature, intp_t row) noexcept nogil:
        cdef int64_t lo, hi, middle
        if not self.sparse:
            return self.codes[feature, row]
        lo = self.row_start[row]
        hi = self.row_start[row + 1]
        while lo < hi:  # the first entry of the row at or behind `feature`
            middle = (lo + hi) >> 1
            if self.row_feature[middle] < feature:
                lo = middle + 1
            else:
                hi = middle
        if lo < self.row_start[row + 1] and self.row_feature[lo] == feature:
            return self.row_code[lo]
        return self.default_code[feature]

    cdef float64_t value(self, intp_t feature, int32_t code) noexcept nogil:
        return self.values[self.value_start[feature] + code]

    cdef int32_t last_code_up_to(self, intp_t feature, float64_t threshold, int32_t lo,
                                 int32_t hi) noexcept nogil:
        # The largest code in lo..hi whose value is <= threshold, given that value(lo) <= threshold.
        cdef const float64_t* values = &self.values[self.value_start[feature]]
        cdef int32_t middle
        while lo < hi:
            middle = (lo + hi + 1) >> 1
            if values[middle] <= threshold:
                lo = middle
            else:
                hi = middle - 1
        return lo
