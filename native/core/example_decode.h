// example_decode: the values of one feature of a record, into its column.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/example.h"
#include "core/example_find.h"
#include "core/wire.h"

namespace feedline {

// Whether the numbers of a feature go to memory that is there beforehand.
inline bool is_dense(const WantedFeature& wanted) {
  return wanted.size >= 0 && wanted.kind != ListKind::bytes;
}

// What is wrong with a feature that is no broken message.
struct Fault {
  ExampleFault fault;
  std::int64_t found;
};

// The lists of a feature: the kind that was set last, in all its pieces.
class Lists {
 public:
  ListKind kind = ListKind::none;

  void read(Span feature) {
    more_.clear();
    if (!feature.empty()) [[likely]] {
      const auto number = static_cast<std::uint8_t>(*feature.at >> 3);
      first_ = only_field(feature, number);
      if (first_.at != nullptr && number >= 1 && number <= 3) [[likely]] {
        kind = static_cast<ListKind>(number);
        return;
      }
    }
    kind = ListKind::none;
    first_ = {};
    for (Field field; next_field(feature, field);) {
      const std::uint32_t number = field.tag >> 3;
      if ((field.tag & 7) != delimited || number > 3) continue;
      const auto found = static_cast<ListKind>(number);
      if (found != kind) {
        kind = found;
        first_ = field.bytes;
        more_.clear();
      } else {
        more_.push_back(field.bytes);
      }
    }
  }

  template <class Use>
  void each(Use use) const {
    use(first_);
    for (const Span list : more_) use(list);
  }

 private:
  Span first_;
  std::vector<Span> more_;
};

inline void copy_floats(Span packed, float* to) {
  if constexpr (std::endian::native == std::endian::little) {
    if (!packed.empty()) std::memcpy(to, packed.at, packed.size());
  } else {
    for (; !packed.empty(); packed.at += 4) *to++ = read_float(packed.at);
  }
}

// Writes numbers to memory that is there, and counts those that do not fit.
template <class T>
struct Fixed {
  std::span<T> to;
  std::size_t count = 0;

  void add(T value) {
    if (count < to.size()) [[likely]] to[count] = value;
    ++count;
  }
  void add_packed(Span packed) {
    const std::size_t more = packed.size() / 4;
    if (more == 1) return add(read_float(packed.at));
    if (count <= to.size() && more <= to.size() - count) copy_floats(packed, to.data() + count);
    count += more;
  }
};

// Writes numbers to memory that grows.
template <class T>
struct Growing {
  std::vector<T>& to;

  void add(T value) { to.push_back(value); }
  void add_packed(Span packed) {
    const std::size_t before = to.size();
    to.resize(before + packed.size() / 4);
    copy_floats(packed, to.data() + before);
  }
};

template <class Sink>
void read_floats(Span list, Sink& sink) {
  if (const Span packed = only_field(list, 1); packed.size() % 4 == 0 && !packed.empty()) {
    return sink.add_packed(packed);
  }
  for (Field field; next_field(list, field);) {
    if (field.tag == in_field_1) {
      if (field.bytes.size() % 4)
        throw Broken{field.bytes.at, "packed floats do not take a multiple of 4 bytes"};
      sink.add_packed(field.bytes);
    } else if (field.tag == tag_of(1, fixed32)) {
      sink.add(read_float(field.bytes.at));
    }
  }
}

template <class Sink>
void read_ints(Span list, Sink& sink) {
  if (Span packed = only_field(list, 1); !packed.empty()) {
    while (!packed.empty()) sink.add(static_cast<std::int64_t>(read_varint(packed)));
    return;
  }
  for (Field field; next_field(list, field);) {
    if (field.tag == in_field_1) {
      while (!field.bytes.empty()) sink.add(static_cast<std::int64_t>(read_varint(field.bytes)));
    } else if (field.tag == tag_of(1, varint)) {
      sink.add(static_cast<std::int64_t>(field.value));
    }
  }
}

inline void read_strings(Span list, FeatureValues& out) {
  for (Field field; next_field(list, field);) {
    if (field.tag != in_field_1) continue;
    out.bytes.insert(out.bytes.end(), field.bytes.at, field.bytes.end);
    out.offsets.push_back(static_cast<std::int64_t>(out.bytes.size()));
  }
}

// How many values a column that grows has.
inline std::size_t values_in(const FeatureValues& out, ListKind kind) {
  switch (kind) {
    case ListKind::floats: return out.floats.size();
    case ListKind::ints: return out.ints.size();
    default: return out.offsets.size() - 1;
  }
}

inline void check_count(std::size_t count, std::int64_t size) {
  const auto found = static_cast<std::int64_t>(count);
  if (size >= 0 && found != size) throw Fault{ExampleFault::wrong_count, found};
}

// Where the numbers of a feature go that has the same number of them in every record.
struct Places {
  std::uint8_t tag = 0;
  std::size_t size = 0;
  float* floats = nullptr;
  std::int64_t* ints = nullptr;

  // Writes a feature that is one short packed list of the right length, as nearly all are.
  // False, perhaps with something written, if it is not.
  bool write(Span feature, std::size_t row) const {
    const std::size_t length = feature.size();
    if (length < 4 || length > 0x81 || feature.at[0] != tag || feature.at[1] != length - 2 ||
        feature.at[2] != in_field_1 || feature.at[3] != length - 4) {
      return false;
    }
    Span packed{feature.at + 4, feature.end};
    if (floats != nullptr) {
      if (packed.size() != 4 * size) return false;
      if (size == 1) {
        floats[row] = read_float(packed.at);
      } else {
        copy_floats(packed, floats + row * size);
      }
      return true;
    }
    std::int64_t* to = ints + row * size;
    for (std::size_t i = 0; i < size; ++i) {
      if (packed.empty()) return false;
      to[i] = static_cast<std::int64_t>(read_varint(packed));
    }
    return packed.empty();
  }
};

// Adds the values of features to columns; counts are checked where they are fixed.
class Decoder {
 public:
  // Adds a feature to columns that grow. False if it holds no list at all.
  bool add(Span feature, const WantedFeature& wanted, FeatureValues& out) {
    if (!open(feature, wanted)) return false;
    const std::size_t before = values_in(out, wanted.kind);
    if (wanted.kind == ListKind::floats) {
      Growing<float> sink{out.floats};
      lists_.each([&](Span list) { read_floats(list, sink); });
    } else if (wanted.kind == ListKind::ints) {
      Growing<std::int64_t> sink{out.ints};
      lists_.each([&](Span list) { read_ints(list, sink); });
    } else {
      lists_.each([&](Span list) { read_strings(list, out); });
    }
    check_count(values_in(out, wanted.kind) - before, wanted.size);
    return true;
  }

  // Writes a feature of a fixed number of numbers to row `row` of its memory.
  bool write(Span feature, const WantedFeature& wanted, FeatureValues& out, std::size_t row) {
    if (!open(feature, wanted)) return false;
    const auto size = static_cast<std::size_t>(wanted.size);
    std::size_t count = 0;
    if (wanted.kind == ListKind::floats) {
      Fixed<float> sink{out.dense_floats.subspan(row * size, size)};
      lists_.each([&](Span list) { read_floats(list, sink); });
      count = sink.count;
    } else {
      Fixed<std::int64_t> sink{out.dense_ints.subspan(row * size, size)};
      lists_.each([&](Span list) { read_ints(list, sink); });
      count = sink.count;
    }
    check_count(count, wanted.size);
    return true;
  }

 private:
  bool open(Span feature, const WantedFeature& wanted) {
    lists_.read(feature);
    if (lists_.kind == ListKind::none) return false;
    if (lists_.kind != wanted.kind)
      throw Fault{ExampleFault::wrong_kind, static_cast<std::int64_t>(lists_.kind)};
    return true;
  }

  Lists lists_;
};

}  // namespace feedline
