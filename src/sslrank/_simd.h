/* Function multiversioning for the vectorised inner loops.
 *
 * A loop goes into a small `static` C function marked SSLRANK_CLONES; the compiler then emits one copy per
 * instruction set and picks one when the library is loaded, so a wheel built anywhere runs anywhere.
 * Reductions are marked `#pragma omp simd reduction(...)`, which lets the compiler reorder just that sum. */
#ifndef SSLRANK_SIMD_H
#define SSLRANK_SIMD_H

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define SSLRANK_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SSLRANK_CLONES
#endif

#endif
