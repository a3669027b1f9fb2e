// crc32c: the Castagnoli checksum, as TFRecord files use it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace feedline {

// The checksum of `data`, by the processor's own instruction where it has one.
std::uint32_t crc32c(std::span<const std::uint8_t> data);

// The checksums of three pieces of data, side by side where that is quicker.
std::array<std::uint32_t, 3> crc32c_of_three(
    const std::array<std::span<const std::uint8_t>, 3>& data);

// The same as the first by tables: what runs elsewhere.
std::uint32_t crc32c_by_table(std::span<const std::uint8_t> data);

// A checksum as it is stored beside what it is of: the checksum of data that holds
// checksums would say little.
constexpr std::uint32_t masked(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

}  // namespace feedline
