"""SplitMix64: a random stream is one 64-bit state, so that a stream can be tied to a place in a tree."""

from sslrank.core._typedefs cimport float64_t, uint64_t


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """Scramble 64 bits (Steele, Lea and Flood 2014, the finaliser of SplitMix64)."""
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9U
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EBU
    return x ^ (x >> 31)


cdef inline uint64_t next_uint64(uint64_t* state) noexcept nogil:
    state[0] += <uint64_t> 0x9E3779B97F4A7C15U
    return mix(state[0])


cdef inline float64_t next_uniform(uint64_t* state) noexcept nogil:
    """In [0, 1), 53 random bits."""
    return <float64_t> (next_uint64(state) >> 11) * (1.0 / 9007199254740992.0)


cdef inline float64_t uniform_at(uint64_t state, uint64_t k) noexcept nogil:
    """Return the number that `next_uniform` gives after k draws."""
    state += k * <uint64_t> 0x9E3779B97F4A7C15U
    return next_uniform(&state)


cdef inline uint64_t next_below(uint64_t* state, uint64_t bound) noexcept nogil:
    """In 0..bound - 1, for bounds below 2^32 (bias under bound / 2^32)."""
    return ((next_uint64(state) >> 32) * bound) >> 32


cdef inline uint64_t child_stream(uint64_t node, uint64_t branch) noexcept nogil:
    """The stream of a child: it depends on the path from the root only, not on the order of growth."""
    return mix(node ^ ((branch + 1) * <uint64_t> 0xD1342543DE82EF95U))
