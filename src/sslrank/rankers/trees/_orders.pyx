"""Where all features are searched in every node, sorting is done once per subtree: see _orders.pxd.

A split parts the order of every feature as it parts the rows, stably, so that orders stay sorted by code and,
among equal codes, by row. Nodes are grown depth first and part their own piece of the orders, so one copy
serves a tree. A key has 16 bits for the code and 16 for the row; larger nodes, and features with more values,
are sorted in each node.
"""

import numpy as np

from libc.string cimport memcpy

from sslrank.core._typedefs cimport int32_t, intp_t
from sslrank.rankers.trees._table cimport FeatureTable


cdef extern from "_orders.h" nogil:
    enum:
        SSLRANK_DIGITS
    uint32_t* sslrank_order_column(const int32_t* column, const int32_t* rows, intp_t n, int32_t n_codes,
                                   uint32_t* keys, uint32_t* other, int32_t* count)
    void sslrank_part_order(uint32_t* order, intp_t n, const uint32_t* moved, uint32_t* scratch)

# Room for orders: numbers of 4 bytes, 32 MB per thread.
cdef intp_t LARGEST_ORDERS = 1 << 23
cdef intp_t LARGEST_CODE = 1 << 16


cdef class RowOrders:
    """Orders of the rows of at most `limit` rows; none if the nodes are not `wanted` to have them."""

    def __init__(self, FeatureTable table, bint wanted):
        self.table = table
        self.is_short = np.zeros(table.n_features, dtype=np.uint8)
        if not table.sparse:
            self.is_short = ((np.asarray(table.has_missing) == 0)
                             & (np.asarray(table.n_codes) <= LARGEST_CODE)).astype(np.uint8)
        self.limit = 0
        if wanted and np.any(self.is_short):
            self.limit = min(LARGEST_ROW, LARGEST_ORDERS // max(table.n_features, 1))
        self.order = np.empty(0, dtype=np.uint32)
        self.count = np.empty(SSLRANK_DIGITS, dtype=np.int32)

    cdef int reserve(self, intp_t n) except -1:
        """Make room for subtrees of up to n rows."""
        n = min(n, self.limit)
        if n * self.table.n_features > len(self.order):
            self.order = np.empty((n + n // 8) * self.table.n_features, dtype=np.uint32)
            self.moved = np.empty(n + n // 8 + 16, dtype=np.uint32)
            self.keys = np.empty(n + n // 8 + 16, dtype=np.uint32)
            self.scratch = np.empty(n + n // 8 + 16, dtype=np.uint32)
        return 0

    cdef void begin(self, intp_t start, intp_t n) noexcept nogil:
        """Begin with a node of n rows: all nodes below it have their orders in its place."""
        self.stride = n
        self.first = start

    cdef void sort(self, const int32_t* rows, intp_t start, intp_t n) noexcept nogil:
        """Make the orders of a node."""
        cdef intp_t f
        for f in range(self.table.n_features):
            if self.is_short[f]:
                memcpy(self.of(f, start),
                       sslrank_order_column(&self.table.codes[f, 0], rows, n, self.table.n_codes[f], &self.keys[0],
                                            &self.scratch[0], &self.count[0]), n * sizeof(uint32_t))

    cdef uint32_t* of(self, intp_t feature, intp_t start) noexcept nogil:
        return &self.order[feature * self.stride + start - self.first]

    cdef void part(self, intp_t start, intp_t n) noexcept nogil:
        """Give the children of a node their orders; `moved` is set."""
        cdef intp_t f
        for f in range(self.table.n_features):
            if self.is_short[f]:
                sslrank_part_order(self.of(f, start), n, &self.moved[0], &self.scratch[0])
