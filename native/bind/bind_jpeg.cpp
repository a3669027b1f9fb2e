#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/arrays.h"
#include "bind/recipe.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/jpeg.h"
#include "core/jpeg_images.h"

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

nb::object bind_jpeg_sizes(const Row<std::uint8_t>& data, const Row<std::int64_t>& offsets) {
  check(offsets.size() > 0, "there must be one more offset than JPEGs");
  const Result<std::int64_t> sizes(2 * (offsets.size() - 1));
  {
    ReleasedGil release;
    jpeg_sizes({span_of(data), span_of(offsets)}, sizes.span());
  }
  return sizes.array();
}

nb::object bind_resample_jpegs(
    const Row<std::uint8_t>& data, const Row<std::int64_t>& offsets,
    const Row<std::int64_t>& sizes,
    const nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>& out, int method,
    bool antialias, const std::optional<Row<std::int64_t>>& boxes,
    const std::optional<Row<std::uint8_t>>& flips, const Row<std::uint8_t>& before,
    const Row<float>& before_constants, const Row<std::uint8_t>& after,
    const Row<float>& after_constants) {
  check(offsets.size() > 0 && out.shape(0) == offsets.size() - 1,
        "JPEGs and results must be as many");
  const Recipe recipe =
      recipe_of(method, antialias, before, before_constants, after, after_constants);
  const Result<std::uint8_t> done(offsets.size() - 1);
  {
    ReleasedGil release;
    resample_jpegs({span_of(data), span_of(offsets)}, span_of(sizes),
                   static_cast<std::int64_t>(out.shape(3)), {span_of(boxes), span_of(flips)},
                   recipe, static_cast<std::int64_t>(out.shape(1)),
                   static_cast<std::int64_t>(out.shape(2)), {out.data(), out.size()},
                   done.span());
  }
  return done.array();
}

}  // namespace

void register_jpeg(nb::module_& m) {
  m.def(
      "decode_jpeg",
      [](nb::object data,
         nb::ndarray<std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu> out) {
        const Contents contents(data);
        ReleasedGil release;
        return decode_jpeg(contents.bytes(), out.shape(0), out.shape(1), out.shape(2),
                           {out.data(), out.size()});
      },
      nb::arg("data"), nb::arg("out").noconvert(),
      nb::sig("def decode_jpeg(data: object, "
              "out: numpy.typing.NDArray[numpy.uint8]) -> bool"));
  m.def(
      "decode_jpeg_part",
      [](nb::object data, std::size_t top, std::size_t left,
         nb::ndarray<std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu> out) {
        const Contents contents(data);
        ReleasedGil release;
        return decode_jpeg_part(contents.bytes(), {top, left, out.shape(0), out.shape(1)},
                                out.shape(2), {out.data(), out.size()});
      },
      nb::arg("data"), nb::arg("top"), nb::arg("left"), nb::arg("out").noconvert(),
      nb::sig("def decode_jpeg_part(data: object, top: int, left: int, "
              "out: numpy.typing.NDArray[numpy.uint8]) -> bool"));
  m.def("jpeg_sizes", &bind_jpeg_sizes, nb::arg("data").noconvert(),
        nb::arg("offsets").noconvert(),
        nb::sig("def jpeg_sizes(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64]) "
                "-> numpy.typing.NDArray[numpy.int64]"));
  m.def("resample_jpegs", &bind_resample_jpegs, nb::arg("data").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("sizes").noconvert(), nb::arg("out").noconvert(),
        nb::arg("method"), nb::arg("antialias"), nb::arg("boxes").none(), nb::arg("flips").none(),
        nb::arg("before").noconvert(), nb::arg("before_constants").noconvert(),
        nb::arg("after").noconvert(), nb::arg("after_constants").noconvert(),
        nb::sig("def resample_jpegs(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64], "
                "sizes: numpy.typing.NDArray[numpy.int64], "
                "out: numpy.typing.NDArray[numpy.float32], method: int, antialias: bool, "
                "boxes: numpy.typing.NDArray[numpy.int64] | None, "
                "flips: numpy.typing.NDArray[numpy.uint8] | None, "
                "before: numpy.typing.NDArray[numpy.uint8], "
                "before_constants: numpy.typing.NDArray[numpy.float32], "
                "after: numpy.typing.NDArray[numpy.uint8], "
                "after_constants: numpy.typing.NDArray[numpy.float32]) "
                "-> numpy.typing.NDArray[numpy.uint8]"));
}

}  // namespace feedline
