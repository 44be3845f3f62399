/* Function multiversioning for the vectorised inner loops, and sums whose order is the same in every version.
 *
 * A loop goes into a small `static` C function marked SSLRANK_CLONES; the compiler then emits one copy per
 * instruction set and picks one when the library is loaded, so a wheel built anywhere runs anywhere. With
 * -DSSLRANK_NO_CLONES there is one copy only: the same numbers, bit by bit, which a test checks.
 *
 * Maxima, minima and counts may be `#pragma omp simd reduction(...)`. A floating-point sum that decides a result
 * uses the lanes below instead: the compiler orders a reduction by the width of the registers. */
#ifndef SSLRANK_SIMD_H
#define SSLRANK_SIMD_H

#include <limits.h> /* defines which C library it is: musl has no indirect functions */
#include <stddef.h>

#ifdef __has_attribute
#if __has_attribute(target_clones) && defined(__x86_64__) && defined(__GLIBC__) && !defined(SSLRANK_NO_CLONES)
#if defined(__clang__) && __clang_major__ < 18 /* compiles arch=x86-64-v3, and never chooses it */
#define SSLRANK_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SSLRANK_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#endif
#ifndef SSLRANK_CLONES
#define SSLRANK_CLONES
#endif
/* For functions that hand vectors to others: clang refuses that where only one of the two has the instructions. */
#ifdef __clang__
#define SSLRANK_GCC_CLONES
#else
#define SSLRANK_GCC_CLONES SSLRANK_CLONES
#endif

/* Lane l of a sum adds the terms l, l + 8, l + 16, ...; `loaded` is a vector anywhere in an array. */
#define SSLRANK_SUM_LANES 8
typedef double sslrank_lanes __attribute__((vector_size(8 * SSLRANK_SUM_LANES)));
typedef double sslrank_loaded __attribute__((vector_size(8 * SSLRANK_SUM_LANES), aligned(8), may_alias));

#define SSLRANK_LOAD(x) (*(const sslrank_loaded *)(x))
#define SSLRANK_TOTAL(s) ((((s)[0] + (s)[4]) + ((s)[2] + (s)[6])) + (((s)[1] + (s)[5]) + ((s)[3] + (s)[7])))

#endif
