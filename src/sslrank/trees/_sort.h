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
#include "_simd.h"

/* Up to this many rows are ranked. */
#define SSLRANK_RANKED 64
/* Length of `count`: the largest number of digits. */
#define SSLRANK_DIGITS 2048

/* ends[0] and ends[1] = least and largest of n codes, INT32_MAX and -1 if there are none */
SSLRANK_CLONES static void
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
SSLRANK_CLONES static void
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
SSLRANK_CLONES static void
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

/* Sort n rows with codes low..high. Row i is local[i], or i if local is NULL. Group g of equal codes is
 * order[start[g]:start[g + 1]] and has the code group_code[g]. Returns the number of groups; *pivot is a largest
 * one. `keys` and `other` hold n + 16 numbers, `count` SSLRANK_DIGITS. */
static inline ptrdiff_t
sslrank_order_rows(const int32_t *code, const int32_t *local, ptrdiff_t n, int32_t low, int32_t high,
                   unsigned long long *keys, unsigned long long *other, int32_t *count, int32_t *order,
                   int32_t *start, int32_t *group_code, ptrdiff_t *pivot)
{
    const int64_t spread = (int64_t)high - low + 1;
    ptrdiff_t groups = 0;
    int32_t last = -1, largest = 1;
    *pivot = 0;
#define SSLRANK_PLACE(position, value)                                                                       \
    do {                                                                                                     \
        const int32_t at_ = (int32_t)(position), code_ = (int32_t)(value) + low;                             \
        order[i] = local == NULL ? at_ : local[at_];                                                         \
        start[groups] = (int32_t)i;                                                                          \
        group_code[groups] = code_;                                                                          \
        groups += code_ != last;                                                                             \
        last = code_;                                                                                        \
    } while (0)
    /* A row that starts no group overwrites the next group's entry, which is then written again. */
    if (spread <= 65536 && n <= 65536) {
        uint32_t *a = (uint32_t *)keys, *b = (uint32_t *)other, *sorted;
        for (ptrdiff_t i = 0; i < n; i++)
            a[i] = (uint32_t)(code[i] - low) << 16 | (uint32_t)i;
        if (n <= SSLRANK_RANKED) {
            sslrank_rank_sort(a, b, n);
            sorted = b;
        } else {
            sorted = sslrank_radix32(a, b, n, 16, spread, count);
        }
        for (ptrdiff_t i = 0; i < n; i++)
            SSLRANK_PLACE(sorted[i] & 0xFFFFu, sorted[i] >> 16);
    } else {
        uint64_t *a = (uint64_t *)keys, *b = (uint64_t *)other;
        for (ptrdiff_t i = 0; i < n; i++)
            a[i] = (uint64_t)(code[i] - low) << 32 | (uint64_t)i;
        a = sslrank_radix64(a, b, n, 32, spread, count);
        for (ptrdiff_t i = 0; i < n; i++)
            SSLRANK_PLACE(a[i] & 0xFFFFFFFFu, a[i] >> 32);
    }
    start[groups] = (int32_t)n;
    if (groups < n)
        for (ptrdiff_t g = 0; g < groups; g++)
            if (start[g + 1] - start[g] > largest) {
                largest = start[g + 1] - start[g];
                *pivot = g;
            }
    return groups;
}

#endif
