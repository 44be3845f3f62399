"""The rows of a node in order of one feature at a time, and parted by the chosen test."""

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._orders cimport RowOrders
from sslrank.rankers.trees._table cimport FeatureTable

# Orders of a node's rows. They are lost where levels part a node several times: only the first finds its rows and their
# orders as they were.
cdef enum:
    NO_ORDERS
    HAS_ORDERS
    LOST_ORDERS             # there is room for them

cdef struct Split:
    # Rows with a larger code (numeric) or a category of the subset (nominal) go right, others left.
    intp_t feature          # -1: no test improves the node
    int32_t code
    float64_t threshold     # numeric: right if value > threshold
    uint8_t missing_right   # where the rows without the tested value go
    uint8_t subset          # whether there is a set of categories
    float64_t h             # decrease of impurity, as found in float32


cdef class Partitioner:
    cdef readonly FeatureTable table

    # The node
    cdef const int32_t* rows
    cdef intp_t n
    cdef bint has_orders
    cdef intp_t first_row
    cdef RowOrders orders

    # Rows of the node ordered by the tested feature. Group g holds the local rows order[start[g]:start[g +
    # 1]], which share the code group_code[g]; codes ascend. The rows of the group `pivot` are not needed by
    # any scan: tests above it are summed from the right, tests below it from the left. In sparse form they
    # are not listed.
    cdef int32_t[::1] order
    cdef int32_t[::1] start
    cdef int32_t[::1] group_code
    cdef int32_t[::1] missing_rows
    cdef intp_t n_groups
    cdef intp_t pivot
    cdef intp_t n_missing

    # Codes of the rows with a known value, `n_listed` of them, in `ends[0]`..`ends[1]`. Number i is the local row
    # local[i], or i if local is NULL.
    cdef const int32_t* listed
    cdef const int32_t* local
    cdef intp_t n_listed
    cdef int32_t[2] ends
    cdef int32_t[::1] codes
    cdef int32_t[::1] known_rows
    cdef uint64_t[::1] keys
    cdef uint64_t[::1] other_keys
    cdef int32_t[::1] counters

    # Sparse: entries of the node's rows, bucketed by sampled feature
    cdef int32_t[::1] slot_of                     # feature -> position among the sampled ones, -1 if not sampled
    cdef int32_t[::1] local_of                    # row -> local row, -1 outside the node
    cdef int64_t[::1] bucket
    cdef int32_t[::1] entry_local
    cdef int32_t[::1] entry_code

    cdef int32_t[::1] scratch

    cdef int reserve(self, intp_t n, const int32_t[::1] rows, bint sorts) except -1
    cdef uint8_t enter(self, const int32_t* rows, intp_t first_row, intp_t n, uint8_t cache) noexcept nogil
    cdef void bucket_entries(self, const int32_t[::1] sampled) noexcept nogil
    cdef void list_codes(self, intp_t slot, intp_t feature) noexcept nogil
    cdef bint order_rows(self, intp_t slot, intp_t feature) noexcept nogil
    cdef bint take_order(self, const unsigned int* sorted) noexcept nogil
    cdef bint add_default(self, intp_t feature) noexcept nogil
    cdef bint goes_right(self, const Split* split, const uint64_t* subset, intp_t row) noexcept nogil
    cdef intp_t part_rows(self, const Split* split, const uint64_t* subset, int32_t* rows, intp_t n,
                          bint with_orders) noexcept nogil
