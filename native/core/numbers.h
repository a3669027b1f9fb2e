// numbers: text as numbers, as in feedline/kernels/parse_numbers.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// The text of one number, with white space around it or not.
struct NumberText {
  const char* begin;
  const char* end;
};

// Reads one number; false, and nothing written, if the text is none or does not fit.
bool parse_integer(NumberText text, std::int64_t& out);
bool parse_float(NumberText text, float& out);
bool parse_float(NumberText text, double& out);

// Every number is the text from starts[i] to stops[i] of `data`. Writes 1 to `is_number` where
// the text is one that fits, 0 where not, and the number or 0 to `out`.
// Throws std::invalid_argument if a text is not inside `data`.
void parse_integers(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                    std::span<const std::int64_t> stops, std::int64_t lowest,
                    std::int64_t highest, std::span<std::int64_t> out,
                    std::span<std::uint8_t> is_number);

// Rounded to the nearest; what is too large becomes infinite, what is too small becomes 0.
void parse_floats(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                  std::span<const std::int64_t> stops, std::span<float> out,
                  std::span<std::uint8_t> is_number);
void parse_floats(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                  std::span<const std::int64_t> stops, std::span<double> out,
                  std::span<std::uint8_t> is_number);

}  // namespace feedline
