"""Extra-Trees: one random test of every sampled feature, one feature after the other."""

from sslrank.core._typedefs cimport float64_t, int8_t, int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._tests cimport Tests


cdef class RandomTests(Tests):
    cdef uint8_t[::1] is_number                   # numeric, and dense without missing values
    cdef float64_t[::1] numbers                   # values of the node's rows, some features at a time
    cdef int8_t[::1] sides                        # and whether they are above the features' thresholds
    # Bits of categories: those that occur in the node, and those in A
    cdef uint64_t[::1] occurring
    cdef uint64_t[::1] drawn

    cdef void try_threshold(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil
    cdef intp_t try_numbers(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil
    cdef void try_subset(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil
    cdef bint draw_subset(self, intp_t n_words, uint64_t* stream) noexcept nogil
    cdef void judge_listed(self, intp_t n, bint right, intp_t feature, int32_t cut, float64_t threshold,
                           uint8_t subset, uint64_t active) noexcept nogil
