// fuzz_image: pixels cut out, resized and mirrored, with any numbers for sizes, strides and boxes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/image.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;

// Numbers out of the first bytes of an input; zeros when they are used up.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof(T), bytes_.size());
    std::memcpy(&value, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return value;
  }

  // Mostly small numbers, now and then any at all.
  std::int64_t length() {
    const auto byte = take<std::uint8_t>();
    return byte < 250 ? byte % 40 : take<std::int64_t>();
  }

  std::int64_t stride() {
    const auto small = take<std::int8_t>();
    return small == 127 ? take<std::int64_t>() : small * 3;
  }

  std::span<const std::uint8_t> rest() const { return bytes_; }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace

// There is nothing to make right: any bytes are an image.
void FuzzRepair(std::vector<std::uint8_t>&, std::uint64_t) {}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Reader reader({bytes, size});
  const auto way = reader.take<std::uint16_t>();
  constexpr std::int64_t slow = 1 << 16;  // right, but no use: rows that are the same one
  Images images;
  images.count = reader.take<std::uint8_t>() % 4;
  images.height = reader.length();
  images.width = reader.length();
  images.channels = reader.take<std::uint8_t>() % 6;
  images.row_stride = reader.stride();
  images.image_stride = reader.stride();
  images.first = reader.take<std::uint8_t>();
  images.is_float = (way & 1) != 0;
  if (std::min(images.height, images.width) > 0 && std::max(images.height, images.width) > slow &&
      std::max(images.height, images.width) <= longest_axis) {
    return 0;
  }
  const auto count = static_cast<std::size_t>(images.count);
  std::vector<std::int64_t> boxes;
  std::vector<std::uint8_t> flips;
  for (std::size_t i = 0; (way & 2) != 0 && i < 4 * count; ++i) boxes.push_back(reader.length());
  for (std::size_t i = 0; (way & 4) != 0 && i < count; ++i)
    flips.push_back(reader.take<std::uint8_t>());
  std::vector<std::uint8_t> codes;
  std::vector<float> constants;
  for (int i = 0; i < ((way >> 3) & 3); ++i) {
    codes.push_back(reader.take<std::uint8_t>() % 8);
    for (std::int64_t c = 0; c < images.channels; ++c) constants.push_back(reader.take<float>());
  }
  const std::int64_t out_height = reader.take<std::uint8_t>() % 20;
  const std::int64_t out_width = reader.take<std::uint8_t>() % 20;
  Recipe recipe;
  recipe.method = static_cast<Method>((way >> 5) % 12);
  recipe.antialias = (way & 1024) != 0;
  ((way & 2048) != 0 ? recipe.before : recipe.after) = {codes, constants};
  // In memory of exactly this size, so that a byte too far is noticed.
  const std::vector<std::uint8_t> pixels(reader.rest().begin(), reader.rest().end());
  images.bytes = pixels;
  const auto numbers = static_cast<std::size_t>(images.count * out_height * out_width) *
                       static_cast<std::size_t>(images.channels);
  std::vector<float> floats(numbers);
  std::vector<std::uint8_t> moved(numbers);
  try {
    resample(images, {boxes, flips}, recipe, out_height, out_width, floats);
  } catch (const std::invalid_argument&) {
  }
  try {
    take_pixels(images, {boxes, flips}, out_height, out_width, moved);
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
