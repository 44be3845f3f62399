"""The quadratic support vector machine along nested feature sets: each step starts from the one before.

For the kernel (gamma <x, z> + coef0)^2 the matrix of inner products grows by one rank-one term per column, and the
machine starts from the previous solution. The way from features to predictions is in three parts: steps of two
vectors within a working set, a Newton step for all vectors off their bounds (`_svm_newton`), and the machine of a
pair of classes that takes turns with them (`_svm_machine`).
"""

import numpy as np

from sslrank.core._typedefs cimport float64_t, intp_t
from sslrank.evaluation._svm cimport (
    NEWTON_BLOCKS, NEWTON_SET, WORKING_SET, Kernel, Pair, Work, axpy, dot_quadratic,
)
from sslrank.evaluation._svm_machine cimport solve


def svm_curve(
    const float64_t[:, ::1] columns,
    const intp_t[::1] starts,
    const intp_t[::1] order,
    const intp_t[::1] sizes,
    const intp_t[::1] edges,
    float64_t C,
    float64_t gamma,
    float64_t coef0,
    float64_t tol,
    bint decisions=False,
):
    """Predictions of the quadratic SVM on the first sizes[0], sizes[1], ... features of `order`.

    Several classes are told apart by one machine per pair and a vote, ties to the first class, as in LIBSVM.

    Parameters
    ----------
    columns : ndarray of shape (n_columns, n_train + n_test)
        Transposed design matrix; training rows first, sorted by class.
    starts : ndarray of shape (D + 1,)
        Feature j has columns starts[j] to starts[j + 1] - 1.
    order : ndarray of shape (>= sizes[-1],)
    sizes : ndarray of shape (n_sizes,)
        Ascending.
    edges : ndarray of shape (n_classes + 1,)
        Class c has training rows edges[c] to edges[c + 1] - 1, at least one; n_train is edges[-1].
    C, gamma, coef0, tol : float
        As in scikit-learn's SVC.
    decisions : bool
        Return the decision values too.

    Returns
    -------
    codes : ndarray of shape (n_sizes, n_test), int
        Positions of the classes.
    values : ndarray of shape (n_sizes, n_test, n_pairs) or None
    n_steps : int
    """
    cdef intp_t n_classes = edges.shape[0] - 1, n_train = edges[n_classes]
    cdef intp_t n = columns.shape[1], n_test = n - n_train, n_sizes = sizes.shape[0]
    cdef intp_t n_pairs = n_classes * (n_classes - 1) // 2
    cdef intp_t s, r, f, c, a, b, p, q, best, done = 0, n_steps = 0
    codes = np.zeros((n_sizes, n_test), dtype=np.intp)
    values = np.zeros((n_sizes, n_test, n_pairs)) if decisions else None
    cdef intp_t[:, ::1] code_view = codes
    cdef float64_t[:, :, ::1] value_view = values if decisions else np.zeros((1, 1, 1))
    # All vectors of one machine, theta = y alpha, one stretch per pair.
    offsets = np.zeros(n_pairs + 1, dtype=np.intp)
    cdef intp_t[::1] offset = offsets
    p = 0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            offset[p + 1] = offset[p] + edges[a + 1] - edges[a] + edges[b + 1] - edges[b]
            p += 1
    cdef float64_t[::1] theta = np.zeros(max(offsets[n_pairs], 1))
    cdef float64_t[:, ::1] products = np.zeros((n, n_train))
    cdef float64_t[:, ::1] long_scratch = np.empty((2, n_train))
    cdef float64_t[::1] chosen = np.empty(n_train)
    cdef float64_t[:, ::1] short_scratch = np.empty((8, WORKING_SET))
    cdef intp_t[:, ::1] short_rows = np.empty((2, WORKING_SET), dtype=np.intp)
    cdef float64_t[::1] matrix = np.empty(WORKING_SET * WORKING_SET)
    cdef intp_t n_newton = (min(n_train, <intp_t>NEWTON_SET) + 3) // 4 * 4
    cdef intp_t[::1] free_rows = np.empty(n_newton, dtype=np.intp)
    cdef float64_t[::1] factor = np.empty(n_newton * n_newton)
    cdef float64_t[:, ::1] blocks = np.empty((NEWTON_BLOCKS, n_newton))
    cdef float64_t[::1] pivots = np.empty(NEWTON_BLOCKS)
    cdef float64_t[:, ::1] newton_scratch = np.empty((3, n_newton))
    cdef intp_t[:, ::1] votes = np.zeros((max(n_test, 1), n_classes), dtype=np.intp)
    cdef Kernel kernel = Kernel(gamma, coef0)
    cdef Pair pair
    cdef Work work = Work(
        v=&long_scratch[0, 0],
        key=&long_scratch[1, 0],
        chosen=&chosen[0],
        heap=&short_scratch[0, 0],
        found=&short_rows[0, 0],
        rows=&short_rows[1, 0],
        matrix=&matrix[0],
        local_v=&short_scratch[1, 0],
        theta=&short_scratch[2, 0],
        before=&short_scratch[3, 0],
        diagonal=&short_scratch[4, 0],
        gain=&short_scratch[5, 0],
        up=&short_scratch[6, 0],
        low=&short_scratch[7, 0],
        free=&free_rows[0],
        factor=&factor[0],
        blocks=&blocks[0, 0],
        pivots=&pivots[0],
        target=&newton_scratch[0, 0],
        ones=&newton_scratch[1, 0],
        move=&newton_scratch[2, 0],
    )
    cdef float64_t bias, value
    cdef float64_t *g
    with nogil:
        for s in range(n_sizes):
            for r in range(n):
                for f in range(done, sizes[s]):
                    for c in range(starts[order[f]], starts[order[f] + 1]):
                        if columns[c, r] != 0.0:
                            axpy(columns[c, r], &columns[c, 0], &products[r, 0], n_train)
            done = sizes[s]
            votes[:, :] = 0
            p = 0
            for a in range(n_classes):
                for b in range(a + 1, n_classes):
                    pair.first = edges[a]
                    pair.n_first = edges[a + 1] - edges[a]
                    pair.second = edges[b]
                    pair.n_second = edges[b + 1] - edges[b]
                    bias = solve(
                        &products[0, 0], n_train, pair, kernel, C, tol, &theta[offset[p]], work, &n_steps
                    )
                    for q in range(n_test):
                        g = &products[n_train + q, 0]
                        value = bias + dot_quadratic(
                            &theta[offset[p]], g + pair.first, gamma, coef0, pair.n_first
                        ) + dot_quadratic(
                            &theta[offset[p] + pair.n_first], g + pair.second, gamma, coef0, pair.n_second
                        )
                        if decisions:
                            value_view[s, q, p] = value
                        if value > 0.0:
                            votes[q, a] += 1
                        else:
                            votes[q, b] += 1
                    p += 1
            for q in range(n_test):
                best = 0
                for c in range(1, n_classes):
                    if votes[q, c] > votes[q, best]:
                        best = c
                code_view[s, q] = best
    return codes, values, n_steps
