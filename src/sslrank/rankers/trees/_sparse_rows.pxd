"""Clustering rows as lists of entries; no value is missing and targets are known together."""

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, int64_t, intp_t, uint64_t
from sslrank.rankers.trees._node_rows cimport NodeRows


cdef class SparseRows(NodeRows):
    cdef const int64_t[::1] z_start               # entries (column, value)
    cdef const int32_t[::1] z_column
    cdef const float32_t[::1] z_value
    cdef const int64_t[::1] z_targets             # where the target entries of a row begin
    cdef readonly object entry_value              # clustering value of the entries of each two-valued feature

    cdef float64_t features_norm                  # squared norms of the node's sums
    cdef float64_t targets_norm
    cdef float64_t[::1] mean_dot_f                # weighted local row times node mean, by block
    cdef float64_t[::1] mean_dot_t

    # Of sides that are judged: products of their sums with the node's mean, by block
    cdef float64_t[::1] cross_f
    cdef float64_t[::1] cross_t

    # Feature columns with an entry in the node, listed where rows are few: the others' sums are zero but for rounding,
    # and their means are left as they were.
    cdef intp_t listed_limit                      # largest number of rows of such nodes
    cdef uint64_t[::1] bits
    cdef int32_t[::1] columns

    cdef void center_norms(self, intp_t n) noexcept nogil
