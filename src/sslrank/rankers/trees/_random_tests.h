/* Values of a node's rows and their sides of a random threshold; their categories and the sides of a random subset. */
#ifndef SSLRANK_TREES_RANDOM_TESTS_H
#define SSLRANK_TREES_RANDOM_TESTS_H

#include <stddef.h>
#include <stdint.h>

/* Values of n rows, column[row * stride], copied to `numbers`; *low and *high are the extremes. No NaN.
 * Four chains of minima and maxima hide their latency. */
static inline void
sslrank_gather_numbers(const double *column, ptrdiff_t stride, const int32_t *restrict rows, ptrdiff_t n,
                       double *restrict numbers, double *low, double *high)
{
    double lo[4], hi[4];
    ptrdiff_t i = 0;
    for (int c = 0; c < 4; c++)
        lo[c] = hi[c] = column[rows[0] * stride];
    for (; i + 4 <= n; i += 4)
        for (int c = 0; c < 4; c++) {
            const double x = column[rows[i + c] * stride];
            numbers[i + c] = x;
            lo[c] = x < lo[c] ? x : lo[c];
            hi[c] = x > hi[c] ? x : hi[c];
        }
    for (; i < n; i++) {
        const double x = column[rows[i] * stride];
        numbers[i] = x;
        lo[0] = x < lo[0] ? x : lo[0];
        hi[0] = x > hi[0] ? x : hi[0];
    }
    for (int c = 1; c < 4; c++) {
        lo[0] = lo[c] < lo[0] ? lo[c] : lo[0];
        hi[0] = hi[c] > hi[0] ? hi[c] : hi[0];
    }
    *low = lo[0];
    *high = hi[0];
}

/* List the rows above the threshold in `above` and the others in `below` (n + 1 places each), without branches:
 * which side a row is on cannot be predicted. Returns how many are above. */
static inline ptrdiff_t
sslrank_part_numbers(const double *restrict numbers, ptrdiff_t n, double threshold, int32_t *restrict above,
                     int32_t *restrict below)
{
    ptrdiff_t a = 0, b = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const int right = numbers[i] > threshold;
        above[a] = (int32_t)i;
        below[b] = (int32_t)i;
        a += right;
        b += !right;
    }
    return a;
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
