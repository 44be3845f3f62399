"""The rows of a node in order of every feature, handed down from node to node."""

from sslrank.core._typedefs cimport int32_t, intp_t, uint8_t
from sslrank.rankers.trees._table cimport FeatureTable

ctypedef unsigned int uint32_t


cdef enum:
    LARGEST_ROW = 1 << 16                         # of a node that is sorted by short keys


cdef class RowOrders:
    cdef readonly FeatureTable table
    cdef intp_t limit                             # rows of a subtree that get orders, 0: none
    cdef uint8_t[::1] is_short                 # whether a feature has short keys: no value is missing

    # The node of rows start..end - 1 has the order order[f * stride + start - first] ... of feature f.
    cdef uint32_t[::1] order
    cdef intp_t stride
    cdef intp_t first
    cdef uint32_t[::1] moved                      # where the rows of the parted node go
    cdef uint32_t[::1] keys
    cdef uint32_t[::1] scratch
    cdef int32_t[::1] count

    cdef int reserve(self, intp_t n) except -1
    cdef void begin(self, intp_t start, intp_t n) noexcept nogil
    cdef void sort(self, const int32_t* rows, intp_t start, intp_t n) noexcept nogil
    cdef uint32_t* of(self, intp_t feature, intp_t start) noexcept nogil
    cdef void part(self, intp_t start, intp_t n) noexcept nogil
