#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/csv_table.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// An array in the memory of a vector, which lives as long as the array.
template <class T>
nb::object handed_out(std::vector<T>&& values) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owner->data();
  const std::size_t size = owner->size();
  nb::capsule capsule(owner.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owner.release();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, capsule));
}

nb::object handed_out(CsvText&& text) {
  return nb::make_tuple(handed_out(std::move(text.data)), handed_out(std::move(text.offsets)));
}

std::string string_of(const nb::bytes& text) { return {text.c_str(), text.size()}; }

CsvValues values_of(char kind) {
  switch (kind) {
    case 'f': return std::vector<float>();
    case 'd': return std::vector<double>();
    case 'i': return std::vector<std::int32_t>();
    case 'q': return std::vector<std::int64_t>();
    case 's': return CsvText();
    default: throw std::invalid_argument("a column is f, d, i, q or s");
  }
}

std::vector<CsvTarget> targets_of(const nb::list& columns) {
  std::vector<CsvTarget> targets;
  for (nb::handle column : columns) {
    const auto [place, kind, fill] =
        nb::cast<std::tuple<std::size_t, std::string, nb::object>>(column);
    check(kind.size() == 1, "a column is f, d, i, q or s");
    CsvTarget target{place, !fill.is_none(), 0.0, 0, {}, values_of(kind[0])};
    if (target.has_default) {
      if (kind == "s") target.text = string_of(nb::cast<nb::bytes>(fill));
      else if (kind == "f" || kind == "d") target.number = nb::cast<double>(fill);
      else target.whole = nb::cast<std::int64_t>(fill);
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

nb::object bind_csv_table(Bytes data, std::uint8_t delimiter, bool quotes, bool is_final,
                          bool header, nb::bytes na_value, std::tuple<std::size_t, std::size_t> counts,
                          nb::list columns, bool utf8) {
  std::vector<CsvTarget> targets = targets_of(columns);
  const CsvLayout layout{delimiter, quotes, is_final, header, string_of(na_value),
                         std::get<0>(counts), std::get<1>(counts), utf8};
  std::optional<CsvRead> read;
  {
    ReleasedGil release;
    read = read_csv_table({data.data(), data.size()}, layout, targets);
  }
  if (!read) return nb::none();
  nb::list found;
  for (auto& target : targets)
    found.append(std::visit([](auto& values) { return handed_out(std::move(values)); }, target.values));
  return nb::make_tuple(found, read->num_records, read->num_bytes, read->num_newlines);
}

}  // namespace

void register_csv_table(nb::module_& m) {
  m.def("csv_table", &bind_csv_table, nb::arg("data").noconvert(), nb::arg("delimiter"),
        nb::arg("quotes"), nb::arg("is_final"), nb::arg("header"), nb::arg("na_value"),
        nb::arg("counts"), nb::arg("columns"), nb::arg("utf8"),
        nb::sig("def csv_table(data: numpy.typing.NDArray[numpy.uint8], delimiter: int, "
                "quotes: bool, is_final: bool, header: bool, na_value: bytes, "
                "counts: tuple[int, int], columns: list[tuple[int, str, typing.Any]], "
                "utf8: bool) -> tuple[list[typing.Any], int, int, int] | None"));
}

}  // namespace feedline
