/* One random threshold per feature, for all features of a node at once: loops run over rows, and along the features
 * of each. No value is missing. */
#ifndef SSLRANK_TREES_THRESHOLDS_H
#define SSLRANK_TREES_THRESHOLDS_H

#include "_rows.h"

/* Loops over rows keep the results of a tile of columns in registers. The last tile ends with the last column, so it may
 * repeat columns of the one before it. Fewer columns than a tile are done along each row. */
#define SSLRANK_TILE 16
#define SSLRANK_TILES(at, n_features)                                                                        \
    for (ptrdiff_t at = 0, end_ = (n_features) - SSLRANK_TILE; at < end_ + SSLRANK_TILE;                     \
         at = at < end_ && at + SSLRANK_TILE > end_ ? end_ : at + SSLRANK_TILE)
typedef double sslrank_d8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t sslrank_i8 __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) sslrank_d8
sslrank_pick(sslrank_i8 where, sslrank_d8 yes, sslrank_d8 no)
{
    return (sslrank_d8)((where & (sslrank_i8)yes) | (~where & (sslrank_i8)no));
}

/* Extremes of each of n_features columns over n > 0 rows of `numbers` */
SSLRANK_GCC_CLONES static inline void
sslrank_ranges(const double *restrict numbers, ptrdiff_t n_features, const int32_t *restrict rows, ptrdiff_t n,
               double *restrict low, double *restrict high)
{
    if (n_features < SSLRANK_TILE) {
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
        return;
    }
    SSLRANK_TILES(at, n_features) {
        const double *column = numbers + at;
        sslrank_d8 lo[2], hi[2];
        for (int v = 0; v < 2; v++)
            lo[v] = hi[v] = ((const sslrank_d8 *)(column + rows[0] * n_features))[v];
        for (ptrdiff_t i = 1; i < n; i++)
            for (int v = 0; v < 2; v++) {
                const sslrank_d8 x = ((const sslrank_d8 *)(column + rows[i] * n_features))[v];
                lo[v] = sslrank_pick(x < lo[v], x, lo[v]);
                hi[v] = sslrank_pick(x > hi[v], x, hi[v]);
            }
        for (int v = 0; v < 2; v++) {
            ((sslrank_d8 *)(low + at))[v] = lo[v];
            ((sslrank_d8 *)(high + at))[v] = hi[v];
        }
    }
}

/* sum[f] = amounts of the rows above threshold f; rows with amount 0 are skipped */
SSLRANK_GCC_CLONES static inline void
sslrank_sum_above(const double *restrict numbers, ptrdiff_t n_features, const int32_t *restrict rows, ptrdiff_t n,
                  const double *restrict threshold, const float *restrict amount, double *restrict sum)
{
    if (n_features < SSLRANK_TILE) {
        memset(sum, 0, n_features * sizeof(double));
        for (ptrdiff_t i = 0; i < n; i++) {
            const double *restrict x = numbers + rows[i] * n_features;
            const double a = amount[i];
            if (a != 0)
#pragma omp simd
                for (ptrdiff_t f = 0; f < n_features; f++)
                    sum[f] += x[f] > threshold[f] ? a : 0;
        }
        return;
    }
    SSLRANK_TILES(at, n_features) {
        const sslrank_d8 *t = (const sslrank_d8 *)(threshold + at);
        const sslrank_d8 t0 = t[0], t1 = t[1], none = {0};
        sslrank_d8 sum0 = none, sum1 = none;
        for (ptrdiff_t i = 0; i < n; i++) {
            const double a = amount[i];
            if (a != 0) {
                const sslrank_d8 *x = (const sslrank_d8 *)(numbers + rows[i] * n_features + at);
                sum0 += sslrank_pick(x[0] > t0, none + a, none);
                sum1 += sslrank_pick(x[1] > t1, none + a, none);
            }
        }
        ((sslrank_d8 *)(sum + at))[0] = sum0;
        ((sslrank_d8 *)(sum + at))[1] = sum1;
    }
}

/* above[f] = 1 if side f, of weight side[f], has at most half the node's weight, else 0 */
SSLRANK_GCC_CLONES static inline void
sslrank_smaller_sides(ptrdiff_t n_features, double weight, const double *restrict side, float *restrict above)
{
#pragma omp simd
    for (ptrdiff_t f = 0; f < n_features; f++)
        above[f] = 2 * side[f] <= weight ? 1 : 0;
}

/* side[f] = whole - side[f] where the rows above are not the smaller side */
SSLRANK_GCC_CLONES static inline void
sslrank_take_smaller(ptrdiff_t n_features, double whole, const float *restrict above, double *restrict side)
{
#pragma omp simd
    for (ptrdiff_t f = 0; f < n_features; f++)
        side[f] = above[f] != 0 ? side[f] : whole - side[f];
}

/* side[i * stride + f] = above[f] if row i is above threshold f, 1 - above[f] otherwise */
SSLRANK_GCC_CLONES static inline void
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
SSLRANK_GCC_CLONES static inline void
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
SSLRANK_GCC_CLONES static inline void
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
