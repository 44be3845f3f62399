"""Extra-Trees: one random threshold per feature, all features of a node at once.

The sums of all smaller sides are a matrix product: sides (features x rows, zeros and ones) times centred rows.
Nodes that have inner products of their rows need quadratic forms of these instead.
"""

import numpy as np

from libc.string cimport memset

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._random cimport uniform_at
from sslrank.rankers.trees._table cimport MISSING
from sslrank.rankers.trees._tests cimport Tests


cdef extern from "_thresholds.h" nogil:
    enum:
        SSLRANK_LANES
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


cdef class ThresholdTests(Tests):
    """One test of every feature at once, on dense rows without missing values; for the parameters see Tests."""

    def __init__(self, rows, partitioner, max_features, min_leaf, levels):
        super().__init__(rows, partitioner, max_features, min_leaf, levels)
        self.dense = rows
        self.sorts = False
        self.n_features = self.table.n_features
        self.stride = (self.n_features + SSLRANK_LANES - 1) // SSLRANK_LANES * SSLRANK_LANES
        self.low = np.empty(self.n_features)
        self.high = np.empty(self.n_features)
        self.threshold = np.empty(self.n_features)
        self.sum_above = np.empty(self.n_features)
        self.above = np.zeros(self.n_features, dtype=np.float32)
        self.sums = np.zeros(self.stride * max(self.criterion.width, 1), dtype=np.float32)

    cdef int reserve(self, intp_t n, const int32_t[::1] bag) except -1:
        Tests.reserve(self, n, bag)
        self.side = np.zeros(max(BLOCK, min(n, self.dense.products_limit)) * self.stride, dtype=np.float32)
        return 0

    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil:
        cdef intp_t k, f
        self.judge(stream)
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            f = self.choose(k, 0, self.n_features, False)
            if f >= 0:
                self.best[k].feature = f
                self.best[k].threshold = self.threshold[f]
                self.best[k].code = <int32_t> self.threshold[f] if self.table.nominal[f] else MISSING
                self.best[k].missing_right = 0
                self.best[k].subset = 0

    cdef void complete(self, intp_t level, uint64_t stream) noexcept nogil:
        cdef intp_t f = self.best[level].feature
        if self.best[level].code == MISSING:
            self.best[level].code = self.table.last_code_up_to(
                f, self.best[level].threshold, 0, self.table.n_codes[f] - 1)

    cdef void judge(self, uint64_t stream) noexcept nogil:
        """Decrease by the test of each feature f, as outcome f of a scan (see Criterion)."""
        cdef const int32_t* rows = self.rows.rows
        cdef intp_t n = self.rows.n
        self.draw(rows, n, stream)
        self.sum_scalars(rows, n)
        if not self.dense.has_products:
            self.norms_of_rows(rows, n, self.criterion.width_f)
        else:
            self.norms_of_products(rows, n)
            if self.criterion.joined:
                memset(&self.criterion.norm_t[0], 0, self.n_features * sizeof(float32_t))
            else:
                self.norms_of_rows(rows, n, 0)
        self.criterion.judge(0, self.n_features)

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
        cdef Side node = self.criterion.node
        cdef intp_t n_features = self.n_features
        self.sum_one(rows, n, &self.rows.local_weight[0], &self.criterion.side_weight[0])
        sslrank_smaller_sides(n_features, node.weight, &self.criterion.side_weight[0], &self.above[0])
        sslrank_take_smaller(n_features, node.weight, &self.above[0], &self.criterion.side_weight[0])
        if node.labeled > 0 and node.labeled < node.weight:
            self.sum_one(rows, n, &self.rows.local_labeled[0], &self.criterion.side_labeled[0])
            self.sum_one(rows, n, &self.rows.local_squares[0], &self.criterion.side_squares[0])
            sslrank_take_smaller(n_features, node.labeled, &self.above[0], &self.criterion.side_labeled[0])
            sslrank_take_smaller(n_features, node.squares, &self.above[0], &self.criterion.side_squares[0])

    cdef void sum_one(self, const int32_t* rows, intp_t n, const float32_t* amount,
                      float64_t* total) noexcept nogil:
        sslrank_sum_above(&self.table.numbers[0, 0], self.n_features, rows, n, &self.threshold[0], amount,
                          total)

    cdef void norms_of_products(self, const int32_t* rows, intp_t n) noexcept nogil:
        sslrank_sides_of(&self.table.numbers[0, 0], self.n_features, rows, n, &self.threshold[0],
                         &self.above[0],
                         &self.side[0], self.stride)
        sslrank_quadratic_forms(&self.side[0], self.stride, n, &self.dense.products.node[0],
                                self.dense.products.stride, &self.criterion.norm_f[0])

    cdef void norms_of_rows(self, const int32_t* rows, intp_t n, intp_t width_f) noexcept nogil:
        """Norms of the targets, and of the feature columns if they count (width_f > 0)."""
        cdef intp_t stride = self.criterion.width, width = width_f + self.criterion.width_t, i = 0, f, count
        cdef intp_t behind = self.criterion.width_f - width_f
        cdef const float32_t* sums
        memset(&self.sums[0], 0, self.stride * width * sizeof(float32_t))
        # Invariant: sums[f] are the sums of the rows before i that are on the smaller side of the test of feature f.
        while i < n:
            count = min(n - i, BLOCK)
            sslrank_sides_of(&self.table.numbers[0, 0], self.n_features, rows + i, count, &self.threshold[0],
                             &self.above[0], &self.side[0], self.stride)
            sslrank_add_sides(&self.side[0], self.stride, count,
                              &self.dense.centered[i * stride + behind], stride,
                              width, &self.sums[0])
            i += count
        for f in range(self.n_features):
            sums = &self.sums[f * width]
            if width_f:
                self.criterion.norm_f[f] = <float32_t> sslrank_norm(sums, NULL, width_f)
            self.criterion.norm_t[f] = <float32_t> sslrank_norm(sums + width_f, NULL, width - width_f)
