"""Alg. 1 of paper ssl-ranking, depth first, for several levels of supervision at once.

Levels share a node as long as they chose the same tests on the way to it: the node is then searched once, and
each level picks its best test from the same decreases of the feature and target parts. Where choices differ
the node is split once per distinct test, and from there on the trees part. A node's random stream depends on
the path to it alone, so every level gets the tree it would get if grown alone.
"""

import numpy as np

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from sslrank._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._impurity cimport Gain, Side
from sslrank.rankers.trees._random cimport child_stream, mix
from sslrank.rankers.trees._search cimport MAX_LEVELS, Search, Split
from sslrank.rankers.trees._storage cimport Node, Tree

cdef extern from "_partition.h" nogil:
    enum:
        SSLRANK_RIGHT
    intp_t sslrank_part_rows(const int32_t* column, int32_t cut, bint missing_right, int32_t* rows, intp_t n,
                             int32_t* scratch, unsigned int* moved)


cdef struct Task:
    # Rows rows[start:end] of one node. Undecided (split.feature < 0): search it. Decided: apply the split.
    intp_t start
    intp_t end
    intp_t depth
    uint64_t stream
    uint64_t active                   # levels that share the node
    int32_t[MAX_LEVELS] parent        # the node's parent, then the node itself, in each level's tree
    uint8_t is_right
    Side side
    intp_t slot                       # where the float64 sums of the node are
    uint8_t last                      # decided: no later task needs the slot
    uint8_t has_gram                  # sparse: inner products were made for a node above, or for this one
    uint8_t has_orders                # the same for orders of the rows
    int32_t products                  # dense: which inner products, 0 for none
    Split split


cdef class Builder:
    """Grows trees on bags of rows.

    Parameters
    ----------
    search : Search
    values : ndarray of shape (n_rows, n_values), float64
        What prototypes average: targets, or one column per class. NaN is unknown.
    known_together : bool
        Whether a labelled row knows all its values.
    max_depth : int
        -1 for no limit.
    min_labeled_split : float
        A node with less labelled weight is a leaf, except at level 0, which does not use the targets.
    target_of_column : ndarray of int32 or None
        Target of every clustering column behind the feature block, -1 for none; None if `target_importances`
        are not wanted.
    n_targets : int
    """

    cdef readonly Search search
    cdef const float64_t[:, ::1] values
    cdef bint known_together
    cdef intp_t max_depth
    cdef float64_t min_labeled_split
    cdef const int32_t[::1] target_of_column
    cdef intp_t n_targets
    cdef bint by_target

    cdef Task* stack
    cdef intp_t stack_size
    cdef intp_t stack_capacity
    cdef float64_t* sums
    cdef intp_t n_slots
    cdef intp_t* free_slots
    cdef intp_t n_free
    cdef uint64_t* subsets            # category sets of the stack's decided tasks, by position
    cdef int32_t[::1] rows
    cdef int32_t[::1] scratch
    cdef float64_t[:, :, ::1] target_importances

    def __init__(self, Search search, values, bint known_together, intp_t max_depth,
                 float64_t min_labeled_split, target_of_column=None, intp_t n_targets=0):
        self.search = search
        self.values = values
        self.known_together = known_together
        self.max_depth = max_depth
        self.min_labeled_split = min_labeled_split
        self.by_target = target_of_column is not None
        if self.by_target:
            self.target_of_column = target_of_column
        self.n_targets = n_targets

    def __dealloc__(self):
        free(self.stack)
        free(self.subsets)
        free(self.sums)
        free(self.free_slots)

    def grow(self, const int32_t[::1] bag, const float32_t[::1] weights, uint64_t seed):
        """Grow one tree per level.

        Parameters
        ----------
        bag : ndarray of int32
            Rows in the bag, each once.
        weights : ndarray of shape (n_rows,), float32
            Multiplicity of every row.
        seed : int

        Returns
        -------
        trees : list of Tree
        target_importances : ndarray of shape (n_levels, n_features, n_targets), or None
            w-weighted decreases of impurity in each target.
        """
        cdef intp_t n = len(bag), n_values = self.values.shape[1], k
        trees = [
            Tree(n_values, 1 if self.known_together else n_values, self.search.n_words)
            for _ in range(self.search.n_levels)
        ]
        self.rows = np.array(bag, dtype=np.int32)
        self.scratch = np.empty(n + 1, dtype=np.int32)
        by_target = None
        if self.by_target:
            by_target = np.zeros((self.search.n_levels, self.search.table.n_features, self.n_targets))
            self.target_importances = by_target
        self.search.reserve(n, self.rows)
        cdef (void*)[MAX_LEVELS] pointers
        for k in range(self.search.n_levels):
            pointers[k] = <void*> trees[k]
        with nogil:
            self.grow_trees(pointers, &weights[0], seed)
        return trees, by_target

    cdef int grow_trees(self, void** trees, const float32_t* weights, uint64_t seed) except -1 nogil:
        cdef Task task
        cdef intp_t k
        self.stack_size = 0
        self.n_free = 0
        self.n_slots = 0
        task.start = 0
        task.end = self.rows.shape[0]
        task.depth = 0
        task.stream = mix(seed)
        task.active = (<uint64_t> 1 << self.search.n_levels) - 1
        for k in range(MAX_LEVELS):
            task.parent[k] = -1
        task.is_right = 0
        task.slot = self.take_slot()
        task.last = 1
        task.has_gram = 0
        task.has_orders = 0
        task.products = 0
        task.side.weight = task.side.labeled = task.side.squares = 0
        task.split.feature = -1
        self.search.impurity.add_rows(&self.rows[0], task.end, weights, self.slot(task.slot), &task.side)
        self.push(&task)
        while self.stack_size:
            self.stack_size -= 1
            task = self.stack[self.stack_size]
            if task.split.feature < 0:
                self.open_node(&task, trees, weights)
            else:
                self.apply_split(&task, trees, weights)
        for k in range(self.search.n_levels):
            if self.search.hands_down:
                (<Tree> trees[k]).number_in_preorder()
            (<Tree> trees[k]).finish()
        return 0

    cdef int open_node(self, Task* task, void** trees, const float32_t* weights) except -1 nogil:
        """Make the node in the trees of its levels, find their tests and queue the splits."""
        cdef intp_t n = task.end - task.start, k, j
        cdef uint64_t searching = 0, waiting, group
        cdef Task decided
        for k in range(self.search.n_levels):
            if not (task.active >> k) & 1:
                continue
            task.parent[k] = <int32_t> (<Tree> trees[k]).add_node(
                task.parent[k], task.is_right, task.depth, task.side.weight, task.side.labeled)
            if (self.search.level_targets[k] == 0 or task.side.labeled >= self.min_labeled_split):
                searching |= <uint64_t> 1 << k
        if task.side.weight < 2 * self.search.min_leaf or n < 2 or task.depth == self.max_depth:
            searching = 0
        if searching:
            # Depth first, a subtree is finished before the next one needs the space of its inner products.
            if not task.has_gram and n <= self.search.impurity.gram_limit:
                self.search.impurity.make_gram(&self.rows[task.start], n)
                task.has_gram = 1
            self.search.impurity.has_gram = task.has_gram
            task.products = self.search.impurity.enter_node(
                &self.rows[task.start], n, weights, self.slot(task.slot), &task.side, task.products)
            if not task.has_orders and n <= self.search.orders.limit:
                self.search.orders.make(&self.rows[task.start], task.start, n)
                task.has_orders = 1
            self.search.has_orders = task.has_orders
            self.search.first_row = task.start
            self.search.find(&self.rows[task.start], n, weights, task.stream, searching)
            for k in range(self.search.n_levels):
                if (searching >> k) & 1 and self.search.best[k].feature < 0:
                    searching &= ~(<uint64_t> 1 << k)
        self.close_leaves(task, trees, weights, task.active & ~searching)
        if not searching:
            self.drop_slot(task.slot)
            return 0
        # One decided task per distinct test; the one pushed first is handled last and gives the slot back.
        waiting = searching
        decided = task[0]
        decided.last = 1
        for k in range(self.search.n_levels):
            if not (waiting >> k) & 1:
                continue
            group = 0
            for j in range(k, self.search.n_levels):
                if (waiting >> j) & 1 and self.same_test(k, j):
                    group |= <uint64_t> 1 << j
            waiting &= ~group
            decided.active = group
            decided.split = self.search.best[k]
            self.push(&decided)
            if decided.split.subset:
                memcpy(self.subset(self.stack_size - 1), &self.search.best_subset[k, 0],
                       self.search.n_words * sizeof(uint64_t))
            decided.last = 0
        return 0

    cdef bint same_test(self, intp_t k, intp_t j) noexcept nogil:
        cdef Split* a = &self.search.best[k]
        cdef Split* b = &self.search.best[j]
        cdef intp_t i
        if (a.feature != b.feature or a.code != b.code or a.missing_right != b.missing_right
                or a.subset != b.subset):
            return False
        if a.subset:
            for i in range(self.search.n_words):
                if self.search.best_subset[k, i] != self.search.best_subset[j, i]:
                    return False
        return True

    cdef int close_leaves(self, Task* task, void** trees, const float32_t* weights,
                          uint64_t leaves) except -1 nogil:
        """Sum the target values of a leaf, for every level that has it."""
        cdef intp_t i, j, k, row, node, n_support, v = self.values.shape[1], first = -1
        cdef float64_t* value
        cdef float64_t* support
        cdef const float64_t* y
        if not leaves or v == 0:
            return 0
        for k in range(self.search.n_levels):
            if not (leaves >> k) & 1:
                continue
            node = task.parent[k]
            value = (<Tree> trees[k]).mean_value + node * v
            n_support = (<Tree> trees[k]).n_support
            support = (<Tree> trees[k]).support + node * n_support
            if first >= 0:
                memcpy(value, (<Tree> trees[first]).mean_value + task.parent[first] * v,
                       v * sizeof(float64_t))
                memcpy(support, (<Tree> trees[first]).support + task.parent[first] * n_support,
                       n_support * sizeof(float64_t))
                continue
            first = k
            for i in range(task.start, task.end):
                row = self.rows[i]
                if not self.search.impurity.labeled[row]:
                    continue
                y = &self.values[row, 0]
                if self.known_together:
                    support[0] += weights[row]
                    for j in range(v):
                        value[j] += weights[row] * y[j]
                else:
                    for j in range(v):
                        if y[j] == y[j]:
                            support[j] += weights[row]
                            value[j] += weights[row] * y[j]
        return 0

    cdef int apply_split(self, Task* task, void** trees, const float32_t* weights) except -1 nogil:
        """Part the node's rows, give its levels the test, and queue the children."""
        cdef intp_t middle, k, i, slot_left, slot_right, smaller
        cdef bint next_is_right
        cdef Side left, right
        cdef Side* side
        cdef Gain gain
        cdef Task child
        cdef Node* node
        cdef float64_t* node_sums
        cdef float64_t* other
        cdef float64_t* smaller_sums
        cdef uint64_t* subset = self.subset(self.stack_size) if task.split.subset else NULL
        for k in range(self.search.n_levels):
            if (task.active >> k) & 1:
                node = &(<Tree> trees[k]).nodes[task.parent[k]]
                node.feature = <int32_t> task.split.feature
                node.code = task.split.code
                node.threshold = task.split.threshold
                node.missing_right = task.split.missing_right
                if task.split.subset:
                    node.subset = <int32_t> (<Tree> trees[k]).add_subset(subset)
        middle = self.part_rows(task, subset)
        # Exact sums of the side with fewer rows; the other's are the difference.
        slot_left = self.take_slot()
        slot_right = self.take_slot()
        smaller = slot_left if middle - task.start <= task.end - middle else slot_right
        left.weight = left.labeled = left.squares = 0
        right = left
        if smaller == slot_left:
            self.search.impurity.add_rows(&self.rows[task.start], middle - task.start, weights,
                                          self.slot(slot_left), &left)
            right.weight = task.side.weight - left.weight
            right.labeled = task.side.labeled - left.labeled
            side = &left
        else:
            self.search.impurity.add_rows(&self.rows[middle], task.end - middle, weights,
                                          self.slot(slot_right), &right)
            left.weight = task.side.weight - right.weight
            left.labeled = task.side.labeled - right.labeled
            side = &right
        if task.has_orders and max(left.weight, right.weight) >= 2 * self.search.min_leaf:
            self.search.orders.part(task.start, task.end - task.start)
        node_sums = self.slot(task.slot)
        other = self.slot(slot_right if smaller == slot_left else slot_left)
        smaller_sums = self.slot(smaller)
        for i in range(self.search.impurity.n_sums):
            other[i] = node_sums[i] - smaller_sums[i]
        gain = self.search.impurity.exact_gain(node_sums, &task.side, smaller_sums, side)
        for k in range(self.search.n_levels):
            if (task.active >> k) & 1:
                (<Tree> trees[k]).nodes[task.parent[k]].h = self.search.level_h(k, gain)
        if self.by_target:
            self.add_by_target(task, smaller_sums, side)
        if task.last:
            self.drop_slot(task.slot)
        child = task[0]
        child.split.feature = -1
        child.depth = task.depth + 1
        child.last = 1
        # The left child is next, or the one with more rows if sums are handed down.
        next_is_right = self.search.hands_down and task.end - middle > middle - task.start
        for k in range(2):
            child.is_right = (k == 1) == next_is_right
            child.start = middle if child.is_right else task.start
            child.end = task.end if child.is_right else middle
            child.side = right if child.is_right else left
            child.slot = slot_right if child.is_right else slot_left
            child.stream = child_stream(task.stream, child.is_right)
            self.push(&child)
        return 0

    cdef void add_by_target(self, Task* task, const float64_t* side_sums, const Side* side) noexcept nogil:
        cdef intp_t c, k, target
        cdef float64_t part, part_of_level
        for c in range(self.search.impurity.width_t + self.search.impurity.n_ragged):
            target = self.target_of_column[c]
            if target < 0:
                continue
            part = self.search.impurity.target_column_gain(
                c, self.slot(task.slot), &task.side, side_sums, side)
            for k in range(self.search.n_levels):
                if (task.active >> k) & 1:
                    part_of_level = self.search.level_targets[k] * part
                    self.target_importances[k, task.split.feature, target] += part_of_level

    cdef intp_t part_rows(self, Task* task, const uint64_t* subset) noexcept nogil:
        """Stable partition of rows[start:end]; returns where the right side begins."""
        cdef intp_t i, left = task.start, right = 0
        cdef int32_t row
        cdef unsigned int* moved = &self.search.orders.moved[0] if task.has_orders else NULL
        if not self.search.table.sparse and not task.split.subset:
            return task.start + sslrank_part_rows(
                &self.search.table.codes[task.split.feature, 0], task.split.code, task.split.missing_right,
                &self.rows[task.start], task.end - task.start, &self.scratch[0], moved)
        for i in range(task.start, task.end):
            row = self.rows[i]
            if self.search.goes_right(&task.split, subset, row):
                if moved != NULL:
                    moved[i - task.start] = SSLRANK_RIGHT + right
                self.scratch[right] = row
                right += 1
            else:
                if moved != NULL:
                    moved[i - task.start] = left - task.start
                self.rows[left] = row
                left += 1
        memcpy(&self.rows[left], &self.scratch[0], right * sizeof(int32_t))
        return left

    # The stack, the category sets of its decided tasks, and the slots of sums

    cdef int push(self, const Task* task) except -1 nogil:
        cdef intp_t capacity
        cdef void* stack
        if self.stack_size == self.stack_capacity:
            capacity = max(2 * self.stack_capacity, 64)
            stack = realloc(self.stack, capacity * sizeof(Task))
            if stack == NULL:
                with gil:
                    raise MemoryError()
            self.stack = <Task*> stack
            stack = realloc(self.subsets, capacity * self.search.n_words * sizeof(uint64_t))
            if stack == NULL:
                with gil:
                    raise MemoryError()
            self.subsets = <uint64_t*> stack
            self.stack_capacity = capacity
        self.stack[self.stack_size] = task[0]
        self.stack_size += 1
        return 0

    cdef uint64_t* subset(self, intp_t position) noexcept nogil:
        return self.subsets + position * self.search.n_words

    cdef float64_t* slot(self, intp_t number) noexcept nogil:
        return self.sums + number * self.search.impurity.n_sums

    cdef intp_t take_slot(self) except -1 nogil:
        """A zeroed slot. May move all slots: do not keep pointers over this call."""
        cdef intp_t number, size = self.search.impurity.n_sums
        cdef void* grown
        if self.n_free:
            self.n_free -= 1
            number = self.free_slots[self.n_free]
        else:
            number = self.n_slots
            grown = realloc(self.sums, (number + 1) * size * sizeof(float64_t) + 1)
            if grown != NULL:
                self.sums = <float64_t*> grown
                grown = realloc(self.free_slots, (number + 1) * sizeof(intp_t))
            if grown == NULL:
                with gil:
                    raise MemoryError()
            self.free_slots = <intp_t*> grown
            self.n_slots += 1
        memset(self.sums + number * size, 0, size * sizeof(float64_t))
        return number

    cdef void drop_slot(self, intp_t number) noexcept nogil:
        self.free_slots[self.n_free] = number
        self.n_free += 1
