"""Clustering rows as lists of entries. Rows stay as they are: sums are centred after the fact, in float64."""

import numpy as np

from libc.string cimport memset

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, int64_t, intp_t, uint64_t
from sslrank.rankers.trees._criterion cimport Criterion, Side
from sslrank.rankers.trees._node_rows cimport NodeRows


cdef extern from "_sparse_sums.h" nogil:
    void sslrank_scan_entries(const int64_t* begin, const int64_t* end, const int32_t* column,
                              const float* value, const int32_t* rows, const float* weight,
                              const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                              intp_t n_groups, float* total, double* own)
    void sslrank_center_norms(intp_t n, const double* own, const double* cross, const double* side, double whole,
                              double squared_norm, float* norm)
    float sslrank_dot_entries(const int32_t* column, const float* value, intp_t n, const float* vector)

cdef extern from "_occurring.h" nogil:
    intp_t sslrank_list_occurring(const int64_t* begin, const int64_t* end, const int32_t* column, const int32_t* rows,
                                  intp_t n, uint64_t* bits, intp_t n_words, int32_t* occurring)


cdef class SparseRows(NodeRows):
    """Rows of entries.

    Parameters
    ----------
    rows : sslrank.rankers.trees.clustering.ClusteringRows
    criterion : Criterion
    """

    def __init__(self, rows, Criterion criterion):
        super().__init__(rows, criterion)
        self.z_start, self.z_column, self.z_value = rows.entries
        self.entry_value = rows.entry_value
        features_before = np.concatenate([[0], np.cumsum(rows.entries[1] < criterion.width_f)])
        self.z_targets = rows.entries[0][:-1] + np.diff(features_before[rows.entries[0]])
        # A column in a loop over all costs more than an entry in a list. Entries of targets count too.
        self.listed_limit = 2 * criterion.width_f * self.n_rows // max(len(self.z_value), 1)
        self.bits = np.zeros(criterion.width_f // 64 + 1, dtype=np.uint64)
        self.columns = np.empty(criterion.width_f + 1, dtype=np.int32)

    cdef int reserve(self, intp_t n) except -1:
        NodeRows.reserve(self, n)
        self.mean_dot_f = np.empty(n + 1)
        self.mean_dot_t = np.empty(n + 1)
        self.cross_f = np.empty(max(n, len(self.entry_value)) + 1)
        self.cross_t = np.empty(max(n, len(self.entry_value)) + 1)
        return 0

    cdef void add_rows(self, const int32_t* rows, intp_t n, const float32_t* weights, float64_t* sums,
                       Side* side) noexcept nogil:
        cdef intp_t f = self.criterion.width_f, t = self.criterion.width_t, i, row, c
        cdef int64_t e
        cdef float64_t weight, value
        for i in range(n):
            row = rows[i]
            weight = weights[row]
            side.weight += weight
            if self.labeled[row]:
                side.labeled += weight
            for e in range(self.z_start[row], self.z_start[row + 1]):
                c = self.z_column[e]
                value = self.z_value[e]
                sums[c] += weight * value
                if c >= f:
                    sums[c + t] += weight * value * value

    cdef int32_t enter(self, const int32_t* rows, intp_t n, const float32_t* weights, const float64_t* sums,
                       const Side* side, int32_t cache) noexcept nogil:
        cdef intp_t f = self.criterion.width_f, t = self.criterion.width_t, i, c, row
        cdef int64_t e, targets, end
        cdef float64_t norm, squares = 0, mean_norm = 0
        self.set_weights(rows, n, weights, side)
        self.features_norm = 0
        self.targets_norm = 0
        if n <= self.listed_limit:
            for i in range(sslrank_list_occurring(
                    &self.z_start[0], &self.z_targets[0], &self.z_column[0], rows, n, &self.bits[0],
                    self.bits.shape[0], &self.columns[0])):
                c = self.columns[i]
                self.mean[c] = <float32_t> (sums[c] / side.weight)
                self.features_norm += sums[c] * sums[c]
        else:
            for c in range(f):
                self.mean[c] = <float32_t> (sums[c] / side.weight)
                self.features_norm += sums[c] * sums[c]
        for c in range(f, f + t):
            self.mean[c] = <float32_t> (sums[c] / side.labeled) if side.labeled > 0 else 0
            self.targets_norm += sums[c] * sums[c]
            mean_norm += <float64_t> self.mean[c] * self.mean[c]
        for i in range(n):
            row = rows[i]
            e = self.z_start[row]
            targets = self.z_targets[row]
            end = self.z_start[row + 1]
            self.mean_dot_f[i] = self.local_weight[i] * <float64_t> sslrank_dot_entries(
                &self.z_column[0] + e, &self.z_value[0] + e, targets - e, &self.mean[0])
            self.mean_dot_t[i] = 0
            self.local_squares[i] = 0
            if not t or self.local_labeled[i] == 0:
                continue
            norm = mean_norm
            for e in range(targets, end):
                norm += self.z_value[e] * (self.z_value[e] - 2 * <float64_t> self.mean[self.z_column[e]])
                self.mean_dot_t[i] += <float64_t> self.z_value[e] * self.mean[self.z_column[e]]
            self.mean_dot_t[i] *= self.local_weight[i]
            self.local_squares[i] = <float32_t> (self.local_weight[i] * norm)
            squares += self.local_squares[i]
        self.criterion.node.squares = squares
        return 0  # nothing is kept for the nodes below

    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil:
        # Both |sum|^2 and sum . node mean grow row by row.
        cdef intp_t b, g = first, j
        cdef float64_t cross_f = 0, cross_t = 0
        cdef float64_t* own_f = &self.criterion.gain_f[0]  # not needed before `judge`
        cdef float64_t* own_t = &self.criterion.gain_t[0]
        cdef float32_t* total = &self.running[0]
        cdef Side side
        side.weight = side.labeled = side.squares = 0
        self.sum_sides(order, start, first, step, n_groups, &side, 0)
        memset(total + self.criterion.width_f, 0, self.criterion.width_t * sizeof(float32_t))
        sslrank_scan_entries(&self.z_targets[0], &self.z_start[1], &self.z_column[0], &self.z_value[0],
                             self.rows, &self.local_weight[0], order, start, first, step, n_groups, total, own_t)
        memset(total, 0, self.criterion.width_f * sizeof(float32_t))
        sslrank_scan_entries(&self.z_start[0], &self.z_targets[0], &self.z_column[0], &self.z_value[0],
                             self.rows, &self.local_weight[0], order, start, first, step, n_groups, total, own_f)
        for b in range(n_groups):
            for j in range(start[g], start[g + 1]):
                cross_f += self.mean_dot_f[order[j]]
                cross_t += self.mean_dot_t[order[j]]
            self.cross_f[b] = cross_f
            self.cross_t[b] = cross_t
            g += step
        self.center_norms(n_groups)
        self.criterion.judge(0, n_groups)

    cdef void center_norms(self, intp_t n) noexcept nogil:
        """Norms of n tests from those of their sides' plain sums, which are where decreases will be."""
        sslrank_center_norms(
            n, &self.criterion.gain_f[0], &self.cross_f[0], &self.criterion.side_weight[0],
            self.criterion.node.weight, self.features_norm, &self.criterion.norm_f[0])
        sslrank_center_norms(
            n, &self.criterion.gain_t[0], &self.cross_t[0], &self.criterion.side_labeled[0],
            self.criterion.node.labeled, self.targets_norm, &self.criterion.norm_t[0])
