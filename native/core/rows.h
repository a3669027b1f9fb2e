// rows: copying rows of bytes about. A row is one element of a column, of any dtype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace feedline {

// Value i of a ragged column is rows splits[i] to splits[i + 1] of `num_rows`. Writes the
// splits of the values at `index`: one more than index. Throws std::out_of_range if there is
// no such value, std::invalid_argument if its rows are not among num_rows.
void ragged_splits(std::int64_t num_rows, std::span<const std::int64_t> splits,
                   std::span<const std::int64_t> index, std::span<std::int64_t> out_splits);

// Writes the rows of the values at `index`, of which ragged_splits() gave the lengths.
void ragged_take(std::span<const std::uint8_t> rows, std::size_t row_bytes,
                 std::span<const std::int64_t> splits, std::span<const std::int64_t> index,
                 std::span<std::uint8_t> out);

// Writes every value of a ragged column in `out_len` rows, the rest of them `fill`.
// Throws std::invalid_argument if a value is longer, or its rows are not among `rows`.
void pad_rows(std::span<const std::uint8_t> rows, std::span<const std::uint8_t> fill,
              std::span<const std::int64_t> splits, std::int64_t out_len,
              std::span<std::uint8_t> out);

// Writes rows that lie anywhere, of `row_bytes` bytes each, one after the other.
void stack_rows(std::span<const void* const> rows, std::size_t row_bytes,
                std::span<std::uint8_t> out);

}  // namespace feedline
