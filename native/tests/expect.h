// expect: what the tests of native/core have in common.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#define EXPECT(condition)                                                \
  if (!(condition)) {                                                    \
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    std::exit(1);                                                        \
  }

namespace feedline {

using Handles = std::vector<std::int64_t>;
using Bytes = std::vector<std::uint8_t>;

inline constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

template <class Error, class Function>
bool throws(Function function) {
  try {
    function();
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace feedline
