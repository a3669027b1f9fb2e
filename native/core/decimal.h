// decimal: numbers as people write them, read to the last bit without a table of approximations.
//
// Up to 19 digits and a power of ten that is not extreme: then digits and power are integers of
// 64 bits, their product or quotient is known exactly, and is rounded once. Everything else is
// left to others.
#pragma once

#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace feedline {

// digits * 10^exponent, with a sign.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
  bool negative = false;
};

constexpr bool is_decimal_digit(char byte) { return static_cast<unsigned char>(byte - '0') < 10; }

// The number that eight digits say, each of which is a byte from 0 to 9, the first the lowest.
constexpr std::uint64_t eight_digits(std::uint64_t word) {
  word = word * 10 + (word >> 8);  // pairs, in every other byte
  constexpr std::uint64_t mask = 0x000000ff000000ffu;
  return ((word & mask) * 0x000f424000000064u + (word >> 16 & mask) * 0x0000271000000001u) >> 32;
}

// Reads digits up to the first byte that is none, eight at a time while there are so many bytes.
inline const char* read_digits(const char* at, const char* end, std::uint64_t& digits) {
  constexpr std::uint64_t tens_of[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  while (std::endian::native == std::endian::little && end - at >= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    word ^= 0x3030303030303030u;
    // The top bit of the first byte that is no digit is set, of those before it none.
    const std::uint64_t others = (word | (word + 0x7676767676767676u)) & 0x8080808080808080u;
    if (others == 0) {
      digits = digits * tens_of[8] + eight_digits(word);
      at += 8;
      continue;
    }
    const int count = std::countr_zero(others) / 8;
    if (count != 0) digits = digits * tens_of[count] + eight_digits(word << (64 - 8 * count));
    return at + count;
  }
  for (; at != end && is_decimal_digit(*at); ++at)
    digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

// Reads the number that begins at `at`. Returns where it ends; null if there is none, or more
// digits than fit.
inline const char* read_decimal(const char* at, const char* end, Decimal& out) {
  constexpr std::ptrdiff_t most_digits = 19;
  if (at == end) return nullptr;
  // Without a branch: nobody can guess signs.
  out.negative = *at == '-';
  at += (out.negative ? 1 : 0) | (*at == '+' ? 1 : 0);
  std::uint64_t digits = 0;
  const char* const first = at;
  // Few digits stand before a point.
  for (; at != end && is_decimal_digit(*at); ++at)
    digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
  std::ptrdiff_t count = at - first;
  int exponent = 0;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    at = read_digits(at, end, digits);
    count += at - fraction;
    if (count > most_digits) return nullptr;
    exponent = static_cast<int>(fraction - at);
  }
  if (count == 0 || count > most_digits) return nullptr;
  if (at != end && (*at | 0x20) == 'e') {
    ++at;
    const bool is_down = at != end && *at == '-';
    if (is_down || (at != end && *at == '+')) ++at;
    const char* const power = at;
    std::uint64_t size = 0;
    // No more than fit: what has so large a power is not read here.
    for (; at != end && is_decimal_digit(*at) && at - power < 5; ++at)
      size = size * 10 + static_cast<std::uint64_t>(*at - '0');
    if (at == power || at - power == 5) return nullptr;
    exponent += static_cast<int>(is_down ? -static_cast<std::int64_t>(size)
                                         : static_cast<std::int64_t>(size));
  }
  out.digits = digits;
  out.exponent = exponent;
  return at;
}

// Powers of five that fit 64 bits.
constexpr int most_fives = 27;
struct PowersOfFive {
  std::uint64_t of[most_fives + 1] = {1};
  constexpr PowersOfFive() {
    for (int i = 1; i <= most_fives; ++i) of[i] = of[i - 1] * 5;
  }
};
inline constexpr PowersOfFive fives;

template <class T>
struct PowersOfTen {
  // Powers of ten that T holds exactly.
  static constexpr int most = std::numeric_limits<T>::digits == 24 ? 10 : 22;
  T of[most + 1] = {1};
  constexpr PowersOfTen() {
    for (int i = 1; i <= most; ++i) of[i] = of[i - 1] * 10;
  }
};
template <class T>
inline constexpr PowersOfTen<T> tens{};

#ifdef __SIZEOF_INT128__
// Rounds `bits` * 2^exponent to the nearest, to even where it lies between two. The top bit of
// `bits` or the one below it is set; `more` says that it is a little more than that. The result
// must be neither too small nor too large to have all its digits.
template <class T>
T rounded(std::uint64_t bits, bool more, int exponent) {
  const int up = std::countl_zero(bits);
  bits <<= up;
  exponent -= up;
  constexpr int kept = std::numeric_limits<T>::digits, dropped = 64 - kept;
  const std::uint64_t rest = bits & ((std::uint64_t{1} << dropped) - 1);
  constexpr std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  std::uint64_t found = bits >> dropped;
  if (rest > half || (rest == half && (more || (found & 1)))) ++found;  // 2^kept is exact too
  // 2^exponent, written as its own bits; the sum of both stays normal.
  using Bits = std::conditional_t<kept == 24, std::uint32_t, std::uint64_t>;
  const int power = exponent + dropped + std::numeric_limits<T>::max_exponent - 1;
  return static_cast<T>(found) * std::bit_cast<T>(static_cast<Bits>(static_cast<Bits>(power)
                                                                    << (kept - 1)));
}

template <class T>
bool nearest_of_integers(const Decimal& number, T& out) {
  __extension__ using Wide = unsigned __int128;
  constexpr int largest = std::numeric_limits<T>::digits == 24 ? 19 : most_fives;
  if (number.exponent < -most_fives || number.exponent > largest) return false;
  const int up = std::countl_zero(number.digits);
  const std::uint64_t digits = number.digits << up;
  if (number.exponent >= 0) {
    const Wide product = Wide{digits} * fives.of[number.exponent];
    const auto high = static_cast<std::uint64_t>(product >> 64);
    const auto low = static_cast<std::uint64_t>(product);
    const int power = number.exponent - up;
    if (high == 0) {
      out = rounded<T>(low, false, power);
    } else {
      const int shift = std::countl_zero(high);
      const std::uint64_t bits = shift == 0 ? high : high << shift | low >> (64 - shift);
      out = rounded<T>(bits, (shift == 0 ? low : low << shift) != 0, power + 64 - shift);
    }
  } else {
    const std::uint64_t five = fives.of[-number.exponent];
    const int five_up = std::countl_zero(five);
    const std::uint64_t divisor = five << five_up;
    // Below 2^127, and its high half below the divisor: the quotient has 63 or 64 bits.
    const Wide dividend = Wide{digits} << 63;
    const auto quotient = static_cast<std::uint64_t>(dividend / divisor);
    const bool more = dividend % divisor != 0;
    out = rounded<T>(quotient, more, number.exponent - up - 63 + five_up);
  }
  return true;
}
#else
template <class T>
bool nearest_of_integers(const Decimal&, T&) {
  return false;
}
#endif

// Writes the T nearest to a number; false if that is not known here.
template <class T>
bool nearest(const Decimal& number, T& out) {
  constexpr std::uint64_t exact = std::uint64_t{1} << std::numeric_limits<T>::digits;
  constexpr auto& ten = tens<T>.of;
  constexpr int most = PowersOfTen<T>::most;
  T value = 0;
  if (number.digits == 0) {
    value = 0;
  } else if (FLT_EVAL_METHOD == 0 && number.digits <= exact && number.exponent >= -most &&
             number.exponent <= most) {
    // Both are exact, so the one operation rounds rightly.
    value = static_cast<T>(number.digits);
    value = number.exponent < 0 ? value / ten[-number.exponent] : value * ten[number.exponent];
  } else if (!nearest_of_integers(number, value)) {
    return false;
  }
  out = number.negative ? -value : value;
  return true;
}

}  // namespace feedline
