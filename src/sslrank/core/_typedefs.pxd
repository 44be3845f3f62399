# The element types of every kernel. Rows and nodes are indexed by intp_t.
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t  # the headers' own, which gcc 14 insists on

ctypedef Py_ssize_t intp_t
ctypedef float float32_t
ctypedef double float64_t
