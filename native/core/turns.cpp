#include "core/turns.h"

#include <cstring>

#include "core/check.h"

namespace feedline {
namespace {

std::size_t count_texts(const Texts& part) {
  check(!part.offsets.empty(), "offsets must hold at least one number");
  return part.offsets.size() - 1;
}

// Calls `use` for each text in its turn: with its bytes, and its place in the result.
// What is read of the offsets is checked as it is read: another thread may change them.
template <class Use>
void each_turn(std::span<const Texts> parts, std::size_t length, const Use& use) {
  check(!parts.empty() && length > 0, "there must be parts, and turns of at least one text");
  const std::size_t count = count_texts(parts.front());
  check(count % length == 0, "the texts of a part must be whole turns");
  for (const Texts& part : parts)
    check(count_texts(part) == count, "the parts must have equally many texts");
  std::size_t place = 0;
  for (std::size_t turn = 0; turn < count; turn += length) {
    for (const Texts& part : parts) {
      for (std::size_t i = turn; i < turn + length; ++i) {
        const std::int64_t start = part.offsets[i], stop = part.offsets[i + 1];
        check(0 <= start && start <= stop && static_cast<std::size_t>(stop) <= part.data.size(),
              "offsets must rise from 0 to at most the number of bytes");
        use(part.data.subspan(static_cast<std::size_t>(start),
                              static_cast<std::size_t>(stop - start)),
            place++);
      }
    }
  }
}

}  // namespace

void turns_offsets(std::span<const Texts> parts, std::size_t length,
                   std::span<std::int64_t> out_offsets) {
  std::int64_t total = 0;
  each_turn(parts, length, [&](std::span<const std::uint8_t> text, std::size_t place) {
    check(place < out_offsets.size(), "there must be one more offset than texts");
    out_offsets[place] = total;
    // Texts may overlap, so that together they are more than memory holds.
    check(text.size() <= static_cast<std::size_t>(INT64_MAX - total), "the texts are too long");
    total += static_cast<std::int64_t>(text.size());
  });
  const std::size_t count = parts.size() * count_texts(parts.front());
  check(out_offsets.size() == count + 1, "there must be one more offset than texts");
  out_offsets[count] = total;
}

void copy_turns(std::span<const Texts> parts, std::size_t length,
                std::span<const std::int64_t> out_offsets, std::span<std::uint8_t> out) {
  each_turn(parts, length, [&](std::span<const std::uint8_t> text, std::size_t place) {
    check(place < out_offsets.size(), "there must be one more offset than texts");
    const auto start = static_cast<std::size_t>(out_offsets[place]);
    check(start <= out.size() && text.size() <= out.size() - start,
          "the texts must fit where they are copied to");
    if (!text.empty()) std::memcpy(out.data() + start, text.data(), text.size());
  });
}

}  // namespace feedline
