#include <nanobind/stl/pair.h>

#include <deque>
#include <utility>
#include <vector>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/turns.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::pair<nb::object, nb::object> bind_texts_in_turns(nb::list data, nb::list offsets,
                                                      std::size_t length,
                                                      const nb::object& empty) {
  check(data.size() == offsets.size(), "every part must have data and offsets");
  std::vector<Bytes> arrays;
  std::deque<Numbers<std::int64_t>> numbers;
  std::vector<Texts> parts;
  std::size_t count = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto& array = arrays.emplace_back(nb::cast<Bytes>(data[i]));
    const auto& splits = numbers.emplace_back(nb::cast<Given<std::int64_t>>(offsets[i]));
    parts.push_back({{array.data(), array.size()}, splits});
    check(splits.size() > 0, "offsets must hold at least one number");
    count += splits.size() - 1;
  }
  const Result<std::int64_t> out_offsets(count + 1);
  {
    ReleasedGil release;
    turns_offsets(parts, length, out_offsets.span());
  }
  const Result<std::uint8_t> out(static_cast<std::size_t>(out_offsets.span().back()), empty);
  {
    ReleasedGil release;
    copy_turns(parts, length, out_offsets.span(), out.span());
  }
  return {out.array(), out_offsets.array()};
}

}  // namespace

void register_turns(nb::module_& m) {
  m.def("texts_in_turns", &bind_texts_in_turns, nb::arg("data"), nb::arg("offsets"),
        nb::arg("length"), nb::arg("empty"),
        nb::sig("def texts_in_turns(data: list[numpy.typing.NDArray[numpy.uint8]], "
                "offsets: list[numpy.typing.NDArray[numpy.int64]], length: int, "
                "empty: typing.Callable[[int, str], numpy.typing.NDArray[numpy.uint8]]) "
                "-> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64]]"));
}

}  // namespace feedline
