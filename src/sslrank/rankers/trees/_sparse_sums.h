/* Sparse clustering rows: running sums entry by entry.
 *
 * A row's entries are value[e] at column[e], first those of the feature block. */
#ifndef SSLRANK_TREES_SPARSE_SUMS_H
#define SSLRANK_TREES_SPARSE_SUMS_H

#include <stddef.h>
#include <stdint.h>
#include "core/_simd.h"

/* Add up groups first, first + step, ... of local rows; group g is order[start[g]:start[g + 1]]. own[b] is the squared
 * norm of the weighted sum after b + 1 groups. `sum` must be zero at the start. */
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

#endif
