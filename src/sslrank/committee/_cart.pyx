"""Small classification trees, thousands of them: CART with the Gini index, grown until the leaves are pure.

The rules are those of scikit-learn's ``DecisionTreeClassifier()``: thresholds midway between neighbouring
values, equally good splits decided by a random order of the columns, a tied leaf goes to the first class.
What makes it fast is that the order of every column is sorted once for the data set: a tree walks it, keeps
its own rows, and passes sorted rows on to the children.
"""

import numpy as np

from libc.stdlib cimport free, malloc

from sslrank._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint8_t, uint64_t

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
    # Reused by every tree of a call; `max_rows` distinct rows of the `n_rows` may be in a tree.
    intp_t max_rows
    int32_t* rows  # (columns, rows of the tree), sorted by column
    int32_t* moved
    uint8_t* goes_left
    int32_t* shuffled
    int64_t* total
    int64_t* left
    int64_t* right
    Span* stack
    Node* nodes


cdef int allocate(Workspace* work, intp_t n_rows, intp_t max_rows, intp_t n_columns,
                  intp_t n_classes) noexcept nogil:
    work.max_rows = max_rows
    work.rows = <int32_t*> malloc(max(n_columns * max_rows, 1) * sizeof(int32_t))
    work.moved = <int32_t*> malloc(max(max_rows, 1) * sizeof(int32_t))
    work.goes_left = <uint8_t*> malloc(max(n_rows, 1) * sizeof(uint8_t))
    work.shuffled = <int32_t*> malloc(max(n_columns, 1) * sizeof(int32_t))
    work.total = <int64_t*> malloc(3 * max(n_classes, 1) * sizeof(int64_t))
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


cdef inline uint64_t random_bits(uint64_t* state) noexcept nogil:
    # splitmix64: any state is a good one, so a seed needs no warming up
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void shuffle(int32_t* items, intp_t n, uint64_t* state) noexcept nogil:
    cdef intp_t i, j
    cdef int32_t item
    for i in range(n - 1, 0, -1):
        j = <intp_t> (random_bits(state) % <uint64_t> (i + 1))
        item = items[i]
        items[i] = items[j]
        items[j] = item


cdef intp_t grow_nodes(const float64_t* values, const int32_t* order, intp_t n_rows,
                       const int32_t* columns, intp_t n_columns, const int32_t* weights,
                       const int32_t* labels, intp_t n_classes, uint64_t seed,
                       Workspace* work) noexcept nogil:
    """Grow one tree into work.nodes; returns the number of nodes (0 when no row has a weight)."""
    cdef intp_t n = 0, i, j, q, position, start, stop, middle, n_stack = 1, n_nodes = 1, n_moved, kept
    cdef int32_t row, best_column, label
    cdef int64_t w, weight, left_weight, squares, left_squares, right_squares, size
    cdef float64_t best, proxy, low, high, threshold
    cdef uint64_t state = seed
    cdef const int32_t* walk
    cdef int32_t* of_column
    cdef const float64_t* v
    cdef Node* node

    for i in range(n_rows):
        n += weights[i] > 0
    if n == 0:
        return 0
    for j in range(n_columns):
        walk = order + columns[j] * n_rows
        of_column = work.rows + j * n
        i = 0
        for q in range(n_rows):
            row = walk[q]
            if weights[row] > 0:
                of_column[i] = row
                i += 1
        work.shuffled[j] = j
    if n_columns == 0:  # a tree without columns is a leaf, but it still has to know its rows
        i = 0
        for q in range(n_rows):
            if weights[q] > 0:
                work.moved[i] = q
                i += 1

    work.stack[0].start = 0
    work.stack[0].stop = n
    work.stack[0].node = 0
    while n_stack > 0:
        n_stack -= 1
        start = work.stack[n_stack].start
        stop = work.stack[n_stack].stop
        node = work.nodes + work.stack[n_stack].node
        of_column = work.rows if n_columns > 0 else work.moved
        for i in range(n_classes):
            work.total[i] = 0
        for i in range(start, stop):
            row = of_column[i]
            work.total[labels[row]] += weights[row]
        weight = 0
        squares = 0
        size = -1
        label = 0
        for i in range(n_classes):
            w = work.total[i]
            weight += w
            squares += w * w
            if w > size:
                size = w
                label = i
        node.column = -1
        node.left = 0
        node.right = 0
        node.label = label
        node.threshold = 0.0
        if size == weight:
            continue

        # the best split; maximising the sum of squared class counts per child minimises the Gini index
        shuffle(work.shuffled, n_columns, &state)
        best = -1.0
        best_column = -1
        middle = start
        threshold = 0.0
        for q in range(n_columns):
            j = work.shuffled[q]
            of_column = work.rows + j * n
            v = values + columns[j] * n_rows
            if v[of_column[start]] == v[of_column[stop - 1]]:
                continue
            for i in range(n_classes):
                work.left[i] = 0
                work.right[i] = work.total[i]
            left_weight = 0
            left_squares = 0
            right_squares = squares
            for position in range(start, stop - 1):
                row = of_column[position]
                label = labels[row]
                w = weights[row]
                left_squares += w * (2 * work.left[label] + w)
                right_squares -= w * (2 * work.right[label] - w)
                work.left[label] += w
                work.right[label] -= w
                left_weight += w
                low = v[row]
                high = v[of_column[position + 1]]
                if low < high:
                    proxy = (<float64_t> left_squares / <float64_t> left_weight
                             + <float64_t> right_squares / <float64_t> (weight - left_weight))
                    if proxy > best:
                        best = proxy
                        best_column = j
                        middle = position + 1
                        threshold = low / 2.0 + high / 2.0
                        if not threshold < high:
                            threshold = low
            if best >= <float64_t> weight:  # both children are pure: nothing is better
                break
        if best_column < 0:
            continue

        of_column = work.rows + best_column * n
        node.column = columns[best_column]
        node.threshold = threshold
        node.left = n_nodes
        node.right = n_nodes + 1
        n_nodes += 2
        work.stack[n_stack].start = middle
        work.stack[n_stack].stop = stop
        work.stack[n_stack].node = node.right
        work.stack[n_stack + 1].start = start
        work.stack[n_stack + 1].stop = middle
        work.stack[n_stack + 1].node = node.left
        n_stack += 2
        if best >= <float64_t> weight:  # two leaves to come: they look at the rows of column 0 only
            n_moved = 1
        else:
            n_moved = n_columns
        for i in range(start, middle):
            work.goes_left[of_column[i]] = 1
        for i in range(middle, stop):
            work.goes_left[of_column[i]] = 0
        for j in range(n_moved):
            if j == best_column:
                continue
            of_column = work.rows + j * n
            kept = start
            q = 0
            for i in range(start, stop):
                row = of_column[i]
                if work.goes_left[row]:
                    of_column[kept] = row
                    kept += 1
                else:
                    work.moved[q] = row
                    q += 1
            for i in range(q):
                of_column[kept + i] = work.moved[i]
    return n_nodes


cdef inline int32_t predict_row(const Node* nodes, const float64_t* values, intp_t n_rows,
                                intp_t row) noexcept nogil:
    cdef intp_t i = 0
    while nodes[i].column >= 0:
        if values[nodes[i].column * n_rows + row] <= nodes[i].threshold:
            i = nodes[i].left
        else:
            i = nodes[i].right
    return nodes[i].label


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
         const int32_t[::1] weights, const int32_t[::1] labels, intp_t n_classes, uint64_t seed):
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
        tree.n_nodes = grow_nodes(&values[0, 0], &order[0, 0], n_rows, column_pointer, columns.shape[0],
                                  &weights[0], &labels[0], n_classes, seed, &work)
        tree.nodes = <Node*> malloc(tree.n_nodes * sizeof(Node))
        if tree.nodes != NULL:
            for i in range(tree.n_nodes):
                tree.nodes[i] = work.nodes[i]
        release(&work)
    if tree.nodes == NULL:
        raise MemoryError()
    return tree


def forward_step(const float64_t[:, ::1] values, const int32_t[:, ::1] order, const int32_t[::1] selected,
                 const int32_t[::1] candidates, const int32_t[::1] starts, const int32_t[::1] folds,
                 intp_t n_folds, const int32_t[::1] labels, intp_t n_classes, uint64_t seed):
    """The candidate feature that helps the selected columns most, by cross-validated errors of the tree.

    Parameters
    ----------
    values, order, labels, n_classes, seed
        As in :func:`grow`.
    selected : array of int32
        Columns already chosen.
    candidates : array of int32
        Features to try; the first of equally good ones wins, so their order decides ties.
    starts : array of shape (D + 1,), int32
        Feature f has the columns ``starts[f] <= c < starts[f + 1]``.
    folds : array of shape (n,), int32
        Fold of each row, -1 for a row that takes no part.
    n_folds : int
        At least 2.

    Returns
    -------
    best : int
        The feature.
    errors : int
        Its number of misclassified rows.
    """
    cdef Workspace work
    cdef intp_t n_rows = values.shape[1], n_selected = selected.shape[0]
    cdef intp_t i, c, f, fold, n_columns, widest = 0, best = -1
    cdef int64_t errors, fewest = n_rows + 1
    cdef int32_t* columns
    cdef int32_t* weights
    for i in range(candidates.shape[0]):
        widest = max(widest, starts[candidates[i] + 1] - starts[candidates[i]])
    with nogil:
        columns = <int32_t*> malloc(max(n_selected + widest, 1) * sizeof(int32_t))
        weights = <int32_t*> malloc(max(n_rows, 1) * sizeof(int32_t))
        if (allocate(&work, n_rows, n_rows, n_selected + widest, n_classes) or columns == NULL
                or weights == NULL):
            release(&work)
            free(columns)
            free(weights)
            with gil:
                raise MemoryError()
        for i in range(n_selected):
            columns[i] = selected[i]
        for c in range(candidates.shape[0]):
            f = candidates[c]
            n_columns = n_selected
            for i in range(starts[f], starts[f + 1]):
                columns[n_columns] = i
                n_columns += 1
            errors = 0
            for fold in range(n_folds):
                for i in range(n_rows):
                    weights[i] = folds[i] >= 0 and folds[i] != fold
                if grow_nodes(&values[0, 0], &order[0, 0], n_rows, columns, n_columns, weights, &labels[0],
                              n_classes, seed + <uint64_t> fold, &work) == 0:
                    continue
                for i in range(n_rows):
                    if folds[i] == fold:
                        errors += predict_row(work.nodes, &values[0, 0], n_rows, i) != labels[i]
                if errors >= fewest:  # cannot win any more
                    break
            if errors < fewest:
                fewest = errors
                best = f
                if fewest == 0:
                    break
        release(&work)
        free(columns)
        free(weights)
    return best, fewest
