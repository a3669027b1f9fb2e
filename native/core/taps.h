// taps: which numbers of an axis each number of the resized axis is made of, the same as
// feedline/kernels/taps.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace feedline {

// How an axis is resized; the numbers are those of feedline/kernels/taps.py. The last two are
// what bilinear and bicubic become when they must not alias.
enum class Method : int {
  nearest = 0,
  bilinear = 1,
  bicubic = 2,
  area = 3,
  lanczos3 = 4,
  lanczos5 = 5,
  gaussian = 6,
  mitchellcubic = 7,
  triangle = 8,
  keyscubic = 9,
};
constexpr int num_methods = 10;

// Lengths of axes: as large as TensorFlow's.
constexpr std::int64_t longest_axis = 0x7fffffff;

// Writes which number of an axis each of the resized one is.
void nearest_places(std::int64_t in, std::int64_t out, std::vector<std::int32_t>& places);

// Number i is lower + (upper - lower) * part of the two numbers at these places.
struct Lerps {
  std::vector<std::int32_t> lower, upper;
  std::vector<float> part;
};
void make_lerps(std::int64_t in, std::int64_t out, Lerps& lerps);

// Number i is the sum of `size` numbers from starts[i] on, each times its weight. Where the
// axis ends before that, its last number is meant.
struct Taps {
  std::size_t size = 0;
  std::vector<std::int32_t> starts;
  std::vector<float> weights;
};
// For every method but nearest and bilinear.
void make_taps(Method method, std::int64_t in, std::int64_t out, bool antialias, Taps& taps);

// What the sums of method area are multiplied with.
float area_scale(std::int64_t in_height, std::int64_t out_height, std::int64_t in_width,
                 std::int64_t out_width);

}  // namespace feedline
