// jpeg_file: what stands in a JPEG before and around its pixels.
//
// Known are the JPEGs that cameras and programs write by far the most: baseline, one scan, grey or
// YCbCr with colours at full size, at half the width, or at half of both. Of anything else, and of
// anything that is not quite right, it is only said that it is not known: another decoder tells
// what it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace feedline {

// A code of Huffman's as it is written: how many codes there are of each length, and what each
// stands for, in their order.
struct JpegCode {
  std::array<std::uint8_t, 17> counts{};
  std::array<std::uint8_t, 256> symbols{};
  std::size_t size = 0;

  bool operator==(const JpegCode&) const = default;
};

struct JpegComponent {
  std::size_t wide = 1, high = 1;  // blocks in each unit of the scan
  std::size_t quantities = 0, dc = 0, ac = 0;  // numbers of tables
};

struct JpegFile {
  std::size_t height = 0, width = 0;
  std::size_t count = 0;  // of components: 1 or 3
  std::array<JpegComponent, 3> components{};
  // Tables by their numbers; in the order in which numbers are stored.
  std::array<std::array<std::uint8_t, 64>, 4> quantities{};
  std::array<JpegCode, 4> dc{}, ac{};
  std::size_t restart = 0;  // after so many units; 0 for never
  std::span<const std::uint8_t> scan;
};

// The header of a JPEG of the known kind, with all tables that its components ask for, up to the
// mark at its end.
std::optional<JpegFile> read_jpeg_file(std::span<const std::uint8_t> bytes);

}  // namespace feedline
