"""Information gain of numeric features that are cut by minimum description length (Fayyad and Irani 1993)."""

import numpy as np

from libc.math cimport log2
from libc.stdlib cimport free, malloc

from sslrank.core._typedefs cimport float64_t, int32_t, int64_t, intp_t


cdef inline float64_t entropy_of(const float64_t* before, const float64_t* after, intp_t k, float64_t* total,
                                 intp_t* n_classes) noexcept nogil:
    """Weight times entropy, in bits, of the class weights `after` - `before`; their sum and how many there are."""
    cdef intp_t c
    cdef float64_t w, n = 0, inside = 0
    n_classes[0] = 0
    for c in range(k):
        w = after[c] - before[c]
        if w > 0:
            n += w
            inside += w * log2(w)
            n_classes[0] += 1
    total[0] = n
    return n * log2(n) - inside if n > 0 else 0


cdef float64_t cut(const float64_t* sums, intp_t n_groups, intp_t k, intp_t* stack) noexcept nogil:
    """Weight times gain of the accepted cuts; sums[g] are the class weights of the groups of equal values before g."""
    cdef intp_t depth = 1, a, b, g, best, k_whole, k_left, k_right, k_best_left = 0, k_best_right = 0
    cdef float64_t n, n_left, n_right, whole, left, right, least, best_left = 0, best_right = 0, delta, gained = 0
    cdef float64_t n_best_left = 0, n_best_right = 0
    stack[0] = 0
    stack[1] = n_groups
    while depth:
        depth -= 1
        a, b = stack[2 * depth], stack[2 * depth + 1]
        whole = entropy_of(&sums[a * k], &sums[b * k], k, &n, &k_whole)
        best, least = -1, whole
        if k_whole < 2:
            continue
        for g in range(a + 1, b):
            left = entropy_of(&sums[a * k], &sums[g * k], k, &n_left, &k_left)
            right = entropy_of(&sums[g * k], &sums[b * k], k, &n_right, &k_right)
            if left + right < least:
                best, least = g, left + right
                best_left, best_right, k_best_left, k_best_right = left, right, k_left, k_right
                n_best_left, n_best_right = n_left, n_right
        if best < 0:
            continue
        delta = log2(3.0 ** k_whole - 2.0) - (
            k_whole * whole / n - k_best_left * best_left / n_best_left - k_best_right * best_right / n_best_right)
        if (whole - least) > log2(max(n - 1.0, 1.0)) + delta:
            gained += whole - least
            # The wider part goes below the other one: the stack never holds more parts than there are groups.
            stack[2 * depth], stack[2 * depth + 1] = a, best
            stack[2 * depth + 2], stack[2 * depth + 3] = best, b
            depth += 2
    return gained


def mdl_gains(const int64_t[::1] start, const int32_t[::1] row, const float64_t[::1] value,
              const int32_t[::1] labels, const float64_t[::1] weights, intp_t n_classes, bint rest_is_zero):
    """Information gain of each column, times the weight of the rows in which it is known.

    Parameters
    ----------
    start : ndarray of shape (D + 1,), int64
        Entries of column j are start[j] to start[j + 1] - 1.
    row, value : ndarray of int32 and of float64
        Row and value of each entry; values ascend within a column, none is missing.
    labels : ndarray of shape (n,), int32
    weights : ndarray of shape (n,), float64
    n_classes : int
    rest_is_zero : bool
        Rows without an entry in a column have the value 0 there; otherwise they are missing.

    Returns
    -------
    ndarray of shape (D,), float64
    """
    cdef intp_t n_columns = start.shape[0] - 1, n = labels.shape[0], k = n_classes, j, i, c, groups
    cdef bint waits
    gains = np.zeros(n_columns)
    cdef float64_t[::1] out = gains
    totals = np.bincount(labels, weights=weights, minlength=n_classes).astype(np.float64)
    cdef float64_t[::1] total = totals
    cdef float64_t[::1] rest = np.empty(n_classes)
    # A group of equal values per row at most, one of zeros, and the empty one before all
    cdef float64_t* sums = <float64_t*> malloc((n + 2) * k * sizeof(float64_t))
    cdef intp_t* stack = <intp_t*> malloc(2 * (n + 4) * sizeof(intp_t))
    if sums == NULL or stack == NULL:
        free(sums)
        free(stack)
        raise MemoryError()
    with nogil:
        for j in range(n_columns):
            if rest_is_zero:
                for c in range(k):
                    rest[c] = total[c]
                for i in range(start[j], start[j + 1]):
                    rest[labels[row[i]]] -= weights[row[i]]
            waits = rest_is_zero and start[j + 1] - start[j] < n
            groups = 0
            for c in range(k):
                sums[c] = 0
            for i in range(start[j], start[j + 1] + 1):
                if waits and (i == start[j + 1] or value[i] >= 0):  # the zeros come here
                    waits = False
                    groups += 1
                    for c in range(k):
                        sums[groups * k + c] = sums[(groups - 1) * k + c] + max(rest[c], 0)
                    if i < start[j + 1] and value[i] == 0:
                        sums[groups * k + labels[row[i]]] += weights[row[i]]
                        continue
                if i == start[j + 1]:
                    break
                if i == start[j] or groups == 0 or value[i] > value[i - 1] or (
                        rest_is_zero and value[i] > 0 and value[i - 1] <= 0):
                    groups += 1
                    for c in range(k):
                        sums[groups * k + c] = sums[(groups - 1) * k + c]
                sums[groups * k + labels[row[i]]] += weights[row[i]]
            out[j] = cut(sums, groups, k, stack)
    free(sums)
    free(stack)
    return gains
