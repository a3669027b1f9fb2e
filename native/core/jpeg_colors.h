// jpeg_colors: rows of a JPEG's components become rows of pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace feedline {

// Whether this machine can do what is below.
bool has_jpeg_colors();

// Twice as many values as in a row: between two values a quarter lies on the way from each to the
// other. `row` and what is written have room for `jpeg_margin` more values on both sides.
constexpr std::size_t jpeg_margin = 64;
void widen_jpeg_row(std::uint8_t* row, std::size_t width, std::uint8_t* out);

// The same of three quarters of a row and a quarter of another.
void widen_jpeg_rows(const std::uint8_t* near, const std::uint8_t* far, std::size_t width,
                     std::int16_t* sums, std::uint8_t* out);

// Pixels in red, green and blue of rows with the same number of values.
void write_jpeg_pixels(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr,
                       std::size_t width, std::uint8_t* out);

}  // namespace feedline
