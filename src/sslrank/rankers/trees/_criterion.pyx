"""Eq. (1) of paper ssl-ranking, from scalars and norms to decreases: see _criterion.pxd.

With rows centred at the node, the two sides of a test have sums s and -s, and for columns known everywhere
    h = |E| impu(E) - |A| impu(A) - |B| impu(B) = |s|^2 (1 / |A| + 1 / |B|),
so one squared norm per test is all that a search needs. For the targets, with l the labelled weight, V the
mean variance Q / l - |s|^2 / l^2 and Q the sum of squares,
    target_scale "all":    h = |E| V(E) - |A| V(A) - |B| V(B), where V(A) = V(E) if A has no labelled row;
    target_scale "known":  h = (N / N_labelled) |s|^2 (1 / l(A) + 1 / l(B)), or the parent's impurity is lost.
"""

import numpy as np

from sslrank.core._typedefs cimport float32_t, float64_t, intp_t

cdef extern from "_gains.h" nogil:
    enum:
        SSLRANK_NO_TARGETS
        SSLRANK_SAME_ROWS
        SSLRANK_SCALE_ALL
        SSLRANK_SCALE_KNOWN
    intp_t SSLRANK_WHOLE_TESTS(intp_t n)
    void sslrank_gains(intp_t n, int mode, double weight, double labeled, double squares, double factor,
                       double lost, const float* norm_f, const float* norm_t, const double* side_weight,
                       const double* side_labeled, const double* side_squares, double* gain_f, double* gain_t)
    double sslrank_between(intp_t width, const double* node, const double* side, double side_weight,
                           double rest_weight)
    double sslrank_norm(const float* a, const float* b, intp_t width)

cdef extern from "_gaps.h" nogil:
    double sslrank_gap_gains(const GapColumns* columns, intp_t lo, intp_t hi, const float* total, const float* extra,
                             float a, float b)


cdef intp_t LANES = 16


cdef class Criterion:
    """Impurity over the columns of prepared clustering rows.

    Parameters
    ----------
    rows : sslrank.rankers.trees.clustering.ClusteringRows
        The columns, their blocks and scales.
    """

    def __init__(self, rows):
        self.width_f = rows.width_f
        self.width_t = rows.width_t
        self.n_ragged = rows.n_ragged
        self.n_ragged_f = rows.n_ragged_f
        self.node_f = self.width_f
        self.node_width = self.width_f + self.width_t
        # Complete columns, and gappy ones of features and targets, are padded apart.
        self.width = self.width_f + self.width_t + 3 * self.n_ragged + (7 * LANES if self.n_ragged else 0)
        self.n_sums = self.width_f + 2 * self.width_t + 3 * self.n_ragged
        self.n_targets = int(np.count_nonzero(rows.target_of_column[:self.width_t] >= 0))
        self.scale_all = rows.scale_all
        self.target_factor = rows.target_factor
        self.parent_estimate = rows.parent_estimate
        self.ragged_factor = rows.ragged_factor
        self.ragged_estimate = rows.ragged_estimate
        gaps = np.zeros((5, self.n_ragged + 2 * LANES), dtype=np.float32)
        self.gap_known, self.gap_squares, self.gap_variance, self.gap_factor, self.gap_estimate = gaps

    cdef int reserve(self, intp_t n_tests, bint missing) except -1:
        """Make room for so many tests at a time, four times over if values may be `missing`."""
        self.room = (n_tests + LANES - 1) // LANES * LANES
        n_tests = 4 * self.room if missing else self.room
        self.norm_f = np.zeros(n_tests, dtype=np.float32)
        self.norm_t = np.zeros(n_tests, dtype=np.float32)
        self.side_weight = np.zeros(n_tests)
        self.side_labeled = np.zeros(n_tests)
        self.side_squares = np.zeros(n_tests)
        self.gain_f = np.zeros(n_tests)
        self.gain_t = np.zeros(n_tests)
        self.gap_sides = np.zeros((2, n_tests if self.n_ragged else 0), dtype=np.float32)
        return 0

    cdef void judge(self, intp_t at, intp_t n) noexcept nogil:
        """Decreases of n scanned tests from number `at` on, from their norms and scalars.

        For columns with gaps only the weights of the sides are kept, as float32.
        """
        cdef intp_t b
        self.close_tests(at + n)
        sslrank_gains(n, self.judge_mode(), self.node.weight, self.node.labeled, self.node.squares,
                      1 if self.scale_all else self.target_factor,
                      self.parent_estimate * self.target_factor * self.node.squares,
                      &self.norm_f[at], &self.norm_t[at], &self.side_weight[at], &self.side_labeled[at],
                      &self.side_squares[at], &self.gain_f[at], &self.gain_t[at])
        if self.node_gaps:
            for b in range(at, at + n):
                self.gap_sides[0, b] = <float32_t> self.side_weight[b]
                self.gap_sides[1, b] = <float32_t> (self.node.weight - self.side_weight[b])

    cdef GapColumns gap_columns(self) noexcept nogil:
        """The node's columns with gaps."""
        cdef GapColumns columns
        columns.known = &self.gap_known[0]
        columns.squares = &self.gap_squares[0]
        columns.variance = &self.gap_variance[0]
        columns.factor = &self.gap_factor[0]
        columns.estimate = &self.gap_estimate[0]
        columns.scale_all = self.scale_all
        return columns

    cdef void close_tests(self, intp_t n) noexcept nogil:
        """No test stands behind the last of n."""
        cdef intp_t b
        for b in range(n, SSLRANK_WHOLE_TESTS(n)):
            self.side_weight[b] = -1  # see sslrank_largest

    cdef int judge_mode(self) noexcept nogil:
        """Choose how to compute the target part of this node's tests."""
        if self.width_t == 0 or self.node.labeled <= 0 or self.joined:
            return SSLRANK_NO_TARGETS
        if self.node.labeled == self.node.weight:
            return SSLRANK_SAME_ROWS  # both scales are a feature-like sum, the squares cancel
        return SSLRANK_SCALE_ALL if self.scale_all else SSLRANK_SCALE_KNOWN

    cdef Gain side_gain(self, const Side* a, float64_t norm_f, float64_t norm_t) noexcept nogil:
        """Decrease by a test from one of its sides: scalars and the squared norms of its centred sum."""
        cdef Gain gain
        cdef float64_t weight_b = self.node.weight - a.weight
        cdef float64_t labeled_b = self.node.labeled - a.labeled
        cdef float64_t whole, va, vb
        gain.features = norm_f * (1 / a.weight + 1 / weight_b)
        gain.targets = 0
        if self.width_t == 0 or self.node.labeled <= 0:
            return gain
        if self.scale_all:
            whole = self.node.squares / self.node.labeled
            va = a.squares / a.labeled - norm_t / (a.labeled * a.labeled) if a.labeled > 0 else whole
            vb = ((self.node.squares - a.squares) / labeled_b - norm_t / (labeled_b * labeled_b)
                  if labeled_b > 0 else whole)
            gain.targets = self.node.weight * whole - a.weight * va - weight_b * vb
        elif a.labeled > 0 and labeled_b > 0:
            gain.targets = self.target_factor * norm_t * (1 / a.labeled + 1 / labeled_b)
        else:
            gain.targets = -self.parent_estimate * self.target_factor * self.node.squares
        return gain

    cdef Gain sum_gain(self, const float32_t* total, const float32_t* extra, const Side* a) noexcept nogil:
        """Decrease by a test from the centred sum of one of its sides, in two parts."""
        cdef intp_t f = self.node_f, t = self.width_t, r = self.node_gaps, r_f = self.node_gaps_f
        cdef intp_t at = f + t
        cdef float32_t weight_a, weight_b
        cdef GapColumns columns
        cdef Gain gain = self.side_gain(
            a, sslrank_norm(total, extra, f), sslrank_norm(total + f, extra + f, t)
        )
        if r:
            columns = self.gap_columns()
            weight_a = <float32_t> a.weight
            weight_b = <float32_t> (self.node.weight - a.weight)
            gain.features += sslrank_gap_gains(&columns, 0, r_f, total + at, extra + at, weight_a, weight_b)
            gain.targets += sslrank_gap_gains(&columns, r_f, r, total + at, extra + at, weight_a, weight_b)
        return gain

    cdef Gain exact_gain(self, const float64_t* sums, const Side* node, const float64_t* sums_a,
                         const Side* a) noexcept nogil:
        """Compute the decrease from float64 sums of the node and one side; importances add up this value."""
        cdef intp_t t = self.width_t, c
        cdef Gain gain
        cdef float64_t weight_b = node.weight - a.weight
        cdef float64_t part
        gain.features = sslrank_between(self.width_f, sums, sums_a, a.weight, weight_b)
        gain.features *= a.weight * weight_b / node.weight
        gain.targets = 0
        for c in range(t + self.n_ragged):
            if self.n_targets <= c < t:
                continue  # zeros
            part = self.target_column_gain(c, sums, node, sums_a, a)
            if c < t or c - t >= self.n_ragged_f:
                gain.targets += part
            else:
                gain.features += part
        return gain

    cdef float64_t column_gain(self, float64_t s, float64_t k, float64_t q, float64_t sa, float64_t ka,
                               float64_t qa, float64_t weight, float64_t weight_a, float64_t factor,
                               float64_t estimate) noexcept nogil:
        """Decrease in one column with missing values: sum s, known weight k, squares q of node and side a."""
        cdef float64_t sb = s - sa, kb = k - ka, qb = q - qa, whole, va, vb, d
        if k <= 0:
            return 0
        if not self.scale_all:
            if ka > 0 and kb > 0:
                d = sa / ka - sb / kb
                return factor * d * d * ka * kb / k
            return -estimate * factor * (q - s * s / k)
        whole = q / k - (s / k) * (s / k)
        va = qa / ka - (sa / ka) * (sa / ka) if ka > 0 else whole
        vb = qb / kb - (sb / kb) * (sb / kb) if kb > 0 else whole
        return weight * whole - weight_a * va - (weight - weight_a) * vb

    cdef float64_t target_column_gain(self, intp_t column, const float64_t* sums, const Side* node,
                                      const float64_t* sums_a, const Side* a) noexcept nogil:
        """The part of `exact_gain` of one column behind the feature block (target, then ragged columns)."""
        cdef intp_t t = self.width_t, r = self.n_ragged, c = column + self.width_f
        if column < t:
            return self.column_gain(
                sums[c], node.labeled, sums[c + t + 3 * r], sums_a[c], a.labeled, sums_a[c + t + 3 * r],
                node.weight, a.weight, self.target_factor, self.parent_estimate)
        return self.column_gain(
            sums[c], sums[c + r], sums[c + 2 * r], sums_a[c], sums_a[c + r], sums_a[c + 2 * r],
            node.weight, a.weight, self.ragged_factor[column - t], self.ragged_estimate[column - t])
