// wire: protobuf's wire format. No length in it is believed: every read is checked against
// the end of what there is, and a failed read says where it began.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace feedline {

enum Wire : std::uint32_t { varint = 0, fixed64 = 1, delimited = 2, group = 3, end_group = 4,
                            fixed32 = 5 };

// Part of a message: its bytes from `at` to `end`.
struct Span {
  const std::uint8_t* at = nullptr;
  const std::uint8_t* end = nullptr;

  std::size_t size() const { return static_cast<std::size_t>(end - at); }
  bool empty() const { return at == end; }
};

constexpr std::uint32_t tag_of(std::uint32_t number, Wire wire) { return number << 3 | wire; }

// One field: its number and wire type, in one, and what it holds. `value` is a varint's 64 bits.
struct Field {
  std::uint32_t tag = 0;
  std::uint64_t value = 0;
  Span bytes;
};

// What is wrong with a message, and where.
struct Broken {
  const std::uint8_t* at;
  const char* what;
};

// How deep groups may nest: as deep as protobuf's own parsers go.
constexpr int most_groups = 100;

// Reads a varint of up to ten bytes; bits beyond 64 are dropped, as protobuf does.
inline std::uint64_t read_varint(Span& span) {
  const std::uint8_t* const start = span.at;
  if (span.at < span.end && *span.at < 0x80) [[likely]] return *span.at++;
  std::uint64_t found = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (span.at == span.end) throw Broken{start, "a number is cut short"};
    const std::uint64_t byte = *span.at++;
    found |= (byte & 0x7f) << shift;
    if (byte < 0x80) return found;
  }
  throw Broken{start, "a number has more than ten bytes"};
}

// Reads the bytes after a length.
inline Span read_delimited(Span& span) {
  const std::uint8_t* const start = span.at;
  const std::uint64_t length = read_varint(span);
  if (length > span.size()) throw Broken{start, "more bytes are announced than are left"};
  const Span found{span.at, span.at + length};
  span.at = found.end;
  return found;
}

inline Span read_bytes(Span& span, std::size_t count) {
  if (count > span.size()) throw Broken{span.at, "fewer bytes are left than are needed"};
  const Span found{span.at, span.at + count};
  span.at = found.end;
  return found;
}

// Any field at all: what next_field() does where it is not told at a glance.
bool next_of_any_kind(Span& span, Field& field);

// Reads the next field of a message; goes past groups, which no message here has. False at the
// end.
inline bool next_field(Span& span, Field& field) {
  // Nearly all fields are a number below 16 and up to 127 bytes.
  if (span.size() >= 2) [[likely]] {
    const std::uint8_t tag = span.at[0], length = span.at[1];
    if ((tag & 0x87) == delimited && tag >= 8 && length < 0x80 &&
        length <= span.size() - 2) [[likely]] {
      field.tag = tag;
      field.bytes = {span.at + 2, span.at + 2 + length};
      span.at = field.bytes.end;
      return true;
    }
  }
  if (span.empty()) return false;
  // Copies, so that what the callers hold can stay in registers.
  Span rest = span;
  Field found;
  const bool is_there = next_of_any_kind(rest, found);
  span = rest;
  field = found;
  return is_there;
}

// The bytes of field `number` if they are all there is in a message, and few: most messages in
// records are like that. `at` is null otherwise.
inline Span only_field(Span message, std::uint8_t number) {
  const std::size_t size = message.size();
  if (size < 2 || size > 0x7f + 2 || message.at[0] != tag_of(number, delimited) ||
      message.at[1] != size - 2) {
    return {};
  }
  return {message.at + 2, message.end};
}

inline float read_float(const std::uint8_t* at) {
  std::uint32_t bits;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&bits, at, 4);
  } else {
    bits = std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 |
           std::uint32_t{at[3]} << 24;
  }
  return std::bit_cast<float>(bits);
}

}  // namespace feedline
