#include "core/tfrecord.h"

#include <algorithm>
#include <array>
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

// What stands at the beginning of some data.
struct Next {
  bool is_whole = false;  // a frame with a sound length
  Damage damage = Damage::none;
  std::int64_t needed = header;  // how long the frame is, as far as known
};

inline Next next_frame(std::span<const std::uint8_t> data) {
  Next next;
  if (data.size() < header) return next;
  if (!fits(data.first(8), data.subspan(8, 4))) {
    next.damage = Damage::length;
    return next;
  }
  const std::uint64_t length = number_at(data.first(8));
  next.needed = static_cast<std::int64_t>(std::min(length, longest) + frame);
  next.is_whole = data.size() >= frame && length <= data.size() - frame;
  return next;
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
    const Next next = next_frame(data.subspan(at));
    found.damage = next.damage;
    found.needed = next.needed;
    if (!next.is_whole) break;
    const auto whole = data.subspan(at, static_cast<std::size_t>(next.needed));
    if (checks_data && !fits(record_of(whole), whole.last(footer))) {
      found.damage = Damage::data;
      break;
    }
    at += whole.size();
    found.bounds.push_back(static_cast<std::int64_t>(at));
    found.needed = header;
  }
  return found;
}

TakenRecords take_records(std::span<const std::uint8_t> data, std::size_t start,
                          std::span<std::uint8_t> out, std::span<std::int64_t> offsets,
                          std::size_t count) {
  check(start <= data.size(), "start must be inside the data");
  check(count < offsets.size(), "there must be one more offset than records");
  check(offsets[count] >= 0 && static_cast<std::uint64_t>(offsets[count]) <= out.size(),
        "offsets must be inside the output");
  TakenRecords found{count, start, Damage::none, header};
  auto to = static_cast<std::size_t>(offsets[count]);
  for (;;) {
    // Three checksums at once take little longer than one.
    std::array<std::span<const std::uint8_t>, 3> records;
    std::size_t ready = 0, at = found.at, room = out.size() - to;
    Next next;
    while (ready < records.size() && found.count + ready + 1 < offsets.size()) {
      next = next_frame(data.subspan(at));
      if (!next.is_whole || static_cast<std::size_t>(next.needed) - frame > room) break;
      records[ready] = record_of(data.subspan(at, static_cast<std::size_t>(next.needed)));
      room -= records[ready].size();
      at += static_cast<std::size_t>(next.needed);
      ++ready;
    }
    if (ready == 0) {
      found.damage = next.damage;
      found.needed = next.needed;
      return found;
    }
    const auto checksums = crc32c_of_three(records);
    for (std::size_t i = 0; i < ready; ++i) {
      const auto record = records[i];
      if (masked(checksums[i]) != number_at({record.data() + record.size(), footer})) {
        found.damage = Damage::data;
        found.needed = static_cast<std::int64_t>(record.size() + frame);
        return found;
      }
      if (!record.empty()) std::memmove(out.data() + to, record.data(), record.size());
      to += record.size();
      offsets[++found.count] = static_cast<std::int64_t>(to);
      found.at += record.size() + frame;
    }
  }
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
