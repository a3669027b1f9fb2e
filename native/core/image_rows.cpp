#include "core/image_rows.h"

#include <algorithm>
#include <cstring>

#include "core/clones.h"

// Every operation is rounded as in the Python twin, none is fused.
namespace feedline {
namespace {

#if defined(__GNUC__)
typedef float Four __attribute__((vector_size(16)));
#else
struct Four {
  float at[4];
  friend Four operator+(Four a, Four b) {
    for (int i = 0; i < 4; ++i) a.at[i] += b.at[i];
    return a;
  }
  friend Four operator-(Four a, Four b) {
    for (int i = 0; i < 4; ++i) a.at[i] -= b.at[i];
    return a;
  }
  friend Four operator*(Four a, float b) {
    for (int i = 0; i < 4; ++i) a.at[i] *= b;
    return a;
  }
};
#endif

inline Four load(const float* from) {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}
inline void store(float* to, Four four) { std::memcpy(to, &four, sizeof four); }

}  // namespace

// ---- whole rows ----------------------------------------------------------------------

FEEDLINE_CLONES void to_floats(const std::uint8_t* from, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

FEEDLINE_CLONES void add_times(const float* from, float weight, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += weight * from[i];
}

FEEDLINE_CLONES void add_bytes_times(const std::uint8_t* from, float weight, float* to,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += weight * static_cast<float>(from[i]);
}

FEEDLINE_CLONES void lerp_rows(const float* top, const float* bottom, float part, float* to,
                               std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = top[i] + (bottom[i] - top[i]) * part;
}

FEEDLINE_CLONES void step_row(Step step, const float* constants, float* row, std::size_t count) {
  switch (step) {
    case Step::add:
      for (std::size_t i = 0; i < count; ++i) row[i] = row[i] + constants[i];
      break;
    case Step::subtract:
      for (std::size_t i = 0; i < count; ++i) row[i] = row[i] - constants[i];
      break;
    case Step::multiply:
      for (std::size_t i = 0; i < count; ++i) row[i] = row[i] * constants[i];
      break;
    case Step::divide:
      for (std::size_t i = 0; i < count; ++i) row[i] = row[i] / constants[i];
      break;
    case Step::at_least:
      for (std::size_t i = 0; i < count; ++i) row[i] = row[i] <= constants[i] ? constants[i] : row[i];
      break;
    case Step::at_most:
      for (std::size_t i = 0; i < count; ++i) row[i] = row[i] >= constants[i] ? constants[i] : row[i];
      break;
  }
}

// ---- along a row: places are those of numbers, not of pixels --------------------------

FEEDLINE_CLONES void lerp_columns(const float* row, const Lerps& lerps, std::size_t channels,
                                  float* to) {
  const std::size_t count = lerps.part.size();
  const std::int32_t *lower = lerps.lower.data(), *upper = lerps.upper.data();
  const float* part = lerps.part.data();
  if (channels == 3 || channels == 4) {
    for (std::size_t i = 0; i < count; ++i) {
      const Four left = load(row + lower[i]), right = load(row + upper[i]);
      store(to + i * channels, left + (right - left) * part[i]);
    }
  } else if (channels == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      const float left = row[lower[i]], right = row[upper[i]];
      to[i] = left + (right - left) * part[i];
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const float *left = row + lower[i], *right = row + upper[i];
      for (std::size_t c = 0; c < channels; ++c) {
        to[i * channels + c] = left[c] + (right[c] - left[c]) * part[i];
      }
    }
  }
}

FEEDLINE_CLONES void sum_columns(const float* row, const Taps& taps, std::size_t channels,
                                 std::int32_t last, float* to) {
  const std::size_t count = taps.starts.size(), size = taps.size;
  const auto step = static_cast<std::int32_t>(channels);
  for (std::size_t i = 0; i < count; ++i) {
    const float* weights = taps.weights.data() + i * size;
    std::int32_t place = taps.starts[i];
    if (channels == 3 || channels == 4) {
      Four sum{};
      for (std::size_t k = 0; k < size; ++k) {
        sum = sum + load(row + place) * weights[k];
        place = std::min(place + step, last);
      }
      store(to + i * channels, sum);
    } else {
      for (std::size_t c = 0; c < channels; ++c) to[i * channels + c] = 0.0f;
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t c = 0; c < channels; ++c) {
          to[i * channels + c] += row[static_cast<std::size_t>(place) + c] * weights[k];
        }
        place = std::min(place + step, last);
      }
    }
  }
}

FEEDLINE_CLONES void pick_columns(const float* row, std::span<const std::int32_t> places,
                                  std::size_t channels, float* to) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t c = 0; c < channels; ++c) {
      to[i * channels + c] = row[static_cast<std::size_t>(places[i]) + c];
    }
  }
}

}  // namespace feedline
