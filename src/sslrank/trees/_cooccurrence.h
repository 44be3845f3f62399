/* Sums over the rows with an entry of a two-valued feature, for all features at once.
 *
 * A feature's rows are one side of its only test. With weight(f, g) of the node's rows that have entries of both
 * f and g, and the constant z(g) of an entry, the squared norm of that side's sum is sum_g (z(g) weight(f, g))^2.
 * When a row comes or goes, weights and norms change at the pairs of its own entries only. Weights are whole
 * numbers, so float32 keeps them exactly and nothing drifts; norms are float64. */
#ifndef SSLRANK_TREES_COOCCURRENCE_H
#define SSLRANK_TREES_COOCCURRENCE_H

#include <stddef.h>
#include <stdint.h>
#include "_simd.h"

/* A row with the entries feature[0..n - 1], whose clustering values are value[0..n - 1], comes with this weight
 * (goes, if negative). `pairs` has n_features columns. */
SSLRANK_CLONES static void
sslrank_add_pairs(const int32_t *restrict feature, const float *restrict value, ptrdiff_t n, float weight,
                  ptrdiff_t n_features, float *restrict pairs, double *restrict norm)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        float *restrict of_feature = pairs + feature[i] * n_features;
        double grown = 0;
#pragma omp simd reduction(+ : grown)
        for (ptrdiff_t j = 0; j < n; j++) { /* the entries of a row are distinct */
            const float old = of_feature[feature[j]];
            const double z = value[j];
            grown += z * z * (2 * (double)old + weight);
            of_feature[feature[j]] = old + weight;
        }
        norm[feature[i]] += weight * grown;
    }
}

/* The same for one target entry: weighted value v in `column` of the n_targets sums of every feature. */
static inline void
sslrank_add_target(const int32_t *restrict feature, ptrdiff_t n, ptrdiff_t column, double v, ptrdiff_t n_targets,
                   double *restrict sums, double *restrict norm)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        double *sum = sums + feature[i] * n_targets + column;
        norm[feature[i]] += (2 * *sum + v) * v;
        *sum += v;
    }
}

/* What a row adds to the scalars of its features' sides: one vector. */
#define SSLRANK_SCALARS 8
typedef double sslrank_scalars __attribute__((vector_size(64), aligned(8), may_alias));

SSLRANK_CLONES static void
sslrank_add_scalars(const int32_t *restrict feature, ptrdiff_t n, const double *scalars, double *sums)
{
    const sslrank_scalars mine = *(const sslrank_scalars *)scalars;
    for (ptrdiff_t i = 0; i < n; i++)
        *(sslrank_scalars *)(sums + feature[i] * SSLRANK_SCALARS) += mine;
}

#endif
