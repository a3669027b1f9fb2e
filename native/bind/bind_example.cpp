#include <nanobind/stl/tuple.h>

#include <memory>
#include <tuple>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/example.h"

namespace feedline {
namespace {

using Records = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

std::vector<WantedFeature> wanted_of(const nb::list& wanted) {
  std::vector<WantedFeature> found;
  found.reserve(wanted.size());
  for (nb::handle one : wanted) {
    const auto [key, kind, size, required] =
        nb::cast<std::tuple<nb::bytes, std::uint8_t, std::int64_t, bool>>(one);
    found.push_back({{key.c_str(), key.size()}, static_cast<ListKind>(kind), size, required});
  }
  return found;
}

// Memory for the numbers of a feature that has the same number of them in every record.
template <class T>
nb::object dense_memory(std::span<T>& span, std::size_t records, std::int64_t size,
                        const nb::object& empty) {
  const auto per_record = static_cast<std::size_t>(size);
  check(per_record == 0 || records <= static_cast<std::size_t>(PTRDIFF_MAX) / 8 / per_record,
        "the result is larger than memory can be");
  const Result<T> memory(records * per_record, empty);
  span = memory.span();
  return memory.array();
}

nb::object values_of(FeatureValues& values, const WantedFeature& wanted, nb::object dense) {
  if (!dense.is_none()) return dense;
  if (wanted.kind == ListKind::floats) return handed_out(std::move(values.floats));
  if (wanted.kind == ListKind::ints) return handed_out(std::move(values.ints));
  return handed_out(std::move(values.bytes));
}

nb::object or_none(std::vector<std::int64_t>&& numbers) {
  return numbers.empty() ? nb::none() : handed_out(std::move(numbers));
}

template <class Parse>
nb::tuple parse(Parse run, bool lists, const Records& data, const Given<std::int64_t>& offsets,
                const nb::list& features) {
  const Numbers<std::int64_t> numbers(offsets);
  const auto wanted = wanted_of(features);
  check(numbers.size() > 0, "offsets must hold at least one number");
  std::vector<FeatureValues> values(wanted.size());
  std::vector<nb::object> dense(wanted.size(), nb::none());
  const nb::object empty = nb::module_::import_("numpy").attr("empty");
  for (std::size_t i = 0; i < wanted.size() && !lists; ++i) {
    const std::size_t records = numbers.size() - 1;
    if (wanted[i].size < 0 || wanted[i].kind == ListKind::bytes) continue;
    dense[i] = wanted[i].kind == ListKind::floats
                   ? dense_memory(values[i].dense_floats, records, wanted[i].size, empty)
                   : dense_memory(values[i].dense_ints, records, wanted[i].size, empty);
  }
  std::optional<ExampleError> error;
  {
    ReleasedGil release;
    error = run(std::span<const std::uint8_t>{data.data(), data.size()},
                std::span<const std::int64_t>(numbers), std::span<const WantedFeature>(wanted),
                std::span<FeatureValues>(values));
  }
  if (error) {
    return nb::make_tuple(nb::none(), nb::make_tuple(static_cast<int>(error->fault), error->record,
                                                     error->feature, error->offset, error->found,
                                                     error->what));
  }
  // Nearly always none are missing: one array says so for all.
  const nb::object none_missing = Result<std::int64_t>(0, empty).array();
  nb::list columns;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    FeatureValues& one = values[i];
    columns.append(nb::make_tuple(values_of(one, wanted[i], dense[i]),
                                  or_none(std::move(one.offsets)), or_none(std::move(one.splits)),
                                  or_none(std::move(one.steps)),
                                  one.missing.empty() ? none_missing
                                                      : handed_out(std::move(one.missing))));
  }
  return nb::make_tuple(columns, nb::none());
}

}  // namespace

void register_example(nb::module_& m) {
  m.def(
      "parse_examples",
      [](Records data, Given<std::int64_t> offsets, nb::list wanted, std::size_t threads) {
        const auto run = [threads](auto... arguments) {
          return parse_examples(arguments..., threads);
        };
        return parse(run, false, data, offsets, wanted);
      },
      nb::arg("data").noconvert(), nb::arg("offsets").noconvert(), nb::arg("wanted"),
      nb::arg("threads") = 1,
      nb::sig("def parse_examples(data: numpy.typing.NDArray[numpy.uint8], "
              "offsets: numpy.typing.NDArray[numpy.int64], "
              "wanted: list[tuple[bytes, int, int, bool]], threads: int = 1) "
              "-> tuple[typing.Any, typing.Any]"));
  m.def(
      "parse_feature_lists",
      [](Records data, Given<std::int64_t> offsets, nb::list wanted) {
        return parse(&parse_feature_lists, true, data, offsets, wanted);
      },
      nb::arg("data").noconvert(), nb::arg("offsets").noconvert(), nb::arg("wanted"),
      nb::sig("def parse_feature_lists(data: numpy.typing.NDArray[numpy.uint8], "
              "offsets: numpy.typing.NDArray[numpy.int64], "
              "wanted: list[tuple[bytes, int, int, bool]]) -> tuple[typing.Any, typing.Any]"));
}

}  // namespace feedline
