#include "core/mix.h"

#include "core/check.h"

namespace feedline {

void mix_ids(std::span<const std::uint64_t> ids, std::uint64_t word,
             std::span<std::uint64_t> out) {
  check_same_length(ids, out);
  const std::uint64_t salt = mix({word});
  for (std::size_t i = 0; i < ids.size(); ++i) out[i] = finish((ids[i] ^ salt) + golden);
}

}  // namespace feedline
