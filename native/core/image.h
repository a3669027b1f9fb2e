// image: pixels cut out, resized, mirrored and made floats in one pass, the same as
// feedline/kernels/resample.py and feedline/kernels/take_pixels.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/taps.h"

namespace feedline {

// Images of one size. The numbers of a row lie one after the other; strides are in bytes and
// may be negative. `bytes` are all that may be read, `first` is where the first number is.
struct Images {
  std::span<const std::uint8_t> bytes;
  std::size_t first = 0;
  std::int64_t count = 0, height = 0, width = 0, channels = 0;
  std::int64_t image_stride = 0, row_stride = 0;
  bool is_float = false;  // float32; otherwise uint8
};

// Which part of each image is meant: top, left, height, width for each; empty for all of it.
// And whether it is mirrored: one byte for each, bit 0 left to right, bit 1 top to bottom;
// empty for none.
struct Parts {
  std::span<const std::int64_t> boxes;
  std::span<const std::uint8_t> flips;
};

// What is done to every number: a code for each step, and a constant for each channel of it.
enum class Step : std::uint8_t { add, subtract, multiply, divide, at_least, at_most };
constexpr std::uint8_t num_steps = 6;
struct Steps {
  std::span<const std::uint8_t> codes;
  std::span<const float> constants;
};

// How results come about: steps on every number, then a resize, then other steps.
struct Recipe {
  Method method = Method::bilinear;
  bool antialias = false;
  Steps before, after;
};

// Writes count * height * width * channels numbers. Throws std::invalid_argument if a box is
// not inside the images, or anything else does not fit.
void resample(const Images& images, const Parts& parts, const Recipe& recipe,
              std::int64_t out_height, std::int64_t out_width, std::span<float> out);

// The same by method nearest without steps: bytes stay what they are. Here a pixel has
// `channels` bytes, whatever they mean.
void take_pixels(const Images& images, const Parts& parts, std::int64_t out_height,
                 std::int64_t out_width, std::span<std::uint8_t> out);

}  // namespace feedline
