#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/exchange.h"

namespace feedline {

void register_exchange(nb::module_& m) {
  m.def(
      "exchange",
      [](Changed<std::int64_t> ring, std::int64_t front, std::int64_t held,
         Given<std::int64_t> arriving, Given<std::uint32_t> draws) {
        const Numbers<std::int64_t> arriving_numbers(arriving);
        const Numbers<std::uint32_t> draw_numbers(draws);
        Result<std::int64_t> out(draws.size());
        {
          ReleasedGil release;
          exchange({ring.data(), ring.size()}, front, held, arriving_numbers, draw_numbers,
                   out.span());
        }
        return out.array();
      },
      nb::arg("ring").noconvert(), nb::arg("front"), nb::arg("held"),
      nb::arg("arriving").noconvert(), nb::arg("draws").noconvert(),
      nb::sig("def exchange(ring: numpy.typing.NDArray[numpy.int64], front: int, held: int, "
              "arriving: numpy.typing.NDArray[numpy.int64], "
              "draws: numpy.typing.NDArray[numpy.uint32]) "
              "-> numpy.typing.NDArray[numpy.int64]"));
}

}  // namespace feedline
