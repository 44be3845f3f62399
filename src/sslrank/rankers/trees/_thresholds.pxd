"""Extra-Trees: one random threshold per feature, all features of a node at once."""

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._node_rows cimport DenseRows
from sslrank.rankers.trees._tests cimport Tests


cdef class ThresholdTests(Tests):
    cdef DenseRows dense
    cdef intp_t n_features
    cdef intp_t stride                            # n_features in whole vectors
    cdef float64_t[::1] low
    cdef float64_t[::1] high
    cdef float64_t[::1] threshold
    cdef float64_t[::1] sum_above
    cdef float32_t[::1] above                     # 1 if the rows above are the smaller side, else 0
    cdef float32_t[::1] side                      # whether a row is on the smaller side, row by row
    cdef float32_t[::1] sums                      # sums of the rows on the smaller sides

    cdef void judge(self, uint64_t stream) noexcept nogil
    cdef void draw(self, const int32_t* rows, intp_t n, uint64_t stream) noexcept nogil
    cdef void sum_scalars(self, const int32_t* rows, intp_t n) noexcept nogil
    cdef void sum_one(self, const int32_t* rows, intp_t n, const float32_t* amount,
                      float64_t* total) noexcept nogil
    cdef void norms_of_products(self, const int32_t* rows, intp_t n) noexcept nogil
    cdef void norms_of_rows(self, const int32_t* rows, intp_t n, intp_t width_f) noexcept nogil
