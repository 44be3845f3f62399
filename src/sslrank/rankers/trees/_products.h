/* Inner products of centred rows (a Gram matrix), and what a search reads from them.
 *
 * The squared norm of a sum of rows grows by 2 u[i] + g[i][i] when row i joins, where u is the sum of the rows of the
 * matrix that belong to its members. So a side of a node with n rows is followed with n numbers per row, however many
 * columns there are, and without adding up a vector after each row.
 *
 * A matrix of n rows has `stride` columns, n rounded up to whole vectors; the rest is zero. */
#ifndef SSLRANK_TREES_PRODUCTS_H
#define SSLRANK_TREES_PRODUCTS_H

#include "_rows.h"

/* to = transpose of `width` columns of n rows, n rounded up to `stride` with zeros */
static inline void
sslrank_transpose(const float *rows, ptrdiff_t row_stride, ptrdiff_t n, ptrdiff_t width, ptrdiff_t stride, float *to)
{
    for (ptrdiff_t c = 0; c < width; c++)
        for (ptrdiff_t i = n; i < stride; i++)
            to[c * stride + i] = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t c = 0; c < width; c++)
            to[c * stride + i] = rows[i * row_stride + c];
}

/* out[i][j] += factor * sum_c columns[c][i] columns[c][j] for four rows i and `nv` vectors of j */
static inline __attribute__((always_inline)) void
sslrank_product_tile(const float *columns, ptrdiff_t width, ptrdiff_t stride, ptrdiff_t i, ptrdiff_t j, const int nv,
                     float factor, float *out)
{
    sslrank_v16 sum[4][4] = {{{0}}};
    for (ptrdiff_t c = 0; c < width; c++) {
        const float *column = columns + c * stride;
        for (int v = 0; v < nv; v++) {
            const sslrank_v16 right = *(const sslrank_v16 *)(column + j + v * SSLRANK_LANES);
            for (int r = 0; r < 4; r++)
                sum[r][v] += column[i + r] * right;
        }
    }
    for (int r = 0; r < 4; r++)
        for (int v = 0; v < nv; v++)
            *(sslrank_v16 *)(out + (i + r) * stride + j + v * SSLRANK_LANES) += factor * sum[r][v];
}

/* out += factor * inner products of `stride` rows given as `width` columns */
SSLRANK_CLONES static inline void
sslrank_add_products(const float *columns, ptrdiff_t width, ptrdiff_t stride, float factor, float *out)
{
    for (ptrdiff_t i = 0; i < stride; i += 4) {
        ptrdiff_t j = i / SSLRANK_LANES * SSLRANK_LANES;
        for (; j + 4 * SSLRANK_LANES <= stride; j += 4 * SSLRANK_LANES)
            sslrank_product_tile(columns, width, stride, i, j, 4, factor, out);
        for (; j < stride; j += SSLRANK_LANES)
            sslrank_product_tile(columns, width, stride, i, j, 1, factor, out);
    }
    for (ptrdiff_t i = SSLRANK_LANES; i < stride; i++)
        for (ptrdiff_t j = 0; j < i / SSLRANK_LANES * SSLRANK_LANES; j++)
            out[i * stride + j] = out[j * stride + i];
}

/* to = the products of n of the rows, about the mean of these rows, in float64 until they are rounded. weight[i] is the
 * weight of row i and part of its row; `mean` is work space. Returns the share of the trace that is left by the change
 * of the mean. */
SSLRANK_CLONES static inline double
sslrank_take_products(const float *restrict from, ptrdiff_t from_stride, const int32_t *restrict index, ptrdiff_t n,
                      const double *restrict weight, double total, float *restrict to, ptrdiff_t stride,
                      double *restrict mean)
{
    double before = 0, after = 0, norm = 0;
    for (ptrdiff_t j = 0; j < n; j++)
        mean[j] = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const float *restrict source = from + index[i] * from_stride;
        float *restrict target = to + i * stride;
#pragma omp simd
        for (ptrdiff_t j = 0; j < n; j++) {
            const float g = source[index[j]];
            target[j] = g;
            mean[j] += g;
        }
        before += target[i];
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        mean[i] /= total;
        norm += mean[i];
    }
    const double half = 0.5 * norm / total;
    for (ptrdiff_t i = 0; i < n; i++) /* g - w_i mean_j - w_j mean_i + w_i w_j norm, the last term in halves */
        mean[i] -= weight[i] * half;
    for (ptrdiff_t i = 0; i < n; i++) {
        float *restrict target = to + i * stride;
        const double w = weight[i], m = mean[i];
#pragma omp simd
        for (ptrdiff_t j = 0; j < n; j++)
            target[j] = (float)(target[j] - w * mean[j] - m * weight[j]);
        for (ptrdiff_t j = n; j < stride; j++)
            target[j] = 0;
        after += target[i];
    }
    return before > 1e-8 * total ? after / before : 1;
}

/* As sslrank_scan, by inner products in nv vectors per row. */
static inline __attribute__((always_inline)) void
sslrank_scan_products_fixed(const float *restrict products, const int nv, const int32_t *restrict order,
                            const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups,
                            float *restrict running, float *restrict norm)
{
    double grown = 0;
    ptrdiff_t g = first;
    for (int v = 0; v < nv; v++)
        ((sslrank_v16 *)running)[v] = (sslrank_v16){0};
    for (ptrdiff_t k = 0; k < n_groups; k++, g += step) {
        for (int32_t i = start[g]; i < start[g + 1]; i++) {
            const ptrdiff_t at = order[i];
            const float *restrict row = products + at * nv * SSLRANK_LANES;
            grown += 2 * running[at] + row[at];
            for (int v = 0; v < nv; v++)
                ((sslrank_v16 *)running)[v] += ((const sslrank_v16 *)row)[v];
        }
        norm[k] = grown > 0 ? (float)grown : 0;
    }
}

SSLRANK_CLONES static inline void
sslrank_scan_products(const float *restrict products, ptrdiff_t stride, const int32_t *restrict order,
                      const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups,
                      float *restrict running, float *restrict norm)
{
    const int nv = (int)(stride / SSLRANK_LANES);
    switch (nv) {
#define SSLRANK_PRODUCTS(nv)                                                                                 \
    case nv:                                                                                                 \
        sslrank_scan_products_fixed(products, nv, order, start, first, step, n_groups, running, norm);       \
        return;
        SSLRANK_PRODUCTS(1) SSLRANK_PRODUCTS(2) SSLRANK_PRODUCTS(3) SSLRANK_PRODUCTS(4)
    default:
        sslrank_scan_products_fixed(products, nv, order, start, first, step, n_groups, running, norm);
    }
}

#endif
