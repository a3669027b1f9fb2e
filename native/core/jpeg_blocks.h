// jpeg_blocks: from the numbers of a block of a JPEG to its pixels.
//
// The inverse cosine transform of Arai, Agui and Nakajima, whose last multiplications are a part of
// the quantities, with numbers of 16 bits and constants of 8: what libjpeg calls the fast one, with
// its results, bit for bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace feedline {

// What numbers are multiplied with: the quantities of a JPEG, in the order of rows, and what the
// transform leaves out.
using JpegScales = std::array<std::int16_t, 64>;
JpegScales jpeg_scales(std::span<const std::uint8_t, 64> quantities);

struct JpegBlock {
  std::int16_t* numbers = nullptr;
  const JpegScales* scales = nullptr;
  // Where its 8 x 8 pixels go.
  std::uint8_t* out = nullptr;
  std::size_t row_stride = 0;
};

// Writes the pixels of a block of which all numbers but the first are zeros.
void write_flat_jpeg_block(const JpegBlock& block);

// Writes the pixels of two blocks, which may be the same one. Afterwards their numbers are zeros,
// for the next blocks.
void write_jpeg_blocks(const JpegBlock& one, const JpegBlock& other);

}  // namespace feedline
