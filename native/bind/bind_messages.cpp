#include <nanobind/nanobind.h>

#include <cstring>
#include <vector>

#include "bind/register.h"
#include "core/check.h"
#include "core/messages.h"

// Messages are small, and made of Python's objects: nothing here is worth letting go of the GIL.

namespace feedline {
namespace {

namespace nb = nanobind;

Span span_of(const nb::bytes& data) {
  const auto* const at = reinterpret_cast<const std::uint8_t*>(data.c_str());
  return {at, at + data.size()};
}

nb::bytes bytes_of(Span span) { return nb::bytes(reinterpret_cast<const char*>(span.at), span.size()); }

bool bind_is_canonical(const nb::bytes& data, int kind) {
  check(0 <= kind && kind <= static_cast<int>(MessageKind::sequence_example),
        "there is no such kind of message");
  return is_canonical(span_of(data), static_cast<MessageKind>(kind));
}

nb::object bind_repeated_field(const nb::bytes& data) {
  const auto found = repeated_field(span_of(data));
  if (!found) return nb::none();
  nb::list values;
  for (const Span one : *found) values.append(bytes_of(one));
  return values;
}

nb::object bind_map_entries(const nb::bytes& data) {
  const auto found = map_entries(span_of(data));
  if (!found) return nb::none();
  nb::dict values;
  for (const auto& [name, value] : *found) {
    PyObject* const text = PyUnicode_DecodeUTF8(reinterpret_cast<const char*>(name.at),
                                                static_cast<Py_ssize_t>(name.size()), nullptr);
    if (text == nullptr) {
      PyErr_Clear();
      return nb::none();
    }
    values[nb::steal<nb::object>(text)] = bytes_of(value);
  }
  return values.size() == found->size() ? nb::object(values) : nb::none();
}

// A field 1 with a length and `size` bytes to be filled after it.
nb::bytes packed_field(std::size_t size, std::uint8_t*& body) {
  std::vector<std::uint8_t> head{tag_of(1, delimited)};
  append_varint(size, head);
  PyObject* const made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(head.size() + size));
  if (made == nullptr) throw nb::python_error();
  body = reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(made));
  std::memcpy(body, head.data(), head.size());
  body += head.size();
  return nb::steal<nb::bytes>(made);
}

// A list of Python's own floats and integers as a FloatList; None if anything else is in it.
nb::object bind_float_list(const nb::list& values) {
  const std::size_t size = values.size();
  if (size == 0) return nb::bytes("", 0);
  std::vector<float> found(size);
  for (std::size_t i = 0; i < size; ++i) {
    PyObject* const value = PyList_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(i));
    double number;
    if (PyFloat_CheckExact(value)) {
      number = PyFloat_AS_DOUBLE(value);
    } else if (PyLong_CheckExact(value)) {
      number = PyLong_AsDouble(value);
      if (number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        return nb::none();
      }
    } else {
      return nb::none();
    }
    found[i] = static_cast<float>(number);
  }
  std::uint8_t* body = nullptr;
  nb::bytes made = packed_field(4 * size, body);
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(body, found.data(), 4 * size);
  } else {
    for (const float number : found) {
      const auto bits = std::bit_cast<std::uint32_t>(number);
      for (int shift = 0; shift < 32; shift += 8) *body++ = static_cast<std::uint8_t>(bits >> shift);
    }
  }
  return made;
}

// A list of Python's own integers of 64 bits as an Int64List; None if anything else is in it.
nb::object bind_int64_list(const nb::list& values) {
  const std::size_t size = values.size();
  if (size == 0) return nb::bytes("", 0);
  std::vector<std::uint8_t> packed;
  packed.reserve(3 * size);
  for (std::size_t i = 0; i < size; ++i) {
    PyObject* const value = PyList_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(i));
    if (!PyLong_CheckExact(value)) return nb::none();
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow != 0) return nb::none();
    append_varint(static_cast<std::uint64_t>(number), packed);
  }
  std::uint8_t* body = nullptr;
  nb::bytes made = packed_field(packed.size(), body);
  std::memcpy(body, packed.data(), packed.size());
  return made;
}

nb::object bind_unpacked_ints(const nb::bytes& packed) {
  std::vector<std::int64_t> found;
  found.reserve(packed.size());
  if (!read_varints(span_of(packed), found)) return nb::none();
  nb::list values;
  for (const std::int64_t number : found) values.append(number);
  return values;
}

}  // namespace

void register_messages(nb::module_& m) {
  m.def("is_canonical", &bind_is_canonical, nb::arg("data"), nb::arg("kind"));
  m.def("repeated_field", &bind_repeated_field, nb::arg("data"),
        nb::sig("def repeated_field(data: bytes) -> list[bytes] | None"));
  m.def("map_entries", &bind_map_entries, nb::arg("data"),
        nb::sig("def map_entries(data: bytes) -> dict[str, bytes] | None"));
  m.def("float_list", &bind_float_list, nb::arg("values"),
        nb::sig("def float_list(values: list[typing.Any]) -> bytes | None"));
  m.def("int64_list", &bind_int64_list, nb::arg("values"),
        nb::sig("def int64_list(values: list[typing.Any]) -> bytes | None"));
  m.def("unpacked_ints", &bind_unpacked_ints, nb::arg("packed"),
        nb::sig("def unpacked_ints(packed: bytes) -> list[int] | None"));
}

}  // namespace feedline
