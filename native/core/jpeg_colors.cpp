#include "core/jpeg_colors.h"

#include <cstring>

#include "core/jpeg_wide.h"

#if FEEDLINE_HAS_WIDE

namespace feedline {
namespace {

using Wide = __m256i;  // in two halves, which do not mix

// In units of 1/65536: what is added to whole multiples of Cr and Cb.
constexpr int red_of_cr = 26345;     // 1.402 - 1
constexpr int blue_of_cb = -14942;   // 1.772 - 2
constexpr int green_of_cb = -22554;  // -0.34414
constexpr int green_of_cr = 18734;   // -0.71414 + 1

FEEDLINE_WIDE_INLINE Wide load(const void* at) {
  return _mm256_loadu_si256(static_cast<const Wide*>(at));
}
FEEDLINE_WIDE_INLINE void store(void* at, Wide value) {
  _mm256_storeu_si256(static_cast<Wide*>(at), value);
}
FEEDLINE_WIDE_INLINE Wide low(Wide bytes) {
  return _mm256_unpacklo_epi8(bytes, _mm256_setzero_si256());
}
FEEDLINE_WIDE_INLINE Wide high(Wide bytes) {
  return _mm256_unpackhi_epi8(bytes, _mm256_setzero_si256());
}
FEEDLINE_WIDE_INLINE Wide all(int number) { return _mm256_set1_epi16(static_cast<short>(number)); }
FEEDLINE_WIDE_INLINE Wide add(Wide a, Wide b) { return _mm256_add_epi16(a, b); }
FEEDLINE_WIDE_INLINE Wide sub(Wide a, Wide b) { return _mm256_sub_epi16(a, b); }
FEEDLINE_WIDE_INLINE Wide three_times(Wide x) { return add(add(x, x), x); }

// x * constant / 65536, rounded to the next.
FEEDLINE_WIDE_INLINE Wide share(Wide x, int constant) {
  return _mm256_srai_epi16(add(_mm256_mulhi_epi16(add(x, x), all(constant)), all(1)), 1);
}

// The shares of Cb and Cr in green, of both side by side.
FEEDLINE_WIDE_INLINE Wide green_share(Wide both) {
  const auto constants = static_cast<std::uint32_t>(green_of_cr) << 16 | (green_of_cb & 0xffff);
  const Wide sums = _mm256_madd_epi16(both, _mm256_set1_epi32(static_cast<int>(constants)));
  return _mm256_srai_epi32(_mm256_add_epi32(sums, _mm256_set1_epi32(1 << 15)), 16);
}

struct Colors {
  Wide red, green, blue;
};

FEEDLINE_WIDE_INLINE Colors colors_of(Wide y, Wide cb, Wide cr) {
  const Wide mixed = _mm256_packs_epi32(green_share(_mm256_unpacklo_epi16(cb, cr)),
                                        green_share(_mm256_unpackhi_epi16(cb, cr)));
  return {add(add(y, cr), share(cr, red_of_cr)), add(sub(y, cr), mixed),
          add(add(y, add(cb, cb)), share(cb, blue_of_cb))};
}

struct Picks {
  char red[16], green[16], blue[16];
};

constexpr char no = -1;
// Which of 16 pixels the bytes of each third of what is written are.
constexpr Picks picks[3] = {
    {{0, no, no, 1, no, no, 2, no, no, 3, no, no, 4, no, no, 5},
     {no, 0, no, no, 1, no, no, 2, no, no, 3, no, no, 4, no, no},
     {no, no, 0, no, no, 1, no, no, 2, no, no, 3, no, no, 4, no}},
    {{no, no, 6, no, no, 7, no, no, 8, no, no, 9, no, no, 10, no},
     {5, no, no, 6, no, no, 7, no, no, 8, no, no, 9, no, no, 10},
     {no, 5, no, no, 6, no, no, 7, no, no, 8, no, no, 9, no, no}},
    {{no, 11, no, no, 12, no, no, 13, no, no, 14, no, no, 15, no, no},
     {no, no, 11, no, no, 12, no, no, 13, no, no, 14, no, no, 15, no},
     {10, no, no, 11, no, no, 12, no, no, 13, no, no, 14, no, no, 15}}};

FEEDLINE_WIDE_INLINE Wide picked(Wide bytes, const char* places) {
  const auto both = _mm_loadu_si128(reinterpret_cast<const __m128i*>(places));
  return _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(both));
}

// 32 pixels of one byte each to 96 bytes.
FEEDLINE_WIDE_INLINE void store_pixels(const Colors& pixels, std::uint8_t* out) {
  Wide parts[3];
  for (int i = 0; i < 3; ++i) {
    parts[i] = _mm256_or_si256(
        _mm256_or_si256(picked(pixels.red, picks[i].red), picked(pixels.green, picks[i].green)),
        picked(pixels.blue, picks[i].blue));
  }
  store(out, _mm256_permute2x128_si256(parts[0], parts[1], 0x20));
  store(out + 32, _mm256_permute2x128_si256(parts[2], parts[0], 0x30));
  store(out + 64, _mm256_permute2x128_si256(parts[1], parts[2], 0x31));
}

}  // namespace

bool has_jpeg_colors() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

FEEDLINE_WIDE void widen_jpeg_row(std::uint8_t* row, std::size_t width, std::uint8_t* out) {
  row[-1] = row[0];
  row[width] = row[width - 1];
  for (std::size_t i = 0; i < width; i += 32, out += 64) {
    const Wide left = load(row + i - 1), here = load(row + i), right = load(row + i + 1);
    const Wide first = three_times(low(here)), second = three_times(high(here));
    const Wide evens = _mm256_packus_epi16(
        _mm256_srli_epi16(add(add(first, low(left)), all(1)), 2),
        _mm256_srli_epi16(add(add(second, high(left)), all(1)), 2));
    const Wide odds = _mm256_packus_epi16(
        _mm256_srli_epi16(add(add(first, low(right)), all(2)), 2),
        _mm256_srli_epi16(add(add(second, high(right)), all(2)), 2));
    const Wide a = _mm256_unpacklo_epi8(evens, odds), b = _mm256_unpackhi_epi8(evens, odds);
    store(out, _mm256_permute2x128_si256(a, b, 0x20));
    store(out + 32, _mm256_permute2x128_si256(a, b, 0x31));
  }
}

FEEDLINE_WIDE void widen_jpeg_rows(const std::uint8_t* near, const std::uint8_t* far,
                                   std::size_t width, std::int16_t* sums, std::uint8_t* out) {
  for (std::size_t i = 0; i < width; i += 16) {
    const Wide most = _mm256_cvtepu8_epi16(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(near + i)));
    const Wide rest =
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(far + i)));
    store(sums + i, add(three_times(most), rest));
  }
  sums[-1] = sums[0];
  sums[width] = sums[width - 1];
  for (std::size_t i = 0; i < width; i += 16, out += 32) {
    const Wide three = three_times(load(sums + i));
    const Wide evens = _mm256_srli_epi16(add(add(three, load(sums + i - 1)), all(8)), 4);
    const Wide odds = _mm256_srli_epi16(add(add(three, load(sums + i + 1)), all(7)), 4);
    // Each is less than 256: the odd ones are put into the upper bytes.
    store(out, _mm256_or_si256(evens, _mm256_slli_epi16(odds, 8)));
  }
}

FEEDLINE_WIDE void write_jpeg_pixels(const std::uint8_t* y, const std::uint8_t* cb,
                                     const std::uint8_t* cr, std::size_t width,
                                     std::uint8_t* out) {
  const Wide center = all(128);
  for (std::size_t i = 0; i < width; i += 32) {
    const Wide ys = load(y + i), cbs = load(cb + i), crs = load(cr + i);
    const Colors first = colors_of(low(ys), sub(low(cbs), center), sub(low(crs), center));
    const Colors second = colors_of(high(ys), sub(high(cbs), center), sub(high(crs), center));
    const Colors pixels{_mm256_packus_epi16(first.red, second.red),
                        _mm256_packus_epi16(first.green, second.green),
                        _mm256_packus_epi16(first.blue, second.blue)};
    if (width - i >= 32) {
      store_pixels(pixels, out + 3 * i);
    } else {
      std::uint8_t last[96];
      store_pixels(pixels, last);
      std::memcpy(out + 3 * i, last, 3 * (width - i));
    }
  }
}

}  // namespace feedline

#else

namespace feedline {

bool has_jpeg_colors() { return false; }
void widen_jpeg_row(std::uint8_t*, std::size_t, std::uint8_t*) {}
void widen_jpeg_rows(const std::uint8_t*, const std::uint8_t*, std::size_t, std::int16_t*,
                     std::uint8_t*) {}
void write_jpeg_pixels(const std::uint8_t*, const std::uint8_t*, const std::uint8_t*, std::size_t,
                       std::uint8_t*) {}

}  // namespace feedline

#endif
