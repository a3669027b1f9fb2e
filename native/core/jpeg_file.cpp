#include "core/jpeg_file.h"

#include <algorithm>
#include <cstring>

namespace feedline {
namespace {

enum Marker : std::uint8_t {
  start_of_frame = 0xc0,
  start_of_longer_frame = 0xc1,
  codes = 0xc4,
  first_restart = 0xd0,
  last_restart = 0xd7,
  start_of_image = 0xd8,
  end_of_image = 0xd9,
  start_of_scan = 0xda,
  quantities = 0xdb,
  restart_interval = 0xdd,
  first_application = 0xe0,
  jfif = 0xe0,
  adobe = 0xee,
  last_application = 0xef,
  comment = 0xfe,
};

using Bytes = std::span<const std::uint8_t>;

std::size_t two_bytes(Bytes bytes, std::size_t at) {
  return static_cast<std::size_t>(bytes[at]) << 8 | bytes[at + 1];
}

class Header {
 public:
  std::optional<JpegFile> read(Bytes bytes) {
    if (bytes.size() < 4 || bytes[0] != 0xff || bytes[1] != start_of_image) return std::nullopt;
    std::size_t at = 2;
    for (;;) {
      if (at + 4 > bytes.size() || bytes[at] != 0xff) return std::nullopt;
      const std::uint8_t marker = bytes[at + 1];
      const std::size_t length = two_bytes(bytes, at + 2);
      if (length < 2 || length > bytes.size() - at - 2) return std::nullopt;
      const Bytes part = bytes.subspan(at + 4, length - 2);
      at += 2 + length;
      if (marker == start_of_scan) {
        if (!read_scan(part) || !find_end(bytes.subspan(at))) return std::nullopt;
        return file_;
      }
      if (!read_part(marker, part)) return std::nullopt;
    }
  }

 private:
  bool read_part(std::uint8_t marker, Bytes part) {
    switch (marker) {
      case start_of_frame:
      case start_of_longer_frame:
        return read_frame(part);
      case codes:
        return read_codes(part);
      case quantities:
        return read_quantities(part);
      case restart_interval:
        if (part.size() != 2) return false;
        file_.restart = two_bytes(part, 0);
        return true;
      case adobe:
        // Its last byte says whether colours are YCbCr.
        if (part.size() >= 12 && std::memcmp(part.data(), "Adobe", 5) == 0) return part[11] == 1;
        return true;
      case jfif:
        if (part.size() < 14 || std::memcmp(part.data(), "JFIF", 5) != 0) return true;
        has_jfif_ = true;
        return part[5] == 1;  // no other version is known
      default:
        return (first_application <= marker && marker <= last_application) || marker == comment;
    }
  }

  bool read_frame(Bytes part) {
    if (file_.count != 0 || part.size() < 6 || part[0] != 8) return false;
    file_.height = two_bytes(part, 1);
    file_.width = two_bytes(part, 3);
    file_.count = part[5];
    if (file_.height == 0 || file_.width == 0 || (file_.count != 1 && file_.count != 3))
      return false;
    if (part.size() != 6 + 3 * file_.count) return false;
    for (std::size_t i = 0; i < file_.count; ++i) {
      JpegComponent& one = file_.components[i];
      names_[i] = part[6 + 3 * i];
      one.wide = part[7 + 3 * i] >> 4;
      one.high = part[7 + 3 * i] & 15;
      one.quantities = part[8 + 3 * i];
      if (one.quantities > 3) return false;
    }
    const auto& [first, second, third] = file_.components;
    if (file_.count == 1) {
      // The size of the only component is that of the image.
      if (first.wide < 1 || first.wide > 4 || first.high < 1 || first.high > 4) return false;
      file_.components[0].wide = file_.components[0].high = 1;
      return true;
    }
    const bool is_known = (first.wide == 1 && first.high == 1) || (first.wide == 2 && first.high < 3);
    return is_known && first.high > 0 && second.wide == 1 && second.high == 1 &&
           third.wide == 1 && third.high == 1;
  }

  bool read_codes(Bytes part) {
    while (!part.empty()) {
      if (part.size() < 17) return false;
      const std::size_t number = part[0] & 15, kind = part[0] >> 4;
      if (number > 3 || kind > 1) return false;
      JpegCode code;
      // So many codes of a length are possible, those left over by shorter ones.
      std::size_t left = 1;
      for (std::size_t length = 1; length <= 16; ++length) {
        code.counts[length] = part[length];
        code.size += part[length];
        left *= 2;
        if (part[length] > left) return false;
        left -= part[length];
      }
      // A code of ones alone is none.
      if (left == 0 || code.size > 256 || part.size() - 17 < code.size) return false;
      const Bytes symbols = part.subspan(17, code.size);
      // No first number of a block has as many bits.
      if (kind == 0 && std::ranges::any_of(symbols, [](auto symbol) { return symbol > 15; }))
        return false;
      std::ranges::copy(symbols, code.symbols.begin());
      (kind == 0 ? file_.dc : file_.ac)[number] = code;
      part = part.subspan(17 + code.size);
    }
    return true;
  }

  bool read_quantities(Bytes part) {
    while (!part.empty()) {
      if (part.size() < 65 || part[0] > 3) return false;
      std::copy_n(part.begin() + 1, 64, file_.quantities[part[0]].begin());
      has_quantities_[part[0]] = true;
      part = part.subspan(65);
    }
    return true;
  }

  bool read_scan(Bytes part) {
    const std::size_t count = file_.count;
    if (count == 0 || part.size() != 4 + 2 * count || part[0] != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      JpegComponent& one = file_.components[i];
      one.dc = part[2 + 2 * i] >> 4;
      one.ac = part[2 + 2 * i] & 15;
      if (part[1 + 2 * i] != names_[i] || one.dc > 3 || one.ac > 3) return false;
      if (!has_quantities_[one.quantities]) return false;
      if (file_.dc[one.dc].size == 0 || file_.ac[one.ac].size == 0) return false;
    }
    // Without a word on the colours, names tell them.
    if (count == 3 && !has_jfif_ && (names_[0] != 1 || names_[1] != 2 || names_[2] != 3))
      return false;
    const Bytes rest = part.subspan(1 + 2 * count);
    return rest[0] == 0 && rest[1] == 63 && rest[2] == 0;
  }

  // The scan lasts up to the next mark that is not a part of it: which must be the last.
  bool find_end(Bytes rest) {
    for (std::size_t at = 0;; ++at) {
      const void* found = at < rest.size() ? std::memchr(&rest[at], 0xff, rest.size() - at) : nullptr;
      if (found == nullptr) return false;
      at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - rest.data());
      if (at + 1 == rest.size()) return false;
      const std::uint8_t next = rest[++at];
      if (next == 0 || (first_restart <= next && next <= last_restart)) continue;
      file_.scan = rest.first(at - 1);
      return next == end_of_image;
    }
  }

  JpegFile file_;
  std::array<std::uint8_t, 3> names_{};
  std::array<bool, 4> has_quantities_{};
  bool has_jfif_ = false;
};

}  // namespace

std::optional<JpegFile> read_jpeg_file(Bytes bytes) { return Header().read(bytes); }

}  // namespace feedline
