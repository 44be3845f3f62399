"""Random forests and bagging: all tests x > t, and greedy tests x in A, of every sampled feature."""

import numpy as np

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._gapped_rows cimport GappedRows, Ordered, TOGETHER
from sslrank.rankers.trees._tests cimport SMALLEST_GAIN, Tests, TIE, most_categories

cdef extern from "_rows.h" nogil:
    void sslrank_add_vector(const float* row, float* total, intp_t width)


cdef class AllTests(Tests):
    """All tests; for the parameters see Tests."""

    def __init__(self, rows, partitioner, max_features, min_leaf, levels):
        super().__init__(rows, partitioner, max_features, min_leaf, levels)
        if isinstance(rows, GappedRows):
            self.gapped = rows
        categories = most_categories(self.table)
        # Rows 0..categories - 1 are the categories' sums; one more is the sum of a growing subset.
        self.category_sum = np.zeros((categories + 2, max(self.criterion.width, 1)), dtype=np.float32)
        self.taken = np.zeros(categories + 2, dtype=np.uint8)
        cdef void* sides = realloc(NULL, (categories + 2) * sizeof(Side))
        if sides == NULL:
            raise MemoryError()
        self.category_side = <Side*> sides

    def __dealloc__(self):
        free(self.category_side)

    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil:
        cdef intp_t slot, feature, g, k, missing_right
        cdef bint by_threshold
        self.sample_features(&stream)
        if self.table.sparse:
            self.partitioner.bucket_entries(self.sampled)
        # Invariant: best[k] is the best test of the features before `slot`, but for those that wait for a common scan.
        for slot in range(self.max_features):
            feature = self.sampled[slot]
            if not self.partitioner.order_rows(slot, feature):
                continue
            by_threshold = not self.table.nominal[feature] or self.table.n_codes[feature] <= 2
            if self.criterion.node_gaps and not by_threshold:
                self.search_waiting(active)  # tests are compared feature by feature
            if self.partitioner.n_missing:
                self.dense.set_missing(&self.partitioner.missing_rows[0], self.partitioner.n_missing)
            if by_threshold:
                if self.criterion.node_gaps == 0:
                    self.search_thresholds(feature, active)
                    continue
                self.gapped.wait(
                    feature, &self.partitioner.order[0], &self.partitioner.start[0], &self.partitioner.group_code[0],
                    self.partitioner.n_groups, self.partitioner.pivot, self.partitioner.n_missing > 0)
                if self.gapped.n_waiting == TOGETHER:
                    self.search_waiting(active)
                continue
            for g in range(self.partitioner.n_groups):
                self.collect_category(g)
            for missing_right in range(2 if self.partitioner.n_missing else 1):
                for k in range(self.n_levels):
                    if (active >> k) & 1:
                        self.grow_subset(feature, k, missing_right)
        if self.criterion.node_gaps:
            self.search_waiting(active)

    cdef void complete(self, intp_t level, uint64_t stream) noexcept nogil:
        # The threshold is the largest value on the left.
        cdef intp_t feature = self.best[level].feature
        self.best[level].threshold = (self.best[level].code if self.table.nominal[feature]
                                      else self.table.value(feature, self.best[level].code))

    cdef void search_thresholds(self, intp_t feature, uint64_t active) noexcept nogil:
        """All tests x > t on the ordered rows."""
        cdef intp_t n_groups = self.partitioner.n_groups, below = self.partitioner.pivot
        cdef intp_t above = n_groups - 1 - below, missing_right
        cdef bint missing = self.partitioner.n_missing > 0
        cdef const int32_t* order = &self.partitioner.order[0]
        cdef const int32_t* start = &self.partitioner.start[0]
        cdef const int32_t* codes = &self.partitioner.group_code[0]
        for missing_right in range(1 + missing):
            if above:
                self.rows.scan(order, start, n_groups - 1, -1, above, missing and missing_right)
                self.judge_scan(feature, codes, 0, above, n_groups - 2, -1, missing_right, active)
            if below:
                self.rows.scan(order, start, 0, 1, below, missing and not missing_right)
                self.judge_scan(feature, codes, 0, below, 0, 1, missing_right, active)

    cdef void search_waiting(self, uint64_t active) noexcept nogil:
        """All tests x > t of the features that wait to be scanned together."""
        cdef intp_t j, missing_right
        cdef bint missing
        cdef Ordered* f
        self.gapped.scan_waiting()
        for j in range(self.gapped.n_waiting):
            f = &self.gapped.waiting[j]
            missing = f.missing
            for missing_right in range(1 + missing):
                self.judge_scan(f.feature, f.group_code, self.gapped.outcome(j, True, missing_right),
                                f.n_groups - 1 - f.pivot, f.n_groups - 2, -1, missing_right, active)
                self.judge_scan(f.feature, f.group_code, self.gapped.outcome(j, False, missing and not missing_right),
                                f.pivot, 0, 1, missing_right, active)
        self.gapped.n_waiting = 0

    cdef void judge_scan(self, intp_t feature, const int32_t* codes, intp_t at, intp_t n, intp_t first,
                         intp_t step, uint8_t missing_right, uint64_t active) noexcept nogil:
        """Compare n outcomes from `at` on, from the highest threshold down; test b: group first + b * step."""
        cdef intp_t b, k
        if n == 0:
            return
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            b = self.choose(k, at, n, step > 0)
            if b >= 0:
                self.best[k].code = codes[first + b * step]
                self.best[k].feature = feature
                self.best[k].missing_right = missing_right
                self.best[k].subset = 0

    cdef void grow_subset(self, intp_t feature, intp_t level, uint8_t missing_right) noexcept nogil:
        """The greedy test x in A, for one level."""
        cdef intp_t g, best_g, n_groups = self.partitioner.n_groups, n_taken = 0
        cdef float32_t* total = &self.category_sum[n_groups, 0]
        cdef Side side, candidate
        cdef float64_t h, best_h = 0, step_h
        memset(total, 0, self.criterion.node_width * sizeof(float32_t))
        side.weight = side.labeled = side.squares = 0
        if missing_right:
            memcpy(total, &self.dense.missing_sum[0], self.criterion.node_width * sizeof(float32_t))
            side = self.dense.missing
        for g in range(n_groups):
            self.taken[g] = 0
        # Invariant: `total` and `side` sum up the categories in `taken` (and the missing values that go right), and
        # best_h is the decrease by that subset; each round adds one category or stops.
        while n_taken < n_groups - 1:
            best_g = -1
            step_h = best_h
            for g in range(n_groups):
                if self.taken[g]:
                    continue
                candidate.weight = side.weight + self.category_side[g].weight
                candidate.labeled = side.labeled + self.category_side[g].labeled
                candidate.squares = side.squares + self.category_side[g].squares
                if not self.allowed(candidate.weight):
                    continue
                h = self.level_h(level, self.criterion.sum_gain(total, &self.category_sum[g, 0], &candidate))
                if h > step_h * (1 + TIE) and h > SMALLEST_GAIN * self.criterion.node.weight:
                    step_h = h
                    best_g = g
            if best_g < 0:
                break
            best_h = step_h
            self.taken[best_g] = 1
            n_taken += 1
            sslrank_add_vector(&self.category_sum[best_g, 0], total, self.criterion.node_width)
            side.weight += self.category_side[best_g].weight
            side.labeled += self.category_side[best_g].labeled
            side.squares += self.category_side[best_g].squares
        if n_taken and self.better(level, best_h):
            self.keep_subset(feature, level, missing_right, best_h)

    cdef void collect_category(self, intp_t g) noexcept nogil:
        """The sum of the node's rows of one category, which are a group."""
        cdef intp_t begin = self.partitioner.start[g]
        self.category_side[g] = self.dense.add_group(
            &self.partitioner.order[begin], self.partitioner.start[g + 1] - begin, &self.category_sum[g, 0])

    cdef void keep_subset(self, intp_t feature, intp_t level, uint8_t missing_right, float64_t h) noexcept nogil:
        """The test x in A with the categories in `taken` is the best one so far."""
        cdef intp_t g, v
        self.best[level].h = h
        self.best[level].feature = feature
        self.best[level].code = 0
        self.best[level].threshold = 0
        self.best[level].missing_right = missing_right
        self.best[level].subset = 1
        memset(&self.best_subset[level, 0], 0, self.n_words * sizeof(uint64_t))
        for g in range(self.partitioner.n_groups):
            if self.taken[g]:
                v = self.partitioner.group_code[g]
                self.best_subset[level, v >> 6] |= <uint64_t> 1 << (v & 63)
