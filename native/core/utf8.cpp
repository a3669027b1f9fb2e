#include "core/utf8.h"

#include <cstddef>
#include <cstring>

#include "core/clones.h"

namespace feedline {
namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080u;

// The first of the bytes from `at` on that may not be ASCII, in steps of eight.
const std::uint8_t* after_ascii(const std::uint8_t* at, const std::uint8_t* end) {
  for (; end - at >= 8; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    if (word & high_bits) break;
  }
  return at;
}

bool continues(std::uint8_t byte) { return (byte & 0xc0) == 0x80; }

// How many bytes the character at `at` has, which is not ASCII; 0 if it is none.
std::size_t length_of(const std::uint8_t* at, const std::uint8_t* end) {
  const auto left = static_cast<std::size_t>(end - at);
  const std::uint8_t first = at[0];
  if (first < 0xc2 || left < 2) return 0;
  const std::uint8_t second = at[1];
  if (first < 0xe0) return continues(second) ? 2 : 0;
  if (first < 0xf0) {
    const std::uint8_t low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
    return left >= 3 && low <= second && second <= high && continues(at[2]) ? 3 : 0;
  }
  if (first > 0xf4 || left < 4) return 0;
  const std::uint8_t low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
  return low <= second && second <= high && continues(at[2]) && continues(at[3]) ? 4 : 0;
}

}  // namespace

FEEDLINE_CLONES bool is_ascii(std::span<const std::uint8_t> data) {
  // Whole stretches at once, so that the loop becomes vector code.
  constexpr std::size_t stretch = 1024;
  const std::uint8_t* at = data.data();
  for (std::size_t left = data.size(); left > 0;) {
    const std::size_t count = left < stretch ? left : stretch;
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < count; ++i) found = static_cast<std::uint8_t>(found | at[i]);
    if (found & 0x80) return false;
    at += count;
    left -= count;
  }
  return true;
}

bool is_utf8(std::span<const std::uint8_t> data) {
  if (data.empty()) return true;
  const std::uint8_t* at = data.data();
  const std::uint8_t* const end = at + data.size();
  while (true) {
    at = after_ascii(at, end);
    while (at != end && *at < 0x80) ++at;
    if (at == end) return true;
    while (at != end && *at >= 0x80) {
      const std::size_t length = length_of(at, end);
      if (length == 0) return false;
      at += length;
    }
  }
}

}  // namespace feedline
