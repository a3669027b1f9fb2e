#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/color.h"

namespace feedline {
namespace {

template <class T>
using Change = void (*)(std::span<const T>, std::span<const float>, std::span<T>);

template <class T>
nb::object changed(Change<T> change, const Given<T>& pixels, const Given<float>& parameters) {
  const Numbers<T> from(pixels);
  const Numbers<float> by(parameters);
  Result<T> out(from.size());
  {
    ReleasedGil release;
    change(from, by, out.span());
  }
  return out.array();
}

}  // namespace

void register_color(nb::module_& m) {
  m.def(
      "adjust_hue_float32",
      [](Given<float> pixels, Given<float> deltas) {
        return changed<float>(adjust_hue, pixels, deltas);
      },
      nb::arg("pixels").noconvert(), nb::arg("deltas").noconvert(),
      nb::sig("def adjust_hue_float32(pixels: numpy.typing.NDArray[numpy.float32], "
              "deltas: numpy.typing.NDArray[numpy.float32]) "
              "-> numpy.typing.NDArray[numpy.float32]"));
  m.def(
      "adjust_hue_uint8",
      [](Given<std::uint8_t> pixels, Given<float> deltas) {
        return changed<std::uint8_t>(adjust_hue, pixels, deltas);
      },
      nb::arg("pixels").noconvert(), nb::arg("deltas").noconvert(),
      nb::sig("def adjust_hue_uint8(pixels: numpy.typing.NDArray[numpy.uint8], "
              "deltas: numpy.typing.NDArray[numpy.float32]) "
              "-> numpy.typing.NDArray[numpy.uint8]"));
  m.def(
      "adjust_saturation_float32",
      [](Given<float> pixels, Given<float> factors) {
        return changed<float>(adjust_saturation, pixels, factors);
      },
      nb::arg("pixels").noconvert(), nb::arg("factors").noconvert(),
      nb::sig("def adjust_saturation_float32(pixels: numpy.typing.NDArray[numpy.float32], "
              "factors: numpy.typing.NDArray[numpy.float32]) "
              "-> numpy.typing.NDArray[numpy.float32]"));
  m.def(
      "adjust_saturation_uint8",
      [](Given<std::uint8_t> pixels, Given<float> factors) {
        return changed<std::uint8_t>(adjust_saturation, pixels, factors);
      },
      nb::arg("pixels").noconvert(), nb::arg("factors").noconvert(),
      nb::sig("def adjust_saturation_uint8(pixels: numpy.typing.NDArray[numpy.uint8], "
              "factors: numpy.typing.NDArray[numpy.float32]) "
              "-> numpy.typing.NDArray[numpy.uint8]"));
}

}  // namespace feedline
