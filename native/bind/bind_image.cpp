#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "bind/arrays.h"
#include "bind/recipe.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/image.h"

namespace feedline {
namespace {

// Images as they lie, from the innermost axis on without gaps up to that of the rows.
template <class T>
Images images_of(const nb::ndarray<const T, nb::ndim<4>, nb::device::cpu>& array) {
  constexpr auto item = static_cast<std::int64_t>(sizeof(T));
  Images images;
  images.count = static_cast<std::int64_t>(array.shape(0));
  images.height = static_cast<std::int64_t>(array.shape(1));
  images.width = static_cast<std::int64_t>(array.shape(2));
  images.channels = static_cast<std::int64_t>(array.shape(3));
  images.image_stride = array.stride(0) * item;
  images.row_stride = array.stride(1) * item;
  check(images.height > 0 && images.width > 0 && images.channels > 0,
        "images must have at least one pixel and one channel");
  check(images.count == 0 || ((images.channels == 1 || array.stride(3) == 1) &&
                              (images.width == 1 || array.stride(2) == images.channels)),
        "the numbers of a row must lie one after the other");
  images.is_float = sizeof(T) == sizeof(float);
  // The memory between the first and the last number, in whatever order rows lie.
  const std::int64_t row = images.width * images.channels * item;
  std::int64_t low = 0, high = row;
  const auto widen = [&](std::int64_t stride, std::int64_t count) {
    const std::int64_t reach = stride * std::max<std::int64_t>(count - 1, 0);
    (reach < 0 ? low : high) += reach;
  };
  widen(images.image_stride, images.count);
  widen(images.row_stride, images.height);
  const auto* first = reinterpret_cast<const std::uint8_t*>(array.data());
  if (images.count > 0) {
    images.bytes = {first + low, static_cast<std::size_t>(high - low)};
    images.first = static_cast<std::size_t>(-low);
  }
  return images;
}

template <class T>
void bind_resample(nb::ndarray<const T, nb::ndim<4>, nb::device::cpu> images,
                   nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu> out, int method,
                   bool antialias, std::optional<Row<std::int64_t>> boxes,
                   std::optional<Row<std::uint8_t>> flips, Row<std::uint8_t> before,
                   Row<float> before_constants, Row<std::uint8_t> after,
                   Row<float> after_constants) {
  check(out.shape(0) == images.shape(0) && out.shape(3) == images.shape(3),
        "images and results must be as many, with as many channels");
  const Images given = images_of<T>(images);
  const Parts parts{span_of(boxes), span_of(flips)};
  const Recipe recipe =
      recipe_of(method, antialias, before, before_constants, after, after_constants);
  ReleasedGil release;
  resample(given, parts, recipe, static_cast<std::int64_t>(out.shape(1)),
           static_cast<std::int64_t>(out.shape(2)), {out.data(), out.size()});
}

void bind_take_pixels(nb::ndarray<const std::uint8_t, nb::ndim<4>, nb::device::cpu> images,
                      nb::ndarray<std::uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu> out,
                      std::optional<Row<std::int64_t>> boxes,
                      std::optional<Row<std::uint8_t>> flips) {
  check(out.shape(0) == images.shape(0) && out.shape(3) == images.shape(3),
        "images and results must be as many, with as many channels");
  const Images given = images_of<std::uint8_t>(images);
  const Parts parts{span_of(boxes), span_of(flips)};
  ReleasedGil release;
  take_pixels(given, parts, static_cast<std::int64_t>(out.shape(1)),
              static_cast<std::int64_t>(out.shape(2)), {out.data(), out.size()});
}

}  // namespace

void register_image(nb::module_& m) {
  const auto resample_as = [&](const char* name, auto function, const char* signature) {
    m.def(name, function, nb::arg("images").noconvert(), nb::arg("out").noconvert(),
          nb::arg("method"), nb::arg("antialias"), nb::arg("boxes").none(),
          nb::arg("flips").none(), nb::arg("before").noconvert(),
          nb::arg("before_constants").noconvert(), nb::arg("after").noconvert(),
          nb::arg("after_constants").noconvert(), nb::sig(signature));
  };
#define FEEDLINE_RESAMPLE_SIGNATURE(NAME, DTYPE)                                              \
  "def " NAME "(images: numpy.typing.NDArray[" DTYPE "], "                                    \
  "out: numpy.typing.NDArray[numpy.float32], method: int, antialias: bool, "                  \
  "boxes: numpy.typing.NDArray[numpy.int64] | None, "                                         \
  "flips: numpy.typing.NDArray[numpy.uint8] | None, before: numpy.typing.NDArray[numpy.uint8], " \
  "before_constants: numpy.typing.NDArray[numpy.float32], "                                   \
  "after: numpy.typing.NDArray[numpy.uint8], "                                                \
  "after_constants: numpy.typing.NDArray[numpy.float32]) -> None"
  resample_as("resample_bytes", &bind_resample<std::uint8_t>,
              FEEDLINE_RESAMPLE_SIGNATURE("resample_bytes", "numpy.uint8"));
  resample_as("resample_floats", &bind_resample<float>,
              FEEDLINE_RESAMPLE_SIGNATURE("resample_floats", "numpy.float32"));
#undef FEEDLINE_RESAMPLE_SIGNATURE
  m.def("take_pixels", &bind_take_pixels, nb::arg("images").noconvert(),
        nb::arg("out").noconvert(), nb::arg("boxes").none(), nb::arg("flips").none(),
        nb::sig("def take_pixels(images: numpy.typing.NDArray[numpy.uint8], "
                "out: numpy.typing.NDArray[numpy.uint8], "
                "boxes: numpy.typing.NDArray[numpy.int64] | None, "
                "flips: numpy.typing.NDArray[numpy.uint8] | None) -> None"));
}

}  // namespace feedline
