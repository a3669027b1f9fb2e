#include "core/taps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/check.h"

// Every operation is rounded to float where the Python twin does so, none is fused.
namespace feedline {
namespace {

constexpr float smallest_sum = 1000.0f * std::numeric_limits<float>::min();

void check_axes(std::int64_t in, std::int64_t out) {
  check(in > 0 && out > 0, "an axis must have at least one number");
  check(in <= longest_axis && out <= longest_axis, "an axis is too long");
}

float scale_of(std::int64_t in, std::int64_t out) {
  return static_cast<float>(in) / static_cast<float>(out);
}

float half_pixel(std::int64_t place, float scale) {
  return (static_cast<float>(place) + 0.5f) * scale - 0.5f;
}

// ---- kernels: the weight of a number at distance x, which is not negative ----------------

float lanczos(float x, float radius) {
  constexpr float pi = 3.14159265359f;
  if (x > radius) return 0.0f;
  if (x <= 1e-3f) return 1.0f;
  // Sines in double precision: rounded to float they are the same in Python.
  const auto first = static_cast<float>(std::sin(static_cast<double>(pi * x)));
  const auto second = static_cast<float>(std::sin(static_cast<double>(pi * x / radius)));
  return radius * first * second / (pi * pi * x * x);
}

float gaussian(float x) {
  if (x >= 1.5f) return 0.0f;
  return static_cast<float>(std::exp(static_cast<double>(-x * x) / 0.5));
}

float triangle(float x) { return x < 1.0f ? 1.0f - x : 0.0f; }

float keys_cubic(float x) {
  if (x >= 2.0f) return 0.0f;
  if (x >= 1.0f) return ((-0.5f * x + 2.5f) * x - 4.0f) * x + 2.0f;
  return ((1.5f * x - 2.5f) * x) * x + 1.0f;
}

float mitchell_cubic(float x) {
  if (x >= 2.0f) return 0.0f;
  if (x >= 1.0f) {
    return (((-7.0f / 18.0f) * x + 2.0f) * x - 10.0f / 3.0f) * x + 16.0f / 9.0f;
  }
  return (((7.0f / 6.0f) * x - 2.0f) * x) * x + 8.0f / 9.0f;
}

float weight_at(Method method, float x) {
  switch (method) {
    case Method::lanczos3: return lanczos(x, 3.0f);
    case Method::lanczos5: return lanczos(x, 5.0f);
    case Method::gaussian: return gaussian(x);
    case Method::triangle: return triangle(x);
    case Method::keyscubic: return keys_cubic(x);
    default: return mitchell_cubic(x);
  }
}

float radius_of(Method method) {
  switch (method) {
    case Method::lanczos3: return 3.0f;
    case Method::lanczos5: return 5.0f;
    case Method::gaussian: return 1.5f;
    case Method::triangle: return 1.0f;
    default: return 2.0f;
  }
}

// A view that repeats one row can claim to be longer than any memory: weights need some.
constexpr std::size_t most_weights = std::size_t{1} << 28;

void resize_taps(Taps& taps, std::size_t size, std::int64_t out) {
  check(size <= most_weights / static_cast<std::size_t>(out), "an axis is too long to resize");
  taps.size = size;
  taps.starts.assign(static_cast<std::size_t>(out), 0);
  taps.weights.assign(static_cast<std::size_t>(out) * size, 0.0f);
}

// A kernel is laid over the axis, made wider where numbers are left out.
void kernel_taps(Method method, std::int64_t in, std::int64_t out, bool antialias, Taps& taps) {
  const float scale = static_cast<float>(out) / static_cast<float>(in);
  const auto inverse = static_cast<float>(1.0 / static_cast<double>(scale));
  const float wider = antialias ? std::max(inverse, 1.0f) : 1.0f;
  const float reach = radius_of(method) * wider, narrower = 1.0f / wider;
  const auto widest = 2 * static_cast<std::int64_t>(std::ceil(reach)) + 1;
  const auto size = static_cast<std::size_t>(std::min(widest, in));
  resize_taps(taps, size, out);
  for (std::int64_t i = 0; i < out; ++i) {
    const float centre = (static_cast<float>(i) + 0.5f) * inverse;
    if (centre > static_cast<float>(in)) continue;
    const auto first = static_cast<std::int64_t>(std::ceil(centre - reach - 0.5f));
    const auto last = static_cast<std::int64_t>(std::floor(centre + reach - 0.5f));
    const std::int64_t start = std::clamp<std::int64_t>(first, 0, in - 1);
    const std::int64_t stop = std::clamp<std::int64_t>(last, 0, in - 1) + 1;
    const auto count = std::min(size, static_cast<std::size_t>(std::max<std::int64_t>(
                                          stop - start, 0)));
    float* weights = taps.weights.data() + static_cast<std::size_t>(i) * size;
    float sum = 0.0f;
    for (std::size_t k = 0; k < count; ++k) {
      const float from = static_cast<float>(start + static_cast<std::int64_t>(k)) + 0.5f - centre;
      weights[k] = weight_at(method, std::abs(from * narrower));
      sum += weights[k];
    }
    const bool has_sum = std::abs(sum) >= smallest_sum;
    const float part = has_sum ? 1.0f / sum : 0.0f;
    for (std::size_t k = 0; k < count; ++k) weights[k] = has_sum ? weights[k] * part : 0.0f;
    taps.starts[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(start);
  }
}

// ---- bicubic: four numbers, with weights out of a table of 1,024 places ------------------

constexpr int table_size = 1024;

std::array<float, (table_size + 1) * 2> cubic_table() {
  constexpr double a = -0.5;
  std::array<float, (table_size + 1) * 2> table{};
  for (std::size_t i = 0; i <= table_size; ++i) {
    double x = static_cast<double>(i) / table_size;
    table[2 * i] = static_cast<float>(((a + 2) * x - (a + 3)) * x * x + 1);
    x += 1.0;
    table[2 * i + 1] = static_cast<float>(((a * x - 5 * a) * x + 8 * a) * x - 4 * a);
  }
  return table;
}

void cubic_taps(std::int64_t in, std::int64_t out, Taps& taps) {
  static const auto table = cubic_table();
  const float scale = scale_of(in, out);
  const auto size = static_cast<std::size_t>(std::min<std::int64_t>(4, in));
  resize_taps(taps, size, out);
  for (std::int64_t i = 0; i < out; ++i) {
    const float at = half_pixel(i, scale);
    const float low = std::floor(at);
    const auto place = static_cast<std::size_t>(std::nearbyint((at - low) * table_size));
    const std::array<float, 4> found = {table[2 * place + 1], table[2 * place],
                                        table[2 * (table_size - place)],
                                        table[2 * (table_size - place) + 1]};
    const auto first = static_cast<std::int64_t>(low) - 1;
    const auto inside = [&](std::int64_t k) { return first + k >= 0 && first + k < in; };
    float sum = 0.0f;
    for (std::int64_t k = 0; k < 4; ++k) {
      sum += inside(k) ? found[static_cast<std::size_t>(k)] : 0.0f;
    }
    const float part = std::abs(sum) >= smallest_sum ? 1.0f / sum : 1.0f;
    const std::int64_t start = std::clamp<std::int64_t>(first, 0, in - static_cast<std::int64_t>(size));
    float* weights = taps.weights.data() + static_cast<std::size_t>(i) * size;
    for (std::int64_t k = 0; k < 4; ++k) {
      if (!inside(k) || first + k < start) continue;
      weights[first + k - start] = found[static_cast<std::size_t>(k)] * part;
    }
    taps.starts[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(start);
  }
}

// ---- area: how much of each number lies inside -------------------------------------------

float share(std::int64_t place, float from, float to, float scale) {
  const auto low = static_cast<float>(place), high = static_cast<float>(place + 1);
  if (low < from) return high > to ? scale : high - from;
  return high > to ? to - low : 1.0f;
}

void area_taps(std::int64_t in, std::int64_t out, Taps& taps) {
  const float scale = scale_of(in, out);
  const auto from = [&](std::int64_t i) { return static_cast<float>(i) * scale; };
  const auto first = [&](std::int64_t i) { return static_cast<std::int64_t>(std::floor(from(i))); };
  const auto stop = [&](std::int64_t i) {
    return static_cast<std::int64_t>(std::ceil(from(i + 1)));
  };
  std::int64_t widest = 1;
  for (std::int64_t i = 0; i < out; ++i) widest = std::max(widest, stop(i) - first(i));
  const auto size = static_cast<std::size_t>(widest);
  resize_taps(taps, size, out);
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t start = first(i);
    float* weights = taps.weights.data() + static_cast<std::size_t>(i) * size;
    for (std::int64_t k = start; k < std::max(stop(i), start + 1); ++k) {
      weights[k - start] = share(k, from(i), from(i + 1), scale);
    }
    taps.starts[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(std::min(start, in - 1));
  }
}

}  // namespace

void nearest_places(std::int64_t in, std::int64_t out, std::vector<std::int32_t>& places) {
  check_axes(in, out);
  const float scale = scale_of(in, out);
  places.resize(static_cast<std::size_t>(out));
  for (std::int64_t i = 0; i < out; ++i) {
    const float at = (static_cast<float>(i) + 0.5f) * scale;
    const auto place = static_cast<std::int64_t>(std::floor(at));
    places[static_cast<std::size_t>(i)] =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(place, 0, in - 1));
  }
}

void make_lerps(std::int64_t in, std::int64_t out, Lerps& lerps) {
  check_axes(in, out);
  const float scale = scale_of(in, out);
  const auto count = static_cast<std::size_t>(out);
  lerps.lower.resize(count);
  lerps.upper.resize(count);
  lerps.part.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float at = half_pixel(static_cast<std::int64_t>(i), scale);
    const float low = std::floor(at);
    const auto lower = static_cast<std::int64_t>(low);
    const auto upper = static_cast<std::int64_t>(std::ceil(at));
    lerps.lower[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(lower, 0, in - 1));
    lerps.upper[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(upper, 0, in - 1));
    lerps.part[i] = at - low;
  }
}

void make_taps(Method method, std::int64_t in, std::int64_t out, bool antialias, Taps& taps) {
  check_axes(in, out);
  check(method != Method::nearest && method != Method::bilinear, "this method has no taps");
  if (method == Method::bicubic) return cubic_taps(in, out, taps);
  if (method == Method::area) return area_taps(in, out, taps);
  kernel_taps(method, in, out, antialias, taps);
}

float area_scale(std::int64_t in_height, std::int64_t out_height, std::int64_t in_width,
                 std::int64_t out_width) {
  const float area = scale_of(in_height, out_height) * scale_of(in_width, out_width);
  return static_cast<float>(1.0 / static_cast<double>(area));
}

}  // namespace feedline
