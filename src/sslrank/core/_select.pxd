# The k smallest of some distances, by (distance, index): of equal ones the lower index counts.
from sslrank.core._typedefs cimport float64_t, int32_t, intp_t

ctypedef fused index_t:
    int32_t
    intp_t


cdef inline bint precedes(float64_t d, intp_t i, float64_t other_d, intp_t other_i) noexcept nogil:
    return d < other_d or (d == other_d and i < other_i)


cdef inline void insert(
    float64_t *distances, index_t *indices, intp_t k, float64_t distance, index_t index
) noexcept nogil:
    """Put a candidate into a sorted list of the k smallest so far, if it is one of them.

    The list starts as infinities and -1.
    """
    cdef intp_t slot = k - 1
    if not precedes(distance, index, distances[slot], indices[slot]):
        return
    while slot > 0 and precedes(distance, index, distances[slot - 1], indices[slot - 1]):
        distances[slot] = distances[slot - 1]
        indices[slot] = indices[slot - 1]
        slot -= 1
    distances[slot] = distance
    indices[slot] = index


# The k smallest of n distances, sorted, into heap and index (k entries each).
cdef void select(
    const float64_t *distances, intp_t n, intp_t k, float64_t *heap, intp_t *index
) noexcept nogil
