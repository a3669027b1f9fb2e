#include "core/image.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/check.h"
#include "core/image_rows.h"

// Rows of floats, each made once: an output row needs two of them, or a few, which lie in the
// nearest cache.
namespace feedline {
namespace {

using Floats = std::vector<float>;

template <class T>
void mirror(std::vector<T>& numbers, std::size_t each = 1) {
  const std::size_t count = numbers.size() / each;
  for (std::size_t i = 0; i < count / 2; ++i) {
    std::swap_ranges(numbers.begin() + static_cast<std::ptrdiff_t>(i * each),
                     numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * each),
                     numbers.begin() + static_cast<std::ptrdiff_t>((count - 1 - i) * each));
  }
}

// ---- one axis ------------------------------------------------------------------------

// Which of the three an axis is depends on the method.
struct Axis {
  std::int64_t in = 0, out = 0;
  bool mirrored = false;
  Lerps lerps;
  Taps taps;
  std::vector<std::int32_t> places;

  // Makes the axis anew if it is another one. `unit`: how far apart numbers are.
  void become(Method method, bool antialias, std::int64_t new_in, std::int64_t new_out,
              bool is_mirrored, std::int32_t unit) {
    if (in == new_in && out == new_out && mirrored == is_mirrored) return;
    in = new_in;
    out = new_out;
    mirrored = is_mirrored;
    if (method == Method::nearest) {
      nearest_places(in, out, places);
      if (mirrored) mirror(places);
      for (auto& place : places) place *= unit;
    } else if (method == Method::bilinear) {
      make_lerps(in, out, lerps);
      if (mirrored) {
        mirror(lerps.lower);
        mirror(lerps.upper);
        mirror(lerps.part);
      }
      for (auto& place : lerps.lower) place *= unit;
      for (auto& place : lerps.upper) place *= unit;
    } else {
      make_taps(method, in, out, antialias, taps);
      if (mirrored) {
        mirror(taps.starts);
        mirror(taps.weights, taps.size);
      }
      for (auto& place : taps.starts) place *= unit;
    }
  }
};

// The constants of steps, repeated for the pixels of a row.
class StepRows {
 public:
  StepRows(const Steps& steps, std::size_t channels) : steps_(steps), channels_(channels) {}

  bool empty() const { return steps_.codes.empty(); }

  void widen(std::size_t width) {
    const std::size_t length = width * channels_;
    if (length <= length_) return;
    length_ = length;
    rows_.resize(steps_.codes.size() * length);
    for (std::size_t s = 0; s < steps_.codes.size(); ++s) {
      for (std::size_t i = 0; i < length; ++i) {
        rows_[s * length + i] = steps_.constants[s * channels_ + i % channels_];
      }
    }
  }

  void apply(float* row, std::size_t count) const {
    for (std::size_t s = 0; s < steps_.codes.size(); ++s) {
      step_row(static_cast<Step>(steps_.codes[s]), rows_.data() + s * length_, row, count);
    }
  }

 private:
  const Steps& steps_;
  std::size_t channels_, length_ = 0;
  Floats rows_;
};

struct Box {
  std::int64_t top, left, height, width;
};

Box box_of(const Images& images, const Parts& parts, std::int64_t number) {
  if (parts.boxes.empty()) return {0, 0, images.height, images.width};
  const std::int64_t* at = parts.boxes.data() + 4 * number;
  const Box box{at[0], at[1], at[2], at[3]};
  check(box.height > 0 && box.width > 0, "a box must have at least one pixel");
  check(box.top >= 0 && box.height <= images.height && box.top <= images.height - box.height,
        "a box is outside of the image");
  check(box.left >= 0 && box.width <= images.width && box.left <= images.width - box.width,
        "a box is outside of the image");
  return box;
}

std::uint8_t flip_of(const Parts& parts, std::int64_t number) {
  return parts.flips.empty() ? std::uint8_t{0} : parts.flips[static_cast<std::size_t>(number)];
}

// Products of lengths that a file or a user gave.
std::int64_t times(std::int64_t a, std::int64_t b) {
  check(b == 0 || a <= INT64_MAX / b, "images are larger than memory can be");
  return a * b;
}

// Every number that will be read lies among the bytes.
void check_inside(const Images& images, std::int64_t item) {
  check(images.count >= 0 && images.height > 0 && images.width > 0 && images.channels > 0,
        "images must have at least one pixel and one channel");
  check(images.height <= longest_axis && images.width <= longest_axis, "an image is too large");
  const std::int64_t row = times(times(images.width, images.channels), item);
  // Places along a row are 32 bits wide.
  check(row <= longest_axis - 64, "an image is too wide");
  if (images.count == 0) return;
  const auto reach = [](std::int64_t stride, std::int64_t steps) {
    check(stride > INT64_MIN / 2 && stride < INT64_MAX / 2, "strides must be smaller");
    return stride < 0 ? -times(-stride, steps) : times(stride, steps);
  };
  const std::int64_t a = reach(images.image_stride, images.count - 1);
  const std::int64_t b = reach(images.row_stride, images.height - 1);
  const auto size = static_cast<std::int64_t>(images.bytes.size());
  const auto first = static_cast<std::int64_t>(images.first);
  check(first >= 0 && first <= size && row <= size, "images must lie inside their memory");
  check(a > -size - 1 && a < size + 1 && b > -size - 1 && b < size + 1,
        "images must lie inside their memory");
  const std::int64_t low = std::min<std::int64_t>(a, 0) + std::min<std::int64_t>(b, 0);
  const std::int64_t high = std::max<std::int64_t>(a, 0) + std::max<std::int64_t>(b, 0) + row;
  check(first + low >= 0 && first + high <= size, "images must lie inside their memory");
}

void check_parts(const Images& images, const Parts& parts) {
  const auto count = static_cast<std::size_t>(images.count);
  check(parts.boxes.empty() || parts.boxes.size() == 4 * count, "there must be a box per image");
  check(parts.flips.empty() || parts.flips.size() == count, "there must be a flip per image");
}

void check_steps(const Steps& steps, std::int64_t channels) {
  check(steps.constants.size() == steps.codes.size() * static_cast<std::size_t>(channels),
        "every step must have a constant per channel");
  for (const auto code : steps.codes) check(code < num_steps, "there is no such step");
}

const std::uint8_t* row_at(const Images& images, std::int64_t number, std::int64_t row) {
  const std::int64_t offset = number * images.image_stride + row * images.row_stride;
  return images.bytes.data() + static_cast<std::int64_t>(images.first) + offset;
}

// ---- one image after the other -------------------------------------------------------

class Resampler {
 public:
  Resampler(const Images& images, const Parts& parts, const Recipe& recipe,
            std::int64_t out_height, std::int64_t out_width)
      : images_(images),
        parts_(parts),
        method_(recipe.method),
        antialias_(recipe.antialias),
        out_height_(out_height),
        out_width_(out_width),
        channels_(static_cast<std::size_t>(images.channels)),
        out_row_(static_cast<std::size_t>(out_width) * channels_),
        before_(recipe.before, channels_),
        after_(recipe.after, channels_) {
    after_.widen(static_cast<std::size_t>(out_width));
    done_.resize(out_row_ + spare);
  }

  void run(std::int64_t number, float* out) {
    number_ = number;
    box_ = box_of(images_, parts_, number);
    in_row_ = static_cast<std::size_t>(box_.width) * channels_;
    wide_.resize(in_row_ + spare);
    before_.widen(static_cast<std::size_t>(box_.width));
    const std::uint8_t flip = flip_of(parts_, number);
    // An image that has its size stays what it is, whatever numbers are in it.
    const bool same = box_.height == out_height_ && box_.width == out_width_;
    const Method method = same && method_ == Method::bilinear ? Method::nearest : method_;
    Axis& rows = method == Method::nearest ? nearest_rows_ : rows_;
    Axis& columns = method == Method::nearest ? nearest_columns_ : columns_;
    rows.become(method, antialias_, box_.height, out_height_, (flip & 2) != 0, 1);
    columns.become(method, antialias_, box_.width, out_width_, (flip & 1) != 0,
                   static_cast<std::int32_t>(channels_));
    switch (method) {
      case Method::nearest: nearest(rows, columns, out); break;
      case Method::bilinear: bilinear(rows, columns, out); break;
      case Method::area: area(rows, columns, out); break;
      default: kernel(rows, columns, out); break;
    }
  }

 private:
  const std::uint8_t* source(std::int64_t row) const {
    const auto item = static_cast<std::int64_t>(images_.is_float ? sizeof(float) : 1);
    return row_at(images_, number_, box_.top + row) + box_.left * images_.channels * item;
  }

  // The numbers of one row as floats, with room after them.
  const float* floats(std::int64_t row) {
    if (images_.is_float) {
      std::memcpy(wide_.data(), source(row), in_row_ * sizeof(float));
    } else {
      to_floats(source(row), wide_.data(), in_row_);
    }
    before_.apply(wide_.data(), in_row_);
    return wide_.data();
  }

  // A row is done: what was written after its end is not handed out.
  void finish(float* out) {
    after_.apply(done_.data(), out_row_);
    std::memcpy(out, done_.data(), out_row_ * sizeof(float));
  }

  void nearest(const Axis& rows, const Axis& columns, float* out) {
    for (std::int64_t y = 0; y < out_height_; ++y, out += out_row_) {
      pick_columns(floats(rows.places[static_cast<std::size_t>(y)]), columns.places, channels_,
                   done_.data());
      finish(out);
    }
  }

  void bilinear(const Axis& rows, const Axis& columns, float* out) {
    std::int64_t held[2] = {-1, -1};
    for (auto& line : lines_) line.resize(out_row_ + spare);
    const auto line_of = [&](std::int64_t row, std::int64_t other) -> const float* {
      for (std::size_t i = 0; i < 2; ++i) {
        if (held[i] == row) return lines_[i].data();
      }
      const std::size_t i = held[0] == other ? 1 : 0;
      held[i] = row;
      lerp_columns(floats(row), columns.lerps, channels_, lines_[i].data());
      return lines_[i].data();
    };
    for (std::int64_t y = 0; y < out_height_; ++y, out += out_row_) {
      const auto at = static_cast<std::size_t>(y);
      const std::int64_t lower = rows.lerps.lower[at], upper = rows.lerps.upper[at];
      const float* top = line_of(lower, upper);
      const float* bottom = line_of(upper, lower);
      lerp_rows(top, bottom, rows.lerps.part[at], out, out_row_);
      after_.apply(out, out_row_);
    }
  }

  // Rows are summed up first, then columns.
  void kernel(const Axis& rows, const Axis& columns, float* out) {
    const bool as_bytes = !images_.is_float && before_.empty();
    const std::size_t size = rows.taps.size;
    const auto last = static_cast<std::int32_t>(in_row_ - channels_);
    sum_.resize(in_row_ + spare);
    for (std::int64_t y = 0; y < out_height_; ++y, out += out_row_) {
      const float* weights = rows.taps.weights.data() + static_cast<std::size_t>(y) * size;
      std::fill(sum_.begin(), sum_.end(), 0.0f);
      for (std::size_t k = 0; k < size; ++k) {
        const std::int64_t row = rows.taps.starts[static_cast<std::size_t>(y)] +
                                 static_cast<std::int64_t>(k);
        if (row >= box_.height) break;  // its weight is 0
        if (as_bytes) {
          add_bytes_times(source(row), weights[k], sum_.data(), in_row_);
        } else {
          add_times(floats(row), weights[k], sum_.data(), in_row_);
        }
      }
      sum_columns(sum_.data(), columns.taps, channels_, last, done_.data());
      finish(out);
    }
  }

  // Columns are summed up first, then rows.
  void area(const Axis& rows, const Axis& columns, float* out) {
    const float scale = area_scale(box_.height, out_height_, box_.width, out_width_);
    const std::size_t size = rows.taps.size;
    const auto last = static_cast<std::int32_t>(in_row_ - channels_);
    std::int64_t held = -1;
    lines_[0].resize(out_row_ + spare);
    for (std::int64_t y = 0; y < out_height_; ++y, out += out_row_) {
      const float* weights = rows.taps.weights.data() + static_cast<std::size_t>(y) * size;
      std::fill(done_.begin(), done_.end(), 0.0f);
      for (std::size_t k = 0; k < size; ++k) {
        const std::int64_t wanted = rows.taps.starts[static_cast<std::size_t>(y)] +
                                    static_cast<std::int64_t>(k);
        const std::int64_t row = std::min(wanted, box_.height - 1);
        if (row != held) {
          sum_columns(floats(row), columns.taps, channels_, last, lines_[0].data());
          held = row;
        }
        add_times(lines_[0].data(), weights[k], done_.data(), out_row_);
      }
      for (std::size_t i = 0; i < out_row_; ++i) done_[i] *= scale;
      finish(out);
    }
  }

  const Images& images_;
  const Parts& parts_;
  Method method_;
  bool antialias_;
  std::int64_t out_height_, out_width_;
  std::size_t channels_, out_row_, in_row_ = 0;
  StepRows before_, after_;
  std::int64_t number_ = 0;
  Box box_{};
  Axis rows_, columns_, nearest_rows_, nearest_columns_;
  Floats wide_, done_, sum_, lines_[2];
};

void check_out(std::int64_t out_height, std::int64_t out_width, const Images& images,
               std::size_t size) {
  check(out_height > 0 && out_width > 0, "height and width must be at least 1");
  check(out_height <= longest_axis && out_width <= longest_axis, "height or width is too large");
  const std::int64_t row = times(out_width, images.channels);
  check(row <= longest_axis - 64, "height or width is too large");
  const std::int64_t numbers = times(times(row, out_height), images.count);
  check(numbers == static_cast<std::int64_t>(size), "the result needs memory of another size");
}

// Pixels of `Size` bytes, 0 if that is known at run time alone.
template <std::size_t Size>
void pick_pixels(const std::uint8_t* from, std::span<const std::int32_t> places, std::size_t size,
                 std::uint8_t* to) {
  const std::size_t each = Size == 0 ? size : Size;
  for (const std::int32_t place : places) {
    std::memcpy(to, from + place, each);
    to += each;
  }
}

}  // namespace

void resample(const Images& images, const Parts& parts, const Recipe& recipe,
              std::int64_t out_height, std::int64_t out_width, std::span<float> out) {
  check_inside(images, images.is_float ? sizeof(float) : 1);
  check_parts(images, parts);
  check_steps(recipe.before, images.channels);
  check_steps(recipe.after, images.channels);
  check_out(out_height, out_width, images, out.size());
  check(static_cast<int>(recipe.method) >= 0 && static_cast<int>(recipe.method) < num_methods,
        "there is no such method");
  if (images.count == 0) return;
  Resampler resampler(images, parts, recipe, out_height, out_width);
  const std::size_t each = out.size() / static_cast<std::size_t>(images.count);
  for (std::int64_t i = 0; i < images.count; ++i) {
    resampler.run(i, out.data() + static_cast<std::size_t>(i) * each);
  }
}

void take_pixels(const Images& images, const Parts& parts, std::int64_t out_height,
                 std::int64_t out_width, std::span<std::uint8_t> out) {
  check_inside(images, 1);
  check_parts(images, parts);
  check_out(out_height, out_width, images, out.size());
  const auto size = static_cast<std::size_t>(images.channels);
  const std::size_t out_row = static_cast<std::size_t>(out_width) * size;
  Axis rows, columns;
  std::uint8_t* to = out.data();
  for (std::int64_t i = 0; i < images.count; ++i) {
    const Box box = box_of(images, parts, i);
    const std::uint8_t flip = flip_of(parts, i);
    rows.become(Method::nearest, false, box.height, out_height, (flip & 2) != 0, 1);
    columns.become(Method::nearest, false, box.width, out_width, (flip & 1) != 0,
                   static_cast<std::int32_t>(size));
    const bool whole = box.width == out_width && (flip & 1) == 0;
    for (std::int64_t y = 0; y < out_height; ++y, to += out_row) {
      const std::uint8_t* from =
          row_at(images, i, box.top + rows.places[static_cast<std::size_t>(y)]) +
          box.left * images.channels;
      if (whole) {
        std::memcpy(to, from, out_row);
      } else if (size == 3) {
        pick_pixels<3>(from, columns.places, size, to);
      } else if (size == 1) {
        pick_pixels<1>(from, columns.places, size, to);
      } else if (size == 4) {
        pick_pixels<4>(from, columns.places, size, to);
      } else if (size == 12) {
        pick_pixels<12>(from, columns.places, size, to);
      } else {
        pick_pixels<0>(from, columns.places, size, to);
      }
    }
  }
}

}  // namespace feedline
