"""The clustering rows of the node that is searched: entered once, then added up test by test."""

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint8_t
from sslrank.rankers.trees._criterion cimport Criterion, Side
from sslrank.rankers.trees._products cimport RowProducts


cdef class NodeRows:
    # Rows are numbered 0..n - 1 in the node ("local"). Weights are whole numbers: multiplicities in the bag.
    cdef readonly Criterion criterion
    cdef readonly intp_t n_rows
    cdef const uint8_t[::1] labeled
    cdef intp_t n
    cdef const int32_t* rows
    cdef float32_t[::1] local_weight
    cdef float32_t[::1] local_labeled             # weight if labelled, else 0
    cdef float32_t[::1] local_squares             # weight * |target row - node mean|^2 if labelled, else 0
    cdef float32_t[::1] mean                      # of the node
    cdef float32_t[::1] running                   # the running sum of a scan

    cdef int reserve(self, intp_t n) except -1
    cdef void add_rows(self, const int32_t* rows, intp_t n, const float32_t* weights, float64_t* sums,
                       Side* side) noexcept nogil
    cdef int32_t enter(self, const int32_t* rows, intp_t n, const float32_t* weights, const float64_t* sums,
                       const Side* side, int32_t cache) noexcept nogil
    cdef void set_weights(self, const int32_t* rows, intp_t n, const float32_t* weights,
                          const Side* side) noexcept nogil
    cdef void set_mean(self, const float64_t* sums) noexcept nogil
    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil
    cdef void sum_sides(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, const Side* side, intp_t at) noexcept nogil


cdef class DenseRows(NodeRows):
    # Rows [features | targets | ragged values | ragged known flags]; for the ragged columns see GappedRows.
    # Columns are centred on the training mean and scaled by sqrt(weight / (count * variance)), so that a sum of
    # variances over columns is the normalised impurity of Eq. (1). Unknown entries are 0.
    cdef readonly intp_t stride
    cdef const float32_t[::1] z
    cdef float32_t[::1] centered                  # the node's rows, `row_width` columns, targets from `target_at` on
    cdef intp_t row_width
    cdef intp_t target_at
    cdef float32_t[::1] norm_none                 # where the norms of no columns go
    cdef float32_t[::1] missing_sum               # sum of the rows that lack the tested value
    cdef Side missing

    # Inner products of the rows of nodes of few rows, about the node's mean
    cdef RowProducts products
    cdef intp_t products_limit                    # 0: never
    cdef bint has_products                        # whether the node has them
    cdef float64_t level                          # the only level of supervision, -1 if there are several

    cdef void center_features(self) noexcept nogil
    cdef void center_targets(self) noexcept nogil
    cdef void make_products(self) noexcept nogil
    cdef void set_missing(self, const int32_t* order, intp_t n) noexcept nogil
    cdef Side add_group(self, const int32_t* order, intp_t n, float32_t* total) noexcept nogil
    cdef void add_locals(self, const int32_t* order, intp_t n, float32_t* total) noexcept nogil
    cdef void scan_columns(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                           intp_t n_groups, bint with_missing, intp_t at) noexcept nogil
    cdef void scan_both(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing) noexcept nogil
