"""Eq. (1) of paper ssl-ranking: from scalars and norms to the decrease made by a test. Knows no rows."""

from sslrank.core._typedefs cimport float32_t, float64_t, intp_t

cdef extern from "_gaps.h" nogil:
    ctypedef struct GapColumns "sslrank_gap_columns":
        const float* known
        const float* squares
        const float* variance
        const float* factor
        const float* estimate
        bint scale_all


# One side of a test, as far as scalars go. All weights count bag multiplicities.
cdef struct Side:
    float64_t weight        # of all rows
    float64_t labeled       # of the labelled rows
    float64_t squares       # sum of weight * |target row - node mean|^2 over the labelled rows


# The decrease h of a test before supervision weighs its two parts: h = (1 - w) * features + w * targets.
cdef struct Gain:
    float64_t features
    float64_t targets


cdef class Criterion:
    # The columns of Z come in three blocks, each padded with zero columns to a multiple of 16:
    #   features:  columns known in every row;
    #   targets:   columns known in the labelled rows exactly;
    #   ragged:    columns with missing values of their own, feature columns first.
    # A node's `sums` are float64 and come in this order: features, targets, ragged columns, their known weights,
    # their squares, squares of the targets.
    cdef readonly intp_t width_f
    cdef readonly intp_t width_t
    cdef readonly intp_t n_targets                # target columns before the padding
    cdef readonly intp_t n_ragged
    cdef readonly intp_t n_ragged_f               # ragged columns before this one are features
    cdef readonly intp_t width                    # room for the sum of a node's rows
    cdef readonly intp_t n_sums                   # width_f + 2 * width_t + 3 * n_ragged

    # target_scale: "all" weighs a branch's mean target impurity by all its rows, "known" by its labelled rows
    # times target_factor: N / N_labelled for numbers, else 1.
    cdef readonly bint scale_all
    cdef readonly float64_t target_factor
    cdef readonly float64_t parent_estimate       # "known": share of its impurity that an unlabelled branch costs
    cdef float32_t[::1] ragged_factor
    cdef float32_t[::1] ragged_estimate

    # The node that is being searched
    cdef Side node
    cdef bint joined                              # norm_f stands for the targets as well, in the level's proportion
    # Its rows have node_f feature columns, the targets, and node_gaps columns with gaps in the node, the first
    # node_gaps_f of them features: their weight of known rows, sum of squares, the quotient, and the ragged column's
    # constants. Whole vectors are features or targets; columns of zeros that are known everywhere fill them up.
    cdef intp_t node_f
    cdef intp_t node_gaps
    cdef intp_t node_gaps_f
    cdef intp_t node_width                        # node_f + width_t + 3 * node_gaps
    cdef float32_t[::1] gap_known
    cdef float32_t[::1] gap_squares
    cdef float32_t[::1] gap_variance
    cdef float32_t[::1] gap_factor
    cdef float32_t[::1] gap_estimate

    # Outcomes of a scan, and room for four of them (`room` apart) where values are missing. Number b belongs to the
    # test whose side is the first b + 1 groups: squared norms of the centred sum, scalars of the side, and the
    # decrease of the two parts.
    cdef intp_t room
    cdef float32_t[::1] norm_f
    cdef float32_t[::1] norm_t
    cdef float64_t[::1] side_weight
    cdef float64_t[::1] side_labeled
    cdef float64_t[::1] side_squares
    cdef float64_t[::1] gain_f
    cdef float64_t[::1] gain_t
    cdef float32_t[:, ::1] gap_sides              # weights of the two sides, for columns with gaps

    cdef int reserve(self, intp_t n_tests, bint missing) except -1
    cdef void judge(self, intp_t at, intp_t n) noexcept nogil
    cdef GapColumns gap_columns(self) noexcept nogil
    cdef int judge_mode(self) noexcept nogil
    cdef void close_tests(self, intp_t n) noexcept nogil
    cdef Gain side_gain(self, const Side* a, float64_t norm_f, float64_t norm_t) noexcept nogil
    cdef Gain sum_gain(self, const float32_t* sum, const float32_t* extra, const Side* a) noexcept nogil
    cdef Gain exact_gain(self, const float64_t* sums, const Side* node, const float64_t* sums_a,
                         const Side* a) noexcept nogil
    cdef float64_t column_gain(self, float64_t s, float64_t k, float64_t q, float64_t sa, float64_t ka,
                               float64_t qa, float64_t weight, float64_t weight_a, float64_t factor,
                               float64_t estimate) noexcept nogil
    cdef float64_t target_column_gain(self, intp_t column, const float64_t* sums, const Side* node,
                                      const float64_t* sums_a, const Side* a) noexcept nogil
