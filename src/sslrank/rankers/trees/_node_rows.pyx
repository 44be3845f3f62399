"""The clustering rows of the node that is searched: see _node_rows.pxd.

`enter` prepares a node whose sums are known. Its `cache` says what was made for a node above it and still serves
this one (0: nothing); what it returns goes to the nodes below, and nobody else looks inside.
"""

import numpy as np

from libc.string cimport memcpy, memset

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t
from sslrank.rankers.trees._criterion cimport Criterion, Side
from sslrank.rankers.trees._products cimport RowProducts


cdef extern from "_gains.h" nogil:
    enum:
        SSLRANK_NO_TARGETS
        SSLRANK_SAME_ROWS

cdef extern from "_products.h" nogil:
    void sslrank_scan_products(const float* products, intp_t stride, const int32_t* order,
                               const int32_t* start, intp_t first, intp_t step, intp_t n_groups,
                               float* running, float* norm)

cdef extern from "_rows.h" nogil:
    void sslrank_scan(const float* rows, intp_t stride, intp_t width_f, intp_t width_t, const int32_t* order,
                      const int32_t* start, intp_t first, intp_t step, intp_t n_groups, bint from_zero,
                      float* total, float* norm_f, float* norm_t)
    void sslrank_scan_labeled(const float* rows, intp_t stride, intp_t width, const float* labeled,
                              const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                              intp_t n_groups, float* total, float* norm)
    void sslrank_sides(const int32_t* order, const int32_t* start, intp_t first, intp_t step, intp_t n_groups,
                       const float* weight, const float* labeled, const float* squares, double w, double l,
                       double q, double* side_weight, double* side_labeled, double* side_squares)
    void sslrank_side_weights(const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                              intp_t n_groups, const float* weight, double w, double* side_weight)
    void sslrank_add_rows(const float* rows, intp_t stride, intp_t width, const int32_t* order, intp_t n,
                          float* total)
    void sslrank_center(const float* values, intp_t stride, const int32_t* rows, intp_t n, const float* weight,
                        const float* mean, intp_t width, float* out, intp_t out_stride, float* squares)
    void sslrank_add_exact(const float* row, double weight, intp_t width, double* total, double* squares)

cdef intp_t LANES = 16
# Minimum number of target columns to sum the targets separately if some rows have no label: it is worth a branch.
cdef intp_t WIDE_TARGETS = 64


def whole_lines(n):
    """Room for n float32 from the beginning of a cache line on: a whole vector then never lies in two lines."""
    room = np.empty(n + LANES, dtype=np.float32)
    begin = -room.ctypes.data % (LANES * room.itemsize) // room.itemsize
    return room[begin:begin + n]


cdef class NodeRows:
    """Base class of dense and sparse rows; the work space of one thread.

    Parameters
    ----------
    rows : sslrank.rankers.trees.clustering.ClusteringRows
    criterion : Criterion
    """

    def __init__(self, rows, Criterion criterion):
        self.criterion = criterion
        self.n_rows = rows.n_rows
        self.labeled = rows.labeled
        self.local_weight = np.empty(0, dtype=np.float32)
        self.mean = np.zeros(max(criterion.width, 1), dtype=np.float32)
        self.running = np.zeros(max(criterion.width, 1), dtype=np.float32)

    cdef int reserve(self, intp_t n) except -1:
        """Make room for nodes of up to n rows."""
        self.local_weight = np.empty(n + 1, dtype=np.float32)
        self.local_labeled = np.empty(n + 1, dtype=np.float32)
        self.local_squares = np.zeros(n + 1, dtype=np.float32)
        return 0

    cdef void add_rows(self, const int32_t* rows, intp_t n, const float32_t* weights, float64_t* sums,
                       Side* side) noexcept nogil:
        """Add rows to a node's float64 sums and scalars."""
        pass

    cdef int32_t enter(self, const int32_t* rows, intp_t n, const float32_t* weights, const float64_t* sums,
                       const Side* side, int32_t cache) noexcept nogil:
        """Prepare the search of a node whose sums are known."""
        return 0

    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil:
        """Judge the tests whose sides are made by adding up groups of local rows one after the other.

        Group g is order[start[g]:start[g + 1]]; the groups are first, first + step, ... With `with_missing`
        the rows without the tested value are on the same side from the beginning.
        """
        pass

    cdef void set_weights(self, const int32_t* rows, intp_t n, const float32_t* weights,
                          const Side* side) noexcept nogil:
        cdef intp_t i, row
        self.n = n
        self.rows = rows
        self.criterion.node = side[0]
        self.criterion.node.squares = 0
        for i in range(n):
            row = rows[i]
            self.local_weight[i] = weights[row]
            self.local_labeled[i] = weights[row] if self.labeled[row] else 0

    cdef void set_mean(self, const float64_t* sums) noexcept nogil:
        cdef intp_t f = self.criterion.width_f, t = self.criterion.width_t, r = self.criterion.n_ragged, c
        cdef float32_t* mean = &self.mean[0]
        cdef float64_t known, weight = self.criterion.node.weight, labeled = self.criterion.node.labeled
        for c in range(f):
            mean[c] = <float32_t> (sums[c] / weight)
        for c in range(f, f + t):
            mean[c] = <float32_t> (sums[c] / labeled) if labeled > 0 else 0
        for c in range(r):
            known = sums[f + t + r + c]
            mean[f + t + c] = <float32_t> (sums[f + t + c] / known) if known > 0 else 0

    cdef void sum_sides(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, const Side* side, intp_t at) noexcept nogil:
        """Scalars of the sides of a scan that begins with `side`, from outcome `at` on."""
        sslrank_sides(order, start, first, step, n_groups, &self.local_weight[0], &self.local_labeled[0],
                      &self.local_squares[0], side.weight, side.labeled, side.squares,
                      &self.criterion.side_weight[at], &self.criterion.side_labeled[at],
                      &self.criterion.side_squares[at])


cdef class DenseRows(NodeRows):
    """Rows of numbers, centred anew in every node.

    Parameters
    ----------
    rows : ClusteringRows
    criterion : Criterion
    products_limit : int
        Largest node whose inner products are kept, 0 for none.
    level : float
        The only level of supervision, -1 if there are several.
    """

    def __init__(self, rows, Criterion criterion, intp_t products_limit, float64_t level):
        super().__init__(rows, criterion)
        self.stride = criterion.width_f + criterion.width_t + 2 * criterion.n_ragged
        self.z = rows.values
        self.row_width = criterion.width_f + criterion.width_t
        self.target_at = criterion.width_f
        self.missing_sum = np.zeros(max(criterion.width, 1), dtype=np.float32)
        self.level = level
        self.products_limit = products_limit
        self.products = RowProducts(products_limit, self.n_rows if products_limit else 0,
                                    max(criterion.width_f, criterion.width_t))

    cdef int reserve(self, intp_t n) except -1:
        NodeRows.reserve(self, n)
        width = self.stride + LANES  # columns without gaps are at most padded
        self.centered = whole_lines(max(n * width, 1))
        self.norm_none = np.empty(n + 1, dtype=np.float32)
        return 0

    cdef void add_rows(self, const int32_t* rows, intp_t n, const float32_t* weights, float64_t* sums,
                       Side* side) noexcept nogil:
        cdef intp_t f = self.criterion.width_f, t = self.criterion.width_t, i, row
        cdef float64_t weight
        cdef const float32_t* z
        for i in range(n):
            row = rows[i]
            weight = weights[row]
            side.weight += weight
            z = &self.z[row * self.stride]
            sslrank_add_exact(z, weight, f, sums, NULL)
            if self.labeled[row]:
                side.labeled += weight
                if t:
                    sslrank_add_exact(z + f, weight, t, sums + f, sums + self.criterion.n_sums - t)

    cdef int32_t enter(self, const int32_t* rows, intp_t n, const float32_t* weights, const float64_t* sums,
                       const Side* side, int32_t cache) noexcept nogil:
        """The cache is the number of the inner products that the node's rows are part of."""
        self.set_weights(rows, n, weights, side)
        self.set_mean(sums)
        self.has_products = (cache > 0 and cache == self.products.number
                             and self.products.take(rows, n, &self.local_weight[0], side.weight))
        if self.has_products:
            if not self.products.with_targets:
                self.center_targets()
        else:
            self.center_features()
            self.center_targets()
            if n <= self.products_limit:
                self.make_products()
        self.criterion.joined = self.has_products and self.products.with_targets
        return self.products.number if self.has_products else 0

    cdef void center_features(self) noexcept nogil:
        """Centre the feature columns of the node's rows."""
        sslrank_center(&self.z[0], self.stride, self.rows, self.n, &self.local_weight[0], &self.mean[0],
                       self.criterion.width_f, &self.centered[0], self.row_width, NULL)

    cdef void center_targets(self) noexcept nogil:
        cdef intp_t f = self.criterion.width_f, i
        if self.criterion.width_t == 0:
            return  # squares stay zero
        sslrank_center(&self.z[f], self.stride, self.rows, self.n, &self.local_labeled[0], &self.mean[f],
                       self.criterion.width_t, &self.centered[self.target_at], self.row_width, &self.local_squares[0])
        for i in range(self.n):
            self.criterion.node.squares += self.local_squares[i]

    cdef void make_products(self) noexcept nogil:
        """Inner products of the centred rows, for this node and the nodes below it.

        They stand for the targets as well if one level of supervision weighs them and all rows are labelled.
        """
        cdef bint any_target = self.criterion.width_t > 0 and self.criterion.node.labeled > 0
        cdef float64_t factor = 1 if self.criterion.scale_all else self.criterion.target_factor
        self.products.with_targets = not any_target or (
            self.level >= 0 and self.criterion.node.labeled == self.criterion.node.weight)
        self.products.make(
            self.rows, self.n, &self.centered[0], self.row_width, self.criterion.width_f, self.criterion.width_t,
            self.level * factor / (1 - self.level) if any_target and self.products.with_targets else 0)
        self.has_products = self.products.take(self.rows, self.n, &self.local_weight[0], self.criterion.node.weight)

    cdef void add_locals(self, const int32_t* order, intp_t n, float32_t* total) noexcept nogil:
        """total += the listed local rows"""
        sslrank_add_rows(&self.centered[0], self.row_width, self.row_width, order, n, total)

    cdef Side add_group(self, const int32_t* order, intp_t n, float32_t* total) noexcept nogil:
        """total = the sum of the listed local rows; returns their scalars."""
        cdef intp_t i
        cdef Side side
        memset(total, 0, self.criterion.node_width * sizeof(float32_t))
        self.add_locals(order, n, total)
        side.weight = side.labeled = side.squares = 0
        for i in range(n):
            side.weight += self.local_weight[order[i]]
            side.labeled += self.local_labeled[order[i]]
            side.squares += self.local_squares[order[i]]
        return side

    cdef void set_missing(self, const int32_t* order, intp_t n) noexcept nogil:
        """Declare the local rows that lack the tested value."""
        self.missing = self.add_group(order, n, &self.missing_sum[0])

    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil:
        self.scan_columns(order, start, first, step, n_groups, with_missing, 0)

    cdef void scan_columns(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                           intp_t n_groups, bint with_missing, intp_t at) noexcept nogil:
        """`scan` into outcomes from `at` on, by the columns that have no gaps in the node."""
        cdef intp_t f = self.target_at, t = self.criterion.width_t, width = self.row_width
        cdef float32_t* norm_f = &self.criterion.norm_f[at]
        cdef float32_t* norm_t = &self.criterion.norm_t[at]
        cdef bint apart = (t >= WIDE_TARGETS and self.criterion.node.labeled < self.criterion.node.weight
                           and not self.criterion.joined)
        cdef Side side
        if with_missing:
            memcpy(&self.running[0], &self.missing_sum[0], (f + t) * sizeof(float32_t))
            side = self.missing
        else:
            side.weight = side.labeled = side.squares = 0
        if self.criterion.judge_mode() in (SSLRANK_NO_TARGETS, SSLRANK_SAME_ROWS):
            sslrank_side_weights(order, start, first, step, n_groups, &self.local_weight[0], side.weight,
                                 &self.criterion.side_weight[at])
        else:
            self.sum_sides(order, start, first, step, n_groups, &side, at)
        if apart and not with_missing:
            memset(&self.running[0], 0, (f + t) * sizeof(float32_t))
        if self.has_products:
            sslrank_scan_products(&self.products.node[0], self.products.stride, order, start, first, step,
                                  n_groups, &self.products.running[0], norm_f)
            if self.criterion.joined:
                memset(norm_t, 0, n_groups * sizeof(float32_t))
            elif not apart:
                sslrank_scan(&self.centered[f], width, 0, t, order, start, first, step, n_groups, True,
                             &self.running[0], &self.norm_none[0], norm_t)
        else:
            sslrank_scan(&self.centered[0], width, f, 0 if apart else t, order, start, first, step, n_groups,
                         not with_missing and not (apart and f <= LANES), &self.running[0], norm_f, norm_t)
        if apart:
            sslrank_scan_labeled(&self.centered[f], width, t, &self.local_labeled[0], order, start, first, step,
                                 n_groups, &self.running[f], norm_t)
        self.criterion.judge(at, n_groups)

    cdef void scan_both(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                        intp_t n_groups, intp_t at, intp_t at_missing) noexcept nogil:
        """`scan` without and with the missing rows, into outcomes from `at` and from `at_missing` on."""
        pass
