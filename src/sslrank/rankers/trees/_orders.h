/* The rows of a node in order of every feature, handed down by parting the orders of the node above. */
#ifndef SSLRANK_TREES_ORDERS_H
#define SSLRANK_TREES_ORDERS_H

#include "_partition.h"
#include "_sort.h"

/* A feature's order of n rows, as keys code << 16 | local row: returns `keys` or `other`, which hold n + 16 numbers. */
static inline uint32_t *
sslrank_order_column(const int32_t *column, const int32_t *rows, ptrdiff_t n, int32_t n_codes, uint32_t *keys,
                     uint32_t *other, int32_t *count)
{
    for (ptrdiff_t i = 0; i < n; i++)
        keys[i] = (uint32_t)column[rows[i]] << 16 | (uint32_t)i;
    return sslrank_sort_short(keys, other, n, n_codes, count);
}

/* Part an order of n rows in place and stably: row i becomes row moved[i] of the left side, or moved[i] -
 * SSLRANK_RIGHT of the right side. Which side a row is on cannot be predicted, so both positions are written. */
static inline void
sslrank_part_order(uint32_t *order, ptrdiff_t n, const uint32_t *restrict moved, uint32_t *restrict scratch)
{
    ptrdiff_t left = 0, right = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const uint32_t key = order[i], to = moved[key & 0xFFFFu], is_right = to >> 16;
        const uint32_t new_key = (key & 0xFFFF0000u) | (to & 0xFFFFu);
        order[left] = new_key;
        scratch[right] = new_key;
        left += 1 - is_right;
        right += is_right;
    }
    memcpy(order + left, scratch, right * sizeof(uint32_t));
}

#endif
