"""All tests of a node at once, where every feature has two values and every feature is tried.

A node's sums are its parent's without the rows that went elsewhere. So a tree costs the rows of the smaller
branches instead of the rows of all nodes, if the larger branch is searched first. Only scalars (weights,
products with the node's mean) are added up anew in every node. Nodes of few rows keep nothing: they take inner products
of their rows, see _row_sets.h.
"""

import numpy as np

from libc.stdint cimport uint16_t
from libc.string cimport memcpy, memset

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, int64_t, intp_t, uint64_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._random cimport uniform_at
from sslrank.rankers.trees._tests cimport Cache, Tests


cdef extern from "_cooccurrence.h" nogil:
    enum:
        SSLRANK_SCALARS
    void sslrank_add_pairs16(const int32_t* position, const double* square, intp_t n, int weight, intp_t n_features,
                             uint16_t* pairs, double* grown, double* norm)
    void sslrank_add_pairs32(const int32_t* position, const double* square, intp_t n, int weight, intp_t n_features,
                             int32_t* pairs, double* grown, double* norm)
    void sslrank_add_target(const int32_t* position, intp_t n, intp_t column, double v, intp_t n_targets,
                            double* sums, double* norm)
    void sslrank_add_scalars(const int32_t* position, intp_t n, const double* scalars, double* sums)

cdef extern from "_occurring.h" nogil:
    intp_t sslrank_list_occurring(const int64_t* begin, const int64_t* end, const int32_t* column, const int32_t* rows,
                                  intp_t n, uint64_t* bits, intp_t n_words, int32_t* occurring)

cdef extern from "_row_sets.h" nogil:
    enum:
        SSLRANK_SET
    ctypedef struct Row "sslrank_row":
        double weight, labeled, squares, mean_dot_f, mean_dot_t
        intp_t product
    ctypedef struct SetSums "sslrank_set_sums":
        double weight, labeled, squares, mean_dot_f, mean_dot_t, norm_f, norm_t
    void sslrank_row_products(const int64_t* begin, const int64_t* end, const int32_t* column, const float* value,
                              const int32_t* rows, intp_t n, float* vector, double* products)
    SetSums sslrank_sum_set(const Row* rows, uint64_t set, const double* products_f, const double* products_t)

# A bag weighs no more than there are rows.
cdef intp_t LARGEST_SHORT = (1 << 16) - 1


cdef class TwoValuedTests(Tests):
    """Sums over the sides of all two-valued features, kept from node to node where these have many rows.

    Parameters
    ----------
    rows : SparseRows
    random_tests : bool
        Whether a numeric threshold is drawn between the two values (the sides are the same).
    partitioner, max_features, min_leaf, levels
        See Tests.
    """

    def __init__(self, rows, partitioner, max_features, min_leaf, levels, random_tests):
        super().__init__(rows, partitioner, max_features, min_leaf, levels)
        table, n = self.table, self.table.n_features
        self.sparse_rows = rows
        self.random_tests = random_tests
        self.sorts = False
        self.large_first = True
        self.n_features = n
        self.n_targets = self.criterion.width_t
        self.with_pairs = self.criterion.width_f > 0
        value = np.asarray(rows.entry_value, dtype=np.float64)[np.asarray(table.feature_at)]
        self.square = value * value
        self.held = np.empty(table.n_rows, dtype=np.int32)
        self.stamp = np.zeros(table.n_rows, dtype=np.int32)
        self.row_square = np.empty(n)
        self.row_grown = np.empty(n)
        self.short_pairs = table.n_rows <= LARGEST_SHORT
        n_pairs = n * n if self.with_pairs else 1
        self.pairs16 = np.zeros(n_pairs if self.short_pairs else 1, dtype=np.uint16)
        self.pairs32 = np.zeros(1 if self.short_pairs else n_pairs, dtype=np.int32)
        self.norm_f = np.zeros(n)
        self.target_sum = np.zeros((n, max(self.n_targets, 1)))
        self.norm_t = np.zeros(n)
        self.scalars = np.zeros(n * SSLRANK_SCALARS)
        self.position_of_feature = np.argsort(table.feature_at).astype(np.int32)
        self.bits = np.zeros(n // 64 + 1, dtype=np.uint64)
        self.occurring = np.empty(n, dtype=np.int32)
        self.products_f = np.zeros(SSLRANK_SET * SSLRANK_SET)
        self.products_t = np.zeros(SSLRANK_SET * SSLRANK_SET)
        self.vector = np.zeros(self.criterion.width_f + self.n_targets + 1, dtype=np.float32)
        self.product_of = np.zeros(table.n_rows, dtype=np.int32)
        self.side_of = np.zeros(n, dtype=np.uint64)

    cdef int reserve(self, intp_t n, const int32_t[::1] bag) except -1:
        Tests.reserve(self, n, bag)
        self.clear()
        return 0

    cdef Cache enter(self, const int32_t* rows, intp_t first_row, intp_t n, const float32_t* weights,
                     const float64_t* sums, const Side* side, Cache cache) noexcept nogil:
        self.weights = weights
        cdef int32_t made = cache.rows
        cache.rows = 0  # the rows themselves keep nothing
        cache = Tests.enter(self, rows, first_row, n, weights, sums, side, cache)
        if n <= SSLRANK_SET and not made:
            self.make_products(rows, n)
            made = 1
        cache.rows = made
        return cache

    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil:
        cdef intp_t k, f
        if self.rows.n <= SSLRANK_SET:
            self.sum_sets()
        else:
            self.hold(self.rows.rows, self.rows.n)
            self.sum_sides()
        self.sparse_rows.center_norms(self.n_occurring)
        self.criterion.judge(0, self.n_occurring)
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            f = self.choose(k, 0, self.n_occurring, False)
            if f >= 0:
                self.best[k].feature = self.occurring[f]
                self.best[k].code = 0
                self.best[k].missing_right = 0
                self.best[k].subset = 0

    cdef void complete(self, intp_t level, uint64_t stream) noexcept nogil:
        cdef intp_t f = self.best[level].feature
        cdef float64_t low = 0 if self.table.nominal[f] else self.table.value(f, 0)
        self.best[level].threshold = low
        if self.random_tests and not self.table.nominal[f]:
            self.best[level].threshold = low + uniform_at(stream, f) * (self.table.value(f, 1) - low)

    cdef void clear(self) noexcept nogil:
        """Hold no rows. Exact zeros, so that a tree does not depend on the trees before it."""
        self.pairs16[:] = 0
        self.pairs32[:] = 0
        memset(&self.norm_f[0], 0, self.n_features * sizeof(float64_t))
        memset(&self.target_sum[0, 0], 0, self.n_features * self.target_sum.shape[1] * sizeof(float64_t))
        memset(&self.norm_t[0], 0, self.n_features * sizeof(float64_t))
        self.n_held = 0

    cdef void hold(self, const int32_t* rows, intp_t n) noexcept nogil:
        """Go over to the rows of a node: take out what is too much, add what is missing."""
        cdef intp_t i, row
        self.visit += 1
        for i in range(n):
            self.stamp[rows[i]] = self.visit
        for i in range(self.n_held):
            row = self.held[i]
            if self.stamp[row] == self.visit:
                self.stamp[row] = 0  # here already
            else:
                self.add_row(row, -self.weights[row])
        for i in range(n):
            if self.stamp[rows[i]]:
                self.add_row(rows[i], self.weights[rows[i]])
        memcpy(&self.held[0], rows, n * sizeof(int32_t))
        self.n_held = n

    cdef void add_row(self, intp_t row, float32_t weight) noexcept nogil:
        cdef const int32_t* position = &self.table.row_position[self.table.row_start[row]]
        cdef intp_t n = self.table.row_start[row + 1] - self.table.row_start[row], i
        cdef int64_t e
        if self.with_pairs:
            for i in range(n):
                self.row_square[i] = self.square[position[i]]
            if self.short_pairs:
                sslrank_add_pairs16(position, &self.row_square[0], n, <int> weight, self.n_features, &self.pairs16[0],
                                    &self.row_grown[0], &self.norm_f[0])
            else:
                sslrank_add_pairs32(position, &self.row_square[0], n, <int> weight, self.n_features, &self.pairs32[0],
                                    &self.row_grown[0], &self.norm_f[0])
        for e in range(self.sparse_rows.z_targets[row], self.sparse_rows.z_start[row + 1]):
            sslrank_add_target(position, n, self.sparse_rows.z_column[e] - self.criterion.width_f,
                               weight * <float64_t> self.sparse_rows.z_value[e], self.n_targets,
                               &self.target_sum[0, 0], &self.norm_t[0])

    cdef void sum_sides(self) noexcept nogil:
        """Sums over the sides of all features with an entry in the node, as outcomes (see Criterion)."""
        cdef intp_t i, b = 0, f, p, row
        cdef float64_t[8] mine
        cdef float64_t* sums
        mine[5] = mine[6] = mine[7] = 0
        for i in range(self.rows.n):
            row = self.rows.rows[i]
            mine[0] = self.rows.local_weight[i]
            mine[1] = self.rows.local_labeled[i]
            mine[2] = self.rows.local_squares[i]
            mine[3] = self.sparse_rows.mean_dot_f[i]
            mine[4] = self.sparse_rows.mean_dot_t[i]
            sslrank_add_scalars(&self.table.row_position[self.table.row_start[row]],
                                self.table.row_start[row + 1] - self.table.row_start[row], mine,
                                &self.scalars[0])
        for f in range(self.n_features):
            p = self.position_of_feature[f]
            sums = &self.scalars[p * SSLRANK_SCALARS]
            if sums[0] == 0:
                continue  # no entry
            self.occurring[b] = <int32_t> f
            self.criterion.side_weight[b] = sums[0]
            self.criterion.side_labeled[b] = sums[1]
            self.criterion.side_squares[b] = sums[2]
            self.sparse_rows.cross_f[b] = sums[3]
            self.sparse_rows.cross_t[b] = sums[4]
            self.criterion.gain_f[b] = self.norm_f[p]
            self.criterion.gain_t[b] = self.norm_t[p]
            memset(sums, 0, SSLRANK_SCALARS * sizeof(float64_t))
            b += 1
        self.n_occurring = b

    cdef void make_products(self, const int32_t* rows, intp_t n) noexcept nogil:
        """Inner products of few rows, for all nodes that consist of such rows."""
        cdef intp_t i
        for i in range(n):
            self.product_of[rows[i]] = <int32_t> i
        if self.with_pairs:
            sslrank_row_products(&self.sparse_rows.z_start[0], &self.sparse_rows.z_targets[0],
                                 &self.sparse_rows.z_column[0], &self.sparse_rows.z_value[0], rows, n,
                                 &self.vector[0], &self.products_f[0])
        if self.n_targets:
            sslrank_row_products(&self.sparse_rows.z_targets[0], &self.sparse_rows.z_start[1],
                                 &self.sparse_rows.z_column[0], &self.sparse_rows.z_value[0], rows, n,
                                 &self.vector[0], &self.products_t[0])

    cdef void sum_sets(self) noexcept nogil:
        """`sum_sides` in a node of few rows."""
        cdef intp_t i, b, f, row
        cdef int64_t e
        cdef Row[SSLRANK_SET] rows
        cdef SetSums sums
        for i in range(self.rows.n):
            row = self.rows.rows[i]
            rows[i].weight = self.rows.local_weight[i]
            rows[i].labeled = self.rows.local_labeled[i]
            rows[i].squares = self.rows.local_squares[i]
            rows[i].mean_dot_f = self.sparse_rows.mean_dot_f[i]
            rows[i].mean_dot_t = self.sparse_rows.mean_dot_t[i]
            rows[i].product = self.product_of[row]
            for e in range(self.table.row_start[row], self.table.row_start[row + 1]):
                self.side_of[self.table.row_feature[e]] |= <uint64_t> 1 << i
        self.n_occurring = sslrank_list_occurring(
            &self.table.row_start[0], &self.table.row_start[1], &self.table.row_feature[0], self.rows.rows,
            self.rows.n, &self.bits[0], self.bits.shape[0], &self.occurring[0])
        for b in range(self.n_occurring):
            f = self.occurring[b]
            sums = sslrank_sum_set(rows, self.side_of[f], &self.products_f[0] if self.with_pairs else NULL,
                                   &self.products_t[0] if self.n_targets else NULL)
            self.side_of[f] = 0
            self.criterion.side_weight[b] = sums.weight
            self.criterion.side_labeled[b] = sums.labeled
            self.criterion.side_squares[b] = sums.squares
            self.sparse_rows.cross_f[b] = sums.mean_dot_f
            self.sparse_rows.cross_t[b] = sums.mean_dot_t
            self.criterion.gain_f[b] = sums.norm_f
            self.criterion.gain_t[b] = sums.norm_t
