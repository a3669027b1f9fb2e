#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/philox_rows.h"

namespace feedline {
namespace {

using Words = std::optional<Given<std::uint64_t>>;

void check_counter(const Words& words, std::size_t rows) {
  check(!words || words->size() == rows, "low and high must be as long as keys");
}

}  // namespace

void register_philox_rows(nb::module_& m) {
  m.def(
      "philox_rows",
      [](Given<std::uint64_t> keys, std::int64_t count, Words low, Words high) {
        check(count >= 0 && count <= INT64_MAX / 8, "count must be at least 0, and below 2**60");
        check_counter(low, keys.size());
        check_counter(high, keys.size());
        const std::size_t rows = keys.size(), per_row = static_cast<std::size_t>(count);
        check(per_row == 0 || rows <= INT64_MAX / 8 / per_row, "too many numbers");
        const Numbers<std::uint64_t> numbers(keys);
        std::optional<Numbers<std::uint64_t>> lows, highs;
        if (low) lows.emplace(*low);
        if (high) highs.emplace(*high);
        Result<std::uint32_t> out(rows * per_row);
        {
          ReleasedGil release;
          std::span<const std::uint64_t> low_words, high_words;
          if (lows) low_words = *lows;
          if (highs) high_words = *highs;
          philox_rows(numbers, per_row, low_words, high_words, out.span());
        }
        return out.array().attr("reshape")(rows, per_row);
      },
      nb::arg("keys").noconvert(), nb::arg("count"), nb::arg("low").noconvert() = nb::none(),
      nb::arg("high").noconvert() = nb::none(),
      nb::sig("def philox_rows(keys: numpy.typing.NDArray[numpy.uint64], count: int, "
              "low: numpy.typing.NDArray[numpy.uint64] | None = None, "
              "high: numpy.typing.NDArray[numpy.uint64] | None = None) "
              "-> numpy.typing.NDArray[numpy.uint32]"));
}

}  // namespace feedline
