/* Columns with missing values of their own, searched test by test: everything that costs (rows x gappy columns).
 *
 * Where all rows are known a squared norm tells the decrease; here every column has its own known weight on each side.
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

/* What the columns of a node have in common for all tests, from the first column on */
typedef struct {
    const float *known, *squares, *variance, *factor, *estimate;
    double weight;
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

/* Decrease of `impurity * weight` in 16 columns from number c on by a test, from the sums of one side of weight a:
 * see Criterion.column_gain. One division serves both sides. */
static inline __attribute__((always_inline)) sslrank_v16
sslrank_gap_gain(const sslrank_gap_columns *columns, const int scale_all, ptrdiff_t c, sslrank_v16 sum,
                 sslrank_v16 known, sslrank_v16 squares, float a)
{
#define SSLRANK_COLUMNS(name) (*(const sslrank_v16 *)(columns->name + c))
    const sslrank_v16 one = (sslrank_v16){0} + 1, rest = SSLRANK_COLUMNS(known) - known, s2 = sum * sum;
    const sslrank_i16 any_a = sslrank_any(known), any_b = sslrank_any(rest);
    const sslrank_v16 ka = known + sslrank_where(~any_a, one), kb = rest + sslrank_where(~any_b, one);
    const sslrank_v16 both = one / (ka * kb), ia = kb * both, ib = ka * both;
    if (scale_all) {
        const sslrank_v16 whole = SSLRANK_COLUMNS(variance);
        const sslrank_v16 va = (squares - s2 * ia) * ia, vb = (SSLRANK_COLUMNS(squares) - squares - s2 * ib) * ib;
        return a * sslrank_where(any_a, whole - va) + ((float)columns->weight - a) * sslrank_where(any_b, whole - vb);
    }
    return SSLRANK_COLUMNS(factor)
           * (sslrank_where(any_a & any_b, s2 * (ia + ib))
              - sslrank_where(~(any_a & any_b), SSLRANK_COLUMNS(estimate) * SSLRANK_COLUMNS(squares)));
#undef SSLRANK_COLUMNS
}

/* gain[b] += decrease in the tile of columns from number c on, for the tests whose side is made by adding up groups of
 * rows one after the other; the same with `extra` on that side from the beginning, unless it is NULL. */
static inline __attribute__((always_inline)) void
sslrank_scan_gap_tile(const sslrank_gap_columns *columns, const int scale_all, const int with_extra, ptrdiff_t c,
                      const float *tile, const int32_t *restrict order, const int32_t *restrict start,
                      ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups, const double *restrict side,
                      double *restrict gain, const float *restrict extra, const double *restrict extra_side,
                      double *restrict extra_gain)
{
    sslrank_v16 sum[3] = {{0}}, more[3] = {{0}};
    for (int part = 0; with_extra && part < 3; part++)
        more[part] = ((const sslrank_v16 *)extra)[part];
    ptrdiff_t g = first;
    for (ptrdiff_t b = 0; b < n_groups; b++, g += step) {
        for (int32_t i = start[g]; i < start[g + 1]; i++)
            for (int part = 0; part < 3; part++)
                sum[part] += ((const sslrank_v16 *)(tile + order[i] * SSLRANK_GAP_TILE))[part];
        gain[b] += sslrank_total(
            sslrank_gap_gain(columns, scale_all, c, sum[0], sum[1], sum[2], (float)side[b]));
        if (with_extra)
            extra_gain[b] += sslrank_total(
                sslrank_gap_gain(columns, scale_all, c, sum[0] + more[0], sum[1] + more[1], sum[2] + more[2],
                                 (float)extra_side[b]));
    }
}

SSLRANK_GCC_CLONES static inline void
sslrank_scan_gaps(const sslrank_gap_columns *columns, ptrdiff_t c, const float *tile, const int32_t *order,
                  const int32_t *start, ptrdiff_t first, ptrdiff_t step, ptrdiff_t n_groups, const double *side,
                  double *gain, const float *extra, const double *extra_side, double *extra_gain)
{
#define SSLRANK_SCAN(all, with_extra)                                                                        \
    sslrank_scan_gap_tile(columns, all, with_extra, c, tile, order, start, first, step, n_groups, side, gain, \
                          extra, extra_side, extra_gain)
    if (columns->scale_all && extra != NULL)
        SSLRANK_SCAN(1, 1);
    else if (columns->scale_all)
        SSLRANK_SCAN(1, 0);
    else if (extra != NULL)
        SSLRANK_SCAN(0, 1);
    else
        SSLRANK_SCAN(0, 0);
#undef SSLRANK_SCAN
}

/* Decrease in columns lo..hi - 1 by a test whose side of weight a has the sum `sum` plus `extra` (may be NULL) */
SSLRANK_GCC_CLONES static inline double
sslrank_gap_gains(const sslrank_gap_columns *columns, ptrdiff_t lo, ptrdiff_t hi, const float *sum, const float *extra,
                  double a)
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
            gain += sslrank_total(sslrank_gap_gain(columns, 1, c, s[0], s[1], s[2], (float)a));
        else
            gain += sslrank_total(sslrank_gap_gain(columns, 0, c, s[0], s[1], s[2], (float)a));
    }
    return gain;
}

#endif
