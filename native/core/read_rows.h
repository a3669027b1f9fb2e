// read_rows: rows of one length that lie anywhere in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace feedline {

// Reads `row_bytes` from each of `starts` into `out`, one row after the other. Returns how many rows
// are whole: fewer than asked for if the file ends before, or cannot be read.
std::size_t read_rows(int file, std::span<const std::int64_t> starts, std::size_t row_bytes,
                      std::span<std::uint8_t> out);

}  // namespace feedline
