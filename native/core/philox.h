// philox: the random stream of feedline/kernels/philox.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// Writes numbers `start`, `start + 1`, ... of the stream of (seed, seed2) to `out`.
void philox_stream(std::uint64_t seed, std::uint64_t seed2, std::uint64_t start,
                   std::span<std::uint32_t> out);

}  // namespace feedline
