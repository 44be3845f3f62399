"""One step of a sequential forward search with the compiled tree.

A candidate changes the tree of the selected columns only where it splits a node at least as well as they do.
So that tree is grown once per fold, with the sorted rows of every node kept; a candidate is passed down it,
and a subtree is grown anew only below the nodes that the candidate takes.
"""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint64_t
from sslrank.rankers.committee._cart cimport (
    Span, Split, Workspace, allocate, best_split, count_classes, fill, grow_filled, partition, predict_row,
    release,
)
from sslrank.rankers.trees._random cimport next_uint64

cdef struct SharedNode:
    int32_t column  # the split by a selected column; -1 in a leaf
    int32_t left
    int32_t right
    int32_t label
    int32_t is_final  # pure or too small to split, whatever the candidate
    float64_t threshold
    float64_t gain
    intp_t n  # training rows
    intp_t offset  # of the (selected columns, n) sorted rows in the pool
    intp_t first  # test rows first..last-1 of the fold's list
    intp_t last
    int64_t errors  # test rows that the tree of the selected columns gets wrong below here


cdef struct Shared:
    # The tree of the selected columns for one fold.
    SharedNode* nodes
    intp_t n_nodes
    int32_t* pool
    intp_t used
    intp_t room
    intp_t n_train
    int32_t* test
    intp_t n_test


cdef struct Problem:
    const float64_t* values
    const int32_t* order
    intp_t n_rows
    const int32_t* labels
    intp_t n_classes
    int64_t min_samples_split
    int32_t* ones  # the weight of every row, where the tree's code asks for weights


cdef intp_t keep(Shared* tree, const int32_t* rows, intp_t stride, intp_t start, intp_t stop,
                 intp_t n_columns) noexcept nogil:
    """Copy a node's sorted rows to the pool; returns the offset, or -1 without memory."""
    cdef intp_t j, n = stop - start, offset = tree.used
    cdef int32_t* larger
    if offset + n * n_columns > tree.room:
        tree.room = 2 * (offset + n * n_columns)
        larger = <int32_t*> realloc(tree.pool, tree.room * sizeof(int32_t))
        if larger == NULL:
            return -1
        tree.pool = larger
    for j in range(n_columns):
        memcpy(tree.pool + offset + j * n, rows + j * stride + start, n * sizeof(int32_t))
    tree.used += n * n_columns
    return offset


cdef int build(Problem* problem, const int32_t* columns, intp_t n_columns, const int32_t* weights,
               const int32_t* folds, int32_t fold, uint64_t seed, Workspace* work,
               Shared* tree) noexcept nogil:
    """Grow the tree of the selected columns on all folds but one; not 0 without memory."""
    cdef intp_t i, j, q, n, start, stop, n_stack = 1, best_column, middle
    cdef int64_t weight
    cdef int32_t row, label
    cdef uint64_t ties, state = seed
    cdef SharedNode* node
    cdef Split split, best
    cdef const float64_t* v
    n = fill(problem.order, problem.n_rows, columns, n_columns, weights, work)
    tree.n_nodes = 0
    tree.used = 0
    tree.n_train = n
    tree.n_test = 0
    for i in range(problem.n_rows):
        if folds[i] == fold:
            tree.test[tree.n_test] = i
            tree.n_test += 1
    if n == 0:
        return 0
    tree.n_nodes = 1
    tree.nodes[0].first = 0
    tree.nodes[0].last = tree.n_test
    work.stack[0].start = 0
    work.stack[0].stop = n
    work.stack[0].node = 0
    while n_stack > 0:
        n_stack -= 1
        start = work.stack[n_stack].start
        stop = work.stack[n_stack].stop
        node = tree.nodes + work.stack[n_stack].node
        label = count_classes(work.rows, start, stop, problem.ones, problem.labels, problem.n_classes, work,
                              &weight)
        node.label = label
        node.is_final = work.total[label] == weight or weight < problem.min_samples_split
        node.column = -1
        node.gain = -1.0
        node.n = stop - start
        node.offset = 0
        node.errors = 0
        for i in range(node.first, node.last):
            node.errors += problem.labels[tree.test[i]] != label
        if node.is_final:
            continue
        node.offset = keep(tree, work.rows, n, start, stop, n_columns)
        if node.offset < 0:
            return 1
        best.gain = -1.0
        best_column = -1
        ties = 0
        for j in range(n_columns):
            split = best_split(problem.values + columns[j] * problem.n_rows, work.rows + j * n, start, stop,
                               problem.ones, problem.labels, problem.n_classes, work)
            if split.gain < 0.0 or split.gain < best.gain:
                continue
            ties = ties + 1 if split.gain == best.gain else 1
            if ties == 1 or next_uint64(&state) % ties == 0:
                best = split
                best_column = j
        if best_column < 0:
            continue
        node.column = columns[best_column]
        node.threshold = best.threshold
        node.gain = best.gain
        node.left = tree.n_nodes
        node.right = tree.n_nodes + 1
        tree.n_nodes += 2
        v = problem.values + node.column * problem.n_rows
        for i in range(start, stop):
            row = work.rows[i]
            work.goes_left[row] = v[row] <= node.threshold
        for j in range(n_columns):
            partition(work.rows + j * n, start, stop, work.goes_left, work.moved)
        middle = best.middle
        for i in range(node.first, node.last):
            work.goes_left[tree.test[i]] = v[tree.test[i]] <= node.threshold
        q = partition(tree.test, node.first, node.last, work.goes_left, work.moved)
        tree.nodes[node.left].first = node.first
        tree.nodes[node.left].last = q
        tree.nodes[node.right].first = q
        tree.nodes[node.right].last = node.last
        work.stack[n_stack].start = middle
        work.stack[n_stack].stop = stop
        work.stack[n_stack].node = node.right
        work.stack[n_stack + 1].start = start
        work.stack[n_stack + 1].stop = middle
        work.stack[n_stack + 1].node = node.left
        n_stack += 2
    for i in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        node = tree.nodes + i
        if node.column >= 0:
            node.errors = tree.nodes[node.left].errors + tree.nodes[node.right].errors
    return 0


cdef int64_t errors_with(Problem* problem, Shared* tree, const int32_t* columns, intp_t n_selected,
                         intp_t n_columns, const int32_t* weights, int64_t limit, uint64_t seed,
                         int32_t* rows, int32_t* live, Span* stack, Workspace* work) noexcept nogil:
    """Test errors of one fold when the columns after the first `n_selected` join; counts up to `limit`."""
    cdef intp_t i, j, start, stop, middle = 0, n, n_stack = 1, n_train = tree.n_train
    cdef intp_t n_live, n_new = n_columns - n_selected
    cdef const int32_t* kept
    cdef int64_t errors = 0, weight
    cdef int32_t number, row
    cdef float64_t gain
    cdef bint varies
    cdef SharedNode* node
    cdef Split split
    cdef const float64_t* v
    if n_train == 0:
        return 0
    for j in range(n_new):  # the training rows, sorted by each new column
        fill_one(problem, columns[n_selected + j], weights, rows + j * n_train)
    stack[0].start = 0
    stack[0].stop = n_train
    stack[0].node = 0
    while n_stack > 0 and errors < limit:
        n_stack -= 1
        start = stack[n_stack].start
        stop = stack[n_stack].stop
        number = stack[n_stack].node
        node = tree.nodes + number
        if node.first == node.last:
            continue
        varies = False
        for j in range(n_new):
            v = problem.values + columns[n_selected + j] * problem.n_rows
            varies = varies or v[rows[j * n_train + start]] < v[rows[j * n_train + stop - 1]]
        if node.is_final or not varies:
            errors += node.errors
            continue
        count_classes(rows, start, stop, problem.ones, problem.labels, problem.n_classes, work, &weight)
        gain = -1.0
        for j in range(n_new):
            split = best_split(problem.values + columns[n_selected + j] * problem.n_rows,
                               rows + j * n_train, start, stop, problem.ones, problem.labels,
                               problem.n_classes, work)
            gain = max(gain, split.gain)
        if gain >= node.gain:
            n = node.n
            n_live = 0  # a column that does not vary in the node cannot split it
            for j in range(n_selected):
                kept = tree.pool + node.offset + j * n
                v = problem.values + columns[j] * problem.n_rows
                if v[kept[0]] < v[kept[n - 1]]:
                    memcpy(work.rows + n_live * n, kept, n * sizeof(int32_t))
                    live[n_live] = columns[j]
                    n_live += 1
            for j in range(n_new):
                memcpy(work.rows + n_live * n, rows + j * n_train + start, n * sizeof(int32_t))
                live[n_live] = columns[n_selected + j]
                n_live += 1
            grow_filled(problem.values, problem.n_rows, n, live, n_live, problem.ones, problem.labels,
                        problem.n_classes, problem.min_samples_split, seed + <uint64_t> number, work)
            for i in range(node.first, node.last):
                row = tree.test[i]
                errors += (predict_row(work.nodes, problem.values, problem.n_rows, row)
                           != problem.labels[row])
            continue
        v = problem.values + node.column * problem.n_rows
        for i in range(start, stop):
            row = rows[i]
            work.goes_left[row] = v[row] <= node.threshold
        for j in range(n_new):
            middle = partition(rows + j * n_train, start, stop, work.goes_left, work.moved)
        stack[n_stack].start = middle
        stack[n_stack].stop = stop
        stack[n_stack].node = node.right
        stack[n_stack + 1].start = start
        stack[n_stack + 1].stop = middle
        stack[n_stack + 1].node = node.left
        n_stack += 2
    return errors


cdef inline void fill_one(Problem* problem, intp_t column, const int32_t* weights,
                          int32_t* rows) noexcept nogil:
    cdef intp_t i, n = 0
    cdef const int32_t* walk = problem.order + column * problem.n_rows
    for i in range(problem.n_rows):
        rows[n] = walk[i]
        n += weights[walk[i]] > 0


def forward_step(const float64_t[:, ::1] values, const int32_t[:, ::1] order, const int32_t[::1] selected,
                 const int32_t[::1] candidates, const int32_t[::1] starts, const int32_t[::1] folds,
                 intp_t n_folds, const int32_t[::1] labels, intp_t n_classes, uint64_t seed,
                 int64_t min_samples_split=2):
    """The candidate feature that helps the selected columns most, by cross-validated errors of the tree.

    Parameters
    ----------
    values, order, labels, n_classes, seed, min_samples_split
        As in :func:`sslrank.rankers.committee._cart.grow`.
    selected : array of int32
        Columns already chosen.
    candidates : array of int32
        Features to try, at least one; the first of equally good ones wins, so their order decides ties.
    starts : array of shape (D + 1,), int32
        Feature f has the columns ``starts[f] <= c < starts[f + 1]``.
    folds : array of shape (n,), int32
        Fold of each row, -1 for a row that takes no part.
    n_folds : int
        At least 1.

    Returns
    -------
    best : int
        The feature.
    errors : int
        Its number of misclassified rows.
    """
    cdef Workspace work
    cdef Problem problem
    cdef intp_t n_rows = values.shape[1], n_selected = selected.shape[0]
    cdef intp_t i, c, f, fold, n_columns, n_used = 0, widest = 0, best = -1
    cdef int64_t errors, fewest
    cdef int32_t* columns
    cdef int32_t* live
    cdef int32_t* weights
    cdef int32_t* rows
    cdef Span* stack
    cdef Shared* trees
    cdef bint failed
    for i in range(candidates.shape[0]):
        widest = max(widest, starts[candidates[i] + 1] - starts[candidates[i]])
    for i in range(n_rows):
        n_used += folds[i] >= 0
    if n_used == 0 or candidates.shape[0] == 0:
        raise ValueError("a forward step needs a candidate and rows to judge it by")
    fewest = n_used + 1
    problem.values = &values[0, 0]
    problem.order = &order[0, 0]
    problem.n_rows = n_rows
    problem.labels = &labels[0]
    problem.n_classes = n_classes
    problem.min_samples_split = min_samples_split
    with nogil:
        columns = <int32_t*> malloc((n_selected + widest) * sizeof(int32_t))
        live = <int32_t*> malloc((n_selected + widest) * sizeof(int32_t))
        weights = <int32_t*> malloc(n_folds * n_rows * sizeof(int32_t))
        # a sorted column is written up to one position beyond its rows
        rows = <int32_t*> malloc((widest * n_used + 1) * sizeof(int32_t))
        stack = <Span*> malloc((n_used + 1) * sizeof(Span))
        problem.ones = <int32_t*> malloc(n_rows * sizeof(int32_t))
        trees = <Shared*> malloc(n_folds * sizeof(Shared))
        failed = allocate(&work, n_rows, n_used, n_selected + widest, n_classes) != 0
        failed = (failed or columns == NULL or live == NULL or weights == NULL or rows == NULL
                  or stack == NULL or problem.ones == NULL or trees == NULL)
        if trees != NULL:
            for fold in range(n_folds):
                trees[fold].pool = NULL
                trees[fold].room = 0
                trees[fold].nodes = <SharedNode*> malloc((2 * n_used + 1) * sizeof(SharedNode))
                trees[fold].test = <int32_t*> malloc(n_used * sizeof(int32_t))
                failed = failed or trees[fold].nodes == NULL or trees[fold].test == NULL
        if not failed:
            for i in range(n_rows):
                problem.ones[i] = 1
            for i in range(n_selected):
                columns[i] = selected[i]
            for fold in range(n_folds):
                for i in range(n_rows):
                    weights[fold * n_rows + i] = folds[i] >= 0 and folds[i] != fold
                failed = failed or build(&problem, columns, n_selected, weights + fold * n_rows, &folds[0],
                                         fold, seed + <uint64_t> fold, &work, trees + fold) != 0
        if not failed:
            for c in range(candidates.shape[0]):
                f = candidates[c]
                n_columns = n_selected
                for i in range(starts[f], starts[f + 1]):
                    columns[n_columns] = i
                    n_columns += 1
                errors = 0
                for fold in range(n_folds):
                    errors += errors_with(&problem, trees + fold, columns, n_selected, n_columns,
                                          weights + fold * n_rows, fewest - errors,
                                          seed + 7919 * <uint64_t> (fold + 1), rows, live, stack,
                                          &work)
                    if errors >= fewest:  # cannot win any more
                        break
                if errors < fewest:
                    fewest = errors
                    best = f
                    if fewest == 0:
                        break
        release(&work)
        free(columns)
        free(live)
        free(weights)
        free(rows)
        free(stack)
        free(problem.ones)
        if trees != NULL:
            for fold in range(n_folds):
                free(trees[fold].pool)
                free(trees[fold].nodes)
                free(trees[fold].test)
        free(trees)
    if failed:
        raise MemoryError()
    return best, fewest
