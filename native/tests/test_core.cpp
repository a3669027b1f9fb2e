// Tests of native/core without Python: random numbers, orders, rows. Run by `make sanitize`.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/box_muller.h"
#include "core/exchange.h"
#include "core/mix.h"
#include "core/permutation.h"
#include "core/philox.h"
#include "core/philox_rows.h"
#include "core/rows.h"
#include "core/turns.h"
#include "tests/expect.h"

namespace {

using namespace feedline;

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

void test_texts_come_in_turns() {
  const Bytes letters{'a', 'b', 'c', 'd'}, digits{'-', '1', '2', '2', '3'};
  const Handles every{0, 1, 2, 3, 4}, some{1, 2, 4, 4, 5};
  const std::vector<Texts> parts{{letters, every}, {digits, some}};
  Handles offsets(9);
  turns_offsets(parts, 2, offsets);
  EXPECT((offsets == Handles{0, 1, 2, 3, 5, 6, 7, 7, 8}));
  Bytes out(8);
  copy_turns(parts, 2, offsets, out);
  EXPECT((out == Bytes{'a', 'b', '1', '2', '2', 'c', 'd', '3'}));
}

void test_turns_trust_no_number() {
  const Bytes data(4);
  const Handles whole{0, 4};
  Handles out_offsets(3);
  Bytes out(8);
  for (const Handles& offsets : {Handles{0, 5}, Handles{-1, 2}, Handles{3, 1}, Handles{0, 1, 2},
                                 Handles{}, Handles{smallest, largest}}) {
    const std::vector<Texts> parts{{data, whole}, {data, offsets}};
    EXPECT(throws<std::invalid_argument>([&] { turns_offsets(parts, 1, out_offsets); }));
    EXPECT(throws<std::invalid_argument>([&] { copy_turns(parts, 1, Handles{0, 4, 8}, out); }));
  }
  const std::vector<Texts> parts{{data, whole}, {data, whole}};
  EXPECT(throws<std::invalid_argument>([&] { turns_offsets({}, 1, out_offsets); }));
  EXPECT(throws<std::invalid_argument>([&] { turns_offsets(parts, 0, out_offsets); }));
  EXPECT(throws<std::invalid_argument>([&] { turns_offsets(parts, 2, out_offsets); }));
  for (const Handles& places : {Handles{0}, Handles{0, 5, 8}, Handles{-1, 4, 8}})
    EXPECT(throws<std::invalid_argument>([&] { copy_turns(parts, 1, places, out); }));
}

}  // namespace

int main() {
  test_philox_gives_the_published_numbers();
  test_philox_gives_any_part_of_the_stream();
  test_philox_rows_gives_each_key_its_stream();
  test_philox_rows_carries_into_the_high_half_of_the_counter();
  test_philox_rows_refuses_other_lengths();
  test_box_muller_gives_normal_numbers();
  test_box_muller_refuses_other_lengths();
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
  test_texts_come_in_turns();
  test_turns_trust_no_number();
  std::puts("native/core: all tests passed");
}
