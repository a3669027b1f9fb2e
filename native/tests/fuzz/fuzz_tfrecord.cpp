// fuzz_tfrecord: finding, checking, copying and making frames, on any bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "core/crc32c.h"
#include "core/tfrecord.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;
using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int64_t>;

// Taken in two goes, with room for some of them at first, they are the same.
void check_take(std::span<const std::uint8_t> data, std::size_t start, const FrameScan& found,
                const Bytes& records, const Numbers& offsets) {
  Bytes out(records.size());
  Numbers ends(offsets.size(), -1);
  ends[0] = 0;
  const std::size_t half = offsets.size() / 2 + 1, room = records.size() / 2;
  const auto first = take_records(data, start, std::span(out).first(room),
                                  std::span(ends).first(std::min(half, ends.size())), 0);
  HOLDS(first.count < half && first.at <= data.size() && first.needed >= 12);
  const auto rest = take_records(data, first.at, out, ends, first.count);
  HOLDS(out == records && ends == offsets && rest.count + 1 == offsets.size());
  HOLDS(static_cast<std::int64_t>(rest.at) == found.bounds.back());
  Bytes much(data.size());
  Numbers many(data.size() + 1);
  const auto all = take_records(data, start, much, many, 0);
  HOLDS(all.count >= rest.count && all.needed >= 12);
  HOLDS(std::equal(offsets.begin(), offsets.end(), many.begin()));
  // And in the memory of the frames.
  Bytes inside(data.begin(), data.end());
  many[0] = static_cast<std::int64_t>(start);
  const auto same = take_records(inside, start, inside, many, 0);
  HOLDS(same.count == all.count && same.at == all.at && same.damage == all.damage);
  HOLDS(std::equal(records.begin(), records.end(), inside.begin() + many[0]));
}

void check_scan(std::span<const std::uint8_t> data, std::size_t start, std::size_t most,
                bool checks) {
  const FrameScan found = scan_frames(data, start, most, checks);
  const Numbers& bounds = found.bounds;
  HOLDS(bounds.front() == static_cast<std::int64_t>(start));
  HOLDS(bounds.size() - 1 <= most && bounds.back() <= static_cast<std::int64_t>(data.size()));
  HOLDS(found.needed >= 12 && (checks || found.damage != Damage::data));
  const Numbers starts(bounds.begin(), bounds.end() - 1), stops(bounds.begin() + 1, bounds.end());
  if (checks) HOLDS(first_damaged(data, starts, stops) == -1);
  Bytes records(records_size(data, starts, stops));
  Numbers offsets(bounds.size());
  copy_records(data, starts, stops, records, offsets);
  if (!checks) return;
  check_take(data, start, found, records, offsets);
  // In their frames again, they are what they were.
  Bytes framed(framed_size(records, offsets));
  frame_records(records, offsets, framed);
  HOLDS(std::equal(framed.begin(), framed.end(), data.begin() + bounds.front(),
                   data.begin() + bounds.back()));
  // Less data shows the same frames, as far as it goes.
  const FrameScan part = scan_frames(data.first(start + (data.size() - start) / 2), start, most, true);
  HOLDS(part.bounds.size() <= bounds.size());
  HOLDS(std::equal(part.bounds.begin(), part.bounds.end(), bounds.begin()));
}

// Bounds that nobody checked, made of the bytes themselves.
void check_any_bounds(std::span<const std::uint8_t> data) {
  Numbers numbers(std::min<std::size_t>(data.size() / 8, 6));
  if (!numbers.empty()) std::memcpy(numbers.data(), data.data(), numbers.size() * 8);
  for (auto& number : numbers)
    if (number & 1) number = (number >> 1) % static_cast<std::int64_t>(data.size() + 20);
  const std::size_t half = numbers.size() / 2;
  const std::span<const std::int64_t> all(numbers);
  try {
    Bytes records(records_size(data, all.first(half), all.subspan(half, half)));
    Numbers offsets(half + 1);
    copy_records(data, all.first(half), all.subspan(half, half), records, offsets);
    first_damaged(data, all.first(half), all.subspan(half, half));
  } catch (const std::invalid_argument&) {
  }
  try {
    Bytes framed(framed_size(data, all));
    frame_records(data, all, framed);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  // The first two bytes say how to look at the rest.
  const std::span<const std::uint8_t> data(bytes + 2, size - 2);
  const std::size_t start = std::min<std::size_t>(bytes[0] & 31, data.size());
  const std::size_t most = bytes[1] == 255 ? ~std::size_t{0} : bytes[1];
  HOLDS(crc32c(data) == crc32c_by_table(data));
  check_scan(data, start, most, true);
  check_scan(data, start, most, false);
  check_any_bounds(data);
  return 0;
}

void FuzzRepair(Bytes& input, std::uint64_t random) {
  if (input.size() < 2) return;
  const auto put = [&](std::size_t at, std::uint32_t number) {
    for (std::size_t i = 0; i < 4; ++i) input[at + i] = static_cast<std::uint8_t>(number >> 8 * i);
  };
  std::size_t at = 2 + std::min<std::size_t>(input[0] & 31, input.size() - 2);
  for (; at + 16 <= input.size(); random = random >> 3 | random << 61) {
    const std::size_t left = input.size() - at - 16;
    // Now and then a length that fits, one that is a little too long, or what stands there.
    std::uint64_t length = 0;
    std::memcpy(&length, &input[at], 8);
    if (random & 1) length = std::min<std::uint64_t>(length % 300, left + (random >> 5 & 3));
    std::memcpy(&input[at], &length, 8);
    put(at + 8, masked(crc32c({&input[at], 8})));
    if (length > left) return;
    const auto size = static_cast<std::size_t>(length);
    if (random & 6) put(at + 12 + size, masked(crc32c({&input[at + 12], size})));
    at += size + 16;
  }
}
