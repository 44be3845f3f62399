/* Differences of two rows, column by column. Numeric columns (scaled to [0, 1]) come first, nominal ones (codes)
 * after them. */
#ifndef SSLRANK_RELIEF_DIFFERENCES_H
#define SSLRANK_RELIEF_DIFFERENCES_H

#include <math.h>
#include <stddef.h>

#include "core/_simd.h"

/* Distance of two rows in every column, missing values (NaN) included:
 * numeric |a - b|, one missing max(t, 1 - t) for the known t, both missing 1;
 * nominal [a != b], missing `unknown[j]` = 1 - 1 / (number of categories). */
SSLRANK_CLONES
static void relief_differences(const double *restrict a, const double *restrict b, ptrdiff_t start, ptrdiff_t stop,
                               ptrdiff_t n_numeric, const double *restrict unknown, int missing,
                               double *restrict out)
{
    const ptrdiff_t middle = stop < n_numeric ? stop : (start > n_numeric ? start : n_numeric);
    if (!missing) {
#pragma omp simd
        for (ptrdiff_t j = start; j < middle; j++)
            out[j - start] = fabs(a[j] - b[j]);
#pragma omp simd
        for (ptrdiff_t j = middle; j < stop; j++)
            out[j - start] = a[j] != b[j] ? 1.0 : 0.0;
        return;
    }
    for (ptrdiff_t j = start; j < middle; j++) {
        const double x = a[j], y = b[j];
        const double one = x == x ? x : y; /* the known one, if any */
        const double far = one > 0.5 ? one : 1.0 - one;
        const double both = fabs(x - y);
        out[j - start] = both == both ? both : (far == far ? far : 1.0);
    }
    for (ptrdiff_t j = middle; j < stop; j++) {
        const double x = a[j], y = b[j];
        out[j - start] = (x == x && y == y) ? (x != y ? 1.0 : 0.0) : unknown[j];
    }
}

#endif
