#include "core/rows.h"

#include <cstring>
#include <vector>

#include "core/check.h"

namespace feedline {
namespace {

// How many values ahead to ask the memory for.
constexpr std::size_t ahead = 8;

inline void prefetch([[maybe_unused]] const std::uint8_t* row) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(row);
#endif
}

// The start of value `number`, if there is one: only a hint, what is read is checked later.
inline void prefetch_value(std::span<const std::uint8_t> rows, std::size_t row_bytes,
                           std::span<const std::int64_t> splits, std::int64_t number) {
  if (number < 0 || static_cast<std::size_t>(number) >= splits.size()) return;
  const auto start = static_cast<std::size_t>(splits[static_cast<std::size_t>(number)]);
  if (start < rows.size() / row_bytes) prefetch(rows.data() + start * row_bytes);
}

inline void copy_bytes(std::uint8_t* to, std::span<const std::uint8_t> from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

std::vector<std::uint8_t> repeated(std::span<const std::uint8_t> row, std::size_t count) {
  std::vector<std::uint8_t> rows(row.size() * count);
  for (std::size_t i = 0; i < count; ++i) copy_bytes(rows.data() + i * row.size(), row);
  return rows;
}

// The rows of one value, read once and checked: another thread may change the arrays.
struct Value {
  std::int64_t start, length;

  Value(std::span<const std::int64_t> splits, std::int64_t number, std::int64_t num_rows) {
    check_index(number, static_cast<std::int64_t>(splits.size()) - 1);
    const auto at = static_cast<std::size_t>(number);
    start = splits[at];
    const std::int64_t stop = splits[at + 1];
    check(0 <= start && start <= stop && stop <= num_rows,
          "splits must rise from 0 to at most the number of values");
    length = stop - start;
  }

  std::span<const std::uint8_t> bytes(std::span<const std::uint8_t> rows,
                                      std::size_t row_bytes) const {
    return rows.subspan(static_cast<std::size_t>(start) * row_bytes,
                        static_cast<std::size_t>(length) * row_bytes);
  }
};

std::int64_t count_rows(std::span<const std::uint8_t> rows, std::size_t row_bytes) {
  check(row_bytes > 0 && rows.size() % row_bytes == 0, "the bytes are not whole rows");
  return static_cast<std::int64_t>(rows.size() / row_bytes);
}

constexpr const char* no_splits = "splits must hold at least one number";
constexpr const char* wrong_length = "input and output differ in length";

}  // namespace

void ragged_splits(std::int64_t num_rows, std::span<const std::int64_t> splits,
                   std::span<const std::int64_t> index, std::span<std::int64_t> out_splits) {
  check(!splits.empty(), no_splits);
  check(out_splits.size() == index.size() + 1, wrong_length);
  std::int64_t total = 0;
  out_splits[0] = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const Value value(splits, index[i], num_rows);
    check(total <= INT64_MAX - value.length, "the values gathered are too many");
    total += value.length;
    out_splits[i + 1] = total;
  }
}

void ragged_take(std::span<const std::uint8_t> rows, std::size_t row_bytes,
                 std::span<const std::int64_t> splits, std::span<const std::int64_t> index,
                 std::span<std::uint8_t> out) {
  check(!splits.empty(), no_splits);
  const std::int64_t num_rows = count_rows(rows, row_bytes);
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (i + ahead < index.size()) prefetch_value(rows, row_bytes, splits, index[i + ahead]);
    const auto bytes = Value(splits, index[i], num_rows).bytes(rows, row_bytes);
    check(bytes.size() <= out.size(), wrong_length);
    copy_bytes(out.data(), bytes);
    out = out.subspan(bytes.size());
  }
  check(out.empty(), wrong_length);
}

void pad_rows(std::span<const std::uint8_t> rows, std::span<const std::uint8_t> fill,
              std::span<const std::int64_t> splits, std::int64_t out_len,
              std::span<std::uint8_t> out) {
  check(!splits.empty(), no_splits);
  check(out_len >= 0, "out_len must be at least 0");
  const std::int64_t num_rows = count_rows(rows, fill.size());
  const std::size_t count = splits.size() - 1;
  if (count == 0) return check(out.empty(), wrong_length);
  const auto blank_rows = static_cast<std::size_t>(out_len);
  check(out.size() % count == 0 && out.size() / count % fill.size() == 0 &&
            out.size() / count / fill.size() == blank_rows,
        wrong_length);
  const std::vector<std::uint8_t> blank = repeated(fill, blank_rows);
  for (std::size_t i = 0; i < count; ++i) {
    const Value value(splits, static_cast<std::int64_t>(i), num_rows);
    check(value.length <= out_len, "a value is longer than out_len");
    const auto bytes = value.bytes(rows, fill.size());
    copy_bytes(out.data(), bytes);
    copy_bytes(out.data() + bytes.size(), std::span(blank).subspan(bytes.size()));
    out = out.subspan(blank.size());
  }
}

void stack_rows(std::span<const void* const> rows, std::size_t row_bytes,
                std::span<std::uint8_t> out) {
  check(row_bytes > 0 && out.size() % row_bytes == 0 && out.size() / row_bytes == rows.size(),
        wrong_length);
  for (const void* row : rows) {
    std::memcpy(out.data(), row, row_bytes);
    out = out.subspan(row_bytes);
  }
}

}  // namespace feedline
