"""Dense clustering rows of which some columns have missing values of their own."""

from sslrank._typedefs cimport float32_t, float64_t, int32_t, intp_t
from sslrank.rankers.trees._node_rows cimport DenseRows


cdef class GappedRows(DenseRows):
    # The node's ragged columns: those without a gap in it join the features, the others keep what is known. A row is
    # [features | complete columns | targets | gappy columns: values, known weights, squares].
    cdef int32_t[::1] complete
    cdef int32_t[::1] gapped
    cdef intp_t n_complete
    cdef intp_t n_gapped
    cdef float32_t[::1] column_scale              # of the complete columns

    cdef void list_columns(self, const float64_t* sums) noexcept nogil
    cdef void center_gapped(self) noexcept nogil
    cdef void scan_gaps(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing) noexcept nogil
