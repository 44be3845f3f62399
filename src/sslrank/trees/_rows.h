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
#include "_simd.h"

#define SSLRANK_LANES 8

/* sum += row, then the squared norms of the two blocks of `sum` */
static inline __attribute__((always_inline)) void
sslrank_add_and_norm(const float *restrict row, float *restrict sum, ptrdiff_t width_f, ptrdiff_t width_t,
                     float *norm_f, float *norm_t)
{
    float f = 0, t = 0;
#pragma omp simd reduction(+ : f)
    for (ptrdiff_t c = 0; c < width_f; c++) {
        float s = sum[c] + row[c];
        sum[c] = s;
        f += s * s;
    }
    row += width_f;
    sum += width_f;
#pragma omp simd reduction(+ : t)
    for (ptrdiff_t c = 0; c < width_t; c++) {
        float s = sum[c] + row[c];
        sum[c] = s;
        t += s * s;
    }
    *norm_f = f;
    *norm_t = t;
}

static inline __attribute__((always_inline)) void
sslrank_add(const float *restrict row, float *restrict sum, ptrdiff_t width)
{
#pragma omp simd
    for (ptrdiff_t c = 0; c < width; c++)
        sum[c] += row[c];
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

/* Running sums over the groups first, first + step, ... (n_groups of them) of rows; group g is
 * order[start[g]:start[g + 1]]. `sum` is where they start, zeros if `from_zero`. After the b-th group, norm_f[b] and norm_t[b] are the squared norms of the two
 * blocks of `sum`. */
SSLRANK_CLONES static void
sslrank_scan(const float *restrict rows, ptrdiff_t stride, ptrdiff_t width_f, ptrdiff_t width_t,
             const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step,
             ptrdiff_t n_groups, int from_zero, float *restrict sum, float *restrict norm_f,
             float *restrict norm_t)
{
    const ptrdiff_t width = width_f + width_t;
    ptrdiff_t g = first;
    if (width <= SSLRANK_NARROW && from_zero) {
        sslrank_scan_narrow(rows, stride, width_f, width, order, start, first, step, n_groups, norm_f, norm_t);
        return;
    }
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        const int32_t last = start[g + 1] - 1;
        for (int32_t i = start[g]; i < last; i++)
            sslrank_add(rows + order[i] * stride, sum, width);
        sslrank_add_and_norm(rows + order[last] * stride, sum, width_f, width_t, norm_f + b, norm_t + b);
    }
}

/* sum += the listed rows */
SSLRANK_CLONES static void
sslrank_add_rows(const float *restrict rows, ptrdiff_t stride, ptrdiff_t width, const int32_t *restrict order,
                 ptrdiff_t n, float *restrict sum)
{
    for (ptrdiff_t i = 0; i < n; i++)
        sslrank_add(rows + order[i] * stride, sum, width);
}

SSLRANK_CLONES static void
sslrank_add_vector(const float *restrict row, float *restrict sum, ptrdiff_t width)
{
    sslrank_add(row, sum, width);
}

/* squared norm of a + b (b may be NULL) */
SSLRANK_CLONES static double
sslrank_norm(const float *restrict a, const float *restrict b, ptrdiff_t width)
{
    float norm = 0;
    if (b == NULL) {
#pragma omp simd reduction(+ : norm)
        for (ptrdiff_t c = 0; c < width; c++)
            norm += a[c] * a[c];
    } else {
#pragma omp simd reduction(+ : norm)
        for (ptrdiff_t c = 0; c < width; c++)
            norm += (a[c] + b[c]) * (a[c] + b[c]);
    }
    return norm;
}

/* out = weight * (row - mean); the squared norm of (row - mean) is returned */
SSLRANK_CLONES static float
sslrank_center(const float *restrict row, const float *restrict mean, float weight, ptrdiff_t width,
               float *restrict out)
{
    float norm = 0;
#pragma omp simd reduction(+ : norm)
    for (ptrdiff_t c = 0; c < width; c++) {
        float d = row[c] - mean[c];
        norm += d * d;
        out[c] = weight * d;
    }
    return norm;
}

/* sum += weight * row in float64; squares += weight * row^2 unless squares is NULL */
SSLRANK_CLONES static void
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

/* Columns with missing values of their own: a row holds r centred values, then r known flags, then r squares
 * (times the row's weight). Sum over columns lo..hi of the decrease of `impurity * weight`, see _impurity.pyx. */
SSLRANK_CLONES static double
sslrank_ragged_gain(const float *restrict sum, const float *restrict extra, ptrdiff_t r, ptrdiff_t lo, ptrdiff_t hi,
                    const float *restrict known, const float *restrict squares, const float *restrict scale,
                    const float *restrict empty, int scale_all, float weight, float weight_a)
{
    double gain = 0;
    const float weight_b = weight - weight_a;
#pragma omp simd reduction(+ : gain)
    for (ptrdiff_t c = lo; c < hi; c++) {
        float s = sum[c], k = sum[r + c], q = sum[2 * r + c];
        if (extra != NULL) {
            s += extra[c];
            k += extra[r + c];
            q += extra[2 * r + c];
        }
        float kb = known[c] - k, total = squares[c];
        float va = q - s * s / (k > 0.5f ? k : 1), vb = total - q - s * s / (kb > 0.5f ? kb : 1);
        float g;
        if (scale_all) {
            float v = total / (known[c] > 0.5f ? known[c] : 1);
            va = k > 0.5f ? va / (k > 0.5f ? k : 1) : v;
            vb = kb > 0.5f ? vb / (kb > 0.5f ? kb : 1) : v;
            g = weight * v - weight_a * va - weight_b * vb;
        } else {
            g = (k > 0.5f && kb > 0.5f) ? scale[c] * (total - va - vb) : -empty[c] * scale[c] * total;
        }
        gain += known[c] > 0.5f ? g : 0;
    }
    return gain;
}

#endif
