from sslrank.core._typedefs cimport float64_t, intp_t
from sslrank.evaluation._svm cimport Kernel, Pair, Work


cdef float64_t solve(
    const float64_t *products, intp_t width, Pair pair, Kernel kernel, float64_t C, float64_t tol,
    float64_t *theta, Work work, intp_t *n_steps
) noexcept nogil
