// Tests of native/core without Python: what is in files. Run by `make sanitize`.
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/crc32c.h"
#include "core/csv.h"
#include "core/example.h"
#include "core/hashes.h"
#include "core/lines.h"
#include "core/mix.h"
#include "core/numbers.h"
#include "core/tfrecord.h"
#include "tests/expect.h"

namespace {

using namespace feedline;

void test_crc32c_gives_the_published_checksum() {
  const char* text = "123456789";
  const Bytes data(text, text + 9);
  EXPECT(crc32c(data) == 0xe3069283u);
  EXPECT(crc32c_by_table(data) == 0xe3069283u);
  EXPECT(crc32c({}) == 0);
}

void test_crc32c_is_the_same_by_instruction_and_by_table() {
  Bytes data(20'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(mix({i}));
  for (const std::size_t size : {1, 7, 8, 383, 384, 385, 6143, 6144, 6145, 6528, 19'999})
    for (const std::size_t start : {0, 1, 5}) {
      const auto part = std::span(data).subspan(start, std::min(size, data.size() - start));
      EXPECT(crc32c(part) == crc32c_by_table(part));
    }
}

Bytes framed(const Bytes& records, const Handles& offsets) {
  Bytes out(framed_size(records, offsets));
  frame_records(records, offsets, out);
  return out;
}

void test_frames_are_found_again() {
  const Bytes records{1, 2, 3, 4, 5};
  const Handles offsets{0, 3, 3, 5};
  const Bytes data = framed(records, offsets);
  const FrameScan found = scan_frames(data, 0, 100, true);
  EXPECT((found.bounds == Handles{0, 19, 35, 53}));
  EXPECT(found.damage == Damage::none && found.needed == 12);
  const Handles starts{35, 0, 19}, stops{53, 19, 35};
  EXPECT(first_damaged(data, starts, stops) == -1);
  Bytes out(records_size(data, starts, stops));
  Handles places(4);
  copy_records(data, starts, stops, out, places);
  EXPECT((out == Bytes{4, 5, 1, 2, 3}));
  EXPECT((places == Handles{0, 2, 5, 5}));
}

void test_damage_of_frames_is_told() {
  const Bytes good = framed({1, 2, 3, 4, 5}, {0, 3, 5});
  for (std::size_t at = 0; at < good.size(); ++at) {
    Bytes data = good;
    data[at] ^= 16;
    const FrameScan found = scan_frames(data, 0, 100, true);
    const std::size_t frame = at < 19 ? 0 : 1, inside = at - 19 * frame;
    EXPECT(found.bounds.size() == frame + 1);
    EXPECT(found.damage == (inside < 12 ? Damage::length : Damage::data));
    EXPECT(first_damaged(data, Handles{0, 19}, Handles{19, 37}) ==
           static_cast<std::int64_t>(frame));
  }
}

void test_frames_trust_no_number() {
  const Bytes data = framed({1, 2, 3, 4, 5}, {0, 3, 5});
  for (const auto start : {smallest, std::int64_t{-1}, std::int64_t{30}, largest})
    for (const auto stop : {smallest, std::int64_t{0}, std::int64_t{38}, largest}) {
      const Handles starts{start}, stops{stop};
      EXPECT(throws<std::invalid_argument>([&] { records_size(data, starts, stops); }));
      EXPECT(throws<std::invalid_argument>([&] { first_damaged(data, starts, stops); }));
      EXPECT(throws<std::invalid_argument>([&] { framed_size(data, Handles{start, stop}); }));
    }
  EXPECT(throws<std::invalid_argument>([&] { scan_frames(data, data.size() + 1, 1, true); }));
  EXPECT(throws<std::invalid_argument>([&] { framed_size(data, {}); }));
}

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

void test_lines_are_found_and_returns_left_out() {
  const Bytes text = bytes_of("a\rb\r\n\nc");
  Bytes out(text.size());
  Handles offsets;
  EXPECT(split_lines(text, false, out, offsets) == 6);
  EXPECT((offsets == Handles{0, 2, 2}));
  EXPECT(split_lines(text, true, out, offsets) == text.size());
  EXPECT((offsets == Handles{0, 2, 2, 3}));
  EXPECT(split_lines({}, true, out, offsets) == 0 && offsets.size() == 1);
  EXPECT(throws<std::invalid_argument>([&] { split_lines(text, true, {}, offsets); }));
}

void test_csv_fields_are_the_same_wherever_the_text_is_cut() {
  // Every text of seven bytes out of those that mean something.
  const std::string bytes = "\n\r\",a";
  for (int number = 0; number < 5 * 5 * 5 * 5 * 5 * 5 * 5; ++number) {
    std::string text;
    for (int left = number, i = 0; i < 7; ++i, left /= 5) text += bytes[static_cast<std::size_t>(left % 5)];
    const Bytes data = bytes_of(text);
    const CsvFields whole = split_csv(data, ',', true, true);
    EXPECT(whole.record_stops.back() == 7);
    EXPECT(whole.record_splits.back() == static_cast<std::int64_t>(whole.starts.size()));
    const std::span<const std::uint8_t> all(data);
    for (std::size_t cut = 0; cut <= 7; ++cut) {
      const CsvFields first = split_csv(all.first(cut), ',', true, false);
      const auto used = first.record_stops.empty() ? 0 : first.record_stops.back();
      const CsvFields rest = split_csv(all.subspan(static_cast<std::size_t>(used)), ',', true, true);
      EXPECT(first.starts.size() + rest.starts.size() == whole.starts.size());
      for (std::size_t i = 0; i < rest.starts.size(); ++i) {
        EXPECT(rest.starts[i] + used == whole.starts[first.starts.size() + i]);
        EXPECT(rest.kinds[i] == whole.kinds[first.starts.size() + i]);
      }
    }
  }
}

void test_numbers_are_parsed_and_what_is_none_is_told() {
  const Bytes text = bytes_of(" 12 -9223372036854775808 x 0x1p4 1e999 -");
  const Handles starts{0, 4, 25, 27, 33, 39}, stops{4, 24, 26, 32, 38, 40};
  Handles whole(6);
  Bytes found(6);
  parse_integers(text, starts, stops, smallest, largest, whole, found);
  EXPECT((whole == Handles{12, smallest, 0, 0, 0, 0}));
  EXPECT((found == Bytes{1, 1, 0, 0, 0, 0}));
  std::vector<float> real(6);
  parse_floats(text, starts, stops, real, found);
  EXPECT(real[0] == 12 && real[3] == 16 && std::isinf(real[4]));
  EXPECT((found == Bytes{1, 1, 0, 1, 1, 0}));
}

void test_numbers_trust_no_place() {
  const Bytes text = bytes_of("12");
  std::vector<double> real(1);
  Bytes found(1);
  for (const auto& [start, stop] : {std::pair<std::int64_t, std::int64_t>{-1, 1}, {0, 3}, {2, 1}, {smallest, largest}}) {
    const Handles starts{start}, stops{stop};
    EXPECT(throws<std::invalid_argument>([&] { parse_floats(text, starts, stops, real, found); }));
  }
}

void test_hashes_are_the_published_ones() {
  const Bytes text = bytes_of("hello");
  std::vector<std::uint64_t> out(2);
  const Handles offsets{0, 0, 5};
  hash_fingerprint(text, offsets, out);
  EXPECT(out[0] == 0x9AE16A3B2F90404F && out[1] == 13009744463427800296u);
  // The first vector of SipHash's authors: a key of the bytes 0 to 15, and no text.
  hash_siphash(text, offsets, 0x0706050403020100, 0x0F0E0D0C0B0A0908, out);
  EXPECT(out[0] == 0x726FDB47DD0E0E31);
}

void test_hashes_trust_no_place() {
  const Bytes text = bytes_of("hello");
  std::vector<std::uint64_t> out(1);
  for (const Handles& offsets : {Handles{0, 6}, Handles{-1, 2}, Handles{3, 2}, Handles{0}}) {
    EXPECT(throws<std::invalid_argument>([&] { hash_murmur(text, offsets, out); }));
  }
}

std::optional<ExampleError> parse_one(const Bytes& record, const WantedFeature& wanted,
                                      FeatureValues& values) {
  const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(record.size())};
  return parse_examples(record, offsets, {&wanted, 1}, {&values, 1});
}

// An Example whose feature x holds the integers 7 and -1.
const Bytes seven_and_minus_one{0x0a, 0x16, 0x0a, 0x14, 0x0a, 0x01, 'x',  0x12, 0x0f, 0x1a, 0x0d, 0x0a,
                                0x0b, 0x07, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};

void test_examples_are_read_into_columns() {
  FeatureValues growing, fixed;
  EXPECT(!parse_one(seven_and_minus_one, {"x", ListKind::ints, -1, true}, growing));
  EXPECT((growing.ints == Handles{7, -1} && growing.splits == Handles{0, 2}));
  Handles memory(2);
  fixed.dense_ints = memory;
  EXPECT(!parse_one(seven_and_minus_one, {"x", ListKind::ints, 2, true}, fixed));
  EXPECT((memory == Handles{7, -1}));
}

void test_examples_that_are_not_as_wanted_are_told() {
  const auto fault = [](const Bytes& record, ListKind kind, std::int64_t size) {
    FeatureValues values;
    Handles memory(static_cast<std::size_t>(std::max<std::int64_t>(size, 0)));
    values.dense_ints = memory;
    const auto error = parse_one(record, {"x", kind, size, true}, values);
    return error ? static_cast<int>(error->fault) : 0;
  };
  EXPECT(fault(seven_and_minus_one, ListKind::floats, -1) == 2);
  EXPECT(fault(seven_and_minus_one, ListKind::ints, 1) == 3);
  EXPECT(fault(seven_and_minus_one, ListKind::ints, 3) == 3);
  EXPECT(fault({}, ListKind::ints, 1) == 4);
  for (std::size_t length = 1; length < seven_and_minus_one.size(); ++length) {
    const Bytes part(seven_and_minus_one.begin(),
                     seven_and_minus_one.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT(fault(part, ListKind::ints, -1) == 1);
  }
}

void test_examples_need_sound_arguments() {
  FeatureValues values;
  const WantedFeature wanted{"x", ListKind::ints, 2, true};
  EXPECT(throws<std::invalid_argument>([&] { parse_one(seven_and_minus_one, wanted, values); }));
  const std::vector<std::int64_t> beyond{0, largest};
  const WantedFeature growing{"x", ListKind::ints, -1, true};
  EXPECT(throws<std::invalid_argument>(
      [&] { parse_examples(seven_and_minus_one, beyond, {&growing, 1}, {&values, 1}); }));
}

}  // namespace

int main() {
  test_crc32c_gives_the_published_checksum();
  test_crc32c_is_the_same_by_instruction_and_by_table();
  test_frames_are_found_again();
  test_damage_of_frames_is_told();
  test_frames_trust_no_number();
  test_lines_are_found_and_returns_left_out();
  test_csv_fields_are_the_same_wherever_the_text_is_cut();
  test_numbers_are_parsed_and_what_is_none_is_told();
  test_numbers_trust_no_place();
  test_hashes_are_the_published_ones();
  test_hashes_trust_no_place();
  test_examples_are_read_into_columns();
  test_examples_that_are_not_as_wanted_are_told();
  test_examples_need_sound_arguments();
  std::puts("native/core, files: all tests passed");
}
