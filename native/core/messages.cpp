#include "core/messages.h"

#include <algorithm>

#include "core/utf8.h"

namespace feedline {
namespace {

constexpr std::uint8_t delimited_1 = tag_of(1, delimited), delimited_2 = tag_of(2, delimited),
                       delimited_3 = tag_of(3, delimited);

// Reads a varint that is no longer than need be; false if it is, or is broken.
bool take_short_varint(Span& span, std::uint64_t& out) {
  std::uint64_t found = 0;
  for (unsigned shift = 0; shift < 70 && !span.empty(); shift += 7) {
    const std::uint64_t byte = *span.at++;
    found |= (byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    // A last byte of 0 could be left out, and of the tenth only one bit counts.
    if ((byte == 0 && shift > 0) || (shift == 63 && byte > 1)) return false;
    out = found;
    return true;
  }
  return false;
}

// Reads field `tag`, which has a length; false if something else is there.
bool take_field(Span& span, std::uint8_t tag, Span& out) {
  if (span.size() < 2 || span.at[0] != tag) return false;
  ++span.at;
  std::uint64_t length = 0;
  if (*span.at < 0x80) {
    length = *span.at++;
  } else if (!take_short_varint(span, length)) {
    return false;
  }
  if (length > span.size()) return false;
  out = {span.at, span.at + length};
  span.at = out.end;
  return true;
}

bool take_entry(Span& span, Span& name, Span& value) {
  Span entry;
  return take_field(span, delimited_1, entry) && take_field(entry, delimited_1, name) &&
         take_field(entry, delimited_2, value) && entry.empty();
}

bool all_of_field_1(Span span, MessageKind inner) {
  Span one;
  while (!span.empty())
    if (!take_field(span, delimited_1, one) || !is_canonical(one, inner)) return false;
  return true;
}

bool is_bytes_list(Span span) {
  Span one;
  while (!span.empty())
    if (!take_field(span, delimited_1, one)) return false;
  return true;
}

bool is_float_list(Span span) {
  Span packed;
  return span.empty() || (take_field(span, delimited_1, packed) && span.empty() &&
                          !packed.empty() && packed.size() % 4 == 0);
}

bool is_int64_list(Span span) {
  if (span.empty()) return true;
  Span packed;
  if (!take_field(span, delimited_1, packed) || !span.empty() || packed.empty()) return false;
  std::uint64_t number = 0;
  while (!packed.empty())
    if (!take_short_varint(packed, number)) return false;
  return true;
}

bool is_feature(Span span) {
  if (span.empty()) return true;
  const std::uint8_t tag = span.at[0];
  Span list;
  if (!take_field(span, tag, list) || !span.empty()) return false;
  switch (tag) {
    case delimited_1: return is_bytes_list(list);
    case delimited_2: return is_float_list(list);
    case delimited_3: return is_int64_list(list);
    default: return false;
  }
}

std::uint64_t hash_of(Span name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (; !name.empty(); ++name.at) hash = (hash ^ *name.at) * 0x100000001b3u;
  return hash;
}

bool is_map(Span span, MessageKind inner) {
  std::vector<std::uint64_t> names;
  Span name, value;
  while (!span.empty()) {
    if (!take_entry(span, name, value) || !is_utf8({name.at, name.size()}) ||
        !is_canonical(value, inner)) {
      return false;
    }
    names.push_back(hash_of(name));
  }
  // Two names with one hash are as good as one name twice: to be read the long way.
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace

bool is_canonical(Span span, MessageKind kind) {
  Span inner;
  switch (kind) {
    case MessageKind::bytes_list: return is_bytes_list(span);
    case MessageKind::float_list: return is_float_list(span);
    case MessageKind::int64_list: return is_int64_list(span);
    case MessageKind::feature: return is_feature(span);
    case MessageKind::features: return is_map(span, MessageKind::feature);
    case MessageKind::feature_list: return all_of_field_1(span, MessageKind::feature);
    case MessageKind::feature_lists: return is_map(span, MessageKind::feature_list);
    case MessageKind::example:
      return span.empty() || (take_field(span, delimited_1, inner) && span.empty() &&
                              is_canonical(inner, MessageKind::features));
    case MessageKind::sequence_example:
      if (take_field(span, delimited_1, inner) && !is_canonical(inner, MessageKind::features))
        return false;
      return span.empty() || (take_field(span, delimited_2, inner) && span.empty() &&
                              is_canonical(inner, MessageKind::feature_lists));
  }
  return false;
}

std::optional<std::vector<Span>> repeated_field(Span span) {
  std::vector<Span> found;
  Span one;
  while (!span.empty()) {
    if (!take_field(span, delimited_1, one)) return std::nullopt;
    found.push_back(one);
  }
  return found;
}

std::optional<std::vector<std::pair<Span, Span>>> map_entries(Span span) {
  std::vector<std::pair<Span, Span>> found;
  Span name, value;
  while (!span.empty()) {
    if (!take_entry(span, name, value)) return std::nullopt;
    found.emplace_back(name, value);
  }
  return found;
}

void append_varint(std::uint64_t number, std::vector<std::uint8_t>& out) {
  for (; number > 0x7f; number >>= 7) out.push_back(static_cast<std::uint8_t>(number | 0x80));
  out.push_back(static_cast<std::uint8_t>(number));
}

bool read_varints(Span packed, std::vector<std::int64_t>& out) {
  std::uint64_t number = 0;
  while (!packed.empty()) {
    if (!take_short_varint(packed, number)) return false;
    out.push_back(static_cast<std::int64_t>(number));
  }
  return true;
}

}  // namespace feedline
