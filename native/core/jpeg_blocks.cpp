#include "core/jpeg_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/jpeg_codes.h"
#include "core/jpeg_wide.h"

namespace feedline {
namespace {

constexpr int center = 128;
// Bits after the point: of scales, of what they are stored with, and of the result.
constexpr int scale_bits = 2, result_bits = scale_bits + 3;

}  // namespace

JpegScales jpeg_scales(std::span<const std::uint8_t, 64> quantities) {
  constexpr double pi = 3.14159265358979323846;
  std::array<double, 8> factors;
  for (int i = 0; i < 8; ++i)
    factors[static_cast<std::size_t>(i)] = i == 0 ? 1 : std::cos(i * pi / 16) * std::sqrt(2.0);
  JpegScales scales;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t place = jpeg_places[i];
    // In 14 bits first, as they are known to others.
    const auto factor = std::lround(factors[place / 8] * factors[place % 8] * (1 << 14));
    constexpr int shift = 14 - scale_bits;
    scales[place] =
        static_cast<std::int16_t>((quantities[i] * factor + (1 << (shift - 1))) >> shift);
  }
  return scales;
}

void write_flat_jpeg_block(const JpegBlock& block) {
  const auto scaled = static_cast<std::int16_t>(block.numbers[0] * (*block.scales)[0]);
  const int pixel = std::clamp((scaled >> result_bits) + center, 0, 255);
  for (std::size_t row = 0; row < 8; ++row)
    std::memset(block.out + row * block.row_stride, pixel, 8);
  block.numbers[0] = 0;
}

#if FEEDLINE_HAS_WIDE

namespace {

using Wide = __m256i;  // a half for each block

struct Rows {
  Wide at[8];

  FEEDLINE_WIDE_INLINE Wide operator[](std::size_t i) const { return at[i]; }
};

FEEDLINE_WIDE_INLINE Wide add(Wide a, Wide b) { return _mm256_add_epi16(a, b); }
FEEDLINE_WIDE_INLINE Wide sub(Wide a, Wide b) { return _mm256_sub_epi16(a, b); }

// x * constant / 256, rounded down.
template <int constant>
FEEDLINE_WIDE_INLINE Wide times(Wide x) {
  return _mm256_mulhi_epi16(_mm256_slli_epi16(x, 2), _mm256_set1_epi16(constant * (1 << 6)));
}

constexpr int by_1_082 = 277, by_1_414 = 362, by_1_848 = 473, by_1_613 = 413;

// The transform of each column.
FEEDLINE_WIDE_INLINE Rows transformed(const Rows& rows) {
  const Wide even_sum = add(rows[0], rows[4]), even_rest = sub(rows[0], rows[4]);
  const Wide pair = add(rows[2], rows[6]);
  const Wide turned = sub(times<by_1_414>(sub(rows[2], rows[6])), pair);
  const Wide a0 = add(even_sum, pair), a3 = sub(even_sum, pair);
  const Wide a1 = add(even_rest, turned), a2 = sub(even_rest, turned);

  const Wide z13 = add(rows[5], rows[3]), z10 = sub(rows[5], rows[3]);
  const Wide z11 = add(rows[1], rows[7]), z12 = sub(rows[1], rows[7]);
  const Wide b0 = add(z11, z13);
  const Wide z5 = times<by_1_848>(add(z10, z12));
  const Wide c0 = sub(times<by_1_082>(z12), z5);
  // -2.613, which is more than 16 bits can hold.
  const Wide c2 = add(sub(times<-by_1_613>(z10), z10), z5);
  const Wide b1 = sub(c2, b0);
  const Wide b2 = sub(times<by_1_414>(sub(z11, z13)), b1);
  const Wide b3 = add(c0, b2);

  return {{add(a0, b0), add(a1, b1), add(a2, b2), sub(a3, b3), add(a3, b3), sub(a2, b2),
           sub(a1, b1), sub(a0, b0)}};
}

FEEDLINE_WIDE_INLINE Rows mixed(const Rows& in) {
  return {{_mm256_unpacklo_epi16(in[0], in[4]), _mm256_unpackhi_epi16(in[0], in[4]),
           _mm256_unpacklo_epi16(in[1], in[5]), _mm256_unpackhi_epi16(in[1], in[5]),
           _mm256_unpacklo_epi16(in[2], in[6]), _mm256_unpackhi_epi16(in[2], in[6]),
           _mm256_unpacklo_epi16(in[3], in[7]), _mm256_unpackhi_epi16(in[3], in[7])}};
}

FEEDLINE_WIDE_INLINE Rows transposed(const Rows& rows) { return mixed(mixed(mixed(rows))); }

FEEDLINE_WIDE_INLINE Wide load_two(const std::int16_t* one, const std::int16_t* other) {
  return _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(other),
                             reinterpret_cast<const __m128i*>(one));
}

FEEDLINE_WIDE_INLINE void store_rows(const JpegBlock& block, std::size_t row, __m128i two) {
  std::uint8_t* const out = block.out + row * block.row_stride;
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), two);
  _mm_storeh_pd(reinterpret_cast<double*>(out + block.row_stride), _mm_castsi128_pd(two));
}

}  // namespace

FEEDLINE_WIDE void write_jpeg_blocks(const JpegBlock& one, const JpegBlock& other) {
  Rows rows;
  for (std::size_t i = 0; i < 8; ++i) {
    rows.at[i] = _mm256_mullo_epi16(
        load_two(one.numbers + 8 * i, other.numbers + 8 * i),
        load_two(one.scales->data() + 8 * i, other.scales->data() + 8 * i));
  }
  std::memset(one.numbers, 0, 128);
  std::memset(other.numbers, 0, 128);
  rows = transposed(transformed(transposed(transformed(rows))));
  const Wide middle = _mm256_set1_epi8(static_cast<char>(center));
  for (std::size_t i = 0; i < 8; i += 2) {
    const Wide two = _mm256_packs_epi16(_mm256_srai_epi16(rows[i], result_bits),
                                        _mm256_srai_epi16(rows[i + 1], result_bits));
    const Wide pixels = _mm256_xor_si256(two, middle);
    store_rows(one, i, _mm256_castsi256_si128(pixels));
    store_rows(other, i, _mm256_extracti128_si256(pixels, 1));
  }
}

#else

void write_jpeg_blocks(const JpegBlock&, const JpegBlock&) {}

#endif

}  // namespace feedline
