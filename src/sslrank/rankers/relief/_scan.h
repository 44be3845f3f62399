/* The search for near rows: a float32 pass over all rows, and the exact distance of two rows. */
#ifndef SSLRANK_RELIEF_SCAN_H
#define SSLRANK_RELIEF_SCAN_H

#include <math.h>
#include <stddef.h>

#include "core/_simd.h"
#include "rankers/relief/_differences.h"

/* One row of every scan is compared with RELIEF_LANES others at a time, RELIEF_ROWS such rows together. */
#define RELIEF_LANES 16
#define RELIEF_ROWS 4
/* The distances of a panel are summed up by the minima of this many spans of lanes. */
#define RELIEF_SPANS 4
/* Partial sums are added up after this many columns, which bounds the rounding error of float32. */
#define RELIEF_TILE 256

/* Vector types keep the sums in registers; the order of every sum is the same for all instruction sets. */
typedef float relief_lanes __attribute__((vector_size(4 * RELIEF_LANES)));
typedef float relief_stored __attribute__((vector_size(4 * RELIEF_LANES), aligned(4)));
typedef int relief_mask __attribute__((vector_size(4 * RELIEF_LANES)));
typedef long long relief_bits __attribute__((vector_size(8 * SSLRANK_SUM_LANES)));
#define RELIEF_ABS(x) ((relief_lanes)((relief_mask)(x) & 0x7fffffff))

/* Distances of rows[0..3] to the lanes of one panel.
 *
 * rows: RELIEF_ROWS rows of n_abs + n_ne + n_dot floats, one after the other.
 * panel: column-major, RELIEF_LANES floats per column.
 * The first n_abs columns add |a - b|, the next n_ne add [a != b], the last n_dot add a b.
 * out: the sums, RELIEF_LANES floats for each of the rows, `stride` apart; smallest: the least of each row. */
SSLRANK_CLONES
static void relief_scan(const float *rows, const float *panel, ptrdiff_t n_abs, ptrdiff_t n_ne, ptrdiff_t n_dot,
                        float *out, ptrdiff_t stride)
{
    const ptrdiff_t width = n_abs + n_ne + n_dot;
    const float *r0 = rows, *r1 = rows + width, *r2 = rows + 2 * width, *r3 = rows + 3 * width;
    const relief_stored *columns = (const relief_stored *)panel;
    relief_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    ptrdiff_t j = 0;
    while (j < n_abs) {
        const ptrdiff_t stop = n_abs - j > RELIEF_TILE ? j + RELIEF_TILE : n_abs;
        relief_lanes t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
        for (; j < stop; j++) {
            const relief_lanes b = columns[j];
            const relief_lanes d0 = r0[j] - b, d1 = r1[j] - b, d2 = r2[j] - b, d3 = r3[j] - b;
            t0 += RELIEF_ABS(d0);
            t1 += RELIEF_ABS(d1);
            t2 += RELIEF_ABS(d2);
            t3 += RELIEF_ABS(d3);
        }
        s0 += t0;
        s1 += t1;
        s2 += t2;
        s3 += t3;
    }
    if (n_ne) {
        relief_mask c0 = {0}, c1 = {0}, c2 = {0}, c3 = {0};
        for (; j < n_abs + n_ne; j++) {
            const relief_lanes b = columns[j];
            c0 -= (b != r0[j]);
            c1 -= (b != r1[j]);
            c2 -= (b != r2[j]);
            c3 -= (b != r3[j]);
        }
        for (ptrdiff_t l = 0; l < RELIEF_LANES; l++) {
            s0[l] += (float)c0[l];
            s1[l] += (float)c1[l];
            s2[l] += (float)c2[l];
            s3[l] += (float)c3[l];
        }
    }
    for (; j < width; j++) {
        const relief_lanes b = columns[j];
        s0 += r0[j] * b;
        s1 += r1[j] * b;
        s2 += r2[j] * b;
        s3 += r3[j] * b;
    }
    for (ptrdiff_t l = 0; l < RELIEF_LANES; l++) {
        out[l] = s0[l];
        out[stride + l] = s1[l];
        out[2 * stride + l] = s2[l];
        out[3 * stride + l] = s3[l];
    }
}

/* Add two constants to a run of distances and find the least of every span of lanes: lanes c, c + 4, c + 8
 * and c + 12 of panel p are span 4 p + c. */
SSLRANK_CLONES
static void relief_finish(float *distance, const float *constant, float own, ptrdiff_t n_panels, float *least)
{
    for (ptrdiff_t p = 0; p < n_panels; p++) {
        float *d = distance + p * RELIEF_LANES;
        const float *c = constant + p * RELIEF_LANES;
        float *m = least + p * RELIEF_SPANS;
#pragma omp simd
        for (int i = 0; i < RELIEF_LANES; i++)
            d[i] += c[i] + own;
#pragma omp simd
        for (int i = 0; i < RELIEF_SPANS; i++) {
            const float x = d[i] < d[i + 4] ? d[i] : d[i + 4], y = d[i + 8] < d[i + 12] ? d[i + 8] : d[i + 12];
            m[i] = x < y ? x : y;
        }
    }
}

SSLRANK_CLONES
static double relief_total(const double *restrict v, ptrdiff_t n)
{
    sslrank_lanes sum = {0};
    ptrdiff_t j = 0;
    for (; j + SSLRANK_SUM_LANES <= n; j += SSLRANK_SUM_LANES)
        sum += SSLRANK_LOAD(v + j);
    for (; j < n; j++)
        sum[j % SSLRANK_SUM_LANES] += v[j];
    return SSLRANK_TOTAL(sum);
}

SSLRANK_CLONES
static double relief_numeric_total(const double *restrict a, const double *restrict b, ptrdiff_t n)
{
    sslrank_lanes sum = {0};
    ptrdiff_t j = 0;
    for (; j + SSLRANK_SUM_LANES <= n; j += SSLRANK_SUM_LANES) {
        const sslrank_lanes difference = SSLRANK_LOAD(a + j) - SSLRANK_LOAD(b + j);
        sum += (sslrank_lanes)((relief_bits)difference & LLONG_MAX);
    }
    for (; j < n; j++)
        sum[j % SSLRANK_SUM_LANES] += fabs(a[j] - b[j]);
    return SSLRANK_TOTAL(sum);
}

#endif
