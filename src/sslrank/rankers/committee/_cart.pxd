# The pieces of the compiled tree that other kernels build on.
from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint8_t, uint64_t

cdef struct Node:
    int32_t column  # of the data; -1 in a leaf
    int32_t left
    int32_t right
    int32_t label
    float64_t threshold  # rows with value <= threshold go left


cdef struct Span:
    intp_t start
    intp_t stop
    int32_t node


cdef struct Workspace:
    # Reused by every tree of a call; a tree has at most `max_rows` distinct rows.
    int32_t* rows  # (columns, rows of the tree), sorted by column
    int32_t* moved
    uint8_t* goes_left
    int32_t* shuffled
    int64_t* total
    int64_t* left
    int64_t* right
    Span* stack
    Node* nodes


cdef struct Split:
    float64_t gain  # -1 without a split
    float64_t threshold
    intp_t middle  # first position on the right


cdef int allocate(Workspace* work, intp_t n_rows, intp_t max_rows, intp_t n_columns,
                  intp_t n_classes) noexcept nogil
cdef void release(Workspace* work) noexcept nogil
cdef intp_t fill(const int32_t* order, intp_t n_rows, const int32_t* columns, intp_t n_columns,
                 const int32_t* weights, Workspace* work) noexcept nogil
cdef intp_t grow_filled(const float64_t* values, intp_t n_rows, intp_t n, const int32_t* columns,
                        intp_t n_columns, const int32_t* weights, const int32_t* labels,
                        intp_t n_classes, int64_t min_samples_split, uint64_t seed,
                        Workspace* work) noexcept nogil
cdef Split best_split(const float64_t* v, const int32_t* rows, intp_t start, intp_t stop,
                      const int32_t* weights, const int32_t* labels, intp_t n_classes,
                      Workspace* work) noexcept nogil
cdef int32_t count_classes(const int32_t* rows, intp_t start, intp_t stop, const int32_t* weights,
                           const int32_t* labels, intp_t n_classes, Workspace* work,
                           int64_t* weight) noexcept nogil
cdef intp_t partition(int32_t* rows, intp_t start, intp_t stop, const uint8_t* goes_left,
                      int32_t* moved) noexcept nogil


cdef inline int32_t predict_row(const Node* nodes, const float64_t* values, intp_t n_rows,
                                intp_t row) noexcept nogil:
    cdef intp_t i = 0
    while nodes[i].column >= 0:
        if values[nodes[i].column * n_rows + row] <= nodes[i].threshold:
            i = nodes[i].left
        else:
            i = nodes[i].right
    return nodes[i].label
