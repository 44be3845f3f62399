"""Dense clustering rows of which some columns have missing values of their own.

Most columns have no gap in a small node: there they are columns like any other, and only the rest carries known
weights and squares. Rows without the tested value join either side in one scan, and several features are scanned
together, tile by tile of columns.
"""

import numpy as np

from libc.math cimport sqrt
from libc.string cimport memcpy

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t
from sslrank.rankers.trees._criterion cimport Criterion, GapColumns, Side
from sslrank.rankers.trees._node_rows import whole_lines
from sslrank.rankers.trees._node_rows cimport DenseRows


cdef extern from "_rows.h" nogil:
    void sslrank_add_exact(const float* row, double weight, intp_t width, double* total, double* squares)
    void sslrank_add_rows(const float* rows, intp_t stride, intp_t width, const int32_t* order, intp_t n,
                          float* total)

cdef extern from "_gaps.h" nogil:
    enum:
        SSLRANK_GAP_TILE
    void sslrank_scan_gaps(const GapColumns* columns, intp_t c, const float* tile, const int32_t* order,
                           const int32_t* start, intp_t first, intp_t step, intp_t n_groups, const float* side,
                           const float* rest, double* gain, const float* extra, intp_t to_extra)

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
        self.gapped = np.zeros(r + 2 * LANES, dtype=np.int32)
        self.column_scale = np.zeros(r, dtype=np.float32)
        self.missing_sums = np.zeros((TOGETHER, criterion.width), dtype=np.float32)

    cdef int reserve(self, intp_t n) except -1:
        cdef intp_t j
        DenseRows.reserve(self, n)
        self.tiles = whole_lines(n * (self.criterion.n_ragged // LANES + 2) * SSLRANK_GAP_TILE)
        self.orders = np.empty((TOGETHER, 3, n + 2), dtype=np.int32)
        for j in range(TOGETHER):
            self.waiting[j].order = &self.orders[j, 0, 0]
            self.waiting[j].start = &self.orders[j, 1, 0]
            self.waiting[j].group_code = &self.orders[j, 2, 0]
            self.waiting[j].missing_sum = &self.missing_sums[j, 0]
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
        return 0

    cdef void list_columns(self, const float64_t* sums) noexcept nogil:
        """Which ragged columns have gaps in the node, and where its rows have their blocks."""
        cdef intp_t f = self.criterion.width_f, r = self.criterion.n_ragged, c, at = f + self.criterion.width_t
        cdef float64_t known
        self.n_complete = self.n_gapped = self.criterion.node_gaps_f = 0
        for c in range(r):
            if c == self.criterion.n_ragged_f:
                self.fill_up()
                self.criterion.node_gaps_f = self.n_gapped
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
        self.fill_up()
        if self.criterion.n_ragged_f == r:
            self.criterion.node_gaps_f = self.n_gapped
        self.criterion.node_f = f + (self.n_complete + LANES - 1) // LANES * LANES
        self.criterion.node_gaps = self.n_gapped
        self.criterion.node_width = (
            self.criterion.node_f + self.criterion.width_t + 3 * self.criterion.node_gaps)
        for c in range(self.criterion.node_gaps):
            self.criterion.gap_squares[c] = 0
        self.row_width = self.criterion.node_f + self.criterion.width_t
        self.target_at = self.criterion.node_f

    cdef void fill_up(self) noexcept nogil:
        """Columns of zeros, known everywhere, up to a whole vector."""
        while self.n_gapped % LANES:
            self.gapped[self.n_gapped] = -1
            self.criterion.gap_known[self.n_gapped] = <float32_t> self.criterion.node.weight
            self.criterion.gap_factor[self.n_gapped] = self.criterion.gap_estimate[self.n_gapped] = 0
            self.n_gapped += 1

    cdef void center_gapped(self) noexcept nogil:
        """Centre all columns but those of the targets that are known together."""
        cdef intp_t f = self.criterion.width_f, t = self.criterion.width_t, r = self.criterion.n_ragged
        cdef intp_t gaps = self.criterion.node_gaps, i, j, c
        cdef float32_t weight, known, d
        cdef const float32_t* mean = &self.mean[f + t]
        cdef const float32_t* z
        cdef float32_t* out
        self.center_features()
        for i in range(self.n):
            weight = self.local_weight[i]
            z = &self.z[self.rows[i] * self.stride + f + t]
            out = &self.centered[i * self.row_width]
            for j in range(self.n_complete):
                c = self.complete[j]
                out[f + j] = self.column_scale[j] * weight * (z[c] - mean[c])
            for j in range(f + self.n_complete, self.criterion.node_f):
                out[j] = 0
            for j in range(gaps):
                c = self.gapped[j]
                out = &self.tiles[(j // LANES * self.n + i) * SSLRANK_GAP_TILE + j % LANES]
                if c < 0:
                    out[0] = out[2 * LANES] = 0
                    out[LANES] = weight
                    continue
                known = weight * z[r + c]
                d = z[c] - mean[c]
                out[0] = known * d
                out[LANES] = known
                out[2 * LANES] = known * d * d
                self.criterion.gap_squares[j] += known * d * d
        for j in range(gaps):
            self.criterion.gap_variance[j] = self.criterion.gap_squares[j] / max(self.criterion.gap_known[j], 1)

    cdef void add_locals(self, const int32_t* order, intp_t n, float32_t* total) noexcept nogil:
        cdef intp_t tile
        DenseRows.add_locals(self, order, n, total)
        for tile in range(self.criterion.node_gaps // LANES):
            sslrank_add_rows(&self.tiles[tile * self.n * SSLRANK_GAP_TILE], SSLRANK_GAP_TILE, SSLRANK_GAP_TILE,
                             order, n, total + self.row_width + tile * SSLRANK_GAP_TILE)

    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil:
        cdef intp_t tile
        self.scan_columns(order, start, first, step, n_groups, with_missing, 0)
        for tile in range(self.criterion.node_gaps // LANES):  # with missing rows, `scan_both` is asked
            self.scan_tile(tile, order, start, first, step, n_groups, 0, -1, NULL)

    cdef void scan_both(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing) noexcept nogil:
        cdef intp_t tile
        self.scan_columns(order, start, first, step, n_groups, False, at)
        self.scan_columns(order, start, first, step, n_groups, True, at_missing)
        for tile in range(self.criterion.node_gaps // LANES):
            self.scan_tile(tile, order, start, first, step, n_groups, at, at_missing, &self.missing_sum[0])

    cdef void scan_tile(self, intp_t tile, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing, const float32_t* missing_sum) noexcept nogil:
        """Add what a tile contributes to outcomes from number `at` on, and with the missing rows, if there are any."""
        cdef GapColumns columns = self.criterion.gap_columns()
        cdef intp_t c = tile * LANES
        cdef const float32_t* rows = &self.tiles[tile * self.n * SSLRANK_GAP_TILE]
        cdef float64_t* gain = &self.criterion.gain_f[at]
        if c >= self.criterion.node_gaps_f:
            gain = &self.criterion.gain_t[at]
        if missing_sum != NULL:
            missing_sum += self.row_width + tile * SSLRANK_GAP_TILE
        sslrank_scan_gaps(&columns, c, rows, order, start, first, step, n_groups, &self.criterion.gap_sides[0, at],
                          &self.criterion.gap_sides[1, at], gain, missing_sum, at_missing - at)

    cdef void wait(self, intp_t feature, const int32_t* order, const int32_t* start, const int32_t* group_code,
                   intp_t n_groups, intp_t pivot, bint missing) noexcept nogil:
        """Put the rows in order of a feature aside, with the rows declared as missing last."""
        cdef Ordered* kept = &self.waiting[self.n_waiting]
        kept.feature = feature
        kept.n_groups = n_groups
        kept.pivot = pivot
        kept.missing = missing
        memcpy(kept.order, order, start[n_groups] * sizeof(int32_t))
        memcpy(kept.start, start, (n_groups + 1) * sizeof(int32_t))
        memcpy(kept.group_code, group_code, n_groups * sizeof(int32_t))
        if missing:
            kept.side = self.missing
            memcpy(kept.missing_sum, &self.missing_sum[0], self.criterion.node_width * sizeof(float32_t))
        self.n_waiting += 1

    cdef intp_t outcome(self, intp_t j, bint above, bint with_missing) noexcept nogil:
        """Number of the first outcome of the j-th waiting feature, for the tests above or below its pivot."""
        return (2 * above + with_missing) * self.criterion.room + j * ((self.n + LANES) // LANES * LANES)

    cdef void scan_waiting(self) noexcept nogil:
        """Judge all tests of the waiting features."""
        cdef intp_t j, tile, missing
        cdef Ordered* f
        for j in range(self.n_waiting):
            f = &self.waiting[j]
            if f.missing:
                self.missing = f.side
                memcpy(&self.missing_sum[0], f.missing_sum, self.row_width * sizeof(float32_t))
            for missing in range(2 if f.missing else 1):
                if f.pivot < f.n_groups - 1:
                    self.scan_columns(f.order, f.start, f.n_groups - 1, -1, f.n_groups - 1 - f.pivot, missing,
                                      self.outcome(j, True, missing))
                if f.pivot:
                    self.scan_columns(f.order, f.start, 0, 1, f.pivot, missing, self.outcome(j, False, missing))
        for tile in range(self.criterion.node_gaps // LANES):
            for j in range(self.n_waiting):
                f = &self.waiting[j]
                self.scan_tile(tile, f.order, f.start, f.n_groups - 1, -1, f.n_groups - 1 - f.pivot,
                               self.outcome(j, True, False), self.outcome(j, True, True),
                               f.missing_sum if f.missing else NULL)
                self.scan_tile(tile, f.order, f.start, 0, 1, f.pivot, self.outcome(j, False, False),
                               self.outcome(j, False, True), f.missing_sum if f.missing else NULL)
