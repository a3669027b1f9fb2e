#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/read_rows.h"

namespace feedline {
namespace {

std::size_t bind_read_rows(int file, Given<std::int64_t> starts, std::size_t row_bytes,
                           Changed<std::uint8_t> out) {
  const Numbers<std::int64_t> numbers(starts);
  const std::span<std::uint8_t> rows(out.data(), out.size());
  ReleasedGil release;
  return read_rows(file, numbers, row_bytes, rows);
}

}  // namespace

void register_read_rows(nb::module_& m) {
  m.def("read_rows", &bind_read_rows, nb::arg("file"), nb::arg("starts").noconvert(),
        nb::arg("row_bytes"), nb::arg("out").noconvert(),
        nb::sig("def read_rows(file: int, starts: numpy.typing.NDArray[numpy.int64], "
                "row_bytes: int, out: numpy.typing.NDArray[numpy.uint8]) -> int"));
}

}  // namespace feedline
