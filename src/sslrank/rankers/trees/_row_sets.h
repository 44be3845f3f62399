/* Sides of two-valued features in a node of few rows. The rows with an entry of a feature are a set of bits, and the
 * squared norm of their sum is made of inner products of rows, which one table has for all nodes of a subtree. */
#ifndef SSLRANK_TREES_ROW_SETS_H
#define SSLRANK_TREES_ROW_SETS_H

#include <stddef.h>
#include <stdint.h>

/* Most rows of a set */
#define SSLRANK_SET 64

/* products[i * SSLRANK_SET + j] = inner product of rows i and j, whose entries are begin[row]..end[row] - 1. `vector`
 * is zero and is so again afterwards. */
static inline void
sslrank_row_products(const int64_t *begin, const int64_t *end, const int32_t *column, const float *value,
                     const int32_t *rows, ptrdiff_t n, float *restrict vector, double *restrict products)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const int64_t first = begin[rows[i]], last = end[rows[i]];
        for (int64_t e = first; e < last; e++)
            vector[column[e]] = value[e];
        for (ptrdiff_t j = 0; j <= i; j++) {
            double product = 0;
            for (int64_t e = begin[rows[j]]; e < end[rows[j]]; e++)
                product += (double)value[e] * vector[column[e]];
            products[i * SSLRANK_SET + j] = products[j * SSLRANK_SET + i] = product;
        }
        for (int64_t e = first; e < last; e++)
            vector[column[e]] = 0;
    }
}

/* What a row of the node adds to the sides that it is on, and its number among the products */
typedef struct {
    double weight, labeled, squares, mean_dot_f, mean_dot_t;
    ptrdiff_t product;
} sslrank_row;

/* Sums over a side, and the squared norms of the sums of its rows' features and targets */
typedef struct {
    double weight, labeled, squares, mean_dot_f, mean_dot_t, norm_f, norm_t;
} sslrank_set_sums;

/* What a row z of weight w adds to the squared norm of the sum s of the rows before it: 2 w s.z + |w z|^2 */
static inline double
sslrank_norm_growth(const sslrank_row *row, const sslrank_row *const *before, ptrdiff_t n, const double *products)
{
    const double *with = products + row->product * SSLRANK_SET;
    double dot = 0;
    for (ptrdiff_t j = 0; j < n; j++)
        dot += before[j]->weight * with[before[j]->product];
    return row->weight * (2 * dot + row->weight * with[row->product]);
}

/* Products are NULL where features or targets do not count. */
static inline sslrank_set_sums
sslrank_sum_set(const sslrank_row *rows, uint64_t set, const double *products_f, const double *products_t)
{
    sslrank_set_sums sum = {0};
    const sslrank_row *before[SSLRANK_SET];
    for (ptrdiff_t n = 0; set; set &= set - 1) {
        const sslrank_row *row = rows + __builtin_ctzll(set);
        if (products_f != NULL)
            sum.norm_f += sslrank_norm_growth(row, before, n, products_f);
        if (products_t != NULL)
            sum.norm_t += sslrank_norm_growth(row, before, n, products_t);
        sum.weight += row->weight;
        sum.labeled += row->labeled;
        sum.squares += row->squares;
        sum.mean_dot_f += row->mean_dot_f;
        sum.mean_dot_t += row->mean_dot_t;
        before[n++] = row;
    }
    return sum;
}

#endif
