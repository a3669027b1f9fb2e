// example_find: where in a record the features lie that are wanted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/example.h"
#include "core/wire.h"

namespace feedline {

constexpr std::uint32_t in_field_1 = tag_of(1, delimited);

inline std::string_view text(Span span) {
  return {reinterpret_cast<const char*>(span.at), span.size()};
}

// Whether the ends of two pieces of memory are the same, read as numbers; they may overlap.
template <class T>
bool same_ends(const char* a, const char* b, std::size_t size) {
  T first_a, first_b, last_a, last_b;
  std::memcpy(&first_a, a, sizeof(T));
  std::memcpy(&first_b, b, sizeof(T));
  std::memcpy(&last_a, a + size - sizeof(T), sizeof(T));
  std::memcpy(&last_b, b + size - sizeof(T), sizeof(T));
  return first_a == first_b && last_a == last_b;
}

// Keys are short: calling memcmp() for each takes longer than looking at them.
inline bool same_text(std::string_view a, std::string_view b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  if (size > 16) return std::memcmp(a.data(), b.data(), size) == 0;
  if (size >= 8) return same_ends<std::uint64_t>(a.data(), b.data(), size);
  if (size >= 4) return same_ends<std::uint32_t>(a.data(), b.data(), size);
  if (size >= 2) return same_ends<std::uint16_t>(a.data(), b.data(), size);
  return size == 0 || a[0] == b[0];
}

// ---- which feature a map entry is ----------------------------------------------------

// Records of one file nearly always have the same keys in the same order: what stood at a
// place in the record before is tried first.
class Keys {
 public:
  explicit Keys(std::span<const WantedFeature> wanted)
      : table_(std::bit_ceil(4 * wanted.size() + 1)) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::string_view key = wanted[i].key;
      Place& place = table_[place_of(key)];
      check(place.number < 0, "a feature is wanted twice");
      place = {key, static_cast<std::int64_t>(i)};
    }
  }

  // The number of the wanted feature with this key, or -1. `place` counts entries of a record.
  std::int64_t find(std::string_view key, std::size_t place) {
    if (place < recent_.size()) {
      const auto& [before, number] = recent_[place];
      if (same_text(before, key)) return number;
    }
    const std::int64_t number = number_of(key);
    if (place < recent_.size()) {
      recent_[place] = {key, number};
    } else if (place < most_places) {
      recent_.emplace_back(key, number);
    }
    return number;
  }

  // The same, wherever the entry stands.
  std::int64_t number_of(std::string_view key) const { return table_[place_of(key)].number; }

 private:
  struct Place {
    std::string_view key;
    std::int64_t number = -1;
  };

  // Where a key is in the table, or would be: the first place from where its bytes point to that
  // has it, or nothing.
  std::size_t place_of(std::string_view key) const {
    std::size_t at = hash_of(key) & (table_.size() - 1);
    while (table_[at].number >= 0 && !same_text(table_[at].key, key))
      at = (at + 1) & (table_.size() - 1);
    return at;
  }

  // Of the ends of a key: what is in between rarely tells keys apart, and need not.
  static std::size_t hash_of(std::string_view key) {
    const std::size_t size = key.size();
    std::uint64_t ends = 0;
    if (size >= 8) {
      ends = end_of<std::uint64_t>(key, 0) ^ std::rotl(end_of<std::uint64_t>(key, size - 8), 29);
    } else if (size >= 4) {
      ends = end_of<std::uint32_t>(key, 0) | end_of<std::uint32_t>(key, size - 4) << 32;
    } else if (size > 0) {
      ends = end_of<std::uint8_t>(key, 0) | end_of<std::uint8_t>(key, size / 2) << 8 |
             end_of<std::uint8_t>(key, size - 1) << 16;
    }
    return static_cast<std::size_t>((ends + size) * 0x9e3779b97f4a7c15u >> 32);
  }

  template <class T>
  static std::uint64_t end_of(std::string_view key, std::size_t at) {
    T found;
    std::memcpy(&found, key.data() + at, sizeof found);
    return found;
  }

  static constexpr std::size_t most_places = 4096;
  std::vector<Place> table_;
  // The keys lie in the data, which outlives this.
  std::vector<std::pair<std::string_view, std::int64_t>> recent_;
};

// ---- where the features of a record are ----------------------------------------------

// Where the wanted features of one record lie; empty where there is none.
class Finder {
 public:
  // `field`: of the record, in which the map lies. `empties`: whether an entry without anything
  // in it takes the place of an earlier one.
  Finder(std::span<const WantedFeature> wanted, std::uint32_t field, bool empties)
      : keys_(wanted),
        field_(field),
        empties_(empties),
        found_(wanted.size()),
        pieced_(wanted.size()) {}

  const Keys& keys() const { return keys_; }

  std::span<const Span> find(Span record) {
    std::ranges::fill(found_, Span{});
    place_ = 0;
    for (Field field; next_field(record, field);)
      if (field.tag == tag_of(field_, delimited)) read_map(field.bytes);
    return found_;
  }

 private:
  void read_map(Span map) {
    for (Field field; next_field(map, field);)
      if (field.tag == in_field_1) read_entry(field.bytes);
  }

  void read_entry(Span entry) {
    if (entry.size() >= 2 && entry.at[0] == in_field_1 &&
        entry.at[1] <= entry.size() - 2 && entry.at[1] < 0x80) [[likely]] {
      const Span key{entry.at + 2, entry.at + 2 + entry.at[1]};
      const Span value = only_field({key.end, entry.end}, 2);
      if (!value.empty()) [[likely]] {
        const std::int64_t number = keys_.find(text(key), place_++);
        if (number >= 0) found_[static_cast<std::size_t>(number)] = value;
        return;
      }
    }
    read_any_entry(entry);
  }

  void read_any_entry(Span entry) {
    Span key, value;
    int values = 0;
    const Span whole = entry;
    for (Field field; next_field(entry, field);) {
      if (field.tag == in_field_1) {
        key = field.bytes;
      } else if (field.tag == tag_of(2, delimited)) {
        value = field.bytes;
        ++values;
      }
    }
    const std::int64_t number = keys_.find(text(key), place_++);
    if (number < 0) return;
    if (values > 1) [[unlikely]] value = joined(whole, static_cast<std::size_t>(number));
    if (value.at == nullptr) value = {whole.end, whole.end};
    if (empties_ || !value.empty()) found_[static_cast<std::size_t>(number)] = value;
  }

  // A value in several pieces is what they are one after the other.
  Span joined(Span entry, std::size_t number) {
    std::vector<std::uint8_t> pieces;
    for (Field field; next_field(entry, field);)
      if (field.tag == tag_of(2, delimited))
        pieces.insert(pieces.end(), field.bytes.at, field.bytes.end);
    if (pieces.empty()) return {entry.end, entry.end};
    pieced_[number] = std::move(pieces);
    return {pieced_[number].data(), pieced_[number].data() + pieced_[number].size()};
  }

  Keys keys_;
  std::uint32_t field_;
  bool empties_;
  std::vector<Span> found_;
  std::vector<std::vector<std::uint8_t>> pieced_;
  std::size_t place_ = 0;
};

}  // namespace feedline
