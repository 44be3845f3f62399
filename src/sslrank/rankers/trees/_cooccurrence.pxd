"""All tests of a node at once, where every feature has two values and every feature is tried."""

from libc.stdint cimport uint16_t

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._sparse_rows cimport SparseRows
from sslrank.rankers.trees._tests cimport Tests


cdef class TwoValuedTests(Tests):
    cdef readonly bint random_tests
    cdef SparseRows sparse_rows
    cdef const float32_t* weights
    cdef intp_t n_features
    cdef intp_t n_targets                         # target columns, 0 if they do not matter
    cdef float64_t[::1] square                    # squared clustering value of an entry, by position
    cdef bint with_pairs                          # whether feature columns matter

    # The rows that the sums are over. Invariant: `pairs`, `norm_f`, `target_sum` and `norm_t` belong to them.
    cdef int32_t[::1] held
    cdef intp_t n_held
    cdef int32_t[::1] stamp                       # row -> the last visit that asked for it
    cdef int32_t visit

    # By position: features are numbered from the most frequent one on, see `FeatureTable.row_position`.
    cdef float64_t[::1] row_square                # work space for the entries of a row
    cdef float64_t[::1] row_grown
    cdef bint short_pairs
    cdef uint16_t[::1] pairs16                    # weight of the rows with entries of both, lower triangle
    cdef int32_t[::1] pairs32                     # the same where weights may be larger
    cdef float64_t[::1] norm_f                    # squared norms of the sums of a feature's rows
    cdef float64_t[:, ::1] target_sum
    cdef float64_t[::1] norm_t
    cdef float64_t[::1] scalars                   # made anew in every node, else zero

    # Features with an entry in the node, ascending: outcome b is that of occurring[b]
    cdef int32_t[::1] occurring
    cdef intp_t n_occurring
    cdef uint64_t[::1] bits
    cdef int32_t[::1] position_of_feature

    # Nodes of few rows: inner products of the rows of a subtree, and the rows on each side
    cdef float64_t[::1] products_f
    cdef float64_t[::1] products_t
    cdef int32_t[::1] product_of                  # row -> its number among the products
    cdef float32_t[::1] vector                    # work space, zero between uses
    cdef uint64_t[::1] side_of                    # feature -> local rows; empty between nodes

    cdef void clear(self) noexcept nogil
    cdef void hold(self, const int32_t* rows, intp_t n) noexcept nogil
    cdef void add_row(self, intp_t row, float32_t weight) noexcept nogil
    cdef void make_products(self, const int32_t* rows, intp_t n) noexcept nogil
    cdef void sum_sets(self) noexcept nogil
    cdef void sum_sides(self) noexcept nogil
