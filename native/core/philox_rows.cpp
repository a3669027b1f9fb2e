#include "core/philox_rows.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"
#include "core/clones.h"

namespace feedline {
namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t batch = 8 * lanes;
constexpr std::uint64_t low_half = 0xFFFFFFFF;

// Blocks of several rows side by side. Every word is 32 bits wide in 64, because that is what
// the vector instruction for a 32 by 32 bit product takes; high halves may hold anything.
struct Blocks {
  std::uint64_t counter[4][batch];
  std::uint64_t key[2][batch];
};

FEEDLINE_CLONES void run_rounds(Blocks& blocks, std::size_t filled) {
  for (std::size_t first = 0; first < filled; first += lanes) {
    std::uint64_t c0[lanes], c1[lanes], c2[lanes], c3[lanes], k0[lanes], k1[lanes];
    for (std::size_t i = 0; i < lanes; ++i) {
      c0[i] = blocks.counter[0][first + i];
      c1[i] = blocks.counter[1][first + i];
      c2[i] = blocks.counter[2][first + i];
      c3[i] = blocks.counter[3][first + i];
      k0[i] = blocks.key[0][first + i];
      k1[i] = blocks.key[1][first + i];
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < lanes; ++i) {
        const std::uint64_t p0 = (c0[i] & low_half) * 0xD2511F53;
        const std::uint64_t p1 = (c2[i] & low_half) * 0xCD9E8D57;
        c0[i] = (p1 >> 32) ^ c1[i] ^ k0[i];
        c1[i] = p1;
        c2[i] = (p0 >> 32) ^ c3[i] ^ k1[i];
        c3[i] = p0;
        k0[i] += 0x9E3779B9;
        k1[i] += 0xBB67AE85;
      }
    }
    for (std::size_t i = 0; i < lanes; ++i) {
      blocks.counter[0][first + i] = c0[i];
      blocks.counter[1][first + i] = c1[i];
      blocks.counter[2][first + i] = c2[i];
      blocks.counter[3][first + i] = c3[i];
    }
  }
}

}  // namespace

void philox_rows(std::span<const std::uint64_t> keys, std::uint64_t count,
                 std::span<const std::uint64_t> low, std::span<const std::uint64_t> high,
                 std::span<std::uint32_t> out) {
  if (!low.empty()) check_same_length(keys, low);
  if (!high.empty()) check_same_length(keys, high);
  check(count == 0 ? out.empty() : out.size() % count == 0 && out.size() / count == keys.size(),
        "the output must have count numbers for each key");
  if (out.empty()) return;
  const std::uint64_t per_row = count / 4 + (count % 4 != 0);
  Blocks blocks{};
  std::uint64_t sizes[batch];
  std::uint64_t block = 0;
  for (std::size_t row = 0; row < keys.size();) {
    std::size_t filled = 0;
    for (; filled < batch && row < keys.size(); ++filled) {
      const std::uint64_t number = (low.empty() ? 0 : low[row]) + block;
      const std::uint64_t top = (high.empty() ? 0 : high[row]) + (number < block);
      blocks.counter[0][filled] = number;
      blocks.counter[1][filled] = number >> 32;
      blocks.counter[2][filled] = top;
      blocks.counter[3][filled] = top >> 32;
      blocks.key[0][filled] = keys[row];
      blocks.key[1][filled] = keys[row] >> 32;
      sizes[filled] = std::min<std::uint64_t>(4, count - 4 * block);
      if (++block == per_row) {
        block = 0;
        ++row;
      }
    }
    run_rounds(blocks, filled);
    for (std::size_t i = 0; i < filled; ++i) {
      for (std::uint64_t j = 0; j < sizes[i]; ++j)
        out[j] = static_cast<std::uint32_t>(blocks.counter[j][i]);
      out = out.subspan(sizes[i]);
    }
  }
}

}  // namespace feedline
