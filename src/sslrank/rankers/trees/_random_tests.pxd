"""Extra-Trees: one random test of every sampled feature, one feature after the other."""

from sslrank.core._typedefs cimport float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._tests cimport SubsetTests


cdef class RandomTests(SubsetTests):
    cdef float64_t[::1] numbers                   # values of the node's rows

    cdef void try_threshold(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil
    cdef bint try_number(self, intp_t feature, float64_t u, uint64_t active) noexcept nogil
    cdef void try_subset(self, intp_t feature, uint64_t* stream, uint64_t active) noexcept nogil
