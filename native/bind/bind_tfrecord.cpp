#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/crc32c.h"
#include "core/tfrecord.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::uint8_t> span_of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

std::uint32_t bind_crc32c(Bytes data) {
  ReleasedGil release;
  return crc32c(span_of(data));
}

std::uint32_t bind_crc32c_by_table(Bytes data) {
  ReleasedGil release;
  return crc32c_by_table(span_of(data));
}

std::tuple<nb::object, int, std::int64_t> bind_tfrecord_scan(Bytes data, std::size_t start,
                                                             std::size_t most, bool checks_data) {
  FrameScan found;
  {
    ReleasedGil release;
    found = scan_frames(span_of(data), start, most, checks_data);
  }
  Result<std::int64_t> bounds(found.bounds.size());
  std::copy(found.bounds.begin(), found.bounds.end(), bounds.span().begin());
  return {bounds.array(), static_cast<int>(found.damage), found.needed};
}

std::tuple<std::size_t, std::size_t, int, std::int64_t> bind_tfrecord_take(
    Bytes data, std::size_t start, Changed<std::uint8_t> out, Changed<std::int64_t> offsets,
    std::size_t count) {
  ReleasedGil release;
  const auto found = take_records(span_of(data), start, {out.data(), out.size()},
                                  {offsets.data(), offsets.size()}, count);
  return {found.count, found.at, static_cast<int>(found.damage), found.needed};
}

std::int64_t bind_tfrecord_check(Bytes data, Given<std::int64_t> starts,
                                 Given<std::int64_t> stops) {
  const Numbers<std::int64_t> start_numbers(starts), stop_numbers(stops);
  ReleasedGil release;
  return first_damaged(span_of(data), start_numbers, stop_numbers);
}

std::pair<nb::object, nb::object> bind_tfrecord_records(Bytes data, Given<std::int64_t> starts,
                                                        Given<std::int64_t> stops) {
  const Numbers<std::int64_t> start_numbers(starts), stop_numbers(stops);
  Result<std::uint8_t> out(records_size(span_of(data), start_numbers, stop_numbers));
  Result<std::int64_t> offsets(starts.size() + 1);
  {
    ReleasedGil release;
    copy_records(span_of(data), start_numbers, stop_numbers, out.span(), offsets.span());
  }
  return {out.array(), offsets.array()};
}

nb::object bind_tfrecord_frame(Bytes data, Given<std::int64_t> offsets) {
  const Numbers<std::int64_t> numbers(offsets);
  Result<std::uint8_t> out(framed_size(span_of(data), numbers));
  {
    ReleasedGil release;
    frame_records(span_of(data), numbers, out.span());
  }
  return out.array();
}

}  // namespace

void register_tfrecord(nb::module_& m) {
  m.def("crc32c", &bind_crc32c, nb::arg("data").noconvert(),
        nb::sig("def crc32c(data: numpy.typing.NDArray[numpy.uint8]) -> int"));
  m.def("crc32c_by_table", &bind_crc32c_by_table, nb::arg("data").noconvert(),
        nb::sig("def crc32c_by_table(data: numpy.typing.NDArray[numpy.uint8]) -> int"));
  m.def("tfrecord_scan", &bind_tfrecord_scan, nb::arg("data").noconvert(), nb::arg("start"),
        nb::arg("most"), nb::arg("checks_data"),
        nb::sig("def tfrecord_scan(data: numpy.typing.NDArray[numpy.uint8], start: int, "
                "most: int, checks_data: bool) "
                "-> tuple[numpy.typing.NDArray[numpy.int64], int, int]"));
  m.def("tfrecord_take", &bind_tfrecord_take, nb::arg("data").noconvert(), nb::arg("start"),
        nb::arg("out").noconvert(), nb::arg("offsets").noconvert(), nb::arg("count"),
        nb::sig("def tfrecord_take(data: numpy.typing.NDArray[numpy.uint8], start: int, "
                "out: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64], count: int) "
                "-> tuple[int, int, int, int]"));
  m.def("tfrecord_check", &bind_tfrecord_check, nb::arg("data").noconvert(),
        nb::arg("starts").noconvert(), nb::arg("stops").noconvert(),
        nb::sig("def tfrecord_check(data: numpy.typing.NDArray[numpy.uint8], "
                "starts: numpy.typing.NDArray[numpy.int64], "
                "stops: numpy.typing.NDArray[numpy.int64]) -> int"));
  m.def("tfrecord_records", &bind_tfrecord_records, nb::arg("data").noconvert(),
        nb::arg("starts").noconvert(), nb::arg("stops").noconvert(),
        nb::sig("def tfrecord_records(data: numpy.typing.NDArray[numpy.uint8], "
                "starts: numpy.typing.NDArray[numpy.int64], "
                "stops: numpy.typing.NDArray[numpy.int64]) "
                "-> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]"));
  m.def("tfrecord_frame", &bind_tfrecord_frame, nb::arg("data").noconvert(),
        nb::arg("offsets").noconvert(),
        nb::sig("def tfrecord_frame(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64]) "
                "-> numpy.typing.NDArray[numpy.uint8]"));
}

}  // namespace feedline
