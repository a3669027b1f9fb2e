// fuzz_messages: whether bytes are messages as they would be written, on any bytes.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/messages.h"
#include "core/utf8.h"
#include "tests/fuzz/target.h"

namespace {

using namespace feedline;
using Bytes = std::vector<std::uint8_t>;

void append(Bytes& out, std::uint8_t tag, const Bytes& body) {
  out.push_back(tag);
  append_varint(body.size(), out);
  out.insert(out.end(), body.begin(), body.end());
}

Bytes bytes_of(Span span) { return {span.at, span.end}; }

// What was cut apart, put together again, must be what it was.
void check_entries(Span message) {
  const auto entries = map_entries(message);
  if (!entries) return;
  Bytes again;
  for (const auto& [name, value] : *entries) {
    Bytes entry;
    append(entry, 0x0a, bytes_of(name));
    append(entry, 0x12, bytes_of(value));
    append(again, 0x0a, entry);
  }
  HOLDS(again == bytes_of(message));
}

void check_repeated(Span message) {
  const auto values = repeated_field(message);
  if (!values) return;
  Bytes again;
  for (const Span value : *values) append(again, 0x0a, bytes_of(value));
  HOLDS(again == bytes_of(message));
}

void check_varints(Span packed) {
  std::vector<std::int64_t> numbers;
  if (!read_varints(packed, numbers)) return;
  Bytes again;
  for (const auto number : numbers) append_varint(static_cast<std::uint64_t>(number), again);
  HOLDS(again == bytes_of(packed));
}

}  // namespace

void FuzzRepair(Bytes&, std::uint64_t) {}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Span message{bytes, bytes + size};
  for (int kind = 0; kind <= static_cast<int>(MessageKind::sequence_example); ++kind) {
    const bool holds = is_canonical(message, static_cast<MessageKind>(kind));
    // Of every message that is one, the parts can be had.
    if (holds && static_cast<MessageKind>(kind) == MessageKind::features)
      HOLDS(map_entries(message).has_value());
    if (holds && static_cast<MessageKind>(kind) == MessageKind::bytes_list)
      HOLDS(repeated_field(message).has_value());
  }
  check_entries(message);
  check_repeated(message);
  check_varints(message);
  is_utf8({bytes, size});
  return 0;
}
