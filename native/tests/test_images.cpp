// Tests of native/core without Python: images. Run by `make sanitize`.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/byte_images.h"
#include "core/color.h"
#include "core/image.h"
#include "tests/expect.h"

namespace {

using namespace feedline;

void test_bytes_go_through_tables() {
  const Bytes pixels{0, 255, 3, 7};
  Bytes tables(512), out(4);
  std::iota(tables.begin(), tables.begin() + 256, std::uint8_t{1});
  through_tables(pixels, tables, 2, out);
  EXPECT((out == Bytes{1, 0, 4, 0}));
  through_tables(pixels, tables, 1, out);
  EXPECT((out == Bytes{1, 0, 0, 0}));
  EXPECT(throws<std::invalid_argument>([&] { through_tables(pixels, tables, 0, out); }));
  EXPECT(throws<std::invalid_argument>([&] { through_tables(pixels, tables, 3, out); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { through_tables(std::span(pixels).first(3), tables, 2, std::span(out).first(3)); }));
  EXPECT(throws<std::invalid_argument>([&] { through_tables(pixels, {}, 1, out); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { through_tables(pixels, tables, 1, std::span(out).first(3)); }));
  through_tables({}, {}, 1, {});
}

void test_means_of_bytes() {
  Bytes pixels(2 * 7 * 3, 255);
  std::vector<float> means(6);
  halved_means(pixels, 3, means);
  for (const float mean : means) EXPECT(std::abs(mean - 1) < 1e-6f);
  halved_means(std::span(pixels).first(6), 3, means);
  EXPECT(throws<std::invalid_argument>([&] { halved_means(pixels, 0, means); }));
  EXPECT(throws<std::invalid_argument>([&] { halved_means(pixels, 4, means); }));
  EXPECT(throws<std::invalid_argument>([&] { halved_means({}, 3, means); }));
  EXPECT(throws<std::invalid_argument>(
      [&] { halved_means(std::span(pixels).first(5), 3, means); }));
  halved_means({}, 3, {});
}

void test_colors_turn_and_fade() {
  const Bytes red{255, 0, 0, 10, 20, 30};
  Bytes out(6);
  adjust_hue(red, std::vector<float>{0.5f}, std::span(out));
  EXPECT((out == Bytes{0, 255, 255, 30, 20, 10}));
  adjust_saturation(red, std::vector<float>{0.0f}, std::span(out));
  EXPECT((out == Bytes{255, 255, 255, 30, 30, 30}));
  const float odd = std::numeric_limits<float>::quiet_NaN();
  const float far = std::numeric_limits<float>::infinity();
  const std::vector<float> numbers{odd, 1, 2, far, 0, -far, 1e-45f, 0, 0, -1, 3e38f, -3e38f};
  std::vector<float> changed(numbers.size());
  for (const float delta : {-1.0f, 0.0f, 0.3f, 1.0f}) {
    adjust_hue(numbers, std::vector<float>{delta, delta}, std::span(changed));
    adjust_saturation(numbers, std::vector<float>{delta, odd}, std::span(changed));
  }
}

void test_colors_refuse_what_does_not_fit() {
  const std::vector<float> pixels(12), one{0.5f}, five(5), wide{1.5f};
  std::vector<float> out(12), less(9);
  EXPECT(throws<std::invalid_argument>([&] { adjust_hue(pixels, one, std::span(less)); }));
  EXPECT(throws<std::invalid_argument>([&] { adjust_hue(pixels, five, std::span(out)); }));
  EXPECT(throws<std::invalid_argument>([&] { adjust_hue(pixels, wide, std::span(out)); }));
  EXPECT(throws<std::invalid_argument>([&] { adjust_saturation(pixels, {}, std::span(out)); }));
  adjust_saturation({}, {}, std::span<float>());
}

Images three_images(const Bytes& pixels) {
  Images images;
  images.bytes = pixels;
  images.count = 3;
  images.height = images.width = 2;
  images.channels = 1;
  images.image_stride = 4;
  images.row_stride = 2;
  return images;
}

void test_resample_does_everything_in_one_pass() {
  const Bytes pixels = {0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32};
  const std::vector<std::int64_t> boxes = {0, 0, 2, 2, 1, 0, 1, 2, 0, 1, 1, 1};
  const Bytes flips = {0, 1, 3};
  const Bytes codes = {static_cast<std::uint8_t>(Step::divide),
                       static_cast<std::uint8_t>(Step::subtract)};
  const std::vector<float> constants = {2.0f, 1.0f};
  Recipe recipe;
  recipe.after = {codes, constants};
  std::vector<float> out(6);
  resample(three_images(pixels), {boxes, flips}, recipe, 1, 2, out);
  EXPECT((out == std::vector<float>{4.0f, 9.0f, 14.5f, 9.5f, 5.0f, 5.0f}));
}

void test_resample_has_every_method() {
  const Bytes pixels(12, 7);
  std::vector<float> out(3 * 5 * 3);
  for (int method = 0; method < num_methods; ++method) {
    Recipe recipe;
    recipe.method = static_cast<Method>(method);
    recipe.antialias = true;
    resample(three_images(pixels), {}, recipe, 5, 3, out);
    EXPECT(std::ranges::all_of(out, [](float n) { return std::abs(n - 7.0f) < 1e-4f; }));
  }
}

void test_take_pixels_moves_bytes() {
  const Bytes pixels = {0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32};
  const Bytes flips = {1, 2, 3};
  Bytes out(12);
  take_pixels(three_images(pixels), {{}, flips}, 2, 2, out);
  EXPECT((out == Bytes{10, 0, 30, 20, 21, 31, 1, 11, 32, 22, 12, 2}));
}

void test_images_trust_no_number() {
  const Bytes pixels(12, 7);
  std::vector<float> out(3);
  const auto refuses = [&](Images images, std::vector<std::int64_t> boxes) {
    return throws<std::invalid_argument>([&] { resample(images, {boxes, {}}, {}, 1, 1, out); });
  };
  const auto changed = [&](auto change) {
    Images images = three_images(pixels);
    change(images);
    return refuses(images, {});
  };
  EXPECT(changed([](Images& images) { images.first = 1; }));
  EXPECT(changed([](Images& images) { images.height = 3; }));
  EXPECT(changed([](Images& images) { images.width = largest; }));
  EXPECT(changed([](Images& images) { images.channels = 0; }));
  EXPECT(changed([](Images& images) { images.row_stride = smallest; }));
  EXPECT(changed([](Images& images) { images.image_stride = -4; }));
  EXPECT(changed([](Images& images) { images.is_float = true; }));
  EXPECT(refuses(three_images(pixels), {0, 0, 3, 1, 0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT(refuses(three_images(pixels), {0, 0, 1, 1, 0, largest, 1, 1, 0, 0, 1, 1}));
  EXPECT(refuses(three_images(pixels), {0, 0, 1, 1}));
  EXPECT(throws<std::invalid_argument>([&] {
    resample(three_images(pixels), {}, {}, largest, largest, out);
  }));
}

}  // namespace

int main() {
  test_bytes_go_through_tables();
  test_means_of_bytes();
  test_colors_turn_and_fade();
  test_colors_refuse_what_does_not_fit();
  test_resample_does_everything_in_one_pass();
  test_resample_has_every_method();
  test_take_pixels_moves_bytes();
  test_images_trust_no_number();
  std::puts("native/core, images: all tests passed");
}
