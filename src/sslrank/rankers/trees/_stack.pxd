"""Nodes that wait to be grown, with their float64 sums and category sets."""

from sslrank.core._typedefs cimport float64_t, int32_t, intp_t, uint64_t, uint8_t
from sslrank.rankers.trees._criterion cimport Side
from sslrank.rankers.trees._partitioner cimport Split
from sslrank.rankers.trees._tests cimport MAX_LEVELS, Cache


cdef struct Task:
    # Rows rows[start:end] of one node. Undecided (split.feature < 0): search it. Decided: apply the split.
    intp_t start
    intp_t end
    intp_t held_start                 # the rows to predict that arrive here, if trees grow for predictions only
    intp_t held_end
    uint8_t whole                     # grow all of the subtree
    intp_t depth
    uint64_t stream
    uint64_t active                   # levels that share the node
    int32_t[MAX_LEVELS] parent        # the node's parent, then the node itself, in each level's tree
    uint8_t is_right
    Side side
    intp_t slot                       # where the float64 sums of the node are
    uint8_t last                      # decided: no later task needs the slot
    Cache cache                       # what was made for a node above, or for this one
    Split split


cdef class NodeStack:
    cdef intp_t n_sums
    cdef intp_t n_words
    cdef Task* tasks
    cdef intp_t size
    cdef intp_t capacity
    cdef uint64_t* subsets            # category sets of decided tasks, by position
    cdef float64_t* sums
    cdef intp_t n_slots
    cdef intp_t* free_slots
    cdef intp_t n_free

    cdef void clear(self) noexcept nogil
    cdef int push(self, const Task* task) except -1 nogil
    cdef uint64_t* subset(self, intp_t position) noexcept nogil
    cdef float64_t* slot(self, intp_t number) noexcept nogil
    cdef intp_t take_slot(self) except -1 nogil
    cdef void drop_slot(self, intp_t number) noexcept nogil
