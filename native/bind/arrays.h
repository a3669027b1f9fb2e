// arrays: NumPy arrays as spans, and spans to fill as NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace feedline {

namespace nb = nanobind;

// An argument: one axis of exactly this dtype, read-only or not, with any stride.
template <class T>
using Given = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;

// An argument that is written to: contiguous, so that the writes reach the caller.
template <class T>
using Changed = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The numbers of an argument as a span: where they lie if they lie well, copied otherwise.
template <class T>
class Numbers {
 public:
  explicit Numbers(const Given<T>& given) : span_(given.data(), given.size()) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(given.data()) % alignof(T) == 0;
    if (given.size() < 2 ? aligned : aligned && given.stride(0) == 1) return;
    copy_.resize(given.size());
    const auto* from = reinterpret_cast<const std::uint8_t*>(given.data());
    const auto step = static_cast<std::ptrdiff_t>(sizeof(T)) * given.stride(0);
    for (std::size_t i = 0; i < copy_.size(); ++i)
      std::memcpy(&copy_[i], from + static_cast<std::ptrdiff_t>(i) * step, sizeof(T));
    span_ = copy_;
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  operator std::span<const T>() const { return span_; }
  std::size_t size() const { return span_.size(); }

 private:
  std::vector<T> copy_;
  std::span<const T> span_;
};

// A new NumPy array to fill and hand out.
template <class T>
class Result {
 public:
  explicit Result(std::size_t size) : Result(size, nb::module_::import_("numpy").attr("empty")) {}

  // `empty`: numpy.empty, for many arrays.
  Result(std::size_t size, const nb::object& empty) {
    array_ = empty(size, name());
    Py_buffer view;  // asked for in the quickest way there is
    if (PyObject_GetBuffer(array_.ptr(), &view, PyBUF_CONTIG) != 0) throw nb::python_error();
    span_ = {static_cast<T*>(view.buf), size};
    PyBuffer_Release(&view);
  }

  std::span<T> span() const { return span_; }
  nb::object array() const { return array_; }

 private:
  static const char* name() {
    if constexpr (std::is_same_v<T, std::int64_t>) return "i8";
    if constexpr (std::is_same_v<T, std::uint64_t>) return "u8";
    if constexpr (std::is_same_v<T, std::uint32_t>) return "u4";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "u1";
    if constexpr (std::is_same_v<T, float>) return "f4";
    if constexpr (std::is_same_v<T, double>) return "f8";
  }

  nb::object array_;
  std::span<T> span_;
};

// The low 64 bits of any Python integer.
inline std::uint64_t low_word(nb::handle number) {
  const auto word = PyLong_AsUnsignedLongLongMask(number.ptr());
  if (PyErr_Occurred()) throw nb::python_error();
  return word;
}

}  // namespace feedline
