#include "core/lines.h"

#include <cstring>

#include "core/check.h"

namespace feedline {
namespace {

const std::uint8_t* find(const std::uint8_t* from, const std::uint8_t* end, int wanted) {
  const void* found = from == end ? nullptr
                                  : std::memchr(from, wanted, static_cast<std::size_t>(end - from));
  return found == nullptr ? end : static_cast<const std::uint8_t*>(found);
}

std::uint8_t* copy(const std::uint8_t* from, const std::uint8_t* end, std::uint8_t* to) {
  const auto count = static_cast<std::size_t>(end - from);
  if (count != 0) std::memcpy(to, from, count);
  return to + count;
}

std::uint8_t* copy_without_returns(const std::uint8_t* from, const std::uint8_t* end,
                                   std::uint8_t* to) {
  while (from != end) {
    const std::uint8_t* stop = find(from, end, '\r');
    to = copy(from, stop, to);
    from = stop == end ? end : stop + 1;
  }
  return to;
}

}  // namespace

std::size_t split_lines(std::span<const std::uint8_t> data, bool is_final,
                        std::span<std::uint8_t> out, std::vector<std::int64_t>& offsets) {
  check(out.size() >= data.size(), "the output must be as long as the input");
  offsets.assign(1, 0);
  if (data.empty()) return 0;
  const std::uint8_t* const begin = data.data();
  const std::uint8_t* const end = begin + data.size();
  // One search for the whole chunk: text without carriage returns need not look for them again.
  const bool has_returns = find(begin, end, '\r') != end;
  std::uint8_t* to = out.data();
  const std::uint8_t* at = begin;
  while (at != end) {
    const std::uint8_t* stop = find(at, end, '\n');
    if (stop == end && !is_final) break;
    to = has_returns ? copy_without_returns(at, stop, to) : copy(at, stop, to);
    const std::int64_t place = to - out.data();
    if (stop == end) {
      // A last line without an end is none if nothing is left of it.
      if (place != offsets.back()) offsets.push_back(place);
      at = end;
    } else {
      offsets.push_back(place);
      at = stop + 1;
    }
  }
  return static_cast<std::size_t>(at - begin);
}

}  // namespace feedline
