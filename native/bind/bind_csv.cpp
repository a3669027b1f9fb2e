#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/csv.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object array_of(const std::vector<T>& values) {
  Result<T> result(values.size());
  std::copy(values.begin(), values.end(), result.span().begin());
  return result.array();
}

std::tuple<nb::object, nb::object, nb::object, nb::object, nb::object> bind_split_csv(
    Bytes data, std::uint8_t delimiter, bool quotes, bool is_final) {
  CsvFields found;
  {
    ReleasedGil release;
    found = split_csv({data.data(), data.size()}, delimiter, quotes, is_final);
  }
  return {array_of(found.starts), array_of(found.stops), array_of(found.kinds),
          array_of(found.record_splits), array_of(found.record_stops)};
}

}  // namespace

void register_csv(nb::module_& m) {
  m.def("split_csv", &bind_split_csv, nb::arg("data").noconvert(), nb::arg("delimiter"),
        nb::arg("quotes"), nb::arg("is_final"),
        nb::sig("def split_csv(data: numpy.typing.NDArray[numpy.uint8], delimiter: int, "
                "quotes: bool, is_final: bool) "
                "-> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.int64]]"));
}

}  // namespace feedline
