/* Squared differences of one value and others in a column with missing values (NaN). */
#ifndef SSLRANK_PREDICTORS_MISSING_H
#define SSLRANK_PREDICTORS_MISSING_H

/* Nominal columns have miss >= 0, the squared distance to a missing value. A number t scaled to [0, 1] is
 * max(t, 1 - t) away from a missing one, and two missing ones are 1 apart. */
static inline void sslrank_missing_squares(double x, const double *others, double miss, int n, double *square)
{
    if (miss >= 0.0) {
#pragma omp simd
        for (int i = 0; i < n; i++)
            square[i] = (x != x || others[i] != others[i]) ? miss : (x != others[i] ? 1.0 : 0.0);
    } else if (x != x) {
#pragma omp simd
        for (int i = 0; i < n; i++) {
            const double y = others[i], far = y > 1.0 - y ? y : 1.0 - y;
            square[i] = y == y ? far * far : 1.0;
        }
    } else {
        const double far = x > 1.0 - x ? x : 1.0 - x;
#pragma omp simd
        for (int i = 0; i < n; i++) {
            const double d = x - others[i];
            square[i] = d == d ? d * d : far * far;
        }
    }
}

#endif
