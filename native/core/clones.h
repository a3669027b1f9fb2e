// clones: one function compiled for several processors, chosen when the module is loaded.
#pragma once

// Only where the loader can choose (ifunc). Clang before 19 refuses the attribute on some
// functions, and the baseline is right everywhere.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FEEDLINE_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define FEEDLINE_CLONES
#endif
