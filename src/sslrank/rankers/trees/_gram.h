/* Sparse clustering rows: running sums entry by entry, and inner products between the rows of a subtree.
 *
 * Adding row i to a sum s changes |s|^2 by 2 s.z_i + |z_i|^2, and s.z_i is a sum over the rows in s of inner
 * products. So with those at hand (a Gram matrix) a side of k rows costs k^2 / 2 additions, instead of its
 * entries. They do not depend on the node: they are made once for the rows of a subtree.
 *
 * A row's entries are value[e] at column[e], first those of the feature block. */
#ifndef SSLRANK_TREES_GRAM_H
#define SSLRANK_TREES_GRAM_H

#include <stddef.h>
#include <stdint.h>
#include "core/_simd.h"

/* Both scans: groups first, first + step, ... of local rows are added up; group g is
 * order[start[g]:start[g + 1]]. own[b] is the squared norm of the weighted sum after b + 1 groups. */

/* Entry by entry: `sum` is where sums start and must be zero. */
SSLRANK_CLONES static inline void
sslrank_scan_entries(const int64_t *begin, const int64_t *end, const int32_t *column, const float *value,
                     const int32_t *rows, const float *weight, const int32_t *order, const int32_t *start,
                     ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups, float *restrict sum, double *own)
{
    double norm = 0;
    ptrdiff_t g = first;
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        for (int32_t j = start[g]; j < start[g + 1]; j++) {
            const int32_t row = rows[order[j]];
            const double w = weight[order[j]];
            const int64_t e_begin = begin[row], e_end = end[row];
            double grown = 0;
            if (e_end - e_begin < 8) { /* few targets: not worth a vector */
                for (int64_t e = e_begin; e < e_end; e++) {
                    const double old = sum[column[e]], v = w * value[e];
                    grown += (2 * old + v) * v;
                    sum[column[e]] = (float)(old + v);
                }
            } else {
#pragma omp simd reduction(+ : grown)
                for (int64_t e = e_begin; e < e_end; e++) { /* the columns of a row are distinct */
                    const double old = sum[column[e]], v = w * value[e];
                    grown += (2 * old + v) * v;
                    sum[column[e]] = (float)(old + v);
                }
            }
            norm += grown;
        }
        own[b] = norm;
    }
}

/* By inner products: gram[place[i] * n_gram + place[j]] is that of local rows i and j. The places and weights
 * of the side's rows are kept in side_place and side_weight. */
SSLRANK_CLONES static inline void
sslrank_scan_gram(const float *restrict gram, ptrdiff_t n_gram, const int32_t *restrict place,
                  const float *restrict weight, const int32_t *restrict order, const int32_t *restrict start,
                  ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups, int32_t *restrict side_place,
                  float *restrict side_weight, double *restrict own)
{
    double norm = 0;
    ptrdiff_t g = first, n_side = 0;
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        for (int32_t j = start[g]; j < start[g + 1]; j++) {
            const int32_t at = place[order[j]];
            const float *restrict row = gram + at * n_gram;
            const float w = weight[order[j]];
            float dot = 0;
#pragma omp simd reduction(+ : dot)
            for (ptrdiff_t q = 0; q < n_side; q++)
                dot += side_weight[q] * row[side_place[q]];
            norm += w * (2 * (double)dot + w * row[at]);
            side_place[n_side] = at;
            side_weight[n_side] = w;
            n_side++;
        }
        own[b] = norm;
    }
}

/* Of n sides: norm[b] = |s - share S|^2 = |s|^2 - 2 share s.S + share^2 |S|^2. own[b] is the squared norm of the side's
 * plain sum s, squared_norm that of the node's sum S, cross[b] the product of s and the node's mean, S / whole, and
 * side[b] / whole the side's share of the node's weight. */
SSLRANK_CLONES static inline void
sslrank_center_norms(ptrdiff_t n, const double *restrict own, const double *restrict cross,
                     const double *restrict side, double whole, double squared_norm, float *restrict norm)
{
    const double divisor = whole > 0 ? whole : 1;
#pragma omp simd
    for (ptrdiff_t b = 0; b < n; b++) {
        const double share = side[b] / divisor;
        norm[b] = (float)(own[b] - 2 * side[b] * cross[b] + share * share * squared_norm);
    }
}

/* inner product of a row and a dense vector */
SSLRANK_CLONES static inline float
sslrank_dot_entries(const int32_t *restrict column, const float *restrict value, ptrdiff_t n,
                    const float *restrict vector)
{
    float dot = 0;
#pragma omp simd reduction(+ : dot)
    for (ptrdiff_t e = 0; e < n; e++)
        dot += value[e] * vector[column[e]];
    return dot;
}

/* gram[i * n + j] = inner product of rows i and j, whose entries are begin[row]..end[row] - 1. `vector` is zero
 * and is so again afterwards. */
static inline void
sslrank_gram(const int64_t *begin, const int64_t *end, const int32_t *column, const float *value,
             const int32_t *rows, ptrdiff_t n, float *vector, float *gram)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const int64_t first = begin[rows[i]], last = end[rows[i]];
        for (int64_t e = first; e < last; e++)
            vector[column[e]] = value[e];
        for (ptrdiff_t j = 0; j <= i; j++) {
            const int64_t e = begin[rows[j]];
            const float dot = sslrank_dot_entries(column + e, value + e, end[rows[j]] - e, vector);
            gram[i * n + j] = dot;
            gram[j * n + i] = dot;
        }
        for (int64_t e = first; e < last; e++)
            vector[column[e]] = 0;
    }
}

#endif
