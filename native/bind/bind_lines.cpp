#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/lines.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::tuple<nb::object, nb::object, std::size_t> bind_split_lines(Bytes data, bool is_final) {
  Result<std::uint8_t> out(data.size());
  std::vector<std::int64_t> offsets;
  std::size_t used = 0;
  {
    ReleasedGil release;
    used = split_lines({data.data(), data.size()}, is_final, out.span(), offsets);
  }
  Result<std::int64_t> places(offsets.size());
  std::copy(offsets.begin(), offsets.end(), places.span().begin());
  return {out.array(), places.array(), used};
}

}  // namespace

void register_lines(nb::module_& m) {
  m.def("split_lines", &bind_split_lines, nb::arg("data").noconvert(), nb::arg("is_final"),
        nb::sig("def split_lines(data: numpy.typing.NDArray[numpy.uint8], is_final: bool) "
                "-> tuple[numpy.typing.NDArray[numpy.uint8], "
                "numpy.typing.NDArray[numpy.int64], int]"));
}

}  // namespace feedline
