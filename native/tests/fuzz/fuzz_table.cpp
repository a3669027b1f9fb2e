// fuzz_table: comma-separated text straight into columns, beside the longer way to the same.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/csv.h"
#include "core/csv_table.h"
#include "core/numbers.h"
#include "core/utf8.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;
using Data = std::span<const std::uint8_t>;

std::string text_of(Data data, const CsvFields& fields, std::size_t field) {
  const auto start = static_cast<std::size_t>(fields.starts[field]);
  const auto stop = static_cast<std::size_t>(fields.stops[field]);
  std::string text;
  for (std::size_t at = start; at < stop; ++at) {
    text.push_back(static_cast<char>(data[at]));
    if (fields.kinds[field] == kEscaped && data[at] == '"') ++at;
  }
  return text;
}

bool is_missing(const std::string& text, const CsvLayout& layout) {
  return text.empty() || text == layout.na_value;
}

// Whether the number read for a field is the one that its text says, or the default.
void check_number(const std::string& text, const CsvLayout& layout, double found) {
  double wanted = 7;
  if (!is_missing(text, layout)) {
    HOLDS(parse_float({text.data(), text.data() + text.size()}, wanted));
  }
  HOLDS(std::memcmp(&wanted, &found, sizeof found) == 0 || wanted != wanted);
}

void check_whole(const std::string& text, const CsvLayout& layout, std::int64_t found) {
  std::int64_t wanted = 7;
  if (!is_missing(text, layout)) {
    HOLDS(parse_integer({text.data(), text.data() + text.size()}, wanted));
  }
  HOLDS(wanted == found);
}

void check_text(const std::string& text, const CsvLayout& layout, const CsvText& all,
                std::size_t row) {
  const std::string wanted = is_missing(text, layout) ? "none" : text;
  const auto start = static_cast<std::size_t>(all.offsets[row]);
  const auto stop = static_cast<std::size_t>(all.offsets[row + 1]);
  HOLDS(stop - start == wanted.size());
  HOLDS(wanted.empty() || std::memcmp(all.data.data() + start, wanted.data(), wanted.size()) == 0);
}

}  // namespace

// There is nothing to make right: any bytes are text.
void FuzzRepair(std::vector<std::uint8_t>&, std::uint64_t) {}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 3) return 0;
  const std::uint8_t way = bytes[0];
  const Data data(bytes + 3, size - 3);
  const CsvLayout layout{bytes[1],
                         (way & 1) != 0,
                         (way & 2) != 0,
                         (way & 4) != 0,
                         (way & 8) != 0 ? std::string(1, static_cast<char>(bytes[2])) : "",
                         3,
                         (way & 16) != 0 ? std::size_t{3} : std::size_t{5},
                         (way & 32) != 0};
  std::vector<CsvTarget> targets;
  targets.push_back({0, true, 7, 7, "none", std::vector<double>()});
  targets.push_back({1, true, 7, 7, "none", std::vector<std::int64_t>()});
  targets.push_back({2, true, 7, 7, "none", CsvText()});
  const auto read = read_csv_table(data, layout, targets);
  if (!read) return 0;
  const CsvFields fields = split_csv(data, layout.delimiter, layout.quotes, layout.is_final);
  const std::size_t first = layout.header ? 1 : 0;
  HOLDS(fields.record_stops.size() == read->num_records + first);
  HOLDS(read->num_bytes == (fields.record_stops.empty()
                                ? 0
                                : static_cast<std::size_t>(fields.record_stops.back())));
  const auto& numbers = std::get<std::vector<double>>(targets[0].values);
  const auto& wholes = std::get<std::vector<std::int64_t>>(targets[1].values);
  const auto& texts = std::get<CsvText>(targets[2].values);
  HOLDS(numbers.size() == read->num_records && wholes.size() == read->num_records);
  HOLDS(texts.offsets.size() == read->num_records + 1);
  for (std::size_t row = 0; row < read->num_records; ++row) {
    const auto field = static_cast<std::size_t>(fields.record_splits[row + first]);
    check_number(text_of(data, fields, field), layout, numbers[row]);
    check_whole(text_of(data, fields, field + 1), layout, wholes[row]);
    check_text(text_of(data, fields, field + 2), layout, texts, row);
  }
  if (layout.utf8) HOLDS(is_utf8(texts.data));
  return 0;
}
