// clones: one function compiled for several processors, chosen when the module is loaded.
#pragma once

// Only with GCC on Linux, where the loader can choose. Everywhere else, and under a sanitizer,
// whose own start comes after that choice, the code for any processor gives the same numbers.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FEEDLINE_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define FEEDLINE_CLONES
#endif
