"""Dense clustering rows of which some columns have missing values of their own."""

from sslrank._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint8_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._node_rows cimport DenseRows


cdef class GappedRows(DenseRows):
    # The node's ragged columns: those without a gap in it join the features, the others keep what is known. A row is
    # [features | complete columns | targets | columns with gaps].
    cdef bint bounded
    cdef int32_t[::1] complete
    cdef int32_t[::1] gapped
    cdef intp_t n_complete
    cdef intp_t n_gapped
    cdef float32_t[::1] column_scale              # of the complete columns
    cdef uint8_t[::1] known                       # weight of local row i if column c is known: known[i * gaps + c]
    cdef float32_t[::1] inverse_weight
    cdef float32_t[::1] feature_squares           # weight * |row|^2 over the features and complete columns
    cdef float64_t all_squares                    # their sum
    cdef float64_t impurity_f                     # of the node, times its weight: what is there to be gained
    cdef float64_t impurity_t
    cdef float32_t[::1] saved                     # the running sum before a stretch of tests
    cdef int32_t[::1] stretch
    cdef intp_t length                            # rows of the next stretch

    cdef void list_columns(self, const float64_t* sums) noexcept nogil
    cdef void center_gapped(self) noexcept nogil
    cdef void scan_gaps(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing) noexcept nogil
    cdef bint is_hopeless(self, const float32_t* extra, const Side* before, const Side* after, float64_t before_f,
                          float64_t after_f) noexcept nogil
