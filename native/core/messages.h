// messages: tf.train's messages on the wire, as in feedline/kernels/messages.py.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/wire.h"

namespace feedline {

enum class MessageKind : std::uint8_t {
  bytes_list = 0,
  float_list = 1,
  int64_list = 2,
  feature = 3,
  features = 4,
  example = 5,
  feature_list = 6,
  feature_lists = 7,
  sequence_example = 8,
};

// Whether a message is written exactly as it would be written again after it was read: no field
// that is not known, none twice, in the order of their numbers, lists packed, numbers no longer
// than need be. What is broken is not.
bool is_canonical(Span message, MessageKind kind);

// The values of a message that is nothing but field 1, repeated; nothing if it is something else.
std::optional<std::vector<Span>> repeated_field(Span message);

// The names and values of a message that is nothing but a map; nothing if it is something else.
std::optional<std::vector<std::pair<Span, Span>>> map_entries(Span message);

// Integers one after the other as varints.
void append_varint(std::uint64_t number, std::vector<std::uint8_t>& out);
// Reads them back; false if the bytes are something else.
bool read_varints(Span packed, std::vector<std::int64_t>& out);

}  // namespace feedline
