// csv: where the fields of comma-separated text are, as in feedline/kernels/split_csv.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace feedline {

enum CsvKind : std::uint8_t {
  kPlain = 0,
  kQuoted = 1,
  kEscaped = 2,      // quoted, and a pair of quotes inside stands for one
  kStrayQuote = 3,   // a quote inside a field that is not quoted
  kAfterQuote = 4,   // something after the closing quote
  kUnclosed = 5,     // the text ends inside quotes
};

struct CsvFields {
  std::vector<std::int64_t> starts;        // of each field, without its quotes
  std::vector<std::int64_t> stops;
  std::vector<std::uint8_t> kinds;
  std::vector<std::int64_t> record_splits;  // how many fields come before each record, and in all
  std::vector<std::int64_t> record_stops;   // the byte after each record and its end of line
};

// Finds the fields of every record that is whole; all of them if `is_final`.
CsvFields split_csv(std::span<const std::uint8_t> data, std::uint8_t delimiter, bool quotes,
                    bool is_final);

}  // namespace feedline
