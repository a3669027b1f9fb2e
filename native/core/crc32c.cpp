#include "core/crc32c.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <nmmintrin.h>
#define FEEDLINE_CRC_TARGET __attribute__((target("sse4.2")))
#elif defined(__aarch64__) && defined(__GNUC__) && (defined(__linux__) || defined(__APPLE__))
#include <arm_acle.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__clang__)
#define FEEDLINE_CRC_TARGET __attribute__((target("crc")))
#else
#define FEEDLINE_CRC_TARGET __attribute__((target("+crc")))
#endif
#endif

namespace feedline {
namespace {

constexpr std::uint32_t polynomial = 0x82f63b78u;  // its bits in reverse

using Table = std::array<std::uint32_t, 256>;

// tables[k][b]: what byte b does to the checksum when k more bytes follow it.
constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 255];
  return tables;
}

constexpr auto tables = make_tables();

std::uint64_t word_at(const std::uint8_t* place) {
  std::uint64_t word;
  std::memcpy(&word, place, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

#ifdef FEEDLINE_CRC_TARGET

// What `count` zero bytes do to a checksum is linear in its bits: one table per byte of it.
using Zeros = std::array<Table, 4>;

constexpr std::uint32_t times(const std::array<std::uint32_t, 32>& matrix, std::uint32_t vector) {
  std::uint32_t sum = 0;
  for (std::size_t bit = 0; vector; ++bit, vector >>= 1)
    if (vector & 1) sum ^= matrix[bit];
  return sum;
}

constexpr Zeros make_zeros(std::size_t count) {
  std::array<std::uint32_t, 32> matrix{};
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    std::uint32_t crc = std::uint32_t{1} << bit;
    for (int step = 0; step < 8; ++step) crc = (crc >> 1) ^ (crc & 1 ? polynomial : 0);
    matrix[bit] = crc;  // one zero byte
  }
  for (; count > 1; count /= 2) {  // a power of two: square
    std::array<std::uint32_t, 32> squared{};
    for (std::size_t bit = 0; bit < 32; ++bit) squared[bit] = times(matrix, matrix[bit]);
    matrix = squared;
  }
  Zeros zeros{};
  for (std::size_t byte = 0; byte < 4; ++byte)
    for (std::uint32_t value = 0; value < 256; ++value)
      zeros[byte][value] = times(matrix, value << (8 * byte));
  return zeros;
}

constexpr std::size_t long_run = 2048, short_run = 128;
constexpr Zeros after_long = make_zeros(long_run), after_short = make_zeros(short_run);

inline std::uint64_t shifted(const Zeros& zeros, std::uint64_t crc) {
  return zeros[0][crc & 255] ^ zeros[1][(crc >> 8) & 255] ^ zeros[2][(crc >> 16) & 255] ^
         zeros[3][(crc >> 24) & 255];
}

#if defined(__x86_64__)
bool has_instruction() { return __builtin_cpu_supports("sse4.2"); }
FEEDLINE_CRC_TARGET inline std::uint64_t add_word(std::uint64_t crc, std::uint64_t word) {
  return _mm_crc32_u64(crc, word);
}
FEEDLINE_CRC_TARGET inline std::uint64_t add_byte(std::uint64_t crc, std::uint8_t byte) {
  return _mm_crc32_u8(static_cast<std::uint32_t>(crc), byte);
}
#else
bool has_instruction() {
#if defined(__linux__)
  return (getauxval(AT_HWCAP) & (1u << 7)) != 0;  // HWCAP_CRC32
#else
  return true;  // every Apple processor
#endif
}
FEEDLINE_CRC_TARGET inline std::uint64_t add_word(std::uint64_t crc, std::uint64_t word) {
  return __crc32cd(static_cast<std::uint32_t>(crc), word);
}
FEEDLINE_CRC_TARGET inline std::uint64_t add_byte(std::uint64_t crc, std::uint8_t byte) {
  return __crc32cb(static_cast<std::uint32_t>(crc), byte);
}
#endif

const bool by_instruction = has_instruction();

// The instruction takes three cycles but can start in every one: three runs side by side.
template <std::size_t run>
FEEDLINE_CRC_TARGET inline std::uint64_t three_runs(std::uint64_t crc, const std::uint8_t*& at,
                                                    std::size_t& left, const Zeros& zeros) {
  while (left >= 3 * run) {
    std::uint64_t second = 0, third = 0;
    for (const std::uint8_t* end = at + run; at != end; at += 8) {
      crc = add_word(crc, word_at(at));
      second = add_word(second, word_at(at + run));
      third = add_word(third, word_at(at + 2 * run));
    }
    crc = shifted(zeros, crc) ^ second;
    crc = shifted(zeros, crc) ^ third;
    at += 2 * run;
    left -= 3 * run;
  }
  return crc;
}

// Adds the rest of some data to its checksum.
FEEDLINE_CRC_TARGET inline std::uint32_t crc32c_of_rest(std::uint64_t crc, const std::uint8_t* at,
                                                        std::size_t left) {
  crc = three_runs<long_run>(crc, at, left, after_long);
  crc = three_runs<short_run>(crc, at, left, after_short);
  for (; left >= 8; left -= 8, at += 8) crc = add_word(crc, word_at(at));
  for (; left > 0; --left, ++at) crc = add_byte(crc, *at);
  return ~static_cast<std::uint32_t>(crc);
}

FEEDLINE_CRC_TARGET std::uint32_t crc32c_by_instruction(std::span<const std::uint8_t> data) {
  return crc32c_of_rest(0xffffffffu, data.data(), data.size());
}

FEEDLINE_CRC_TARGET std::array<std::uint32_t, 3> three_by_instruction(
    const std::array<std::span<const std::uint8_t>, 3>& data) {
  const auto& [a, b, c] = data;
  const std::size_t together = std::min({a.size(), b.size(), c.size()}) / 8 * 8;
  std::uint64_t first = 0xffffffffu, second = first, third = first;
  for (std::size_t i = 0; i < together; i += 8) {
    first = add_word(first, word_at(a.data() + i));
    second = add_word(second, word_at(b.data() + i));
    third = add_word(third, word_at(c.data() + i));
  }
  return {crc32c_of_rest(first, a.data() + together, a.size() - together),
          crc32c_of_rest(second, b.data() + together, b.size() - together),
          crc32c_of_rest(third, c.data() + together, c.size() - together)};
}

#endif  // FEEDLINE_CRC_TARGET

}  // namespace

std::uint32_t crc32c_by_table(std::span<const std::uint8_t> data) {
  std::uint32_t crc = 0xffffffffu;
  const std::uint8_t* at = data.data();
  std::size_t left = data.size();
  for (; left >= 8; left -= 8, at += 8) {
    const std::uint64_t word = word_at(at) ^ crc;
    crc = 0;
    for (std::size_t byte = 0; byte < 8; ++byte)
      crc ^= tables[7 - byte][(word >> (8 * byte)) & 255];
  }
  for (; left > 0; --left, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 255];
  return ~crc;
}

std::uint32_t crc32c(std::span<const std::uint8_t> data) {
#ifdef FEEDLINE_CRC_TARGET
  if (by_instruction) return crc32c_by_instruction(data);
#endif
  return crc32c_by_table(data);
}

std::array<std::uint32_t, 3> crc32c_of_three(
    const std::array<std::span<const std::uint8_t>, 3>& data) {
#ifdef FEEDLINE_CRC_TARGET
  if (by_instruction) return three_by_instruction(data);
#endif
  return {crc32c_by_table(data[0]), crc32c_by_table(data[1]), crc32c_by_table(data[2])};
}

}  // namespace feedline
