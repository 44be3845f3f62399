"""All tests of a node at once, where every feature has two values and every feature is tried."""

from sslrank._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._sparse_rows cimport SparseRows
from sslrank.rankers.trees._tests cimport Tests


cdef class TwoValuedTests(Tests):
    cdef readonly bint random_tests
    cdef SparseRows entries
    cdef const float32_t* weights
    cdef intp_t n_features
    cdef intp_t n_targets                         # target columns, 0 if they do not matter
    cdef float64_t[::1] square                    # squared clustering value of an entry, by place
    cdef bint with_pairs                          # whether feature columns matter

    # The rows that the sums are over. Invariant: `pairs`, `norm_f`, `target_sum` and `norm_t` belong to them.
    cdef int32_t[::1] held
    cdef intp_t n_held
    cdef int32_t[::1] stamp                       # row -> the last visit that asked for it
    cdef int32_t visit

    # By place: features are numbered from the most frequent one on, see `FeatureTable.row_place`.
    cdef float64_t[::1] row_square                # work space for the entries of a row
    cdef float64_t[::1] row_grown
    cdef float32_t[:, ::1] pairs                  # weight of the rows with entries of both, lower triangle
    cdef float64_t[::1] norm_f                    # squared norms of the sums of a feature's rows
    cdef float64_t[:, ::1] target_sum
    cdef float64_t[::1] norm_t
    cdef float64_t[::1] scalars                   # made anew in every node

    cdef void clear(self) noexcept nogil
    cdef void hold(self, const int32_t* rows, intp_t n) noexcept nogil
    cdef void add_row(self, intp_t row, float32_t weight) noexcept nogil
    cdef void judge(self) noexcept nogil
