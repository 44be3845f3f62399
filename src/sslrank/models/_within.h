/* Rows within a distance. */
#ifndef SSLRANK_MODELS_WITHIN_H
#define SSLRANK_MODELS_WITHIN_H

#include "core/_simd.h"

/* Lists the n distances that are at most the bound, and their indices; returns their number.
   Usually none of sixteen is, so sixteen are compared at a time. */
SSLRANK_CLONES
static ptrdiff_t list_within(const double *y, ptrdiff_t n, double bound, double *near, ptrdiff_t *indices)
{
    ptrdiff_t m = 0;
    for (ptrdiff_t start = 0; start < n; start += 16) {
        const ptrdiff_t stop = start + 16 < n ? start + 16 : n;
        int any = 0;
        #pragma omp simd reduction(|:any)
        for (ptrdiff_t i = start; i < stop; i++)
            any |= y[i] <= bound;
        for (ptrdiff_t i = start; any && i < stop; i++) {
            near[m] = y[i];
            indices[m] = i;
            m += y[i] <= bound;
        }
    }
    return m;
}

#endif
