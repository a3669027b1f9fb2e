// fuzz_text: lines, comma-separated fields and numbers, on any bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/csv.h"
#include "core/lines.h"
#include "core/numbers.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;
using Numbers = std::vector<std::int64_t>;
using Data = std::span<const std::uint8_t>;

void check_lines(Data data, bool is_final) {
  std::vector<std::uint8_t> out(data.size());
  Numbers offsets;
  const std::size_t used = split_lines(data, is_final, out, offsets);
  HOLDS(used <= data.size() && (!is_final || used == data.size()));
  HOLDS(offsets.front() == 0 && std::ranges::is_sorted(offsets));
  HOLDS(offsets.back() <= static_cast<std::int64_t>(used));
  const std::span<const std::uint8_t> lines(out.data(), static_cast<std::size_t>(offsets.back()));
  HOLDS(std::ranges::find(lines, '\n') == lines.end());
  HOLDS(std::ranges::find(lines, '\r') == lines.end());
}

CsvFields checked_fields(Data data, std::uint8_t delimiter, bool quotes, bool is_final) {
  CsvFields found = split_csv(data, delimiter, quotes, is_final);
  const auto length = static_cast<std::int64_t>(data.size());
  HOLDS(found.starts.size() == found.stops.size() && found.starts.size() == found.kinds.size());
  HOLDS(found.record_splits.size() == found.record_stops.size() + 1);
  HOLDS(found.record_splits.back() == static_cast<std::int64_t>(found.starts.size()));
  HOLDS(std::ranges::is_sorted(found.record_splits) && std::ranges::is_sorted(found.record_stops));
  for (std::size_t i = 0; i < found.starts.size(); ++i)
    HOLDS(0 <= found.starts[i] && found.starts[i] <= found.stops[i] && found.stops[i] <= length);
  HOLDS(!is_final || data.empty() || found.record_stops.back() == length);
  return found;
}

}  // namespace

// There is nothing to make right: any bytes are text.
void FuzzRepair(std::vector<std::uint8_t>&, std::uint64_t) {}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const std::uint8_t way = bytes[0], delimiter = bytes[1];
  const Data data(bytes + 2, size - 2);
  check_lines(data, (way & 1) != 0);
  const CsvFields found = checked_fields(data, delimiter, (way & 2) != 0, (way & 1) != 0);
  const std::size_t count = found.starts.size();
  Numbers whole(count);
  std::vector<float> singles(count);
  std::vector<double> doubles(count);
  std::vector<std::uint8_t> is_number(count);
  parse_integers(data, found.starts, found.stops, -1000, 1000, whole, is_number);
  for (std::size_t i = 0; i < count; ++i)
    HOLDS(whole[i] >= -1000 && whole[i] <= 1000 && (is_number[i] || whole[i] == 0));
  parse_floats(data, found.starts, found.stops, singles, is_number);
  const std::vector<std::uint8_t> as_single = is_number;
  parse_floats(data, found.starts, found.stops, doubles, is_number);
  // Whether a text is a number does not depend on how many digits are kept of it.
  HOLDS(as_single == is_number);
  return 0;
}
