"""Prediction with a tree, and the permutation score of Eq. (4), paper ssl-ranking.

Permuting feature f changes the prediction of a row only if a test of f on the row's way down turns out the
other way, and then from the first such test on. So one walk per row, with a detour for every feature that
leads off it, serves all features at once.

The permutation: out-of-bag rows are shuffled once per tree, and a row takes the value of feature f from the
row that is r_f positions further in this circle, r_f drawn for every feature. No row keeps its own value.
"""

import numpy as np

from libc.math cimport sqrt

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._random cimport mix, next_below
from sslrank.rankers.trees._table cimport MISSING, FeatureTable
from sslrank.rankers.trees._tree cimport Node, Tree


cdef inline bint coded_right(Tree tree, const Node* node, int32_t code) noexcept nogil:
    if code == MISSING:
        return node.missing_right
    if node.subset >= 0:
        return (tree.words[node.subset + (code >> 6)] >> (code & 63)) & 1
    return code > node.code


cdef inline int32_t code_of(FeatureTable table, const int32_t* dense, intp_t feature,
                            intp_t row) noexcept nogil:
    """`table.code` without a call where the table has the codes in the array `dense`."""
    return table.code(feature, row) if dense == NULL else dense[feature * table.n_rows + row]


cdef inline const int32_t* dense_codes(FeatureTable table) noexcept nogil:
    return NULL if table.sparse or table.n_rows == 0 or table.n_features == 0 else &table.codes[0, 0]


cdef int32_t coded_leaf(Tree tree, FeatureTable table, intp_t node, intp_t row, intp_t permuted,
                        intp_t donor) noexcept nogil:
    """The leaf of a coded row, from `node` down; the value of feature `permuted` comes from row `donor`."""
    cdef const Node* nodes = tree.nodes
    cdef const Node* at = &nodes[node]
    cdef const int32_t* dense = dense_codes(table)
    cdef intp_t feature
    cdef int32_t code
    while at.left >= 0:
        feature = at.feature
        code = code_of(table, dense, feature, donor if feature == permuted else row)
        node = at.right if coded_right(tree, at, code) else at.left
        at = &nodes[node]
    return <int32_t> node


def apply_coded(Tree tree, FeatureTable table, const int32_t[::1] rows):
    """Leaf of every listed row of the table, shape (len(rows),), int32."""
    leaves = np.empty(len(rows), dtype=np.int32)
    cdef int32_t[::1] out = leaves
    cdef intp_t i
    with nogil:
        for i in range(rows.shape[0]):
            out[i] = coded_leaf(tree, table, 0, rows[i], -1, -1)
    return leaves


def apply_values(Tree tree, const float64_t[:, ::1] X):
    """Leaf of every row of X (numbers, category codes in nominal columns, NaN missing), int32.

    A category that the tree never saw goes left.
    """
    leaves = np.empty(X.shape[0], dtype=np.int32)
    cdef int32_t[::1] out = leaves
    cdef intp_t i, node, code
    cdef const Node* at
    cdef float64_t x
    cdef bint right
    with nogil:
        for i in range(X.shape[0]):
            node = 0
            at = &tree.nodes[0]
            while at.left >= 0:
                x = X[i, at.feature]
                if x != x:
                    right = at.missing_right
                elif at.subset >= 0:
                    code = <intp_t> x
                    right = 0 <= code < 64 * tree.n_words and (
                        tree.words[at.subset + (code >> 6)] >> (code & 63)) & 1
                else:
                    right = x > at.threshold
                node = at.right if right else at.left
                at = &tree.nodes[node]
            out[i] = <int32_t> node
    return leaves


def add_values(Tree tree, const int32_t[::1] leaves, float64_t[:, ::1] out):
    """Add every row's prototype to `out`, shape (n, n_values)."""
    cdef intp_t i, j
    cdef const float64_t* value
    with nogil:
        for i in range(leaves.shape[0]):
            value = tree.mean_value + leaves[i] * tree.n_values
            for j in range(tree.n_values):
                out[i, j] += value[j]


cdef class _Errors:
    # Error counts of the unpermuted rows (slot 0) and changes by permuting the feature of slot 1, 2, ...
    cdef Tree tree
    cdef const float64_t[:, ::1] y

    cdef void move(self, intp_t slot, intp_t row, intp_t old, intp_t new) noexcept nogil:
        """Row `row` is predicted by leaf `new` instead of `old` (-1: was not predicted before)."""
        pass

    cdef float64_t measure(self, intp_t slot) noexcept nogil:
        return 0


cdef class _SquaredErrors(_Errors):
    """RRMSE: mean over targets of sqrt(mean squared error / variance), over the out-of-bag rows."""
    cdef float64_t[:, ::1] squares
    cdef float64_t[::1] variance     # times the number of known values: total squares about the mean
    cdef int64_t[::1] known

    def __init__(self, Tree tree, y, oob, intp_t n_slots):
        self.tree = tree
        self.y = y
        self.squares = np.zeros((n_slots, y.shape[1]))
        known = ~np.isnan(y[oob])
        values = np.where(known, y[oob], 0)
        self.known = known.sum(axis=0)
        count = np.maximum(self.known, 1)
        mean = values.sum(axis=0) / count
        self.variance = (np.where(known, values - mean, 0) ** 2).sum(axis=0)

    cdef void move(self, intp_t slot, intp_t row, intp_t old, intp_t new) noexcept nogil:
        cdef intp_t j, v = self.y.shape[1]
        cdef float64_t y, d
        for j in range(v):
            y = self.y[row, j]
            if y == y:
                d = y - self.tree.mean_value[new * v + j]
                self.squares[slot, j] += d * d
                if old >= 0:
                    d = y - self.tree.mean_value[old * v + j]
                    self.squares[slot, j] -= d * d

    cdef float64_t measure(self, intp_t slot) noexcept nogil:
        cdef intp_t j, used = 0
        cdef float64_t total = 0, squares
        for j in range(self.y.shape[1]):
            if self.known[j] == 0:
                continue
            used += 1
            squares = max(self.squares[0, j] + (self.squares[slot, j] if slot else 0), 0)
            if self.variance[j] > 0:
                total += sqrt(squares / self.variance[j])
            else:  # as sslrank.metrics.single.rrmse defines it
                total += 1 if squares > 1e-12 else 0
        return total / used if used else 0


cdef class _ClassErrors(_Errors):
    """Macro-averaged F1 over the classes that occur or are predicted."""
    cdef int32_t[::1] winner         # of every node
    cdef int32_t[::1] true_class     # of the out-of-bag rows, by row
    cdef float64_t[:, ::1] hits
    cdef float64_t[:, ::1] predicted
    cdef float64_t[::1] actual

    def __init__(self, Tree tree, y, oob, intp_t n_slots):
        self.tree = tree
        self.y = y
        self.winner = np.argmax(tree.value, axis=1).astype(np.int32)
        classes = np.argmax(y[oob], axis=1)
        all_rows = np.zeros(len(y), dtype=np.int32)
        all_rows[oob] = classes
        self.true_class = all_rows
        n_classes = y.shape[1]
        self.hits = np.zeros((n_slots, n_classes))
        self.predicted = np.zeros((n_slots, n_classes))
        self.actual = np.bincount(classes, minlength=n_classes).astype(np.float64)

    cdef void move(self, intp_t slot, intp_t row, intp_t old, intp_t new) noexcept nogil:
        cdef intp_t before = self.winner[old] if old >= 0 else -1, after = self.winner[new]
        cdef intp_t actual = self.true_class[row]
        if before == after:
            return
        self.predicted[slot, after] += 1
        self.hits[slot, after] += after == actual
        if before >= 0:
            self.predicted[slot, before] -= 1
            self.hits[slot, before] -= before == actual

    cdef float64_t measure(self, intp_t slot) noexcept nogil:
        cdef intp_t c, classes = 0
        cdef float64_t total = 0, hits, predicted
        for c in range(self.y.shape[1]):
            hits = self.hits[0, c] + (self.hits[slot, c] if slot else 0)
            predicted = self.predicted[0, c] + (self.predicted[slot, c] if slot else 0)
            if self.actual[c] + predicted > 0:
                classes += 1
                total += 2 * hits / (self.actual[c] + predicted)
        return total / classes if classes else 0


cdef class _LabelErrors(_Errors):
    """Area under the micro-averaged precision-recall curve (average precision over all row-label pairs).

    A tree has few distinct label scores; pairs are counted by score, positive scores only. Pairs with score 0
    are the rest and reach the threshold last, with the precision of all pairs.
    """
    cdef int32_t[::1] group_start     # node -> its labels with a positive score
    cdef int32_t[::1] label
    cdef int32_t[::1] group           # their position in the descending list of scores
    cdef intp_t n_scores
    cdef float64_t[:, ::1] pairs
    cdef float64_t[:, ::1] positives
    cdef float64_t all_pairs
    cdef float64_t all_positives

    def __init__(self, Tree tree, y, oob, intp_t n_slots):
        self.tree = tree
        self.y = y
        value = tree.value
        value[np.asarray(tree.children_left) >= 0] = 0
        node, label = np.nonzero(value > 0)
        scores, inverse = np.unique(value[node, label], return_inverse=True)
        self.n_scores = len(scores)
        self.group = (len(scores) - 1 - inverse).astype(np.int32)
        self.label = label.astype(np.int32)
        self.group_start = np.concatenate(
            [[0], np.cumsum(np.bincount(node, minlength=tree.node_count))]).astype(np.int32)
        self.pairs = np.zeros((n_slots, max(len(scores), 1)))
        self.positives = np.zeros((n_slots, max(len(scores), 1)))
        known = ~np.isnan(y[oob])
        self.all_pairs = known.sum()
        self.all_positives = np.nansum(y[oob])

    cdef void count(self, intp_t slot, intp_t row, intp_t leaf, float64_t sign) noexcept nogil:
        cdef intp_t i
        cdef float64_t y
        for i in range(self.group_start[leaf], self.group_start[leaf + 1]):
            y = self.y[row, self.label[i]]
            if y == y:
                self.pairs[slot, self.group[i]] += sign
                self.positives[slot, self.group[i]] += sign * y

    cdef void move(self, intp_t slot, intp_t row, intp_t old, intp_t new) noexcept nogil:
        self.count(slot, row, new, 1)
        if old >= 0:
            self.count(slot, row, old, -1)

    cdef float64_t measure(self, intp_t slot) noexcept nogil:
        cdef intp_t g
        cdef float64_t pairs = 0, positives = 0, more, total = 0
        if self.all_positives <= 0:
            return 0
        # Invariant: `pairs` and `positives` count the pairs with the g highest scores; `total` is the area so far.
        for g in range(self.n_scores):
            more = self.positives[0, g] + (self.positives[slot, g] if slot else 0)
            pairs += self.pairs[0, g] + (self.pairs[slot, g] if slot else 0)
            positives += more
            if more > 0:
                total += more * positives / pairs
        more = self.all_positives - positives
        if more > 0:
            total += more * self.all_positives / self.all_pairs
        return total / self.all_positives


def permutation_score(Tree tree, FeatureTable table, const int32_t[::1] oob, const uint8_t[::1] labeled,
                      y, str task, uint64_t seed):
    """Eq. (4) for one tree: relative worsening of the error when one feature is permuted.

    Parameters
    ----------
    tree : Tree
    table : FeatureTable
    oob : ndarray of int32
        Rows out of the bag. The labelled ones are predicted, all of them donate values.
    labeled : ndarray of shape (n_rows,), uint8
    y : ndarray of shape (n_rows, n_values), float64
        Targets, or one column per class.
    task : str
        Sets the error: RRMSE (regression, multitarget), macro F1 (classification), micro-averaged AUPRC (multilabel,
        hierarchical).
    seed : int

    Returns
    -------
    ndarray of shape (D,)
        Positive if permuting makes the error worse. (e' - e) / e for a loss, (e - e') / e for a gain; where
        e = 0 the difference itself, since 1 is the scale of all three measures. Features that are not in the
        tree have 0, and all have if no labelled row is out of the bag.
    """
    scores = np.zeros(table.n_features)
    cdef float64_t[::1] out = scores
    cdef intp_t n = oob.shape[0], i, j, f, slot, row, donor, n_slots, s
    cdef intp_t leaf, moved
    cdef bint right
    cdef const int32_t* dense = dense_codes(table)
    cdef int32_t swap
    cdef uint64_t stream = mix(seed ^ <uint64_t> 0x5DEECE66D)
    rows = np.asarray(oob)
    evaluated = rows[np.asarray(labeled)[rows].astype(bool)]
    used = np.zeros(table.n_features, dtype=np.uint8)
    cdef uint8_t[::1] is_used = used
    for i in range(tree.node_count):
        if tree.nodes[i].feature >= 0:
            is_used[tree.nodes[i].feature] = 1
    features = np.flatnonzero(used)
    if n < 2 or len(evaluated) == 0 or len(features) == 0:
        return scores
    n_slots = len(features) + 1
    slots = np.zeros(table.n_features, dtype=np.int32)
    slots[features] = np.arange(1, n_slots)
    cdef int32_t[::1] slot_of = slots
    cdef int32_t[::1] circle = rows.astype(np.int32)
    cdef int32_t[::1] shift = np.zeros(n_slots, dtype=np.int32)
    # stamp[slot]: the last row on the circle that was led off its way by the feature of the slot
    cdef intp_t[::1] stamp = np.full(n_slots, -1, dtype=np.intp)
    kinds = {"classification": _ClassErrors, "regression": _SquaredErrors, "multitarget": _SquaredErrors}
    kind = kinds.get(task, _LabelErrors)
    cdef _Errors errors = kind(tree, y, evaluated, n_slots)
    cdef const Node* at
    cdef float64_t e, permuted, sign = 1 if kind is _SquaredErrors else -1
    with nogil:
        for i in range(n - 1, 0, -1):
            j = next_below(&stream, i + 1)
            swap = circle[i]
            circle[i] = circle[j]
            circle[j] = swap
        for s in range(1, n_slots):
            shift[s] = <int32_t> (1 + next_below(&stream, n - 1))
        # Invariant: slot 0 counts the errors of the rows before i, slot s the changes by permuting its feature.
        for i in range(n):
            row = circle[i]
            if not labeled[row]:
                continue
            leaf = coded_leaf(tree, table, 0, row, -1, -1)
            errors.move(0, row, -1, leaf)
            at = &tree.nodes[0]
            # Invariant: stamp[slot] == i if the donor has led the row off above this node: only the first node
            # where they part counts, as coded_leaf takes the value of the donor from there on.
            while at.left >= 0:
                f = at.feature
                slot = slot_of[f]
                right = coded_right(tree, at, code_of(table, dense, f, row))
                if stamp[slot] != i:
                    j = i + shift[slot]
                    donor = circle[j - n if j >= n else j]
                    if coded_right(tree, at, code_of(table, dense, f, donor)) != right:
                        stamp[slot] = i
                        moved = coded_leaf(tree, table, at.left if right else at.right, row, f, donor)
                        if moved != leaf:
                            errors.move(slot, row, leaf, moved)
                at = &tree.nodes[at.right if right else at.left]
        e = errors.measure(0)
    for f in features:
        permuted = errors.measure(slot_of[f])
        out[f] = sign * (permuted - e) / (e if e > 0 else 1)
    return scores
