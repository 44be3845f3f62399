"""Nodes that wait to be grown, last in, first out: see _stack.pxd."""

from libc.stdlib cimport free, realloc
from libc.string cimport memset

from sslrank.core._typedefs cimport float64_t, intp_t, uint64_t


cdef class NodeStack:
    """The stack of one thread.

    Parameters
    ----------
    n_sums : int
        Length of a node's sums.
    n_words : int
        64-bit words of a set of categories.
    """

    def __init__(self, intp_t n_sums, intp_t n_words):
        self.n_sums = n_sums
        self.n_words = n_words

    def __dealloc__(self):
        free(self.tasks)
        free(self.subsets)
        free(self.sums)
        free(self.free_slots)

    cdef void clear(self) noexcept nogil:
        self.size = 0
        self.n_free = 0
        self.n_slots = 0

    cdef int push(self, const Task* task) except -1 nogil:
        cdef intp_t capacity
        cdef void* grown
        if self.size == self.capacity:
            capacity = max(2 * self.capacity, 64)
            grown = realloc(self.tasks, capacity * sizeof(Task))
            if grown == NULL:
                with gil:
                    raise MemoryError()
            self.tasks = <Task*> grown
            grown = realloc(self.subsets, capacity * self.n_words * sizeof(uint64_t))
            if grown == NULL:
                with gil:
                    raise MemoryError()
            self.subsets = <uint64_t*> grown
            self.capacity = capacity
        self.tasks[self.size] = task[0]
        self.size += 1
        return 0

    cdef uint64_t* subset(self, intp_t position) noexcept nogil:
        return self.subsets + position * self.n_words

    cdef float64_t* slot(self, intp_t number) noexcept nogil:
        return self.sums + number * self.n_sums

    cdef intp_t take_slot(self) except -1 nogil:
        """A zeroed slot. May move all slots: do not keep pointers over this call."""
        cdef intp_t number, size = self.n_sums
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
