#include <nanobind/stl/pair.h>

#include <utility>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/rows.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::uint8_t> span_of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

std::size_t bytes_of(std::size_t num_rows, std::size_t row_bytes) {
  check(row_bytes > 0, "row_bytes must be at least 1");
  check(num_rows <= static_cast<std::size_t>(PTRDIFF_MAX) / row_bytes,
        "the result is larger than memory can be");
  return num_rows * row_bytes;
}

std::pair<nb::object, nb::object> bind_ragged_take(Bytes rows, std::size_t row_bytes,
                                                   Given<std::int64_t> splits,
                                                   Given<std::int64_t> index,
                                                   const nb::object& empty) {
  const std::size_t num_rows = rows.size() / bytes_of(1, row_bytes);
  const Numbers<std::int64_t> splits_numbers(splits), index_numbers(index);
  Result<std::int64_t> out_splits(index.size() + 1);
  {
    ReleasedGil release;
    ragged_splits(static_cast<std::int64_t>(num_rows), splits_numbers, index_numbers,
                  out_splits.span());
  }
  const auto total = static_cast<std::size_t>(out_splits.span().back());
  const Result<std::uint8_t> out = empty.is_none()
                                       ? Result<std::uint8_t>(bytes_of(total, row_bytes))
                                       : Result<std::uint8_t>(bytes_of(total, row_bytes), empty);
  {
    ReleasedGil release;
    ragged_take(span_of(rows), row_bytes, splits_numbers, index_numbers, out.span());
  }
  return {out.array(), out_splits.array()};
}

nb::object bind_pad_rows(Bytes rows, Bytes fill, Given<std::int64_t> splits,
                         std::size_t out_len) {
  const Numbers<std::int64_t> numbers(splits);
  check(splits.size() > 0, "splits must hold at least one number");
  const std::size_t line = bytes_of(out_len, fill.size());
  Result<std::uint8_t> out(line == 0 ? 0 : bytes_of(splits.size() - 1, line));
  {
    ReleasedGil release;
    pad_rows(span_of(rows), span_of(fill), numbers, static_cast<std::int64_t>(out_len),
             out.span());
  }
  return out.array();
}

}  // namespace

void register_rows(nb::module_& m) {
  m.def("ragged_take", &bind_ragged_take, nb::arg("rows").noconvert(), nb::arg("row_bytes"),
        nb::arg("splits").noconvert(), nb::arg("index").noconvert(), nb::arg("empty").none(),
        nb::sig("def ragged_take(rows: numpy.typing.NDArray[numpy.uint8], row_bytes: int, "
                "splits: numpy.typing.NDArray[numpy.int64], "
                "index: numpy.typing.NDArray[numpy.int64], "
                "empty: typing.Callable[[int, str], numpy.typing.NDArray[numpy.uint8]] | None) "
                "-> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]"));
  m.def("pad_rows", &bind_pad_rows, nb::arg("rows").noconvert(), nb::arg("fill").noconvert(),
        nb::arg("splits").noconvert(), nb::arg("out_len"),
        nb::sig("def pad_rows(rows: numpy.typing.NDArray[numpy.uint8], "
                "fill: numpy.typing.NDArray[numpy.uint8], "
                "splits: numpy.typing.NDArray[numpy.int64], out_len: int) "
                "-> numpy.typing.NDArray[numpy.uint8]"));
}

}  // namespace feedline
