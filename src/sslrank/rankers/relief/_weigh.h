/* Squared distances of one row to others under many vectors of feature weights: a pass in float32. */
#ifndef SSLRANK_RELIEF_WEIGH_H
#define SSLRANK_RELIEF_WEIGH_H

#include <stddef.h>
#include <stdint.h>

#include "core/_simd.h"
#include "models/_missing.h"

/* One row is compared with WEIGH_LANES others at a time, under WEIGH_VECTORS weight vectors together. */
#define WEIGH_LANES 16
#define WEIGH_VECTORS 6

typedef float weigh_lanes __attribute__((vector_size(4 * WEIGH_LANES)));
typedef float weigh_stored __attribute__((vector_size(4 * WEIGH_LANES), aligned(4), may_alias));

/* square[j * WEIGH_LANES + l] = squared difference in column j of row a and the row in lane l of the panel.
 * Columns come in three groups: numeric, nominal, and those with missing values. */
SSLRANK_CLONES
static void relief_squares(const double *a, const double *panel, const double *miss, ptrdiff_t n_numeric,
                           ptrdiff_t n_nominal, ptrdiff_t n_columns, float *restrict square)
{
    ptrdiff_t j = 0;
    for (; j < n_numeric; j++)
#pragma omp simd
        for (int l = 0; l < WEIGH_LANES; l++) {
            const double difference = a[j] - panel[j * WEIGH_LANES + l];
            square[j * WEIGH_LANES + l] = (float)(difference * difference);
        }
    for (; j < n_numeric + n_nominal; j++)
#pragma omp simd
        for (int l = 0; l < WEIGH_LANES; l++)
            square[j * WEIGH_LANES + l] = a[j] != panel[j * WEIGH_LANES + l] ? 1.0f : 0.0f;
    for (; j < n_columns; j++) {
        double exact[WEIGH_LANES];
        sslrank_missing_squares(a[j], panel + j * WEIGH_LANES, miss[j], WEIGH_LANES, exact);
#pragma omp simd
        for (int l = 0; l < WEIGH_LANES; l++)
            square[j * WEIGH_LANES + l] = (float)exact[l];
    }
}

/* out[v * stride + l] = sum_j weight[j * WEIGH_VECTORS + v] square[j * WEIGH_LANES + l] */
SSLRANK_CLONES
static void relief_weigh(const float *square, const float *weight, ptrdiff_t n_columns, float *out, ptrdiff_t stride)
{
    weigh_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, s4 = {0}, s5 = {0};
    for (ptrdiff_t j = 0; j < n_columns; j++) {
        const weigh_lanes x = *(const weigh_stored *)(square + j * WEIGH_LANES);
        const float *w = weight + j * WEIGH_VECTORS;
        s0 += w[0] * x;
        s1 += w[1] * x;
        s2 += w[2] * x;
        s3 += w[3] * x;
        s4 += w[4] * x;
        s5 += w[5] * x;
    }
    *(weigh_stored *)out = s0;
    *(weigh_stored *)(out + stride) = s1;
    *(weigh_stored *)(out + 2 * stride) = s2;
    *(weigh_stored *)(out + 3 * stride) = s3;
    *(weigh_stored *)(out + 4 * stride) = s4;
    *(weigh_stored *)(out + 5 * stride) = s5;
}

/* The terms of the exact distance of two rows. */
SSLRANK_CLONES
static void relief_terms(const double *a, const double *b, const double *weight, const double *root,
                         const double *miss, ptrdiff_t n_numeric, ptrdiff_t n_nominal, ptrdiff_t n_columns,
                         double *restrict term)
{
    const ptrdiff_t second = n_numeric + n_nominal;
#pragma omp simd
    for (ptrdiff_t j = 0; j < n_numeric; j++) {
        const double difference = a[j] * root[j] - b[j] * root[j];
        term[j] = difference * difference;
    }
#pragma omp simd
    for (ptrdiff_t j = n_numeric; j < second; j++)
        term[j] = a[j] != b[j] ? weight[j] : 0.0;
#pragma omp simd
    for (ptrdiff_t j = second; j < n_columns; j++) { /* as sslrank_missing_squares, without its branches */
        const double difference = a[j] - b[j], one = a[j] == a[j] ? a[j] : b[j], other = 1.0 - one;
        const double far = one > other ? one : other, lost = far == far ? far * far : 1.0;
        const double number = difference == difference ? difference * difference : lost;
        const double code = difference == difference ? (difference != 0.0 ? 1.0 : 0.0) : miss[j];
        const double square = miss[j] >= 0.0 ? code : number;
        term[j] = weight[j] != 0.0 ? weight[j] * square : 0.0;
    }
}

/* Sums of four rows of terms, each in the order of the columns, as models/_neighbors.pyx adds them. */
static void relief_sums(const double *terms, ptrdiff_t n_columns, double *sums)
{
    const double *t0 = terms, *t1 = t0 + n_columns, *t2 = t1 + n_columns, *t3 = t2 + n_columns;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (ptrdiff_t j = 0; j < n_columns; j++) {
        s0 += t0[j];
        s1 += t1[j];
        s2 += t2[j];
        s3 += t3[j];
    }
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
}

/* The indices of x[0..n-1] that are not above the bound (or not a number), ascending; returns how many. */
SSLRANK_CLONES
static ptrdiff_t relief_within(const float *x, ptrdiff_t n, float bound, int32_t *found)
{
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        found[count] = (int32_t)i;
        count += !(x[i] > bound);
    }
    return count;
}

#endif
