from sslrank._typedefs cimport float64_t, intp_t

# The k nearest of n rows, sorted by (distance, row), into heap and index (k entries each).
cdef void select(
    const float64_t *distances, intp_t n, intp_t k, float64_t *heap, intp_t *index
) noexcept nogil
