#include <algorithm>
#include <cstring>
#include <vector>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/rows.h"

namespace feedline {
namespace {

// The memory of Python objects, held until this goes.
class Buffers {
 public:
  explicit Buffers(std::size_t capacity) { buffers_.reserve(capacity); }
  ~Buffers() {
    for (Py_buffer& buffer : buffers_) PyBuffer_Release(&buffer);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  // False if the object has no contiguous memory, or differs from the first in type or shape.
  bool add(nb::handle object) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_FORMAT | PyBUF_ND) != 0) {
      PyErr_Clear();
      return false;
    }
    buffers_.push_back(buffer);
    return same(buffers_.front(), buffer);
  }

  std::size_t row_bytes() const { return static_cast<std::size_t>(buffers_.front().len); }

  std::vector<const void*> rows() const {
    std::vector<const void*> rows;
    rows.reserve(buffers_.size());
    for (const Py_buffer& buffer : buffers_) rows.push_back(buffer.buf);
    return rows;
  }

 private:
  static bool same(const Py_buffer& a, const Py_buffer& b) {
    return Py_TYPE(a.obj) == Py_TYPE(b.obj) && a.itemsize == b.itemsize && a.ndim == b.ndim &&
           std::equal(a.shape, a.shape + a.ndim, b.shape) && std::strcmp(a.format, b.format) == 0;
  }

  std::vector<Py_buffer> buffers_;
};

bool bind_stack_rows(nb::list arrays, Changed<std::uint8_t> out) {
  if (arrays.size() == 0) return false;
  Buffers buffers(arrays.size());
  for (nb::handle array : arrays) {
    if (!buffers.add(array)) return false;
  }
  const auto rows = buffers.rows();
  ReleasedGil release;
  stack_rows(rows, buffers.row_bytes(), {out.data(), out.size()});
  return true;
}

}  // namespace

void register_stack(nb::module_& m) {
  m.def("stack_rows", &bind_stack_rows, nb::arg("arrays"), nb::arg("out").noconvert(),
        nb::sig("def stack_rows(arrays: list[numpy.typing.NDArray[typing.Any]], "
                "out: numpy.typing.NDArray[numpy.uint8]) -> bool"));
}

}  // namespace feedline
