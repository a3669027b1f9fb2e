// check: what every kernel asks of its arguments. std::out_of_range is IndexError in
// Python, std::invalid_argument is ValueError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace feedline {

inline void check(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

template <class A, class B>
void check_same_length(const A& a, const B& b) {
  check(a.size() == b.size(), "input and output differ in length");
}

[[noreturn]] inline void fail_index(std::int64_t index, std::int64_t length) {
  throw std::out_of_range("index " + std::to_string(index) + " is out of bounds for length " +
                          std::to_string(length));
}

inline void check_index(std::int64_t index, std::int64_t length) {
  if (index < 0 || index >= length) [[unlikely]] fail_index(index, length);
}

}  // namespace feedline
