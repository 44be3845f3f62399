"""Alg. 1 of paper ssl-ranking, depth first, for several levels of supervision at once.

Levels share a node as long as they chose the same tests on the way to it: the node is then searched once, and
each level picks its best test from the same decreases of the feature and target parts. Where choices differ
the node is split once per distinct test, and from there on the trees part. A node's random stream depends on
the path to it alone, so every level gets the tree it would get if grown alone.
"""

import numpy as np

from libc.stdlib cimport qsort
from libc.string cimport memcpy

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t, uint64_t
from sslrank.rankers.trees._criterion cimport Gain, Side
from sslrank.rankers.trees._partitioner cimport HAS_ORDERS, LOST_ORDERS, NO_ORDERS
from sslrank.rankers.trees._random cimport child_stream, mix
from sslrank.rankers.trees._stack cimport NodeStack, Task
from sslrank.rankers.trees._tests cimport MAX_LEVELS, Tests
from sslrank.rankers.trees._tree cimport Node, Tree


cdef int ascending(const void* a, const void* b) noexcept nogil:
    return (<const int32_t*> a)[0] - (<const int32_t*> b)[0]


cdef class Builder:
    """Grows trees on bags of rows.

    Parameters
    ----------
    tests : Tests
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

    cdef readonly Tests tests
    cdef const float64_t[:, ::1] values
    cdef bint known_together
    cdef intp_t max_depth
    cdef float64_t min_labeled_split
    cdef const int32_t[::1] target_of_column
    cdef intp_t n_targets
    cdef bint by_target

    cdef NodeStack stack
    cdef int32_t[::1] rows
    cdef const float32_t[::1] weights  # multiplicity of every row
    # Growing for predictions only: the rows that will be predicted, parted like the bag
    cdef bint predicts
    cdef int32_t[::1] held
    cdef bint exact_sums              # values are whole numbers: their sums do not depend on the order
    cdef float64_t[:, :, ::1] target_importances

    def __init__(self, Tests tests, values, bint known_together, intp_t max_depth,
                 float64_t min_labeled_split, target_of_column=None, intp_t n_targets=0):
        self.tests = tests
        self.values = values
        self.known_together = known_together
        self.max_depth = max_depth
        self.min_labeled_split = min_labeled_split
        self.by_target = target_of_column is not None
        if self.by_target:
            self.target_of_column = target_of_column
        self.n_targets = n_targets
        known = values[~np.isnan(values)]
        self.exact_sums = bool((known == np.rint(known)).all() and np.abs(known).sum() < 2**40)
        self.stack = NodeStack(tests.criterion.n_sums, tests.n_words)

    def grow(self, const int32_t[::1] bag, const float32_t[::1] weights, uint64_t seed, predict=None):
        """Grow one tree per level.

        Parameters
        ----------
        bag : ndarray of int32
            Rows in the bag, each once.
        weights : ndarray of shape (n_rows,), float32
            Multiplicity of every row.
        seed : int
        predict : ndarray of int32, optional
            Grow only what the predictions for these rows depend on. Decreases of impurity are left out.

        Returns
        -------
        trees : list of Tree
        target_importances : ndarray of shape (n_levels, n_features, n_targets), or None
            w-weighted decreases of impurity in each target.
        """
        cdef intp_t n = len(bag), n_values = self.values.shape[1], k
        trees = [
            Tree(n_values, 1 if self.known_together else n_values, self.tests.n_words)
            for _ in range(self.tests.n_levels)
        ]
        self.rows = np.array(bag, dtype=np.int32)
        self.weights = weights
        self.predicts = predict is not None
        by_target = None
        if self.by_target:
            by_target = np.zeros((self.tests.n_levels, self.tests.table.n_features, self.n_targets))
            self.target_importances = by_target
        self.tests.reserve(n, self.rows)
        if self.predicts:
            self.held = np.array(predict, dtype=np.int32)
            self.tests.partitioner.reserve(max(n, len(predict)), self.rows, False)
        cdef (void*)[MAX_LEVELS] pointers
        for k in range(self.tests.n_levels):
            pointers[k] = <void*> trees[k]
        with nogil:
            self.grow_trees(pointers, seed)
        return trees, by_target

    cdef int grow_trees(self, void** trees, uint64_t seed) except -1 nogil:
        cdef Task task
        cdef intp_t k
        self.stack.clear()
        task.start = 0
        task.end = self.rows.shape[0]
        task.held_start = 0
        task.held_end = self.held.shape[0] if self.predicts else 0
        task.whole = not self.predicts
        task.depth = 0
        task.stream = mix(seed)
        task.active = (<uint64_t> 1 << self.tests.n_levels) - 1
        for k in range(MAX_LEVELS):
            task.parent[k] = -1
        task.is_right = 0
        task.slot = self.stack.take_slot()
        task.last = 1
        task.cache.rows = 0
        task.cache.orders = NO_ORDERS
        task.side.weight = task.side.labeled = task.side.squares = 0
        task.split.feature = -1
        self.tests.rows.add_rows(&self.rows[0], task.end, &self.weights[0], self.stack.slot(task.slot), &task.side)
        self.stack.push(&task)
        # Invariant: each row of the bag is in one waiting task or in a closed leaf, for each level; a waiting task's
        # rows are rows[start:end], its sums are in its slot, and only tasks on the stack own slots.
        while self.stack.size:
            self.stack.size -= 1
            task = self.stack.tasks[self.stack.size]
            if task.split.feature < 0:
                self.open_node(&task, trees)
            else:
                self.apply_split(&task, trees)
        for k in range(self.tests.n_levels):
            if self.tests.large_first:
                (<Tree> trees[k]).number_in_preorder()
            (<Tree> trees[k]).finish()
        return 0

    cdef int open_node(self, Task* task, void** trees) except -1 nogil:
        """Make the node in the trees of its levels, find their tests and queue the splits."""
        cdef intp_t n = task.end - task.start, k, j
        cdef uint64_t searching = 0, waiting, group
        cdef Task decided
        for k in range(self.tests.n_levels):
            if not (task.active >> k) & 1:
                continue
            task.parent[k] = <int32_t> (<Tree> trees[k]).add_node(
                task.parent[k], task.is_right, task.depth, task.side.weight, task.side.labeled)
            if (self.tests.level_targets[k] == 0 or task.side.labeled >= self.min_labeled_split):
                searching |= <uint64_t> 1 << k
        if task.side.weight < 2 * self.tests.min_leaf or n < 2 or task.depth == self.max_depth:
            searching = 0
        if searching and not task.whole and self.is_settled(task):
            searching = 0
        if searching:
            task.cache = self.tests.enter(&self.rows[task.start], task.start, n, &self.weights[0],
                                          self.stack.slot(task.slot), &task.side, task.cache)
            self.tests.find(task.stream, searching)
            for k in range(self.tests.n_levels):
                if (searching >> k) & 1 and self.tests.best[k].feature < 0:
                    searching &= ~(<uint64_t> 1 << k)
        self.close_leaves(task, trees, task.active & ~searching)
        if not searching:
            self.stack.drop_slot(task.slot)
            return 0
        # One decided task per distinct test; the one pushed first is handled last and gives the slot back.
        waiting = searching
        decided = task[0]
        decided.last = 1
        # Invariant: every level of `searching` that is not in `waiting` is in exactly one pushed task.
        for k in range(self.tests.n_levels):
            if not (waiting >> k) & 1:
                continue
            group = 0
            for j in range(k, self.tests.n_levels):
                if (waiting >> j) & 1 and self.tests.same_test(k, j):
                    group |= <uint64_t> 1 << j
            waiting &= ~group
            if group != searching and decided.cache.orders == HAS_ORDERS:
                decided.cache.orders = LOST_ORDERS
            decided.active = group
            decided.split = self.tests.best[k]
            self.stack.push(&decided)
            if decided.split.subset:
                memcpy(self.stack.subset(self.stack.size - 1), &self.tests.best_subset[k, 0],
                       self.tests.n_words * sizeof(uint64_t))
            decided.last = 0
        return 0

    cdef bint is_settled(self, const Task* task) noexcept nogil:
        """Tell whether no test below this node can change a prediction.

        That is so where no row to predict arrives, and where all labelled rows have one and the same target: every
        leaf below has their mean, or takes it over.
        """
        cdef intp_t i, j, row, first = -1
        cdef const float64_t* a
        cdef const float64_t* b
        if task.held_start == task.held_end or task.side.labeled == 0:
            return True
        # Invariant: the labelled rows before i have the values of row `first`, or there is none yet (-1).
        for i in range(task.start, task.end):
            row = self.rows[i]
            if not self.tests.rows.labeled[row]:
                continue
            if first < 0:
                first = row
                continue
            if not self.exact_sums:
                return False  # the order of summation may show
            a = &self.values[first, 0]
            b = &self.values[row, 0]
            for j in range(self.values.shape[1]):
                if a[j] != b[j]:
                    return False
        return True

    cdef int close_leaves(self, Task* task, void** trees, uint64_t leaves) except -1 nogil:
        """Sum the target values of a leaf, for every level that has it."""
        cdef intp_t i, j, k, row, node, n_support, v = self.values.shape[1], first = -1
        cdef float64_t* value
        cdef float64_t* support
        cdef const float64_t* y
        cdef int32_t* rows
        if not leaves or v == 0:
            return 0
        for k in range(self.tests.n_levels):
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
            rows = &self.tests.partitioner.scratch[0]
            for i in range(self.list_labeled(task, rows)):
                row = rows[i]
                y = &self.values[row, 0]
                if self.known_together:
                    support[0] += self.weights[row]
                    for j in range(v):
                        value[j] += self.weights[row] * y[j]
                else:
                    for j in range(v):
                        if y[j] == y[j]:
                            support[j] += self.weights[row]
                            value[j] += self.weights[row] * y[j]
        return 0

    cdef intp_t list_labeled(self, const Task* task, int32_t* out) noexcept nogil:
        """The labelled rows of a node, ascending: sums do not depend on what the levels grown before left behind."""
        cdef intp_t i, n = 0
        cdef bint sorted = True
        # Invariant: out[:n] are the labelled rows before i, and `sorted` is true if they ascend.
        for i in range(task.start, task.end):
            if self.tests.rows.labeled[self.rows[i]]:
                out[n] = self.rows[i]
                sorted = sorted and (n == 0 or out[n] > out[n - 1])
                n += 1
        if not sorted and not self.exact_sums:
            qsort(out, n, sizeof(int32_t), ascending)
        return n

    cdef int apply_split(self, Task* task, void** trees) except -1 nogil:
        """Part the node's rows, give its levels the test, and queue the children."""
        cdef intp_t middle, held_middle, k, i, slot_left, slot_right, smaller
        cdef bint next_is_right
        cdef Side left, right
        cdef Side* side
        cdef Side* sibling
        cdef Task child
        cdef Node* node
        cdef float64_t* node_sums
        cdef float64_t* other
        cdef float64_t* smaller_sums
        cdef uint64_t* subset = self.stack.subset(self.stack.size) if task.split.subset else NULL
        for k in range(self.tests.n_levels):
            if (task.active >> k) & 1:
                node = &(<Tree> trees[k]).nodes[task.parent[k]]
                node.feature = <int32_t> task.split.feature
                node.code = task.split.code
                node.threshold = task.split.threshold
                node.missing_right = task.split.missing_right
                if task.split.subset:
                    node.subset = <int32_t> (<Tree> trees[k]).add_subset(subset)
        middle = task.start + self.tests.partitioner.part_rows(
            &task.split, subset, &self.rows[task.start], task.end - task.start,
            task.cache.orders == HAS_ORDERS)
        held_middle = task.held_start
        if task.held_end > task.held_start:
            held_middle += self.tests.partitioner.part_rows(
                &task.split, subset, &self.held[task.held_start], task.held_end - task.held_start, False)
        # Exact sums of the side with fewer rows; the other's are the difference.
        slot_left = self.stack.take_slot()
        slot_right = self.stack.take_slot()
        smaller = slot_left if middle - task.start <= task.end - middle else slot_right
        left.weight = left.labeled = left.squares = 0
        right = left
        if smaller == slot_left:
            self.tests.rows.add_rows(&self.rows[task.start], middle - task.start, &self.weights[0],
                                     self.stack.slot(slot_left), &left)
            right.weight = task.side.weight - left.weight
            right.labeled = task.side.labeled - left.labeled
            side = &left
        else:
            self.tests.rows.add_rows(&self.rows[middle], task.end - middle, &self.weights[0],
                                     self.stack.slot(slot_right), &right)
            left.weight = task.side.weight - right.weight
            left.labeled = task.side.labeled - right.labeled
            side = &right
        if task.cache.orders == HAS_ORDERS and max(left.weight, right.weight) >= 2 * self.tests.min_leaf:
            self.tests.partitioner.orders.part(task.start, task.end - task.start)
        node_sums = self.stack.slot(task.slot)
        other = self.stack.slot(slot_right if smaller == slot_left else slot_left)
        smaller_sums = self.stack.slot(smaller)
        for i in range(self.tests.criterion.n_sums):
            other[i] = node_sums[i] - smaller_sums[i]
        if not self.predicts:
            self.add_gains(task, trees, smaller_sums, side)
        if task.last:
            self.stack.drop_slot(task.slot)
        child = task[0]
        child.split.feature = -1
        child.depth = task.depth + 1
        child.last = 1
        # The left child is next, or the one with more rows if sums are handed down.
        next_is_right = self.tests.large_first and task.end - middle > middle - task.start
        # The stack is last in, first out: the second child that is pushed is grown first.
        for k in range(2):
            child.is_right = (k == 1) == next_is_right
            child.start = middle if child.is_right else task.start
            child.end = task.end if child.is_right else middle
            child.side = right if child.is_right else left
            child.slot = slot_right if child.is_right else slot_left
            child.stream = child_stream(task.stream, child.is_right)
            child.held_start = held_middle if child.is_right else task.held_start
            child.held_end = task.held_end if child.is_right else held_middle
            # A branch without labelled rows takes over the node's mean, which is summed up along the other branch.
            sibling = &left if child.is_right else &right
            child.whole = task.whole or not self.exact_sums and (
                sibling.labeled == 0 or not self.known_together) and (
                child.held_end - child.held_start < task.held_end - task.held_start)
            self.stack.push(&child)
        return 0

    cdef void add_gains(self, const Task* task, void** trees, const float64_t* side_sums,
                        const Side* side) noexcept nogil:
        """The decrease of impurity by a test, from float64 sums: what importances add up."""
        cdef const float64_t* sums = self.stack.slot(task.slot)
        cdef Gain gain = self.tests.criterion.exact_gain(sums, &task.side, side_sums, side)
        cdef intp_t c, k, target
        cdef float64_t part
        for k in range(self.tests.n_levels):
            if (task.active >> k) & 1:
                (<Tree> trees[k]).nodes[task.parent[k]].h = self.tests.level_h(k, gain)
        if not self.by_target:
            return
        for c in range(self.tests.criterion.width_t + self.tests.criterion.n_ragged):
            target = self.target_of_column[c]
            if target < 0:
                continue
            part = self.tests.criterion.target_column_gain(c, sums, &task.side, side_sums, side)
            for k in range(self.tests.n_levels):
                if (task.active >> k) & 1:
                    self.target_importances[k, task.split.feature, target] += self.tests.level_targets[k] * part
