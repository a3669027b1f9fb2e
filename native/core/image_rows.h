// image_rows: what is done to the numbers of a row of pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/image.h"
#include "core/taps.h"

namespace feedline {

// Room after a row: pixels of three numbers are read and written as four.
inline constexpr std::size_t spare = 4;

// ---- whole rows ----------------------------------------------------------------------

void to_floats(const std::uint8_t* from, float* to, std::size_t count);
void add_times(const float* from, float weight, float* to, std::size_t count);
void add_bytes_times(const std::uint8_t* from, float weight, float* to, std::size_t count);
void lerp_rows(const float* top, const float* bottom, float part, float* to, std::size_t count);
void step_row(Step step, const float* constants, float* row, std::size_t count);

// ---- along a row: places are those of numbers, not of pixels --------------------------

void lerp_columns(const float* row, const Lerps& lerps, std::size_t channels, float* to);
// Places beyond `last` are taken for it.
void sum_columns(const float* row, const Taps& taps, std::size_t channels, std::int32_t last,
                 float* to);
void pick_columns(const float* row, std::span<const std::int32_t> places, std::size_t channels,
                  float* to);

}  // namespace feedline
