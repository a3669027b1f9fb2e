#include "core/byte_images.h"

#include <algorithm>
#include <vector>

#include "core/check.h"
#include "core/clones.h"

namespace feedline {
namespace {

constexpr std::size_t levels = 256;

// How many numbers each image has.
std::size_t size_of_each(std::size_t pixels, std::size_t images, std::size_t channels) {
  if (images == 0) {
    check(pixels == 0, "there are pixels of no image");
    return 0;
  }
  check(pixels % images == 0 && pixels / images % channels == 0,
        "images must have one size, and all channels");
  return pixels / images;
}

FEEDLINE_CLONES void add(const float* left, const float* right, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = left[i] + right[i];
}

FEEDLINE_CLONES void add_bytes(const std::uint8_t* left, const std::uint8_t* right,
                               std::size_t count, float* out) {
  constexpr float scale = static_cast<float>(1.0 / 255.0);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(left[i]) * scale + static_cast<float>(right[i]) * scale;
}

}  // namespace

void through_tables(std::span<const std::uint8_t> pixels, std::span<const std::uint8_t> tables,
                    std::size_t channels, std::span<std::uint8_t> out) {
  check(channels > 0 && tables.size() % levels == 0 && tables.size() / levels % channels == 0,
        "there must be a table for each channel");
  check_same_length(pixels, out);
  const std::size_t images = tables.size() / levels / channels;
  const std::size_t size = size_of_each(pixels.size(), images, channels);
  for (std::size_t image = 0; image < images; ++image) {
    const std::uint8_t* table = tables.data() + image * channels * levels;
    const std::uint8_t* from = pixels.data() + image * size;
    std::uint8_t* to = out.data() + image * size;
    if (channels == 1) {
      for (std::size_t i = 0; i < size; ++i) to[i] = table[from[i]];
    } else if (channels == 3) {
      for (std::size_t i = 0; i < size; i += 3) {
        to[i] = table[from[i]];
        to[i + 1] = table[levels + from[i + 1]];
        to[i + 2] = table[2 * levels + from[i + 2]];
      }
    } else {
      for (std::size_t i = 0; i < size; i += channels)
        for (std::size_t c = 0; c < channels; ++c) to[i + c] = table[c * levels + from[i + c]];
    }
  }
}

void halved_means(std::span<const std::uint8_t> pixels, std::size_t channels,
                  std::span<float> out) {
  check(channels > 0 && out.size() % channels == 0, "there must be a mean for each channel");
  const std::size_t images = out.size() / channels;
  const std::size_t size = size_of_each(pixels.size(), images, channels);
  check(images == 0 || size > 0, "an image must have pixels");
  if (images == 0) return;
  const std::size_t count = size / channels;
  std::vector<float> sums((count - count / 2) * channels);
  const float part = 1.0f / static_cast<float>(count);
  for (std::size_t image = 0; image < images; ++image) {
    const std::uint8_t* from = pixels.data() + image * size;
    std::size_t left = count - count / 2, right = count / 2;
    add_bytes(from, from + left * channels, right * channels, sums.data());
    if (left > right)
      for (std::size_t c = 0; c < channels; ++c)
        sums[right * channels + c] =
            static_cast<float>(from[right * channels + c]) * static_cast<float>(1.0 / 255.0);
    while (left > 1) {
      right = left / 2;
      left -= right;
      add(sums.data(), sums.data() + left * channels, right * channels, sums.data());
    }
    for (std::size_t c = 0; c < channels; ++c) out[image * channels + c] = sums[c] * part;
  }
}

}  // namespace feedline
