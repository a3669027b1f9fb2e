// mix: 64-bit hashes of integers, the same as feedline/kernels/mix_ids.py.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

namespace feedline {

inline constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;

constexpr std::uint64_t finish(std::uint64_t word) {
  word ^= word >> 30;
  word *= 0xBF58476D1CE4E5B9;
  word ^= word >> 27;
  word *= 0x94D049BB133111EB;
  return word ^ (word >> 31);
}

// A hash of some integers; order matters.
constexpr std::uint64_t mix(std::initializer_list<std::uint64_t> words) {
  std::uint64_t state = 0;
  for (std::uint64_t word : words) state = finish(state + golden + word);
  return state;
}

// Writes to `out` the ids changed by `word`. Both spans have one length.
void mix_ids(std::span<const std::uint64_t> ids, std::uint64_t word, std::span<std::uint64_t> out);

}  // namespace feedline
