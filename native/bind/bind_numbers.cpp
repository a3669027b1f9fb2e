#include <nanobind/stl/pair.h>

#include <utility>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/numbers.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Pair = std::pair<nb::object, nb::object>;

template <class T, class Parse>
Pair parsed(const Bytes& data, const Given<std::int64_t>& starts, const Given<std::int64_t>& stops,
            const Parse& parse) {
  const Numbers<std::int64_t> first(starts), last(stops);
  Result<T> out(starts.size());
  Result<std::uint8_t> is_number(starts.size());
  {
    ReleasedGil release;
    parse(std::span<const std::uint8_t>(data.data(), data.size()), first, last, out.span(),
          is_number.span());
  }
  return {out.array(), is_number.array()};
}

Pair bind_parse_integers(Bytes data, Given<std::int64_t> starts, Given<std::int64_t> stops,
                         std::int64_t lowest, std::int64_t highest) {
  return parsed<std::int64_t>(
      data, starts, stops, [&](auto text, auto& first, auto& last, auto out, auto is_number) {
        parse_integers(text, first, last, lowest, highest, out, is_number);
      });
}

template <class T>
Pair bind_parse_floats(Bytes data, Given<std::int64_t> starts, Given<std::int64_t> stops) {
  return parsed<T>(data, starts, stops,
                   [](auto text, auto& first, auto& last, auto out, auto is_number) {
                     parse_floats(text, first, last, out, is_number);
                   });
}

}  // namespace

void register_numbers(nb::module_& m) {
  m.def("parse_integers", &bind_parse_integers, nb::arg("data").noconvert(),
        nb::arg("starts").noconvert(), nb::arg("stops").noconvert(), nb::arg("lowest"),
        nb::arg("highest"),
        nb::sig("def parse_integers(data: numpy.typing.NDArray[numpy.uint8], "
                "starts: numpy.typing.NDArray[numpy.int64], "
                "stops: numpy.typing.NDArray[numpy.int64], lowest: int, highest: int) "
                "-> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint8]]"));
  m.def("parse_float32", &bind_parse_floats<float>, nb::arg("data").noconvert(),
        nb::arg("starts").noconvert(), nb::arg("stops").noconvert(),
        nb::sig("def parse_float32(data: numpy.typing.NDArray[numpy.uint8], "
                "starts: numpy.typing.NDArray[numpy.int64], "
                "stops: numpy.typing.NDArray[numpy.int64]) "
                "-> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint8]]"));
  m.def("parse_float64", &bind_parse_floats<double>, nb::arg("data").noconvert(),
        nb::arg("starts").noconvert(), nb::arg("stops").noconvert(),
        nb::sig("def parse_float64(data: numpy.typing.NDArray[numpy.uint8], "
                "starts: numpy.typing.NDArray[numpy.int64], "
                "stops: numpy.typing.NDArray[numpy.int64]) "
                "-> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint8]]"));
}

}  // namespace feedline
