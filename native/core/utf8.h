// utf8: whether bytes are text.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

bool is_ascii(std::span<const std::uint8_t> data);

// By the rules of Unicode, as Python decodes: nothing overlong, no surrogates, nothing beyond
// U+10FFFF.
bool is_utf8(std::span<const std::uint8_t> data);

}  // namespace feedline
