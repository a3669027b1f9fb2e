// jpeg_wide: whether and how the vector instructions of AVX2 are had for JPEGs.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FEEDLINE_HAS_WIDE 1
#define FEEDLINE_WIDE __attribute__((target("avx2")))
#define FEEDLINE_WIDE_INLINE __attribute__((target("avx2"), always_inline)) inline
#else
#define FEEDLINE_HAS_WIDE 0
#endif
