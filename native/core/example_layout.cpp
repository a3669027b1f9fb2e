#include "core/example_layout.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/clones.h"
#include "core/example_decode.h"

// What is done for every entry is not called, and what is rarely done is not beside it.
#if defined(__GNUC__)
#define FEEDLINE_INLINE inline __attribute__((always_inline))
#define FEEDLINE_APART __attribute__((noinline))
#else
#define FEEDLINE_INLINE inline
#define FEEDLINE_APART
#endif

namespace feedline {
namespace {

// Words are compared as they lie in memory, with the first byte lowest.
constexpr bool can_predict = std::endian::native == std::endian::little;

constexpr std::size_t longest_length = 0x7f;  // that fits into one byte
constexpr std::size_t longest_int = 10;       // in bytes
constexpr std::size_t most_slots = 4096;
// How far the entry is sought that comes after some that are missing, and how often that fails
// before a record counts as another.
constexpr std::size_t most_missing = 16, most_tries = 64;
constexpr unsigned longest_pause = 64;
// Fewer entries of floats are as fast one by one.
constexpr std::size_t shortest_stretch = 3;

inline std::uint64_t word_at(const std::uint8_t* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The seven lower bits of each byte, side by side.
inline std::uint64_t squeezed(std::uint64_t word) {
  word = (word & 0x007f007f007f007fu) | (word & 0x7f007f007f007f00u) >> 1;
  word = (word & 0x00003fff00003fffu) | (word & 0x3fff00003fff0000u) >> 2;
  return (word & 0x000000000fffffffu) | (word & 0x0fffffff00000000u) >> 4;
}

// Whether what stands between the first and the last eight bytes of `before` is the same: a part
// of the key. The words compared end with the key, `after_key` bytes before the end.
inline bool same_middle(const std::uint8_t* a, const std::uint8_t* b, std::size_t before,
                        std::size_t after_key) {
  const std::size_t last = before - after_key - 8;
  for (std::size_t i = 8; i < last; i += 8)
    if (word_at(a + i) != word_at(b + i)) return false;
  return word_at(a + last) == word_at(b + last);
}

// Whether words are as given, where that is known.
FEEDLINE_CLONES bool same_where_known(const std::uint8_t* at, const std::uint64_t* words,
                                      const std::uint64_t* known, std::size_t count) {
  std::uint64_t differs = 0;
  for (std::size_t i = 0; i < count; ++i) differs |= (word_at(at + 8 * i) ^ words[i]) & known[i];
  return differs == 0;
}

// The bytes after a tag and a length. False if there is anything else.
inline bool read_field(Span& message, std::uint32_t tag, Span& bytes) {
  if (message.size() < 2 || message.at[0] != tag) return false;
  std::size_t length = 0, byte;
  unsigned shift = 0;
  const std::uint8_t* at = message.at + 1;
  do {
    if (at == message.end || shift > 28) return false;
    byte = *at++;
    length |= (byte & 0x7f) << shift;
    shift += 7;
  } while (byte >= 0x80);
  if (length > static_cast<std::size_t>(message.end - at)) return false;
  bytes = {at, at + length};
  message.at = bytes.end;
  return true;
}

// The same of a field that is all there is in a message.
inline bool read_only_field(Span message, std::uint32_t tag, Span& bytes) {
  return read_field(message, tag, bytes) && message.empty();
}

// The key and the value of an entry that holds these alone, and a value that is not empty.
inline bool read_pair(Span entry, Span& key, Span& value) {
  return read_field(entry, in_field_1, key) &&
         read_only_field(entry, tag_of(2, delimited), value) && !value.empty();
}

}  // namespace

// ---- reading -------------------------------------------------------------------------

bool Layout::read(Span record, std::size_t row) {
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  Span map;
  if (slots_.empty() || !read_only_field(record, in_field_1, map) || !read_entries(map, row))
    return false;
  misses_ = 0;
  return true;
}

// Reads the entry at a place if it is as remembered, and returns where it ends; null if not.
FEEDLINE_INLINE const std::uint8_t* Layout::read_slot(const Slot& slot, const std::uint8_t* at,
                                                      Span map, std::size_t row) {
  if (slot.kind == Kind::other) {
    Span rest{at, map.end};
    return read_other(rest, slot) ? rest.at : nullptr;
  }
  const std::uint8_t* const numbers = at + slot.before;
  const std::uint64_t head = word_at(at), tail = word_at(numbers - 8);
  if (slot.before > 16 && !same_middle(at, slot.at, slot.before, slot.after_key)) [[unlikely]]
    return nullptr;
  if (slot.kind == Kind::floats) {
    if (head != slot.head || tail != slot.tail) [[unlikely]] return nullptr;
    if (slot.size == 1) {
      std::memcpy(slot.floats + row, numbers, 4);
    } else {
      std::memcpy(slot.floats + row * slot.size, numbers, 4 * slot.size);
    }
    // Not by the length that was read: the next entry need not wait for it.
    return numbers + 4 * slot.size;
  }
  const std::uint64_t length = tail >> 56;
  if (head != slot.head + length * slot.head_grows ||
      tail != slot.tail + length * slot.tail_grows) [[unlikely]] {
    return nullptr;
  }
  if (slot.kind == Kind::one_int) {
    // Its last byte is the first that does not go on, and must stand where its length says.
    const std::uint64_t word = word_at(numbers), ends = ~word & 0x8080808080808080u;
    if (ends != 0 && static_cast<std::uint64_t>(std::countr_zero(ends)) == 8 * length - 1)
        [[likely]] {
      slot.ints[row] = static_cast<std::int64_t>(squeezed(word & (ends ^ (ends - 1))));
      return numbers + length;
    }
  }
  if (length > slot.most) return nullptr;
  if (slot.kind != Kind::unwanted && !write_ints(slot, {numbers, numbers + length}, row))
    return nullptr;
  return numbers + length;
}

bool Layout::read_entries(Span map, std::size_t row) {
  absent_.clear();
  if (static_cast<std::size_t>(end_ - map.at) < longest_) return false;
  // Up to here an entry is inside the memory, whatever it holds.
  const std::uint8_t* const last = end_ - longest_;
  const Slot* slot = slots_.data();
  const Slot* const stop = slot + slots_.size();
  std::size_t tries = 0;
  const std::uint8_t* at = map.at;
  for (; at < map.end; ++slot) {
    if (slot == stop || at > last) [[unlikely]] return false;
    if (slot->stretch >= 0) {
      const Stretch& stretch = stretches_[static_cast<std::size_t>(slot->stretch)];
      if (static_cast<std::size_t>(end_ - at) >= stretch.room() &&
          same_where_known(at, stretch.words.data(), stretch.known.data(), stretch.words.size()))
          [[likely]] {
        for (const auto& value : stretch.values) {
          if (value.size == 1) {
            std::memcpy(value.floats + row, at + value.at, 4);
          } else {
            std::memcpy(value.floats + row * value.size, at + value.at, 4 * value.size);
          }
        }
        at += stretch.bytes;
        slot += stretch.slots - 1;
        continue;
      }
    }
    const std::uint8_t* after = read_slot(*slot, at, map, row);
    if (after == nullptr) [[unlikely]] {
      const Slot* const found = next_slot(slot, at, map, row, after);
      tries += static_cast<std::size_t>(found - slot);
      if (after == nullptr || tries > most_tries) return false;
      leave_out(slot, found);
      slot = found;
    }
    at = after;
  }
  if (slot != stop) leave_out(slot, stop);
  return at == map.end;
}

// The entry at a place among those that come later: one that is not in every record may be
// missing. `after` is where it ends, null if it is none of them.
FEEDLINE_APART const Layout::Slot* Layout::next_slot(const Slot* slot, const std::uint8_t* at,
                                                     Span map, std::size_t row,
                                                     const std::uint8_t*& after) {
  const auto left = static_cast<std::size_t>(slots_.data() + slots_.size() - slot);
  const Slot* const stop = slot + std::min(left, most_missing);
  while (++slot < stop) {
    after = read_slot(*slot, at, map, row);
    if (after != nullptr) return slot;
  }
  return slot;
}

// Remembers that some entries are not in this record.
void Layout::leave_out(const Slot* slot, const Slot* stop) {
  if (absent_.empty()) absent_ = others_;
  for (; slot != stop; ++slot) {
    if (slot->number < 0) continue;
    const auto number = static_cast<std::size_t>(slot->number);
    found_[number] = {};
    if (slot->kind != Kind::other) absent_.push_back(number);
  }
  std::ranges::sort(absent_);
}

FEEDLINE_APART bool Layout::write_ints(const Slot& slot, Span packed, std::size_t row) {
  std::int64_t* const to = slot.ints + row * slot.size;
  for (std::size_t i = 0; i < slot.size; ++i) {
    std::uint64_t number = 0;
    unsigned shift = 0;
    do {
      if (packed.empty() || shift > 63) return false;
      number |= std::uint64_t{*packed.at & 0x7fu} << shift;
      shift += 7;
    } while (*packed.at++ >= 0x80);
    to[i] = static_cast<std::int64_t>(number);
  }
  return packed.empty();
}

// Goes past an entry with the right key and remembers where its value is.
FEEDLINE_APART bool Layout::read_other(Span& map, const Slot& slot) {
  Span entry, key, value;
  if (!read_field(map, in_field_1, entry) || !read_pair(entry, key, value) ||
      !same_text(text(key), text(slot.key))) {
    return false;
  }
  if (slot.number >= 0) found_[static_cast<std::size_t>(slot.number)] = value;
  return true;
}

// ---- learning ------------------------------------------------------------------------

void Layout::learn(Span record, const Keys& keys) {
  if (!can_predict || pause_ > 0) return;
  // Where records differ again and again, more and more of them are left alone.
  if (++misses_ > 2) pause_ = std::min(1u << std::min(misses_ - 2, 16u), longest_pause);
  slots_.clear();
  if (!learn_entries(record, keys)) slots_.clear();
}

bool Layout::learn_entries(Span record, const Keys& keys) {
  Span map, entry, key, value;
  if (!read_only_field(record, in_field_1, map)) return false;
  std::ranges::fill(found_, Span{});
  std::vector<bool> seen(wanted_.size()), written(wanted_.size());
  longest_ = 0;
  while (!map.empty()) {
    const std::uint8_t* const at = map.at;
    if (slots_.size() == most_slots || !read_field(map, in_field_1, entry) ||
        !read_pair(entry, key, value)) {
      return false;
    }
    const Slot slot = slot_of(at, key, value, keys.number_of(text(key)));
    if (slot.number >= 0) {
      const auto i = static_cast<std::size_t>(slot.number);
      if (seen[i]) return false;
      seen[i] = true;
      written[i] = slot.kind != Kind::other;
    }
    if (slot.kind != Kind::other)
      longest_ = std::max(longest_, slot.before + std::max(4 * slot.size, std::size_t{slot.most}));
    slots_.push_back(slot);
  }
  others_.clear();
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    if (!written[i]) others_.push_back(i);
  learn_stretches();
  return true;
}

void Layout::learn_stretches() {
  stretches_.clear();
  for (std::size_t first = 0, stop; first < slots_.size(); first = stop) {
    for (stop = first; stop < slots_.size() && slots_[stop].kind == Kind::floats;) ++stop;
    if (stop - first < shortest_stretch) {
      stop = std::max(stop, first + 1);
      continue;
    }
    Stretch stretch;
    stretch.slots = stop - first;
    std::vector<std::uint8_t> bytes, known;
    for (const Slot& slot : std::span(slots_).subspan(first, stretch.slots)) {
      const auto value = static_cast<std::uint32_t>(bytes.size()) + slot.before;
      stretch.values.push_back({value, static_cast<std::uint32_t>(slot.size), slot.floats});
      bytes.insert(bytes.end(), slot.at, slot.at + slot.before + 4 * slot.size);
      known.resize(value, 0xff);
      known.resize(bytes.size(), 0);
    }
    stretch.bytes = bytes.size();
    const std::size_t words = (bytes.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    bytes.resize(words * sizeof(std::uint64_t));
    known.resize(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
      stretch.words.push_back(word_at(bytes.data() + i));
      stretch.known.push_back(word_at(known.data() + i));
    }
    slots_[first].stretch = static_cast<int>(stretches_.size());
    stretches_.push_back(std::move(stretch));
  }
}

Layout::Slot Layout::slot_of(const std::uint8_t* at, Span key, Span value,
                             std::int64_t number) const {
  Slot slot;
  slot.number = number;
  slot.at = at;
  slot.key = key;
  // Every length must take one byte, also with the longest integer.
  const auto size = static_cast<std::size_t>(value.end - at);
  if (size > longest_length - longest_int || key.at != at + 4) return slot;
  Span list, packed;
  if (number < 0) {
    slot.kind = Kind::unwanted;
    packed = value;
  } else {
    const WantedFeature& wanted = wanted_[static_cast<std::size_t>(number)];
    const FeatureValues& values = values_[static_cast<std::size_t>(number)];
    const auto tag = tag_of(static_cast<std::uint32_t>(wanted.kind), delimited);
    if (!is_dense(wanted) || wanted.size == 0 || !read_only_field(value, tag, list) ||
        !read_only_field(list, in_field_1, packed)) {
      return slot;
    }
    slot.size = static_cast<std::size_t>(wanted.size);
    slot.floats = values.dense_floats.data();
    slot.ints = values.dense_ints.data();
    if (wanted.kind == ListKind::floats) {
      if (packed.size() != 4 * slot.size) return slot;
      slot.kind = Kind::floats;
    } else {
      slot.kind = slot.size == 1 ? Kind::one_int : Kind::ints;
    }
  }
  slot.before = static_cast<std::uint32_t>(packed.at - at);
  slot.after_key = static_cast<std::uint32_t>(packed.at - key.end);
  slot.most = static_cast<std::uint8_t>(longest_length - slot.before);
  // Lengths in more bytes than they need, or a key that is too short for words.
  if (slot.after_key != (number < 0 ? 2 : 6) || slot.before < 8) {
    slot.kind = Kind::other;
    return slot;
  }
  slot.head = word_at(at);
  slot.tail = word_at(packed.at - 8);
  if (slot.kind == Kind::floats) return slot;
  // The length of the entry, and every second byte after the key: those of the value, of the list
  // and of the packed integers.
  grow_with_length(slot, 1);
  for (std::uint32_t place = slot.before - slot.after_key + 1; place < slot.before; place += 2)
    grow_with_length(slot, place);
  slot.head -= packed.size() * slot.head_grows;
  slot.tail -= packed.size() * slot.tail_grows;
  return slot;
}

void Layout::grow_with_length(Slot& slot, std::uint32_t place) {
  if (place < 8) slot.head_grows |= std::uint64_t{1} << (8 * place);
  if (place + 8 >= slot.before)
    slot.tail_grows |= std::uint64_t{1} << (8 * (place + 8 - slot.before));
}

}  // namespace feedline
