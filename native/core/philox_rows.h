// philox_rows: one random stream per key, the same as feedline/kernels/philox_rows.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// Writes the first `count` numbers of each key's stream to `out`, one row after the other.
// The stream of row i begins at the 128-bit counter (high[i], low[i]); a span without numbers
// stands for zeros. `out` has keys.size() * count numbers.
void philox_rows(std::span<const std::uint64_t> keys, std::uint64_t count,
                 std::span<const std::uint64_t> low, std::span<const std::uint64_t> high,
                 std::span<std::uint32_t> out);

}  // namespace feedline
