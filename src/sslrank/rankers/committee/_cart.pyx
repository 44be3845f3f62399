"""Small classification trees, thousands of them: CART with the Gini index, grown until leaves are pure or small.

The rules are those of scikit-learn's ``DecisionTreeClassifier()``: thresholds midway between neighbouring
values, equally good splits decided by a random order of the columns, a tied leaf goes to the first class.
What makes it fast is that the order of every column is sorted once for the data set: a tree walks it, keeps
its own rows, and passes sorted rows on to the children.
"""

import numpy as np

from libc.stdlib cimport free, malloc

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint8_t, uint64_t
from sslrank.rankers.trees._random cimport next_uint64


cdef int allocate(Workspace* work, intp_t n_rows, intp_t max_rows, intp_t n_columns,
                  intp_t n_classes) noexcept nogil:
    """Memory for trees of at most `max_rows` rows; not 0 when there is none left."""
    work.rows = <int32_t*> malloc(max(n_columns, 1) * max_rows * sizeof(int32_t))
    work.moved = <int32_t*> malloc(max_rows * sizeof(int32_t))
    work.goes_left = <uint8_t*> malloc(n_rows * sizeof(uint8_t))
    work.shuffled = <int32_t*> malloc(max(n_columns, 1) * sizeof(int32_t))
    work.total = <int64_t*> malloc(3 * n_classes * sizeof(int64_t))
    work.left = work.total + n_classes
    work.right = work.left + n_classes
    work.stack = <Span*> malloc((max_rows + 1) * sizeof(Span))
    work.nodes = <Node*> malloc((2 * max_rows + 1) * sizeof(Node))
    return (work.rows == NULL or work.moved == NULL or work.goes_left == NULL or work.shuffled == NULL
            or work.total == NULL or work.stack == NULL or work.nodes == NULL)


cdef void release(Workspace* work) noexcept nogil:
    free(work.rows)
    free(work.moved)
    free(work.goes_left)
    free(work.shuffled)
    free(work.total)
    free(work.stack)
    free(work.nodes)


cdef intp_t fill(const int32_t* order, intp_t n_rows, const int32_t* columns, intp_t n_columns,
                 const int32_t* weights, Workspace* work) noexcept nogil:
    """Rows with a weight, sorted by every column, into work.rows; returns their number."""
    cdef intp_t n = 0, i, j, q
    cdef int32_t row
    cdef const int32_t* walk
    cdef int32_t* of_column
    for i in range(n_rows):
        n += weights[i] > 0
    if n_columns == 0:  # a tree without columns is a leaf, but it still has to know its rows
        i = 0
        for q in range(n_rows):
            if weights[q] > 0:
                work.rows[i] = q
                i += 1
    for j in range(n_columns):
        walk = order + columns[j] * n_rows
        of_column = work.rows + j * n
        i = 0
        for q in range(n_rows):
            row = walk[q]
            if weights[row] > 0:
                of_column[i] = row
                i += 1
    return n


cdef int32_t count_classes(const int32_t* rows, intp_t start, intp_t stop, const int32_t* weights,
                           const int32_t* labels, intp_t n_classes, Workspace* work,
                           int64_t* weight) noexcept nogil:
    """Class weights of some rows into work.total and their sum; returns the first of the largest classes."""
    cdef intp_t i
    cdef int32_t label = 0
    for i in range(n_classes):
        work.total[i] = 0
    weight[0] = 0
    for i in range(start, stop):
        work.total[labels[rows[i]]] += weights[rows[i]]
        weight[0] += weights[rows[i]]
    for i in range(1, n_classes):
        if work.total[i] > work.total[label]:
            label = i
    return label


cdef Split best_split(const float64_t* v, const int32_t* rows, intp_t start, intp_t stop,
                      const int32_t* weights, const int32_t* labels, intp_t n_classes,
                      Workspace* work) noexcept nogil:
    """The first of the best splits of sorted rows by one column; work.total holds their class weights.

    The gain is the sum over the children of the squared class weights by the child's weight; maximising it
    minimises the Gini index, and it reaches the weight of the rows when both children are pure.
    """
    cdef Split best
    cdef intp_t i, position
    cdef int32_t row, label
    cdef int64_t w, weight = 0, left_weight = 0, left_squares = 0, right_squares = 0
    cdef float64_t gain, low, high
    best.gain = -1.0
    best.threshold = 0.0
    best.middle = start
    if v[rows[start]] == v[rows[stop - 1]]:
        return best
    for i in range(n_classes):
        w = work.total[i]
        work.left[i] = 0
        work.right[i] = w
        weight += w
        right_squares += w * w
    # Invariant: left and right are the class weights of rows[start:position] and rows[position:stop], left_squares and
    # right_squares the sums of their squares.
    for position in range(start, stop - 1):
        row = rows[position]
        label = labels[row]
        w = weights[row]
        left_squares += w * (2 * work.left[label] + w)
        right_squares -= w * (2 * work.right[label] - w)
        work.left[label] += w
        work.right[label] -= w
        left_weight += w
        low = v[row]
        high = v[rows[position + 1]]
        if low < high:
            gain = (<float64_t> left_squares / <float64_t> left_weight
                    + <float64_t> right_squares / <float64_t> (weight - left_weight))
            if gain > best.gain:
                best.gain = gain
                best.middle = position + 1
                best.threshold = low / 2.0 + high / 2.0
                if not best.threshold < high:
                    best.threshold = low
    return best


cdef intp_t partition(int32_t* rows, intp_t start, intp_t stop, const uint8_t* goes_left,
                      int32_t* moved) noexcept nogil:
    """Put the rows that go left first and keep the order on both sides; returns the first on the right."""
    cdef intp_t i, kept = start, n_moved = 0
    cdef int32_t row
    # Invariant: rows[start:kept] are the left rows before i and moved[:n_moved] the right ones, in their old order.
    for i in range(start, stop):
        row = rows[i]
        if goes_left[row]:
            rows[kept] = row
            kept += 1
        else:
            moved[n_moved] = row
            n_moved += 1
    for i in range(n_moved):
        rows[kept + i] = moved[i]
    return kept


cdef inline void shuffle(int32_t* items, intp_t n, uint64_t* state) noexcept nogil:
    cdef intp_t i, j
    cdef int32_t item
    for i in range(n - 1, 0, -1):
        j = <intp_t> (next_uint64(state) % <uint64_t> (i + 1))
        item = items[i]
        items[i] = items[j]
        items[j] = item


cdef intp_t grow_filled(const float64_t* values, intp_t n_rows, intp_t n, const int32_t* columns,
                        intp_t n_columns, const int32_t* weights, const int32_t* labels,
                        intp_t n_classes, int64_t min_samples_split, uint64_t seed,
                        Workspace* work) noexcept nogil:
    """Grow a tree on the n rows in work.rows into work.nodes; returns the number of nodes."""
    cdef intp_t i, j, q, start, stop, n_stack = 1, n_nodes = 1, n_moved, best_column
    cdef int64_t weight
    cdef uint64_t state = seed
    cdef int32_t* of_column
    cdef Node* node
    cdef Split split, best

    for j in range(n_columns):
        work.shuffled[j] = j
    work.stack[0].start = 0
    work.stack[0].stop = n
    work.stack[0].node = 0
    # Invariant: the spans on the stack are disjoint, and every column's rows[start:stop] are one set of rows, sorted by
    # that column; below a node with two pure children so are those of the first column, which is all that leaves need.
    while n_stack > 0:
        n_stack -= 1
        start = work.stack[n_stack].start
        stop = work.stack[n_stack].stop
        node = work.nodes + work.stack[n_stack].node
        node.column = -1
        node.left = 0
        node.right = 0
        node.threshold = 0.0
        node.label = count_classes(work.rows, start, stop, weights, labels, n_classes, work, &weight)
        if work.total[node.label] == weight or weight < min_samples_split:
            continue

        shuffle(work.shuffled, n_columns, &state)
        best.gain = -1.0
        best_column = -1
        # Invariant: `best` is the first of the best splits by the columns before q, in shuffled order.
        for q in range(n_columns):
            j = work.shuffled[q]
            split = best_split(values + columns[j] * n_rows, work.rows + j * n, start, stop, weights, labels,
                               n_classes, work)
            if split.gain > best.gain:
                best = split
                best_column = j
                if best.gain >= <float64_t> weight:  # both children are pure: nothing is better
                    break
        if best_column < 0:
            continue

        node.column = columns[best_column]
        node.threshold = best.threshold
        node.left = n_nodes
        node.right = n_nodes + 1
        n_nodes += 2
        work.stack[n_stack].start = best.middle
        work.stack[n_stack].stop = stop
        work.stack[n_stack].node = node.right
        work.stack[n_stack + 1].start = start
        work.stack[n_stack + 1].stop = best.middle
        work.stack[n_stack + 1].node = node.left
        n_stack += 2
        of_column = work.rows + best_column * n
        for i in range(start, best.middle):
            work.goes_left[of_column[i]] = 1
        for i in range(best.middle, stop):
            work.goes_left[of_column[i]] = 0
        # two leaves to come look at the rows of column 0 only
        n_moved = 1 if best.gain >= <float64_t> weight else n_columns
        for j in range(n_moved):
            if j != best_column:
                partition(work.rows + j * n, start, stop, work.goes_left, work.moved)
    return n_nodes


cdef class Tree:
    """A grown tree, tied to the data it was grown on."""

    cdef const float64_t[:, ::1] values
    cdef Node* nodes
    cdef readonly intp_t n_nodes

    def __dealloc__(self):
        free(self.nodes)

    @property
    def columns(self):
        """Columns that the tree tests, ascending."""
        return np.unique([self.nodes[i].column for i in range(self.n_nodes)
                          if self.nodes[i].column >= 0]).astype(np.int32)

    def predict(self, const int32_t[::1] rows):
        """Class codes of some rows of the data, an int32 array."""
        out = np.empty(rows.shape[0], dtype=np.int32)
        cdef int32_t[::1] view = out
        cdef intp_t i
        with nogil:
            for i in range(rows.shape[0]):
                view[i] = predict_row(self.nodes, &self.values[0, 0], self.values.shape[1], rows[i])
        return out

    def predict_permuted(self, const int32_t[::1] rows, const int32_t[::1] donors, intp_t first,
                         intp_t last):
        """Class codes of rows whose columns ``first <= c < last`` are taken from the donor rows."""
        out = np.empty(rows.shape[0], dtype=np.int32)
        cdef int32_t[::1] view = out
        cdef intp_t i, k, row
        with nogil:
            for i in range(rows.shape[0]):
                k = 0
                while self.nodes[k].column >= 0:
                    row = donors[i] if first <= self.nodes[k].column < last else rows[i]
                    if self.values[self.nodes[k].column, row] <= self.nodes[k].threshold:
                        k = self.nodes[k].left
                    else:
                        k = self.nodes[k].right
                view[i] = self.nodes[k].label
        return out


def sort_columns(const float64_t[:, ::1] values):
    """Rows of every column in ascending order: (P, n) values give a (P, n) int32 array."""
    return np.ascontiguousarray(np.argsort(values, axis=1, kind="stable"), dtype=np.int32)


def grow(const float64_t[:, ::1] values, const int32_t[:, ::1] order, const int32_t[::1] columns,
         const int32_t[::1] weights, const int32_t[::1] labels, intp_t n_classes, uint64_t seed,
         int64_t min_samples_split=2):
    """Grow a tree.

    Parameters
    ----------
    values : array of shape (P, n), float64
        The data, one column of the design per line; no NaN.
    order : array of shape (P, n), int32
        Result of :func:`sort_columns`.
    columns : array of int32
        Columns that the tree may use, distinct.
    weights : array of shape (n,), int32
        How often each row is in the training set; at least one is positive.
    labels : array of shape (n,), int32
        Class codes in 0..n_classes-1 of the rows with a weight.
    n_classes : int
    seed : int
        In [0, 2**64); decides between equally good splits.
    min_samples_split : int, default=2
        Nodes with a smaller sum of weights are not split.

    Returns
    -------
    Tree
    """
    cdef Workspace work
    cdef Tree tree = Tree.__new__(Tree)
    cdef intp_t n = 0, i, n_rows = values.shape[1]
    cdef const int32_t* column_pointer = &columns[0] if columns.shape[0] else NULL
    for i in range(n_rows):
        n += weights[i] > 0
    if n == 0:
        raise ValueError("a tree needs at least one row with a positive weight")
    tree.values = values
    with nogil:
        if allocate(&work, n_rows, n, columns.shape[0], n_classes):
            release(&work)
            with gil:
                raise MemoryError()
        fill(&order[0, 0], n_rows, column_pointer, columns.shape[0], &weights[0], &work)
        tree.n_nodes = grow_filled(&values[0, 0], n_rows, n, column_pointer, columns.shape[0], &weights[0],
                                   &labels[0], n_classes, min_samples_split, seed, &work)
        tree.nodes = <Node*> malloc(tree.n_nodes * sizeof(Node))
        if tree.nodes != NULL:
            for i in range(tree.n_nodes):
                tree.nodes[i] = work.nodes[i]
        release(&work)
    if tree.nodes == NULL:
        raise MemoryError()
    return tree
