/* Values of a node's rows and their sides of a random threshold; their categories and the sides of a random subset. */
#ifndef SSLRANK_TREES_RANDOM_TESTS_H
#define SSLRANK_TREES_RANDOM_TESTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "core/_simd.h"

/* Features whose values are compared at a time: of rows of numbers, a cache line. */
#define SSLRANK_TOGETHER 8
typedef double sslrank_values __attribute__((vector_size(8 * SSLRANK_TOGETHER), aligned(8), may_alias));
typedef int64_t sslrank_answers __attribute__((vector_size(8 * SSLRANK_TOGETHER)));
typedef int8_t sslrank_sides_of_row __attribute__((vector_size(SSLRANK_TOGETHER), aligned(1), may_alias));

static inline __attribute__((always_inline)) sslrank_values
sslrank_pick(sslrank_answers where, sslrank_values yes, sslrank_values no)
{
    return (sslrank_values)((where & (sslrank_answers)yes) | (~where & (sslrank_answers)no));
}

/* Values of n rows of `table` in some features, copied to `numbers` row by row, and their extremes. No NaN. */
SSLRANK_GCC_CLONES static inline void
sslrank_gather_numbers(const double *restrict table, ptrdiff_t stride, const int32_t *restrict features,
                       const int32_t *restrict rows, ptrdiff_t n, double *restrict numbers, double *restrict low,
                       double *restrict high)
{
    sslrank_values lo = {0}, hi = {0};
    int adjacent = 1;
    for (int k = 1; k < SSLRANK_TOGETHER; k++)
        adjacent &= features[k] == features[0] + k;
    for (ptrdiff_t i = 0; i < n; i++) {
        const double *row = table + rows[i] * stride;
        sslrank_values x;
        if (adjacent)
            x = *(const sslrank_values *)(row + features[0]);
        else
            for (int k = 0; k < SSLRANK_TOGETHER; k++)
                x[k] = row[features[k]];
        *(sslrank_values *)(numbers + i * SSLRANK_TOGETHER) = x;
        lo = i == 0 ? x : sslrank_pick(x < lo, x, lo);
        hi = i == 0 ? x : sslrank_pick(x > hi, x, hi);
    }
    *(sslrank_values *)low = lo;
    *(sslrank_values *)high = hi;
}

/* sides[i] has -1 for each feature whose threshold row i is above, else 0; above[k] is how many rows are. */
SSLRANK_GCC_CLONES static inline void
sslrank_mark_sides(const double *restrict numbers, ptrdiff_t n, const double *restrict threshold,
                   int8_t *restrict sides, int64_t *restrict above)
{
    const sslrank_values t = *(const sslrank_values *)threshold;
    sslrank_answers count = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        const sslrank_answers right = *(const sslrank_values *)(numbers + i * SSLRANK_TOGETHER) > t;
        count -= right;
        ((sslrank_sides_of_row *)sides)[i] = __builtin_convertvector(right, sslrank_sides_of_row);
    }
    memcpy(above, &count, sizeof count);
}

/* List the rows on one side of a feature's threshold, -1 above and 0 below it; without branches: which side a row is
 * on cannot be predicted. One element more than there are rows on it is written. */
static inline void
sslrank_list_side(const int8_t *restrict sides, ptrdiff_t n, int side, int32_t *restrict listed)
{
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        listed[count] = (int32_t)i;
        count += sides[i * SSLRANK_TOGETHER] == side;
    }
}

/* Set the bit of each code that occurs; `words` has zeros. Codes below 64 need no memory between rows. */
static inline void
sslrank_mark_codes(const int32_t *restrict codes, ptrdiff_t n, ptrdiff_t n_words, uint64_t *restrict words)
{
    if (n_words == 1) {
        uint64_t marked = 0;
        for (ptrdiff_t i = 0; i < n; i++)
            marked |= (uint64_t)1 << codes[i];
        words[0] = marked;
    } else
        for (ptrdiff_t i = 0; i < n; i++)
            words[codes[i] >> 6] |= (uint64_t)1 << (codes[i] & 63);
}

/* List the rows whose code is in the set, or the others if they are fewer; *inside says which. Returns how many. */
static inline ptrdiff_t
sslrank_list_members(const int32_t *restrict codes, ptrdiff_t n, const uint64_t *restrict words,
                     int32_t *restrict listed, int *inside)
{
    ptrdiff_t members = 0, side = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        members += (words[codes[i] >> 6] >> (codes[i] & 63)) & 1;
    *inside = 2 * members <= n;
    for (ptrdiff_t i = 0; i < n; i++) {
        listed[side] = (int32_t)i;
        side += (int)((words[codes[i] >> 6] >> (codes[i] & 63)) & 1) == *inside;
    }
    return side;
}

#endif
