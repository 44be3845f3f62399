"""Dense clustering rows of which some columns have missing values of their own."""

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._node_rows cimport DenseRows

cdef enum:
    TOGETHER = 16                                 # features that are scanned together


# The rows in order of a feature, see Partitioner
cdef struct Ordered:
    intp_t feature
    intp_t n_groups
    intp_t pivot
    bint missing                                  # whether rows lack the tested value
    Side side                                     # of these
    int32_t* order
    int32_t* start
    int32_t* group_code
    float32_t* missing_sum


cdef class GappedRows(DenseRows):
    # The node's ragged columns: those without a gap in it join the features, the others keep what is known. A row is
    # [features | complete columns | targets]; gappy columns are in tiles of 16, each with its numbers of all rows. A
    # sum of rows has the tiles, each [values | known weights | squares], behind the targets.
    cdef int32_t[::1] complete
    cdef int32_t[::1] gapped
    cdef intp_t n_complete
    cdef intp_t n_gapped
    cdef float32_t[::1] column_scale              # of the complete columns
    cdef float32_t[::1] tiles

    # Features that wait to be scanned together
    cdef Ordered[TOGETHER] waiting
    cdef intp_t n_waiting
    cdef int32_t[:, :, ::1] orders                # (feature; order, start, group_code; row)
    cdef float32_t[:, ::1] missing_sums

    cdef void list_columns(self, const float64_t* sums) noexcept nogil
    cdef void fill_up(self) noexcept nogil
    cdef void center_gapped(self) noexcept nogil
    cdef void scan_tile(self, intp_t tile, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing, const float32_t* missing_sum) noexcept nogil
    cdef void wait(self, intp_t feature, const int32_t* order, const int32_t* start, const int32_t* group_code,
                   intp_t n_groups, intp_t pivot, bint missing) noexcept nogil
    cdef intp_t outcome(self, intp_t j, bint above, bint with_missing) noexcept nogil
    cdef void scan_waiting(self) noexcept nogil
