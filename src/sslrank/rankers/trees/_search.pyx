"""The best test of a node: see _search.pxd.

Which tests there are. Numeric: x > t with t a value that occurs in the node (the largest on the left side).
Nominal: x in A, where A grows greedily from the empty set by the category that raises h most. Extra-Trees
draw one test per feature: t = min + u (max - min), or a random subset of the categories that occur.
Two-valued nominal features are tested like numeric ones.

Rows without the tested value go to the side that gives the larger h; so the sides are always a partition of
the node's rows and h is what Alg. 2 says, and a gap costs nothing but what it costs.

Ties. A test replaces the best one when its h is larger by more than TIE relative; the order is: features as
sampled (in column order when all are used), missing rows left before right, thresholds from high to low. Two
tests that part the rows alike differ by rounding only, and so the first one wins whatever the order of
summation.
"""

import numpy as np

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from sslrank._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._cooccurrence cimport Cooccurrence
from sslrank.rankers.trees._impurity cimport Gain, Impurity, Side
from sslrank.rankers.trees._orders cimport RowOrders
from sslrank.rankers.trees._random cimport next_below, next_uint64, next_uniform, uniform_at
from sslrank.rankers.trees._table cimport MISSING, FeatureTable
from sslrank.rankers.trees._thresholds cimport RandomThresholds

from sslrank.rankers.trees._cooccurrence import two_valued
from sslrank.rankers.trees._thresholds import one_threshold_each


cdef extern from "_sort.h" nogil:
    void sslrank_gather_codes(const int32_t* column, const int32_t* rows, intp_t n, int32_t* codes,
                              int32_t* ends)
    void sslrank_code_range(const int32_t* codes, intp_t n, int32_t* ends)
    enum:
        SSLRANK_DIGITS
    intp_t sslrank_order_rows(const int32_t* code, const int32_t* local, intp_t n, int32_t low, int32_t high,
                              uint64_t* keys, uint64_t* other, int32_t* count, int32_t* order, int32_t* start,
                              int32_t* group_code, intp_t* pivot)
    intp_t sslrank_ordered_rows(const unsigned int* sorted, intp_t n, int32_t* order, int32_t* start,
                                int32_t* group_code, intp_t* pivot)

cdef extern from "_choice.h" nogil:
    intp_t sslrank_choose(intp_t n, double f, double t, double weight, double least,
                          const double* side_weight, const double* gain_f, const double* gain_t,
                          bint backwards, double tie, double smallest, double* best)

cdef extern from "_rows.h" nogil:
    void sslrank_add_rows(const float* rows, intp_t stride, intp_t width, const int32_t* order, intp_t n,
                          float* total)
    void sslrank_gather_numbers(const double* column, intp_t stride, const int32_t* rows, intp_t n,
                                double* numbers, double* low, double* high)
    intp_t sslrank_part_numbers(const double* numbers, intp_t n, double threshold, int32_t* above,
                                int32_t* below)
    void sslrank_add_vector(const float* row, float* total, intp_t width)

# Relative difference of h below which two tests are equally good.
cdef float64_t TIE = 3e-6
# A test must lower the impurity by more than this per row; the impurity of all training rows is about 1.
# It is what float32 can tell from nothing.
cdef float64_t SMALLEST_GAIN = 1e-6

# Inner products of sparse rows are kept for subtrees of at most this many rows per entry of a row among the
# sampled features, and LARGEST_GRAM in all (4 MB).
cdef float64_t GRAM_ROWS_PER_ENTRY = 20
cdef intp_t LARGEST_GRAM = 1024

# Room that whole vectors need behind the last number.
cdef intp_t LANES = 16


cdef class Search:
    """Search for tests, with the work space of one thread.

    Parameters
    ----------
    table : FeatureTable
    impurity : Impurity
    max_features : int
        Features drawn at each node, without replacement, constant ones included.
    random_tests : bool
        One random test per feature (Extra-Trees) instead of all tests.
    min_leaf : float
        Smallest weight of a branch.
    levels : sequence of float
        Levels of supervision w, at most 16.
    """

    def __init__(self, FeatureTable table, Impurity impurity, intp_t max_features, bint random_tests,
                 float64_t min_leaf, levels):
        self.table = table
        self.impurity = impurity
        self.max_features = max_features
        self.random_tests = random_tests
        self.min_leaf = min_leaf
        self.n_levels = len(levels)
        if not 1 <= self.n_levels <= MAX_LEVELS:
            raise ValueError(f"between 1 and {MAX_LEVELS} levels of supervision, got {self.n_levels}")
        self.level_targets = np.array(levels, dtype=np.float64)
        self.level_features = 1 - np.array(levels, dtype=np.float64)
        n_features = table.n_features
        self.sampled = np.arange(n_features, dtype=np.int32)[:max_features].copy()
        self.marked = np.zeros(n_features, dtype=np.uint8)
        self.counters = np.empty(SSLRANK_DIGITS, dtype=np.int32)
        categories = int(np.max(np.asarray(table.n_codes) * np.asarray(table.nominal), initial=0))
        self.n_words = max(1, (categories + 63) // 64)
        self.best_subset = np.zeros((self.n_levels, self.n_words), dtype=np.uint64)
        # Rows 0..categories - 1 are the categories' sums; one more is the sum of a growing subset.
        self.category_sum = np.zeros((categories + 2, max(impurity.width, 1)), dtype=np.float32)
        cdef void* sides = realloc(NULL, (categories + 2) * sizeof(Side))
        if sides == NULL:
            raise MemoryError()
        self.category_side = <Side*> sides
        self.hands_down = two_valued(table, impurity, max_features)
        self.together = self.hands_down or (
            random_tests and one_threshold_each(table, impurity, max_features))
        if self.hands_down:
            self.cooccurrence = Cooccurrence(table, impurity)
        elif self.together:
            self.thresholds = RandomThresholds(table, impurity)
        # Several levels may part a node several times, and only the first finds its rows as they were.
        self.orders = RowOrders(table, max_features == n_features and self.n_levels == 1 and not (
            table.sparse or random_tests))
        impurity.plan_products(levels, max_features, random_tests, categories > 2 or (
            not table.sparse and np.any(table.has_missing)))
        self.slot_of = np.full(n_features if table.sparse else 1, -1, dtype=np.int32)
        self.local_of = np.full(table.n_rows if table.sparse else 1, -1, dtype=np.int32)
        self.bucket = np.zeros(max_features + 2, dtype=np.int64)
        self.order = self.entry_local = np.empty(0, dtype=np.int32)
        # n^2 / 2 inner products pay if a row is on enough listed sides, over the levels of its subtree.
        cdef float64_t listed = 0
        if table.sparse and impurity.width_f and not self.hands_down:
            listed = len(table.row_feature) / max(table.n_rows, 1) * max_features / n_features
        impurity.gram_limit = min(LARGEST_GRAM, <intp_t> (GRAM_ROWS_PER_ENTRY * listed))

    def __dealloc__(self):
        free(self.category_side)

    cdef int reserve(self, intp_t n, const int32_t[::1] rows) except -1:
        """Make room for nodes of up to n rows, all of them out of `rows`."""
        cdef intp_t i
        cdef int64_t entries = 0
        if n >= len(self.impurity.local_weight):
            n_tests = max(n + n // 8, self.table.n_features if self.together else 0)
            self.impurity.reserve(n + n // 8, n_tests + LANES)
        self.impurity.has_gram = False
        if self.hands_down:
            self.cooccurrence.clear()
            return 0
        if self.together:
            self.thresholds.reserve(n)
            return 0
        self.orders.reserve(n)
        if n >= len(self.order):
            self.reserve_rows(n + n // 8)  # bags differ a little
        if self.table.sparse:
            for i in range(n):
                entries += self.table.row_start[rows[i] + 1] - self.table.row_start[rows[i]]
        if entries >= len(self.entry_local):
            self.entry_local = np.empty(entries + entries // 8 + 1, dtype=np.int32)
            self.entry_code = np.empty(entries + entries // 8 + 1, dtype=np.int32)
        return 0

    cdef int reserve_rows(self, intp_t n) except -1:
        self.keys = np.empty(n + 16, dtype=np.uint64)
        self.other_keys = np.empty(n + 16, dtype=np.uint64)
        self.codes = np.empty(n + 1, dtype=np.int32)
        self.known_rows = np.empty(n + 1, dtype=np.int32)
        self.numbers = np.empty(n + 1)
        self.order = np.empty(n + 1, dtype=np.int32)
        self.start = np.empty(n + 3, dtype=np.int32)
        self.group_code = np.empty(n + 2, dtype=np.int32)
        self.missing_rows = np.empty(n + 1, dtype=np.int32)
        return 0

    cdef void find(self, const int32_t* rows, intp_t n, const float* weights, uint64_t stream,
                   uint64_t active) noexcept nogil:
        """Set best[k] for the levels k whose bit is set in `active`; the impurity has entered the node."""
        cdef intp_t slot, k, feature
        for k in range(self.n_levels):
            self.best[k].feature = -1
            self.best[k].h = 0
        if self.together:
            if self.hands_down:
                self.cooccurrence.hold(rows, n, weights)
                self.cooccurrence.judge()
            else:
                self.thresholds.judge(rows, n, stream)
            self.choose_together(stream, active)
            return
        self.sample_features(&stream)
        if self.table.sparse:
            self.bucket_entries(rows, n)
        for slot in range(self.max_features):
            feature = self.sampled[slot]
            if self.table.nominal[feature] and self.table.n_codes[feature] > 2:
                if self.order_rows(slot, rows, n):
                    self.collect_categories(feature)
                    if self.random_tests:
                        self.try_subset(feature, &stream, active)
                    else:
                        self.search_subsets(feature, active)
            elif self.random_tests:
                self.try_threshold(slot, rows, n, &stream, active)
            elif self.order_rows(slot, rows, n):
                self.search_thresholds(feature, active)
        if self.table.sparse:
            for slot in range(self.max_features):
                self.slot_of[self.sampled[slot]] = -1
        for k in range(self.n_levels):
            self.complete(&self.best[k])

    cdef void choose_together(self, uint64_t stream, uint64_t active) noexcept nogil:
        """Set best[k] where outcome f of the impurity belongs to the one test of feature f."""
        cdef intp_t k, f
        cdef float64_t low
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            f = self.choose(k, self.table.n_features, False)
            if f < 0:
                continue
            self.best[k].feature = f
            self.best[k].code = 0
            self.best[k].missing_right = 0
            self.best[k].subset = 0
            if not self.hands_down:
                self.best[k].threshold = self.thresholds.threshold[f]
                self.best[k].code = (
                    <int32_t> self.thresholds.threshold[f] if self.table.nominal[f] else MISSING)
            elif self.random_tests and not self.table.nominal[f]:
                low = self.table.value(f, 0)
                self.best[k].threshold = low + uniform_at(stream, f) * (self.table.value(f, 1) - low)
            self.complete(&self.best[k])

    cdef void complete(self, Split* split) noexcept nogil:
        """Fill in what the chosen test left open: its threshold (the largest value on the left) or code."""
        if split.feature < 0 or split.subset:
            return
        if self.random_tests:
            if split.code == MISSING:
                split.code = self.table.last_code_up_to(
                    split.feature, split.threshold, 0, self.table.n_codes[split.feature] - 1)
        else:
            split.threshold = (split.code if self.table.nominal[split.feature]
                               else self.table.value(split.feature, split.code))

    cdef void sample_features(self, uint64_t* stream) noexcept nogil:
        """Draw `max_features` of the features, without replacement (Floyd's algorithm, Bentley 1987)."""
        cdef intp_t n_features = self.table.n_features
        cdef intp_t count = self.max_features, i
        cdef uint64_t drawn
        if count == n_features:
            return  # all, in column order, for good
        for i in range(count):
            drawn = next_below(stream, n_features - count + i + 1)
            if self.marked[drawn]:
                drawn = n_features - count + i
            self.marked[drawn] = 1
            self.sampled[i] = <int32_t> drawn
        for i in range(count):
            self.marked[self.sampled[i]] = 0

    cdef void bucket_entries(self, const int32_t* rows, intp_t n) noexcept nogil:
        """Sparse: list the node's entries of every sampled feature, by whichever way visits fewer entries."""
        cdef intp_t i, slot, feature, row
        cdef int64_t e, by_rows = 0, by_columns = 0, at
        for slot in range(self.max_features):
            feature = self.sampled[slot]
            self.slot_of[feature] = <int32_t> slot
            by_columns += self.table.column_start[feature + 1] - self.table.column_start[feature]
        for i in range(n):
            by_rows += self.table.row_start[rows[i] + 1] - self.table.row_start[rows[i]]
        if by_columns < by_rows:
            for i in range(n):
                self.local_of[rows[i]] = <int32_t> i
            at = 0
            for slot in range(self.max_features):
                feature = self.sampled[slot]
                self.bucket[slot] = at
                for e in range(self.table.column_start[feature], self.table.column_start[feature + 1]):
                    row = self.table.column_row[e]
                    if self.local_of[row] >= 0:
                        self.entry_local[at] = self.local_of[row]
                        self.entry_code[at] = self.table.column_code[e]
                        at += 1
            self.bucket[self.max_features] = at
            for i in range(n):
                self.local_of[rows[i]] = -1
            return
        memset(&self.bucket[0], 0, (self.max_features + 2) * sizeof(int64_t))
        for i in range(n):
            row = rows[i]
            for e in range(self.table.row_start[row], self.table.row_start[row + 1]):
                slot = self.slot_of[self.table.row_feature[e]]
                if slot >= 0:
                    self.bucket[slot + 2] += 1
        for slot in range(2, self.max_features + 2):
            self.bucket[slot] += self.bucket[slot - 1]
        for i in range(n):
            row = rows[i]
            for e in range(self.table.row_start[row], self.table.row_start[row + 1]):
                slot = self.slot_of[self.table.row_feature[e]]
                if slot >= 0:
                    at = self.bucket[slot + 1]
                    self.entry_local[at] = <int32_t> i
                    self.entry_code[at] = self.table.row_code[e]
                    self.bucket[slot + 1] = at + 1

    cdef bint order_rows(self, intp_t slot, const int32_t* rows, intp_t n) noexcept nogil:
        """Order the node's rows by a feature into groups; False if it is constant here."""
        cdef intp_t feature = self.sampled[slot], g, listed
        cdef int32_t default
        cdef int32_t[2] ends
        cdef int64_t e
        self.n_missing = 0
        if self.has_orders and self.orders.kept[feature]:
            return self.take_order(self.orders.of(feature, self.first_row), n)
        if not self.table.sparse:
            listed = self.gather_codes(feature, rows, n, ends)
            if ends[0] >= ends[1]:
                return False
            self.n_groups = sslrank_order_rows(
                &self.codes[0], &self.known_rows[0] if self.n_missing else NULL, listed, ends[0], ends[1],
                &self.keys[0], &self.other_keys[0], &self.counters[0], &self.order[0], &self.start[0],
                &self.group_code[0], &self.pivot)
            if self.n_missing:
                self.impurity.set_missing(&self.missing_rows[0], self.n_missing)
            return True
        e = self.bucket[slot]
        listed = self.bucket[slot + 1] - e
        if listed == 0:
            return False
        self.code_range(&self.entry_code[e], listed, ends)
        self.n_groups = sslrank_order_rows(
            &self.entry_code[e], &self.entry_local[e], listed, ends[0], ends[1], &self.keys[0],
            &self.other_keys[0], &self.counters[0], &self.order[0], &self.start[0], &self.group_code[0],
            &self.pivot)
        if listed < n:  # the unlisted rows form a group without entries, at the place of its code
            default = self.table.default_code[feature]
            g = self.n_groups
            self.start[g + 1] = self.start[g]
            while g > 0 and self.group_code[g - 1] > default:
                self.group_code[g] = self.group_code[g - 1]
                self.start[g] = self.start[g - 1]
                g -= 1
            self.group_code[g] = default
            self.n_groups += 1
            self.pivot = g
        return self.n_groups > 1

    cdef bint take_order(self, const unsigned int* sorted, intp_t n) noexcept nogil:
        """`order_rows` with keys that are sorted."""
        if sorted[0] >> 16 == sorted[n - 1] >> 16:
            return False
        self.n_groups = sslrank_ordered_rows(sorted, n, &self.order[0], &self.start[0], &self.group_code[0],
                                             &self.pivot)
        return True

    cdef intp_t gather_codes(self, intp_t feature, const int32_t* rows, intp_t n,
                             int32_t* ends) noexcept nogil:
        """Dense: codes of the node's rows with a known value, their number, and the extreme codes."""
        cdef const int32_t* column = &self.table.codes[feature, 0]
        cdef int32_t* codes = &self.codes[0]
        cdef intp_t i, listed
        sslrank_gather_codes(column, rows, n, codes, ends)
        if n == 0 or ends[0] != MISSING:
            return n
        listed = 0
        for i in range(n):
            if codes[i] == MISSING:
                self.missing_rows[self.n_missing] = <int32_t> i
                self.n_missing += 1
            else:
                self.known_rows[listed] = <int32_t> i
                codes[listed] = codes[i]
                listed += 1
        self.code_range(codes, listed, ends)
        return listed

    cdef void code_range(self, const int32_t* codes, intp_t n, int32_t* ends) noexcept nogil:
        sslrank_code_range(codes, n, ends)

    cdef void search_thresholds(self, intp_t feature, uint64_t active) noexcept nogil:
        """All tests x > t on the ordered rows."""
        cdef intp_t above = self.n_groups - 1 - self.pivot, below = self.pivot
        cdef intp_t missing_right
        for missing_right in range(2 if self.n_missing else 1):
            if above:
                self.impurity.scan(&self.order[0], &self.start[0], self.n_groups - 1, -1, above,
                                   self.n_missing and missing_right)
                self.judge_scan(feature, above, self.n_groups - 2, -1, missing_right, active)
            if below:
                self.impurity.scan(&self.order[0], &self.start[0], 0, 1, below,
                                   self.n_missing and not missing_right)
                self.judge_scan(feature, below, 0, 1, missing_right, active)

    cdef void judge_scan(self, intp_t feature, intp_t n, intp_t first, intp_t step, uint8_t missing_right,
                         uint64_t active) noexcept nogil:
        """Compare the n scanned tests, from the highest threshold down; test b: group first + b * step."""
        cdef intp_t b, k
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            b = self.choose(k, n, step > 0)
            if b >= 0:
                self.best[k].code = self.group_code[first + b * step]
                self.best[k].feature = feature
                self.best[k].missing_right = missing_right
                self.best[k].subset = 0

    cdef intp_t choose(self, intp_t level, intp_t n, bint backwards) noexcept nogil:
        """Which of the first n outcomes of the impurity replaces the best test, -1 for none; sets its h."""
        return sslrank_choose(n, self.level_features[level], self.level_targets[level],
                              self.impurity.node.weight, self.min_leaf, &self.impurity.side_weight[0],
                              &self.impurity.gain_f[0], &self.impurity.gain_t[0], backwards, TIE,
                              SMALLEST_GAIN * self.impurity.node.weight, &self.best[level].h)

    cdef float64_t scanned_h(self, intp_t level, intp_t b) noexcept nogil:
        return (self.level_features[level] * self.impurity.gain_f[b]
                + self.level_targets[level] * self.impurity.gain_t[b])

    cdef void try_threshold(self, intp_t slot, const int32_t* rows, intp_t n, uint64_t* stream,
                            uint64_t active) noexcept nogil:
        """One test x > t with a random t."""
        cdef intp_t feature = self.sampled[slot], i, listed, side = 0, missing_right
        cdef int32_t cut, default = -1
        cdef int32_t[2] ends
        cdef const int32_t* codes = &self.codes[0]
        cdef const int32_t* local = NULL
        cdef float64_t u = next_uniform(stream), threshold
        cdef bint list_right
        self.n_missing = 0
        if not self.table.sparse and not self.table.nominal[feature]:
            if self.try_number(feature, rows, n, u, active):
                return
        if self.table.sparse:
            listed = self.bucket[slot + 1] - self.bucket[slot]
            if listed == 0:
                return
            codes = &self.entry_code[self.bucket[slot]]
            local = &self.entry_local[self.bucket[slot]]
            self.code_range(codes, listed, ends)
            if listed < n:
                default = self.table.default_code[feature]
                ends[0] = min(ends[0], default)
                ends[1] = max(ends[1], default)
        else:
            listed = self.gather_codes(feature, rows, n, ends)
            if self.n_missing:
                local = &self.known_rows[0]
        if ends[0] >= ends[1]:
            return
        if self.table.nominal[feature]:
            cut = ends[0]
            threshold = cut
        else:
            threshold = self.table.value(feature, ends[0])
            threshold += u * (self.table.value(feature, ends[1]) - threshold)
            cut = self.table.last_code_up_to(feature, threshold, ends[0], ends[1] - 1)
        # List the smaller side; in sparse form the one without the unlisted rows. No branches: which side a
        # row is on cannot be predicted.
        if self.table.sparse and listed < n:
            list_right = default <= cut
        else:
            for i in range(listed):
                side += codes[i] > cut
            list_right = 2 * side <= listed
            side = 0
        for i in range(listed):
            self.order[side] = <int32_t> i
            side += (codes[i] > cut) == list_right
        if local != NULL:
            for i in range(side):
                self.order[i] = local[self.order[i]]
        if self.n_missing:
            self.impurity.set_missing(&self.missing_rows[0], self.n_missing)
        self.start[0] = 0
        self.start[1] = <int32_t> side
        for missing_right in range(2 if self.n_missing else 1):
            self.impurity.scan(&self.order[0], &self.start[0], 0, 1, 1,
                               self.n_missing and (missing_right == list_right))
            self.judge_one(feature, cut, threshold, missing_right, active)

    cdef bint try_number(self, intp_t feature, const int32_t* rows, intp_t n, float64_t u,
                         uint64_t active) noexcept nogil:
        """`try_threshold` on the values themselves, which need no search for the threshold's code.

        Rows of values are read across features, so they stay in the cache. False if a value may be missing.
        """
        cdef float64_t low, high, threshold
        cdef intp_t side
        cdef int32_t* listed = &self.order[0]
        if self.table.has_missing[feature]:
            return False
        sslrank_gather_numbers(&self.table.numbers[0, feature], self.table.n_features, rows, n,
                               &self.numbers[0], &low, &high)
        if low >= high:
            return True
        threshold = low + u * (high - low)
        if threshold >= high:  # rounding, with neighbouring numbers
            threshold = low
        side = sslrank_part_numbers(&self.numbers[0], n, threshold, &self.order[0], &self.known_rows[0])
        if 2 * side > n:  # the smaller side is enough
            listed = &self.known_rows[0]
            side = n - side
        self.start[0] = 0
        self.start[1] = <int32_t> side
        self.impurity.scan(listed, &self.start[0], 0, 1, 1, False)
        self.judge_one(feature, MISSING, threshold, 0, active)
        return True

    cdef void judge_one(self, intp_t feature, int32_t cut, float64_t threshold, uint8_t missing_right,
                        uint64_t active) noexcept nogil:
        """Compare the one scanned test; `cut` is MISSING if the threshold's code is not known yet."""
        cdef intp_t k
        cdef float64_t h
        if not self.allowed(self.impurity.side_weight[0]):
            return
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            h = self.scanned_h(k, 0)
            if self.better(k, h):
                self.best[k].h = h
                self.best[k].feature = feature
                self.best[k].code = cut
                self.best[k].threshold = threshold
                self.best[k].missing_right = missing_right
                self.best[k].subset = 0

    cdef void collect_categories(self, intp_t feature) noexcept nogil:
        """Sums of the node's rows by category, one per group."""
        cdef intp_t g, i
        cdef Side side
        for g in range(self.n_groups):
            memset(&self.category_sum[g, 0], 0, self.impurity.width * sizeof(float))
            sslrank_add_rows(&self.impurity.centered[0], self.impurity.width, self.impurity.width,
                             &self.order[self.start[g]], self.start[g + 1] - self.start[g],
                             &self.category_sum[g, 0])
            side.weight = side.labeled = side.squares = 0
            for i in range(self.start[g], self.start[g + 1]):
                side.weight += self.impurity.local_weight[self.order[i]]
                side.labeled += self.impurity.local_labeled[self.order[i]]
                side.squares += self.impurity.local_squares[self.order[i]]
            self.category_side[g] = side

    cdef void search_subsets(self, intp_t feature, uint64_t active) noexcept nogil:
        """Greedy tests x in A, for each level on its own."""
        cdef intp_t k, missing_right
        for missing_right in range(2 if self.n_missing else 1):
            for k in range(self.n_levels):
                if (active >> k) & 1:
                    self.grow_subset(feature, k, missing_right)

    cdef void grow_subset(self, intp_t feature, intp_t level, uint8_t missing_right) noexcept nogil:
        cdef intp_t g, best_g, taken = 0, width = self.impurity.width, v
        cdef float* total = &self.category_sum[self.n_groups, 0]
        cdef Side side, candidate
        cdef float64_t h, best_h = 0, step_h
        if missing_right:
            memcpy(total, &self.impurity.missing_sum[0], width * sizeof(float))
            side = self.impurity.missing
        else:
            memset(total, 0, width * sizeof(float))
            side.weight = side.labeled = side.squares = 0
        # keys[g] = 1 once category group g is in A
        for g in range(self.n_groups):
            self.keys[g] = 0
        while taken < self.n_groups - 1:
            best_g = -1
            step_h = best_h
            for g in range(self.n_groups):
                if self.keys[g]:
                    continue
                candidate.weight = side.weight + self.category_side[g].weight
                candidate.labeled = side.labeled + self.category_side[g].labeled
                candidate.squares = side.squares + self.category_side[g].squares
                if not self.allowed(candidate.weight):
                    continue
                h = self.level_h(level, self.impurity.sum_gain(total, &self.category_sum[g, 0], &candidate))
                if h > step_h * (1 + TIE) and h > SMALLEST_GAIN * self.impurity.node.weight:
                    step_h = h
                    best_g = g
            if best_g < 0:
                break
            best_h = step_h
            self.keys[best_g] = 1
            taken += 1
            sslrank_add_vector(&self.category_sum[best_g, 0], total, width)
            side.weight += self.category_side[best_g].weight
            side.labeled += self.category_side[best_g].labeled
            side.squares += self.category_side[best_g].squares
        if taken and self.better(level, best_h):
            self.best[level].h = best_h
            self.best[level].feature = feature
            self.best[level].code = 0
            self.best[level].threshold = 0
            self.best[level].missing_right = missing_right
            self.best[level].subset = 1
            memset(&self.best_subset[level, 0], 0, self.n_words * sizeof(uint64_t))
            for g in range(self.n_groups):
                if self.keys[g]:
                    v = self.group_code[g]
                    self.best_subset[level, v >> 6] |= <uint64_t> 1 << (v & 63)

    cdef void try_subset(self, intp_t feature, uint64_t* stream, uint64_t active) noexcept nogil:
        """One test x in A; every category that occurs is in A with probability 1/2, at most ten tries."""
        cdef intp_t g, _attempt, taken = 0, k, missing_right, v, width = self.impurity.width
        cdef float* total = &self.category_sum[self.n_groups, 0]
        cdef uint64_t bits = 0
        cdef Side side, with_missing
        cdef Gain gain
        cdef float64_t h
        for _attempt in range(10):
            taken = 0
            for g in range(self.n_groups):
                if g % 64 == 0:
                    bits = next_uint64(stream)
                self.keys[g] = (bits >> (g & 63)) & 1
                taken += <intp_t> self.keys[g]
            if 0 < taken < self.n_groups:
                break
        if taken == 0 or taken == self.n_groups:
            return
        memset(total, 0, width * sizeof(float))
        side.weight = side.labeled = side.squares = 0
        for g in range(self.n_groups):
            if self.keys[g]:
                sslrank_add_vector(&self.category_sum[g, 0], total, width)
                side.weight += self.category_side[g].weight
                side.labeled += self.category_side[g].labeled
                side.squares += self.category_side[g].squares
        for missing_right in range(2 if self.n_missing else 1):
            with_missing = side
            if missing_right:
                with_missing.weight += self.impurity.missing.weight
                with_missing.labeled += self.impurity.missing.labeled
                with_missing.squares += self.impurity.missing.squares
            if not self.allowed(with_missing.weight):
                continue
            gain = self.impurity.sum_gain(
                total, &self.impurity.missing_sum[0] if missing_right else NULL, &with_missing)
            for k in range(self.n_levels):
                if (active >> k) & 1:
                    h = self.level_h(k, gain)
                    if self.better(k, h):
                        self.best[k].h = h
                        self.best[k].feature = feature
                        self.best[k].code = 0
                        self.best[k].threshold = 0
                        self.best[k].missing_right = missing_right
                        self.best[k].subset = 1
                        memset(&self.best_subset[k, 0], 0, self.n_words * sizeof(uint64_t))
                        for g in range(self.n_groups):
                            if self.keys[g]:
                                v = self.group_code[g]
                                self.best_subset[k, v >> 6] |= <uint64_t> 1 << (v & 63)

    cdef bint goes_right(self, const Split* split, const uint64_t* subset, intp_t row) noexcept nogil:
        cdef int32_t code = self.table.code(split.feature, row)
        if code == MISSING:
            return split.missing_right
        if split.subset:
            return (subset[code >> 6] >> (code & 63)) & 1
        return code > split.code

    cdef bint better(self, intp_t level, float64_t h) noexcept nogil:
        return h > self.best[level].h * (1 + TIE) and h > SMALLEST_GAIN * self.impurity.node.weight

    cdef float64_t level_h(self, intp_t level, Gain gain) noexcept nogil:
        return self.level_features[level] * gain.features + self.level_targets[level] * gain.targets

    cdef bint allowed(self, float64_t weight) noexcept nogil:
        """Whether a branch of this weight and the rest of the node are both heavy enough."""
        return weight >= self.min_leaf and self.impurity.node.weight - weight >= self.min_leaf
