#include "core/exchange.h"

#include <cstddef>

#include "core/check.h"

namespace feedline {
namespace {

std::uint64_t draw_below(std::uint32_t draw, std::uint64_t count) {
  if (count > UINT32_MAX) return draw;
  return draw % static_cast<std::uint32_t>(count);  // 32 bits: several times faster than 64
}

}  // namespace

void exchange(std::span<std::int64_t> ring, std::int64_t front, std::int64_t held,
              std::span<const std::int64_t> arriving, std::span<const std::uint32_t> draws,
              std::span<std::int64_t> out) {
  check_same_length(draws, out);
  const std::uint64_t capacity = ring.size();
  check(front >= 0, "front must be at least 0");
  check(held >= 0 && static_cast<std::uint64_t>(held) <= capacity,
        "held must be from 0 to the length of the ring");
  if (draws.empty()) return;
  std::uint64_t count = static_cast<std::uint64_t>(held);
  check(capacity > 0 && draws.size() <= count + arriving.size(),
        "there are more draws than handles held and arriving");

  std::uint64_t first = static_cast<std::uint64_t>(front) % capacity;
  const auto place_of = [&](std::uint64_t offset) {
    const std::uint64_t place = first + offset;
    return place < capacity ? place : place - capacity;
  };
  std::size_t used = 0;
  for (std::size_t number = 0; number < draws.size(); ++number) {
    if (count < capacity && used < arriving.size()) ring[place_of(count++)] = arriving[used++];
    const std::uint64_t place = place_of(draw_below(draws[number], count));
    out[number] = ring[place];
    ring[place] = ring[first];
    first = place_of(1);
    --count;
  }
}

}  // namespace feedline
