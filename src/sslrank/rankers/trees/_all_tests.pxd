"""Random forests and bagging: all tests of every sampled feature."""

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._gapped_rows cimport GappedRows
from sslrank.rankers.trees._tests cimport Tests


cdef class AllTests(Tests):
    cdef GappedRows gapped                        # the rows, if columns may have gaps
    # Nominal features of three and more categories: sums of the node's rows by category
    cdef float32_t[:, ::1] category_sum
    cdef Side* category_side
    cdef uint8_t[::1] taken                       # whether a category that occurs is in A

    cdef void search_thresholds(self, intp_t feature, uint64_t active) noexcept nogil
    cdef void search_waiting(self, uint64_t active) noexcept nogil
    cdef void judge_scan(self, intp_t feature, const int32_t* codes, intp_t at, intp_t n, intp_t first,
                         intp_t step, uint8_t missing_right, uint64_t active) noexcept nogil
    cdef void grow_subset(self, intp_t feature, intp_t level, uint8_t missing_right) noexcept nogil
    cdef void collect_category(self, intp_t g) noexcept nogil
    cdef void keep_subset(self, intp_t feature, intp_t level, uint8_t missing_right, float64_t h) noexcept nogil
