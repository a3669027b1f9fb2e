// fuzz_example: Examples and SequenceExamples, on any bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/example.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;
using Numbers = std::vector<std::int64_t>;

// One feature of each kind and way; `shift` moves the kinds, so that some do not fit.
std::vector<WantedFeature> wanted_for(unsigned shift) {
  std::vector<WantedFeature> wanted;
  for (unsigned i = 0; i < 9; ++i) {
    const auto kind = static_cast<ListKind>(1 + (i + shift) % 3);
    const std::int64_t size = i < 3 ? 1 : i < 6 ? -1 : static_cast<std::int64_t>(shift % 4);
    wanted.push_back({std::string(1, static_cast<char>('a' + i)), kind, size, shift % 5 == 4});
  }
  return wanted;
}

bool rises(const Numbers& numbers, std::size_t last) {
  return !numbers.empty() && numbers.front() == 0 && std::ranges::is_sorted(numbers) &&
         numbers.back() == static_cast<std::int64_t>(last);
}

struct Parsed {
  std::vector<FeatureValues> values;
  std::vector<std::vector<float>> floats;
  std::vector<Numbers> ints;
  std::optional<ExampleError> error;
};

template <class Parse>
Parsed parsed(Parse parse, std::span<const std::uint8_t> data, const Numbers& offsets,
              const std::vector<WantedFeature>& wanted) {
  Parsed found;
  const std::size_t count = wanted.size(), records = offsets.size() - 1;
  found.values.resize(count);
  found.floats.resize(count);
  found.ints.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (wanted[i].size < 0) continue;
    const std::size_t room = records * static_cast<std::size_t>(wanted[i].size);
    if (wanted[i].kind == ListKind::floats) found.floats[i].resize(room);
    if (wanted[i].kind == ListKind::ints) found.ints[i].resize(room);
    found.values[i].dense_floats = found.floats[i];
    found.values[i].dense_ints = found.ints[i];
  }
  found.error = parse(data, offsets, wanted, found.values);
  if (!found.error) return found;
  const ExampleError& error = *found.error;
  HOLDS(error.record >= 0 && error.record < static_cast<std::int64_t>(records));
  HOLDS(error.feature >= -1 && error.feature < static_cast<std::int64_t>(count));
  const auto at = static_cast<std::size_t>(error.record);
  HOLDS(error.offset >= 0 && error.offset <= offsets[at + 1] - offsets[at]);
  return found;
}

std::size_t count_of(const FeatureValues& one, ListKind kind) {
  if (kind == ListKind::floats) return one.floats.size();
  return kind == ListKind::ints ? one.ints.size() : one.offsets.size() - 1;
}

void check(const Parsed& found, const std::vector<WantedFeature>& wanted, std::size_t records,
           bool lists) {
  if (found.error) return;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const FeatureValues& one = found.values[i];
    HOLDS(std::ranges::is_sorted(one.missing) && one.missing.size() <= records);
    HOLDS(one.missing.empty() || !wanted[i].required);
    if (wanted[i].kind == ListKind::bytes) HOLDS(rises(one.offsets, one.bytes.size()));
    if (lists || wanted[i].kind == ListKind::bytes || wanted[i].size < 0)
      HOLDS(rises(one.splits, count_of(one, wanted[i].kind)));
    if (lists) {
      HOLDS(one.steps.size() == records + 1 && rises(one.steps, one.splits.size() - 1));
    }
  }
}

template <class Parse>
void check_all(Parse parse, std::span<const std::uint8_t> data, std::int64_t cut,
               const std::vector<WantedFeature>& wanted, bool lists) {
  const auto end = static_cast<std::int64_t>(data.size());
  check(parsed(parse, data, {0, cut, end}, wanted), wanted, 2, lists);
  // A record is the same whatever stands around it.
  const Parsed alone = parsed(parse, data, {0, end}, wanted);
  check(alone, wanted, 1, lists);
  std::vector<std::uint8_t> twice(data.begin(), data.end());
  twice.insert(twice.end(), data.begin(), data.end());
  const Parsed both = parsed(parse, twice, {0, end, 2 * end}, wanted);
  HOLDS(both.error.has_value() == alone.error.has_value());
  if (alone.error) {
    HOLDS(both.error->record == 0 && both.error->offset == alone.error->offset);
    return;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    HOLDS(both.values[i].bytes.size() == 2 * alone.values[i].bytes.size());
    HOLDS(both.values[i].ints.size() == 2 * alone.values[i].ints.size());
    HOLDS(both.values[i].floats.size() == 2 * alone.values[i].floats.size());
    HOLDS(std::equal(alone.ints[i].begin(), alone.ints[i].end(), both.ints[i].begin()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  // The first two bytes say what is wanted, and where one record ends and another begins.
  const std::span<const std::uint8_t> data(bytes + 2, size - 2);
  const auto wanted = wanted_for(bytes[0]);
  const auto cut = static_cast<std::int64_t>(bytes[1] % (data.size() + 1));
  check_all(&parse_examples, data, cut, wanted, false);
  check_all(&parse_feature_lists, data, cut, wanted, true);
  return 0;
}

// Makes lengths right again: of the record's first field, and of what is in it while that is one
// field as well.
void FuzzRepair(std::vector<std::uint8_t>& input, std::uint64_t random) {
  std::size_t at = 2;
  for (; at + 2 <= input.size() && (input[at] & 7) == 2 && input.size() - at - 2 < 128; at += 2) {
    input[at + 1] = static_cast<std::uint8_t>(input.size() - at - 2);
    random >>= 1;
    if (random & 1) return;
  }
}
