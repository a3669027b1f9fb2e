// permutation: a random order of n places, as in feedline/kernels/permutation.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// Writes where each of `index` goes in the order of `key` over `length` places.
// Throws std::out_of_range if one is not from 0 to length.
void permute(std::span<const std::int64_t> index, std::int64_t length, std::uint64_t key,
             std::span<std::int64_t> out);

}  // namespace feedline
