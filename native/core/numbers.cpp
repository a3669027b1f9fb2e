#include "core/numbers.h"

#include <charconv>
#include <cstddef>
#include <limits>

#include "core/check.h"
#include "core/decimal.h"

namespace feedline {
namespace {

using Text = NumberText;

bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

Text stripped(Text text) {
  while (text.begin != text.end && is_space(*text.begin)) ++text.begin;
  while (text.begin != text.end && is_space(text.end[-1])) --text.end;
  return text;
}

// Takes the sign off the front; returns whether it was a minus.
bool take_sign(Text& text) {
  const bool negative = text.begin != text.end && *text.begin == '-';
  if (negative || (text.begin != text.end && *text.begin == '+')) ++text.begin;
  return negative;
}

bool is_sign(char byte) { return byte == '+' || byte == '-'; }

}  // namespace

bool parse_integer(Text text, std::int64_t& out) {
  text = stripped(text);
  const bool negative = take_sign(text);
  if (text.begin == text.end || is_sign(*text.begin)) return false;
  std::uint64_t size = 0;
  const auto [stop, failed] = std::from_chars(text.begin, text.end, size);
  if (failed != std::errc() || stop != text.end) return false;
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (size > highest + (negative ? 1 : 0)) return false;
  out = static_cast<std::int64_t>(negative ? 0 - size : size);
  return true;
}

namespace {

bool is_digit(char byte, bool hex) {
  if (byte >= '0' && byte <= '9') return true;
  const char lower = static_cast<char>(byte | 0x20);
  return hex && lower >= 'a' && lower <= 'f';
}

// Whether a number that has no finite, nonzero value in its type is too large, not too small.
bool is_large(Text text, bool hex) {
  std::int64_t digits = 0;  // before the point, from the first that is not 0; or zeros after it
  bool seen = false, after_point = false;
  const char* at = text.begin;
  for (; at != text.end && (*at == '.' || is_digit(*at, hex)); ++at) {
    if (*at == '.') {
      after_point = true;
    } else {
      seen = seen || *at != '0';
      if (seen && !after_point) ++digits;
      if (!seen && after_point) --digits;
    }
  }
  std::int64_t exponent = 0;
  if (at != text.end) {
    Text rest{at + 1, text.end};
    const bool negative = take_sign(rest);
    // Far more than any text has digits, far less than would overflow.
    constexpr std::int64_t most = std::int64_t{1} << 55;
    for (at = rest.begin; at != rest.end; ++at)
      exponent = exponent > most / 10 ? most : exponent * 10 + (*at - '0');
    if (negative) exponent = -exponent;
  }
  return exponent + digits * (hex ? 4 : 1) > 0;
}

template <class T>
bool parse_any_float(Text text, T& out) {
  text = stripped(text);
  const bool negative = take_sign(text);
  if (text.begin == text.end || is_sign(*text.begin)) return false;
  const bool hex = text.end - text.begin > 2 && text.begin[0] == '0' && (text.begin[1] | 0x20) == 'x';
  if (hex) {
    text.begin += 2;
    if (!is_digit(*text.begin, true) && *text.begin != '.') return false;
    // Some standard libraries take two signs for one in front of a power of two.
    for (const char* at = text.begin; at != text.end; ++at)
      if (is_sign(*at) && (at + 1 == text.end || is_sign(at[1]))) return false;
  }
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  T value = 0;
  const auto [stop, failed] = std::from_chars(text.begin, text.end, value, format);
  if (stop != text.end || failed == std::errc::invalid_argument) return false;
  if (failed == std::errc::result_out_of_range)
    value = is_large(text, hex) ? std::numeric_limits<T>::infinity() : T{0};
  out = negative ? -value : value;
  return true;
}

// Nearly all numbers are digits with a point: those are read without asking what else they are.
template <class T>
bool parse_plain_or_any(Text text, T& out) {
  Decimal number;
  const char* const stop = read_decimal(text.begin, text.end, number);
  return (stop == text.end && stop != nullptr && nearest(number, out)) ||
         parse_any_float(text, out);
}

template <class T, class Parse>
void parse_all(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
               std::span<const std::int64_t> stops, std::span<T> out,
               std::span<std::uint8_t> is_number, const Parse& parse) {
  check_same_length(starts, stops);
  check_same_length(starts, out);
  check_same_length(starts, is_number);
  const auto length = static_cast<std::int64_t>(data.size());
  const auto* const text = reinterpret_cast<const char*>(data.data());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    check(0 <= starts[i] && starts[i] <= stops[i] && stops[i] <= length,
          "a text must be inside the data");
    T value = 0;
    const bool parsed = parse(Text{text + starts[i], text + stops[i]}, value);
    out[i] = parsed ? value : T{0};
    is_number[i] = parsed;
  }
}

}  // namespace

bool parse_float(Text text, float& out) { return parse_plain_or_any(text, out); }
bool parse_float(Text text, double& out) { return parse_plain_or_any(text, out); }

void parse_integers(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                    std::span<const std::int64_t> stops, std::int64_t lowest,
                    std::int64_t highest, std::span<std::int64_t> out,
                    std::span<std::uint8_t> is_number) {
  parse_all(data, starts, stops, out, is_number, [&](Text text, std::int64_t& value) {
    return parse_integer(text, value) && lowest <= value && value <= highest;
  });
}

void parse_floats(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                  std::span<const std::int64_t> stops, std::span<float> out,
                  std::span<std::uint8_t> is_number) {
  parse_all(data, starts, stops, out, is_number, parse_plain_or_any<float>);
}

void parse_floats(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                  std::span<const std::int64_t> stops, std::span<double> out,
                  std::span<std::uint8_t> is_number) {
  parse_all(data, starts, stops, out, is_number, parse_plain_or_any<double>);
}

}  // namespace feedline
