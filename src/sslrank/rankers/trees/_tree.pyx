"""A grown tree: see _tree.pxd."""

import numpy as np

from libc.math cimport NAN
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memmove, memset

from sslrank.core._typedefs cimport float64_t, int32_t, intp_t, uint64_t, uint8_t

cdef Node _one
NODE = np.asarray(<Node[:1]> &_one).dtype


cdef class Tree:
    """A predictive clustering tree, grown by :class:`sslrank.rankers.trees._builder.Builder`.

    Attributes
    ----------
    node_count : int
    children_left, children_right : ndarray of shape (node_count,)
        Children of every node, -1 for a leaf. Rows go right if they pass the test.
    feature : ndarray of shape (node_count,)
        Tested feature, -1 for a leaf.
    threshold : ndarray of shape (node_count,), float64
        Test "value > threshold"; NaN for a leaf or a nominal test.
    missing_go_to_right : ndarray of shape (node_count,), bool
        Where rows without the tested value go.
    depth : ndarray of shape (node_count,)
    weighted_n_node_samples, weighted_n_labeled : ndarray of shape (node_count,), float64
        Weight of the training rows and of the labelled ones among them.
    impurity_decrease : ndarray of shape (node_count,), float64
        h* of the test, Alg. 2 of paper ssl-ranking.
    value : ndarray of shape (node_count, n_values), float64
        Prototype: target means or class shares.
    """

    def __cinit__(self, intp_t n_values, intp_t n_support, intp_t n_words):
        self.n_values = n_values
        self.n_support = n_support
        self.n_words = n_words

    def __dealloc__(self):
        free(self.nodes)
        free(self.words)
        free(self.mean_value)
        free(self.support)

    cdef intp_t add_node(self, intp_t parent, bint is_right, intp_t depth, float64_t weight,
                         float64_t labeled) except -1 nogil:
        """Append a leaf below `parent` (-1 for the root); returns its number."""
        cdef intp_t capacity = self.capacity, at = self.node_count
        cdef void* nodes
        cdef void* value
        cdef void* support
        if at == capacity:
            capacity = max(2 * capacity, 64)
            nodes = realloc(self.nodes, capacity * sizeof(Node))
            if nodes != NULL:
                self.nodes = <Node*> nodes
            value = realloc(self.mean_value, capacity * self.n_values * sizeof(float64_t) + 1)
            if value != NULL:
                self.mean_value = <float64_t*> value
            support = realloc(self.support, capacity * self.n_support * sizeof(float64_t) + 1)
            if support != NULL:
                self.support = <float64_t*> support
            if nodes == NULL or value == NULL or support == NULL:
                with gil:
                    raise MemoryError()
            self.capacity = capacity
        self.nodes[at].left = -1
        self.nodes[at].right = -1
        self.nodes[at].feature = -1
        self.nodes[at].code = 0
        self.nodes[at].threshold = NAN
        self.nodes[at].subset = -1
        self.nodes[at].missing_right = 0
        self.nodes[at].depth = <int32_t> depth
        self.nodes[at].weight = weight
        self.nodes[at].labeled = labeled
        self.nodes[at].h = 0
        memset(self.mean_value + at * self.n_values, 0, self.n_values * sizeof(float64_t))
        memset(self.support + at * self.n_support, 0, self.n_support * sizeof(float64_t))
        if parent >= 0:
            if is_right:
                self.nodes[parent].right = <int32_t> at
            else:
                self.nodes[parent].left = <int32_t> at
        self.node_count += 1
        return at

    cdef intp_t add_subset(self, const uint64_t* subset) except -1 nogil:
        """Append a set of categories; returns the number of its first word."""
        cdef intp_t at = self.word_count, capacity = self.word_capacity
        cdef void* words
        if at + self.n_words > capacity:
            capacity = max(2 * capacity, at + self.n_words)
            words = realloc(self.words, capacity * sizeof(uint64_t))
            if words == NULL:
                with gil:
                    raise MemoryError()
            self.words = <uint64_t*> words
            self.word_capacity = capacity
        memcpy(self.words + at, subset, self.n_words * sizeof(uint64_t))
        self.word_count += self.n_words
        return at

    cdef int number_in_preorder(self) except -1 nogil:
        """Number nodes as if every left subtree had been grown before its right sibling."""
        cdef intp_t n = self.node_count, v = self.n_values, s = self.n_support, i, to
        cdef int32_t* size = <int32_t*> malloc(2 * n * sizeof(int32_t))
        cdef int32_t* number = size + n
        cdef Node* nodes = <Node*> malloc(n * sizeof(Node))
        cdef float64_t* value = <float64_t*> malloc(n * v * sizeof(float64_t) + 1)
        cdef float64_t* support = <float64_t*> malloc(n * s * sizeof(float64_t) + 1)
        if size == NULL or nodes == NULL or value == NULL or support == NULL:
            free(size)
            free(nodes)
            free(value)
            free(support)
            with gil:
                raise MemoryError()
        for i in range(n - 1, -1, -1):  # children come after their parent
            size[i] = 1
            if self.nodes[i].left >= 0:
                size[i] += size[self.nodes[i].left] + size[self.nodes[i].right]
        number[0] = 0
        for i in range(n):
            to = number[i]
            nodes[to] = self.nodes[i]
            if self.nodes[i].left >= 0:
                nodes[to].left = <int32_t> (to + 1)
                nodes[to].right = <int32_t> (to + 1 + size[self.nodes[i].left])
                number[self.nodes[i].left] = nodes[to].left
                number[self.nodes[i].right] = nodes[to].right
            memcpy(value + to * v, self.mean_value + i * v, v * sizeof(float64_t))
            memcpy(support + to * s, self.support + i * s, s * sizeof(float64_t))
        free(size)
        free(self.nodes)
        free(self.mean_value)
        free(self.support)
        self.nodes = nodes
        self.mean_value = value
        self.support = support
        self.capacity = n
        return 0

    cdef void finish(self) noexcept nogil:
        """Turn the leaves' sums into prototypes of all nodes."""
        cdef intp_t i, j, v = self.n_values, s = self.n_support, parent
        cdef float64_t* left
        cdef float64_t* right
        cdef float64_t known
        for i in range(self.node_count - 1, -1, -1):
            if self.nodes[i].left < 0:
                continue
            left = self.mean_value + self.nodes[i].left * v
            right = self.mean_value + self.nodes[i].right * v
            for j in range(v):
                self.mean_value[i * v + j] = left[j] + right[j]
            left = self.support + self.nodes[i].left * s
            right = self.support + self.nodes[i].right * s
            for j in range(s):
                self.support[i * s + j] = left[j] + right[j]
        if v == 0:
            return
        for j in range(v):
            known = self.support[j if s > 1 else 0]
            self.mean_value[j] = self.mean_value[j] / known if known > 0 else NAN
        for parent in range(self.node_count):
            if self.nodes[parent].left < 0:
                continue
            self.mean_or_parent(self.nodes[parent].left, parent)
            self.mean_or_parent(self.nodes[parent].right, parent)

    cdef void mean_or_parent(self, intp_t node, intp_t parent) noexcept nogil:
        cdef intp_t j, v = self.n_values, s = self.n_support
        cdef float64_t known
        for j in range(v):
            known = self.support[node * s + (j if s > 1 else 0)]
            if known > 0:
                self.mean_value[node * v + j] /= known
            else:
                self.mean_value[node * v + j] = self.mean_value[parent * v + j]

    cdef object of_nodes(self):
        """The nodes as a structured array, copied."""
        if self.node_count == 0:
            return np.empty(0, dtype=NODE)
        return np.array(<Node[:self.node_count]> self.nodes)

    def make_leaves(self, const uint8_t[::1] leaf):
        """Make the marked nodes leaves and drop what is below them; the others keep their order."""
        cdef intp_t i, to = 0, v = self.n_values, s = self.n_support
        cdef int32_t[::1] parent = np.full(self.node_count, -1, dtype=np.int32)  # new number, -1 if dropped
        cdef Node node
        for i in range(self.node_count):
            if i > 0 and parent[i] < 0:
                continue
            node = self.nodes[i]
            if leaf[i]:
                node.left = node.right = node.feature = node.subset = -1
                node.code = node.missing_right = 0
                node.threshold = NAN
                node.h = 0
            elif node.left >= 0:
                parent[node.left] = parent[node.right] = <int32_t> to
            if i > 0:
                if self.nodes[parent[i]].left == i:
                    self.nodes[parent[i]].left = <int32_t> to
                else:
                    self.nodes[parent[i]].right = <int32_t> to
            self.nodes[to] = node
            memmove(self.mean_value + to * v, self.mean_value + i * v, v * sizeof(float64_t))
            memmove(self.support + to * s, self.support + i * s, s * sizeof(float64_t))
            to += 1
        self.node_count = to

    @property
    def children_left(self):
        return self.of_nodes()["left"].astype(np.intp)

    @property
    def children_right(self):
        return self.of_nodes()["right"].astype(np.intp)

    @property
    def feature(self):
        return self.of_nodes()["feature"].astype(np.intp)

    @property
    def code(self):
        return self.of_nodes()["code"].astype(np.intp)

    @property
    def threshold(self):
        nodes = self.of_nodes()
        return np.where(nodes["subset"] >= 0, np.nan, nodes["threshold"])

    @property
    def missing_go_to_right(self):
        return self.of_nodes()["missing_right"].astype(bool)

    @property
    def depth(self):
        return self.of_nodes()["depth"].astype(np.intp)

    @property
    def weighted_n_node_samples(self):
        return self.of_nodes()["weight"].copy()

    @property
    def weighted_n_labeled(self):
        return self.of_nodes()["labeled"].copy()

    @property
    def impurity_decrease(self):
        return self.of_nodes()["h"].copy()

    @property
    def value(self):
        cdef intp_t i
        values = np.empty((self.node_count, self.n_values))
        cdef float64_t[::1] flat = values.ravel()
        for i in range(self.node_count * self.n_values):
            flat[i] = self.mean_value[i]
        return values

    def categories_right(self, intp_t node):
        """Codes of the categories that go right at a node with a nominal test, None otherwise."""
        cdef intp_t v
        if self.nodes[node].subset < 0:
            return None
        return [
            v for v in range(64 * self.n_words)
            if (self.words[self.nodes[node].subset + (v >> 6)] >> (v & 63)) & 1
        ]

    def add_importances(self, float64_t[::1] genie3, float64_t[::1] symbolic):
        """Add this tree's part of Eqs. (3) and (2): sums of h* and of |E(node)| / |D_TRAIN| per feature."""
        cdef intp_t i
        if self.node_count == 0:
            return
        cdef float64_t rows = self.nodes[0].weight
        with nogil:
            for i in range(self.node_count):
                if self.nodes[i].feature >= 0:
                    genie3[self.nodes[i].feature] += self.nodes[i].h
                    symbolic[self.nodes[i].feature] += self.nodes[i].weight / rows

    def __reduce__(self):
        return _unpickle, (self.n_values, self.n_support, self.n_words), self.__getstate__()

    def __getstate__(self):
        return {
            "nodes": bytes((<char*> self.nodes)[: self.node_count * sizeof(Node)]) if self.node_count else
            b"", "words": bytes((<char*> self.words)[: self.word_count * sizeof(uint64_t)]) if self.word_count
            else b"", "value": self.value,
            "node_count": self.node_count,
            "word_count": self.word_count,
        }

    def __setstate__(self, state):
        cdef intp_t i
        cdef bytes nodes = state["nodes"], words = state["words"]
        cdef const float64_t[::1] value = np.ascontiguousarray(state["value"]).ravel()
        self.node_count = self.capacity = state["node_count"]
        self.word_count = self.word_capacity = state["word_count"]
        self.nodes = <Node*> realloc(NULL, len(nodes) + 1)
        self.words = <uint64_t*> realloc(NULL, len(words) + 1)
        self.mean_value = <float64_t*> realloc(NULL, len(value) * sizeof(float64_t) + 1)
        self.support = <float64_t*> realloc(NULL, self.node_count * self.n_support * sizeof(float64_t) + 1)
        if self.nodes == NULL or self.words == NULL or self.mean_value == NULL or self.support == NULL:
            raise MemoryError()
        memcpy(self.nodes, <const char*> nodes, len(nodes))
        memcpy(self.words, <const char*> words, len(words))
        for i in range(len(value)):
            self.mean_value[i] = value[i]
        for i in range(self.node_count * self.n_support):
            self.support[i] = 0


def _unpickle(n_values, n_support, n_words):
    return Tree(n_values, n_support, n_words)
