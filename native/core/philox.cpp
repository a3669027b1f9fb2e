#include "core/philox.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace feedline {
namespace {

using Block = std::array<std::uint32_t, 4>;

constexpr std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
constexpr std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

// One block at a time, on purpose: with GCC 12 at -O3, 8 blocks side by side took 1.7 times
// as long.
constexpr Block block_at(std::uint64_t seed, std::uint64_t seed2, std::uint64_t number) {
  std::uint32_t c0 = low(number), c1 = high(number), c2 = low(seed2), c3 = high(seed2);
  std::uint32_t k0 = low(seed), k1 = high(seed);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = c0 * std::uint64_t{0xD2511F53}, p1 = c2 * std::uint64_t{0xCD9E8D57};
    c0 = high(p1) ^ c1 ^ k0;
    c1 = low(p1);
    c2 = high(p0) ^ c3 ^ k1;
    c3 = low(p0);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {c0, c1, c2, c3};
}

}  // namespace

void philox_stream(std::uint64_t seed, std::uint64_t seed2, std::uint64_t start,
                   std::span<std::uint32_t> out) {
  std::uint64_t number = start / 4;
  const auto copy_part = [&](std::size_t first) {
    const Block block = block_at(seed, seed2, number++);
    const std::size_t count = std::min(block.size() - first, out.size());
    std::copy_n(block.data() + first, count, out.data());
    out = out.subspan(count);
  };
  if (start % 4) copy_part(start % 4);
  while (out.size() >= 4) {
    const Block block = block_at(seed, seed2, number++);
    std::copy(block.begin(), block.end(), out.begin());
    out = out.subspan(4);
  }
  if (!out.empty()) copy_part(0);
}

}  // namespace feedline
