"""Extra-Trees: one random test of every sampled feature, one feature after the other."""

import numpy as np

from sslrank.core._typedefs cimport float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._criterion cimport Gain, Side
from sslrank.rankers.trees._random cimport next_uint64, next_uniform
from sslrank.rankers.trees._table cimport MISSING
from sslrank.rankers.trees._tests cimport SubsetTests, Tests


cdef extern from "_random_tests.h" nogil:
    void sslrank_gather_numbers(const double* column, intp_t stride, const int32_t* rows, intp_t n,
                                double* numbers, double* low, double* high)
    intp_t sslrank_part_numbers(const double* numbers, intp_t n, double threshold, int32_t* above,
                                int32_t* below)


cdef class RandomTests(SubsetTests):
    """Random tests; for the parameters see Tests."""

    def __init__(self, rows, partitioner, max_features, min_leaf, levels):
        super().__init__(rows, partitioner, max_features, min_leaf, levels)
        self.numbers = np.empty(0)

    cdef int reserve(self, intp_t n, const int32_t[::1] bag) except -1:
        Tests.reserve(self, n, bag)
        if n >= len(self.numbers):
            self.numbers = np.empty(n + n // 8 + 1)
        return 0

    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil:
        cdef intp_t slot, feature
        self.sample_features(&stream)
        if self.table.sparse:
            self.partitioner.bucket_entries(self.sampled)
        for slot in range(self.max_features):
            feature = self.sampled[slot]
            if not self.table.nominal[feature] or self.table.n_codes[feature] <= 2:
                self.try_threshold(slot, &stream, active)
            elif self.partitioner.order_rows(slot, feature):
                if self.partitioner.n_missing:
                    self.dense.set_missing(&self.partitioner.missing_rows[0], self.partitioner.n_missing)
                self.try_subset(feature, &stream, active)

    cdef void complete(self, intp_t level, uint64_t stream) noexcept nogil:
        cdef intp_t feature = self.best[level].feature
        if self.best[level].code == MISSING:
            self.best[level].code = self.table.last_code_up_to(
                feature, self.best[level].threshold, 0, self.table.n_codes[feature] - 1)

    cdef void try_threshold(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil:
        """One test x > t with a random t."""
        cdef intp_t feature = self.sampled[slot], i, side = 0, missing_right, n_listed, n_missing
        cdef int32_t cut, low, high, default = -1
        cdef const int32_t* codes
        cdef const int32_t* local
        cdef float64_t u = next_uniform(stream), threshold
        cdef bint list_right
        if not self.table.sparse and not self.table.nominal[feature]:
            if self.try_number(feature, u, active):
                return
        self.partitioner.list_codes(slot, feature)
        n_listed = self.partitioner.n_listed
        n_missing = self.partitioner.n_missing
        if n_listed == 0:
            return
        codes = self.partitioner.listed
        local = self.partitioner.local
        low = self.partitioner.ends[0]
        high = self.partitioner.ends[1]
        if self.table.sparse and n_listed < self.partitioner.n:
            default = self.table.default_code[feature]
            low = min(low, default)
            high = max(high, default)
        if low >= high:
            return
        if self.table.nominal[feature]:
            cut = low
            threshold = cut
        else:
            threshold = self.table.value(feature, low)
            threshold += u * (self.table.value(feature, high) - threshold)
            cut = self.table.last_code_up_to(feature, threshold, low, high - 1)
        # List the smaller side; in sparse form the one without the unlisted rows. No branches: which side a
        # row is on cannot be predicted.
        if default >= 0:
            list_right = default <= cut
        else:
            for i in range(n_listed):
                side += codes[i] > cut
            list_right = 2 * side <= n_listed
            side = 0
        # Invariant: order[:side] are the listed rows before i that are on the side to list; place `side` is free.
        for i in range(n_listed):
            self.partitioner.order[side] = <int32_t> i
            side += (codes[i] > cut) == list_right
        if local != NULL:
            for i in range(side):
                self.partitioner.order[i] = local[self.partitioner.order[i]]
        if n_missing:
            self.dense.set_missing(&self.partitioner.missing_rows[0], n_missing)
        self.partitioner.start[0] = 0
        self.partitioner.start[1] = <int32_t> side
        if n_missing and self.criterion.node_gaps:
            self.dense.scan_both(&self.partitioner.order[0], &self.partitioner.start[0], 0, 1, 1, 0,
                                 self.criterion.room)
            for missing_right in range(2):
                self.judge_one(self.criterion.room if missing_right == list_right else 0, feature, cut,
                               threshold, missing_right, active)
            return
        for missing_right in range(2 if n_missing else 1):
            self.rows.scan(&self.partitioner.order[0], &self.partitioner.start[0], 0, 1, 1,
                           n_missing and (missing_right == list_right))
            self.judge_one(0, feature, cut, threshold, missing_right, active)

    cdef bint try_number(self, intp_t feature, float64_t u, uint64_t active) noexcept nogil:
        """`try_threshold` on the values themselves, which need no search for the threshold's code.

        Rows of values are read across features, so they stay in the cache. False if a value may be missing.
        """
        cdef float64_t low, high, threshold
        cdef intp_t n = self.partitioner.n, side
        cdef int32_t* listed = &self.partitioner.order[0]
        if self.table.has_missing[feature]:
            return False
        sslrank_gather_numbers(&self.table.numbers[0, feature], self.table.n_features, self.partitioner.rows, n,
                               &self.numbers[0], &low, &high)
        if low >= high:
            return True
        threshold = low + u * (high - low)
        if threshold >= high:  # rounding, with neighbouring numbers
            threshold = low
        side = sslrank_part_numbers(&self.numbers[0], n, threshold, listed, &self.partitioner.known_rows[0])
        if 2 * side > n:  # the smaller side is enough
            listed = &self.partitioner.known_rows[0]
            side = n - side
        self.partitioner.start[0] = 0
        self.partitioner.start[1] = <int32_t> side
        self.rows.scan(listed, &self.partitioner.start[0], 0, 1, 1, False)
        self.judge_one(0, feature, MISSING, threshold, 0, active)
        return True

    cdef void try_subset(self, intp_t feature, uint64_t* stream, uint64_t active) noexcept nogil:
        """One test x in A; every category that occurs is in A with probability 1/2, at most ten tries."""
        cdef intp_t n_groups = self.partitioner.n_groups, g, _attempt, n_taken = 0, k, missing_right
        cdef uint64_t bits = 0
        cdef Side side, with_missing
        cdef Gain gain
        cdef float64_t h
        for _attempt in range(10):
            n_taken = 0
            for g in range(n_groups):
                if g % 64 == 0:
                    bits = next_uint64(stream)
                self.taken[g] = (bits >> (g & 63)) & 1
                n_taken += self.taken[g]
            if 0 < n_taken < n_groups:
                break
        if n_taken == 0 or n_taken == n_groups:
            return
        self.clear_subset(&side)
        for g in range(n_groups):
            if self.taken[g]:
                self.collect_category(g)
                self.add_category(g, &side)
        for missing_right in range(2 if self.partitioner.n_missing else 1):
            with_missing = side
            if missing_right:
                with_missing.weight += self.dense.missing.weight
                with_missing.labeled += self.dense.missing.labeled
                with_missing.squares += self.dense.missing.squares
            if not self.allowed(with_missing.weight):
                continue
            gain = self.criterion.sum_gain(
                &self.category_sum[n_groups, 0], &self.dense.missing_sum[0] if missing_right else NULL,
                &with_missing)
            for k in range(self.n_levels):
                if (active >> k) & 1:
                    h = self.level_h(k, gain)
                    if self.better(k, h):
                        self.keep_subset(feature, k, missing_right, h)
