"""Extra-Trees: one random test of every sampled feature, one feature after the other."""

import numpy as np

from libc.string cimport memset

from sslrank.core._typedefs cimport float64_t, int8_t, int32_t, int64_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._random cimport next_uint64, next_uniform
from sslrank.rankers.trees._table cimport MISSING
from sslrank.rankers.trees._tests cimport Tests


cdef extern from "_random_tests.h" nogil:
    enum:
        SSLRANK_TOGETHER
    void sslrank_gather_numbers(const double* table, intp_t stride, const int32_t* features, const int32_t* rows,
                                intp_t n, double* numbers, double* low, double* high)
    void sslrank_mark_sides(const double* numbers, intp_t n, const double* threshold, int8_t* sides, int64_t* above)
    void sslrank_list_side(const int8_t* sides, intp_t n, int side, int32_t* listed)
    void sslrank_mark_codes(const int32_t* codes, intp_t n, intp_t n_words, uint64_t* words)
    intp_t sslrank_list_members(const int32_t* codes, intp_t n, const uint64_t* words, int32_t* listed,
                                int* inside)


cdef class RandomTests(Tests):
    """Random tests; for the parameters see Tests."""

    def __init__(self, rows, partitioner, max_features, min_leaf, levels):
        super().__init__(rows, partitioner, max_features, min_leaf, levels)
        self.numbers = np.empty(0)
        self.is_number = np.zeros(self.table.n_features, dtype=np.uint8)
        if not self.table.sparse:
            self.is_number = (~(np.asarray(self.table.nominal) | np.asarray(self.table.has_missing)).astype(bool)).view(
                np.uint8)
        self.occurring = np.zeros(self.n_words, dtype=np.uint64)
        self.drawn = np.zeros(self.n_words, dtype=np.uint64)

    cdef int reserve(self, intp_t n, const int32_t[::1] bag) except -1:
        Tests.reserve(self, n, bag)
        if n * SSLRANK_TOGETHER >= len(self.numbers):
            self.numbers = np.empty((n + n // 8 + 1) * SSLRANK_TOGETHER)
            self.sides = np.empty(len(self.numbers), dtype=np.int8)
        return 0

    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil:
        cdef intp_t slot = 0, feature
        self.sample_features(&stream)
        if self.table.sparse:
            self.partitioner.bucket_entries(self.sampled)
        while slot < self.max_features:
            feature = self.sampled[slot]
            if self.is_number[feature]:
                slot = self.try_numbers(slot, &stream, active)
                continue
            if not self.table.nominal[feature] or self.table.n_codes[feature] <= 2:
                self.try_threshold(slot, &stream, active)
            else:
                self.try_subset(slot, &stream, active)
            slot += 1

    cdef void complete(self, intp_t level, uint64_t stream) noexcept nogil:
        cdef intp_t feature = self.best[level].feature
        if self.best[level].code == MISSING:
            self.best[level].code = self.table.last_code_up_to(
                feature, self.best[level].threshold, 0, self.table.n_codes[feature] - 1)

    cdef void try_threshold(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil:
        """One test x > t with a random t."""
        cdef intp_t feature = self.sampled[slot], i, side = 0, n_listed
        cdef int32_t cut, low, high, default = -1
        cdef const int32_t* codes
        cdef float64_t u = next_uniform(stream), threshold
        cdef bint list_right
        self.partitioner.list_codes(slot, feature)
        n_listed = self.partitioner.n_listed
        if n_listed == 0:
            return
        codes = self.partitioner.listed
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
        # Invariant: order[:side] are the listed rows before i that are on the side to list; position `side` is free.
        for i in range(n_listed):
            self.partitioner.order[side] = <int32_t> i
            side += (codes[i] > cut) == list_right
        self.judge_listed(side, list_right, feature, cut, threshold, 0, active)

    cdef intp_t try_numbers(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil:
        """`try_threshold` for features from `slot` on, as many as are numbers without a gap; returns the next slot.

        Values are compared themselves, which needs no search for a threshold's code.
        """
        cdef int32_t[SSLRANK_TOGETHER] features
        cdef float64_t[SSLRANK_TOGETHER] low, high, threshold
        cdef int64_t[SSLRANK_TOGETHER] above
        cdef intp_t n = self.partitioner.n, count = 0, k
        cdef float64_t u
        cdef bint right
        # Invariant: features[:count] are those of the slots before slot + count; the last one fills up.
        for k in range(SSLRANK_TOGETHER):
            if count == k and slot + k < self.max_features and self.is_number[self.sampled[slot + k]]:
                count += 1
            features[k] = self.sampled[slot + count - 1]
        sslrank_gather_numbers(&self.table.numbers[0, 0], self.table.n_features, features, self.partitioner.rows, n,
                               &self.numbers[0], low, high)
        for k in range(SSLRANK_TOGETHER):
            u = next_uniform(stream) if k < count else 0
            threshold[k] = low[k] + u * (high[k] - low[k])
            if threshold[k] >= high[k]:  # rounding, with neighbouring numbers
                threshold[k] = low[k]
        sslrank_mark_sides(&self.numbers[0], n, threshold, &self.sides[0], above)
        self.partitioner.start[0] = 0
        for k in range(count):
            if low[k] >= high[k]:
                continue
            right = 2 * above[k] <= n  # the smaller side is enough
            sslrank_list_side(&self.sides[k], n, -1 if right else 0, &self.partitioner.order[0])
            self.partitioner.start[1] = <int32_t> (above[k] if right else n - above[k])
            self.rows.scan(&self.partitioner.order[0], &self.partitioner.start[0], 0, 1, 1, False)
            self.judge_one(0, features[k], MISSING, threshold[k], 0, NULL, active)
        return slot + count

    cdef void try_subset(self, intp_t slot, uint64_t* stream, uint64_t active) noexcept nogil:
        """One test x in A; every category that occurs is in A with probability 1/2, at most ten tries."""
        cdef intp_t feature = self.sampled[slot], n_words, n
        cdef int inside
        self.partitioner.list_codes(slot, feature)
        if self.partitioner.ends[0] >= self.partitioner.ends[1]:
            return
        n_words = (self.partitioner.ends[1] >> 6) + 1
        memset(&self.occurring[0], 0, n_words * sizeof(uint64_t))
        sslrank_mark_codes(self.partitioner.listed, self.partitioner.n_listed, n_words, &self.occurring[0])
        if not self.draw_subset(n_words, stream):
            return
        n = sslrank_list_members(self.partitioner.listed, self.partitioner.n_listed, &self.drawn[0],
                                 &self.partitioner.order[0], &inside)
        self.judge_listed(n, inside, feature, 0, 0, 1, active)

    cdef bint draw_subset(self, intp_t n_words, uint64_t* stream) noexcept nogil:
        """Draw `drawn` out of `occurring`; False if it stays empty or takes all."""
        cdef intp_t _attempt, n_seen, n_taken, w
        cdef uint64_t bits = 0, left
        for _attempt in range(10):
            n_seen = n_taken = 0
            memset(&self.drawn[0], 0, self.n_words * sizeof(uint64_t))  # `judge_one` copies all of it
            # Invariant: of the n_seen categories before the lowest bit of `left`, n_taken are in `drawn`.
            for w in range(n_words):
                left = self.occurring[w]
                while left:
                    if n_seen % 64 == 0:
                        bits = next_uint64(stream)
                    if (bits >> (n_seen & 63)) & 1:
                        self.drawn[w] |= left & (~left + 1)
                        n_taken += 1
                    n_seen += 1
                    left &= left - 1
            if 0 < n_taken < n_seen:
                return True
        return False

    cdef void judge_listed(self, intp_t n, bint right, intp_t feature, int32_t cut, float64_t threshold,
                           uint8_t subset, uint64_t active) noexcept nogil:
        """Judge a test by the first n rows in `order`, which are its right side if `right`, else its left one."""
        cdef intp_t i, at, missing_right, n_missing = self.partitioner.n_missing
        cdef const int32_t* local = self.partitioner.local
        cdef int32_t* order = &self.partitioner.order[0]
        if local != NULL:
            for i in range(n):
                order[i] = local[order[i]]
        if n_missing:
            self.dense.set_missing(&self.partitioner.missing_rows[0], n_missing)
        self.partitioner.start[0] = 0
        self.partitioner.start[1] = <int32_t> n
        if n_missing and self.criterion.node_gaps:
            self.dense.scan_both(order, &self.partitioner.start[0], 0, 1, 1, 0, self.criterion.room)
        for missing_right in range(2 if n_missing else 1):
            if n_missing and self.criterion.node_gaps:
                at = self.criterion.room if missing_right == right else 0
            else:
                at = 0
                self.rows.scan(order, &self.partitioner.start[0], 0, 1, 1, n_missing and missing_right == right)
            self.judge_one(at, feature, cut, threshold, missing_right, &self.drawn[0] if subset else NULL, active)
