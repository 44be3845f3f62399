/* Columns with gaps in the node: their sums, and what no test between two cuts can fall below.
 *
 * A row has `whole` columns without gaps and r columns with gaps, all centred and times the row's weight, 0 where
 * unknown; known[i * r + c] is its weight (a whole number below 256) where column c is known, else 0. Sums hold the
 * whole columns, then for the r columns the values, the known weights and the squares.
 *
 * A side of a test costs sum_c weight * variance_c. Its squares about the mean, SS_c = q - s^2 / k, can only grow when
 * rows join, and weight / k falls least when every row that joins is known. So between two cuts A < A' < A'' no test
 * costs less than the left side of the first plus the right side of the last one, with the weight of the rows between
 * them taken as known. What is left of the node's impurity bounds h. */
#ifndef SSLRANK_TREES_GAPS_H
#define SSLRANK_TREES_GAPS_H

#include "_rows.h"

typedef uint8_t sslrank_b16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t sslrank_i16 __attribute__((vector_size(64)));

/* sum[c] += columns of the listed rows, for nv vectors */
static inline __attribute__((always_inline)) void
sslrank_add_columns(const float *rows, ptrdiff_t stride, const int32_t *order, ptrdiff_t n, const int nv, float *sum)
{
    sslrank_v16 total[4];
    for (int v = 0; v < nv; v++)
        total[v] = ((sslrank_v16 *)sum)[v];
    for (ptrdiff_t i = 0; i < n; i++) {
        const sslrank_v16 *row = (const sslrank_v16 *)(rows + order[i] * stride);
        for (int v = 0; v < nv; v++)
            total[v] += row[v];
    }
    for (int v = 0; v < nv; v++)
        ((sslrank_v16 *)sum)[v] = total[v];
}

/* sum += the listed rows; inverse[i] = 1 / weight of row i */
SSLRANK_CLONES static inline void
sslrank_add_gapped(const float *rows, ptrdiff_t stride, ptrdiff_t whole, ptrdiff_t r, const uint8_t *known,
                   const float *inverse, const int32_t *order, ptrdiff_t n, float *sum)
{
    ptrdiff_t c = 0;
    for (; c + 4 * SSLRANK_LANES <= whole; c += 4 * SSLRANK_LANES)
        sslrank_add_columns(rows + c, stride, order, n, 4, sum + c);
    for (; c < whole; c += SSLRANK_LANES)
        sslrank_add_columns(rows + c, stride, order, n, 1, sum + c);
    for (c = 0; c < r; c += SSLRANK_LANES) {
        float *at = sum + whole + c;
        sslrank_v16 s = *(sslrank_v16 *)at, k = *(sslrank_v16 *)(at + r), q = *(sslrank_v16 *)(at + 2 * r);
        for (ptrdiff_t i = 0; i < n; i++) {
            const ptrdiff_t row = order[i];
            const sslrank_v16 x = *(const sslrank_v16 *)(rows + row * stride + whole + c);
            const sslrank_b16 b = *(const sslrank_b16 *)(known + row * r + c);
            s += x;
            k += __builtin_convertvector(__builtin_convertvector(b, sslrank_i16), sslrank_v16);
            q += x * x * inverse[row];
        }
        *(sslrank_v16 *)at = s;
        *(sslrank_v16 *)(at + r) = k;
        *(sslrank_v16 *)(at + 2 * r) = q;
    }
}

/* Least cost of a side in columns lo..hi: base 0 and sign 1 stand for the side of `sum`, 1 and -1 for the other one.
 * `more` is the weight of the rows that may join it. */
static inline __attribute__((always_inline)) float
sslrank_gap_cost(const float *restrict sum, const float *restrict extra, const int with_extra, ptrdiff_t r, ptrdiff_t lo,
                 ptrdiff_t hi, const float *restrict node_known, const float *restrict node_squares,
                 const float *restrict scale, const int scale_all, float base, float sign, float weight, float more)
{
    float cost = 0;
#pragma omp simd reduction(+ : cost)
    for (ptrdiff_t c = lo; c < hi; c++) {
        const float s = sum[c] + (with_extra ? extra[c] : 0);
        const float k = base * node_known[c] + sign * (sum[r + c] + (with_extra ? extra[r + c] : 0));
        const float q = base * node_squares[c] + sign * (sum[2 * r + c] + (with_extra ? extra[2 * r + c] : 0));
        const float any = k > 0.5f ? 1 : 0, kk = k > 1 ? k : 1;
        float squares = q * kk - s * s; /* times kk */
        squares = squares > 0 ? any * squares : 0;
        cost += scale_all ? squares * (weight + more) / (kk * (kk + more)) : scale[c] * squares / kk;
    }
    return cost;
}

SSLRANK_CLONES static inline void
sslrank_gap_costs(const float *sum, const float *extra, ptrdiff_t r, ptrdiff_t n_f, const float *node_known,
                  const float *node_squares, const float *scale, int scale_all, int other, float weight, float more,
                  double *cost_f, double *cost_t)
{
    const float base = other ? 1 : 0, sign = other ? -1 : 1;
    for (int part = 0; part < 2; part++) {
        const ptrdiff_t lo = part ? n_f : 0, hi = part ? r : n_f;
        float cost;
#define SSLRANK_COST(with_extra, all)                                                                                  \
    sslrank_gap_cost(sum, extra, with_extra, r, lo, hi, node_known, node_squares, scale, all, base, sign, weight, more)
        if (extra != NULL)
            cost = scale_all ? SSLRANK_COST(1, 1) : SSLRANK_COST(1, 0);
        else
            cost = scale_all ? SSLRANK_COST(0, 1) : SSLRANK_COST(0, 0);
#undef SSLRANK_COST
        *(part ? cost_t : cost_f) = cost;
    }
}

#endif
