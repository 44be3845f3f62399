"""The best test of a node: what all ways to find it have in common, see _tests.pxd.

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

from libc.string cimport memcpy

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._criterion cimport Gain, Side
from sslrank.rankers.trees._gapped_rows cimport TOGETHER
from sslrank.rankers.trees._node_rows cimport DenseRows, NodeRows
from sslrank.rankers.trees._partitioner cimport Partitioner
from sslrank.rankers.trees._random cimport next_below


cdef extern from "_choice.h" nogil:
    intp_t sslrank_choose(intp_t n, double f, double t, double weight, double least,
                          const double* side_weight, const double* gain_f, const double* gain_t,
                          bint backwards, double tie, double smallest, double* best)

# Relative difference of h below which two tests are equally good.
cdef float64_t TIE = 3e-6
# A test must lower the impurity by more than this per row; the impurity of all training rows is about 1.
# It is what float32 can tell from nothing.
cdef float64_t SMALLEST_GAIN = 1e-6

# Room that whole vectors need behind the last number.
cdef intp_t LANES = 16


cdef class Tests:
    """A way to find the best test of a node, with the work space of one thread.

    Parameters
    ----------
    rows : NodeRows
    partitioner : Partitioner
    max_features : int
        Features drawn at each node, without replacement, constant ones included.
    min_leaf : float
        Smallest weight of a branch.
    levels : sequence of float
        Levels of supervision w, at most 16.
    """

    def __init__(self, NodeRows rows, Partitioner partitioner, intp_t max_features, float64_t min_leaf, levels):
        table = partitioner.table
        self.table = table
        self.rows = rows
        self.dense = rows if isinstance(rows, DenseRows) else None
        self.criterion = rows.criterion
        self.partitioner = partitioner
        self.max_features = max_features
        self.min_leaf = min_leaf
        self.n_levels = len(levels)
        if not 1 <= self.n_levels <= MAX_LEVELS:
            raise ValueError(f"between 1 and {MAX_LEVELS} levels of supervision, got {self.n_levels}")
        self.level_targets = np.array(levels, dtype=np.float64)
        self.level_features = 1 - np.array(levels, dtype=np.float64)
        self.sampled = np.arange(table.n_features, dtype=np.int32)[:max_features].copy()
        self.marked = np.zeros(table.n_features, dtype=np.uint8)
        self.n_words = max(1, (most_categories(table) + 63) // 64)
        self.best_subset = np.zeros((self.n_levels, self.n_words), dtype=np.uint64)
        self.sorts = True
        self.has_missing = not table.sparse and np.any(table.has_missing)

    cdef int reserve(self, intp_t n, const int32_t[::1] bag) except -1:
        """Make room for nodes of up to n rows, all of them out of `bag`."""
        if n >= len(self.rows.local_weight):
            self.rows.reserve(n + n // 8)  # bags differ a little
            together = TOGETHER if self.criterion.n_ragged else 1
            self.criterion.reserve((max(n + n // 8, self.table.n_features) + LANES) * together,
                                   self.has_missing or self.criterion.n_ragged > 0)
        self.partitioner.reserve(n, bag, self.sorts)
        return 0

    cdef Cache enter(self, const int32_t* rows, intp_t first_row, intp_t n, const float32_t* weights,
                     const float64_t* sums, const Side* side, Cache cache) noexcept nogil:
        """Prepare the search of a node; returns what serves the nodes below."""
        cache.rows = self.rows.enter(rows, n, weights, sums, side, cache.rows)
        cache.orders = self.partitioner.enter(rows, first_row, n, cache.orders)
        return cache

    cdef void find(self, uint64_t stream, uint64_t active) noexcept nogil:
        """Set best[k] for the levels k whose bit is set in `active`, in the node entered last."""
        cdef intp_t k
        for k in range(self.n_levels):
            self.best[k].feature = -1
            self.best[k].h = 0
        self.search(stream, active)
        for k in range(self.n_levels):
            if self.best[k].feature >= 0 and not self.best[k].subset:
                self.complete(k, stream)

    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil:
        """Try the tests of the node."""
        pass

    cdef void complete(self, intp_t level, uint64_t stream) noexcept nogil:
        """Fill in what the chosen test x > t left open: its threshold or the code of that."""
        pass

    cdef void sample_features(self, uint64_t* stream) noexcept nogil:
        """Draw `max_features` of the features, without replacement (Floyd's algorithm, Bentley 1987)."""
        cdef intp_t n_features = self.table.n_features
        cdef intp_t count = self.max_features, i
        cdef uint64_t drawn
        if count == n_features:
            return  # all, in column order, for good
        # Invariant: sampled[:i] is a uniform sample of the features below n_features - count + i, all marked.
        for i in range(count):
            drawn = next_below(stream, n_features - count + i + 1)
            if self.marked[drawn]:
                drawn = n_features - count + i
            self.marked[drawn] = 1
            self.sampled[i] = <int32_t> drawn
        for i in range(count):
            self.marked[self.sampled[i]] = 0

    cdef bint same_test(self, intp_t k, intp_t j) noexcept nogil:
        """Tell whether levels k and j chose the same test."""
        cdef intp_t i
        if (self.best[k].feature != self.best[j].feature or self.best[k].code != self.best[j].code
                or self.best[k].missing_right != self.best[j].missing_right
                or self.best[k].subset != self.best[j].subset):
            return False
        if self.best[k].subset:
            for i in range(self.n_words):
                if self.best_subset[k, i] != self.best_subset[j, i]:
                    return False
        return True

    cdef intp_t choose(self, intp_t level, intp_t at, intp_t n, bint backwards) noexcept nogil:
        """Return which of the n outcomes from `at` on replaces the best test of a level, -1 for none; set its h."""
        return sslrank_choose(n, self.level_features[level], self.level_targets[level],
                              self.criterion.node.weight, self.min_leaf, &self.criterion.side_weight[at],
                              &self.criterion.gain_f[at], &self.criterion.gain_t[at], backwards, TIE,
                              SMALLEST_GAIN * self.criterion.node.weight, &self.best[level].h)

    cdef void judge_one(self, intp_t b, intp_t feature, int32_t cut, float64_t threshold,
                        uint8_t missing_right, const uint64_t* subset, uint64_t active) noexcept nogil:
        """Judge outcome b: the test x in `subset`, or x > t if it is NULL. A `cut` of MISSING is filled in later."""
        cdef intp_t k
        cdef float64_t h
        if not self.allowed(self.criterion.side_weight[b]):
            return
        for k in range(self.n_levels):
            if not (active >> k) & 1:
                continue
            h = (self.level_features[k] * self.criterion.gain_f[b]
                 + self.level_targets[k] * self.criterion.gain_t[b])
            if self.better(k, h):
                self.best[k].h = h
                self.best[k].feature = feature
                self.best[k].code = cut
                self.best[k].threshold = threshold
                self.best[k].missing_right = missing_right
                self.best[k].subset = subset != NULL
                if subset != NULL:
                    memcpy(&self.best_subset[k, 0], subset, self.n_words * sizeof(uint64_t))

    cdef bint better(self, intp_t level, float64_t h) noexcept nogil:
        return h > self.best[level].h * (1 + TIE) and h > SMALLEST_GAIN * self.criterion.node.weight

    cdef float64_t level_h(self, intp_t level, Gain gain) noexcept nogil:
        return self.level_features[level] * gain.features + self.level_targets[level] * gain.targets

    cdef bint allowed(self, float64_t weight) noexcept nogil:
        """Tell whether both branches reach the minimum weight of a leaf."""
        return weight >= self.min_leaf and self.criterion.node.weight - weight >= self.min_leaf


cdef intp_t most_categories(FeatureTable table) except -1:
    """Largest number of categories of a nominal feature, 0 without one."""
    return int(np.max(np.asarray(table.n_codes) * np.asarray(table.nominal), initial=0))
