// exchange: the draws of a shuffle buffer, as in feedline/kernels/exchange.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// Writes one handle to `out` per draw, each after an arrival has filled the ring if one is
// left. `ring` holds `held` handles from place `front` on, wrapping around, and is changed.
// Throws std::invalid_argument, with nothing changed, if handles would run out.
void exchange(std::span<std::int64_t> ring, std::int64_t front, std::int64_t held,
              std::span<const std::int64_t> arriving, std::span<const std::uint32_t> draws,
              std::span<std::int64_t> out);

}  // namespace feedline
