/* Sums over the rows with an entry of a two-valued feature, for all features at once.
 *
 * A feature's rows are one side of its only test. With weight(f, g) of the node's rows that have entries of both
 * f and g, and the constant z(g) of an entry, the squared norm of that side's sum is sum_g (z(g) weight(f, g))^2.
 * When a row comes or goes, weights and norms change at the pairs of its own entries only. Weights are whole
 * numbers and exact; norms are float64 and drift a little: by 1e-7 of a norm from 200,000 rows down to 100.
 *
 * Features are numbered from the most frequent one on ("positions"): pairs that come up often lie side by side, in a
 * corner of the matrix that stays in the cache. */
#ifndef SSLRANK_TREES_COOCCURRENCE_H
#define SSLRANK_TREES_COOCCURRENCE_H

#include <stddef.h>
#include <stdint.h>
#include "core/_simd.h"

/* A row with entries at n ascending positions comes with this weight (goes, if negative). square[i] is the squared
 * clustering value of entry i, `grown` is work space. Of `pairs`, a matrix of n_features columns, the part below and on
 * the diagonal is used; short weights keep more of it in the cache. */
#define SSLRANK_ADD_PAIRS(NAME, WEIGHT)                                                                      \
    SSLRANK_CLONES static inline void NAME(const int32_t *restrict position, const double *restrict square,  \
                                           ptrdiff_t n, int weight, ptrdiff_t n_features,                    \
                                           WEIGHT *restrict pairs, double *restrict grown,                   \
                                           double *restrict norm)                                            \
    {                                                                                                        \
        for (ptrdiff_t i = 0; i < n; i++) {                                                                  \
            WEIGHT *restrict with_i = pairs + position[i] * n_features;                                      \
            const double mine = square[i];                                                                   \
            double of_i = 0;                                                                                 \
            _Pragma("omp simd reduction(+ : of_i)")                                                          \
            for (ptrdiff_t j = 0; j < i; j++) { /* the positions of a row are distinct */                    \
                const WEIGHT old = with_i[position[j]];                                                      \
                const double more = 2 * (double)old + weight;                                                \
                of_i += square[j] * more;                                                                    \
                grown[j] += mine * more;                                                                     \
                with_i[position[j]] = (WEIGHT)(old + weight);                                                \
            }                                                                                                \
            grown[i] = of_i + mine * (2 * (double)with_i[position[i]] + weight);                             \
            with_i[position[i]] = (WEIGHT)(with_i[position[i]] + weight);                                    \
        }                                                                                                    \
        for (ptrdiff_t i = 0; i < n; i++)                                                                    \
            norm[position[i]] += weight * grown[i];                                                          \
    }
SSLRANK_ADD_PAIRS(sslrank_add_pairs16, uint16_t)
SSLRANK_ADD_PAIRS(sslrank_add_pairs32, int32_t)

/* The same for one target entry: weighted value v in `column` of the n_targets sums of every feature. */
static inline void
sslrank_add_target(const int32_t *restrict position, ptrdiff_t n, ptrdiff_t column, double v, ptrdiff_t n_targets,
                   double *restrict sums, double *restrict norm)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        double *sum = sums + position[i] * n_targets + column;
        norm[position[i]] += (2 * *sum + v) * v;
        *sum += v;
    }
}

/* What a row adds to the scalars of its features' sides: one vector. */
#define SSLRANK_SCALARS 8
typedef double sslrank_scalars __attribute__((vector_size(64), aligned(8), may_alias));

SSLRANK_CLONES static inline void
sslrank_add_scalars(const int32_t *restrict position, ptrdiff_t n, const double *scalars, double *sums)
{
    const sslrank_scalars mine = *(const sslrank_scalars *)scalars;
    for (ptrdiff_t i = 0; i < n; i++)
        *(sslrank_scalars *)(sums + position[i] * SSLRANK_SCALARS) += mine;
}

#endif
