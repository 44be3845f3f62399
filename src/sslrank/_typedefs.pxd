# The element types of every kernel. Rows and nodes are indexed by intp_t.
ctypedef signed char int8_t
ctypedef unsigned char uint8_t
ctypedef int int32_t
ctypedef long long int64_t
ctypedef unsigned long long uint64_t
ctypedef Py_ssize_t intp_t
ctypedef float float32_t
ctypedef double float64_t
