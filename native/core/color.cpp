#include "core/color.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"
#include "core/clones.h"

// Choices in place of branches, in the order of the Python twin: the loops over a few pixels
// at a time, whose channels lie apart, become vector code.
namespace feedline {
namespace {

constexpr std::size_t at_once = 256;

struct Channels {
  float r[at_once], g[at_once], b[at_once];
};

inline float smaller(float x, float y) { return x < y ? x : y; }
inline float larger(float x, float y) { return x < y ? y : x; }

// The sixth of the turn that a hue from 0 to below 6 lies in; ``otherwise`` for any other.
inline float sixth_of(float hue, float otherwise) {
  float sixth = hue >= 0.0f ? 0.0f : otherwise;
  sixth = hue >= 1.0f ? 1.0f : sixth;
  sixth = hue >= 2.0f ? 2.0f : sixth;
  sixth = hue >= 3.0f ? 3.0f : sixth;
  sixth = hue >= 4.0f ? 4.0f : sixth;
  sixth = hue >= 5.0f ? 5.0f : sixth;
  return hue >= 6.0f ? otherwise : sixth;
}

// What a channel is whose largest number is in two sixths next to each other, and whose middle
// one is in the sixths before and after.
struct Place {
  float before, first, second, after;
};
constexpr Place red{4.0f, 5.0f, 0.0f, 1.0f}, green{0.0f, 1.0f, 2.0f, 3.0f},
    blue{2.0f, 3.0f, 4.0f, 5.0f};

inline float at(Place place, float sixth, float top, float middle, float bottom) {
  float value = sixth == place.before ? middle : bottom;
  value = sixth == place.after ? middle : value;
  value = sixth == place.first ? top : value;
  return sixth == place.second ? top : value;
}

// How far along a sixth: the middle number grows in the even ones and falls in the odd ones.
inline float along(float sixth, float part) {
  float way = sixth == 1.0f ? 1.0f - part : part;
  way = sixth == 3.0f ? 1.0f - part : way;
  return sixth == 5.0f ? 1.0f - part : way;
}

FEEDLINE_CLONES void turn(Channels& p, std::size_t count, float delta) {
  const float turned = delta * 6.0f;
  for (std::size_t i = 0; i < count; ++i) {
    const float r = p.r[i], g = p.g[i], b = p.b[i];
    const float low = smaller(r, g), high = larger(r, g);
    const float top = larger(high, b), bottom = smaller(b, low);
    const float middle = larger(low, smaller(high, b));
    const float span = top - bottom;
    const float part = (middle - bottom) / span;
    const float above = b < r ? 1.0f : (b > g ? 3.0f : 2.0f);
    const float below = b < g ? 0.0f : (b > r ? 4.0f : 5.0f);
    const float begin = r < g ? above : below;
    float hue = begin + along(begin, part);
    hue = (span == 0.0f ? 0.0f : hue) + turned;
    hue = hue < 0.0f ? hue + 6.0f : hue;
    hue = hue >= 6.0f ? hue - 6.0f : hue;
    hue = hue >= 6.0f ? hue - 6.0f : hue;
    const float sixth = sixth_of(hue, 5.0f);
    const float between = bottom + along(sixth, hue - sixth) * span;
    p.r[i] = at(red, sixth, top, between, bottom);
    p.g[i] = at(green, sixth, top, between, bottom);
    p.b[i] = at(blue, sixth, top, between, bottom);
  }
}

FEEDLINE_CLONES void saturate(Channels& p, std::size_t count, float factor) {
  for (std::size_t i = 0; i < count; ++i) {
    const float r = p.r[i], g = p.g[i], b = p.b[i];
    const float top = larger(larger(r, g), b);
    const float span = top - smaller(b, smaller(r, g));
    const float found = top > 0.0f ? span / top : 0.0f;
    const float norm = 1.0f / (6.0f * span);
    const float from_red = norm * (g - b);
    const float from_green = static_cast<float>(static_cast<double>(norm * (b - r)) + 2.0 / 6.0);
    const float from_blue = static_cast<float>(static_cast<double>(norm * (r - g)) + 4.0 / 6.0);
    float hue = r == top ? from_red : (g == top ? from_green : from_blue);
    hue = span <= 0.0f ? 0.0f : hue;
    hue = hue < 0.0f ? hue + 1.0f : hue;
    const float saturation = smaller(larger(0.0f, found * factor), 1.0f);
    const float chroma = saturation * top, rest = top - chroma;
    const float turned = hue * 6.0f;
    const float sixth = sixth_of(turned, 6.0f);
    float phase = turned <= 0.0f ? turned + 2.0f : turned;
    phase = phase >= 2.0f ? phase - 2.0f : phase;
    phase = phase >= 2.0f ? phase - 2.0f : phase;
    phase = phase >= 2.0f ? phase - 2.0f : phase;
    const float away = phase - 1.0f;
    const float between = chroma * (1.0f - (away < 0.0f ? -away : away));
    p.r[i] = at(red, sixth, chroma, between, 0.0f) + rest;
    p.g[i] = at(green, sixth, chroma, between, 0.0f) + rest;
    p.b[i] = at(blue, sixth, chroma, between, 0.0f) + rest;
  }
}

inline float as_float(float value) { return value; }
inline float as_float(std::uint8_t value) {
  return static_cast<float>(value) * static_cast<float>(1.0 / 255.0);
}

inline void store(float value, float& out) { out = value; }
inline void store(float value, std::uint8_t& out) {
  out = static_cast<std::uint8_t>(static_cast<int>(value * 255.5f));
}

template <class T>
FEEDLINE_CLONES void take_apart(const T* from, std::size_t count, Channels& p) {
  for (std::size_t i = 0; i < count; ++i) {
    p.r[i] = as_float(from[3 * i]);
    p.g[i] = as_float(from[3 * i + 1]);
    p.b[i] = as_float(from[3 * i + 2]);
  }
}

template <class T>
FEEDLINE_CLONES void put_together(const Channels& p, std::size_t count, T* to) {
  for (std::size_t i = 0; i < count; ++i) {
    store(p.r[i], to[3 * i]);
    store(p.g[i], to[3 * i + 1]);
    store(p.b[i], to[3 * i + 2]);
  }
}

template <class T, class Change>
void each_image(std::span<const T> pixels, std::span<const float> parameters, std::span<T> out,
                Change change) {
  check(out.size() == pixels.size(), "there must be room for as many pixels");
  if (parameters.empty()) {
    check(pixels.empty(), "there must be a parameter for each image");
    return;
  }
  check(pixels.size() % (3 * parameters.size()) == 0,
        "images must have one size, and three channels");
  const std::size_t count = pixels.size() / 3 / parameters.size();
  Channels p;
  for (std::size_t image = 0; image < parameters.size(); ++image)
    for (std::size_t done = 0; done < count; done += at_once) {
      const std::size_t some = std::min(at_once, count - done);
      const std::size_t begin = 3 * (image * count + done);
      take_apart(pixels.data() + begin, some, p);
      change(p, some, parameters[image]);
      put_together(p, some, out.data() + begin);
    }
}

template <class T>
void turn_all(std::span<const T> pixels, std::span<const float> deltas, std::span<T> out) {
  for (const float delta : deltas)
    check(delta >= -1.0f && delta <= 1.0f, "a hue is turned by at most one turn");
  each_image(pixels, deltas, out, turn);
}

}  // namespace

void adjust_hue(std::span<const float> pixels, std::span<const float> deltas,
                std::span<float> out) {
  turn_all(pixels, deltas, out);
}

void adjust_hue(std::span<const std::uint8_t> pixels, std::span<const float> deltas,
                std::span<std::uint8_t> out) {
  turn_all(pixels, deltas, out);
}

void adjust_saturation(std::span<const float> pixels, std::span<const float> factors,
                       std::span<float> out) {
  each_image(pixels, factors, out, saturate);
}

void adjust_saturation(std::span<const std::uint8_t> pixels, std::span<const float> factors,
                       std::span<std::uint8_t> out) {
  each_image(pixels, factors, out, saturate);
}

}  // namespace feedline
