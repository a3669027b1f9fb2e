// byte_images: images of bytes, the same as feedline/kernels/through_tables.py and
// halved_means.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace feedline {

// Writes ``table[pixel]`` for each pixel. There are 256 bytes for each channel of each image;
// images have one size.
void through_tables(std::span<const std::uint8_t> pixels, std::span<const std::uint8_t> tables,
                    std::size_t channels, std::span<std::uint8_t> out);

// Writes the mean of every channel of every image, of numbers from 0 to 1, added up by halves.
void halved_means(std::span<const std::uint8_t> pixels, std::size_t channels,
                  std::span<float> out);

}  // namespace feedline
