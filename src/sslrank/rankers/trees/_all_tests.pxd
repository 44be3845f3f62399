"""Random forests and bagging: all tests of every sampled feature."""

from sslrank.core._typedefs cimport int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._gapped_rows cimport GappedRows
from sslrank.rankers.trees._tests cimport SubsetTests


cdef class AllTests(SubsetTests):
    cdef GappedRows gapped                        # the rows, if columns may have gaps

    cdef void search_thresholds(self, intp_t feature, uint64_t active) noexcept nogil
    cdef void search_waiting(self, uint64_t active) noexcept nogil
    cdef void judge_scan(self, intp_t feature, const int32_t* codes, intp_t at, intp_t n, intp_t first,
                         intp_t step, uint8_t missing_right, uint64_t active) noexcept nogil
    cdef void grow_subset(self, intp_t feature, intp_t level, uint8_t missing_right) noexcept nogil
