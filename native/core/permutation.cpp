#include "core/permutation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "core/check.h"
#include "core/mix.h"

namespace feedline {
namespace {

constexpr std::size_t rounds = 6;

// A Feistel cipher over numbers of 2 * half bits.
struct Cipher {
  int half;
  std::array<std::uint64_t, rounds> keys;

  Cipher(std::uint64_t length, std::uint64_t key)
      : half(std::max(1, (static_cast<int>(std::bit_width(length - 1)) + 1) / 2)) {
    for (std::size_t i = 0; i < rounds; ++i) keys[i] = mix({key, i});
  }

  std::uint64_t encrypt(std::uint64_t value) const {
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    std::uint64_t left = value >> half, right = value & mask;
    for (std::uint64_t key : keys) {
      std::uint64_t word = (right + key) * golden;
      word = (word ^ (word >> 32)) * 0xBF58476D1CE4E5B9;
      const std::uint64_t next = left ^ ((word >> 29) & mask);
      left = right;
      right = next;
    }
    return (left << half) | right;
  }
};

}  // namespace

void permute(std::span<const std::int64_t> index, std::int64_t length, std::uint64_t key,
             std::span<std::int64_t> out) {
  check_same_length(index, out);
  if (index.empty()) return;
  check_index(index[0], length);  // length is at least 1 from here on
  const auto end = static_cast<std::uint64_t>(length);
  const Cipher cipher(end, key);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const std::int64_t place = index[i];
    check_index(place, length);
    auto value = static_cast<std::uint64_t>(place);
    do {
      value = cipher.encrypt(value);
    } while (value >= end);
    out[i] = static_cast<std::int64_t>(value);
  }
}

}  // namespace feedline
