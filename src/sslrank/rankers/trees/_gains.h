/* Decreases of impurity from norms and scalars, many tests or many columns at a time. */
#ifndef SSLRANK_TREES_GAINS_H
#define SSLRANK_TREES_GAINS_H

#include "_rows.h"

/* How the target part of a test is computed, see _criterion.pyx. */
enum { SSLRANK_NO_TARGETS, SSLRANK_SAME_ROWS, SSLRANK_SCALE_ALL, SSLRANK_SCALE_KNOWN };

/* Tests are judged in whole vectors: there is room for them, and what stands behind the last test is ignored. */
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
#pragma omp simd
    for (ptrdiff_t b = 0; b < n; b++) {
        const double wa = side_weight[b], wb = weight - wa, la = side_labeled[b], lb = labeled - la;
        const double ia = 1 / (la > 0 ? la : 1), ib = 1 / (lb > 0 ? lb : 1);
        gain_f[b] = norm_f[b] * weight / (wa * wb);
        if (mode == SSLRANK_SCALE_ALL) {
            const double va = la > 0 ? (side_squares[b] - norm_t[b] * ia) * ia : whole;
            const double vb = lb > 0 ? (squares - side_squares[b] - norm_t[b] * ib) * ib : whole;
            gain_t[b] = weight * whole - wa * va - wb * vb;
        } else {
            gain_t[b] = la > 0 && lb > 0 ? factor * norm_t[b] * (ia + ib) : -lost;
        }
    }
}

/* Columns with missing values of their own: a row holds r centred values, then r known flags, then r squares, all
 * times the row's weight. This adds the decreases of `impurity * weight` in the columns lo..hi, whole vectors of them,
 * to the lanes of `gain`, see _criterion.pyx. Nothing is divided or added up under a condition, or the compiler would
 * not vectorise it; and one division serves both sides. */
static inline __attribute__((always_inline)) void
sslrank_ragged_columns(const float *restrict sum, const float *restrict extra, const int with_extra, ptrdiff_t r,
                       ptrdiff_t lo, ptrdiff_t hi, const float *restrict known, const float *restrict squares,
                       const float *restrict variance, const float *restrict scale, const float *restrict empty,
                       const int scale_all, float weight_a, float weight_b, float *restrict gain)
{
    for (ptrdiff_t at = lo; at < hi; at += SSLRANK_LANES) {
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < SSLRANK_LANES; lane++) {
            const ptrdiff_t c = at + lane;
            const float s = sum[c] + (with_extra ? extra[c] : 0);
            const float ka = sum[r + c] + (with_extra ? extra[r + c] : 0), kb = known[c] - ka;
            const float qa = sum[2 * r + c] + (with_extra ? extra[2 * r + c] : 0);
            const float any_a = ka > 0.5f ? 1 : 0, any_b = kb > 0.5f ? 1 : 0;
            const float a = ka > 1 ? ka : 1, b = kb > 1 ? kb : 1, both = 1 / (a * b), ia = b * both, ib = a * both;
            if (scale_all) {
                const float va = (qa - s * s * ia) * ia, vb = (squares[c] - qa - s * s * ib) * ib;
                gain[lane] += any_a * weight_a * (variance[c] - va) + any_b * weight_b * (variance[c] - vb);
            } else {
                const float whole = any_a * any_b;
                gain[lane] += scale[c] * (whole * s * s * (ia + ib) - (1 - whole) * empty[c] * squares[c]);
            }
        }
    }
}

/* *gain_f += decreases in the first n_f columns, *gain_t += those in the others */
SSLRANK_GCC_CLONES static inline void
sslrank_ragged_gains(const float *restrict sum, const float *restrict extra, ptrdiff_t r, ptrdiff_t n_f,
                     const float *restrict known, const float *restrict squares, const float *restrict variance,
                     const float *restrict scale, const float *restrict empty, int scale_all, float weight,
                     float weight_a, double *restrict gain_f, double *restrict gain_t)
{
    const ptrdiff_t whole = n_f / SSLRANK_LANES * SSLRANK_LANES, mixed = n_f > whole ? SSLRANK_LANES : 0;
    const ptrdiff_t ends[] = {0, whole, whole + mixed, r};
    float gain[3][SSLRANK_LANES] = {{0}}; /* of features, of both, of targets */
#define SSLRANK_RAGGED(with_extra, all)                                                                      \
    sslrank_ragged_columns(sum, extra, with_extra, r, ends[part], ends[part + 1], known, squares, variance,  \
                           scale, empty, all, weight_a, weight - weight_a, gain[part])
    for (int part = 0; part < 3; part++) {
        if (extra != NULL && scale_all)
            SSLRANK_RAGGED(1, 1);
        else if (extra != NULL)
            SSLRANK_RAGGED(1, 0);
        else if (scale_all)
            SSLRANK_RAGGED(0, 1);
        else
            SSLRANK_RAGGED(0, 0);
    }
#undef SSLRANK_RAGGED
    for (int lane = 0; lane < SSLRANK_LANES; lane++)
        gain[whole + lane < n_f ? 0 : 2][lane] += gain[1][lane];
    *gain_f += sslrank_total(*(sslrank_v16 *)gain[0]);
    *gain_t += sslrank_total(*(sslrank_v16 *)gain[2]);
}

#endif
