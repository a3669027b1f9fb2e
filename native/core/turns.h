// turns: texts of several columns in the order of their turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace feedline {

// Text i is data[offsets[i]:offsets[i + 1]].
struct Texts {
  std::span<const std::uint8_t> data;
  std::span<const std::int64_t> offsets;
};

// Every one of `parts` gives `length` texts, then every one the next, and so on. Writes where
// each of them begins and the last ends: one more than there are texts. Throws
// std::invalid_argument if the parts have not equally many, in whole turns, or a text is not
// inside its data.
void turns_offsets(std::span<const Texts> parts, std::size_t length,
                   std::span<std::int64_t> out_offsets);

// Writes the texts, to where turns_offsets() said.
void copy_turns(std::span<const Texts> parts, std::size_t length,
                std::span<const std::int64_t> out_offsets, std::span<std::uint8_t> out);

}  // namespace feedline
