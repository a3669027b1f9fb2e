// jpeg_codes: the numbers of a JPEG's blocks out of their Huffman codes.
//
// A code and the bits of the number after it are looked up together, and often those of the next
// number with them, so that most blocks take fewer looks at a table than they have numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/jpeg_file.h"

namespace feedline {

// Where the numbers of a block, in the order in which they are stored, belong in its rows: along the
// diagonals, up and down in turn. A place after the last is the last one.
inline constexpr auto jpeg_places = [] {
  std::array<std::uint8_t, 64 + 16 + 128> found{};
  std::size_t at = 0;
  for (int sum = 0; sum < 15; ++sum) {
    for (int i = 0; i <= sum; ++i) {
      const int row = sum % 2 == 0 ? sum - i : i, column = sum - row;
      if (row < 8 && column < 8) found[at++] = static_cast<std::uint8_t>(8 * row + column);
    }
  }
  for (; at < found.size(); ++at) found[at] = 63;
  return found;
}();

class JpegTable {
 public:
  static constexpr unsigned ahead = 11;  // bits that are looked up at once
  enum : std::uint8_t { longer_number = 0x40, longer_code = 0x80 };

  struct Entry {
    std::int16_t value;   // the number; how many bits it has if it is longer
    std::uint8_t skip;    // how many places on the next number is
    std::uint8_t length;  // of code and number, or of the code and one of the marks above
    // The number after it; the same once more, and no place on, if that is not known.
    std::int16_t second;
    std::uint8_t second_skip;
    std::uint8_t both_length;
  };

  // A place no block has: after the last number that is not zero.
  static constexpr std::uint8_t end_of_block = 128;

  JpegTable(const JpegCode& code, bool is_dc);

  bool is_of(const JpegCode& code, bool is_dc) const { return is_dc_ == is_dc && code_ == code; }

  // What the next bits stand for: its length is 0 if that is nothing.
  Entry next(std::uint64_t bits) const {
    const Entry entry = entries_[bits >> (64 - ahead)];
    return entry.length <= ahead ? entry : rest_of(bits, entry);
  }

 private:
  Entry entry_of(std::uint8_t symbol, unsigned length) const;
  void add_seconds();
  Entry find(std::uint64_t bits) const;
  Entry rest_of(std::uint64_t bits, Entry entry) const;

  std::array<Entry, std::size_t{1} << ahead> entries_;
  // Of codes by length: one more than the last, filled up to 16 bits, and where the first's symbol
  // would be if it were zero.
  std::array<std::uint32_t, 18> stops_{};
  std::array<std::int32_t, 17> firsts_{};
  JpegCode code_;
  bool is_dc_ = false;
};

// Bits of one stretch of a scan, from the highest on.
class JpegBits {
 public:
  // `bytes`: without what marks take, and with `slack` zeros after them, which is more than the
  // blocks of one unit can take.
  static constexpr std::size_t slack = 2048;
  JpegBits(const std::uint8_t* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}

  enum class Block { broken, flat, varied };

  // Reads a block into `numbers`, which are zeros. In a flat one they are all zeros but the first.
  Block read(const JpegTable& dc, const JpegTable& ac, std::uint32_t& last_dc, std::int16_t* numbers);

  // Whether nothing was read that is not there, and whether less than a byte is left.
  bool is_inside() const { return at_ - have_ / 8 <= end_; }
  bool is_at_end() const {
    return is_inside() && 8 * (end_ - at_) + static_cast<std::ptrdiff_t>(have_) < 8;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint64_t bits_ = 0;
  unsigned have_ = 0;
};

}  // namespace feedline
