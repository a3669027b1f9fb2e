// example_layout: records that look like the one before.
//
// A writer puts the same features into every record, in the same order, with keys and lengths
// at the same places: all bytes before a number are known beforehand, but for the lengths of
// integers, which all grow by the same. They are compared eight at a time, and numbers go
// straight into their columns. Some entries may be missing; a record that is different in anything
// else is read as any record is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/example.h"
#include "core/example_find.h"
#include "core/wire.h"

namespace feedline {

class Layout {
 public:
  // `values`: where the numbers go of features that have as many in every record. `end`: of the
  // memory that records lie in, up to which may be read.
  Layout(std::span<const WantedFeature> wanted, std::span<FeatureValues> values,
         const std::uint8_t* end)
      : wanted_(wanted), values_(values), end_(end), found_(wanted.size()) {}

  // Reads a record that is as remembered. False, perhaps with something written to row `row`,
  // if it is not, or there is nothing worth remembering.
  bool read(Span record, std::size_t row);

  // Remembers a record in which nothing is wrong.
  void learn(Span record, const Keys& keys);

  // The wanted features that read() did not write, in their order.
  std::span<const std::size_t> others() const { return absent_.empty() ? others_ : absent_; }
  // Where one of them lies in the record that was read last; empty if it is not there.
  Span found(std::size_t number) const { return found_[number]; }

 private:
  enum class Kind : std::uint8_t { floats, one_int, ints, unwanted, other };

  // An entry of the map: what stands before its numbers, or its key.
  struct Slot {
    Kind kind = Kind::other;
    std::uint8_t most = 0;        // how many bytes the numbers may take
    std::uint32_t before = 0;     // how many bytes stand before the numbers, or an unwanted value
    std::uint32_t after_key = 0;  // how many of these after the key
    std::int64_t number = -1;     // of the wanted feature
    std::size_t size = 0;         // how many numbers
    float* floats = nullptr;
    std::int64_t* ints = nullptr;
    // The first and the last eight bytes before the numbers if these took no bytes, and a one in
    // the place of each length that grows with them.
    std::uint64_t head = 0, head_grows = 0, tail = 0, tail_grows = 0;
    const std::uint8_t* at = nullptr;  // where the entry is in the record that is remembered
    Span key;
    int stretch = -1;  // that begins here
  };

  // Entries of floats one after the other: every byte between the floats is known, and where it
  // stands. They are compared all at once.
  struct Stretch {
    struct Value {
      std::uint32_t at = 0, size = 0;
      float* floats = nullptr;
    };
    std::size_t slots = 0, bytes = 0;
    // What stands there, and ones where it is known; both filled up to whole words.
    std::vector<std::uint64_t> words, known;
    std::vector<Value> values;

    std::size_t room() const { return words.size() * sizeof(std::uint64_t); }
  };

  bool read_entries(Span map, std::size_t row);
  const std::uint8_t* read_slot(const Slot& slot, const std::uint8_t* at, Span map,
                                std::size_t row);
  const Slot* next_slot(const Slot* slot, const std::uint8_t* at, Span map, std::size_t row,
                        const std::uint8_t*& after);
  void leave_out(const Slot* slot, const Slot* stop);
  bool read_other(Span& map, const Slot& slot);
  static bool write_ints(const Slot& slot, Span packed, std::size_t row);
  bool learn_entries(Span record, const Keys& keys);
  void learn_stretches();
  static void grow_with_length(Slot& slot, std::uint32_t place);
  Slot slot_of(const std::uint8_t* at, Span key, Span value, std::int64_t number) const;

  std::span<const WantedFeature> wanted_;
  std::span<FeatureValues> values_;
  const std::uint8_t* end_;
  std::vector<Slot> slots_;
  std::vector<Stretch> stretches_;
  std::vector<std::size_t> others_;
  // Those and the ones that are missing in the record that was read last; empty if none are.
  std::vector<std::size_t> absent_;
  std::vector<Span> found_;
  // No entry that is written straight away takes more bytes.
  std::size_t longest_ = 0;
  // Records that are not tried, and how many in a row were not as remembered.
  unsigned pause_ = 0, misses_ = 0;
};

}  // namespace feedline
