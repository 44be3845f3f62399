/* Weighted sums of the differences of pairs of rows. */
#ifndef SSLRANK_RELIEF_ADD_H
#define SSLRANK_RELIEF_ADD_H

#include "rankers/relief/_differences.h"

/* sums[c * width + j] += weight[c] * difference[j] for c < count, a few c at a time. */
SSLRANK_CLONES
static void relief_add(const double *restrict difference, ptrdiff_t n, const double *restrict weight, int count,
                       double *restrict sums, ptrdiff_t width)
{
    int c = 0;
    for (; c + 2 <= count; c += 2) {
        double *restrict s0 = sums + c * width;
        double *restrict s1 = s0 + width;
        const double w0 = weight[c], w1 = weight[c + 1];
#pragma omp simd
        for (ptrdiff_t j = 0; j < n; j++) {
            s0[j] += w0 * difference[j];
            s1[j] += w1 * difference[j];
        }
    }
    if (c < count) {
        double *restrict s0 = sums + c * width;
        const double w0 = weight[c];
#pragma omp simd
        for (ptrdiff_t j = 0; j < n; j++)
            s0[j] += w0 * difference[j];
    }
}

#endif
