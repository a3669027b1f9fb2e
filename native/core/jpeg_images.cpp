#include "core/jpeg_images.h"

#include <algorithm>
#include <vector>

#include "core/check.h"
#include "core/jpeg.h"
#include "core/jpeg_file.h"

namespace feedline {
namespace {

// More than this is not kept for the next images.
constexpr std::size_t most_kept = std::size_t{1} << 23;

void check_jpegs(const Jpegs& jpegs) {
  check(!jpegs.offsets.empty(), "there must be one more offset than JPEGs");
  check(std::ranges::is_sorted(jpegs.offsets) && jpegs.offsets.front() >= 0 &&
            static_cast<std::uint64_t>(jpegs.offsets.back()) <= jpegs.data.size(),
        "offsets must rise from 0 to at most the number of bytes");
}

std::span<const std::uint8_t> jpeg_at(const Jpegs& jpegs, std::size_t i) {
  const auto start = static_cast<std::size_t>(jpegs.offsets[i]);
  return jpegs.data.subspan(start, static_cast<std::size_t>(jpegs.offsets[i + 1]) - start);
}

}  // namespace

void jpeg_sizes(const Jpegs& jpegs, std::span<std::int64_t> sizes) {
  check_jpegs(jpegs);
  check(sizes.size() == 2 * jpegs.count(), "there must be two numbers for each JPEG");
  for (std::size_t i = 0; i < jpegs.count(); ++i) {
    const auto file = read_jpeg_file(jpeg_at(jpegs, i));
    sizes[2 * i] = file ? static_cast<std::int64_t>(file->height) : 0;
    sizes[2 * i + 1] = file ? static_cast<std::int64_t>(file->width) : 0;
  }
}

void resample_jpegs(const Jpegs& jpegs, std::span<const std::int64_t> sizes, std::int64_t channels,
                    const Parts& parts, const Recipe& recipe, std::int64_t out_height,
                    std::int64_t out_width, std::span<float> out, std::span<std::uint8_t> done) {
  check_jpegs(jpegs);
  const std::size_t count = jpegs.count();
  check(sizes.size() == 2 * count && done.size() == count, "sizes and results must be as many");
  check(channels == 1 || channels == 3, "a JPEG has 1 or 3 channels");
  check(out_height > 0 && out_width > 0 && out.size() % std::max<std::size_t>(count, 1) == 0,
        "the results have another size");
  check(parts.boxes.empty() || parts.boxes.size() == 4 * count, "there must be a box for each");
  check(parts.flips.empty() || parts.flips.size() == count, "there must be a flip for each");
  const std::size_t each = count == 0 ? 0 : out.size() / count;
  static thread_local std::vector<std::uint8_t> pixels;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t height = sizes[2 * i], width = sizes[2 * i + 1];
    done[i] = 0;
    if (height <= 0 || width <= 0 || height > 0xffff || width > 0xffff) continue;
    const auto size = static_cast<std::size_t>(height * width * channels);
    if (pixels.size() < size) pixels.resize(size);
    if (!decode_jpeg(jpeg_at(jpegs, i), static_cast<std::size_t>(height),
                     static_cast<std::size_t>(width), static_cast<std::size_t>(channels),
                     std::span(pixels).first(size))) {
      continue;
    }
    Images image;
    image.bytes = std::span(pixels).first(size);
    image.count = 1;
    image.height = height;
    image.width = width;
    image.channels = channels;
    image.row_stride = width * channels;
    image.image_stride = height * image.row_stride;
    const Parts part{parts.boxes.empty() ? parts.boxes : parts.boxes.subspan(4 * i, 4),
                     parts.flips.empty() ? parts.flips : parts.flips.subspan(i, 1)};
    resample(image, part, recipe, out_height, out_width, out.subspan(each * i, each));
    done[i] = 1;
  }
  if (pixels.size() > most_kept) pixels = {};
}

}  // namespace feedline
