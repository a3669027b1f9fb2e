// fuzz_example: Examples and SequenceExamples, on any bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/example.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;
using Numbers = std::vector<std::int64_t>;

// One feature of each kind and way; `shift` moves the kinds, so that some do not fit. With its
// highest bit set, floats one after the other.
std::vector<WantedFeature> wanted_for(unsigned shift) {
  std::vector<WantedFeature> wanted;
  for (unsigned i = 0; i < 9; ++i) {
    if (shift >= 0x80) {
      wanted.push_back({std::string(1, static_cast<char>('a' + i)), ListKind::floats,
                        1 + (shift >> i & 1), shift % 5 == 4});
      continue;
    }
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
    if (wanted[i].kind == ListKind::floats) found.floats[i].resize(room, 7.0f);
    if (wanted[i].kind == ListKind::ints) found.ints[i].resize(room, 7);
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

// Whether row `row` is what a record is by itself.
bool same_row(const Parsed& all, std::size_t row, const Parsed& alone,
              const std::vector<WantedFeature>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto from = static_cast<std::ptrdiff_t>(row * alone.ints[i].size());
    if (!std::equal(alone.ints[i].begin(), alone.ints[i].end(), all.ints[i].begin() + from))
      return false;
    const auto begin = row * alone.floats[i].size();
    if (!alone.floats[i].empty() && std::memcmp(&all.floats[i][begin], alone.floats[i].data(),
                                                4 * alone.floats[i].size()) != 0)
      return false;
    if (all.error) continue;  // columns that grow have no rows then
    const auto& missing = all.values[i].missing;
    const bool is_missing =
        std::ranges::binary_search(missing, static_cast<std::int64_t>(row));
    if (is_missing == alone.values[i].missing.empty()) return false;
  }
  return true;
}

// A record is the same whatever stands around it: each several times, so that some come after
// one that is like them, with more bytes after the last.
template <class Parse>
void check_each(Parse parse, const std::vector<std::span<const std::uint8_t>>& records,
                const std::vector<WantedFeature>& wanted, bool lists) {
  std::vector<Parsed> alone;
  for (const auto record : records) {
    alone.push_back(parsed(parse, record, {0, static_cast<std::int64_t>(record.size())}, wanted));
    check(alone.back(), wanted, 1, lists);
  }
  std::vector<std::uint8_t> bytes;
  Numbers offsets{0};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < 7; ++i) {
    const std::size_t which = (i / 2 + i / 3) % records.size();
    order.push_back(which);
    bytes.insert(bytes.end(), records[which].begin(), records[which].end());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  bytes.resize(bytes.size() + 200);
  const Parsed all = parsed(parse, bytes, offsets, wanted);
  check(all, wanted, order.size(), lists);
  for (std::size_t row = 0; row < order.size(); ++row) {
    const Parsed& one = alone[order[row]];
    if (one.error) {
      HOLDS(all.error && all.error->record == static_cast<std::int64_t>(row));
      HOLDS(all.error->fault == one.error->fault && all.error->feature == one.error->feature);
      HOLDS(all.error->offset == one.error->offset && all.error->found == one.error->found);
      return;
    }
    HOLDS(same_row(all, row, one, wanted));
  }
  HOLDS(!all.error);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::size_t strings = 0, ints = 0, floats = 0;
    for (const std::size_t which : order) {
      strings += alone[which].values[i].bytes.size();
      ints += alone[which].values[i].ints.size();
      floats += alone[which].values[i].floats.size();
    }
    HOLDS(all.values[i].bytes.size() == strings && all.values[i].ints.size() == ints);
    HOLDS(all.values[i].floats.size() == floats);
  }
}

template <class Parse>
void check_all(Parse parse, std::span<const std::uint8_t> data, std::int64_t cut,
               const std::vector<WantedFeature>& wanted, bool lists) {
  const auto end = static_cast<std::int64_t>(data.size());
  check(parsed(parse, data, {0, cut, end}, wanted), wanted, 2, lists);
  check_each(parse, {data.first(static_cast<std::size_t>(cut)),
                     data.subspan(static_cast<std::size_t>(cut))}, wanted, lists);
  check_each(parse, {data}, wanted, lists);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  // The first two bytes say what is wanted, and where one record ends and another begins.
  const std::span<const std::uint8_t> data(bytes + 2, size - 2);
  const auto wanted = wanted_for(bytes[0]);
  const auto cut = static_cast<std::int64_t>(bytes[1] % (data.size() + 1));
  const auto parse = [](auto&&... arguments) { return parse_examples(arguments...); };
  check_all(parse, data, cut, wanted, false);
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
