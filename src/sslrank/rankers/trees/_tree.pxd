"""A grown tree as one array of nodes."""

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint64_t, uint8_t


cdef struct Node:
    int32_t left            # -1 for a leaf
    int32_t right
    int32_t feature         # -1 for a leaf
    int32_t code            # numeric test: right if code > this
    float64_t threshold     # the same as a value
    int32_t subset          # nominal test: first word of the category set in `words`, -1 for a numeric test
    uint8_t missing_right
    int32_t depth
    float64_t weight        # of the training rows, bag multiplicities counted
    float64_t labeled       # of the labelled ones
    float64_t h             # decrease of impurity by the test, in float64


cdef class Tree:
    # Children come after their parent, the root is node 0.
    cdef Node* nodes
    cdef readonly intp_t node_count
    cdef intp_t capacity
    cdef uint64_t* words                          # category sets, n_words 64-bit words each
    cdef readonly intp_t word_count
    cdef intp_t word_capacity
    cdef readonly intp_t n_words

    # Prototypes: while growing, weighted sums of the target values and known weights of every leaf; after
    # `finish`, the mean of every node, or its parent's where nothing is known.
    cdef readonly intp_t n_values
    cdef readonly intp_t n_support                # n_values, or 1 if targets are known together
    cdef float64_t* mean_value
    cdef float64_t* support

    cdef intp_t add_node(self, intp_t parent, bint is_right, intp_t depth, float64_t weight,
                         float64_t labeled) except -1 nogil
    cdef intp_t add_subset(self, const uint64_t* subset) except -1 nogil
    cdef int number_in_preorder(self) except -1 nogil
    cdef object of_nodes(self)
    cdef void finish(self) noexcept nogil
    cdef void mean_or_parent(self, intp_t node, intp_t parent) noexcept nogil
