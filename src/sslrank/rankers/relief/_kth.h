/* Selection in float32. */
#ifndef SSLRANK_RELIEF_KTH_H
#define SSLRANK_RELIEF_KTH_H

#include <stddef.h>

/* The k-th smallest (k from 0) of n values, which are reordered. */
static float relief_kth(float *v, ptrdiff_t n, ptrdiff_t k)
{
    ptrdiff_t lo = 0, hi = n - 1;
    while (lo < hi) {
        const float a = v[lo], b = v[lo + (hi - lo) / 2], c = v[hi];
        const float pivot = a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? c : b));
        ptrdiff_t i = lo, j = hi;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (pivot < v[j])
                j--;
            if (i <= j) {
                const float t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        if (k <= j)
            hi = j;
        else if (k >= i)
            lo = i;
        else
            break;
    }
    return v[k];
}

#endif
