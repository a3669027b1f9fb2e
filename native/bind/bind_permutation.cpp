#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/permutation.h"

namespace feedline {

void register_permutation(nb::module_& m) {
  m.def(
      "permute",
      [](Given<std::int64_t> index, std::int64_t length, nb::int_ key) {
        const Numbers<std::int64_t> numbers(index);
        const std::uint64_t word = low_word(key);
        Result<std::int64_t> out(index.size());
        {
          ReleasedGil release;
          permute(numbers, length, word, out.span());
        }
        return out.array();
      },
      nb::arg("index").noconvert(), nb::arg("length"), nb::arg("key"),
      nb::sig("def permute(index: numpy.typing.NDArray[numpy.int64], length: int, key: int) "
              "-> numpy.typing.NDArray[numpy.int64]"));
}

}  // namespace feedline
