"""Inner products of the rows of small nodes: see _products.h."""

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t


cdef class RowProducts:
    cdef readonly intp_t limit                    # largest number of rows

    # The subtree: products about the mean of its uppermost node, of which nodes below take their part.
    cdef readonly int32_t number                  # counts subtrees; 0: none yet
    cdef bint with_targets                        # whether they stand for the targets as well
    cdef intp_t first_stride
    cdef int32_t[::1] index_of                    # row -> its row in the matrix
    cdef int32_t[::1] index
    cdef float32_t[::1] columns                   # work space
    cdef float32_t[::1] first

    # The node
    cdef intp_t stride
    cdef float32_t[::1] node
    cdef float64_t[::1] weight                    # of local rows
    cdef float64_t[::1] mean
    cdef float32_t[::1] running                   # work space of a scan

    cdef void make(self, const int32_t* rows, intp_t n, const float32_t* centered, intp_t width,
                   intp_t width_f,
                   intp_t width_t, float32_t ratio) noexcept nogil
    cdef bint take(self, const int32_t* rows, intp_t n, const float32_t* weight,
                   float64_t total) noexcept nogil
