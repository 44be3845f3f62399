"""Alg. 2 of paper ssl-ranking: the best test of a node. One class for each way to find it, one interface."""

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._criterion cimport Criterion, Gain, Side
from sslrank.rankers.trees._node_rows cimport DenseRows, NodeRows
from sslrank.rankers.trees._partitioner cimport Partitioner, Split
from sslrank.rankers.trees._table cimport FeatureTable

# Levels of supervision that one search can serve.
cdef enum:
    MAX_LEVELS = 16

# Relative difference of h below which two tests are equally good.
cdef float64_t TIE
# A test must lower the impurity by more than this per row.
cdef float64_t SMALLEST_GAIN


# What was made for a node and serves the nodes below it; only who made it looks inside.
cdef struct Cache:
    int32_t rows
    uint8_t orders


cdef class Tests:
    cdef readonly FeatureTable table
    cdef readonly NodeRows rows
    cdef DenseRows dense                          # the same, unless they are sparse
    cdef readonly Criterion criterion
    cdef readonly Partitioner partitioner
    cdef readonly intp_t max_features
    cdef readonly float64_t min_leaf
    cdef readonly bint has_missing                # values of features
    cdef readonly bint sorts                      # lists or orders rows by feature
    cdef readonly bint large_first                # sums are kept: search large branches first

    # Levels of supervision served at once; best[k] belongs to level k.
    cdef readonly intp_t n_levels
    cdef float64_t[::1] level_features            # 1 - w
    cdef float64_t[::1] level_targets             # w
    cdef Split[MAX_LEVELS] best
    cdef readonly intp_t n_words                  # 64-bit words of a category subset
    cdef uint64_t[:, ::1] best_subset             # best_subset[k]: categories that go right

    # The sampled features of the node
    cdef int32_t[::1] sampled
    cdef uint8_t[::1] marked

    cdef int reserve(self, intp_t n, const int32_t[::1] bag) except -1
    cdef Cache enter(self, const int32_t* rows, intp_t first_row, intp_t n, const float32_t* weights,
                     const float64_t* sums, const Side* side, Cache cache) noexcept nogil
    cdef void find(self, uint64_t stream, uint64_t active) noexcept nogil
    cdef void search(self, uint64_t stream, uint64_t active) noexcept nogil
    cdef void complete(self, intp_t level, uint64_t stream) noexcept nogil
    cdef void sample_features(self, uint64_t* stream) noexcept nogil
    cdef bint same_test(self, intp_t k, intp_t j) noexcept nogil

    cdef intp_t choose(self, intp_t level, intp_t at, intp_t n, bint backwards) noexcept nogil
    cdef void judge_one(self, intp_t b, intp_t feature, int32_t cut, float64_t threshold,
                        uint8_t missing_right, const uint64_t* subset, uint64_t active) noexcept nogil
    cdef bint better(self, intp_t level, float64_t h) noexcept nogil
    cdef float64_t level_h(self, intp_t level, Gain gain) noexcept nogil
    cdef bint allowed(self, float64_t weight) noexcept nogil


cdef intp_t most_categories(FeatureTable table) except -1
