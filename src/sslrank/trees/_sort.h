/* Order the rows of a node by the code of one feature. Stable: equal codes keep the order of the rows. */
#ifndef SSLRANK_TREES_SORT_H
#define SSLRANK_TREES_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Below this many rows insertion beats counting. */
#define SSLRANK_INSERTION 20

static inline void
sslrank_insertion_sort(uint64_t *keys, ptrdiff_t n)
{
    for (ptrdiff_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        ptrdiff_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* One counting pass on the bits `shift`..`shift + bits` of the codes, which are the keys' upper halves. */
static inline void
sslrank_radix_pass(const uint64_t *restrict from, uint64_t *restrict to, ptrdiff_t n, int shift, int bits,
                   int32_t *restrict count)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    memset(count, 0, sizeof(int32_t) << bits);
    for (ptrdiff_t i = 0; i < n; i++)
        count[(from[i] >> shift) & mask]++;
    int32_t total = 0;
    for (uint64_t d = 0; d <= mask; d++) {
        int32_t c = count[d];
        count[d] = total;
        total += c;
    }
    for (ptrdiff_t i = 0; i < n; i++)
        to[count[(from[i] >> shift) & mask]++] = from[i];
}

/* Sort keys (code << 32 | local row) by code, codes in 0..range - 1. `other` is as long as keys, `count` holds
 * 2048 counters. Returns the one of the two arrays that holds the result. */
static inline uint64_t *
sslrank_sort(uint64_t *keys, uint64_t *other, ptrdiff_t n, int64_t range, int32_t *count)
{
    if (n <= SSLRANK_INSERTION) {
        sslrank_insertion_sort(keys, n);
        return keys;
    }
    int needed = 1;
    while (((int64_t)1 << needed) < range)
        needed++;
    const int widest = n < 1024 ? 8 : 11;
    const int passes = (needed + widest - 1) / widest;
    const int bits = (needed + passes - 1) / passes;
    for (int p = 0; p < passes; p++) {
        sslrank_radix_pass(keys, other, n, 32 + p * bits, bits, count);
        uint64_t *swap = keys;
        keys = other;
        other = swap;
    }
    return keys;
}

#endif
