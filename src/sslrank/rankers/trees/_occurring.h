/* Which columns occur among the entries of some rows, ascending: a bit is set for each, and read back. */
#ifndef SSLRANK_TREES_OCCURRING_H
#define SSLRANK_TREES_OCCURRING_H

#include <stddef.h>
#include <stdint.h>

/* Row r has entries at column[begin[r]:end[r]]. `bits` has n_words for all columns, zero before and afterwards. Returns
 * how many columns are listed. */
static inline ptrdiff_t
sslrank_list_occurring(const int64_t *begin, const int64_t *end, const int32_t *column, const int32_t *rows,
                       ptrdiff_t n, uint64_t *restrict bits, ptrdiff_t n_words, int32_t *restrict occurring)
{
    ptrdiff_t listed = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        for (int64_t e = begin[rows[i]]; e < end[rows[i]]; e++)
            bits[column[e] >> 6] |= (uint64_t)1 << (column[e] & 63);
    for (ptrdiff_t w = 0; w < n_words; w++) {
        for (uint64_t left = bits[w]; left; left &= left - 1)
            occurring[listed++] = (int32_t)(64 * w + __builtin_ctzll(left));
        bits[w] = 0;
    }
    return listed;
}

#endif
