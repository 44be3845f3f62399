"""Extra-Trees: one random threshold per feature, all features of a node at once.

The sums of all smaller sides are a matrix product: sides (features x rows,
                                                           zeros and ones) times centred
rows. Nodes that have inner products of their rows need quadratic forms of these instead.
"""

import numpy as np

from libc.string cimport memset

from sslrank._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._impurity cimport Impurity, Side
from sslrank.rankers.trees._random cimport uniform_at
from sslrank.rankers.trees._table cimport FeatureTable


cdef extern from "_thresholds.h" nogil:
    enum:
        SSLRANK_LANES
        SSLRANK_NARROW
    void sslrank_ranges(const double* numbers, intp_t n_features, const int32_t* rows, intp_t n, double* low,
                        double* high)
    void sslrank_sum_above(const double* numbers, intp_t n_features, const int32_t* rows, intp_t n,
                           const double* threshold, const float* amount, double* total)
    void sslrank_smaller_sides(intp_t n_features, double weight, const double* side, float* above)
    void sslrank_take_smaller(intp_t n_features, double whole, const float* above, double* side)
    void sslrank_sides_of(const double* numbers, intp_t n_features, const int32_t* rows, intp_t n,
                          const double* threshold, const float* above, float* side, intp_t stride)
    void sslrank_quadratic_forms(const float* side, intp_t stride, intp_t n, const float* products,
                                 intp_t products_stride, float* norm)
    void sslrank_add_sides(const float* side, intp_t stride, intp_t n, const float* rows, intp_t rows_stride,
                           intp_t width, float* sums)
    double sslrank_norm(const float* a, const float* b, intp_t width)

# Rows whose sides are worked out at a time: they stay in the cache.
cdef intp_t BLOCK = 64


def one_threshold_each(FeatureTable table, Impurity impurity, intp_t max_features):
    """Whether :class:`RandomThresholds` can serve all searches of Extra-Trees."""
    nominal = np.asarray(table.nominal, dtype=bool)
    return (not table.sparse and max_features == table.n_features and not impurity.n_ragged
            and impurity.width > SSLRANK_NARROW
            and not np.any(table.has_missing) and not (np.asarray(table.n_codes)[nominal] > 2).any())


cdef class RandomThresholds:
    """Work space for the tests of a node.

    Parameters
    ----------
    table : FeatureTable
    impurity : Impurity
    """

    def __init__(self, FeatureTable table, Impurity impurity):
        self.table = table
        self.impurity = impurity
        self.n_features = table.n_features
        self.stride = (table.n_features + SSLRANK_LANES - 1) // SSLRANK_LANES * SSLRANK_LANES
        self.low = np.empty(self.n_features)
        self.high = np.empty(self.n_features)
        self.threshold = np.empty(self.n_features)
        self.sum_above = np.empty(self.n_features)
        self.above = np.zeros(self.n_features, dtype=np.float32)
        self.sums = np.zeros(self.stride * max(impurity.width, 1), dtype=np.float32)

    cdef int reserve(self, intp_t n) except -1:
        """Make room for nodes of up to n rows."""
        self.side = np.zeros(max(BLOCK, min(n, self.impurity.products_limit)) * self.stride, dtype=np.float32)
        return 0

    cdef void judge(self, const int32_t* rows, intp_t n, uint64_t stream) noexcept nogil:
        """Decrease by the test of each feature f, as outcome f of a scan (see Impurity)."""
        self.draw(rows, n, stream)
        self.sum_scalars(rows, n)
        if not self.impurity.has_products:
            self.norms_of_rows(rows, n, self.impurity.width_f)
        else:
            self.norms_of_products(rows, n)
            if self.impurity.with_targets:
                memset(&self.impurity.norm_t[0], 0, self.n_features * sizeof(float32_t))
            else:
                self.norms_of_rows(rows, n, 0)
        self.impurity.judge(self.n_features)

    cdef void draw(self, const int32_t* rows, intp_t n, uint64_t stream) noexcept nogil:
        cdef intp_t f
        cdef float64_t t
        sslrank_ranges(&self.table.numbers[0, 0], self.n_features, rows, n, &self.low[0], &self.high[0])
        for f in range(self.n_features):
            t = self.low[f]
            if not self.table.nominal[f]:
                t += uniform_at(stream, f) * (self.high[f] - t)
                if t >= self.high[f]:  # rounding, with neighbouring numbers
                    t = self.low[f]
            self.threshold[f] = t

    cdef void sum_scalars(self, const int32_t* rows, intp_t n) noexcept nogil:
        """Weights of the smaller sides."""
        cdef Side node = self.impurity.node
        cdef intp_t n_features = self.n_features
        self.sum_one(rows, n, &self.impurity.local_weight[0], &self.impurity.side_weight[0])
        sslrank_smaller_sides(n_features, node.weight, &self.impurity.side_weight[0], &self.above[0])
        sslrank_take_smaller(n_features, node.weight, &self.above[0], &self.impurity.side_weight[0])
        if node.labeled > 0 and node.labeled < node.weight:
            self.sum_one(rows, n, &self.impurity.local_labeled[0], &self.impurity.side_labeled[0])
            self.sum_one(rows, n, &self.impurity.local_squares[0], &self.impurity.side_squares[0])
            sslrank_take_smaller(n_features, node.labeled, &self.above[0], &self.impurity.side_labeled[0])
            sslrank_take_smaller(n_features, node.squares, &self.above[0], &self.impurity.side_squares[0])

    cdef void sum_one(self, const int32_t* rows, intp_t n, const float32_t* amount,
                      float64_t* total) noexcept nogil:
        sslrank_sum_above(&self.table.numbers[0, 0], self.n_features, rows, n, &self.threshold[0], amount,
                          total)

    cdef void norms_of_products(self, const int32_t* rows, intp_t n) noexcept nogil:
        sslrank_sides_of(&self.table.numbers[0, 0], self.n_features, rows, n, &self.threshold[0],
                         &self.above[0],
                         &self.side[0], self.stride)
        sslrank_quadratic_forms(&self.side[0], self.stride, n, &self.impurity.products.node[0],
                                self.impurity.products.stride, &self.impurity.norm_f[0])

    cdef void norms_of_rows(self, const int32_t* rows, intp_t n, intp_t width_f) noexcept nogil:
        """Norms of the targets, and of the feature columns if they count (width_f > 0)."""
        cdef intp_t stride = self.impurity.width, width = width_f + self.impurity.width_t, i = 0, f, count
        cdef intp_t behind = self.impurity.width_f - width_f
        cdef const float32_t* sums
        memset(&self.sums[0], 0, self.stride * width * sizeof(float32_t))
        while i < n:
            count = min(n - i, BLOCK)
            sslrank_sides_of(&self.table.numbers[0, 0], self.n_features, rows + i, count, &self.threshold[0],
                             &self.above[0], &self.side[0], self.stride)
            sslrank_add_sides(&self.side[0], self.stride, count,
                              &self.impurity.centered[i * stride + behind], stride,
                              width, &self.sums[0])
            i += count
        for f in range(self.n_features):
            sums = &self.sums[f * width]
            if width_f:
                self.impurity.norm_f[f] = <float32_t> sslrank_norm(sums, NULL, width_f)
            self.impurity.norm_t[f] = <float32_t> sslrank_norm(sums + width_f, NULL, width - width_f)
