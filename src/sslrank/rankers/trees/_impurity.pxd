"""Eq. (1) of paper ssl-ranking on the rows of a node: sums, centred rows, and the decrease made by a test."""

from sslrank._typedefs cimport float32_t, float64_t, int32_t, int64_t, intp_t, uint8_t
from sslrank.rankers.trees._products cimport RowProducts

# One side of a test, as far as scalars go. All weights count bag multiplicities.
cdef struct Side:
    float64_t weight        # of all rows
    float64_t labeled       # of the labelled rows
    float64_t squares       # sum of weight * |target row - node mean|^2 over the labelled rows


# The decrease h of a test before supervision weighs its two parts: h = (1 - w) * features + w * targets.
cdef struct Gain:
    float64_t features
    float64_t targets


cdef class Impurity:
    # Clustering rows Z. Columns are centred on the training mean and scaled by sqrt(weight / (count *
    # variance)), so that a sum of variances over columns is the normalised impurity of Eq. (1). They come in
    # three blocks:
    #   features:  columns known in every row;
    #   targets:   columns known in the labelled rows exactly;
    #   ragged:    columns with missing values of their own, feature columns first. These carry flags of the
    # known. Unknown entries are 0. Every block is padded with zero columns to a multiple of 16.
    cdef readonly intp_t n_rows
    cdef readonly intp_t width_f
    cdef readonly intp_t width_t
    cdef readonly intp_t n_targets                # target columns before the padding
    cdef readonly intp_t n_ragged
    cdef readonly intp_t n_ragged_f               # ragged columns before this one are features
    cdef readonly intp_t stride                   # of Z: width_f + width_t + 2 * n_ragged
    cdef readonly intp_t width                    # of a centred row: width_f + width_t + 3 * n_ragged
    cdef readonly intp_t n_sums                   # length of a node's sums, see `add_row`
    cdef readonly bint sparse
    cdef const float32_t[::1] z                   # dense rows
    cdef const int64_t[::1] z_start               # sparse rows: entries (column, value)
    cdef const int32_t[::1] z_column
    cdef const float32_t[::1] z_value
    cdef const int64_t[::1] z_targets             # where the target entries of a row begin
    cdef readonly object entry_value              # clustering value of the entries of each two-valued feature
    cdef const uint8_t[::1] labeled

    # target_scale: "all" weighs a branch's mean target impurity by all its rows, "known" by its labelled rows
    # times target_factor = N / N_labelled.
    cdef readonly bint scale_all
    cdef readonly float64_t target_factor
    cdef readonly bint parent_estimate            # "known": an unlabelled branch costs the parent's impurity
    cdef float32_t[::1] ragged_factor
    cdef float32_t[::1] ragged_estimate

    # The node that is being searched: its rows are numbered 0..n_node - 1 ("local").
    cdef intp_t n_node
    cdef Side node
    cdef const int32_t* node_rows
    cdef float32_t[::1] centered                  # local row i: centered[i * width:(i + 1) * width]
    cdef float32_t[::1] local_weight
    cdef float32_t[::1] local_labeled             # weight if labelled, else 0
    cdef float32_t[::1] local_squares
    cdef float32_t[::1] mean
    cdef float32_t[::1] ragged_known              # per ragged column: weight of known rows, sum of squares
    cdef float32_t[::1] ragged_squares
    cdef float32_t[::1] ragged_variance           # their quotient
    cdef float64_t features_norm                  # sparse: squared norms of the node's sums
    cdef float64_t targets_norm
    cdef float64_t[::1] mean_dot_f                # sparse: weighted local row times node mean, by block
    cdef float64_t[::1] mean_dot_t

    # Sparse: inner products between the feature blocks of the rows of a subtree, see _gram.h.
    cdef intp_t gram_limit                        # largest number of such rows
    cdef bint has_gram                            # whether the node's rows are among them
    cdef intp_t n_gram
    cdef int32_t[::1] place_of                    # row -> its place in the matrix
    cdef int32_t[::1] local_place
    cdef float32_t[::1] gram                      # (n_gram, n_gram)
    cdef int32_t[::1] side_place                  # rows of the running sum
    cdef float32_t[::1] side_row_weight

    # Dense: the same for nodes of few rows, about the node's mean.
    cdef RowProducts products
    cdef intp_t products_limit                    # 0: never
    cdef bint keep_centered                       # centred rows are needed even so
    cdef bint has_products                        # whether the node has them
    cdef bint with_targets                        # they stand for the targets as well
    cdef float64_t level                          # the only level of supervision, -1 if there are several

    # Outcome of `scan`, for the test whose side is the first b + 1 groups: squared norms of the centred sum,
    # scalars of the side, and the decrease of the two parts.
    cdef float32_t[::1] norm_f
    cdef float32_t[::1] norm_t
    cdef float32_t[::1] norm_none                 # where the norms of no columns go
    cdef float64_t[::1] side_weight
    cdef float64_t[::1] side_labeled
    cdef float64_t[::1] side_squares
    cdef float64_t[::1] gain_f
    cdef float64_t[::1] gain_t
    cdef float32_t[::1] running                   # the running sum of a scan
    cdef float32_t[::1] missing_sum               # sum of the rows that lack the tested value
    cdef Side missing

    cdef int reserve(self, intp_t n, intp_t n_tests) except -1
    cdef void add_rows(self, const int32_t* rows, intp_t n, const float32_t* weights, float64_t* sums,
                       Side* side) noexcept nogil
    cdef int plan_products(self, levels, intp_t max_features, bint random_tests, bint keep_centered) except -1
    cdef int32_t enter_node(self, const int32_t* rows, intp_t n, const float32_t* weights,
                            const float64_t* sums,
                            const Side* side, int32_t products_number) noexcept nogil
    cdef void set_mean(self, const float64_t* sums) noexcept nogil
    cdef void center_features(self) noexcept nogil
    cdef void center_targets(self) noexcept nogil
    cdef void make_products(self) noexcept nogil
    cdef void set_missing(self, const int32_t* order, intp_t n) noexcept nogil
    cdef void scan(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                   intp_t n_groups, bint with_missing) noexcept nogil
    cdef void scan_sparse(self, const int32_t* order, const int32_t* start, intp_t first, intp_t step,
                          intp_t n_groups) noexcept nogil
    cdef void center_norms(self, intp_t b, float64_t own_f, float64_t own_t, float64_t cross_f,
                           float64_t cross_t) noexcept nogil
    cdef void make_gram(self, const int32_t* rows, intp_t n) noexcept nogil
    cdef void judge(self, intp_t n) noexcept nogil
    cdef int judge_mode(self) noexcept nogil
    cdef Gain side_gain(self, const Side* a, float64_t norm_f, float64_t norm_t) noexcept nogil
    cdef Gain sum_gain(self, const float32_t* sum, const float32_t* extra, const Side* a) noexcept nogil
    cdef Gain exact_gain(self, const float64_t* sums, const Side* node, const float64_t* sums_a,
                         const Side* a) noexcept nogil
    cdef void center_ragged(self, const float32_t* z, const float32_t* mean, float32_t weight,
                            float32_t* out) noexcept nogil
    cdef void enter_sparse(self, const float64_t* sums) noexcept nogil
    cdef float64_t column_gain(self, float64_t s, float64_t k, float64_t q, float64_t sa, float64_t ka,
                               float64_t qa, float64_t weight, float64_t weight_a, float64_t factor,
                               float64_t estimate) noexcept nogil
    cdef float64_t target_column_gain(self, intp_t column, const float64_t* sums, const Side* node,
                                      const float64_t* sums_a, const Side* a) noexcept nogil
