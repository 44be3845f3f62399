# Votes of the k nearest rows: those nearer than the k-th one count fully, and those as far as it share the rest.
from sslrank.core._typedefs cimport float64_t, intp_t

cdef extern from *:
    """
    /* Sums in another order of the columns, or of values in another unit, differ by rounding: squared distances that
       differ by less than this share are equal. (Two continuous distances are as close once in 10^7 comparisons.) */
    #define SSLRANK_TIE 1e-9
    """
    const float64_t SSLRANK_TIE


cdef struct Ballots:  # the targets of the candidate rows as a sparse matrix in compressed rows
    const intp_t *starts
    const intp_t *columns
    const float64_t *values
    intp_t n_columns


cdef inline float64_t add_votes(
    const float64_t *distances, const intp_t *rows, intp_t n, float64_t kth, intp_t k, Ballots ballots,
    float64_t *tied, float64_t *out
) noexcept nogil:
    """Write the votes of the k nearest of n listed rows, times the returned number, into `out`.

    All rows up to the k-th distance are listed. Counts are whole numbers, so that equal votes have equal bits; real
    numbers are added in the order of the list. `tied` is working memory of the size of `out`.
    """
    return add_votes_within(
        distances, rows, n, kth * (1.0 - SSLRANK_TIE), kth * (1.0 + SSLRANK_TIE), k, ballots, tied, out
    )


cdef inline float64_t add_votes_within(
    const float64_t *distances, const intp_t *rows, intp_t n, float64_t nearer_than, float64_t within, intp_t k,
    Ballots ballots, float64_t *tied, float64_t *out
) noexcept nogil:
    """As :func:`add_votes`; distances from `nearer_than` to `within` are equal to the k-th one."""
    cdef float64_t parts
    cdef float64_t *sums
    cdef intp_t i, c, n_tied = 0, n_left = k
    cdef bint split
    for i in range(n):
        n_left -= distances[i] < nearer_than
        n_tied += nearer_than <= distances[i] <= within
    split = n_left != n_tied
    for c in range(ballots.n_columns):
        out[c] = 0.0
        if split:
            tied[c] = 0.0
    for i in range(n):
        if distances[i] <= within:
            sums = tied if split and distances[i] >= nearer_than else out
            for c in range(ballots.starts[rows[i]], ballots.starts[rows[i] + 1]):
                sums[ballots.columns[c]] += ballots.values[c]
    if not split:
        return 1.0
    parts = <float64_t>n_tied
    for c in range(ballots.n_columns):
        out[c] = out[c] * parts + tied[c] * n_left
    return parts
