#include "core/box_muller.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "core/check.h"
#include "core/clones.h"

// Only operations that IEEE 754 rounds in one way, none of them fused, in the order of the
// Python twin: the numbers are the same on every machine. No branches and no integer
// conversions that a vector unit lacks, so that the loops below become vector code.
namespace feedline {
namespace {

constexpr double two_pi = 6.283185307179586;
constexpr double two_to_52 = 4503599627370496.0;
constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1;

inline double as_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }
inline std::uint64_t as_bits(double number) { return std::bit_cast<std::uint64_t>(number); }

template <std::size_t N>
inline double polynomial(double z, const double (&coefficients)[N]) {
  double sum = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * z + coefficients[i];
  return sum;
}

// The logarithm of a number in (0, 1), not smaller than 2**-64.
inline double log_of(double u) {
  constexpr double odd[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                            2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;  // sqrt(0.5)
  const std::uint64_t shifted = as_bits(u) - root_half + (std::uint64_t{64} << 52);
  const double exponent = as_double((shifted >> 52) | as_bits(two_to_52)) - (two_to_52 + 64.0);
  const double f = as_double((shifted & mantissa) + root_half) - 1.0;
  const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
  const double rest = z * polynomial(z, odd);
  return exponent * 0x1.62e42feep-1 -
         ((half - (s * (half + rest) + exponent * 0x1.a39ef35793c76p-33)) - f);
}

struct SinCos {
  double sin, cos;
};

// Sine and cosine of an angle in [0, 2 * pi].
inline SinCos sincos_of(double angle) {
  constexpr double sin_terms[] = {-1.0 / 6,         1.0 / 120,           -1.0 / 5040,
                                  1.0 / 362880,     -1.0 / 39916800,     1.0 / 6227020800,
                                  -1.0 / 1307674368000, 1.0 / 355687428096000};
  constexpr double cos_terms[] = {1.0 / 24,           -1.0 / 720,           1.0 / 40320,
                                  -1.0 / 3628800,     1.0 / 479001600,      -1.0 / 87178291200,
                                  1.0 / 20922789888000, -1.0 / 6402373705728000};
  const double rounded = angle * 0.6366197723675814 + two_to_52;
  const std::uint64_t quarter = as_bits(rounded);
  const double turns = rounded - two_to_52;
  const double first = angle - turns * 0x1.921fb544p+0, second = turns * 0x1.0b4611a6p-34;
  const double r = first - second;
  const double tail = ((first - r) - second) - turns * 0x1.3198a2e037073p-69;
  const double z = r * r, half = 0.5 * z, top = 1.0 - half;
  const double sin = r + (z * r * polynomial(z, sin_terms) + tail * top);
  const double cos =
      top + (((1.0 - top) - half) + (z * z * polynomial(z, cos_terms) - r * tail));
  const std::uint64_t swap = std::uint64_t{0} - (quarter & 1);
  const std::uint64_t s = (as_bits(cos) & swap) | (as_bits(sin) & ~swap);
  const std::uint64_t c = (as_bits(sin) & swap) | (as_bits(cos) & ~swap);
  return {as_double(s ^ ((quarter & 2) << 62)), as_double(c ^ (((quarter + 1) & 2) << 62))};
}

inline double fraction(std::uint32_t word) {
  return static_cast<double>(static_cast<std::int32_t>(word & 0x7FFFFF)) * 0x1p-23;
}

inline double fraction(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high & 0xFFFFF} << 32) | low;
  return as_double(bits | as_bits(1.0)) - 1.0;
}

FEEDLINE_CLONES void fill(const std::uint32_t* words, std::size_t pairs, float* out) {
  constexpr double least = 1e-7F;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double uniform = fraction(words[2 * i]);
    const float log = static_cast<float>(log_of(uniform < least ? least : uniform));
    const float radius = std::sqrt(-2.0F * log);
    const float angle = static_cast<float>(two_pi * fraction(words[2 * i + 1]));
    const SinCos at = sincos_of(static_cast<double>(angle));
    out[2 * i] = static_cast<float>(at.sin) * radius;
    out[2 * i + 1] = static_cast<float>(at.cos) * radius;
  }
}

FEEDLINE_CLONES void fill(const std::uint32_t* words, std::size_t pairs, double* out) {
  constexpr double least = 1e-7;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double uniform = fraction(words[4 * i], words[4 * i + 1]);
    const double radius = std::sqrt(-2.0 * log_of(uniform < least ? least : uniform));
    const SinCos at = sincos_of(two_pi * fraction(words[4 * i + 2], words[4 * i + 3]));
    out[2 * i] = at.sin * radius;
    out[2 * i + 1] = at.cos * radius;
  }
}

}  // namespace

void box_muller(std::span<const std::uint32_t> words, std::span<float> out) {
  check_same_length(words, out);
  check(words.size() % 2 == 0, "the number of words must be even");
  fill(words.data(), words.size() / 2, out.data());
}

void box_muller(std::span<const std::uint32_t> words, std::span<double> out) {
  check(words.size() % 4 == 0, "the number of words must be a multiple of 4");
  check(out.size() == words.size() / 2, "there must be one number for every two words");
  fill(words.data(), words.size() / 4, out.data());
}

}  // namespace feedline
