/* Choose the best of several evaluated tests. */
#ifndef SSLRANK_TREES_CHOICE_H
#define SSLRANK_TREES_CHOICE_H

#include "_gains.h"

/* Largest h = f * gain_f + t * gain_t among the tests with both branches of weight >= least; 0 if none is
 * positive. There are n tests, made up to whole vectors by tests of weight -1. */
SSLRANK_CLONES static inline double
sslrank_largest(ptrdiff_t n, double f, double t, double weight, double least, const double *restrict side_weight,
                const double *restrict gain_f, const double *restrict gain_t)
{
    double largest = 0;
    n = SSLRANK_WHOLE_TESTS(n);
#pragma omp simd reduction(max : largest)
    for (ptrdiff_t b = 0; b < n; b++) {
        double h = f * gain_f[b] + t * gain_t[b];
        h = (side_weight[b] >= least) & (weight - side_weight[b] >= least) ? h : 0;
        largest = h > largest ? h : largest;
    }
    return largest;
}

/* The test that is left when one after the other replaces the best one, whose h is *best, if its own h is larger by
 * more than a share `tie` and than `smallest`; -1 if none is. From the last test on if `backwards`. */
static inline ptrdiff_t
sslrank_choose(ptrdiff_t n, double f, double t, double weight, double least, const double *restrict side_weight,
               const double *restrict gain_f, const double *restrict gain_t, int backwards, double tie,
               double smallest, double *best)
{
    ptrdiff_t chosen = -1;
    double h = sslrank_largest(n, f, t, weight, least, side_weight, gain_f, gain_t), bar = *best * (1 + tie);
    if (!(h > bar && h > smallest))
        return -1;
    for (ptrdiff_t i = 0; i < n; i++) {
        const ptrdiff_t b = backwards ? n - 1 - i : i;
        h = f * gain_f[b] + t * gain_t[b];
        if (h > bar && h > smallest && side_weight[b] >= least && weight - side_weight[b] >= least) {
            *best = h;
            bar = h * (1 + tie);
            chosen = b;
        }
    }
    return chosen;
}

#endif
