#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/box_muller.h"

namespace feedline {
namespace {

template <class T>
nb::object normals(const Given<std::uint32_t>& words, std::size_t count) {
  const Numbers<std::uint32_t> numbers(words);
  Result<T> out(count);
  {
    ReleasedGil release;
    box_muller(numbers, out.span());
  }
  return out.array();
}

}  // namespace

void register_box_muller(nb::module_& m) {
  m.def(
      "box_muller_float32",
      [](Given<std::uint32_t> words) { return normals<float>(words, words.size()); },
      nb::arg("words").noconvert(),
      nb::sig("def box_muller_float32(words: numpy.typing.NDArray[numpy.uint32]) "
              "-> numpy.typing.NDArray[numpy.float32]"));
  m.def(
      "box_muller_float64",
      [](Given<std::uint32_t> words) { return normals<double>(words, words.size() / 2); },
      nb::arg("words").noconvert(),
      nb::sig("def box_muller_float64(words: numpy.typing.NDArray[numpy.uint32]) "
              "-> numpy.typing.NDArray[numpy.float64]"));
}

}  // namespace feedline
