"""The quadratic support vector machine along nested feature sets: each step starts from the one before.

For the kernel (gamma <x, z> + coef0)^2 the matrix of inner products grows by one rank-one term per column, and the
machine starts from the previous solution. The way from features to predictions is in three parts: steps of two
vectors within a working set (`minimise`), a Newton step for all vectors off their bounds (`newton`), and the machine
of a pair of classes (`solve`).
"""

import numpy as np

from sslrank._select cimport select
from sslrank._typedefs cimport float64_t, intp_t

cdef enum:
    WORKING_SET = 64  # its kernel matrix takes 32 kB
    NEWTON_SET = 1024  # largest set of free vectors for a Newton step; its matrix takes 8 MB
    NEWTON_BLOCKS = 256  # vectors that may reach a bound within a Newton step
    NEWTON_STEPS = 100  # per machine: tolerances near the rounding error are left to single steps
    STEP_PRICE = 256  # of a step in a working set, in multiplications

cdef extern from *:
    """
    #include <math.h>
    #include "_simd.h"

    SSLRANK_CLONES
    static void axpy(double a, const double *x, double *y, Py_ssize_t n) {
        #pragma omp simd
        for (Py_ssize_t i = 0; i < n; i++) y[i] += a * x[i];
    }

    /* Largest v of what may grow (theta < upper) and smallest v of what may shrink (theta > lower). */
    SSLRANK_CLONES
    static void extremes(const double *theta, const double *v, double lower, double upper, double *highest,
                         double *lowest, Py_ssize_t n) {
        double high = *highest, low = *lowest;
        #pragma omp simd reduction(max:high) reduction(min:low)
        for (Py_ssize_t i = 0; i < n; i++) {
            const double a = theta[i] < upper ? v[i] : -1e300, b = theta[i] > lower ? v[i] : 1e300;
            high = a > high ? a : high;
            low = b < low ? b : low;
        }
        *highest = high;
        *lowest = low;
    }

    /* Sort keys: sign * v where sign * theta < bound and the row is not chosen yet, 1e300 elsewhere. */
    SSLRANK_CLONES
    static void keys(const double *theta, const double *v, const double *chosen, double sign, double bound,
                     double *key, Py_ssize_t n) {
        #pragma omp simd
        for (Py_ssize_t i = 0; i < n; i++)
            key[i] = (sign * theta[i] < bound && chosen[i] == 0.0) ? -sign * v[i] : 1e300;
    }

    /* y += a (gamma g + coef0)^2 */
    SSLRANK_CLONES
    static void axpy_quadratic(double a, const double *g, double gamma, double coef0, double *y, Py_ssize_t n)
    {
        #pragma omp simd
        for (Py_ssize_t i = 0; i < n; i++) { const double k = gamma * g[i] + coef0; y[i] += a * k * k; }
    }

    /* v -= t (a - b); returns the largest v among the entries with up = 1 */
    SSLRANK_CLONES
    static double step(double t, const double *a, const double *b, double *v, const double *up, Py_ssize_t n)
    {
        double best = -1e300;
        #pragma omp simd reduction(max:best)
        for (Py_ssize_t i = 0; i < n; i++) {
            const double x = v[i] - t * (a[i] - b[i]);
            v[i] = x;
            const double y = up[i] != 0.0 ? x : -1e300;
            best = y > best ? y : best;
        }
        return best;
    }

    /* Second-order gain of every partner j of i, (v_i - v_j)^2 / (k_ii + k_jj - 2 k_ij), and its maximum;
     * *lowest gets the smallest v_j among the possible partners. */
    SSLRANK_CLONES
    static double gains(double vi, double kii, const double *row, const double *diagonal, const double *v,
                        const double *low, double *gain, double *lowest, Py_ssize_t n) {
        double best = 0.0, least = 1e300;
        #pragma omp simd reduction(max:best) reduction(min:least)
        for (Py_ssize_t j = 0; j < n; j++) {
            double d = vi - v[j];
            const double w = low[j] != 0.0 ? v[j] : 1e300;
            double eta = kii + diagonal[j] - 2.0 * row[j];
            eta = eta > 1e-12 ? eta : 1e-12;
            d = (low[j] != 0.0 && d > 0.0) ? d : 0.0;
            const double g = d * d / eta;
            gain[j] = g;
            best = g > best ? g : best;
            least = w < least ? w : least;
        }
        *lowest = least;
        return best;
    }

    SSLRANK_CLONES
    static double dot(const double *x, const double *y, Py_ssize_t n) {
        sslrank_lanes sum = {0};
        Py_ssize_t i = 0;
        for (; i + SSLRANK_SUM_LANES <= n; i += SSLRANK_SUM_LANES) sum += SSLRANK_LOAD(x + i) * SSLRANK_LOAD(y + i);
        for (; i < n; i++) sum[i % SSLRANK_SUM_LANES] += x[i] * y[i];
        return SSLRANK_TOTAL(sum);
    }

    /* out[r][c] = <a[r], b[c]> for four rows of each, `stride` apart; n is a multiple of 4. */
    typedef double four __attribute__((vector_size(32)));
    typedef double four_loaded __attribute__((vector_size(32), aligned(8), may_alias));

    SSLRANK_CLONES
    static void dots(const double *a, const double *b, Py_ssize_t stride, Py_ssize_t n, double out[4][4]) {
        for (int r = 0; r < 4; r += 2) { /* eight sums of four lanes fit the registers of every instruction set */
            const double *a0 = a + r * stride, *a1 = a0 + stride;
            const double *b1 = b + stride, *b2 = b1 + stride, *b3 = b2 + stride;
            four s[8] = {{0}};
            for (Py_ssize_t k = 0; k < n; k += 4) {
                const four x = *(const four_loaded *)(a0 + k), y = *(const four_loaded *)(a1 + k);
                const four z0 = *(const four_loaded *)(b + k), z1 = *(const four_loaded *)(b1 + k);
                const four z2 = *(const four_loaded *)(b2 + k), z3 = *(const four_loaded *)(b3 + k);
                s[0] += x * z0; s[1] += x * z1; s[2] += x * z2; s[3] += x * z3;
                s[4] += y * z0; s[5] += y * z1; s[6] += y * z2; s[7] += y * z3;
            }
            for (int i = 0; i < 8; i++) out[r + i / 4][i % 4] = (s[i][0] + s[i][2]) + (s[i][1] + s[i][3]);
        }
    }

    /* Cholesky factor of a matrix whose order n is a multiple of 4, in place in its lower triangle. Returns 0
     * where a pivot is not positive. */
    static int cholesky(double *a, Py_ssize_t n) {
        double known[4][4];
        for (Py_ssize_t i = 0; i < n; i += 4)
            for (Py_ssize_t j = 0; j <= i; j += 4) {
                dots(a + i * n, a + j * n, n, j, known);
                for (Py_ssize_t c = 0; c < 4; c++)
                    for (Py_ssize_t r = i == j ? c : 0; r < 4; r++) {
                        double x = a[(i + r) * n + j + c] - known[r][c];
                        for (Py_ssize_t k = j; k < j + c; k++) x -= a[(i + r) * n + k] * a[(j + c) * n + k];
                        if (i + r != j + c) a[(i + r) * n + j + c] = x / a[(j + c) * n + j + c];
                        else if (x > 0.0) a[(i + r) * n + j + c] = sqrt(x);
                        else return 0;
                    }
            }
        return 1;
    }

    /* sum of theta (gamma g + coef0)^2 */
    SSLRANK_CLONES
    static double dot_quadratic(const double *theta, const double *g, double gamma, double coef0, Py_ssize_t n)
    {
        sslrank_lanes sum = {0};
        Py_ssize_t i = 0;
        for (; i + SSLRANK_SUM_LANES <= n; i += SSLRANK_SUM_LANES) {
            const sslrank_lanes k = gamma * SSLRANK_LOAD(g + i) + coef0;
            sum += SSLRANK_LOAD(theta + i) * k * k;
        }
        for (; i < n; i++) {
            const double k = gamma * g[i] + coef0;
            sum[i % SSLRANK_SUM_LANES] += theta[i] * k * k;
        }
        return SSLRANK_TOTAL(sum);
    }
    """
    void axpy(double a, const double *x, double *y, Py_ssize_t n) noexcept nogil
    void extremes(const double *theta, const double *v, double lower, double upper, double *highest,
                  double *lowest, Py_ssize_t n) noexcept nogil
    void keys(const double *theta, const double *v, const double *chosen, double sign, double bound,
              double *key, Py_ssize_t n) noexcept nogil
    void axpy_quadratic(double a, const double *g, double gamma, double coef0, double *y,
                        Py_ssize_t n) noexcept nogil
    double step(double t, const double *a, const double *b, double *v, const double *up,
                Py_ssize_t n) noexcept nogil
    double gains(double vi, double kii, const double *row, const double *diagonal, const double *v,
                 const double *low, double *gain, double *lowest, Py_ssize_t n) noexcept nogil
    double dot(const double *x, const double *y, Py_ssize_t n) noexcept nogil
    int cholesky(double *a, Py_ssize_t n) noexcept nogil
    double dot_quadratic(const double *theta, const double *g, double gamma, double coef0,
                         Py_ssize_t n) noexcept nogil


cdef struct Kernel:
    float64_t gamma
    float64_t coef0


cdef struct Pair:
    # Rows of two classes, as two stretches of the training rows: first label +1, second label -1.
    intp_t first
    intp_t n_first
    intp_t second
    intp_t n_second


cdef struct Work:
    # Scratch: vectors over the rows of a pair, and over the working set.
    float64_t *v         # y_k minus the decision value without its bias
    float64_t *key       # sort keys
    float64_t *chosen    # 1 for rows in the working set
    float64_t *heap
    intp_t *found
    intp_t *rows         # the working set
    float64_t *matrix    # its kernel matrix
    float64_t *local_v
    float64_t *theta
    float64_t *before
    float64_t *diagonal
    float64_t *gain
    float64_t *up        # 1 where theta may grow
    float64_t *low       # 1 where theta may shrink
    intp_t *free         # vectors off their bounds
    float64_t *factor    # Cholesky factor of their kernel matrix
    float64_t *blocks    # columns of its inverse, for those that reach a bound
    float64_t *pivots
    float64_t *target
    float64_t *ones
    float64_t *move


cdef inline intp_t row_of(Pair pair, intp_t k) noexcept nogil:
    return pair.first + k if k < pair.n_first else pair.second + k - pair.n_first


cdef inline float64_t upper_bound(Pair pair, float64_t C, intp_t k) noexcept nogil:
    # theta = y alpha lies in [0, C] for the first class and in [-C, 0] for the second.
    return C if k < pair.n_first else 0.0


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


cdef void add_row(
    const float64_t *products, intp_t row, intp_t width, Pair pair, Kernel kernel, float64_t t, float64_t *v
) noexcept nogil:
    """v += t times the kernel row, over the rows of the pair."""
    cdef const float64_t *g = products + row * width
    axpy_quadratic(t, g + pair.first, kernel.gamma, kernel.coef0, v, pair.n_first)
    axpy_quadratic(t, g + pair.second, kernel.gamma, kernel.coef0, v + pair.n_first, pair.n_second)


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
