// recipe: how images are resampled, as Python says it.
#pragma once

#include <optional>
#include <span>

#include "bind/arrays.h"
#include "core/check.h"
#include "core/image.h"

namespace feedline {

// An argument: one axis of exactly this dtype, read-only or not, without gaps.
template <class T>
using Row = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Row<T>& row) {
  return {row.data(), row.size()};
}

template <class T>
std::span<const T> span_of(const std::optional<Row<T>>& row) {
  return row ? span_of(*row) : std::span<const T>();
}

inline Recipe recipe_of(int method, bool antialias, const Row<std::uint8_t>& before,
                        const Row<float>& before_constants, const Row<std::uint8_t>& after,
                        const Row<float>& after_constants) {
  check(method >= 0 && method < num_methods, "there is no such method");
  return {static_cast<Method>(method),
          antialias,
          {span_of(before), span_of(before_constants)},
          {span_of(after), span_of(after_constants)}};
}

}  // namespace feedline
