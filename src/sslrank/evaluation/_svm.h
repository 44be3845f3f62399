/* Loops of the support vector machine over vectors and small matrices. */
#ifndef SSLRANK_SVM_H
#define SSLRANK_SVM_H

#include <math.h>
#include "core/_simd.h"

SSLRANK_CLONES
static inline void axpy(double a, const double *x, double *y, ptrdiff_t n) {
    #pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++) y[i] += a * x[i];
}

/* Largest v of what may grow (theta < upper) and smallest v of what may shrink (theta > lower). */
SSLRANK_CLONES
static inline void extremes(const double *theta, const double *v, double lower, double upper, double *highest,
                            double *lowest, ptrdiff_t n) {
    double high = *highest, low = *lowest;
    #pragma omp simd reduction(max:high) reduction(min:low)
    for (ptrdiff_t i = 0; i < n; i++) {
        const double a = theta[i] < upper ? v[i] : -1e300, b = theta[i] > lower ? v[i] : 1e300;
        high = a > high ? a : high;
        low = b < low ? b : low;
    }
    *highest = high;
    *lowest = low;
}

/* Sort keys: sign * v where sign * theta < bound and the row is not chosen yet, 1e300 elsewhere. */
SSLRANK_CLONES
static inline void keys(const double *theta, const double *v, const double *chosen, double sign, double bound,
                        double *key, ptrdiff_t n) {
    #pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++)
        key[i] = (sign * theta[i] < bound && chosen[i] == 0.0) ? -sign * v[i] : 1e300;
}

/* y += a (gamma g + coef0)^2 */
SSLRANK_CLONES
static inline void axpy_quadratic(double a, const double *g, double gamma, double coef0, double *y, ptrdiff_t n) {
    #pragma omp simd
    for (ptrdiff_t i = 0; i < n; i++) { const double k = gamma * g[i] + coef0; y[i] += a * k * k; }
}

/* v -= t (a - b); returns the largest v among the entries with up = 1 */
SSLRANK_CLONES
static inline double step(double t, const double *a, const double *b, double *v, const double *up, ptrdiff_t n) {
    double best = -1e300;
    #pragma omp simd reduction(max:best)
    for (ptrdiff_t i = 0; i < n; i++) {
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
static inline double gains(double vi, double kii, const double *row, const double *diagonal, const double *v,
                           const double *low, double *gain, double *lowest, ptrdiff_t n) {
    double best = 0.0, least = 1e300;
    #pragma omp simd reduction(max:best) reduction(min:least)
    for (ptrdiff_t j = 0; j < n; j++) {
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
static inline double dot(const double *x, const double *y, ptrdiff_t n) {
    sslrank_lanes sum = {0};
    ptrdiff_t i = 0;
    for (; i + SSLRANK_SUM_LANES <= n; i += SSLRANK_SUM_LANES) sum += SSLRANK_LOAD(x + i) * SSLRANK_LOAD(y + i);
    for (; i < n; i++) sum[i % SSLRANK_SUM_LANES] += x[i] * y[i];
    return SSLRANK_TOTAL(sum);
}

/* out[r][c] = <a[r], b[c]> for four rows of each, `stride` apart; n is a multiple of 4. */
typedef double four __attribute__((vector_size(32)));
typedef double four_loaded __attribute__((vector_size(32), aligned(8), may_alias));

SSLRANK_CLONES
static inline void dots(const double *a, const double *b, ptrdiff_t stride, ptrdiff_t n, double out[4][4]) {
    for (int r = 0; r < 4; r += 2) { /* eight sums of four lanes fit the registers of every instruction set */
        const double *a0 = a + r * stride, *a1 = a0 + stride;
        const double *b1 = b + stride, *b2 = b1 + stride, *b3 = b2 + stride;
        four s[8] = {{0}};
        for (ptrdiff_t k = 0; k < n; k += 4) {
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
static inline int cholesky(double *a, ptrdiff_t n) {
    double known[4][4];
    for (ptrdiff_t i = 0; i < n; i += 4)
        for (ptrdiff_t j = 0; j <= i; j += 4) {
            dots(a + i * n, a + j * n, n, j, known);
            for (ptrdiff_t c = 0; c < 4; c++)
                for (ptrdiff_t r = i == j ? c : 0; r < 4; r++) {
                    double x = a[(i + r) * n + j + c] - known[r][c];
                    for (ptrdiff_t k = j; k < j + c; k++) x -= a[(i + r) * n + k] * a[(j + c) * n + k];
                    if (i + r != j + c) a[(i + r) * n + j + c] = x / a[(j + c) * n + j + c];
                    else if (x > 0.0) a[(i + r) * n + j + c] = sqrt(x);
                    else return 0;
                }
        }
    return 1;
}

/* sum of theta (gamma g + coef0)^2 */
SSLRANK_CLONES
static inline double dot_quadratic(const double *theta, const double *g, double gamma, double coef0, ptrdiff_t n) {
    sslrank_lanes sum = {0};
    ptrdiff_t i = 0;
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

#endif
