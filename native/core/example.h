// example: runs of serialized tf.train.Example and SequenceExample, straight into columns.
//
// A record that looks like the one before is read straight into its columns (example_layout.h).
// Any other is gone through once to find the features that are wanted (example_find.h); each is
// then decoded into its column (example_decode.h). Features that are not wanted are never looked
// into. Of several map entries with one name the last that is not empty counts; lists may lie in
// several pieces, packed or not, in any order, between fields nobody knows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace feedline {

// The kinds of lists, by their field numbers in tf.train.Feature.
enum class ListKind : std::uint8_t { none = 0, bytes = 1, floats = 2, ints = 3 };

struct WantedFeature {
  std::string key;
  ListKind kind;
  std::int64_t size;  // values in every record (in every step of a feature list), or -1
  bool required;      // whether a record without it is an error
};

// The values of one feature, record after record. Which members are used follows from what was
// wanted; `dense` is the caller's memory for records * size numbers of 4 or 8 bytes.
struct FeatureValues {
  std::span<float> dense_floats;
  std::span<std::int64_t> dense_ints;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> offsets;  // of byte strings: one more than there are
  std::vector<std::int64_t> splits;   // of values by record, or by step of a feature list
  std::vector<std::int64_t> steps;    // of steps by record: feature lists only
  std::vector<std::int64_t> missing;  // records without the feature
};

enum class ExampleFault { broken = 1, wrong_kind = 2, wrong_count = 3, missing = 4, no_kind = 5 };

// What stopped the parser: which record, which of the wanted features (-1: none of them), which
// byte of the record, and what was found instead.
struct ExampleError {
  ExampleFault fault;
  std::int64_t record;
  std::int64_t feature;
  std::int64_t offset;
  std::int64_t found;  // kind or count
  const char* what;
};

// Records lie in `data` at `offsets`: one more than there are. `values` has one entry for each
// wanted feature, with its dense memory in place, all of which is written unless there is an
// error: records without the feature get zeros.
// Which features: those of an Example, or the context of a SequenceExample. With several
// `threads`, each takes a part of the records, if all that is wanted goes into dense memory.
std::optional<ExampleError> parse_examples(std::span<const std::uint8_t> data,
                                           std::span<const std::int64_t> offsets,
                                           std::span<const WantedFeature> wanted,
                                           std::span<FeatureValues> values,
                                           std::size_t threads = 1);

// The feature lists of SequenceExamples. Every step of a list is a feature.
std::optional<ExampleError> parse_feature_lists(std::span<const std::uint8_t> data,
                                                std::span<const std::int64_t> offsets,
                                                std::span<const WantedFeature> wanted,
                                                std::span<FeatureValues> values);

}  // namespace feedline
