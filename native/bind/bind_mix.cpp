#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/mix.h"

namespace feedline {

void register_mix(nb::module_& m) {
  m.def(
      "mix_ids",
      [](Given<std::uint64_t> ids, nb::int_ word) {
        const Numbers<std::uint64_t> numbers(ids);
        const std::uint64_t low = low_word(word);
        Result<std::uint64_t> out(ids.size());
        {
          ReleasedGil release;
          mix_ids(numbers, low, out.span());
        }
        return out.array();
      },
      nb::arg("ids").noconvert(), nb::arg("word"),
      nb::sig("def mix_ids(ids: numpy.typing.NDArray[numpy.uint64], word: int) "
              "-> numpy.typing.NDArray[numpy.uint64]"));
}

}  // namespace feedline
