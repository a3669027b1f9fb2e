// lines: the lines of a chunk of text, as in feedline/kernels/split_lines.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace feedline {

// Writes the lines of `data` one after the other to `out`, which must be as long as `data`,
// without their ends and without any carriage return. Returns how many bytes were used: all up
// to the last end of a line, or all if `is_final`. `offsets` gets where each line begins in
// `out`, and where the last one ends.
std::size_t split_lines(std::span<const std::uint8_t> data, bool is_final,
                        std::span<std::uint8_t> out, std::vector<std::int64_t>& offsets);

}  // namespace feedline
