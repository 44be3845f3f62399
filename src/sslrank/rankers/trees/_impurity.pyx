"""Eq. (1) of paper ssl-ranking on the rows of a node: see _impurity.pxd.

With rows centred at the node, the two sides of a test have sums s and -s, and for columns known everywhere
    h = |E| impu(E) - |A| impu(A) - |B| impu(B) = |s|^2 (1 / |A| + 1 / |B|),
so one squared norm per test is all that a search needs. For the targets, with l the labelled weight, V the
mean variance Q / l - |s|^2 / l^2 and Q the sum of squares,
    target_scale "all":    h = |E| V(E) - |A| V(A) - |B| V(B), where V(A) = V(E) if A has no labelled row;
    target_scale "known":  h = (N / N_labelled) |s|^2 (1 / l(A) + 1 / l(B)), or the parent's impurity is lost.
"""

import numpy as np

from libc.string cimport memcpy, memset

from sslrank._typedefs cimport float32_t, float64_t, int32_t, int64_t, intp_t
from sslrank.rankers.trees._products cimport RowProducts


cdef extern from "_products.h" nogil:
    void sslrank_scan_products(const float* products, intp_t stride, const int32_t* order,
                               const int32_t* start, intp_t first, intp_t step, intp_t n_groups,
                               float* running,
                               float* norm)

cdef extern from "_rows.h" nogil:
    enum:
        SSLRANK_NARROW
    intp_t SSLRANK_WHOLE_TESTS(intp_t n)
    void sslrank_scan(const float* rows, intp_t stride, intp_t width_f, intp_t width_t, const int32_t* order,
                      const int32_t* start, intp_t first, intp_t step, intp_t n_groups, bint from_zero,
                      float* total, float* norm_f, float* norm_t)
    void sslrank_sides(const int32_t* order, const int32_t* start, intp_t first, intp_t step, intp_t n_groups,
                       const float* weight, const float* labeled, const float* squares, double w, double l,
                       double q, double* side_weight, double* side_labeled, double* side_squares)
    enum:
        SSLRANK_NO_TARGETS
        SSLRANK_SAME_ROWS
        SSLRANK_SCALE_ALL
        SSLRANK_SCALE_KNOWN
    void sslrank_side_weights(const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                              intp_t n_groups, const float* weight, double w, double* side_weight)
    void sslrank_gains(intp_t n, int mode, double weight, double labeled, double squares, double factor,
                       double lost, const float* norm_f, const float* norm_t, const double* side_weight,
                       const double* side_labeled, const double* side_squares, double* gain_f, double* gain_t)
    void sslrank_add_rows(const float* rows, intp_t stride, intp_t width, const int32_t* order, intp_t n,
                          float* total)
    double sslrank_norm(const float* a, const float* b, intp_t width)
    float sslrank_center(const float* row, const float* mean, float weight, intp_t width, float* out)
    void sslrank_add_exact(const float* row, double weight, intp_t width, double* total, double* squares)
    void sslrank_ragged_gains(const float* total, const float* extra, intp_t r, intp_t n_f,
                              const float* known, const float* squares, const float* variance,
                              const float* scale, const float* empty, bint scale_all, float weight,
                              float weight_a, double* gain_f, double* gain_t)

cdef extern from "_gram.h" nogil:
    void sslrank_scan_entries(const int64_t* begin, const int64_t* end, const int32_t* column,
                              const float* value, const int32_t* rows, const float* weight,
                              const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                              intp_t n_groups, float* total, double* own)
    void sslrank_scan_gram(const float* gram, intp_t n_gram, const int32_t* place, const float* weight,
                           const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                           intp_t n_groups, int32_t* side_place, float* side_weight, double* own)
    float sslrank_dot_entries(const int32_t* column, const float* value, intp_t n, const float* vector)
    void sslrank_gram(const int64_t* begin, const int64_t* end, const int32_t* column, const float* value,
                      const int32_t* rows, intp_t n, float* vector, float* gram)

# Inner products of dense rows are kept for at most as many rows as there are columns, and not more than this;
# and only if so many features are searched in each node, as making them costs more than searching a few.
# Scans of narrow rows are as fast without.
cdef intp_t LARGEST_PRODUCTS = 256
cdef intp_t FEWEST_FEATURES = 32
cdef intp_t LEAST_WIDTH = 128
# A side with more rows than this is summed entry by entry even if inner products are at hand.
cdef intp_t LONGEST_GRAM_SIDE = 256


cdef class Impurity:
    """Impurity over prepared clustering rows, with the work space of one thread.

    Parameters
    ----------
    rows : sslrank.rankers.trees.clustering.ClusteringRows
        The columns, their blocks and scales.
    """

    def __init__(self, rows):
        self.n_rows = rows.n_rows
        self.width_f = rows.width_f
        self.width_t = rows.width_t
        self.n_ragged = rows.n_ragged
        self.n_ragged_f = rows.n_ragged_f
        self.stride = self.width_f + self.width_t + 2 * self.n_ragged
        self.width = self.width_f + self.width_t + 3 * self.n_ragged
        self.n_sums = self.width + self.width_t
        self.sparse = rows.sparse
        if self.sparse:
            self.z_start, self.z_column, self.z_value = rows.entries
            self.entry_value = rows.entry_value
            features_before = np.concatenate([[0], np.cumsum(rows.entries[1] < self.width_f)])
            self.z_targets = rows.entries[0][:-1] + np.diff(features_before[rows.entries[0]])
        else:
            self.z = rows.values
        self.n_targets = int(np.count_nonzero(rows.target_of_column[:self.width_t] >= 0))
        self.labeled = rows.labeled
        self.scale_all = rows.scale_all
        self.target_factor = rows.target_factor
        self.parent_estimate = rows.parent_estimate
        self.ragged_factor = rows.ragged_factor
        self.ragged_estimate = rows.ragged_estimate
        self.mean = np.zeros(max(self.width, 1), dtype=np.float32)
        self.running = np.zeros(max(self.width, 1), dtype=np.float32)
        self.missing_sum = np.zeros(max(self.width, 1), dtype=np.float32)
        self.ragged_known = np.zeros(max(self.n_ragged, 1), dtype=np.float32)
        self.ragged_squares = np.zeros(max(self.n_ragged, 1), dtype=np.float32)
        self.ragged_variance = np.zeros(max(self.n_ragged, 1), dtype=np.float32)
        self.local_weight = np.empty(0, dtype=np.float32)

    cdef int reserve(self, intp_t n, intp_t n_tests) except -1:
        """Make room for nodes of up to n rows and for so many tests at a time."""
        self.centered = np.empty(1 if self.sparse else max(n * self.width, 1), dtype=np.float32)
        self.local_weight = np.empty(n + 1, dtype=np.float32)
        self.local_labeled = np.empty(n + 1, dtype=np.float32)
        self.local_squares = np.zeros(n + 1, dtype=np.float32)
        self.norm_f = np.zeros(n_tests, dtype=np.float32)
        self.norm_t = np.zeros(n_tests, dtype=np.float32)
        self.norm_none = np.empty(n_tests, dtype=np.float32)
        self.side_weight = np.zeros(n_tests)
        self.side_labeled = np.zeros(n_tests)
        self.side_squares = np.zeros(n_tests)
        self.gain_f = np.zeros(n_tests)
        self.gain_t = np.zeros(n_tests)
        if self.sparse:
            self.mean_dot_f = np.empty(n + 1)
            self.mean_dot_t = np.empty(n + 1)
            self.side_place = np.empty(n + 1, dtype=np.int32)
            self.side_row_weight = np.empty(n + 1, dtype=np.float32)
            self.local_place = np.empty(n + 1, dtype=np.int32)
            self.place_of = np.zeros(self.n_rows, dtype=np.int32)
            self.gram = np.empty(min(n, self.gram_limit)**2, dtype=np.float32)
        return 0

    cdef void make_gram(self, const int32_t* rows, intp_t n) noexcept nogil:
        """Inner products between n <= gram_limit rows, for all nodes that consist of such rows."""
        cdef intp_t i
        for i in range(n):
            self.place_of[rows[i]] = <int32_t> i
        self.n_gram = n
        memset(&self.running[0], 0, self.width * sizeof(float32_t))
        sslrank_gram(&self.z_start[0], &self.z_targets[0], &self.z_column[0], &self.z_value[0], rows, n,
                     &self.running[0], &self.gram[0])

    cdef void add_rows(self, const int32_t* rows, intp_t n, const float32_t* weights, float64_t* sums,
                       Side* side) noexcept nogil:
        """Add rows to float64 sums: [features | targets | ragged, known, squares | target squares]."""
        cdef intp_t f = self.width_f, t = self.width_t, r = self.n_ragged
        cdef intp_t i, row, c
        cdef int64_t e
        cdef float64_t weight, value
        cdef const float32_t* z
        for i in range(n):
            row = rows[i]
            weight = weights[row]
            side.weight += weight
            if self.labeled[row]:
                side.labeled += weight
            if self.sparse:
                for e in range(self.z_start[row], self.z_start[row + 1]):
                    c = self.z_column[e]
                    value = self.z_value[e]
                    sums[c] += weight * value
                    if c >= f:
                        sums[c + t] += weight * value * value
                continue
            z = &self.z[row * self.stride]
            sslrank_add_exact(z, weight, f, sums, NULL)
            if t and self.labeled[row]:
                sslrank_add_exact(z + f, weight, t, sums + f, sums + self.width)
            if r:
                sslrank_add_exact(z + f + t, weight, r, sums + f + t, sums + f + t + 2 * r)
                sslrank_add_exact(z + f + t + r, weight, r, sums + f + t + r, NULL)

    cdef int plan_products(self, levels, intp_t max_features, bint random_tests,
                           bint keep_centered) except -1:
        """Decide for which nodes inner products pay: few rows, many columns, many features to search."""
        self.keep_centered = keep_centered
        self.level = levels[0] if len(levels) == 1 else -1
        self.products_limit = 0
        if not self.sparse and not self.n_ragged and self.width_f > SSLRANK_NARROW and self.level != 1:
            if (max_features >= FEWEST_FEATURES and not keep_centered
                    and (random_tests or self.width >= LEAST_WIDTH)):
                self.products_limit = min(LARGEST_PRODUCTS, self.width)
        self.products = RowProducts(self.products_limit, self.n_rows if self.products_limit else 0,
                                    max(self.width_f, self.width_t))
        return 0

    cdef int32_t enter_node(self, const int32_t* rows, intp_t n, const float32_t* weights,
                            const float64_t* sums,
                            const Side* side, int32_t products_number) noexcept nogil:
        """Prepare the search of a node whose sums are known.

        `products_number` says which inner products were made for a node above, 0 for none; those of this node
        are returned.
        """
        cdef intp_t i, row
        self.n_node = n
        self.node = side[0]
        self.node.squares = 0
        self.node_rows = rows
        for i in range(n):
            row = rows[i]
            self.local_weight[i] = weights[row]
            self.local_labeled[i] = weights[row] if self.labeled[row] else 0
        if self.sparse:
            self.set_mean(sums)
            self.enter_sparse(sums)
            return 0
        self.set_mean(sums)
        self.has_products = (
            products_number > 0 and products_number == self.products.number
            and self.products.take(rows, n, &self.local_weight[0], side.weight))
        if not self.has_products or self.keep_centered:
            self.center_features()
        if not self.has_products or self.keep_centered or not self.with_targets:
            self.center_targets()
        if not self.has_products and n <= self.products_limit:
            self.make_products()
        return self.products.number if self.has_products else 0

    cdef void set_mean(self, const float64_t* sums) noexcept nogil:
        cdef intp_t f = self.width_f, t = self.width_t, r = self.n_ragged, c
        cdef float32_t* mean = &self.mean[0]
        cdef float64_t known
        for c in range(f):
            mean[c] = <float32_t> (sums[c] / self.node.weight)
        for c in range(f, f + t):
            mean[c] = <float32_t> (sums[c] / self.node.labeled) if self.node.labeled > 0 else 0
        for c in range(r):
            known = sums[f + t + r + c]
            mean[f + t + c] = <float32_t> (sums[f + t + c] / known) if known > 0 else 0
            self.ragged_known[c] = <float32_t> known
            self.ragged_squares[c] = 0

    cdef void center_features(self) noexcept nogil:
        """Dense: centre the feature columns, and the ragged ones, of the node's rows."""
        cdef intp_t whole = self.width_f + self.width_t, i, c
        cdef float32_t weight
        cdef float32_t* out
        cdef const float32_t* z
        for i in range(self.n_node):
            weight = self.local_weight[i]
            z = &self.z[self.node_rows[i] * self.stride]
            out = &self.centered[i * self.width]
            sslrank_center(z, &self.mean[0], weight, self.width_f, out)
            if self.n_ragged:
                self.center_ragged(z + whole, &self.mean[whole], weight, out + whole)
        for c in range(self.n_ragged):
            self.ragged_variance[c] = self.ragged_squares[c] / max(self.ragged_known[c], 1)

    cdef void center_targets(self) noexcept nogil:
        cdef intp_t f = self.width_f, t = self.width_t, i
        cdef float32_t weight
        for i in range(self.n_node):
            weight = self.local_labeled[i]
            self.local_squares[i] = 0
            if t and weight > 0:
                self.local_squares[i] = weight * sslrank_center(
                    &self.z[self.node_rows[i] * self.stride + f], &self.mean[f], weight, t,
                    &self.centered[i * self.width + f])
                self.node.squares += self.local_squares[i]
            elif t:
                memset(&self.centered[i * self.width + f], 0, t * sizeof(float32_t))

    cdef void make_products(self) noexcept nogil:
        """Inner products of the centred rows, for this node and the nodes below it."""
        cdef float64_t factor = 1 if self.scale_all else self.target_factor
        self.with_targets = self.width_t == 0 or self.node.labeled <= 0 or (
            self.level >= 0 and self.node.labeled == self.node.weight)
        self.products.make(self.node_rows, self.n_node, &self.centered[0], self.width, self.width_f,
                           self.width_t,
                           self.level * factor / (1 - self.level)
                           if self.with_targets and self.width_t and self.node.labeled > 0 else 0)
        self.has_products = self.products.take(self.node_rows, self.n_node, &self.local_weight[0],
                                               self.node.weight)

    cdef void center_ragged(self, const float32_t* z, const float32_t* mean, float32_t weight,
                            float32_t* out) noexcept nogil:
        cdef intp_t r = self.n_ragged, c
        cdef float32_t known, d
        for c in range(r):
            known = weight * z[r + c]
            d = z[c] - mean[c]
            out[c] = known * d
            out[r + c] = known
            out[2 * r + c] = known * d * d
            self.ragged_squares[c] += known * d * d

    cdef void enter_sparse(self, const float64_t* sums) noexcept nogil:
        """Sparse rows stay as they are: sums are centred after the fact, in float64."""
        cdef intp_t f = self.width_f, t = self.width_t, i, c, row
        cdef int64_t e, targets, end
        cdef float64_t norm, squares = 0, mean_norm = 0
        self.features_norm = 0
        self.targets_norm = 0
        for c in range(f):
            self.features_norm += sums[c] * sums[c]
        for c in range(f, f + t):
            self.targets_norm += sums[c] * sums[c]
            mean_norm += <float64_t> self.mean[c] * self.mean[c]
        for i in range(self.n_node):
            row = self.node_rows[i]
            self.local_place[i] = self.place_of[row]
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
        self.node.squares = squares

    cdef void set_missing(self, const int32_t* order, intp_t n) noexcept nogil:
        """Declare the local rows that lack the tested value; dense rows only."""
        cdef intp_t i
        memset(&self.missing_sum[0], 0, self.width * sizeof(float32_t))
        sslrank_add_rows(&self.centered[0], self.width, self.width, order, n, &self.missing_sum[0])
        self.missing.weight = self.missing.labeled = self.missing.squares = 0
        for i in range(n):
            self.missing.weight += self.local_weight[order[i]]
            self.missing.labeled += self.local_labeled[order[i]]
            self.missing.squares += self.local_squares[order[i]]

    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil:
        """Add up groups of local rows one after the other, remembering what each test needs.

        Group g is order[start[g]:start[g + 1]]; the groups are first, first + step, ... With `with_missing`
        the rows without the tested value are on the same side from the beginning.
        """
        cdef intp_t b, g = first
        cdef float32_t* total = &self.running[0]
        cdef Side side
        cdef Gain gain
        if with_missing:
            memcpy(total, &self.missing_sum[0], self.width * sizeof(float32_t))
            side = self.missing
        else:
            if not self.sparse:
                memset(total, 0, self.width * sizeof(float32_t))
            side.weight = side.labeled = side.squares = 0
        if not self.sparse and self.n_ragged == 0 and self.judge_mode() in (
                SSLRANK_NO_TARGETS, SSLRANK_SAME_ROWS):
            sslrank_side_weights(order, start, first, step, n_groups, &self.local_weight[0], side.weight,
                                 &self.side_weight[0])
        else:
            sslrank_sides(order, start, first, step, n_groups, &self.local_weight[0], &self.local_labeled[0],
                          &self.local_squares[0], side.weight, side.labeled, side.squares,
                          &self.side_weight[0],
                          &self.side_labeled[0], &self.side_squares[0])
        if self.n_ragged == 0:
            if self.sparse:
                self.scan_sparse(order, start, first, step, n_groups)
            elif self.has_products and not with_missing:
                sslrank_scan_products(&self.products.node[0], self.products.stride, order, start, first, step,
                                      n_groups, &self.products.running[0], &self.norm_f[0])
                if self.with_targets:
                    memset(&self.norm_t[0], 0, n_groups * sizeof(float32_t))
                else:
                    sslrank_scan(&self.centered[self.width_f], self.width, 0, self.width_t, order, start,
                                 first,
                                 step, n_groups, True, total, &self.norm_none[0], &self.norm_t[0])
            else:
                sslrank_scan(&self.centered[0], self.width, self.width_f, self.width_t, order, start, first,
                             step, n_groups, not with_missing, total, &self.norm_f[0], &self.norm_t[0])
            self.judge(n_groups)
            return
        for b in range(n_groups):
            sslrank_add_rows(&self.centered[0], self.width, self.width, order + start[g],
                             start[g + 1] - start[g], total)
            side.weight = self.side_weight[b]
            side.labeled = self.side_labeled[b]
            side.squares = self.side_squares[b]
            gain = self.sum_gain(total, NULL, &side)
            self.gain_f[b] = gain.features
            self.gain_t[b] = gain.targets
            g += step

    cdef void judge(self, intp_t n) noexcept nogil:
        """Decreases of the first n scanned tests from their norms and scalars."""
        cdef intp_t b
        for b in range(n, SSLRANK_WHOLE_TESTS(n)):
            self.side_weight[b] = -1  # see sslrank_largest
        sslrank_gains(n, self.judge_mode(), self.node.weight, self.node.labeled, self.node.squares,
                      1 if self.scale_all else self.target_factor,
                      self.target_factor * self.node.squares if self.parent_estimate else 0,
                      &self.norm_f[0], &self.norm_t[0], &self.side_weight[0], &self.side_labeled[0],
                      &self.side_squares[0], &self.gain_f[0], &self.gain_t[0])

    cdef int judge_mode(self) noexcept nogil:
        """How the target part of this node's tests is computed."""
        if self.width_t == 0 or self.node.labeled <= 0 or (
                self.has_products and self.with_targets):
            return SSLRANK_NO_TARGETS
        if self.node.labeled == self.node.weight:
            return SSLRANK_SAME_ROWS  # both scales are a feature-like sum, the squares cancel
        return SSLRANK_SCALE_ALL if self.scale_all else SSLRANK_SCALE_KNOWN

    cdef void scan_sparse(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                          intp_t n_groups) noexcept nogil:
        # Both |sum|^2 and sum . node mean grow row by row.
        cdef intp_t b, g = first, last = first + (n_groups - 1) * step, j
        cdef float64_t cross_f = 0, cross_t = 0
        cdef float64_t* own_f = &self.gain_f[0]  # not needed before `judge`
        cdef float64_t* own_t = &self.gain_t[0]
        cdef float32_t* total = &self.running[0]
        memset(total + self.width_f, 0, self.width_t * sizeof(float32_t))
        sslrank_scan_entries(&self.z_targets[0], &self.z_start[1], &self.z_column[0], &self.z_value[0],
                             self.node_rows, &self.local_weight[0], order, start, first, step, n_groups,
                             total, own_t)
        if self.has_gram and start[max(first, last) + 1] - start[min(first, last)] <= LONGEST_GRAM_SIDE:
            sslrank_scan_gram(&self.gram[0], self.n_gram, &self.local_place[0], &self.local_weight[0], order,
                              start, first, step, n_groups, &self.side_place[0], &self.side_row_weight[0],
                              own_f)
        else:
            memset(total, 0, self.width_f * sizeof(float32_t))
            sslrank_scan_entries(&self.z_start[0], &self.z_targets[0], &self.z_column[0], &self.z_value[0],
                                 self.node_rows, &self.local_weight[0], order, start, first, step, n_groups,
                                 total, own_f)
        for b in range(n_groups):
            for j in range(start[g], start[g + 1]):
                cross_f += self.mean_dot_f[order[j]]
                cross_t += self.mean_dot_t[order[j]]
            self.center_norms(b, own_f[b], own_t[b], cross_f, cross_t)
            g += step

    cdef void center_norms(self, intp_t b, float64_t own_f, float64_t own_t, float64_t cross_f,
                           float64_t cross_t) noexcept nogil:
        """Norms of test b from those of its side's plain sums and their products with the node means."""
        # |sum - share * node sum|^2 = |sum|^2 - 2 share sum . node sum + share^2 |node sum|^2
        cdef float64_t share = self.side_weight[b] / self.node.weight
        self.norm_f[b] = <float32_t> (own_f - 2 * self.side_weight[b] * cross_f
                                      + share * share * self.features_norm)
        share = self.side_labeled[b] / self.node.labeled if self.node.labeled > 0 else 0
        self.norm_t[b] = <float32_t> (own_t - 2 * self.side_labeled[b] * cross_t
                                      + share * share * self.targets_norm)

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
        elif self.parent_estimate:
            gain.targets = -self.target_factor * self.node.squares
        return gain

    cdef Gain sum_gain(self, const float32_t* total, const float32_t* extra, const Side* a) noexcept nogil:
        """Decrease by a test from the centred sum (plus `extra`, which may be NULL) of one of its sides."""
        cdef intp_t f = self.width_f, t = self.width_t, r = self.n_ragged
        cdef intp_t at = f + t
        cdef const float32_t* extra_t = <const float32_t*>NULL if extra == NULL else extra + f
        cdef const float32_t* extra_r = <const float32_t*>NULL if extra == NULL else extra + at
        cdef Gain gain = self.side_gain(
            a, sslrank_norm(total, extra, f), sslrank_norm(total + f, extra_t, t)
        )
        if r:
            sslrank_ragged_gains(
                total + at, extra_r, r, self.n_ragged_f, &self.ragged_known[0], &self.ragged_squares[0],
                &self.ragged_variance[0], &self.ragged_factor[0], &self.ragged_estimate[0], self.scale_all,
                <float> self.node.weight, <float> a.weight, &gain.features, &gain.targets)
        return gain

    cdef Gain exact_gain(self, const float64_t* sums, const Side* node, const float64_t* sums_a,
                         const Side* a) noexcept nogil:
        """The same from float64 sums of the node and one side: this is what importances add up."""
        cdef intp_t f = self.width_f, t = self.width_t, c
        cdef Gain gain
        cdef float64_t weight_b = node.weight - a.weight
        cdef float64_t d, part
        gain.features = 0
        for c in range(f):
            d = sums_a[c] / a.weight - (sums[c] - sums_a[c]) / weight_b
            gain.features += d * d
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
