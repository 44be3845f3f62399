/* Order the rows of a node by the code of one feature, and find the groups of equal codes.
 *
 * Stable: equal codes keep the order of the rows. A key is the code (upper bits) and the position (lower bits), so
 * keys are distinct. Few rows are ranked by counting smaller keys, a vector of keys at a time and without branches;
 * more rows by counting passes over the code's digits. */
#ifndef SSLRANK_TREES_SORT_H
#define SSLRANK_TREES_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "core/_simd.h"

/* Up to this many rows are ranked. */
#define SSLRANK_RANKED 128
/* Length of `count`: the largest number of digits. */
#define SSLRANK_DIGITS 2048

/* ends[0] and ends[1] = least and largest of n codes, INT32_MAX and -1 if there are none */
SSLRANK_CLONES static inline void
sslrank_code_range(const int32_t *restrict codes, ptrdiff_t n, int32_t *restrict ends)
{
    int32_t low = INT32_MAX, high = -1;
#pragma omp simd reduction(min : low) reduction(max : high)
    for (ptrdiff_t i = 0; i < n; i++) {
        low = codes[i] < low ? codes[i] : low;
        high = codes[i] > high ? codes[i] : high;
    }
    ends[0] = low;
    ends[1] = high;
}

/* The same while the codes are copied from the listed rows of a column. */
SSLRANK_CLONES static inline void
sslrank_gather_codes(const int32_t *restrict column, const int32_t *restrict rows, ptrdiff_t n,
                     int32_t *restrict codes, int32_t *restrict ends)
{
    int32_t low = INT32_MAX, high = -1;
#pragma omp simd reduction(min : low) reduction(max : high)
    for (ptrdiff_t i = 0; i < n; i++) {
        const int32_t code = column[rows[i]];
        codes[i] = code;
        low = code < low ? code : low;
        high = code > high ? code : high;
    }
    ends[0] = low;
    ends[1] = high;
}

typedef uint32_t sslrank_key16 __attribute__((vector_size(64), aligned(4), may_alias));

/* to = the n <= SSLRANK_RANKED keys in order; `keys` has room for a multiple of 16 */
SSLRANK_CLONES static inline void
sslrank_rank_sort(uint32_t *keys, uint32_t *to, ptrdiff_t n)
{
    uint32_t rank[SSLRANK_RANKED];
    for (ptrdiff_t i = n; i % 16; i++)
        keys[i] = 0xFFFFFFFFu;
    for (ptrdiff_t i = 0; i < n; i += 16) {
        const sslrank_key16 mine = *(const sslrank_key16 *)(keys + i);
        sslrank_key16 smaller = {0};
        for (ptrdiff_t j = 0; j < n; j++)
            smaller -= (sslrank_key16)(mine > keys[j]); /* true is -1 */
        *(sslrank_key16 *)(rank + i) = smaller;
    }
    for (ptrdiff_t i = 0; i < n; i++)
        to[rank[i]] = keys[i];
}

#define SSLRANK_RADIX(NAME, KEY)                                                                             \
    static inline KEY *NAME(KEY *from, KEY *to, ptrdiff_t n, int shift, int64_t spread, int32_t *count)      \
    {                                                                                                        \
        int needed = 1;                                                                                      \
        while (((int64_t)1 << needed) < spread)                                                              \
            needed++;                                                                                        \
        const int widest = n < 1024 ? 8 : 11;                                                                \
        const int passes = (needed + widest - 1) / widest;                                                   \
        const int bits = (needed + passes - 1) / passes;                                                     \
        const KEY mask = ((KEY)1 << bits) - 1;                                                               \
        for (int p = 0; p < passes; p++, shift += bits) {                                                    \
            int32_t total = 0;                                                                               \
            memset(count, 0, sizeof(int32_t) << bits);                                                       \
            for (ptrdiff_t i = 0; i < n; i++)                                                                \
                count[(from[i] >> shift) & mask]++;                                                          \
            for (KEY d = 0; d <= mask; d++) {                                                                \
                int32_t c = count[d];                                                                        \
                count[d] = total;                                                                            \
                total += c;                                                                                  \
            }                                                                                                \
            for (ptrdiff_t i = 0; i < n; i++)                                                                \
                to[count[(from[i] >> shift) & mask]++] = from[i];                                            \
            KEY *swap = from;                                                                                \
            from = to;                                                                                       \
            to = swap;                                                                                       \
        }                                                                                                    \
        return from;                                                                                         \
    }
SSLRANK_RADIX(sslrank_radix32, uint32_t)
SSLRANK_RADIX(sslrank_radix64, uint64_t)

/* Sort n <= 65536 keys of 16 bits for the code, below `spread`, and 16 for the row; returns `keys` or `other`. */
static inline uint32_t *
sslrank_sort_short(uint32_t *keys, uint32_t *other, ptrdiff_t n, int64_t spread, int32_t *count)
{
    if (n > SSLRANK_RANKED)
        return sslrank_radix32(keys, other, n, 16, spread, count);
    sslrank_rank_sort(keys, other, n);
    return other;
}

/* Take n > 0 sorted keys apart, with BITS bits for the row. Row i is local[i], or i if local is NULL. Group g of equal
 * codes is order[start[g]:start[g + 1]] and has the code group_code[g]. Returns the number of groups. */
#define SSLRANK_GROUP(NAME, KEY, BITS)                                                                       \
    static inline ptrdiff_t NAME(const KEY *restrict sorted, const int32_t *restrict local, ptrdiff_t n,     \
                                 int32_t low, int32_t *restrict order, int32_t *restrict start,              \
                                 int32_t *restrict group_code)                                               \
    {                                                                                                        \
        const KEY row = ((KEY)1 << BITS) - 1;                                                                \
        KEY last = sorted[0];                                                                                \
        ptrdiff_t g = 0;                                                                                     \
        start[0] = 0;                                                                                        \
        for (ptrdiff_t i = 0; i < n; i++) { /* the group ends here, unless more rows come */                 \
            const KEY key = sorted[i];                                                                       \
            g += (key ^ last) > row;                                                                         \
            last = key;                                                                                      \
            start[g + 1] = (int32_t)i + 1;                                                                   \
            group_code[g] = (int32_t)(key >> BITS) + low;                                                    \
            order[i] = local == NULL ? (int32_t)(key & row) : local[key & row];                              \
        }                                                                                                    \
        return g + 1;                                                                                        \
    }
SSLRANK_GROUP(sslrank_group_short, uint32_t, 16)
SSLRANK_GROUP(sslrank_group_long, uint64_t, 32)

/* The first of the largest groups */
static inline ptrdiff_t
sslrank_largest_group(const int32_t *start, ptrdiff_t groups, ptrdiff_t n)
{
    ptrdiff_t pivot = 0;
    int32_t largest = 1;
    if (groups < n)
        for (ptrdiff_t g = 0; g < groups; g++)
            if (start[g + 1] - start[g] > largest) {
                largest = start[g + 1] - start[g];
                pivot = g;
            }
    return pivot;
}

/* Sort n rows with codes low..high into groups, see above; *pivot is a largest one. `keys` and `other` hold n + 16
 * numbers, `count` SSLRANK_DIGITS. */
static inline ptrdiff_t
sslrank_order_rows(const int32_t *code, const int32_t *local, ptrdiff_t n, int32_t low, int32_t high,
                   uint64_t *keys, uint64_t *other, int32_t *count, int32_t *order,
                   int32_t *start, int32_t *group_code, ptrdiff_t *pivot)
{
    const int64_t spread = (int64_t)high - low + 1;
    ptrdiff_t groups;
    if (spread <= 65536 && n <= 65536) {
        uint32_t *a = (uint32_t *)keys;
        for (ptrdiff_t i = 0; i < n; i++)
            a[i] = (uint32_t)(code[i] - low) << 16 | (uint32_t)i;
        a = sslrank_sort_short(a, (uint32_t *)other, n, spread, count);
        groups = sslrank_group_short(a, local, n, low, order, start, group_code);
    } else {
        uint64_t *a = (uint64_t *)keys;
        for (ptrdiff_t i = 0; i < n; i++)
            a[i] = (uint64_t)(code[i] - low) << 32 | (uint64_t)i;
        a = sslrank_radix64(a, (uint64_t *)other, n, 32, spread, count);
        groups = sslrank_group_long(a, local, n, low, order, start, group_code);
    }
    *pivot = sslrank_largest_group(start, groups, n);
    return groups;
}

/* The same with the n sorted keys at hand */
static inline ptrdiff_t
sslrank_ordered_rows(const unsigned int *sorted, ptrdiff_t n, int32_t *order, int32_t *start, int32_t *group_code,
                     ptrdiff_t *pivot)
{
    const ptrdiff_t groups = sslrank_group_short(sorted, NULL, n, 0, order, start, group_code);
    *pivot = sslrank_largest_group(start, groups, n);
    return groups;
}

#endif
