/* Decreases of impurity from norms and scalars, many tests or many columns at a time. */
#ifndef SSLRANK_TREES_GAINS_H
#define SSLRANK_TREES_GAINS_H

#include "_rows.h"

/* How the target part of a test is computed, see _criterion.pyx. */
enum { SSLRANK_NO_TARGETS, SSLRANK_SAME_ROWS, SSLRANK_SCALE_ALL, SSLRANK_SCALE_KNOWN };

/* Tests are evaluated in whole vectors: buffers are padded, and lanes after the last test are ignored. */
#define SSLRANK_WHOLE_TESTS(n) (((n) + 7) & ~(ptrdiff_t)7)

/* Decreases of the feature and target parts by n tests, from the squared norms and scalars of one side. */
SSLRANK_GCC_CLONES static inline void
sslrank_gains(ptrdiff_t n, int mode, double weight, double labeled, double squares, double factor, double lost,
              const float *restrict norm_f, const float *restrict norm_t, const double *restrict side_weight,
              const double *restrict side_labeled, const double *restrict side_squares,
              double *restrict gain_f, double *restrict gain_t)
{
    n = SSLRANK_WHOLE_TESTS(n);
    if (mode == SSLRANK_NO_TARGETS || mode == SSLRANK_SAME_ROWS) {
        const double scale = mode == SSLRANK_SAME_ROWS ? factor * weight : 0;
#pragma omp simd
        for (ptrdiff_t b = 0; b < n; b++) {
            const double share = 1 / (side_weight[b] * (weight - side_weight[b]));
            gain_f[b] = norm_f[b] * weight * share;
            gain_t[b] = norm_t[b] * scale * share;
        }
        return;
    }
    const double whole = squares / labeled;
    /* Both sides are computed before one is chosen: a branch around a sum keeps GCC from making vectors. */
#define SSLRANK_BOTH_SIDES                                                                                   \
    const double wa = side_weight[b], wb = weight - wa, la = side_labeled[b], lb = labeled - la;             \
    const double ia = 1 / (la > 0 ? la : 1), ib = 1 / (lb > 0 ? lb : 1);                                     \
    gain_f[b] = norm_f[b] * weight / (wa * wb);
    if (mode == SSLRANK_SCALE_ALL)
#pragma omp simd
        for (ptrdiff_t b = 0; b < n; b++) {
            SSLRANK_BOTH_SIDES
            const double va = (side_squares[b] - norm_t[b] * ia) * ia;
            const double vb = (squares - side_squares[b] - norm_t[b] * ib) * ib;
            gain_t[b] = weight * whole - wa * (la > 0 ? va : whole) - wb * (lb > 0 ? vb : whole);
        }
    else
#pragma omp simd
        for (ptrdiff_t b = 0; b < n; b++) {
            SSLRANK_BOTH_SIDES
            const double h = factor * norm_t[b] * (ia + ib);
            gain_t[b] = ((la > 0) & (lb > 0)) ? h : -lost;
        }
#undef SSLRANK_BOTH_SIDES
}

/* Sum over columns of the squared difference between the means of a side and of the rest, from float64 sums of the
 * node and the side; added up column by column. `width` is a multiple of SSLRANK_LANES. */
SSLRANK_CLONES static inline double
sslrank_between(ptrdiff_t width, const double *restrict node, const double *restrict side, double side_weight,
                double rest_weight)
{
    double total = 0, square[SSLRANK_LANES];
    for (ptrdiff_t at = 0; at < width; at += SSLRANK_LANES) {
#pragma omp simd
        for (ptrdiff_t c = 0; c < SSLRANK_LANES; c++) {
            const double d = side[at + c] / side_weight - (node[at + c] - side[at + c]) / rest_weight;
            square[c] = d * d;
        }
        for (ptrdiff_t c = 0; c < SSLRANK_LANES; c++)
            total += square[c];
    }
    return total;
}

#endif
