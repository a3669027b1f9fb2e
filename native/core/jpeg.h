// jpeg: the pixels of a JPEG of the kind that is by far the most frequent (jpeg_file.h), with the
// values of libjpeg-turbo's fast transform and smooth colours.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// Writes height * width * channels bytes. False, perhaps with something written, if the JPEG is of
// another kind or another size, if anything is not right with it, or where this machine cannot do
// it: then another decoder must.
bool decode_jpeg(std::span<const std::uint8_t> bytes, std::size_t height, std::size_t width,
                 std::size_t channels, std::span<std::uint8_t> out);

// Where in an image its part lies.
struct JpegPart {
  std::size_t top = 0, left = 0, height = 0, width = 0;
};

// The same of a part, as libjpeg-turbo decodes one: from whole units of the scan on, and smoothed
// without the colours on either side of what is decoded. False for a part that is not in the image.
bool decode_jpeg_part(std::span<const std::uint8_t> bytes, const JpegPart& part,
                      std::size_t channels, std::span<std::uint8_t> out);

}  // namespace feedline
