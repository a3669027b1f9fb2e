// color: the hue and the saturation of pixels, the same as feedline/kernels/color.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// Both take RGB pixels of as many images of one size as there are parameters, and write as
// many pixels. Bytes stand for 0 to 1.

// Adds a part of a full turn, from -1 to 1, to the hue.
void adjust_hue(std::span<const float> pixels, std::span<const float> deltas,
                std::span<float> out);
void adjust_hue(std::span<const std::uint8_t> pixels, std::span<const float> deltas,
                std::span<std::uint8_t> out);

// Multiplies the saturation, which stays from 0 to 1.
void adjust_saturation(std::span<const float> pixels, std::span<const float> factors,
                       std::span<float> out);
void adjust_saturation(std::span<const std::uint8_t> pixels, std::span<const float> factors,
                       std::span<std::uint8_t> out);

}  // namespace feedline
