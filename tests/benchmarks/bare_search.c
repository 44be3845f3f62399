/* The least that a search for the best test takes, to tell what a forest could reach: see bench_bare_search.py.
 *
 * It visits the nodes of grown trees, whose rows are given, and does what the definition of the tests and of the
 * impurity demands, once and in the fastest way known to us. It draws no features, knows no missing values (but in
 * `bare_scan`), levels of supervision or unlabelled rows, keeps no tree and no predictions, and rounds as the compiler
 * likes. All tests x > t are tried, also of categories, or one random test of each feature. "By the rules" it finds, as
 * our forests must, the same test whatever the instructions: see `best_by_rules`. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LANES 16
typedef float floats __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef uint32_t keys __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float halves __attribute__((vector_size(32)));
typedef float quarters __attribute__((vector_size(16)));

enum { RANKED = 128, ROW = 65535 };

typedef struct {
    int64_t n_nodes, n_rows, n_tested;
    const int64_t *begin;    /* rows[begin[i]:begin[i + 1]] are those of node i */
    const int32_t *rows;     /* at most 65536 */
    const float *weight;     /* of each of them */
    const uint8_t *is_added; /* by node: whether its sums are added up from its rows, or its parent's less its twin's */
    const int32_t *tested;   /* n_tested features of each node */
    const int32_t *codes;    /* features x n_rows */
    const int32_t *n_codes;
    const int32_t *nominal;  /* whether a feature has more than two categories */
    const float *numbers;    /* features x n_rows: values, or codes of categories */
    const float *values;     /* n_rows x vectors x LANES */
    int64_t target_vectors;  /* the last ones, which have norms of their own by the rules */
    float *centered, *side, *norm, *norm_t;
    double *weights, *gain_f, *gain_t;
    int32_t *group_end;
    uint32_t *keys, *sorted;
    double *sums;            /* of the node, and as many zeros for its parent: the values are of no account */
    int32_t *parted;
} search;

static inline float
total(floats x)
{
    union { floats all; halves half[2]; } a = {x};
    union { halves all; quarters half[2]; } b = {a.half[0] + a.half[1]};
    const quarters c = b.half[0] + b.half[1];
    return (c[0] + c[2]) + (c[1] + c[3]);
}

typedef struct {
    int feature, code;
    float threshold; /* of random tests */
    double gain;
} test;

enum { ALL, BY_RULES, RANDOM };

/* Rows in order of their codes: few by counting smaller ones, many by counting digits */
static uint32_t *
sort_rows(const int32_t *column, int n_codes, const int32_t *rows, int n, uint32_t *from, uint32_t *to)
{
    for (int i = 0; i < n; i++)
        from[i] = (uint32_t)column[rows[i]] << 16 | (uint32_t)i;
    if (n <= RANKED) {
        uint32_t rank[RANKED];
        for (int i = n; i % LANES; i++)
            from[i] = ~0u;
        for (int i = 0; i < n; i += LANES) {
            keys smaller = {0};
            for (int j = 0; j < n; j++)
                smaller -= (keys)(*(keys *)(from + i) > from[j]);
            *(keys *)(rank + i) = smaller;
        }
        for (int i = 0; i < n; i++)
            to[rank[i]] = from[i];
        return to;
    }
    int bits = 1, count[2048];
    while (1 << bits < n_codes)
        bits++;
    const int passes = (bits + 10) / 11, width = (bits + passes - 1) / passes, mask = (1 << width) - 1;
    for (int p = 0, shift = 16; p < passes; p++, shift += width) {
        memset(count, 0, sizeof(int) << width);
        for (int i = 0; i < n; i++)
            count[from[i] >> shift & mask]++;
        for (int d = 0, before = 0; d <= mask; d++) {
            const int here = count[d];
            count[d] = before;
            before += here;
        }
        for (int i = 0; i < n; i++)
            to[count[from[i] >> shift & mask]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Its sums, mean, and rows from there; returns its weight */
static inline __attribute__((always_inline)) float
enter(const search *s, int64_t node, const int32_t *rows, const float *weight, int n, const int vectors)
{
    const int width = vectors * LANES;
    float mean[width], whole = 0;
    if (s->is_added[node]) {
        memset(s->sums, 0, width * sizeof(double));
        for (int i = 0; i < n; i++)
            for (int c = 0; c < width; c++)
                s->sums[c] += weight[i] * (double)s->values[(ptrdiff_t)rows[i] * width + c];
    } else
        for (int c = 0; c < width; c++)
            s->sums[c] = s->sums[c + width] - s->sums[c];
    for (int i = 0; i < n; i++)
        whole += weight[i];
    for (int c = 0; c < width; c++)
        mean[c] = (float)(s->sums[c] / whole);
    for (int i = 0; i < n; i++)
        for (int v = 0; v < vectors; v++)
            ((floats *)(s->centered + (ptrdiff_t)i * width))[v] =
                weight[i] * (((const floats *)(s->values + (ptrdiff_t)rows[i] * width))[v] - ((floats *)mean)[v]);
    return whole;
}

/* Its decrease of impurity, and the rows parted */
static inline __attribute__((always_inline)) double
part(const search *s, const int way, const int32_t *rows, int n, test best, const int vectors)
{
    const int32_t *codes = s->codes + best.feature * s->n_rows;
    const float *numbers = s->numbers + best.feature * s->n_rows;
    int left = 0, right = n;
    double all = best.gain;
    for (int c = 0; c < vectors * LANES; c++)
        all += (s->sums[c] - s->sums[c + vectors * LANES]) * s->sums[c];
    for (int i = 0; i < n; i++) {
        const int above = way == RANDOM ? numbers[rows[i]] > best.threshold : codes[rows[i]] > best.code;
        s->parted[left] = s->parted[right] = rows[i];
        left += 1 - above;
        right += above;
    }
    return all + s->parted[0];
}

/* The best of all tests of a feature, from rows in order */
static inline __attribute__((always_inline)) void
best_of_all(const search *s, int feature, const uint32_t *sorted, const float *weight, int n, float whole, test *best,
            const int vectors)
{
    floats sum[vectors];
    float side = 0, largest = 0;
    for (int v = 0; v < vectors; v++)
        sum[v] = (floats){0};
    for (int i = 0; i < n - 1; i++) {
        const floats *row = (const floats *)(s->centered + (ptrdiff_t)(sorted[i] & ROW) * vectors * LANES);
        floats square = {0};
        for (int v = 0; v < vectors; v++) {
            sum[v] += row[v];
            square += sum[v] * sum[v];
        }
        s->norm[i] = sorted[i] >> 16 == sorted[i + 1] >> 16 ? 0 : total(square);
        s->side[i] = side += weight[sorted[i] & ROW];
    }
    for (int i = 0; i < n - 1; i++) {
        s->norm[i] *= whole / (s->side[i] * (whole - s->side[i]));
        largest = fmaxf(largest, s->norm[i]);
    }
    if (largest > best->gain) {
        best->gain = largest;
        best->feature = feature;
        for (int i = n - 2; i >= 0; i--)
            if (s->norm[i] == largest)
                best->code = sorted[i] >> 16;
    }
}

/* The same as our forests must do it: features and targets have norms of their own, decreases are of float64, a branch
 * has a least weight, and of tests that are equal but for rounding the one of the highest threshold is the best. */
static inline __attribute__((always_inline)) void
best_by_rules(const search *s, int feature, const uint32_t *sorted, const float *weight, int n, double whole,
              test *best, const int vectors, const int features)
{
    const double tie = 3e-6, smallest = 1e-6 * whole, least = 2;
    int groups = 0, at = n;
    uint32_t last = sorted[0];
    for (int i = 0; i < n; i++) {
        groups += (sorted[i] ^ last) > ROW;
        last = sorted[i];
        s->group_end[groups] = i + 1;
    }
    floats sum[vectors];
    double side = 0, largest = 0, bar = best->gain * (1 + tie);
    for (int v = 0; v < vectors; v++)
        sum[v] = (floats){0};
    for (int b = 0; b < groups; b++) {
        for (const int stop = s->group_end[groups - 1 - b]; at > stop;) {
            const int i = sorted[--at] & ROW;
            for (int v = 0; v < vectors; v++)
                sum[v] += ((const floats *)(s->centered + (ptrdiff_t)i * vectors * LANES))[v];
            side += weight[i];
        }
        floats f = {0}, t = {0};
        for (int v = 0; v < features; v++)
            f += sum[v] * sum[v];
        for (int v = features; v < vectors; v++)
            t += sum[v] * sum[v];
        s->norm[b] = total(f);
        s->norm_t[b] = total(t);
        s->weights[b] = side;
    }
    for (int b = 0; b < groups; b++) {
        const double share = 1 / (s->weights[b] * (whole - s->weights[b]));
        s->gain_f[b] = s->norm[b] * whole * share;
        s->gain_t[b] = s->norm_t[b] * whole * share;
    }
#pragma omp simd reduction(max : largest)
    for (int b = 0; b < groups; b++) {
        double h = 0.5 * s->gain_f[b] + 0.5 * s->gain_t[b];
        h = (s->weights[b] >= least) & (whole - s->weights[b] >= least) ? h : 0;
        largest = h > largest ? h : largest;
    }
    if (!(largest > bar && largest > smallest))
        return;
    for (int b = 0; b < groups; b++) {
        const double h = 0.5 * s->gain_f[b] + 0.5 * s->gain_t[b];
        if (h > bar && h > smallest && s->weights[b] >= least && whole - s->weights[b] >= least) {
            bar = h * (1 + tie);
            *best = (test){feature, sorted[s->group_end[groups - 1 - b] - 1] >> 16, 0, h};
        }
    }
}

/* One test of a feature: a random threshold between its extremes, or each category on a random side */
static inline __attribute__((always_inline)) void
random_test(const search *s, int feature, const int32_t *rows, const float *weight, int n, double whole,
            uint64_t *state, test *best, const int vectors, const int features)
{
    const float *column = s->numbers + feature * s->n_rows;
    float *number = (float *)s->keys, low = INFINITY, high = -INFINITY;
    int32_t *listed = (int32_t *)s->sorted;
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    for (int i = 0; i < n; i++) {
        number[i] = column[rows[i]];
        low = number[i] < low ? number[i] : low;
        high = number[i] > high ? number[i] : high;
    }
    if (low == high)
        return;
    const float threshold = low + (float)(*state >> 40) / (1 << 24) * (high - low);
    int n_side = 0, n_rest = 0;
    for (int i = 0; i < n; i++) {
        const int above = s->nominal[feature] ? *state >> (63 - (int)number[i] % 48) & 1 : number[i] > threshold;
        listed[n_side] = s->group_end[n_rest] = i;
        n_side += above;
        n_rest += 1 - above;
    }
    if (n_rest < n_side) {
        listed = s->group_end;
        n_side = n_rest;
    }
    floats sum[vectors], f = {0}, t = {0};
    double side = 0;
    for (int v = 0; v < vectors; v++)
        sum[v] = (floats){0};
    for (int i = 0; i < n_side; i++) {
        for (int v = 0; v < vectors; v++)
            sum[v] += ((const floats *)(s->centered + (ptrdiff_t)listed[i] * vectors * LANES))[v];
        side += weight[listed[i]];
    }
    if (side < 2 || whole - side < 2)
        return;
    for (int v = 0; v < features; v++)
        f += sum[v] * sum[v];
    for (int v = features; v < vectors; v++)
        t += sum[v] * sum[v];
    const double h = (0.5 * total(f) + 0.5 * total(t)) * whole / (side * (whole - side));
    if (h > best->gain)
        *best = (test){feature, 0, threshold, h};
}

static inline __attribute__((always_inline)) double
search_nodes(const search *s, const int way, const int vectors, const int features)
{
    uint64_t state = 1;
    double all = 0;
    for (int64_t node = 0; node < s->n_nodes; node++) {
        const int32_t *rows = s->rows + s->begin[node];
        const float *weight = s->weight + s->begin[node];
        const int n = (int)(s->begin[node + 1] - s->begin[node]);
        const float whole = enter(s, node, rows, weight, n, vectors);
        test best = {-1, 0, 0, 0};
        for (int t = 0; t < s->n_tested; t++) {
            const int feature = s->tested[node * s->n_tested + t];
            if (way == RANDOM) {
                random_test(s, feature, rows, weight, n, whole, &state, &best, vectors, features);
                continue;
            }
            const uint32_t *sorted = sort_rows(s->codes + feature * s->n_rows, s->n_codes[feature], rows, n, s->keys,
                                               s->sorted);
            if (way == ALL)
                best_of_all(s, feature, sorted, weight, n, whole, &best, vectors);
            else
                best_by_rules(s, feature, sorted, weight, n, whole, &best, vectors, features);
        }
        if (best.feature >= 0)
            all += part(s, way, rows, n, best, vectors);
    }
    return all;
}

/* A number that depends on everything, so that nothing can be left out */
double
bare_search(const search *s, int way, int vectors)
{
    const int f = vectors - (int)s->target_vectors;
#define WAY(way, n) (f == n - 1 ? search_nodes(s, way, n, n - 1) : search_nodes(s, way, n, f))
#define CASE(n)                                                                                              \
    case n:                                                                                                  \
        return way == ALL ? search_nodes(s, ALL, n, 0) : way == BY_RULES ? WAY(BY_RULES, n) : WAY(RANDOM, n);
    switch (vectors) { CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) }
    return search_nodes(s, way, vectors, f);
#undef CASE
#undef WAY
}

/* Weight of each side x its variance in columns with gaps, which one division serves: the impurity that is left */
static inline floats
gap_gain(floats value, floats known, floats squares, const floats *node, float weight, float whole)
{
    const floats rest = node[1] - known, rest_value = node[0] - value, both = 1 / (known * rest);
    const floats a = rest * both, b = known * both;
    return weight * (squares - value * value * a) * a
           + (whole - weight) * (node[2] - squares - rest_value * rest_value * b) * b;
}

enum { GAPS = 1, MISSING = 2, QUOTIENTS = 4, ADDED = 8, MOST = 2048, TOGETHER = 4, PARTS = 3 };

/* All tests of TOGETHER features, on a node's n <= MOST rows in order of each: `order`, taken for all of them. Rows are
 * judged in tiles: with GAPS a tile is 16 columns, n x 3 vectors of values, known weights and squares, whose sums are
 * in `node`; without, 64 columns, n x 4 vectors. With MISSING the first row lacks the tested value and is on either
 * side, so that each test is judged twice. What a test has in 16 lanes is kept from tile to tile, and totalled at the
 * end. With ADDED rows are only added up, as those of equal values are. */
static inline __attribute__((always_inline)) double
scan_tiles(const int way, int columns, int n, const int32_t *order, const float *rows, const float *node)
{
    static floats judged[TOGETHER][MOST][2];
    const int sides = way & ADDED ? 0 : way & MISSING ? 2 : 1;
    const int parts = way & GAPS ? PARTS : 4, tile = way & GAPS ? LANES : 4 * LANES;
    float all = 0;
    for (int feature = 0; feature < TOGETHER; feature++)
        memset(judged[feature], 0, n * sizeof judged[0][0]);
    for (; columns > 0; columns -= tile, rows += (ptrdiff_t)n * parts * LANES, node += PARTS * LANES)
        for (int feature = 0; feature < TOGETHER; feature++) {
            floats sum[4] = {{0}};
            for (int i = 0; i < n - 1; i++) {
                const floats *row = (const floats *)(rows + (ptrdiff_t)order[i] * parts * LANES);
                for (int part = 0; part < parts; part++)
                    sum[part] += row[part];
                for (int missing = 0; missing < sides; missing++) {
                    floats side[4], gain = judged[feature][i][missing];
                    for (int part = 0; part < parts; part++) {
                        side[part] = sum[part];
                        if (missing)
                            side[part] += ((const floats *)rows)[part];
                    }
                    if (way & GAPS)
                        gain += gap_gain(side[0], side[1], side[2], (const floats *)node, i + 1 + missing, n);
                    for (int part = 0; !(way & GAPS) && part < parts; part++)
                        gain += side[part] * side[part];
                    judged[feature][i][missing] = gain;
                }
            }
            for (int part = 0; way & ADDED && part < parts; part++)
                judged[feature][0][0] += sum[part];
        }
    for (int feature = 0; feature < TOGETHER; feature++)
        for (int i = 0; i < n - 1; i++)
            for (int missing = 0; missing < sides; missing++)
                all = fmaxf(all, total(judged[feature][i][missing]));
    return all;
}

/* Of that, only the known weights of the sides of tests in columns with gaps, and the quotient that serves both */
static inline __attribute__((always_inline)) double
scan_quotients(const int way, int columns, int n, const int32_t *order, const float *rows, const float *node)
{
    floats all = {0};
    for (; columns > 0; columns -= LANES, rows += (ptrdiff_t)n * PARTS * LANES, node += PARTS * LANES)
        for (int feature = 0; feature < TOGETHER; feature++) {
            floats known = {0};
            for (int i = 0; i < n - 1; i++) {
                known += ((const floats *)(rows + (ptrdiff_t)order[i] * PARTS * LANES))[1];
                all += 1 / (known * (((const floats *)node)[1] - known));
                if (way & MISSING) {
                    const floats more = known + ((const floats *)rows)[1];
                    all += 1 / (more * (((const floats *)node)[1] - more));
                }
            }
        }
    return total(all);
}

/* So many `times`, as few rows are scanned in no time */
double
bare_scan(int way, int columns, int n, int times, const int32_t *order, const float *rows, const float *node)
{
    double all = 0;
#define SCAN(way, scan)                                                                                      \
    case way:                                                                                                \
        all += scan(way, columns, n, order, rows, node);                                                     \
        break;
    while (times--)
        switch (way) {
            SCAN(0, scan_tiles) SCAN(GAPS, scan_tiles) SCAN(MISSING, scan_tiles) SCAN(GAPS | MISSING, scan_tiles)
            SCAN(QUOTIENTS, scan_quotients) SCAN(QUOTIENTS | MISSING, scan_quotients)
            SCAN(ADDED, scan_tiles) SCAN(ADDED | GAPS, scan_tiles)
        }
#undef SCAN
    return all;
}
