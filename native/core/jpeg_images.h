// jpeg_images: many JPEGs decoded, cut out, resized and mirrored, each while it is in the cache.
#pragma once

#include <cstdint>
#include <span>

#include "core/image.h"

namespace feedline {

// JPEG i is offsets[i] to offsets[i + 1] of `data`.
struct Jpegs {
  std::span<const std::uint8_t> data;
  std::span<const std::int64_t> offsets;

  std::size_t count() const { return offsets.size() - 1; }
};

// Writes height and width of each; zeros for one that decode_jpeg() does not know.
void jpeg_sizes(const Jpegs& jpegs, std::span<std::int64_t> sizes);

// Writes what resample() makes of the pixels of each, and a one to `done`; a zero for a JPEG whose
// size is given as zeros or that decode_jpeg() does not know, of which nothing is to be used.
void resample_jpegs(const Jpegs& jpegs, std::span<const std::int64_t> sizes, std::int64_t channels,
                    const Parts& parts, const Recipe& recipe, std::int64_t out_height,
                    std::int64_t out_width, std::span<float> out, std::span<std::uint8_t> done);

}  // namespace feedline
