// read_at: some bytes of a file, wherever another reader stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#if !defined(_WIN32)
#include <cerrno>
#include <unistd.h>
#endif

namespace feedline {

// How many bytes were read; 0 at the end of the file, or where it cannot be read.
inline std::size_t read_at([[maybe_unused]] int file, [[maybe_unused]] std::int64_t start,
                           [[maybe_unused]] std::span<std::uint8_t> out) {
#if defined(_WIN32)
  return 0;
#else
  for (;;) {
    const auto count = pread(file, out.data(), out.size(), static_cast<off_t>(start));
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return 0;
  }
#endif
}

}  // namespace feedline
