"""Dense clustering rows of which some columns have missing values of their own.

Most columns have no gap in a small node: there they are columns like any other, and only the rest carries known
weights and squares. A test's decrease in these costs a division per column, so stretches of tests of which none can
beat the best one so far are not judged one by one: see _gaps.h for the bound.
"""

import numpy as np

from libc.math cimport sqrt
from libc.string cimport memcpy, memset

from sslrank._typedefs cimport float32_t, float64_t, int32_t, intp_t
from sslrank.rankers.trees._criterion cimport Criterion, Side
from sslrank.rankers.trees._node_rows cimport DenseRows


cdef extern from "_gaps.h" nogil:
    void sslrank_add_gapped(const float* rows, intp_t stride, intp_t whole, intp_t r, const unsigned char* known,
                            const float* inverse, const int32_t* order, intp_t n, float* total)
    void sslrank_gap_costs(const float* total, const float* extra, intp_t r, intp_t n_f, const float* node_known,
                           const float* node_squares, const float* scale, bint scale_all, bint other, float weight,
                           float more, double* cost_f, double* cost_t)

cdef extern from "_rows.h" nogil:
    void sslrank_add_exact(const float* row, double weight, intp_t width, double* total, double* squares)
    float sslrank_center(const float* row, const float* mean, float weight, intp_t width, float* out)
    double sslrank_norm(const float* a, const float* b, intp_t width)

cdef intp_t LANES = 16
# Rows of a stretch of tests that are bounded together: halved where that fails, doubled where it does not.
cdef intp_t SHORTEST = 4
cdef intp_t LONGEST = 512


cdef class GappedRows(DenseRows):
    """Rows with gaps; a bag must not have a row more than 255 times.

    Parameters
    ----------
    rows : sslrank.rankers.trees.clustering.ClusteringRows
    criterion : Criterion
    bounded : bool
        Whether stretches of tests are bounded before they are judged.
    """

    def __init__(self, rows, Criterion criterion, bint bounded):
        super().__init__(rows, criterion, 0, -1)
        self.bounded = bounded
        r = criterion.n_ragged
        self.complete = np.zeros(r, dtype=np.int32)
        self.gapped = np.zeros(r, dtype=np.int32)
        self.column_scale = np.zeros(r, dtype=np.float32)
        self.saved = np.zeros(criterion.width, dtype=np.float32)

    cdef int reserve(self, intp_t n) except -1:
        DenseRows.reserve(self, n)
        self.known = np.zeros(n * (self.criterion.n_ragged + LANES), dtype=np.uint8)
        self.inverse_weight = np.zeros(n + 1, dtype=np.float32)
        self.feature_squares = np.zeros(n + 1, dtype=np.float32)
        self.stretch = np.zeros(n + 1, dtype=np.int32)
        return 0

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
        self.impurity_f = self.all_squares + self.criterion.gap_impurity(0, self.criterion.node_gaps_f)
        self.impurity_t = self.criterion.gap_impurity(self.criterion.node_gaps_f, self.n_gapped)
        if self.criterion.node.labeled > 0:
            self.impurity_t += self.criterion.node.squares * (
                self.criterion.node.weight / self.criterion.node.labeled if self.criterion.scale_all
                else self.criterion.target_factor)
        self.length = LANES
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
        self.row_width = self.criterion.node_f + self.criterion.width_t + self.criterion.node_gaps
        self.target_at = self.criterion.node_f

    cdef void center_gapped(self) noexcept nogil:
        """Centre all columns but those of the targets that are known together."""
        cdef intp_t f = self.criterion.width_f, t = self.criterion.width_t, r = self.criterion.n_ragged
        cdef intp_t gaps = self.criterion.node_gaps, i, j, c
        cdef float32_t weight, known, d, squares
        cdef const float32_t* mean = &self.mean[f + t]
        cdef const float32_t* z
        cdef float32_t* out
        cdef unsigned char* is_known
        self.all_squares = 0
        for i in range(self.n):
            weight = self.local_weight[i]
            self.inverse_weight[i] = 1 / weight
            z = &self.z[self.rows[i] * self.stride]
            out = &self.centered[i * self.row_width]
            squares = weight * sslrank_center(z, &self.mean[0], weight, f, out)
            z += f + t
            for j in range(self.n_complete):
                c = self.complete[j]
                d = self.column_scale[j] * (z[c] - mean[c])
                out[f + j] = weight * d
                squares += weight * d * d
            for j in range(f + self.n_complete, self.criterion.node_f):
                out[j] = 0
            self.feature_squares[i] = squares
            self.all_squares += squares
            out += self.criterion.node_f + t
            is_known = &self.known[i * gaps]
            for j in range(self.n_gapped):
                c = self.gapped[j]
                known = weight * z[r + c]
                d = z[c] - mean[c]
                out[j] = known * d
                is_known[j] = <unsigned char> known
                self.criterion.gap_squares[j] += known * d * d
            for j in range(self.n_gapped, gaps):
                out[j] = 0
                is_known[j] = 0
        for j in range(gaps):
            self.criterion.gap_variance[j] = self.criterion.gap_squares[j] / max(self.criterion.gap_known[j], 1)

    cdef void add_locals(self, const int32_t* order, intp_t n, float32_t* total) noexcept nogil:
        sslrank_add_gapped(&self.centered[0], self.row_width, self.target_at + self.criterion.width_t,
                           self.criterion.node_gaps, &self.known[0], &self.inverse_weight[0], order, n, total)

    cdef void set_missing(self, const int32_t* order, intp_t n) noexcept nogil:
        cdef intp_t i
        DenseRows.set_missing(self, order, n)
        self.missing_f = 0
        for i in range(n):
            self.missing_f += self.feature_squares[order[i]]

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
        """Outcomes from number `at` on, and with the missing rows on the same side from `at_missing` on, if >= 0.

        A test that cannot be the best one gets the weight -1.
        """
        cdef intp_t b = 0, e, i, m, g = first, begin
        cdef bint plain, missing
        cdef float64_t before_f = 0, after_f
        cdef Side before, after
        before.weight = before.labeled = before.squares = 0
        self.sum_sides(order, start, first, step, n_groups, &before, at)
        self.criterion.close_tests(at + n_groups)
        if at_missing >= 0:
            self.sum_sides(order, start, first, step, n_groups, &self.missing, at_missing)
            self.criterion.close_tests(at_missing + n_groups)
        memset(&self.running[0], 0, self.criterion.node_width * sizeof(float32_t))
        while b < n_groups:
            begin = g
            e = b
            m = 0
            after_f = before_f
            while e < n_groups and m < self.length:
                for i in range(start[g], start[g + 1]):
                    self.stretch[m] = order[i]
                    after_f += self.feature_squares[order[i]]
                    m += 1
                g += step
                e += 1
            after = self.criterion.side(at + e - 1)
            plain = True
            missing = at_missing >= 0
            if self.bounded and e - b > 1:
                memcpy(&self.saved[0], &self.running[0], self.criterion.node_width * sizeof(float32_t))
                self.add_locals(&self.stretch[0], m, &self.running[0])
                plain = not self.is_hopeless(NULL, &before, &after, before_f, after_f)
                missing = missing and not self.is_hopeless(&self.missing_sum[0], &before, &after, before_f, after_f)
                if plain or missing:
                    memcpy(&self.running[0], &self.saved[0], self.criterion.node_width * sizeof(float32_t))
                self.length = max(self.length // 2, SHORTEST) if plain or missing else min(2 * self.length, LONGEST)
            for i in range(b, e):
                if plain or missing:
                    self.add_locals(&order[start[begin]], start[begin + 1] - start[begin], &self.running[0])
                begin += step
                if plain:
                    self.criterion.judge_sums(at + i, &self.running[0], NULL)
                else:
                    self.criterion.side_weight[at + i] = -1
                if missing:
                    self.criterion.judge_sums(at_missing + i, &self.running[0], &self.missing_sum[0])
                elif at_missing >= 0:
                    self.criterion.side_weight[at_missing + i] = -1
            before = after
            before_f = after_f
            b = e

    cdef bint is_hopeless(self, const float32_t* extra, const Side* before, const Side* after, float64_t before_f,
                          float64_t after_f) noexcept nogil:
        """Whether no test between two cuts, with sums `saved` and `running`, can be the best one."""
        cdef intp_t f = self.criterion.node_f, t = self.criterion.width_t
        cdef float64_t more = after.weight - before.weight, more_labeled = after.labeled - before.labeled
        cdef float64_t gain_f = self.impurity_f, gain_t = self.impurity_t, cost_f = 0, cost_t = 0
        cdef const float32_t* total = &self.saved[0]
        cdef const float32_t* extra_t = NULL
        cdef const float32_t* extra_gaps = NULL
        cdef Side side = before[0]
        cdef float64_t squares_f = before_f
        cdef bint other
        if extra != NULL:
            extra_t = &extra[f]
            extra_gaps = &extra[f + t]
        for other in range(2):
            if other:
                total = &self.running[0]
                side = after[0]
                squares_f = after_f
            if extra != NULL:
                side.weight += self.missing.weight
                side.labeled += self.missing.labeled
                side.squares += self.missing.squares
                squares_f += self.missing_f
            if other:
                side.weight = self.criterion.node.weight - side.weight
                side.labeled = self.criterion.node.labeled - side.labeled
                side.squares = self.criterion.node.squares - side.squares
                squares_f = self.all_squares - squares_f
            sslrank_gap_costs(&total[f + t], extra_gaps, self.criterion.node_gaps, self.criterion.node_gaps_f,
                              &self.criterion.gap_known[0], &self.criterion.gap_squares[0],
                              &self.criterion.gap_factor[0], self.criterion.scale_all, other,
                              <float> side.weight, <float> more, &cost_f, &cost_t)
            gain_f -= cost_f
            gain_t -= cost_t
            if side.weight > 0:
                gain_f -= max(squares_f - sslrank_norm(total, extra, f) / side.weight, 0)
            if t and side.labeled > 0:
                gain_t -= self.criterion.least_target_cost(&side, sslrank_norm(&total[f], extra_t, t), more_labeled)
        return self.criterion.is_below_bars(gain_f, gain_t, self.impurity_f, self.impurity_t)
