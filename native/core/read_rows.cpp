#include "core/read_rows.h"

#include "core/check.h"
#include "core/read_at.h"

namespace feedline {
namespace {

// How many rows from `first` on lie one after the other in the file.
std::size_t run_length(std::span<const std::int64_t> starts, std::size_t first,
                       std::size_t row_bytes) {
  std::size_t count = 1;
  while (first + count < starts.size() &&
         starts[first + count] - starts[first + count - 1] == static_cast<std::int64_t>(row_bytes))
    ++count;
  return count;
}

}  // namespace

std::size_t read_rows(int file, std::span<const std::int64_t> starts, std::size_t row_bytes,
                      std::span<std::uint8_t> out) {
  check(row_bytes > 0 && out.size() / row_bytes == starts.size() &&
            out.size() % row_bytes == 0,
        "out must have room for a row of every start");
  std::size_t done = 0;
  while (done < starts.size()) {
    const std::size_t count = run_length(starts, done, row_bytes);
    std::span<std::uint8_t> rest = out.subspan(done * row_bytes, count * row_bytes);
    std::int64_t at = starts[done];
    if (at < 0) return done;
    while (!rest.empty()) {
      const std::size_t read = read_at(file, at, rest);
      if (read == 0) return done + (count * row_bytes - rest.size()) / row_bytes;
      rest = rest.subspan(read);
      at += static_cast<std::int64_t>(read);
    }
    done += count;
  }
  return done;
}

}  // namespace feedline
