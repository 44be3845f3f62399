"""The rows of a node in order of one feature at a time, and parted by the chosen test: see _partitioner.pxd."""

import numpy as np

from libc.string cimport memcpy, memset

from sslrank.core._typedefs cimport int32_t, int64_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._orders cimport LARGEST_ROW, RowOrders
from sslrank.rankers.trees._table cimport MISSING, FeatureTable


cdef extern from "_partition.h" nogil:
    enum:
        SSLRANK_RIGHT
    intp_t sslrank_part_rows(const int32_t* column, int32_t cut, bint missing_right, int32_t* rows, intp_t n,
                             int32_t* scratch, unsigned int* moved)

cdef extern from "_orders.h" nogil:
    unsigned int* sslrank_order_column(const int32_t* column, const int32_t* rows, intp_t n, int32_t n_codes,
                                       unsigned int* keys, unsigned int* other, int32_t* count)

cdef extern from "_sort.h" nogil:
    void sslrank_gather_codes(const int32_t* column, const int32_t* rows, intp_t n, int32_t* codes,
                              int32_t* ends)
    void sslrank_code_range(const int32_t* codes, intp_t n, int32_t* ends)
    enum:
        SSLRANK_DIGITS
    intp_t sslrank_order_rows(const int32_t* code, const int32_t* local, intp_t n, int32_t low, int32_t high,
                              uint64_t* keys, uint64_t* other, int32_t* count, int32_t* order, int32_t* start,
                              int32_t* group_code, intp_t* pivot)
    intp_t sslrank_ordered_rows(const unsigned int* sorted, intp_t n, int32_t* order, int32_t* start,
                                int32_t* group_code, intp_t* pivot)


cdef class Partitioner:
    """Orders and parts the rows of nodes; the work space of one thread.

    Parameters
    ----------
    table : FeatureTable
    max_features : int
        Largest number of features searched in a node.
    keep_orders : bool
        Whether orders are handed down from node to node.
    """

    def __init__(self, FeatureTable table, intp_t max_features, bint keep_orders):
        n_features = table.n_features
        self.table = table
        self.orders = RowOrders(table, keep_orders)
        self.counters = np.empty(SSLRANK_DIGITS, dtype=np.int32)
        self.slot_of = np.full(n_features if table.sparse else 1, -1, dtype=np.int32)
        self.local_of = np.full(table.n_rows if table.sparse else 1, -1, dtype=np.int32)
        self.bucket = np.zeros(max_features + 2, dtype=np.int64)
        self.order = self.entry_local = self.scratch = np.empty(0, dtype=np.int32)

    cdef int reserve(self, intp_t n, const int32_t[::1] rows, bint sorts) except -1:
        """Make room for nodes of up to n rows, all of them out of `rows`, and for sorting them if it `sorts`."""
        cdef intp_t i, room
        cdef int64_t n_entries = 0
        if n >= len(self.scratch):
            self.scratch = np.empty(n + n // 8 + 1, dtype=np.int32)
        if not sorts:
            return 0
        self.orders.reserve(n)
        if n >= len(self.order):
            room = n + n // 8 + 16  # bags differ a little
            self.keys = np.empty(room, dtype=np.uint64)
            self.other_keys = np.empty(room, dtype=np.uint64)
            self.codes = np.empty(room, dtype=np.int32)
            self.known_rows = np.empty(room, dtype=np.int32)
            self.order = np.empty(room, dtype=np.int32)
            self.start = np.empty(room, dtype=np.int32)
            self.group_code = np.empty(room, dtype=np.int32)
            self.missing_rows = np.empty(room, dtype=np.int32)
        if self.table.sparse:
            for i in range(n):
                n_entries += self.table.row_start[rows[i] + 1] - self.table.row_start[rows[i]]
        if n_entries >= len(self.entry_local):
            self.entry_local = np.empty(n_entries + n_entries // 8 + 1, dtype=np.int32)
            self.entry_code = np.empty(n_entries + n_entries // 8 + 1, dtype=np.int32)
        return 0

    cdef uint8_t enter(self, const int32_t* rows, intp_t first_row, intp_t n, uint8_t cache) noexcept nogil:
        """Begin with a node; `cache` says whether it has orders, and so does what is returned."""
        self.rows = rows
        self.n = n
        if cache == NO_ORDERS and n <= self.orders.limit:
            self.orders.begin(first_row, n)
            cache = LOST_ORDERS
        if cache == LOST_ORDERS:
            self.orders.sort(rows, first_row, n)
            cache = HAS_ORDERS
        self.has_orders = cache == HAS_ORDERS
        self.first_row = first_row
        return cache

    cdef void bucket_entries(self, const int32_t[::1] sampled) noexcept nogil:
        """Sparse: list the node's entries of every sampled feature, by whichever way visits fewer entries."""
        cdef intp_t n_sampled = sampled.shape[0], i, slot, feature, row
        cdef int64_t e, by_rows = 0, by_columns = 0, at
        for slot in range(n_sampled):
            feature = sampled[slot]
            self.slot_of[feature] = <int32_t> slot
            by_columns += self.table.column_start[feature + 1] - self.table.column_start[feature]
        for i in range(self.n):
            by_rows += self.table.row_start[self.rows[i] + 1] - self.table.row_start[self.rows[i]]
        if by_columns < by_rows:
            for i in range(self.n):
                self.local_of[self.rows[i]] = <int32_t> i
            at = 0
            # Invariant: entries of features before `slot` are in entry_*[:at], those of feature s from bucket[s] on.
            for slot in range(n_sampled):
                feature = sampled[slot]
                self.bucket[slot] = at
                for e in range(self.table.column_start[feature], self.table.column_start[feature + 1]):
                    row = self.table.column_row[e]
                    if self.local_of[row] >= 0:
                        self.entry_local[at] = self.local_of[row]
                        self.entry_code[at] = self.table.column_code[e]
                        at += 1
            self.bucket[n_sampled] = at
            for i in range(self.n):
                self.local_of[self.rows[i]] = -1
        else:
            memset(&self.bucket[0], 0, (n_sampled + 2) * sizeof(int64_t))
            for i in range(self.n):
                row = self.rows[i]
                for e in range(self.table.row_start[row], self.table.row_start[row + 1]):
                    slot = self.slot_of[self.table.row_feature[e]]
                    if slot >= 0:
                        self.bucket[slot + 2] += 1
            # Invariant: bucket[s + 1], for s + 1 < slot, is the number of entries of the features before s.
            for slot in range(2, n_sampled + 2):
                self.bucket[slot] += self.bucket[slot - 1]
            # Invariant: bucket[s + 1] is where the next entry of feature s goes; in the end feature s + 1 begins there.
            for i in range(self.n):
                row = self.rows[i]
                for e in range(self.table.row_start[row], self.table.row_start[row + 1]):
                    slot = self.slot_of[self.table.row_feature[e]]
                    if slot >= 0:
                        at = self.bucket[slot + 1]
                        self.entry_local[at] = <int32_t> i
                        self.entry_code[at] = self.table.row_code[e]
                        self.bucket[slot + 1] = at + 1
        for slot in range(n_sampled):
            self.slot_of[sampled[slot]] = -1

    cdef void list_codes(self, intp_t slot, intp_t feature) noexcept nogil:
        """List the codes of a feature (sparse: of number `slot`), and the rows without a value."""
        cdef int32_t* codes
        cdef intp_t i, known = 0
        self.n_missing = 0
        self.local = NULL
        if self.table.sparse:
            self.n_listed = self.bucket[slot + 1] - self.bucket[slot]
            self.listed = &self.entry_code[0] + self.bucket[slot]
            self.local = &self.entry_local[0] + self.bucket[slot]
            sslrank_code_range(self.listed, self.n_listed, self.ends)
            return
        codes = &self.codes[0]
        self.listed = codes
        self.n_listed = self.n
        sslrank_gather_codes(&self.table.codes[feature, 0], self.rows, self.n, codes, self.ends)
        if self.n == 0 or self.ends[0] != MISSING:
            return
        # Invariant: codes[:known] are those of the rows before i that have one, whose numbers are known_rows[:known].
        for i in range(self.n):
            if codes[i] == MISSING:
                self.missing_rows[self.n_missing] = <int32_t> i
                self.n_missing += 1
            else:
                self.known_rows[known] = <int32_t> i
                codes[known] = codes[i]
                known += 1
        self.n_listed = known
        self.local = &self.known_rows[0]
        sslrank_code_range(codes, known, self.ends)

    cdef bint order_rows(self, intp_t slot, intp_t feature) noexcept nogil:
        """Order the node's rows by a feature into groups; False if it is constant here."""
        if self.orders.is_short[feature] and self.n <= LARGEST_ROW:
            self.n_missing = 0
            return self.take_order(
                self.orders.of(feature, self.first_row) if self.has_orders else
                sslrank_order_column(&self.table.codes[feature, 0], self.rows, self.n, self.table.n_codes[feature],
                                     <unsigned int*> &self.keys[0], <unsigned int*> &self.other_keys[0],
                                     &self.counters[0]))
        self.list_codes(slot, feature)
        if self.n_listed == 0 or not self.table.sparse and self.ends[0] >= self.ends[1]:
            return False
        self.n_groups = sslrank_order_rows(
            self.listed, self.local, self.n_listed, self.ends[0], self.ends[1], &self.keys[0],
            &self.other_keys[0], &self.counters[0], &self.order[0], &self.start[0], &self.group_code[0],
            &self.pivot)
        return not self.table.sparse or self.add_default(feature)

    cdef bint take_order(self, const unsigned int* sorted) noexcept nogil:
        """`order_rows` with keys that are sorted."""
        if sorted[0] >> 16 == sorted[self.n - 1] >> 16:
            return False
        self.n_groups = sslrank_ordered_rows(sorted, self.n, &self.order[0], &self.start[0],
                                             &self.group_code[0], &self.pivot)
        return True

    cdef bint add_default(self, intp_t feature) noexcept nogil:
        """Sparse: the unlisted rows form a group without entries, where its code belongs."""
        cdef int32_t default = self.table.default_code[feature]
        cdef intp_t g = self.n_groups
        if self.n_listed < self.n:
            self.start[g + 1] = self.start[g]
            # Invariant: groups from g on have moved up by one, so that position g is free.
            while g > 0 and self.group_code[g - 1] > default:
                self.group_code[g] = self.group_code[g - 1]
                self.start[g] = self.start[g - 1]
                g -= 1
            self.group_code[g] = default
            self.n_groups += 1
            self.pivot = g
        return self.n_groups > 1

    cdef bint goes_right(self, const Split* split, const uint64_t* subset, intp_t row) noexcept nogil:
        cdef int32_t code = self.table.code(split.feature, row)
        if code == MISSING:
            return split.missing_right
        if split.subset:
            return (subset[code >> 6] >> (code & 63)) & 1
        return code > split.code

    cdef intp_t part_rows(self, const Split* split, const uint64_t* subset, int32_t* rows, intp_t n,
                          bint with_orders) noexcept nogil:
        """Part n rows stably, left rows first; returns how many these are. `with_orders`: note where each goes."""
        cdef intp_t i, left = 0, right = 0
        cdef int32_t row
        cdef unsigned int* moved = &self.orders.moved[0] if with_orders else NULL
        if not self.table.sparse and not split.subset:
            return sslrank_part_rows(&self.table.codes[split.feature, 0], split.code, split.missing_right, rows, n,
                                     &self.scratch[0], moved)
        # Invariant: rows[:left] are the left rows before i and scratch[:right] the right ones, both in their old order;
        # left <= i, so that nothing is overwritten before it is read.
        for i in range(n):
            row = rows[i]
            if self.goes_right(split, subset, row):
                if moved != NULL:
                    moved[i] = SSLRANK_RIGHT + right
                self.scratch[right] = row
                right += 1
            else:
                if moved != NULL:
                    moved[i] = left
                rows[left] = row
                left += 1
        memcpy(&rows[left], &self.scratch[0], right * sizeof(int32_t))
        return left
