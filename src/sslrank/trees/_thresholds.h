/* One random threshold per feature, for all features of a node at once: loops run over rows, and along the features
 * of each. No value is missing. */
#ifndef SSLRANK_TREES_THRESHOLDS_H
#define SSLRANK_TREES_THRESHOLDS_H

#include "_rows.h"

/* Extremes of each of n_features columns over n rows of `numbers` */
SSLRANK_CLONES static void
sslrank_ranges(const double *restrict numbers, ptrdiff_t n_features, const int32_t *restrict rows, ptrdiff_t n,
               double *restrict low, double *restrict high)
{
    memcpy(low, numbers + rows[0] * n_features, n_features * sizeof(double));
    memcpy(high, low, n_features * sizeof(double));
    for (ptrdiff_t i = 1; i < n; i++) {
        const double *restrict x = numbers + rows[i] * n_features;
#pragma omp simd
        for (ptrdiff_t f = 0; f < n_features; f++) {
            low[f] = x[f] < low[f] ? x[f] : low[f];
            high[f] = x[f] > high[f] ? x[f] : high[f];
        }
    }
}

/* sum[f] += amount[i] over the rows i above threshold f; rows with amount 0 are skipped */
SSLRANK_CLONES static void
sslrank_sum_above(const double *restrict numbers, ptrdiff_t n_features, const int32_t *restrict rows, ptrdiff_t n,
                  const double *restrict threshold, const float *restrict amount, double *restrict sum)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const double *restrict x = numbers + rows[i] * n_features;
        const double a = amount[i];
        if (a != 0)
#pragma omp simd
            for (ptrdiff_t f = 0; f < n_features; f++)
                sum[f] += x[f] > threshold[f] ? a : 0;
    }
}

/* side[i * stride + f] = above[f] if row i is above threshold f, 1 - above[f] otherwise */
SSLRANK_CLONES static void
sslrank_sides_of(const double *restrict numbers, ptrdiff_t n_features, const int32_t *restrict rows, ptrdiff_t n,
                 const double *restrict threshold, const float *restrict above, float *restrict side,
                 ptrdiff_t stride)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        const double *restrict x = numbers + rows[i] * n_features;
        float *restrict s = side + i * stride;
#pragma omp simd
        for (ptrdiff_t f = 0; f < n_features; f++)
            s[f] = x[f] > threshold[f] ? above[f] : 1 - above[f];
    }
}

/* norm[f] = sum over rows i, j of side[i][f] products[i][j] side[j][f] */
SSLRANK_CLONES static void
sslrank_quadratic_forms(const float *restrict side, ptrdiff_t stride, ptrdiff_t n, const float *restrict products,
                        ptrdiff_t products_stride, float *restrict norm)
{
    for (ptrdiff_t f = 0; f < stride; f += SSLRANK_LANES) {
        sslrank_v16 sum = {0};
        const float *of_row = side + f;
        ptrdiff_t i = 0;
        for (; i + 4 <= n; i += 4) { /* four rows at a time, for the products with the rows before them */
            const float *g = products + i * products_stride;
            sslrank_v16 with[4] = {{0}};
            for (ptrdiff_t j = 0; j < i; j++) {
                const sslrank_v16 other = *(const sslrank_v16 *)(of_row + j * stride);
                for (int r = 0; r < 4; r++)
                    with[r] += g[r * products_stride + j] * other;
            }
            for (int r = 0; r < 4; r++) {
                const sslrank_v16 mine = *(const sslrank_v16 *)(of_row + (i + r) * stride);
                for (int q = 0; q < r; q++)
                    with[r] += g[r * products_stride + i + q] * *(const sslrank_v16 *)(of_row + (i + q) * stride);
                sum += mine * (2 * with[r] + g[r * products_stride + i + r] * mine);
            }
        }
        for (; i < n; i++) {
            const float *g = products + i * products_stride;
            const sslrank_v16 mine = *(const sslrank_v16 *)(of_row + i * stride);
            sslrank_v16 with = {0};
            for (ptrdiff_t j = 0; j < i; j++)
                with += g[j] * *(const sslrank_v16 *)(of_row + j * stride);
            sum += mine * (2 * with + g[i] * mine);
        }
        *(sslrank_v16 *)(norm + f) = sum;
    }
}

/* sums[f] += rows on the side of feature f, for four features and nv vectors of columns */
static inline __attribute__((always_inline)) void
sslrank_side_tile(const float *side, ptrdiff_t stride, ptrdiff_t n, const float *rows, ptrdiff_t rows_stride,
                  const int nv, float *sums, ptrdiff_t width)
{
    sslrank_v16 sum[4][5];
    for (int r = 0; r < 4; r++)
        for (int v = 0; v < nv; v++)
            sum[r][v] = *(const sslrank_v16 *)(sums + r * width + v * SSLRANK_LANES);
    for (ptrdiff_t i = 0; i < n; i++)
        for (int v = 0; v < nv; v++) {
            const sslrank_v16 row = *(const sslrank_v16 *)(rows + i * rows_stride + v * SSLRANK_LANES);
            for (int r = 0; r < 4; r++)
                sum[r][v] += side[i * stride + r] * row;
        }
    for (int r = 0; r < 4; r++)
        for (int v = 0; v < nv; v++)
            *(sslrank_v16 *)(sums + r * width + v * SSLRANK_LANES) = sum[r][v];
}

/* sums[f * width + c] += sum over rows i of side[i][f] rows[i][c], features in whole vectors */
SSLRANK_CLONES static void
sslrank_add_sides(const float *side, ptrdiff_t stride, ptrdiff_t n, const float *rows, ptrdiff_t rows_stride,
                  ptrdiff_t width, float *sums)
{
    for (ptrdiff_t f = 0; f < stride; f += 4) {
        ptrdiff_t c = 0;
        for (; c + 5 * SSLRANK_LANES <= width; c += 5 * SSLRANK_LANES)
            sslrank_side_tile(side + f, stride, n, rows + c, rows_stride, 5, sums + f * width + c, width);
        for (; c + 3 * SSLRANK_LANES <= width; c += 3 * SSLRANK_LANES)
            sslrank_side_tile(side + f, stride, n, rows + c, rows_stride, 3, sums + f * width + c, width);
        for (; c < width; c += SSLRANK_LANES)
            sslrank_side_tile(side + f, stride, n, rows + c, rows_stride, 1, sums + f * width + c, width);
    }
}

#endif
