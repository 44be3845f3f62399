/* Vectorised loops over clustering rows: everything that costs (rows x columns) or more is in this file.
 *
 * A row is `width` float32 values, width a multiple of SSLRANK_LANES (see clustering.py for the columns).
 * Search works on rows centred at the node, so that the two sides of a test have opposite sums and one squared
 * norm serves both; float32 then loses no digits to the node's own offset. Whatever ends up in a result (the
 * decrease of a chosen test, node sums) is accumulated in float64 by `add_exact`. */
#ifndef SSLRANK_TREES_ROWS_H
#define SSLRANK_TREES_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "core/_simd.h"

/* Rows are read in vectors of 16 lanes, whatever the machine's registers: the compiler makes two or four of them
 * where they are narrower. Widths are multiples of 16, which wastes little and needs no remainder loop. */
#define SSLRANK_LANES 16
/* Vectors of sums that stay in registers while rows of any width are added up, and tests that they serve at a time */
#define SSLRANK_BLOCK 4
#define SSLRANK_CHUNK 64
typedef float sslrank_v16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef float sslrank_v8 __attribute__((vector_size(32)));
typedef float sslrank_v4 __attribute__((vector_size(16)));
/* Four lanes of two vectors, numbered 0 to 7 */
#ifdef __clang__
#define SSLRANK_SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
typedef int32_t sslrank_lanes4 __attribute__((vector_size(16)));
#define SSLRANK_SHUFFLE(x, y, ...) __builtin_shuffle(x, y, (sslrank_lanes4){__VA_ARGS__})
#endif

/* Halves added to halves, down to four lanes */
static inline __attribute__((always_inline)) sslrank_v4
sslrank_fold(sslrank_v16 x)
{
    union { sslrank_v16 whole; sslrank_v8 half[2]; } a = {x};
    union { sslrank_v8 whole; sslrank_v4 half[2]; } b = {a.half[0] + a.half[1]};
    return b.half[0] + b.half[1];
}

static inline __attribute__((always_inline)) float
sslrank_total(sslrank_v16 x)
{
    const sslrank_v4 c = sslrank_fold(x);
    return (c[0] + c[2]) + (c[1] + c[3]);
}

/* The totals of four folded vectors, each added up as by sslrank_total */
static inline __attribute__((always_inline)) void
sslrank_four_totals(const sslrank_v4 *c, float *total)
{
    const sslrank_v4 a = SSLRANK_SHUFFLE(c[0], c[1], 0, 1, 4, 5) + SSLRANK_SHUFFLE(c[0], c[1], 2, 3, 6, 7);
    const sslrank_v4 b = SSLRANK_SHUFFLE(c[2], c[3], 0, 1, 4, 5) + SSLRANK_SHUFFLE(c[2], c[3], 2, 3, 6, 7);
    const sslrank_v4 sum = SSLRANK_SHUFFLE(a, b, 0, 2, 4, 6) + SSLRANK_SHUFFLE(a, b, 1, 3, 5, 7);
    memcpy(total, &sum, sizeof sum);
}

static inline __attribute__((always_inline)) void
sslrank_add(const float *row, float *sum, ptrdiff_t width)
{
    for (ptrdiff_t c = 0; c < width; c += SSLRANK_LANES)
        *(sslrank_v16 *)(sum + c) += *(const sslrank_v16 *)(row + c);
}

static inline __attribute__((always_inline)) float
sslrank_squared_norm(const float *sum, ptrdiff_t width)
{
    sslrank_v16 norm = {0};
    for (ptrdiff_t c = 0; c < width; c += SSLRANK_LANES) {
        sslrank_v16 s = *(const sslrank_v16 *)(sum + c);
        norm += s * s;
    }
    return sslrank_total(norm);
}

/* As sslrank_scan, for few columns: rounding does not average out over them, so sums are float64. */
#define SSLRANK_NARROW 16

static inline __attribute__((always_inline)) void
sslrank_scan_narrow(const float *restrict rows, ptrdiff_t stride, ptrdiff_t width_f, ptrdiff_t width,
                    const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step,
                    ptrdiff_t n_groups, float *restrict norm_f, float *restrict norm_t)
{
    double sum[SSLRANK_NARROW] = {0};
    ptrdiff_t g = first;
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        for (int32_t i = start[g]; i < start[g + 1]; i++)
            for (ptrdiff_t c = 0; c < width; c++)
                sum[c] += rows[order[i] * stride + c];
        double f = 0, t = 0;
        for (ptrdiff_t c = 0; c < width_f; c++)
            f += sum[c] * sum[c];
        for (ptrdiff_t c = width_f; c < width; c++)
            t += sum[c] * sum[c];
        norm_f[b] = (float)f;
        norm_t[b] = (float)t;
    }
}

/* As sslrank_scan with sums that start at zero, for nf + nt vectors that fit into registers. nf and nt are
 * constants where this is inlined, so the loops over them disappear. */
static inline __attribute__((always_inline)) void
sslrank_scan_fixed(const float *rows, ptrdiff_t stride, const int nf, const int nt, const int32_t *restrict order,
                   const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups,
                   float *restrict norm_f, float *restrict norm_t)
{
    sslrank_v16 sum[10];
    for (int v = 0; v < nf + nt; v++)
        sum[v] = (sslrank_v16){0};
    ptrdiff_t g = first;
    for (ptrdiff_t b = 0; b < n_groups; b += 4) { /* the norms of four tests are totalled at once */
        sslrank_v4 last_f[4], last_t[4];
#pragma GCC unroll 4
        for (int q = 0; q < 4; q++, g += step) {
            if (b + q < n_groups)
                for (int32_t i = start[g]; i < start[g + 1]; i++) {
                    const sslrank_v16 *row = (const sslrank_v16 *)(rows + order[i] * stride);
                    for (int v = 0; v < nf + nt; v++)
                        sum[v] += row[v];
                }
            sslrank_v16 f = {0}, t = {0};
            for (int v = 0; v < nf; v++)
                f += sum[v] * sum[v];
            for (int v = nf; v < nf + nt; v++)
                t += sum[v] * sum[v];
            last_f[q] = sslrank_fold(f);
            last_t[q] = sslrank_fold(t);
        }
        sslrank_four_totals(last_f, norm_f + b);
        sslrank_four_totals(last_t, norm_t + b);
    }
}

/* Some groups and nv vectors, with sums in registers; square[b] += the squares of the sums after the b-th group. */
static inline __attribute__((always_inline)) void
sslrank_scan_block(const float *rows, ptrdiff_t stride, const int nv, const int32_t *restrict order,
                   const int32_t *restrict start, ptrdiff_t g, ptrdiff_t step, ptrdiff_t n_groups, float *sum,
                   sslrank_v16 *restrict square)
{
    sslrank_v16 s[SSLRANK_BLOCK];
    for (int v = 0; v < nv; v++)
        s[v] = ((const sslrank_v16 *)sum)[v];
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        for (int32_t i = start[g]; i < start[g + 1]; i++)
            for (int v = 0; v < nv; v++)
                s[v] += ((const sslrank_v16 *)(rows + order[i] * stride))[v];
        for (int v = 0; v < nv; v++)
            square[b] += s[v] * s[v];
    }
    for (int v = 0; v < nv; v++)
        ((sslrank_v16 *)sum)[v] = s[v];
}

/* One of the two blocks of sslrank_scan, of any width, from `sum` on */
static inline __attribute__((always_inline)) void
sslrank_scan_sums(const float *rows, ptrdiff_t stride, ptrdiff_t width, const int32_t *restrict order,
                  const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups, float *sum,
                  float *restrict norm)
{
    sslrank_v16 square[SSLRANK_CHUNK];
    for (ptrdiff_t b = 0; b < n_groups; b += SSLRANK_CHUNK, first += SSLRANK_CHUNK * step) {
        const ptrdiff_t n = n_groups - b < SSLRANK_CHUNK ? n_groups - b : SSLRANK_CHUNK;
        ptrdiff_t c = 0;
        memset(square, 0, n * sizeof square[0]);
        for (; c + SSLRANK_BLOCK * SSLRANK_LANES <= width; c += SSLRANK_BLOCK * SSLRANK_LANES)
            sslrank_scan_block(rows + c, stride, SSLRANK_BLOCK, order, start, first, step, n, sum + c, square);
        for (; c < width; c += SSLRANK_LANES)
            sslrank_scan_block(rows + c, stride, 1, order, start, first, step, n, sum + c, square);
        for (ptrdiff_t i = 0; i < n; i++)
            norm[b + i] = sslrank_total(square[i]);
    }
}

/* Running sums over the groups first, first + step, ... (n_groups of them) of rows; group g is
 * order[start[g]:start[g + 1]]. `sum` is where they start, unless that is zero (`from_zero`). After the b-th group,
 * norm_f[b] and norm_t[b] are the squared norms of the two blocks; where there are features, up to three numbers behind
 * the last norm are overwritten as well. */
SSLRANK_GCC_CLONES static inline void
sslrank_scan(const float *rows, ptrdiff_t stride, ptrdiff_t width_f, ptrdiff_t width_t,
             const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step,
             ptrdiff_t n_groups, int from_zero, float *restrict sum, float *restrict norm_f,
             float *restrict norm_t)
{
    const ptrdiff_t width = width_f + width_t;
    if (from_zero) {
#define SSLRANK_CASE(nf, nt)                                                                                 \
    case nf * 16 + nt:                                                                                       \
        sslrank_scan_fixed(rows, stride, nf, nt, order, start, first, step, n_groups, norm_f, norm_t);       \
        return;
#define SSLRANK_CASES(nf) SSLRANK_CASE(nf, 0) SSLRANK_CASE(nf, 1)
        if (width <= SSLRANK_NARROW) {
            sslrank_scan_narrow(rows, stride, width_f, width, order, start, first, step, n_groups, norm_f, norm_t);
            return;
        }
        switch (width_t < 16 * SSLRANK_LANES ? width_f + width_t / SSLRANK_LANES : -1) {
            SSLRANK_CASES(1) SSLRANK_CASES(2) SSLRANK_CASES(3) SSLRANK_CASES(4) SSLRANK_CASES(5)
            SSLRANK_CASES(6) SSLRANK_CASES(7) SSLRANK_CASES(8)
        }
    }
    if (from_zero)
        memset(sum, 0, width * sizeof(float));
    sslrank_scan_sums(rows, stride, width_f, order, start, first, step, n_groups, sum, norm_f);
    sslrank_scan_sums(rows + width_f, stride, width_t, order, start, first, step, n_groups, sum + width_f, norm_t);
}

/* sslrank_scan of the columns of targets, which are zero in rows without a label */
SSLRANK_GCC_CLONES static inline void
sslrank_scan_labeled(const float *rows, ptrdiff_t stride, ptrdiff_t width, const float *restrict labeled,
                     const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step,
                     ptrdiff_t n_groups, float *restrict sum, float *restrict norm)
{
    float last = sslrank_squared_norm(sum, width);
    ptrdiff_t g = first;
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        int changed = 0;
        for (int32_t i = start[g]; i < start[g + 1]; i++)
            if (labeled[order[i]] > 0) {
                sslrank_add(rows + order[i] * stride, sum, width);
                changed = 1;
            }
        if (changed)
            last = sslrank_squared_norm(sum, width);
        norm[b] = last;
    }
}

/* Scalars of the sides that sslrank_scan builds up: weight, labelled weight and target squares. */
static inline void
sslrank_sides(const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step,
              ptrdiff_t n_groups, const float *restrict weight, const float *restrict labeled,
              const float *restrict squares, double w, double l, double q, double *restrict side_weight,
              double *restrict side_labeled, double *restrict side_squares)
{
    ptrdiff_t g = first;
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        for (int32_t i = start[g]; i < start[g + 1]; i++) {
            w += weight[order[i]];
            l += labeled[order[i]];
            q += squares[order[i]];
        }
        side_weight[b] = w;
        side_labeled[b] = l;
        side_squares[b] = q;
    }
}

/* The weights only. They are whole numbers, so sums are exact in any order: where every group is one row, four sums
 * are made from the one before them. */
static inline void
sslrank_side_weights(const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step,
                     ptrdiff_t n_groups, const float *restrict weight, double w, double *restrict side_weight)
{
    const ptrdiff_t last = first + (n_groups - 1) * step;
    ptrdiff_t g = first, b = 0;
    if ((step > 0 ? start[last + 1] - start[first] : start[first + 1] - start[last]) == n_groups) {
        const int32_t *row = order + start[first];
        for (; b + 4 <= n_groups; b += 4, row += 4 * step) {
            const double w0 = weight[row[0]], w1 = w0 + weight[row[step]];
            const double w2 = w1 + weight[row[2 * step]], w3 = w2 + weight[row[3 * step]];
            side_weight[b] = w + w0;
            side_weight[b + 1] = w + w1;
            side_weight[b + 2] = w + w2;
            side_weight[b + 3] = w = w + w3;
        }
        g += b * step;
    }
    for (; b < n_groups; b++, g += step) {
        for (int32_t i = start[g]; i < start[g + 1]; i++)
            w += weight[order[i]];
        side_weight[b] = w;
    }
}

/* sum += the listed rows */
SSLRANK_GCC_CLONES static inline void
sslrank_add_rows(const float *rows, ptrdiff_t stride, ptrdiff_t width, const int32_t *restrict order,
                 ptrdiff_t n, float *sum)
{
    ptrdiff_t c = 0;
    for (; c + SSLRANK_BLOCK * SSLRANK_LANES <= width; c += SSLRANK_BLOCK * SSLRANK_LANES) {
        sslrank_v16 s[SSLRANK_BLOCK];
        memcpy(s, sum + c, sizeof s);
        for (ptrdiff_t i = 0; i < n; i++)
            for (int v = 0; v < SSLRANK_BLOCK; v++)
                s[v] += ((const sslrank_v16 *)(rows + order[i] * stride + c))[v];
        memcpy(sum + c, s, sizeof s);
    }
    if (c < width)
        for (ptrdiff_t i = 0; i < n; i++)
            sslrank_add(rows + order[i] * stride + c, sum + c, width - c);
}

SSLRANK_GCC_CLONES static inline void
sslrank_add_vector(const float *row, float *sum, ptrdiff_t width)
{
    sslrank_add(row, sum, width);
}

/* squared norm of a + b (b may be NULL) */
SSLRANK_GCC_CLONES static inline double
sslrank_norm(const float *a, const float *b, ptrdiff_t width)
{
    if (b == NULL)
        return sslrank_squared_norm(a, width);
    sslrank_v16 norm = {0};
    for (ptrdiff_t c = 0; c < width; c += SSLRANK_LANES) {
        sslrank_v16 s = *(const sslrank_v16 *)(a + c) + *(const sslrank_v16 *)(b + c);
        norm += s * s;
    }
    return sslrank_total(norm);
}

/* out = weight * (row - mean) for the listed rows, zeros where the weight is 0; squares[i], unless it is NULL, becomes
 * weight * |row - mean|^2. */
SSLRANK_GCC_CLONES static inline void
sslrank_center(const float *values, ptrdiff_t stride, const int32_t *rows, ptrdiff_t n, const float *weight,
               const float *mean, ptrdiff_t width, float *out, ptrdiff_t out_stride, float *squares)
{
    for (ptrdiff_t i = 0; i < n; i++, out += out_stride) {
        const float *row = values + rows[i] * stride;
        sslrank_v16 norm = {0};
        if (weight[i] > 0)
            for (ptrdiff_t c = 0; c < width; c += SSLRANK_LANES) {
                const sslrank_v16 d = *(const sslrank_v16 *)(row + c) - *(const sslrank_v16 *)(mean + c);
                norm += d * d;
                *(sslrank_v16 *)(out + c) = weight[i] * d;
            }
        else
            memset(out, 0, width * sizeof(float));
        if (squares != NULL)
            squares[i] = weight[i] * sslrank_total(norm);
    }
}

/* sum += weight * row in float64; squares += weight * row^2 unless squares is NULL */
SSLRANK_GCC_CLONES static inline void
sslrank_add_exact(const float *restrict row, double weight, ptrdiff_t width, double *restrict sum,
                  double *restrict squares)
{
    if (squares == NULL) {
#pragma omp simd
        for (ptrdiff_t c = 0; c < width; c++)
            sum[c] += weight * (double)row[c];
    } else {
#pragma omp simd
        for (ptrdiff_t c = 0; c < width; c++) {
            double v = row[c];
            sum[c] += weight * v;
            squares[c] += weight * v * v;
        }
    }
}

#endif
