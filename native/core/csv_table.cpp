#include "core/csv_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include "core/check.h"
#include "core/csv.h"
#include "core/decimal.h"
#include "core/numbers.h"
#include "core/utf8.h"

namespace feedline {
namespace {

enum class Next { kField, kRecord, kMore, kStop };

class Reader {
 public:
  Reader(std::span<const std::uint8_t> data, const CsvLayout& layout, std::span<CsvTarget> targets)
      : layout_(layout),
        targets_(targets),
        begin_(reinterpret_cast<const char*>(data.data())),
        end_(begin_ + data.size()),
        at_(begin_) {
    stops_here_[layout.delimiter] = true;
    stops_here_['\n'] = stops_here_['\r'] = true;
    if (layout.quotes) stops_here_['"'] = true;
    const char delimiter = static_cast<char>(layout.delimiter);
    reads_in_place_ = !is_decimal_digit(delimiter) && std::strchr("+-.eE", delimiter) == nullptr;
    for (std::size_t i = 1; i < targets.size(); ++i)
      check(targets[i - 1].place < targets[i].place, "the places of columns must rise");
    for (auto& target : targets) {
      if (auto* text = std::get_if<CsvText>(&target.values)) text->offsets.assign(1, 0);
    }
  }

  std::optional<CsvRead> run() {
    const auto newlines = [](const char* from, const char* end) {
      return static_cast<std::size_t>(std::count(from, end, '\n'));
    };
    const std::size_t num_newlines = newlines(begin_, end_);
    reserve(num_newlines + 1);
    std::size_t num_records = 0, used = 0;
    bool is_header = layout_.header;
    while (at_ != end_) {
      const Next after = is_header ? record<true>() : record<false>();
      if (after == Next::kMore || (after == Next::kStop && is_cut(used))) break;
      if (after == Next::kStop) return std::nullopt;
      num_records += is_header ? 0 : 1;
      is_header = false;
      used = static_cast<std::size_t>(at_ - begin_);
    }
    // Of a file without a header there is something to say.
    if (is_header) return std::nullopt;
    for (auto& target : targets_)
      if (!cut(target, num_records)) return std::nullopt;
    return CsvRead{num_records, used, num_newlines - newlines(begin_ + used, end_)};
  }

 private:
  using Text = std::string_view;

  // Whether the record at `start`, with which something is wrong, is not whole: nothing is said
  // about such a one yet.
  bool is_cut(std::size_t start) const {
    const std::span<const std::uint8_t> rest(reinterpret_cast<const std::uint8_t*>(begin_) + start,
                                             static_cast<std::size_t>(end_ - begin_) - start);
    return !layout_.is_final &&
           split_csv(rest, layout_.delimiter, layout_.quotes, false).record_stops.empty();
  }

  // About as many records as there are ends of lines.
  void reserve(std::size_t num_lines) {
    for (auto& target : targets_) {
      std::visit(
          [&](auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, CsvText>)
              values.offsets.reserve(num_lines + 1);
            else
              values.reserve(num_lines);
          },
          target.values);
    }
  }

  // Leaves out what was read of a record that is not whole.
  bool cut(CsvTarget& target, std::size_t num_records) const {
    if (auto* text = std::get_if<CsvText>(&target.values)) {
      text->offsets.resize(num_records + 1);
      text->data.resize(static_cast<std::size_t>(text->offsets.back()));
      return !layout_.utf8 || all_utf8(*text);
    }
    std::visit(
        [&](auto& values) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, CsvText>)
            values.resize(num_records);
        },
        target.values);
    return true;
  }

  static bool all_utf8(const CsvText& text) {
    if (is_ascii(text.data)) return true;
    const std::span<const std::uint8_t> data(text.data);
    for (std::size_t i = 0; i + 1 < text.offsets.size(); ++i) {
      const auto start = static_cast<std::size_t>(text.offsets[i]);
      const auto stop = static_cast<std::size_t>(text.offsets[i + 1]);
      if (!is_utf8(data.subspan(start, stop - start))) return false;
    }
    return true;
  }

  template <bool passed_over>
  Next record() {
    std::size_t place = 0, number = 0;
    Next after = Next::kField;
    while (after == Next::kField) {
      const bool wanted =
          !passed_over && number < targets_.size() && targets_[number].place == place;
      after = wanted ? field(targets_[number]) : skipped();
      number += wanted ? 1 : 0;
      ++place;
    }
    if (after != Next::kRecord || passed_over) return after;
    return layout_.fewest <= place && place <= layout_.most && number == targets_.size()
               ? after
               : Next::kStop;
  }

  Next field(CsvTarget& target) {
    switch (target.values.index()) {
      case 0: return number_field(target, std::get<0>(target.values));
      case 1: return number_field(target, std::get<1>(target.values));
      case 2: return number_field(target, std::get<2>(target.values));
      case 3: return number_field(target, std::get<3>(target.values));
      default: return text_field(target, std::get<4>(target.values));
    }
  }

  template <class T>
  Next number_field(CsvTarget& target, std::vector<T>& values) {
    // The number is read while its end is looked for; at a field without one that fails.
    if (reads_in_place_ && at_ != end_) {
      T value{};
      const char* const stop = read_in_place(value);
      if (stop != nullptr && stop != end_ && (*stop == delimiter() || *stop == '\n')) {
        // What says that a number is missing may look like one.
        const Text text(at_, static_cast<std::size_t>(stop - at_));
        if (layout_.na_value.empty() || text != layout_.na_value) {
          values.push_back(value);
          at_ = stop + 1;
          return stop[0] == delimiter() ? Next::kField : Next::kRecord;
        }
      }
    }
    Text text;
    bool is_escaped = false;
    const Next after = any_field(text, is_escaped);
    if (after == Next::kStop || after == Next::kMore) return after;
    if (is_escaped) return Next::kStop;
    if (is_missing(text)) {
      if (!target.has_default) return Next::kStop;
      if constexpr (std::is_floating_point_v<T>)
        values.push_back(static_cast<T>(target.number));
      else
        values.push_back(static_cast<T>(target.whole));
      return after;
    }
    T value{};
    if (!parsed({text.data(), text.data() + text.size()}, value)) return Next::kStop;
    values.push_back(value);
    return after;
  }

  template <class T>
  const char* read_in_place(T& value) const {
    if constexpr (std::is_floating_point_v<T>) {
      Decimal number;
      const char* const stop = read_decimal(at_, end_, number);
      return stop != nullptr && nearest(number, value) ? stop : nullptr;
    } else {
      const bool negative = *at_ == '-';
      const char* const first = at_ + (negative ? 1 : 0);
      std::uint64_t size = 0;
      const char* const stop = read_digits(first, end_, size);
      // So many digits fit in any case; the others are looked at more closely.
      constexpr std::ptrdiff_t most = sizeof(T) == 4 ? 9 : 18;
      if (stop == first || stop - first > most) return nullptr;
      const auto whole = static_cast<T>(size);
      value = negative ? static_cast<T>(-whole) : whole;
      return stop;
    }
  }

  template <class T>
  static bool parsed(NumberText text, T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      return parse_float(text, value);
    } else {
      std::int64_t whole = 0;
      if (!parse_integer(text, whole) || whole < std::numeric_limits<T>::min() ||
          whole > std::numeric_limits<T>::max()) {
        return false;
      }
      value = static_cast<T>(whole);
      return true;
    }
  }

  Next text_field(CsvTarget& target, CsvText& values) {
    Text text;
    bool is_escaped = false;
    const Next after = any_field(text, is_escaped);
    if (after == Next::kStop || after == Next::kMore) return after;
    const std::size_t start = values.data.size();
    append(values.data, text);
    if (is_escaped) {
      // Of every pair of quotes one is left.
      std::uint8_t* to = values.data.data() + start;
      const std::uint8_t* const stop = values.data.data() + values.data.size();
      for (const std::uint8_t* from = to; from != stop; ++from) {
        *to++ = *from;
        if (*from == '"') ++from;
      }
      values.data.resize(static_cast<std::size_t>(to - values.data.data()));
    }
    const Text made(reinterpret_cast<const char*>(values.data.data()) + start,
                    values.data.size() - start);
    if (is_missing(made)) {
      if (!target.has_default) return Next::kStop;
      values.data.resize(start);
      append(values.data, target.text);
    }
    values.offsets.push_back(static_cast<std::int64_t>(values.data.size()));
    return after;
  }

  static void append(std::vector<std::uint8_t>& to, Text text) {
    to.insert(to.end(), text.begin(), text.end());
  }

  Next skipped() {
    Text text;
    bool is_escaped = false;
    return any_field(text, is_escaped);
  }

  bool is_missing(Text text) const {
    return text.empty() || (!layout_.na_value.empty() && text == layout_.na_value);
  }

  // Finds the field that begins here and goes past it; `text` gets it without its quotes.
  Next any_field(Text& text, bool& is_escaped) {
    if (at_ != end_ && layout_.quotes && *at_ == '"') return quoted_field(text, is_escaped);
    const char* stop = at_;
    while (stop != end_ && !stops_here_[static_cast<std::uint8_t>(*stop)]) ++stop;
    text = Text(at_, static_cast<std::size_t>(stop - at_));
    return ended(stop);
  }

  Next quoted_field(Text& text, bool& is_escaped) {
    const char* const start = ++at_;
    const char* at = start;
    while (true) {
      const auto* const quote = static_cast<const char*>(
          at == end_ ? nullptr : std::memchr(at, '"', static_cast<std::size_t>(end_ - at)));
      if (quote == nullptr) return layout_.is_final ? Next::kStop : Next::kMore;
      at = quote + 1;
      if (at == end_ || *at == delimiter() || *at == '\n' || *at == '\r') {
        text = Text(start, static_cast<std::size_t>(quote - start));
        return ended(at);
      }
      if (*at != '"') return Next::kStop;
      is_escaped = true;
      ++at;
    }
  }

  // Goes past what stands after a field: a delimiter, the end of a line or of everything.
  Next ended(const char* stop) {
    if (stop == end_) {
      at_ = stop;
      return layout_.is_final ? Next::kRecord : Next::kMore;
    }
    if (*stop == delimiter()) {
      at_ = stop + 1;
      return Next::kField;
    }
    if (*stop != '\n' && *stop != '\r') return Next::kStop;  // a quote inside
    if (*stop == '\r') {
      if (stop + 1 == end_ && !layout_.is_final) return Next::kMore;
      if (stop + 1 != end_ && stop[1] == '\n') ++stop;
    }
    at_ = stop + 1;
    return Next::kRecord;
  }

  char delimiter() const { return static_cast<char>(layout_.delimiter); }

  const CsvLayout& layout_;
  std::span<CsvTarget> targets_;
  std::array<bool, 256> stops_here_{};
  bool reads_in_place_ = true;
  const char* begin_;
  const char* end_;
  const char* at_;
};

}  // namespace

std::optional<CsvRead> read_csv_table(std::span<const std::uint8_t> data, const CsvLayout& layout,
                                      std::span<CsvTarget> targets) {
  return Reader(data, layout, targets).run();
}

}  // namespace feedline
