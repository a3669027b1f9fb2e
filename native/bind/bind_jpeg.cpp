#include "bind/arrays.h"
#include "bind/register.h"
#include "core/jpeg.h"

namespace feedline {
namespace {

// The bytes of anything that has them in one piece.
class Contents {
 public:
  explicit Contents(nb::handle data) {
    if (PyObject_GetBuffer(data.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;
  ~Contents() { PyBuffer_Release(&view_); }

  std::span<const std::uint8_t> bytes() const {
    return {static_cast<const std::uint8_t*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_;
};

}  // namespace

void register_jpeg(nb::module_& m) {
  m.def(
      "decode_jpeg",
      [](nb::object data,
         nb::ndarray<std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu> out) {
        const Contents contents(data);
        nb::gil_scoped_release release;
        return decode_jpeg(contents.bytes(), out.shape(0), out.shape(1), out.shape(2),
                           {out.data(), out.size()});
      },
      nb::arg("data"), nb::arg("out").noconvert(),
      nb::sig("def decode_jpeg(data: collections.abc.Buffer, "
              "out: numpy.typing.NDArray[numpy.uint8]) -> bool"));
}

}  // namespace feedline
