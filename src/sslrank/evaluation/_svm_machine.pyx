"""The machine of a pair of classes: steps of two vectors within working sets, and Newton's method from time to time."""

from sslrank.core._select cimport select
from sslrank.core._typedefs cimport float64_t, intp_t
from sslrank.evaluation._svm cimport (
    NEWTON_SET, WORKING_SET, Kernel, Pair, Work, add_row, extremes, gains, keys, row_of, step, upper_bound,
)
from sslrank.evaluation._svm_newton cimport newton

cdef enum:
    NEWTON_STEPS = 100  # per machine: tolerances near the rounding error are left to single steps
    STEP_PRICE = 256  # of a step in a working set, in multiplications


cdef intp_t minimise(
    Work work, intp_t size, Pair pair, float64_t C, float64_t tol, intp_t limit
) noexcept nogil:
    """Optimise theta over the working set; returns the number of steps.

    Sequential minimal optimisation with second-order pairs (Fan, Chen and Lin 2005, JMLR 6): the step is the
    one of LIBSVM.
    """
    cdef intp_t i, j, k, iteration
    cdef float64_t highest = -1e300, lowest = 0.0, best, eta, t, grow, shrink, upper_i, lower_j
    for k in range(size):
        t = upper_bound(pair, C, work.rows[k])
        work.up[k] = 1.0 if work.theta[k] < t else 0.0
        work.low[k] = 1.0 if work.theta[k] > t - C else 0.0
        if work.up[k] != 0.0 and work.local_v[k] > highest:
            highest = work.local_v[k]
    for iteration in range(limit):
        i = 0
        while i < size and not (work.up[i] != 0.0 and work.local_v[i] == highest):
            i += 1
        if i == size:
            return iteration
        best = gains(
            highest, work.diagonal[i], work.matrix + i * size, work.diagonal, work.local_v, work.low,
            work.gain, &lowest, size,
        )
        if highest - lowest < tol or best <= 0.0:
            return iteration
        j = 0
        while work.gain[j] != best:
            j += 1
        eta = work.diagonal[i] + work.diagonal[j] - 2.0 * work.matrix[i * size + j]
        t = (highest - work.local_v[j]) / max(eta, 1e-12)
        # theta_i grows by t and theta_j shrinks by t as far as the box allows. A bound is hit exactly.
        upper_i = upper_bound(pair, C, work.rows[i])
        lower_j = upper_bound(pair, C, work.rows[j]) - C
        grow = upper_i - work.theta[i]
        shrink = work.theta[j] - lower_j
        t = min(t, min(grow, shrink))
        work.theta[i] = upper_i if t == grow else work.theta[i] + t
        work.theta[j] = lower_j if t == shrink else work.theta[j] - t
        work.up[i] = 1.0 if work.theta[i] < upper_i else 0.0
        work.low[i] = 1.0
        work.up[j] = 1.0
        work.low[j] = 1.0 if work.theta[j] > lower_j else 0.0
        highest = step(t, work.matrix + i * size, work.matrix + j * size, work.local_v, work.up, size)
    return limit


cdef intp_t choose(
    Work work, const float64_t *theta, Pair pair, float64_t C, bint up, intp_t size, intp_t count
) noexcept nogil:
    """Add up to `count` of the worst violators of one side to a working set; returns its new size."""
    cdef intp_t n = pair.n_first + pair.n_second, m = pair.n_first, k
    cdef float64_t sign = 1.0 if up else -1.0
    # May it grow: theta < C, or < 0 in the second class. May it shrink: -theta < 0, or < C.
    keys(theta, work.v, work.chosen, sign, C if up else 0.0, work.key, m)
    keys(theta + m, work.v + m, work.chosen + m, sign, 0.0 if up else C, work.key + m, n - m)
    count = min(count, n)
    select(work.key, n, count, work.heap, work.found)
    for k in range(count):
        if work.heap[k] == 1e300:
            break
        work.rows[size] = work.found[k]
        work.chosen[work.found[k]] = 1.0
        size += 1
    return size


cdef float64_t solve(
    const float64_t *products, intp_t width, Pair pair, Kernel kernel, float64_t C, float64_t tol,
    float64_t *theta, Work work, intp_t *n_steps
) noexcept nogil:
    """Train the machine of a pair of classes, starting from theta; returns its bias.

    Decomposition with working sets of WORKING_SET rows, half of which stay from one set to the next: its
    kernel matrix fits the cache, and many steps cost one pass over all rows (Joachims 1999; Wen et al. 2018,
    ThunderSVM). Such steps find out which vectors are at a bound, but where the kernel is ill-conditioned
    they are slow to settle the others: :func:`newton` does that from time to time. It stops as LIBSVM does:
    when the largest violation of the optimality conditions is below `tol`.
    """
    cdef intp_t n = pair.n_first + pair.n_second, k, m, r, size, kept, q, _, limit
    cdef float64_t highest, lowest, total = 0.0, t, norm, gap, spent = 0.0
    cdef intp_t n_free = 0, n_newton = 0, steps
    cdef bint fresh = False
    q = min(WORKING_SET, n)
    gradient(products, width, pair, kernel, theta, work.v)
    norm = 0.0
    for k in range(n):
        work.chosen[k] = 0.0
        total += abs(theta[k])
    if total > 0.0:
        # The kernel has grown with the features. The best multiple of the old vector is a better start.
        highest = 0.0
        for k in range(n):
            norm += theta[k] * ((1.0 if k < pair.n_first else -1.0) - work.v[k])
            highest = max(highest, abs(theta[k]))
        t = min(total / norm, C / highest) if norm > 0.0 else 1.0
        for k in range(n):
            theta[k] = max(-C, min(C, t * theta[k]))
            work.v[k] = (1.0 - t) * (1.0 if k < pair.n_first else -1.0) + t * work.v[k]
    size = 0
    limit = max(100000, 10 * n)
    for _ in range(limit):
        highest = -1e300
        lowest = 1e300
        k = pair.n_first
        extremes(theta, work.v, 0.0, C, &highest, &lowest, k)
        extremes(theta + k, work.v + k, -C, 0.0, &highest, &lowest, n - k)
        gap = highest - lowest
        if gap < tol:
            if fresh:
                break
            # At a bound within rounding error is at it: that decides whether the bias is a vector's or free.
            for k in range(n):
                t = upper_bound(pair, C, k)
                if t - theta[k] < 1e-13 * C:
                    theta[k] = t
                elif theta[k] - (t - C) < 1e-13 * C:
                    theta[k] = t - C
            gradient(products, width, pair, kernel, theta, work.v)
            fresh = True
            continue
        # The rows that came in last stay; before them, the older half leaves.
        kept = 0
        for k in range(size):
            if k < size - q // 2:
                work.chosen[work.rows[k]] = 0.0
            else:
                work.rows[kept] = work.rows[k]
                kept += 1
        size = choose(work, theta, pair, C, True, kept, (q - kept + 1) // 2)
        size = choose(work, theta, pair, C, False, size, q - size)
        for k in range(size):
            r = row_of(pair, work.rows[k]) * width
            for m in range(k + 1):
                t = kernel.gamma * products[r + row_of(pair, work.rows[m])] + kernel.coef0
                work.matrix[k * size + m] = t * t
                work.matrix[m * size + k] = t * t
            work.diagonal[k] = work.matrix[k * size + k]
            work.theta[k] = theta[work.rows[k]]
            work.before[k] = work.theta[k]
            work.local_v[k] = work.v[work.rows[k]]
        steps = minimise(work, size, pair, C, max(0.5 * tol, 0.1 * gap), 1000)
        n_steps[0] += steps
        spent += STEP_PRICE * steps
        for k in range(size):
            if work.theta[k] != work.before[k]:
                theta[work.rows[k]] = work.theta[k]
                add_row(
                    products, row_of(pair, work.rows[k]), width, pair, kernel,
                    work.before[k] - work.theta[k], work.v,
                )
                spent += n
        # Newton's method, once working sets have taken about the time that its factorisation takes.
        n_free = 0
        for k in range(n):
            t = upper_bound(pair, C, k)
            n_free += t - C < theta[k] < t
        if 2 <= n_free <= NEWTON_SET and n_newton < NEWTON_STEPS and spent > (n_free + 50.0) ** 3 / 30.0:
            newton(products, width, pair, kernel, C, theta, work, n_free)
            n_newton += 1
            spent = 0.0
        fresh = False
    # The bias: the mean of v over the free vectors, or the middle of the interval that is left.
    total = 0.0
    n_free = 0
    for k in range(n):
        t = upper_bound(pair, C, k)
        if t - C < theta[k] < t:
            n_free += 1
            total += work.v[k]
    if n_free:
        return total / n_free
    return (highest + lowest) / 2.0


cdef void gradient(
    const float64_t *products, intp_t width, Pair pair, Kernel kernel, const float64_t *theta, float64_t *v
) noexcept nogil:
    """v = y - K theta, without the rounding errors of many updates."""
    cdef intp_t k
    for k in range(pair.n_first + pair.n_second):
        v[k] = 1.0 if k < pair.n_first else -1.0
    for k in range(pair.n_first + pair.n_second):
        if theta[k] != 0.0:
            add_row(products, row_of(pair, k), width, pair, kernel, -theta[k], v)
