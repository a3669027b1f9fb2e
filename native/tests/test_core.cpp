// Tests of native/core without Python: run under the sanitizers by `make sanitize`.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/box_muller.h"
#include "core/byte_images.h"
#include "core/color.h"
#include "core/crc32c.h"
#include "core/csv.h"
#include "core/example.h"
#include "core/exchange.h"
#include "core/hashes.h"
#include "core/image.h"
#include "core/lines.h"
#include "core/mix.h"
#include "core/numbers.h"
#include "core/permutation.h"
#include "core/philox.h"
#include "core/philox_rows.h"
#include "core/rows.h"
#include "core/tfrecord.h"

namespace {

using namespace feedline;
using Handles = std::vector<std::int64_t>;
using Bytes = std::vector<std::uint8_t>;

#define EXPECT(condition)                                                        \
  if (!(condition)) {                                                            \
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);         \
    std::exit(1);                                                                \
  }

template <class Error, class Function>
bool throws(Function function) {
  try {
    function();
  } catch (const Error&) {
    return true;
  }
  return false;
}

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

void test_philox_gives_the_published_numbers() {
  // The known answer of Random123 for a counter and a key of zeros.
  std::vector<std::uint32_t> numbers(4);
  philox_stream(0, 0, 0, numbers);
  EXPECT((numbers == std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

void test_philox_gives_any_part_of_the_stream() {
  std::vector<std::uint32_t> whole(41);
  philox_stream(7, ~std::uint64_t{0}, 0, whole);
  for (std::size_t start = 0; start <= whole.size(); ++start) {
    for (std::size_t stop = start; stop <= whole.size(); ++stop) {
      std::vector<std::uint32_t> part(stop - start);
      philox_stream(7, ~std::uint64_t{0}, start, part);
      EXPECT(std::equal(part.begin(), part.end(), whole.begin() + static_cast<long>(start)));
    }
  }
}

void test_philox_rows_gives_each_key_its_stream() {
  std::vector<std::uint64_t> keys(150), low(150), high(150);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = mix({i});
    high[i] = mix({i, 1});
    low[i] = i % 3 ? 0 : ~std::uint64_t{0};
  }
  for (std::size_t count : {0, 1, 3, 4, 5, 41}) {
    std::vector<std::uint32_t> rows(keys.size() * count), stream(count);
    philox_rows(keys, count, {}, high, rows);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      philox_stream(keys[i], high[i], 0, stream);
      EXPECT(std::equal(stream.begin(), stream.end(), rows.begin() + static_cast<long>(i * count)));
    }
    philox_rows(keys, count, low, high, rows);
  }
}

void test_philox_rows_carries_into_the_high_half_of_the_counter() {
  const std::vector<std::uint64_t> keys{5}, low{~std::uint64_t{0}}, high{6};
  std::vector<std::uint32_t> rows(8), next(4);
  philox_rows(keys, 8, low, high, rows);
  philox_stream(5, 7, 0, next);
  EXPECT(std::equal(next.begin(), next.end(), rows.begin() + 4));
}

void test_philox_rows_refuses_other_lengths() {
  const std::vector<std::uint64_t> keys(3), low(2);
  std::vector<std::uint32_t> out(12);
  EXPECT(throws<std::invalid_argument>([&] { philox_rows(keys, 4, low, {}, out); }));
  EXPECT(throws<std::invalid_argument>([&] { philox_rows(keys, 4, {}, low, out); }));
  EXPECT(throws<std::invalid_argument>([&] { philox_rows(keys, 5, {}, {}, out); }));
  EXPECT(throws<std::invalid_argument>([&] { philox_rows(keys, 0, {}, {}, out); }));
}

void test_box_muller_gives_normal_numbers() {
  std::vector<std::uint32_t> words(1 << 14);
  philox_stream(1, 2, 0, words);
  words[0] = words[1] = 0;
  std::vector<float> floats(words.size());
  std::vector<double> doubles(words.size() / 2);
  box_muller(words, floats);
  box_muller(words, doubles);
  double sum = 0, squares = 0;
  for (float number : floats) {
    EXPECT(std::abs(number) < 6);
    sum += static_cast<double>(number);
    squares += static_cast<double>(number) * static_cast<double>(number);
  }
  const double count = static_cast<double>(floats.size());
  EXPECT(std::abs(sum / count) < 0.03 && std::abs(squares / count - 1) < 0.03);
  for (double number : doubles) EXPECT(std::abs(number) < 6);
}

void test_box_muller_refuses_other_lengths() {
  const std::vector<std::uint32_t> words(6);
  std::vector<float> floats(6), odd(5);
  std::vector<double> doubles(3);
  EXPECT(throws<std::invalid_argument>([&] { box_muller(words, odd); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { box_muller(std::span(words).first(5), std::span<float>(odd)); }));
  EXPECT(throws<std::invalid_argument>([&] { box_muller(words, doubles); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { box_muller(std::span(words).first(4), std::span<double>(doubles)); }));
  box_muller({}, std::span<float>());
}

void test_bytes_go_through_tables() {
  const Bytes pixels{0, 255, 3, 7};
  Bytes tables(512), out(4);
  std::iota(tables.begin(), tables.begin() + 256, std::uint8_t{1});
  through_tables(pixels, tables, 2, out);
  EXPECT((out == Bytes{1, 0, 4, 0}));
  through_tables(pixels, tables, 1, out);
  EXPECT((out == Bytes{1, 0, 0, 0}));
  EXPECT(throws<std::invalid_argument>([&] { through_tables(pixels, tables, 0, out); }));
  EXPECT(throws<std::invalid_argument>([&] { through_tables(pixels, tables, 3, out); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { through_tables(std::span(pixels).first(3), tables, 2, std::span(out).first(3)); }));
  EXPECT(throws<std::invalid_argument>([&] { through_tables(pixels, {}, 1, out); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { through_tables(pixels, tables, 1, std::span(out).first(3)); }));
  through_tables({}, {}, 1, {});
}

void test_means_of_bytes() {
  Bytes pixels(2 * 7 * 3, 255);
  std::vector<float> means(6);
  halved_means(pixels, 3, means);
  for (const float mean : means) EXPECT(std::abs(mean - 1) < 1e-6f);
  halved_means(std::span(pixels).first(6), 3, means);
  EXPECT(throws<std::invalid_argument>([&] { halved_means(pixels, 0, means); }));
  EXPECT(throws<std::invalid_argument>([&] { halved_means(pixels, 4, means); }));
  EXPECT(throws<std::invalid_argument>([&] { halved_means({}, 3, means); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { halved_means(std::span(pixels).first(5), 3, means); }));
  halved_means({}, 3, {});
}

void test_colors_turn_and_fade() {
  const Bytes red{255, 0, 0, 10, 20, 30};
  Bytes out(6);
  adjust_hue(red, std::vector<float>{0.5f}, std::span(out));
  EXPECT((out == Bytes{0, 255, 255, 30, 20, 10}));
  adjust_saturation(red, std::vector<float>{0.0f}, std::span(out));
  EXPECT((out == Bytes{255, 255, 255, 30, 30, 30}));
  const float odd = std::numeric_limits<float>::quiet_NaN();
  const float far = std::numeric_limits<float>::infinity();
  const std::vector<float> numbers{odd, 1, 2, far, 0, -far, 1e-45f, 0, 0, -1, 3e38f, -3e38f};
  std::vector<float> changed(numbers.size());
  for (const float delta : {-1.0f, 0.0f, 0.3f, 1.0f}) {
    adjust_hue(numbers, std::vector<float>{delta, delta}, std::span(changed));
    adjust_saturation(numbers, std::vector<float>{delta, odd}, std::span(changed));
  }
}

void test_colors_refuse_what_does_not_fit() {
  const std::vector<float> pixels(12), one{0.5f}, five(5), wide{1.5f};
  std::vector<float> out(12), less(9);
  EXPECT(throws<std::invalid_argument>([&] { adjust_hue(pixels, one, std::span(less)); }));
  EXPECT(throws<std::invalid_argument>([&] { adjust_hue(pixels, five, std::span(out)); }));
  EXPECT(throws<std::invalid_argument>([&] { adjust_hue(pixels, wide, std::span(out)); }));
  EXPECT(throws<std::invalid_argument>([&] { adjust_saturation(pixels, {}, std::span(out)); }));
  adjust_saturation({}, {}, std::span<float>());
}

void test_exchange_hands_out_every_handle_once() {
  Handles ring{0, 1, 2, 3, 4}, arriving(20), out(25);
  std::iota(arriving.begin(), arriving.end(), 5);
  std::vector<std::uint32_t> draws(25);
  philox_stream(1, 2, 0, draws);
  exchange(ring, 3, 0, {}, {}, {});
  exchange(ring, largest, 5, arriving, draws, out);
  std::sort(out.begin(), out.end());
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT(out[i] == static_cast<std::int64_t>(i));
}

void test_exchange_refuses_what_it_cannot_do() {
  Handles ring{0, 1, 2}, out(4);
  const Handles none;
  const std::vector<std::uint32_t> draws(4);
  const auto call = [&](std::span<std::int64_t> r, std::int64_t front, std::int64_t held) {
    return throws<std::invalid_argument>([&] { exchange(r, front, held, none, draws, out); });
  };
  EXPECT(call(ring, 0, 3));
  EXPECT(call(ring, 0, 4));
  EXPECT(call(ring, 0, -1));
  EXPECT(call(ring, -1, 3));
  EXPECT(call({}, 0, 0));
  EXPECT((ring == Handles{0, 1, 2}));
}

void test_permute_is_a_permutation() {
  for (std::int64_t length : {1, 2, 3, 4, 5, 16, 17, 1000}) {
    Handles index(static_cast<std::size_t>(length)), out(index.size());
    std::iota(index.begin(), index.end(), 0);
    permute(index, length, 42, out);
    std::sort(out.begin(), out.end());
    EXPECT(out == index);
  }
}

void test_permute_refuses_places_outside() {
  for (std::int64_t place : {std::int64_t{5}, std::int64_t{-1}, largest, smallest}) {
    const Handles index{0, place};
    Handles out(2);
    EXPECT(throws<std::out_of_range>([&] { permute(index, 5, 0, out); }));
  }
  Handles one{largest - 1}, out(1);
  permute(one, largest, 3, out);
  EXPECT(out[0] >= 0 && out[0] < largest);
  EXPECT(throws<std::out_of_range>([&] { permute(out, 0, 0, one); }));
}

void test_mix_ids_changes_every_id_differently() {
  std::vector<std::uint64_t> ids(1000), out(1000);
  std::iota(ids.begin(), ids.end(), 0);
  mix_ids(ids, 9, out);
  std::sort(out.begin(), out.end());
  EXPECT(std::adjacent_find(out.begin(), out.end()) == out.end());
}

void test_ragged_take_gathers() {
  const Bytes rows{1, 2, 3, 4, 5, 6};  // three rows of two bytes: values of 1, 0 and 2 rows
  const Handles splits{0, 1, 1, 3}, index{2, 1, 0, 2};
  Handles out_splits(5);
  ragged_splits(3, splits, index, out_splits);
  EXPECT((out_splits == Handles{0, 2, 2, 3, 5}));
  Bytes out(10);
  ragged_take(rows, 2, splits, index, out);
  EXPECT((out == Bytes{3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
}

void test_ragged_take_trusts_no_number() {
  const Bytes rows(6);
  Handles out_splits(2);
  Bytes out(2);
  for (std::int64_t place : {std::int64_t{3}, std::int64_t{-1}, largest, smallest}) {
    const Handles splits{0, 1, 2, 3}, index{place};
    EXPECT(throws<std::out_of_range>([&] { ragged_splits(3, splits, index, out_splits); }));
    EXPECT(throws<std::out_of_range>([&] { ragged_take(rows, 2, splits, index, out); }));
  }
  const Handles index{0};
  for (const Handles& splits : {Handles{0, 4}, {-1, 1}, {2, 1}, {largest, smallest}, {0, largest},
                                {smallest, largest}, {}}) {
    EXPECT(throws<std::logic_error>([&] { ragged_splits(3, splits, index, out_splits); }));
    EXPECT(throws<std::logic_error>([&] { ragged_take(rows, 2, splits, index, out); }));
  }
  const Handles splits{0, 3};
  EXPECT(throws<std::invalid_argument>([&] { ragged_take(rows, 2, splits, index, out); }));
  EXPECT(throws<std::invalid_argument>([&] { ragged_take(rows, 0, splits, index, out); }));
  EXPECT(throws<std::invalid_argument>([&] { ragged_take(rows, 4, splits, index, out); }));
}

void test_pad_rows_fills_the_rest() {
  const Bytes rows{1, 2, 3, 4, 5, 6}, fill{8, 9};
  const Handles splits{0, 1, 1, 3};
  Bytes out(3 * 2 * 2);
  pad_rows(rows, fill, splits, 2, out);
  EXPECT((out == Bytes{1, 2, 8, 9, 8, 9, 8, 9, 3, 4, 5, 6}));
  pad_rows(rows, fill, Handles{2}, largest, {});
  pad_rows({}, fill, Handles{0, 0}, 0, {});
}

void test_pad_rows_trusts_no_number() {
  const Bytes rows(6), fill(2);
  Bytes out(4);
  for (const Handles& splits : {Handles{0, 3}, {0, 4}, {-1, 1}, {2, 1}, {largest, smallest}, {}}) {
    EXPECT(throws<std::invalid_argument>([&] { pad_rows(rows, fill, splits, 2, out); }));
  }
  for (std::int64_t out_len : {std::int64_t{1}, std::int64_t{3}, std::int64_t{-1}, largest})
    EXPECT(throws<std::invalid_argument>(
        [&] { pad_rows(rows, fill, Handles{0, 1}, out_len, out); }));
  EXPECT(throws<std::invalid_argument>([&] { pad_rows(rows, {}, Handles{0, 1}, 2, out); }));
}

void test_stack_rows_puts_rows_one_after_the_other() {
  const Bytes first{1, 2}, second{3, 4};
  const std::vector<const void*> rows{second.data(), first.data(), second.data()};
  Bytes out(6);
  stack_rows(rows, 2, out);
  EXPECT((out == Bytes{3, 4, 1, 2, 3, 4}));
  stack_rows({}, 2, {});
  for (std::size_t row_bytes : {0, 1, 3, 4})
    EXPECT(throws<std::invalid_argument>([&] { stack_rows(rows, row_bytes, out); }));
}

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

// Three images of 2 x 2 pixels with one channel.
Images three_images(const Bytes& pixels) {
  Images images;
  images.bytes = pixels;
  images.count = 3;
  images.height = images.width = 2;
  images.channels = 1;
  images.image_stride = 4;
  images.row_stride = 2;
  return images;
}

void test_resample_does_everything_in_one_pass() {
  const Bytes pixels = {0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32};
  const std::vector<std::int64_t> boxes = {0, 0, 2, 2, 1, 0, 1, 2, 0, 1, 1, 1};
  const Bytes flips = {0, 1, 3};
  const Bytes codes = {static_cast<std::uint8_t>(Step::divide),
                       static_cast<std::uint8_t>(Step::subtract)};
  const std::vector<float> constants = {2.0f, 1.0f};
  Recipe recipe;
  recipe.after = {codes, constants};
  std::vector<float> out(6);
  resample(three_images(pixels), {boxes, flips}, recipe, 1, 2, out);
  EXPECT((out == std::vector<float>{4.0f, 9.0f, 14.5f, 9.5f, 5.0f, 5.0f}));
}

void test_resample_has_every_method() {
  const Bytes pixels(12, 7);
  std::vector<float> out(3 * 5 * 3);
  for (int method = 0; method < num_methods; ++method) {
    Recipe recipe;
    recipe.method = static_cast<Method>(method);
    recipe.antialias = true;
    resample(three_images(pixels), {}, recipe, 5, 3, out);
    EXPECT(std::ranges::all_of(out, [](float n) { return std::abs(n - 7.0f) < 1e-4f; }));
  }
}

void test_take_pixels_moves_bytes() {
  const Bytes pixels = {0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32};
  const Bytes flips = {1, 2, 3};
  Bytes out(12);
  take_pixels(three_images(pixels), {{}, flips}, 2, 2, out);
  EXPECT((out == Bytes{10, 0, 30, 20, 21, 31, 1, 11, 32, 22, 12, 2}));
}

void test_images_trust_no_number() {
  const Bytes pixels(12, 7);
  std::vector<float> out(3);
  const auto refuses = [&](Images images, std::vector<std::int64_t> boxes) {
    return throws<std::invalid_argument>([&] { resample(images, {boxes, {}}, {}, 1, 1, out); });
  };
  const auto changed = [&](auto change) {
    Images images = three_images(pixels);
    change(images);
    return refuses(images, {});
  };
  EXPECT(changed([](Images& images) { images.first = 1; }));
  EXPECT(changed([](Images& images) { images.height = 3; }));
  EXPECT(changed([](Images& images) { images.width = largest; }));
  EXPECT(changed([](Images& images) { images.channels = 0; }));
  EXPECT(changed([](Images& images) { images.row_stride = smallest; }));
  EXPECT(changed([](Images& images) { images.image_stride = -4; }));
  EXPECT(changed([](Images& images) { images.is_float = true; }));
  EXPECT(refuses(three_images(pixels), {0, 0, 3, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT(refuses(three_images(pixels), {0, 0, 1, 1, 0, largest, 1, 1, 0, 0, 1, 1}));
  EXPECT(refuses(three_images(pixels), {0, 0, 1, 1}));
  EXPECT(throws<std::invalid_argument>([&] {
    resample(three_images(pixels), {}, {}, largest, largest, out);
  }));
}

}  // namespace

int main() {
  test_examples_are_read_into_columns();
  test_examples_that_are_not_as_wanted_are_told();
  test_examples_need_sound_arguments();
  test_philox_gives_the_published_numbers();
  test_philox_gives_any_part_of_the_stream();
  test_philox_rows_gives_each_key_its_stream();
  test_philox_rows_carries_into_the_high_half_of_the_counter();
  test_philox_rows_refuses_other_lengths();
  test_box_muller_gives_normal_numbers();
  test_box_muller_refuses_other_lengths();
  test_bytes_go_through_tables();
  test_means_of_bytes();
  test_colors_turn_and_fade();
  test_colors_refuse_what_does_not_fit();
  test_exchange_hands_out_every_handle_once();
  test_exchange_refuses_what_it_cannot_do();
  test_permute_is_a_permutation();
  test_permute_refuses_places_outside();
  test_mix_ids_changes_every_id_differently();
  test_ragged_take_gathers();
  test_ragged_take_trusts_no_number();
  test_pad_rows_fills_the_rest();
  test_pad_rows_trusts_no_number();
  test_stack_rows_puts_rows_one_after_the_other();
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
  test_resample_does_everything_in_one_pass();
  test_resample_has_every_method();
  test_take_pixels_moves_bytes();
  test_images_trust_no_number();
  std::puts("native/core: all tests passed");
}
