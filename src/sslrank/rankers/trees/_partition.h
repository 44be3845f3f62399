/* The rows of a node parted by a threshold on codes: left rows first, each side in the order it had. */
#ifndef SSLRANK_TREES_PARTITION_H
#define SSLRANK_TREES_PARTITION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Where the i-th row goes: its position on the left side, or SSLRANK_RIGHT plus that on the right side. */
#define SSLRANK_RIGHT 65536

/* Which side a row is on cannot be predicted, so both positions are written. */
static inline __attribute__((always_inline)) ptrdiff_t
sslrank_part_listed(const int32_t *column, int32_t cut, int missing_right, int32_t *rows, ptrdiff_t n,
                    int32_t *restrict scratch, const int list, uint32_t *restrict moved)
{
    ptrdiff_t left = 0, right = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const int32_t row = rows[i], code = column[row];
        const ptrdiff_t is_right = (code > cut) | ((code < 0) & missing_right);
        if (list)
            moved[i] = (uint32_t)(is_right ? SSLRANK_RIGHT + right : left);
        rows[left] = row;
        scratch[right] = row;
        left += 1 - is_right;
        right += is_right;
    }
    memcpy(rows + left, scratch, right * sizeof(int32_t));
    return left;
}

/* Rows with a larger code than `cut` go right; those without a code (negative) if `missing_right`. Returns how many go
 * left. `scratch` has room for n rows, `moved` is NULL or gets the new position of each row. */
static inline ptrdiff_t
sslrank_part_rows(const int32_t *column, int32_t cut, int missing_right, int32_t *rows, ptrdiff_t n,
                  int32_t *scratch, unsigned int *moved)
{
    if (moved != NULL)
        return sslrank_part_listed(column, cut, missing_right, rows, n, scratch, 1, moved);
    return sslrank_part_listed(column, cut, missing_right, rows, n, scratch, 0, NULL);
}

#endif
