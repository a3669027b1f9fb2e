#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/lines.h"
#include "core/utf8.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A new list, all of whose items are made by `make(i)`.
template <class Make>
nb::object list_of(std::size_t size, const Make& make) {
  nb::object made = nb::steal(PyList_New(static_cast<Py_ssize_t>(size)));
  if (!made.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < size; ++i) {
    PyObject* const item = make(i);
    if (item == nullptr) throw nb::python_error();
    PyList_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return made;
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t size) {
  check(!offsets.empty(), "offsets must hold at least one number");
  check(offsets.front() >= 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
            offsets.back() <= static_cast<std::int64_t>(size),
        "offsets must rise from 0 to at most the length of the data");
}

nb::object bind_bytes_rows(Bytes data, Given<std::int64_t> offsets) {
  const Numbers<std::int64_t> numbers(offsets);
  const std::span<const std::int64_t> places = numbers;
  check_offsets(places, data.size());
  const auto* const text = reinterpret_cast<const char*>(data.data());
  return list_of(places.size() - 1, [&](std::size_t i) {
    return PyBytes_FromStringAndSize(text + places[i],
                                     static_cast<Py_ssize_t>(places[i + 1] - places[i]));
  });
}

PyObject* ascii_text(const char* from, Py_ssize_t size) {
  if (size == 0) return PyUnicode_New(0, 127);
  PyObject* const made = PyUnicode_New(size, 127);
  if (made != nullptr) std::memcpy(PyUnicode_1BYTE_DATA(made), from, static_cast<std::size_t>(size));
  return made;
}

nb::object bind_text_rows(Bytes data, Given<std::int64_t> offsets) {
  const Numbers<std::int64_t> numbers(offsets);
  const std::span<const std::int64_t> places = numbers;
  check_offsets(places, data.size());
  bool ascii = false;
  {
    ReleasedGil release;
    const auto first = static_cast<std::size_t>(places.front());
    const auto last = static_cast<std::size_t>(places.back());
    ascii = is_ascii({data.data() + first, last - first});
  }
  const auto* const text = reinterpret_cast<const char*>(data.data());
  return list_of(places.size() - 1, [&](std::size_t i) {
    const auto size = static_cast<Py_ssize_t>(places[i + 1] - places[i]);
    return ascii ? ascii_text(text + places[i], size)
                 : PyUnicode_DecodeUTF8(text + places[i], size, nullptr);
  });
}

bool bind_is_utf8(Bytes data) {
  ReleasedGil release;
  const std::span<const std::uint8_t> span(data.data(), data.size());
  return is_ascii(span) || is_utf8(span);
}

}  // namespace

void register_texts(nb::module_& m) {
  m.def("bytes_rows", &bind_bytes_rows, nb::arg("data").noconvert(), nb::arg("offsets").noconvert(),
        nb::sig("def bytes_rows(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64]) -> list[bytes]"));
  m.def("text_rows", &bind_text_rows, nb::arg("data").noconvert(), nb::arg("offsets").noconvert(),
        nb::sig("def text_rows(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64]) -> list[str]"));
  m.def("is_utf8", &bind_is_utf8, nb::arg("data").noconvert(),
        nb::sig("def is_utf8(data: numpy.typing.NDArray[numpy.uint8]) -> bool"));
}

}  // namespace feedline
