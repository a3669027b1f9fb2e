#include "core/example.h"

#include <algorithm>

#include "core/check.h"
#include "core/example_decode.h"
#include "core/example_find.h"
#include "core/example_layout.h"
#include "core/team.h"
#include "core/wire.h"

namespace feedline {
namespace {

class Run {
 public:
  Run(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
      std::span<const WantedFeature> wanted, std::span<FeatureValues> values,
      std::uint32_t field)
      : data_(data),
        offsets_(offsets),
        wanted_(wanted),
        values_(values),
        finder_(wanted, field, field == 2),
        layout_(wanted, values, data.data() + data.size()),
        predicts_(field == 1) {
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
        if (predicts_ && layout_.read(bytes_, record_)) [[likely]] {
          for (const std::size_t i : layout_.others()) take_one(take, i, layout_.found(i));
          continue;
        }
        const auto found = finder_.find(bytes_);
        for (std::size_t i = 0; i < wanted_.size(); ++i) take_one(take, i, found[i]);
        if (predicts_) layout_.learn(bytes_, finder_.keys());
      } catch (const Broken& broken) {
        return error(ExampleFault::broken, broken.at, 0, broken.what);
      } catch (const Fault& fault) {
        return error(fault.fault, at_, fault.found, "");
      }
    }
    return std::nullopt;
  }

 private:
  template <class Take>
  void take_one(Take& take, std::size_t i, Span found) {
    feature_ = static_cast<std::int64_t>(i);
    at_ = found.empty() ? bytes_.at : found.at;
    if (take(i, record_, found)) return;
    if (wanted_[i].required) throw Fault{ExampleFault::missing, 0};
    values_[i].missing.push_back(static_cast<std::int64_t>(record_));
  }

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
  Layout layout_;
  bool predicts_;
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

// Zeros for a record without the feature.
void fill_row(FeatureValues& out, const WantedFeature& wanted, std::size_t row) {
  const auto size = static_cast<std::size_t>(wanted.size);
  if (wanted.kind == ListKind::floats) {
    std::ranges::fill(out.dense_floats.subspan(row * size, size), 0.0f);
  } else {
    std::ranges::fill(out.dense_ints.subspan(row * size, size), 0);
  }
}

// The memory of a feature that has the same number of values in every record is for all of them.
void check_room(const WantedFeature& wanted, const FeatureValues& values, std::size_t records) {
  const auto size = static_cast<std::size_t>(wanted.size);
  const std::size_t room = wanted.kind == ListKind::floats ? values.dense_floats.size()
                                                           : values.dense_ints.size();
  check(size == 0 ? room == 0 : room % size == 0 && room / size == records,
        "input and output differ in length");
}

// How many records a thread takes at once: a part begins with some that teach it the layout.
constexpr std::size_t records_of_part = 1024;

std::optional<ExampleError> parse_part(std::span<const std::uint8_t> data,
                                       std::span<const std::int64_t> offsets,
                                       std::span<const WantedFeature> wanted,
                                       std::span<FeatureValues> values) {
  Run run(data, offsets, wanted, values, 1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    begin(values[i], wanted[i], run.length(), !is_dense(wanted[i]));
    if (is_dense(wanted[i])) check_room(wanted[i], values[i], run.length());
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
    if (is_dense(wanted[i])) {
      if (decoder.write(feature, wanted[i], out, record)) return true;
      fill_row(out, wanted[i], record);
      return false;
    }
    const bool has = decoder.add(feature, wanted[i], out);
    out.splits.push_back(static_cast<std::int64_t>(values_in(out, wanted[i].kind)));
    return has;
  });
}

// The memory of some records in that of all.
std::vector<FeatureValues> values_of_part(std::span<const WantedFeature> wanted,
                                          std::span<const FeatureValues> values,
                                          std::size_t first, std::size_t count) {
  std::vector<FeatureValues> part(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto size = static_cast<std::size_t>(wanted[i].size);
    if (wanted[i].kind == ListKind::floats) {
      part[i].dense_floats = values[i].dense_floats.subspan(first * size, count * size);
    } else {
      part[i].dense_ints = values[i].dense_ints.subspan(first * size, count * size);
    }
  }
  return part;
}

}  // namespace

std::optional<ExampleError> parse_examples(std::span<const std::uint8_t> data,
                                           std::span<const std::int64_t> offsets,
                                           std::span<const WantedFeature> wanted,
                                           std::span<FeatureValues> values,
                                           std::size_t threads) {
  if (threads < 2 || offsets.size() <= 2 * records_of_part ||
      !std::ranges::all_of(wanted, is_dense)) {
    return parse_part(data, offsets, wanted, values);
  }
  const std::size_t records = offsets.size() - 1;
  check(wanted.size() == values.size(), "wanted and values differ in length");
  for (std::size_t i = 0; i < wanted.size(); ++i) check_room(wanted[i], values[i], records);
  const std::size_t parts = records / records_of_part;
  std::vector<std::vector<FeatureValues>> found(parts);
  std::vector<std::optional<ExampleError>> errors(parts);
  const auto first_of = [&](std::size_t part) { return part * records / parts; };
  in_parts(parts, threads, [&](std::size_t part) {
    const std::size_t first = first_of(part), count = first_of(part + 1) - first;
    found[part] = values_of_part(wanted, values, first, count);
    errors[part] = parse_part(data, offsets.subspan(first, count + 1), wanted, found[part]);
  });
  for (std::size_t part = 0; part < parts; ++part) {
    const auto first = static_cast<std::int64_t>(first_of(part));
    if (errors[part]) {
      errors[part]->record += first;
      return errors[part];
    }
    for (std::size_t i = 0; i < wanted.size(); ++i)
      for (const std::int64_t record : found[part][i].missing)
        values[i].missing.push_back(first + record);
  }
  return std::nullopt;
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
