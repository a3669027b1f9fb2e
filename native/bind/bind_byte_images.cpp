#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/byte_images.h"

namespace feedline {

void register_byte_images(nb::module_& m) {
  m.def(
      "through_tables",
      [](Given<std::uint8_t> pixels, Given<std::uint8_t> tables, std::size_t channels) {
        const Numbers<std::uint8_t> from(pixels), by(tables);
        Result<std::uint8_t> out(from.size());
        {
          ReleasedGil release;
          through_tables(from, by, channels, out.span());
        }
        return out.array();
      },
      nb::arg("pixels").noconvert(), nb::arg("tables").noconvert(), nb::arg("channels"),
      nb::sig("def through_tables(pixels: numpy.typing.NDArray[numpy.uint8], "
              "tables: numpy.typing.NDArray[numpy.uint8], channels: int) "
              "-> numpy.typing.NDArray[numpy.uint8]"));
  m.def(
      "halved_means",
      [](Given<std::uint8_t> pixels, std::size_t images, std::size_t channels) {
        const Numbers<std::uint8_t> from(pixels);
        // Every image has pixels: more of these than there are bytes cannot be meant.
        if (channels > from.size() || images > from.size())
          throw std::invalid_argument("an image must have pixels");
        Result<float> out(images * channels);
        {
          ReleasedGil release;
          halved_means(from, channels, out.span());
        }
        return out.array();
      },
      nb::arg("pixels").noconvert(), nb::arg("images"), nb::arg("channels"),
      nb::sig("def halved_means(pixels: numpy.typing.NDArray[numpy.uint8], images: int, "
              "channels: int) -> numpy.typing.NDArray[numpy.float32]"));
}

}  // namespace feedline
