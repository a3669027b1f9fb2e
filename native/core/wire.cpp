#include "core/wire.h"

namespace feedline {
namespace {

std::uint32_t read_tag(Span& span) {
  const std::uint8_t* const start = span.at;
  const std::uint64_t tag = read_varint(span);
  if (tag > UINT32_MAX || tag >> 3 == 0) throw Broken{start, "there is no such field number"};
  return static_cast<std::uint32_t>(tag);
}

// Reads what follows a tag that is not that of a group.
void read_value(Span& span, Field& field, const std::uint8_t* tag_at) {
  switch (field.tag & 7) {
    case varint: field.value = read_varint(span); break;
    case fixed64: field.bytes = read_bytes(span, 8); break;
    case delimited: field.bytes = read_delimited(span); break;
    case fixed32: field.bytes = read_bytes(span, 4); break;
    default: throw Broken{tag_at, "a wire type that cannot begin a field"};
  }
}

void skip_group(Span& span, std::uint32_t number) {
  std::uint32_t open[most_groups] = {number};
  int depth = 1;
  const std::uint8_t* const start = span.at;
  Field field;
  while (depth > 0) {
    if (span.empty()) throw Broken{start, "a group does not end"};
    const std::uint8_t* const tag_at = span.at;
    field.tag = read_tag(span);
    if ((field.tag & 7) == end_group) {
      if (open[--depth] != field.tag >> 3) throw Broken{tag_at, "a group ends inside another"};
    } else if ((field.tag & 7) == group) {
      if (depth == most_groups) throw Broken{tag_at, "too many groups in one another"};
      open[depth++] = field.tag >> 3;
    } else {
      read_value(span, field, tag_at);
    }
  }
}

}  // namespace

bool next_of_any_kind(Span& span, Field& field) {
  while (!span.empty()) {
    const std::uint8_t* const tag_at = span.at;
    field.tag = read_tag(span);
    if ((field.tag & 7) != group) {
      read_value(span, field, tag_at);
      return true;
    }
    skip_group(span, field.tag >> 3);
  }
  return false;
}

}  // namespace feedline
