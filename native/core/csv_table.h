// csv_table: comma-separated text straight into columns, as in feedline/kernels/csv_table.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace feedline {

// How text is cut into fields, and how many a record may have.
struct CsvLayout {
  std::uint8_t delimiter;
  bool quotes;
  bool is_final;
  bool header;  // the first record is passed over, whatever it holds
  std::string na_value;
  std::size_t fewest;
  std::size_t most;
  bool utf8;  // strings must be
};

struct CsvText {
  std::vector<std::uint8_t> data;
  std::vector<std::int64_t> offsets;
};

using CsvValues = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                               std::vector<std::int64_t>, CsvText>;

// One column: which field it is, what stands for one that is missing, and what it becomes: a
// vector of the kind that is wanted.
struct CsvTarget {
  std::size_t place;
  bool has_default;
  double number;       // for floats
  std::int64_t whole;  // for integers
  std::string text;    // for strings
  CsvValues values;
};

struct CsvRead {
  std::size_t num_records;
  std::size_t num_bytes;
  std::size_t num_newlines;  // among those bytes
};

// Reads every record that is whole into `targets`, whose places rise; all of them if `is_final`.
// Nothing comes back if there is anything to say about any record: a wrong number of fields,
// quotes that do not fit, a field that is not what it should be. Then the targets mean nothing.
std::optional<CsvRead> read_csv_table(std::span<const std::uint8_t> data, const CsvLayout& layout,
                                      std::span<CsvTarget> targets);

}  // namespace feedline
