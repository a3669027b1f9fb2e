#include "core/tfrecord.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/check.h"
#include "core/crc32c.h"

namespace feedline {
namespace {

constexpr std::size_t header = 12, footer = 4, frame = header + footer;
constexpr std::uint64_t longest = std::numeric_limits<std::int64_t>::max() - frame;

std::uint64_t number_at(std::span<const std::uint8_t> bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) number = number << 8 | bytes[i - 1];
  return number;
}

std::uint8_t* put(std::uint8_t* out, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) *out++ = static_cast<std::uint8_t>(number >> (8 * i));
  return out;
}

bool fits(std::span<const std::uint8_t> data, std::span<const std::uint8_t> stored) {
  return masked(crc32c(data)) == number_at(stored);
}

// The bytes of frame i. No sum here can overflow: bounds are compared before.
std::span<const std::uint8_t> frame_at(std::span<const std::uint8_t> data, std::int64_t start,
                                       std::int64_t stop) {
  check(start >= 0 && stop >= start && static_cast<std::uint64_t>(stop) <= data.size() &&
            static_cast<std::uint64_t>(stop - start) >= frame,
        "bounds must be those of frames inside the data");
  return data.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(stop - start));
}

std::span<const std::uint8_t> record_of(std::span<const std::uint8_t> whole) {
  return whole.subspan(header, whole.size() - frame);
}

}  // namespace

FrameScan scan_frames(std::span<const std::uint8_t> data, std::size_t start, std::size_t most,
                      bool checks_data) {
  check(start <= data.size(), "start must be inside the data");
  FrameScan found;
  // No more than fit: what was asked for may be anything.
  found.bounds.reserve(std::min(most, std::min<std::size_t>((data.size() - start) / frame, 4096)) +
                       1);
  found.bounds.push_back(static_cast<std::int64_t>(start));
  std::size_t at = start;
  found.needed = header;
  while (found.bounds.size() <= most) {
    const std::size_t left = data.size() - at;
    if (left < header) break;
    const auto length_bytes = data.subspan(at, 8);
    if (!fits(length_bytes, data.subspan(at + 8, 4))) {
      found.damage = Damage::length;
      break;
    }
    const std::uint64_t length = number_at(length_bytes);
    found.needed = static_cast<std::int64_t>(std::min(length, longest) + frame);
    if (left < frame || length > left - frame) break;
    const std::size_t size = static_cast<std::size_t>(length);
    if (checks_data &&
        !fits(data.subspan(at + header, size), data.subspan(at + header + size, footer))) {
      found.damage = Damage::data;
      break;
    }
    at += size + frame;
    found.bounds.push_back(static_cast<std::int64_t>(at));
    found.needed = header;
  }
  return found;
}

std::int64_t first_damaged(std::span<const std::uint8_t> data,
                           std::span<const std::int64_t> starts,
                           std::span<const std::int64_t> stops) {
  check_same_length(starts, stops);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto whole = frame_at(data, starts[i], stops[i]);
    if (!fits(whole.first(8), whole.subspan(8, 4)) ||
        number_at(whole.first(8)) != whole.size() - frame ||
        !fits(record_of(whole), whole.last(footer)))
      return static_cast<std::int64_t>(i);
  }
  return -1;
}

std::size_t records_size(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                         std::span<const std::int64_t> stops) {
  check_same_length(starts, stops);
  std::size_t size = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t more = frame_at(data, starts[i], stops[i]).size() - frame;
    check(more <= longest - size, "the result is larger than memory can be");
    size += more;
  }
  return size;
}

void copy_records(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                  std::span<const std::int64_t> stops, std::span<std::uint8_t> out,
                  std::span<std::int64_t> offsets) {
  check(out.size() == records_size(data, starts, stops), "the output has another length");
  check(offsets.size() == starts.size() + 1, "there must be one more offset than records");
  std::size_t at = 0;
  offsets[0] = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto record = record_of(frame_at(data, starts[i], stops[i]));
    if (!record.empty()) std::memcpy(out.data() + at, record.data(), record.size());
    at += record.size();
    offsets[i + 1] = static_cast<std::int64_t>(at);
  }
}

std::size_t framed_size(std::span<const std::uint8_t> data,
                        std::span<const std::int64_t> offsets) {
  check(!offsets.empty(), "offsets must hold at least one number");
  check(offsets[0] >= 0 && offsets.back() >= 0 &&
            static_cast<std::uint64_t>(offsets.back()) <= data.size(),
        "offsets must be inside the data");
  for (std::size_t i = 1; i < offsets.size(); ++i)
    check(offsets[i] >= offsets[i - 1], "offsets must rise");
  const std::size_t count = offsets.size() - 1;
  const std::size_t size = static_cast<std::size_t>(offsets.back() - offsets[0]);
  check(count <= (longest - size) / frame, "the result is larger than memory can be");
  return size + count * frame;
}

void frame_records(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                   std::span<std::uint8_t> out) {
  check(out.size() == framed_size(data, offsets), "the output has another length");
  std::uint8_t* to = out.data();
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    const auto record = data.subspan(static_cast<std::size_t>(offsets[i - 1]),
                                     static_cast<std::size_t>(offsets[i] - offsets[i - 1]));
    std::uint8_t* const length = to;
    to = put(to, record.size(), 8);
    to = put(to, masked(crc32c({length, 8})), 4);
    if (!record.empty()) std::memcpy(to, record.data(), record.size());
    to = put(to + record.size(), masked(crc32c(record)), 4);
  }
}

}  // namespace feedline
