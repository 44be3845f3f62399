"""Alg. 2 of paper ssl-ranking: the best test of a node, or the best of one random test per feature."""

from sslrank._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._cooccurrence cimport Cooccurrence
from sslrank.rankers.trees._impurity cimport Gain, Impurity, Side
from sslrank.rankers.trees._orders cimport RowOrders
from sslrank.rankers.trees._table cimport FeatureTable
from sslrank.rankers.trees._thresholds cimport RandomThresholds

# Levels of supervision that one search can serve.
cdef enum:
    MAX_LEVELS = 16


cdef struct Split:
    # Rows with a larger code (numeric) or a category of the subset (nominal) go right, others left.
    intp_t feature          # -1: no test improves the node
    int32_t code
    float64_t threshold     # numeric: right if value > threshold
    uint8_t missing_right   # where the rows without the tested value go
    uint8_t subset          # whether `Search.subset_of` holds the categories
    float64_t h             # decrease of impurity, as found in float32


cdef class Search:
    cdef readonly FeatureTable table
    cdef readonly Impurity impurity
    cdef readonly intp_t max_features
    cdef readonly bint random_tests
    cdef readonly float64_t min_leaf

    # Levels of supervision served at once; best[k] belongs to level k.
    cdef intp_t n_levels
    cdef float64_t[::1] level_features            # 1 - w, or 0 without such columns
    cdef float64_t[::1] level_targets             # w
    cdef Split[MAX_LEVELS] best
    cdef intp_t n_words                           # 64-bit words of a category subset
    cdef uint64_t[:, ::1] best_subset             # best_subset[k]: categories that go right

    # The sampled features of the node
    cdef int32_t[::1] sampled
    cdef uint8_t[::1] marked

    # Rows of the node ordered by the tested feature. Group g holds the local rows order[start[g]:start[g +
    # 1]], which share the code group_code[g]; codes ascend. The rows of the group `pivot` are not needed by
    # any scan: tests above it are summed from the right, tests below it from the left. In sparse form they
    # are not listed.
    cdef uint64_t[::1] keys
    cdef uint64_t[::1] other_keys
    cdef int32_t[::1] counters
    cdef int32_t[::1] codes                       # of the rows with a known value, and those rows if not all
    cdef int32_t[::1] known_rows
    cdef float64_t[::1] numbers                   # values of the node's rows, for random thresholds
    cdef int32_t[::1] order
    cdef int32_t[::1] start
    cdef int32_t[::1] group_code
    cdef int32_t[::1] missing_rows
    cdef intp_t n_groups
    cdef intp_t pivot
    cdef intp_t n_missing

    # Orders that were made for a node above, or for this one, and the first row of this one
    cdef RowOrders orders
    cdef bint has_orders
    cdef intp_t first_row

    # Sparse: entries of the node's rows, bucketed by sampled feature
    cdef int32_t[::1] slot_of                     # feature -> position in `sampled`, -1 if not sampled
    cdef int32_t[::1] local_of                    # row -> local row, -1 outside the node
    cdef int64_t[::1] bucket
    cdef int32_t[::1] entry_local
    cdef int32_t[::1] entry_code

    # Whether each feature has one test and those of a node are judged together, and by what
    cdef bint together
    cdef bint hands_down                          # sums are kept: search large branches first
    cdef Cooccurrence cooccurrence
    cdef RandomThresholds thresholds

    # Nominal: sums of the rows by category
    cdef float[:, ::1] category_sum
    cdef Side* category_side

    cdef int reserve(self, intp_t n, const int32_t[::1] rows) except -1
    cdef int reserve_rows(self, intp_t n) except -1
    cdef void find(self, const int32_t* rows, intp_t n, const float* weights, uint64_t stream,
                   uint64_t active) noexcept nogil
    cdef void choose_together(self, uint64_t stream, uint64_t active) noexcept nogil
    cdef bint goes_right(self, const Split* split, const uint64_t* subset, intp_t row) noexcept nogil

    cdef void complete(self, Split* split) noexcept nogil
    cdef void sample_features(self, uint64_t* stream) noexcept nogil
    cdef void bucket_entries(self, const int32_t* rows, intp_t n) noexcept nogil
    cdef bint order_rows(self, intp_t slot, const int32_t* rows, intp_t n) noexcept nogil
    cdef bint take_order(self, const unsigned int* sorted, intp_t n) noexcept nogil
    cdef intp_t gather_codes(self, intp_t feature, const int32_t* rows, intp_t n,
                             int32_t* ends) noexcept nogil
    cdef void code_range(self, const int32_t* codes, intp_t n, int32_t* ends) noexcept nogil
    cdef intp_t choose(self, intp_t level, intp_t n, bint backwards) noexcept nogil
    cdef float64_t scanned_h(self, intp_t level, intp_t b) noexcept nogil
    cdef void search_thresholds(self, intp_t feature, uint64_t active) noexcept nogil
    cdef void judge_scan(self, intp_t feature, intp_t n, intp_t first, intp_t step, uint8_t missing_right,
                         uint64_t active) noexcept nogil
    cdef void try_threshold(self, intp_t slot, const int32_t* rows, intp_t n, uint64_t* stream,
                            uint64_t active) noexcept nogil
    cdef bint try_number(self, intp_t feature, const int32_t* rows, intp_t n, float64_t u,
                         uint64_t active) noexcept nogil
    cdef void judge_one(self, intp_t feature, int32_t cut, float64_t threshold, uint8_t missing_right,
                        uint64_t active) noexcept nogil
    cdef void collect_categories(self, intp_t feature) noexcept nogil
    cdef void search_subsets(self, intp_t feature, uint64_t active) noexcept nogil
    cdef void grow_subset(self, intp_t feature, intp_t level, uint8_t missing_right) noexcept nogil
    cdef void try_subset(self, intp_t feature, uint64_t* stream, uint64_t active) noexcept nogil
    cdef bint better(self, intp_t level, float64_t h) noexcept nogil
    cdef float64_t level_h(self, intp_t level, Gain gain) noexcept nogil
    cdef bint allowed(self, float64_t weight) noexcept nogil
