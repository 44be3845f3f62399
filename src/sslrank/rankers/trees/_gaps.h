/* Columns with missing values of their own, searched test by test: everything that costs (rows x gappy columns).
 *
 * If all rows are known, a squared norm gives the decrease; here every column has its own known weight on each side.
 * 16 columns make a tile: for each row centred values, then known weights, then squares, all times the row's weight.
 * A tile fits into the cache next to the core and its three sums into registers, so many tests are searched in one tile
 * before the next. Known weights are whole numbers. Lanes are masked by arithmetic: GCC makes comparisons of vectors
 * scalar in functions with several versions. */
#ifndef SSLRANK_TREES_GAPS_H
#define SSLRANK_TREES_GAPS_H

#include "_gains.h"

/* Numbers of one row in a tile */
#define SSLRANK_GAP_TILE (3 * SSLRANK_LANES)

typedef int32_t sslrank_i16 __attribute__((vector_size(64)));
typedef double sslrank_d4 __attribute__((vector_size(32), aligned(8), may_alias));

/* What the columns of a node have in common for all tests, from the first column on */
typedef struct {
    const float *known, *squares, *variance, *factor, *estimate;
    int scale_all;
} sslrank_gap_columns;

/* All ones where x > 0, for whole numbers x >= 0 */
static inline __attribute__((always_inline)) sslrank_i16
sslrank_any(sslrank_v16 x)
{
    return -(sslrank_i16)x >> 31;
}

static inline __attribute__((always_inline)) sslrank_v16
sslrank_where(sslrank_i16 mask, sslrank_v16 x)
{
    return (sslrank_v16)(mask & (sslrank_i16)x);
}

/* Whether all lanes are > 0, for whole numbers x >= 0 */
static inline __attribute__((always_inline)) int
sslrank_all(sslrank_v16 x)
{
    typedef int64_t half __attribute__((vector_size(32)));
    typedef int64_t quarter __attribute__((vector_size(16)));
    union { sslrank_i16 whole; half half[2]; } a = {sslrank_any(x)};
    union { half whole; quarter half[2]; } b = {a.half[0] & a.half[1]};
    const quarter c = b.half[0] & b.half[1];
    return (c[0] & c[1]) == -1;
}

/* Decrease of `impurity * weight` in 16 columns from number c on by a test with sides of weights a and b, from the sums
 * of the first: see Criterion.column_gain. One division serves both sides. Masks, a third of the cost with AVX-512, are
 * left out with `all_known`: all columns have known rows on both sides. */
static inline __attribute__((always_inline)) sslrank_v16
sslrank_gap_gain(const sslrank_gap_columns *columns, const int scale_all, const int all_known, ptrdiff_t c,
                 const sslrank_v16 *sums, float a, float b)
{
#define SSLRANK_COLUMNS(name) (*(const sslrank_v16 *)(columns->name + c))
    const sslrank_v16 one = (sslrank_v16){0} + 1, known = sums[1], squares = sums[2], s2 = sums[0] * sums[0];
    const sslrank_v16 rest = SSLRANK_COLUMNS(known) - known;
    sslrank_i16 any_a = (sslrank_i16){0} - 1, any_b = any_a;
    sslrank_v16 ka = known, kb = rest;
    if (!all_known) {
        any_a = sslrank_any(known);
        any_b = sslrank_any(rest);
        ka += sslrank_where(~any_a, one);
        kb += sslrank_where(~any_b, one);
    }
    const sslrank_v16 both = one / (ka * kb), ia = kb * both, ib = ka * both;
    if (scale_all) {
        const sslrank_v16 whole = SSLRANK_COLUMNS(variance);
        const sslrank_v16 va = (squares - s2 * ia) * ia, vb = (SSLRANK_COLUMNS(squares) - squares - s2 * ib) * ib;
        return a * sslrank_where(any_a, whole - va) + b * sslrank_where(any_b, whole - vb);
    }
    if (all_known)
        return SSLRANK_COLUMNS(factor) * (s2 * (ia + ib));
    return SSLRANK_COLUMNS(factor)
           * (sslrank_where(any_a & any_b, s2 * (ia + ib))
              - sslrank_where(~(any_a & any_b), SSLRANK_COLUMNS(estimate) * SSLRANK_COLUMNS(squares)));
#undef SSLRANK_COLUMNS
}

/* gain[q] += decrease in 16 columns by the q-th of n tests, 1 or 4, from the sums of one side. These grow from test to
 * test, so the first and the last tell whether all columns have known rows on both sides of all. */
static inline __attribute__((always_inline)) void
sslrank_judge_gaps(const int n, const sslrank_gap_columns *columns, const int scale_all, ptrdiff_t c,
                   sslrank_v16 sums[][3], const float *side, const float *rest, double *gain)
{
    sslrank_v4 last[4];
    sslrank_v4 total;
    if (sslrank_all(sums[0][1] * (*(const sslrank_v16 *)(columns->known + c) - sums[n - 1][1])))
#pragma GCC unroll 4
        for (int q = 0; q < n; q++)
            last[q] = sslrank_fold(sslrank_gap_gain(columns, scale_all, 1, c, sums[q], side[q], rest[q]));
    else {
        /* Otherwise GCC shares what it makes of them with the branch above, number by number for narrow registers. */
        __asm__("" : "+r"(side), "+r"(rest));
#pragma GCC unroll 4
        for (int q = 0; q < n; q++)
            last[q] = sslrank_fold(sslrank_gap_gain(columns, scale_all, 0, c, sums[q], side[q], rest[q]));
    }
    if (n == 1) {
        *gain += (last[0][0] + last[0][2]) + (last[0][1] + last[0][3]);
        return;
    }
    sslrank_four_totals(last, (float *)&total);
    *(sslrank_d4 *)gain += __builtin_convertvector(total, sslrank_d4);
}

/* n tests of sslrank_scan_gaps, 1 or 4, from group g on */
static inline __attribute__((always_inline)) void
sslrank_scan_gap_tests(const int n, const sslrank_gap_columns *columns, const int scale_all, ptrdiff_t c,
                       const float *tile, const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t g,
                       ptrdiff_t step, const float *side, const float *rest, double *gain, const float *extra,
                       ptrdiff_t to_extra, sslrank_v16 *sum)
{
    sslrank_v16 sums[4][3];
#pragma GCC unroll 4
    for (int q = 0; q < n; q++, g += step) {
        for (int32_t i = start[g]; i < start[g + 1]; i++)
            for (int part = 0; part < 3; part++)
                sum[part] += ((const sslrank_v16 *)(tile + order[i] * SSLRANK_GAP_TILE))[part];
        for (int part = 0; part < 3; part++)
            sums[q][part] = sum[part];
    }
    sslrank_judge_gaps(n, columns, scale_all, c, sums, side, rest, gain);
    if (extra == NULL)
        return;
    for (int q = 0; q < n; q++)
        for (int part = 0; part < 3; part++)
            sums[q][part] += ((const sslrank_v16 *)extra)[part];
    sslrank_judge_gaps(n, columns, scale_all, c, sums, side + to_extra, rest + to_extra, gain + to_extra);
}

/* gain[b] += decrease in the tile of columns from number c on, for the tests whose side is made by adding up groups of
 * rows one after the other; `side` and `rest` are the weights. Unless `extra` is NULL, the same with these sums on that
 * side from the beginning: the outcomes of those tests are `to_extra` further on. */
static inline __attribute__((always_inline)) void
sslrank_scan_gap_tile(const sslrank_gap_columns *columns, const int scale_all, ptrdiff_t c, const float *tile,
                      const int32_t *restrict order, const int32_t *restrict start, ptrdiff_t first, ptrdiff_t step,
                      ptrdiff_t n_groups, const float *side, const float *rest, double *gain, const float *extra,
                      ptrdiff_t to_extra)
{
    sslrank_v16 sum[3] = {{0}};
    ptrdiff_t b = 0;
    for (; b + 4 <= n_groups; b += 4)
        sslrank_scan_gap_tests(4, columns, scale_all, c, tile, order, start, first + b * step, step, side + b, rest + b,
                               gain + b, extra, to_extra, sum);
    for (; b < n_groups; b++)
        sslrank_scan_gap_tests(1, columns, scale_all, c, tile, order, start, first + b * step, step, side + b, rest + b,
                               gain + b, extra, to_extra, sum);
}

SSLRANK_GCC_CLONES static inline void
sslrank_scan_gaps(const sslrank_gap_columns *columns, ptrdiff_t c, const float *tile, const int32_t *order,
                  const int32_t *start, ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups, const float *side,
                  const float *rest, double *gain, const float *extra, ptrdiff_t to_extra)
{
    if (columns->scale_all)
        sslrank_scan_gap_tile(columns, 1, c, tile, order, start, first, step, n_groups, side, rest, gain, extra,
                              to_extra);
    else
        sslrank_scan_gap_tile(columns, 0, c, tile, order, start, first, step, n_groups, side, rest, gain, extra,
                              to_extra);
}

/* Decrease in columns lo..hi - 1 by a test with sides of weights a and b, the first of which has the sum `sum` plus
 * `extra` (may be NULL) */
SSLRANK_GCC_CLONES static inline double
sslrank_gap_gains(const sslrank_gap_columns *columns, ptrdiff_t lo, ptrdiff_t hi, const float *sum, const float *extra,
                  float a, float b)
{
    double gain = 0;
    for (ptrdiff_t c = lo; c < hi; c += SSLRANK_LANES) {
        sslrank_v16 s[3];
        for (int part = 0; part < 3; part++) {
            s[part] = ((const sslrank_v16 *)(sum + 3 * c))[part];
            if (extra != NULL)
                s[part] += ((const sslrank_v16 *)(extra + 3 * c))[part];
        }
        if (columns->scale_all)
            gain += sslrank_total(sslrank_gap_gain(columns, 1, 0, c, s, a, b));
        else
            gain += sslrank_total(sslrank_gap_gain(columns, 0, 0, c, s, a, b));
    }
    return gain;
}

#endif
