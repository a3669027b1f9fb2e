// fuzz_jpeg: any bytes as a JPEG.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/jpeg.h"
#include "core/jpeg_file.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;

// Pixels that are as they were if nothing was written.
constexpr std::uint8_t before = 0xa5;
constexpr std::size_t most_pixels = 1 << 15;

}  // namespace

// There is no checksum in a JPEG.
void FuzzRepair(std::vector<std::uint8_t>&, std::uint64_t) {}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // In memory of exactly this size, so that a byte too far is noticed.
  const std::vector<std::uint8_t> bytes(data, data + size);
  const auto file = read_jpeg_file(bytes);
  if (!file || file->height * file->width > most_pixels) return 0;
  for (const std::size_t channels : {std::size_t{1}, std::size_t{3}}) {
    std::vector<std::uint8_t> pixels(file->height * file->width * channels, before), again = pixels;
    const bool known = decode_jpeg(bytes, file->height, file->width, channels, pixels);
    HOLDS(known == decode_jpeg(bytes, file->height, file->width, channels, again));
    HOLDS(!known || pixels == again);
    const JpegPart part{file->height / 3, file->width / 3, file->height - file->height / 3,
                        file->width / 2};
    std::vector<std::uint8_t> inside(part.height * part.width * channels);
    if (part.width > 0) decode_jpeg_part(bytes, part, channels, inside);
  }
  std::vector<std::uint8_t> other((file->height + 1) * file->width);
  HOLDS(!decode_jpeg(bytes, file->height + 1, file->width, 1, other));
  return 0;
}
