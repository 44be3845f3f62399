"""All vectors of a machine that are off their bounds, settled together by Newton's method."""

from sslrank.core._typedefs cimport float64_t, intp_t
from sslrank.evaluation._svm cimport (
    NEWTON_BLOCKS, Kernel, Pair, Work, add_row, axpy, cholesky, dot, row_of, upper_bound,
)


cdef void solve_triangles(const float64_t *factor, intp_t n, float64_t *x) noexcept nogil:
    """x = A^-1 x by the Cholesky factor of A."""
    cdef intp_t i
    for i in range(n):
        x[i] = (x[i] - dot(factor + i * n, x, i)) / factor[i * n + i]
    for i in range(n - 1, -1, -1):
        x[i] /= factor[i * n + i]
        axpy(-x[i], factor + i * n, x, i)


cdef intp_t newton(
    const float64_t *products, intp_t width, Pair pair, Kernel kernel, float64_t C, float64_t *theta,
    Work work, intp_t n_free
) noexcept nogil:
    """Optimise the vectors off their bounds together; returns the number of changes of their set.

    An active-set method: solve for the free vectors, go there until the first of them reaches a bound, fix
    that one and solve again. One Cholesky factor serves all solves: with B the inverse for the free vectors,
    fixing j takes u u' / u_j from it, u = B e_j (product form). A small ridge conditions the factor
    where rows coincide or the kernel has a low rank; the direction is one of descent all the same.
    """
    cdef intp_t n = pair.n_first + pair.n_second, m = (n_free + 3) // 4 * 4, i, j, k, r, hit, count
    cdef float64_t t, bias, ridge, upper, room, left, right
    cdef float64_t *u
    k = 0
    for i in range(n):
        t = upper_bound(pair, C, i)
        if t - C < theta[i] < t:
            work.free[k] = i
            k += 1
    ridge = 0.0
    for i in range(n_free):
        r = row_of(pair, work.free[i]) * width
        for j in range(i + 1):
            t = kernel.gamma * products[r + row_of(pair, work.free[j])] + kernel.coef0
            work.factor[i * m + j] = t * t
        ridge += work.factor[i * m + i]
    ridge = 1e-7 * ridge / n_free + 1e-12
    for i in range(n_free):
        work.factor[i * m + i] += ridge
        work.target[i] = work.v[work.free[i]]
        work.ones[i] = 1.0
        work.move[i] = theta[work.free[i]]
    for i in range(n_free, m):
        for j in range(i):
            work.factor[i * m + j] = 0.0
        work.factor[i * m + i] = 1.0
        work.target[i] = work.ones[i] = 0.0
    if not cholesky(work.factor, m):
        return 0
    solve_triangles(work.factor, m, work.target)
    solve_triangles(work.factor, m, work.ones)
    count = 0
    while True:
        left = right = 0.0
        for i in range(n_free):
            left += work.target[i]
            right += work.ones[i]
        if right <= 0.0:
            break
        bias = left / right
        room = 1.0
        hit = -1
        for i in range(n_free):
            t = work.target[i] - bias * work.ones[i]
            if t != 0.0:
                upper = upper_bound(pair, C, work.free[i])
                upper = ((upper if t > 0.0 else upper - C) - work.move[i]) / t
                if upper < room:
                    room = upper
                    hit = i
        for i in range(n_free):
            work.move[i] += room * (work.target[i] - bias * work.ones[i])
        if hit < 0:
            break
        upper = upper_bound(pair, C, work.free[hit])
        t = work.target[hit] - bias * work.ones[hit]
        work.move[hit] = upper if t > 0.0 else upper - C
        if count == NEWTON_BLOCKS or count + 2 >= n_free:
            break
        # What is left to go, and the same without the vector that has reached its bound.
        u = work.blocks + count * m
        for i in range(m):
            work.target[i] += room * (bias * work.ones[i] - work.target[i])
            u[i] = 0.0
        u[hit] = 1.0
        solve_triangles(work.factor, m, u)
        for k in range(count):
            axpy(-work.blocks[k * m + hit] / work.pivots[k], work.blocks + k * m, u, m)
        if u[hit] <= 0.0:
            break
        work.pivots[count] = u[hit]
        axpy(-work.target[hit] / u[hit], u, work.target, m)
        axpy(-work.ones[hit] / u[hit], u, work.ones, m)
        work.target[hit] = work.ones[hit] = 0.0
        count += 1
    for i in range(n_free):
        k = work.free[i]
        if work.move[i] != theta[k]:
            add_row(products, row_of(pair, k), width, pair, kernel, theta[k] - work.move[i], work.v)
            theta[k] = work.move[i]
    return count + 1
