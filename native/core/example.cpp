#include "core/example.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "core/check.h"
#include "core/wire.h"

namespace feedline {
namespace {

constexpr std::uint32_t in_field_1 = tag_of(1, delimited);

std::string_view text(Span span) {
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
  explicit Keys(std::span<const WantedFeature> wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      check(numbers_.emplace(wanted[i].key, static_cast<std::int64_t>(i)).second,
            "a feature is wanted twice");
  }

  // The number of the wanted feature with this key, or -1. `place` counts entries of a record.
  std::int64_t find(std::string_view key, std::size_t place) {
    if (place < recent_.size()) {
      const auto& [before, number] = recent_[place];
      if (same_text(before, key)) return number;
    }
    const auto found = numbers_.find(key);
    const std::int64_t number = found == numbers_.end() ? -1 : found->second;
    if (place < recent_.size()) {
      recent_[place] = {key, number};
    } else if (place < most_places) {
      recent_.emplace_back(key, number);
    }
    return number;
  }

 private:
  static constexpr std::size_t most_places = 4096;
  std::unordered_map<std::string_view, std::int64_t> numbers_;
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

// ---- the values of a feature ---------------------------------------------------------

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

void read_strings(Span list, FeatureValues& out) {
  for (Field field; next_field(list, field);) {
    if (field.tag != in_field_1) continue;
    out.bytes.insert(out.bytes.end(), field.bytes.at, field.bytes.end);
    out.offsets.push_back(static_cast<std::int64_t>(out.bytes.size()));
  }
}

// How many values a column that grows has.
std::size_t values_in(const FeatureValues& out, ListKind kind) {
  switch (kind) {
    case ListKind::floats: return out.floats.size();
    case ListKind::ints: return out.ints.size();
    default: return out.offsets.size() - 1;
  }
}

void check_count(std::size_t count, std::int64_t size) {
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

// ---- runs of records -----------------------------------------------------------------

bool is_dense(const WantedFeature& wanted) {
  return wanted.size >= 0 && wanted.kind != ListKind::bytes;
}

class Run {
 public:
  Run(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
      std::span<const WantedFeature> wanted, std::span<FeatureValues> values,
      std::uint32_t field)
      : data_(data),
        offsets_(offsets),
        wanted_(wanted),
        values_(values),
        finder_(wanted, field, field == 2) {
    check(!offsets.empty(), "offsets must hold at least one number");
    check(wanted.size() == values.size(), "wanted and values differ in length");
    for (const WantedFeature& one : wanted)
      check(one.kind >= ListKind::bytes && one.kind <= ListKind::ints && one.size >= -1,
            "a feature needs a kind from 1 to 3 and a size of at least -1");
  }

  std::size_t length() const { return offsets_.size() - 1; }

  template <class Take>
  std::optional<ExampleError> each(Take take) {
    for (record_ = 0; record_ < length(); ++record_) {
      const std::int64_t start = offsets_[record_], stop = offsets_[record_ + 1];
      check(0 <= start && start <= stop && static_cast<std::size_t>(stop) <= data_.size(),
            "offsets must rise from 0 to at most the number of bytes");
      bytes_ = {data_.data() + start, data_.data() + stop};
      feature_ = -1;
      try {
        const auto found = finder_.find(bytes_);
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
          feature_ = static_cast<std::int64_t>(i);
          at_ = found[i].empty() ? bytes_.at : found[i].at;
          if (take(i, record_, found[i])) continue;
          if (wanted_[i].required) throw Fault{ExampleFault::missing, 0};
          values_[i].missing.push_back(static_cast<std::int64_t>(record_));
        }
      } catch (const Broken& broken) {
        return error(ExampleFault::broken, broken.at, 0, broken.what);
      } catch (const Fault& fault) {
        return error(fault.fault, at_, fault.found, "");
      }
    }
    return std::nullopt;
  }

 private:
  ExampleError error(ExampleFault fault, const std::uint8_t* at, std::int64_t found,
                     const char* what) const {
    // A value put together of pieces lies outside of the record.
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const auto start = reinterpret_cast<std::uintptr_t>(bytes_.at);
    const bool inside = address >= start && address - start <= bytes_.size();
    return {fault,
            static_cast<std::int64_t>(record_),
            feature_,
            inside ? static_cast<std::int64_t>(address - start) : 0,
            found,
            what};
  }

  std::span<const std::uint8_t> data_;
  std::span<const std::int64_t> offsets_;
  std::span<const WantedFeature> wanted_;
  std::span<FeatureValues> values_;
  Finder finder_;
  Span bytes_;
  const std::uint8_t* at_ = nullptr;
  std::size_t record_ = 0;
  std::int64_t feature_ = -1;
};

void begin(FeatureValues& out, const WantedFeature& wanted, std::size_t records, bool splits) {
  if (wanted.kind == ListKind::bytes) out.offsets.assign(1, 0);
  if (splits) {
    out.splits.reserve(records + 1);
    out.splits.assign(1, 0);
  }
}

}  // namespace

std::optional<ExampleError> parse_examples(std::span<const std::uint8_t> data,
                                           std::span<const std::int64_t> offsets,
                                           std::span<const WantedFeature> wanted,
                                           std::span<FeatureValues> values) {
  Run run(data, offsets, wanted, values, 1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    begin(values[i], wanted[i], run.length(), !is_dense(wanted[i]));
    if (!is_dense(wanted[i])) continue;
    const auto size = static_cast<std::size_t>(wanted[i].size);
    const std::size_t room = wanted[i].kind == ListKind::floats ? values[i].dense_floats.size()
                                                                : values[i].dense_ints.size();
    check(size == 0 ? room == 0 : room % size == 0 && room / size == run.length(),
          "input and output differ in length");
  }
  std::vector<Places> places(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!is_dense(wanted[i])) continue;
    const auto number = static_cast<std::uint32_t>(wanted[i].kind);
    places[i] = {static_cast<std::uint8_t>(tag_of(number, delimited)),
                 static_cast<std::size_t>(wanted[i].size), values[i].dense_floats.data(),
                 values[i].dense_ints.data()};
  }
  Decoder decoder;
  return run.each([&](std::size_t i, std::size_t record, Span feature) {
    if (places[i].tag != 0 && places[i].write(feature, record)) [[likely]] return true;
    FeatureValues& out = values[i];
    if (is_dense(wanted[i])) return decoder.write(feature, wanted[i], out, record);
    const bool has = decoder.add(feature, wanted[i], out);
    out.splits.push_back(static_cast<std::int64_t>(values_in(out, wanted[i].kind)));
    return has;
  });
}

std::optional<ExampleError> parse_feature_lists(std::span<const std::uint8_t> data,
                                                std::span<const std::int64_t> offsets,
                                                std::span<const WantedFeature> wanted,
                                                std::span<FeatureValues> values) {
  Run run(data, offsets, wanted, values, 2);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    begin(values[i], wanted[i], run.length(), true);
    values[i].steps.reserve(run.length() + 1);
    values[i].steps.assign(1, 0);
  }
  Decoder decoder;
  return run.each([&](std::size_t i, std::size_t, Span list) {
    FeatureValues& out = values[i];
    const bool has = list.at != nullptr;
    for (Field field; next_field(list, field);) {
      if (field.tag != in_field_1) continue;
      if (!decoder.add(field.bytes, wanted[i], out)) {
        // A step without a list is one without values, if any number of them will do.
        if (wanted[i].size >= 0) throw Fault{ExampleFault::no_kind, 0};
      }
      out.splits.push_back(static_cast<std::int64_t>(values_in(out, wanted[i].kind)));
    }
    out.steps.push_back(static_cast<std::int64_t>(out.splits.size()) - 1);
    return has;
  });
}

}  // namespace feedline
