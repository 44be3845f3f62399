"""Votes of the nearest rows by distances that were computed as |a|^2 + |b|^2 - 2ab, and so have rounding errors."""

import numpy as np

from sslrank.core._select cimport select
from sslrank.core._typedefs cimport float64_t, intp_t
from sslrank.models._votes cimport Ballots, add_votes_within

cdef extern from "models/_within.h" nogil:
    intp_t list_within(const float64_t *y, intp_t n, float64_t bound, float64_t *near, intp_t *indices)


def block_votes(
    const float64_t[:, ::1] block,
    const float64_t[::1] rounding,
    const intp_t[::1] ks,
    const intp_t[::1] starts,
    const intp_t[::1] columns,
    const float64_t[::1] values,
    intp_t start,
    float64_t[:, :, ::1] votes,
):
    """Write the votes of the k nearest rows of each query of a block into `votes`, from query `start` on.

    Parameters
    ----------
    block : ndarray of shape (b, n)
        Distances of the queries to the rows that vote, without NaN.
    rounding : ndarray of shape (b,)
        Distances that differ from the k-th one by at most this are equal to it.
    ks : ndarray of shape (n_ks,)
        Ascending, at most n.
    starts, columns, values
        Whole numbers of the rows as a sparse matrix in compressed rows.
    votes : ndarray of shape (n_ks, n_queries, n_columns)
    """
    cdef intp_t n_rows = block.shape[1], n_columns = votes.shape[2], n_ks = ks.shape[0], k_max = ks[n_ks - 1]
    cdef intp_t q, i, c, m
    cdef float64_t kth, parts
    cdef float64_t *out
    cdef float64_t[::1] heap = np.empty(k_max), near = np.empty(n_rows), tied = np.empty(n_columns)
    cdef intp_t[::1] found = np.empty(k_max, dtype=np.intp), rows = np.empty(n_rows, dtype=np.intp)
    cdef Ballots ballots = Ballots(&starts[0], NULL, NULL, n_columns)
    if values.shape[0]:
        ballots.columns, ballots.values = &columns[0], &values[0]
    with nogil:
        for q in range(block.shape[0]):
            select(&block[q, 0], n_rows, k_max, &heap[0], &found[0])
            m = list_within(&block[q, 0], n_rows, heap[k_max - 1] + rounding[q], &near[0], &rows[0])
            for i in range(n_ks):
                kth, out = heap[ks[i] - 1], &votes[i, start + q, 0]
                parts = add_votes_within(
                    &near[0], &rows[0], m, kth - rounding[q], kth + rounding[q], ks[i], ballots, &tied[0], out
                )
                for c in range(n_columns):
                    out[c] /= parts
