"""Dense clustering rows of which some columns have missing values of their own.

Most columns have no gap in a small node: there they are columns like any other, and only the rest carries known
weights and squares. Rows without the tested value join either side in one scan.
"""

import numpy as np

from libc.math cimport sqrt
from libc.string cimport memset

from sslrank._typedefs cimport float32_t, float64_t, int32_t, intp_t
from sslrank.rankers.trees._criterion cimport Criterion, Side
from sslrank.rankers.trees._node_rows cimport DenseRows


cdef extern from "_rows.h" nogil:
    void sslrank_add_exact(const float* row, double weight, intp_t width, double* total, double* squares)
    float sslrank_center(const float* row, const float* mean, float weight, intp_t width, float* out)

cdef intp_t LANES = 16


cdef class GappedRows(DenseRows):
    """Rows with gaps.

    Parameters
    ----------
    rows : sslrank.rankers.trees.clustering.ClusteringRows
    criterion : Criterion
    """

    def __init__(self, rows, Criterion criterion):
        super().__init__(rows, criterion, 0, -1)
        r = criterion.n_ragged
        self.complete = np.zeros(r, dtype=np.int32)
        self.gapped = np.zeros(r, dtype=np.int32)
        self.column_scale = np.zeros(r, dtype=np.float32)

    cdef void add_rows(self, const int32_t* rows, intp_t n, const float32_t* weights, float64_t* sums,
                       Side* side) noexcept nogil:
        cdef intp_t at = self.criterion.width_f + self.criterion.width_t, r = self.criterion.n_ragged, i
        cdef const float32_t* z
        DenseRows.add_rows(self, rows, n, weights, sums, side)
        for i in range(n):
            z = &self.z[rows[i] * self.stride + at]
            sslrank_add_exact(z, weights[rows[i]], r, sums + at, sums + at + 2 * r)
            sslrank_add_exact(z + r, weights[rows[i]], r, sums + at + r, NULL)

    cdef int32_t enter(self, const int32_t* rows, intp_t n, const float32_t* weights, const float64_t* sums,
                       const Side* side, int32_t cache) noexcept nogil:
        self.set_weights(rows, n, weights, side)
        self.set_mean(sums)
        self.list_columns(sums)
        self.center_gapped()
        self.center_targets()
        return 0

    cdef void list_columns(self, const float64_t* sums) noexcept nogil:
        """Which ragged columns have gaps in the node, and where its rows have their blocks."""
        cdef intp_t f = self.criterion.width_f, r = self.criterion.n_ragged, c, at = f + self.criterion.width_t
        cdef float64_t known
        self.n_complete = self.n_gapped = self.criterion.node_gaps_f = 0
        for c in range(r):
            known = sums[at + r + c]
            if known <= 0:
                continue
            if c < self.criterion.n_ragged_f and known == self.criterion.node.weight:
                self.complete[self.n_complete] = <int32_t> c
                self.column_scale[self.n_complete] = (
                    1 if self.criterion.scale_all else <float32_t> sqrt(self.criterion.ragged_factor[c]))
                self.n_complete += 1
                continue
            self.gapped[self.n_gapped] = <int32_t> c
            self.criterion.gap_known[self.n_gapped] = <float32_t> known
            self.criterion.gap_factor[self.n_gapped] = self.criterion.ragged_factor[c]
            self.criterion.gap_estimate[self.n_gapped] = self.criterion.ragged_estimate[c]
            self.n_gapped += 1
            self.criterion.node_gaps_f += c < self.criterion.n_ragged_f
        self.criterion.node_f = f + (self.n_complete + LANES - 1) // LANES * LANES
        self.criterion.node_gaps = (self.n_gapped + LANES - 1) // LANES * LANES
        self.criterion.node_width = (
            self.criterion.node_f + self.criterion.width_t + 3 * self.criterion.node_gaps)
        for c in range(self.n_gapped, self.criterion.node_gaps):
            self.criterion.gap_known[c] = 0
            self.criterion.gap_factor[c] = self.criterion.gap_estimate[c] = 0
        for c in range(self.criterion.node_gaps):
            self.criterion.gap_squares[c] = 0
        self.row_width = self.criterion.node_width
        self.target_at = self.criterion.node_f

    cdef void center_gapped(self) noexcept nogil:
        """Centre all columns but those of the targets that are known together."""
        cdef intp_t f = self.criterion.width_f, t = self.criterion.width_t, r = self.criterion.n_ragged
        cdef intp_t gaps = self.criterion.node_gaps, i, j, c
        cdef float32_t weight, known, d
        cdef const float32_t* mean = &self.mean[f + t]
        cdef const float32_t* z
        cdef float32_t* out
        for i in range(self.n):
            weight = self.local_weight[i]
            z = &self.z[self.rows[i] * self.stride]
            out = &self.centered[i * self.row_width]
            sslrank_center(z, &self.mean[0], weight, f, out)
            z += f + t
            for j in range(self.n_complete):
                c = self.complete[j]
                out[f + j] = self.column_scale[j] * weight * (z[c] - mean[c])
            for j in range(f + self.n_complete, self.criterion.node_f):
                out[j] = 0
            out += self.criterion.node_f + t
            memset(out, 0, 3 * gaps * sizeof(float32_t))
            for j in range(self.n_gapped):
                c = self.gapped[j]
                known = weight * z[r + c]
                d = z[c] - mean[c]
                out[j] = known * d
                out[gaps + j] = known
                out[2 * gaps + j] = known * d * d
                self.criterion.gap_squares[j] += known * d * d
        for j in range(gaps):
            self.criterion.gap_variance[j] = self.criterion.gap_squares[j] / max(self.criterion.gap_known[j], 1)

    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil:
        if self.criterion.node_gaps == 0:
            DenseRows.scan(self, order, start, first, step, n_groups, with_missing)
        else:  # with missing rows, `scan_both` is asked
            self.scan_gaps(order, start, first, step, n_groups, 0, -1)

    cdef void scan_both(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing) noexcept nogil:
        self.scan_gaps(order, start, first, step, n_groups, at, at_missing)

    cdef void scan_gaps(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing) noexcept nogil:
        """Outcomes from number `at` on, and with the missing rows on the same side from `at_missing` on, if >= 0."""
        cdef intp_t b, g = first
        cdef Side none
        none.weight = none.labeled = none.squares = 0
        self.sum_sides(order, start, first, step, n_groups, &none, at)
        self.criterion.close_tests(at + n_groups)
        if at_missing >= 0:
            self.sum_sides(order, start, first, step, n_groups, &self.missing, at_missing)
            self.criterion.close_tests(at_missing + n_groups)
        memset(&self.running[0], 0, self.row_width * sizeof(float32_t))
        for b in range(n_groups):
            self.add_locals(order + start[g], start[g + 1] - start[g], &self.running[0])
            self.criterion.judge_sums(at + b, &self.running[0], NULL)
            if at_missing >= 0:
                self.criterion.judge_sums(at_missing + b, &self.running[0], &self.missing_sum[0])
            g += step
