#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/philox.h"

namespace feedline {

void register_philox(nb::module_& m) {
  m.def(
      "philox_stream",
      [](nb::int_ seed, nb::int_ seed2, std::int64_t start, std::int64_t count) {
        check(start >= 0 && count >= 0 && start <= INT64_MAX - count,
              "start and count must be at least 0, and their sum below 2**63");
        const std::uint64_t key = low_word(seed), key2 = low_word(seed2);
        Result<std::uint32_t> out(static_cast<std::size_t>(count));
        {
          ReleasedGil release;
          philox_stream(key, key2, static_cast<std::uint64_t>(start), out.span());
        }
        return out.array();
      },
      nb::arg("seed"), nb::arg("seed2"), nb::arg("start"), nb::arg("count"),
      nb::sig("def philox_stream(seed: int, seed2: int, start: int, count: int) "
              "-> numpy.typing.NDArray[numpy.uint32]"));
}

}  // namespace feedline
