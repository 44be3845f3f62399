# A pair of classes, its machine's scratch, and the loops that its parts share.
from sslrank.core._typedefs cimport float64_t, intp_t

cdef enum:
    WORKING_SET = 64  # its kernel matrix takes 32 kB
    NEWTON_SET = 1024  # largest set of free vectors for a Newton step; its matrix takes 8 MB
    NEWTON_BLOCKS = 256  # vectors that may reach a bound within a Newton step

cdef extern from "_svm.h":
    void axpy(double a, const double *x, double *y, Py_ssize_t n) noexcept nogil
    void extremes(const double *theta, const double *v, double lower, double upper, double *highest,
                  double *lowest, Py_ssize_t n) noexcept nogil
    void keys(const double *theta, const double *v, const double *chosen, double sign, double bound,
              double *key, Py_ssize_t n) noexcept nogil
    void axpy_quadratic(double a, const double *g, double gamma, double coef0, double *y,
                        Py_ssize_t n) noexcept nogil
    double step(double t, const double *a, const double *b, double *v, const double *up,
                Py_ssize_t n) noexcept nogil
    double gains(double vi, double kii, const double *row, const double *diagonal, const double *v,
                 const double *low, double *gain, double *lowest, Py_ssize_t n) noexcept nogil
    double dot(const double *x, const double *y, Py_ssize_t n) noexcept nogil
    int cholesky(double *a, Py_ssize_t n) noexcept nogil
    double dot_quadratic(const double *theta, const double *g, double gamma, double coef0,
                         Py_ssize_t n) noexcept nogil


cdef struct Kernel:
    float64_t gamma
    float64_t coef0


cdef struct Pair:
    # Rows of two classes, as two stretches of the training rows: first label +1, second label -1.
    intp_t first
    intp_t n_first
    intp_t second
    intp_t n_second


cdef struct Work:
    # Scratch: vectors over the rows of a pair, and over the working set.
    float64_t *v         # y_k minus the decision value without its bias
    float64_t *key       # sort keys
    float64_t *chosen    # 1 for rows in the working set
    float64_t *heap
    intp_t *found
    intp_t *rows         # the working set
    float64_t *matrix    # its kernel matrix
    float64_t *local_v
    float64_t *theta
    float64_t *before
    float64_t *diagonal
    float64_t *gain
    float64_t *up        # 1 where theta may grow
    float64_t *low       # 1 where theta may shrink
    intp_t *free         # vectors off their bounds
    float64_t *factor    # Cholesky factor of their kernel matrix
    float64_t *blocks    # columns of its inverse, for those that reach a bound
    float64_t *pivots
    float64_t *target
    float64_t *ones
    float64_t *move


cdef inline intp_t row_of(Pair pair, intp_t k) noexcept nogil:
    return pair.first + k if k < pair.n_first else pair.second + k - pair.n_first


cdef inline float64_t upper_bound(Pair pair, float64_t C, intp_t k) noexcept nogil:
    # theta = y alpha lies in [0, C] for the first class and in [-C, 0] for the second.
    return C if k < pair.n_first else 0.0


cdef inline void add_row(
    const float64_t *products, intp_t row, intp_t width, Pair pair, Kernel kernel, float64_t t, float64_t *v
) noexcept nogil:
    """v += t times the kernel row, over the rows of the pair."""
    cdef const float64_t *g = products + row * width
    axpy_quadratic(t, g + pair.first, kernel.gamma, kernel.coef0, v, pair.n_first)
    axpy_quadratic(t, g + pair.second, kernel.gamma, kernel.coef0, v + pair.n_first, pair.n_second)
