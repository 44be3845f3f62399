"""The descriptive side as codes: a feature's value is replaced by its rank among the distinct values."""

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint8_t

# The code of a missing value.
cdef enum:
    MISSING = -1


cdef class FeatureTable:
    # Codes of all rows, once per data set; every tree, fold and level of supervision reads the same table.
    #
    # Order of codes = order of values, so a test "x <= t" is a test "code <= c" and sorting is by integers.
    # The codes of a nominal feature are its categories.
    cdef readonly intp_t n_rows
    cdef readonly intp_t n_features
    cdef readonly bint sparse

    cdef readonly int32_t[::1] n_codes            # distinct values (numeric) or categories (nominal)
    cdef readonly uint8_t[::1] nominal
    cdef readonly uint8_t[::1] has_missing
    cdef readonly float64_t[::1] values           # distinct values, one numeric feature after the other
    cdef readonly int64_t[::1] value_start        # feature f: value_start[f] .. value_start[f + 1]

    cdef readonly int32_t[:, ::1] codes           # dense: codes[f, row]
    cdef readonly const float64_t[:, ::1] numbers  # dense: the values themselves, numbers[row, f]

    # Sparse: only entries that differ from the feature's default code, by column and by row. None missing.
    cdef readonly int32_t[::1] default_code
    cdef readonly int64_t[::1] column_start
    cdef readonly int32_t[::1] column_row         # ascending inside a column
    cdef readonly int32_t[::1] column_code
    cdef readonly int64_t[::1] row_start
    cdef readonly int32_t[::1] row_feature        # ascending inside a row
    cdef readonly int32_t[::1] row_code
    # Sparse, `two_valued` if every feature has at most two values: then features in the order of their number
    # of entries, most first, and the entries of every row as ascending positions in that order.
    cdef readonly bint two_valued
    cdef readonly int32_t[::1] feature_at
    cdef readonly int32_t[::1] row_position

    cdef int32_t code(self, intp_t feature, intp_t row) noexcept nogil
    cdef float64_t value(self, intp_t feature, int32_t code) noexcept nogil
    cdef int32_t last_code_up_to(self, intp_t feature, float64_t threshold, int32_t lo,
                                 int32_t hi) noexcept nogil
