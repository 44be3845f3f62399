"""Inner products of the rows of small nodes: see _products.h.

They are made for the first node of a subtree that has few enough rows. The nodes below take theirs out of
that matrix and change the mean, in time that does not depend on the number of columns. Where that would
cancel too many digits they are made again.
They stand for the features, or for features and targets in the proportion of the level of supervision if
there is one level and every row is labelled. Sums of few columns cancel more than sums of many: targets
apart are added up as rows.
"""

import numpy as np

from libc.string cimport memset

from sslrank.core._typedefs cimport float32_t, float64_t, int32_t, intp_t


cdef extern from "_products.h" nogil:
    enum:
        SSLRANK_LANES
    void sslrank_transpose(const float* rows, intp_t row_stride, intp_t n, intp_t width, intp_t stride,
                           float* to)
    void sslrank_add_products(const float* columns, intp_t width, intp_t stride, float factor, float* out)
    double sslrank_take_products(const float* source, intp_t from_stride, const int32_t* index, intp_t n,
                                 const double* weight, double total, float* to, intp_t stride,
                                 double* mean)

# Products are made again when a node keeps less than this share of the trace: one of 24 bits is lost then.
cdef float64_t SMALLEST_SHARE = 1. / 2


cdef class RowProducts:
    """Inner products of at most `limit` of `n_rows` rows in up to `width` columns."""

    def __init__(self, intp_t limit, intp_t n_rows, intp_t width):
        padded = (limit + SSLRANK_LANES - 1) // SSLRANK_LANES * SSLRANK_LANES
        self.limit = limit
        self.index_of = np.zeros(n_rows, dtype=np.int32)
        self.index = np.zeros(padded + 1, dtype=np.int32)
        self.columns = np.zeros(padded * width + 1, dtype=np.float32)
        self.first = np.zeros(padded * padded + 1, dtype=np.float32)
        self.node = np.zeros(padded * padded + 1, dtype=np.float32)
        self.weight = np.zeros(padded + 1)
        self.mean = np.zeros(padded + 1)
        self.running = np.zeros(padded + 1, dtype=np.float32)

    cdef void make(self, const int32_t* rows, intp_t n, const float32_t* centered, intp_t width,
                   intp_t width_f,
                   intp_t width_t, float32_t ratio) noexcept nogil:
        """Products of n centred, weighted rows: those of the features plus `ratio` times the targets'."""
        cdef intp_t stride = (n + SSLRANK_LANES - 1) // SSLRANK_LANES * SSLRANK_LANES, i
        self.number += 1
        self.first_stride = stride
        for i in range(n):
            self.index_of[rows[i]] = <int32_t> i
        memset(&self.first[0], 0, stride * stride * sizeof(float32_t))
        sslrank_transpose(centered, width, n, width_f, stride, &self.columns[0])
        sslrank_add_products(&self.columns[0], width_f, stride, 1, &self.first[0])
        if ratio > 0:
            sslrank_transpose(centered + width_f, width, n, width_t, stride, &self.columns[0])
            sslrank_add_products(&self.columns[0], width_t, stride, ratio, &self.first[0])

    cdef bint take(self, const int32_t* rows, intp_t n, const float32_t* weight,
                   float64_t total) noexcept nogil:
        """The products of a node in the subtree; False if too many digits are lost."""
        cdef intp_t i
        self.stride = (n + SSLRANK_LANES - 1) // SSLRANK_LANES * SSLRANK_LANES
        for i in range(n):
            self.index[i] = self.index_of[rows[i]]
            self.weight[i] = weight[i]
        return sslrank_take_products(&self.first[0], self.first_stride, &self.index[0], n, &self.weight[0],
                                     total,
                                     &self.node[0], self.stride, &self.mean[0]) >= SMALLEST_SHARE
