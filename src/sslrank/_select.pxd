# A list of the k smallest so far, kept sorted.
from sslrank._typedefs cimport float64_t, intp_t


cdef inline void insert(
    float64_t *distances, intp_t *indices, intp_t k, float64_t distance, intp_t index
) noexcept nogil:
    """Put a candidate into a list sorted by distance; it goes behind its equals."""
    cdef intp_t slot = k - 1
    while slot > 0 and distances[slot - 1] > distance:
        distances[slot] = distances[slot - 1]
        indices[slot] = indices[slot - 1]
        slot -= 1
    distances[slot] = distance
    indices[slot] = index
