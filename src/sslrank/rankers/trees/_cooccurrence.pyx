"""All tests of a node at once, where every feature has two values and every feature is tried.

A node's sums are its parent's without the rows that went elsewhere. So a tree costs the rows of the smaller
branches instead of the rows of all nodes, if the larger branch is searched first. Only scalars (weights,
products with the node's mean) are added up anew in every node.
"""

import numpy as np

from libc.string cimport memcpy, memset

from sslrank._typedefs cimport float32_t, float64_t, int32_t, int64_t, intp_t, uint64_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._random cimport uniform_at
from sslrank.rankers.trees._tests cimport Cache, Tests


cdef extern from "_cooccurrence.h" nogil:
    enum:
        SSLRANK_SCALARS
    void sslrank_add_pairs(const int32_t* place, const double* square, intp_t n, float weight,
                           intp_t n_features, float* pairs, double* grown, double* norm)
    void sslrank_add_target(const int32_t* place, intp_t n, intp_t column, double v, intp_t n_targets,
                            double* sums, double* norm)
    void sslrank_add_scalars(const int32_t* place, intp_t n, const double* scalars, double* sums)


cdef class TwoValuedTests(Tests):
    """Sums over the sides of all two-valued features, kept from node to node.

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
        self.entries = rows
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
        self.pairs = np.zeros((n, n) if self.with_pairs else (1, 1), dtype=np.float32)
        self.norm_f = np.zeros(n)
        self.target_sum = np.zeros((n, max(self.n_targets, 1)))
        self.norm_t = np.zeros(n)
        self.scalars = np.zeros(n * SSLRANK_SCALARS)

    cdef int reserve(self, intp_t n, const int32_t[::1] bag) except -1:
        Tests.reserve(self, n, bag)
        self.clear()
        return 0

    cdef Cache enter(self, const int32_t* rows, intp_t first_row, intp_t n, const float32_t* weights,
                     const float64_t* sums, const Side* side, Cache cache) noexcept nogil:
        self.weights = weights
        return Tests.enter(self, rows, first_row, n, weights, sums, side, cache)

    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil:
        cdef intp_t k, f
        self.hold(self.rows.rows, self.rows.n)
        self.judge()
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            f = self.choose(k, 0, self.n_features, False)
            if f >= 0:
                self.best[k].feature = f
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
        memset(&self.pairs[0, 0], 0, self.pairs.shape[0] * self.pairs.shape[1] * sizeof(float32_t))
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
        cdef const int32_t* place = &self.table.row_place[self.table.row_start[row]]
        cdef intp_t n = self.table.row_start[row + 1] - self.table.row_start[row], i
        cdef int64_t e
        if self.with_pairs:
            for i in range(n):
                self.row_square[i] = self.square[place[i]]
            sslrank_add_pairs(place, &self.row_square[0], n, weight, self.n_features, &self.pairs[0, 0],
                              &self.row_grown[0], &self.norm_f[0])
        for e in range(self.entries.z_targets[row], self.entries.z_start[row + 1]):
            sslrank_add_target(place, n, self.entries.z_column[e] - self.criterion.width_f,
                               weight * <float64_t> self.entries.z_value[e], self.n_targets,
                               &self.target_sum[0, 0], &self.norm_t[0])

    cdef void judge(self) noexcept nogil:
        """Decrease by the test of each feature f, as outcome f of a scan (see Criterion)."""
        cdef intp_t i, p, f, row
        cdef float64_t[8] mine
        cdef const float64_t* sums
        memset(&self.scalars[0], 0, self.n_features * SSLRANK_SCALARS * sizeof(float64_t))
        mine[5] = mine[6] = mine[7] = 0
        for i in range(self.rows.n):
            row = self.rows.rows[i]
            mine[0] = self.rows.local_weight[i]
            mine[1] = self.rows.local_labeled[i]
            mine[2] = self.rows.local_squares[i]
            mine[3] = self.entries.mean_dot_f[i]
            mine[4] = self.entries.mean_dot_t[i]
            sslrank_add_scalars(&self.table.row_place[self.table.row_start[row]],
                                self.table.row_start[row + 1] - self.table.row_start[row], mine,
                                &self.scalars[0])
        for p in range(self.n_features):
            f = self.table.feature_at[p]
            sums = &self.scalars[p * SSLRANK_SCALARS]
            self.criterion.side_weight[f] = sums[0]
            self.criterion.side_labeled[f] = sums[1]
            self.criterion.side_squares[f] = sums[2]
            self.entries.center_norms(f, self.norm_f[p], self.norm_t[p], sums[3], sums[4])
        self.criterion.judge(0, self.n_features)
