#include "core/csv.h"

#include <array>
#include <cstring>

namespace feedline {
namespace {

// What became of a field: the record goes on, is over, or more text is needed to tell.
enum class After { kNextField, kNextRecord, kNeedsMore };

class Splitter {
 public:
  Splitter(std::span<const std::uint8_t> data, std::uint8_t delimiter, bool quotes, bool is_final)
      : data_(data), delimiter_(delimiter), quotes_(quotes), is_final_(is_final) {
    stops_here_[delimiter] = true;
    stops_here_['\n'] = stops_here_['\r'] = true;
    if (quotes) stops_here_['"'] = true;
  }

  CsvFields run() {
    found_.record_splits.push_back(0);
    while (at_ < data_.size()) {
      const std::size_t num_before = found_.starts.size();
      After after = After::kNextField;
      while (after == After::kNextField) after = field();
      if (after == After::kNeedsMore) {
        found_.starts.resize(num_before);
        found_.stops.resize(num_before);
        found_.kinds.resize(num_before);
        break;
      }
      found_.record_splits.push_back(static_cast<std::int64_t>(found_.starts.size()));
      found_.record_stops.push_back(static_cast<std::int64_t>(at_));
    }
    return std::move(found_);
  }

 private:
  After field() {
    if (at_ < data_.size() && quotes_ && data_[at_] == '"') return quoted();
    return plain();
  }

  After plain() {
    const std::size_t start = at_;
    CsvKind kind = kPlain;
    while (true) {
      while (at_ < data_.size() && !stops_here_[data_[at_]]) ++at_;
      if (at_ == data_.size()) return at_end(start, at_, kind);
      const std::uint8_t byte = data_[at_];
      if (byte == delimiter_ || byte == '\n' || byte == '\r') return ended(start, at_, kind);
      kind = kStrayQuote;
      ++at_;
    }
  }

  After quoted() {
    const std::size_t start = ++at_;
    CsvKind kind = kQuoted;
    while (true) {
      const void* quote =
          at_ < data_.size() ? std::memchr(&data_[at_], '"', data_.size() - at_) : nullptr;
      if (quote == nullptr) {
        at_ = data_.size();
        return at_end(start, at_, kind == kAfterQuote ? kind : kUnclosed);
      }
      const auto stop =
          static_cast<std::size_t>(static_cast<const std::uint8_t*>(quote) - data_.data());
      at_ = stop + 1;
      if (at_ == data_.size()) return at_end(start, stop, kind);
      const std::uint8_t next = data_[at_];
      if (next == delimiter_ || next == '\n' || next == '\r') return ended(start, stop, kind);
      if (next != '"') kind = kAfterQuote;
      if (kind == kQuoted) kind = kEscaped;
      ++at_;
    }
  }

  After at_end(std::size_t start, std::size_t stop, CsvKind kind) {
    if (!is_final_) return After::kNeedsMore;
    add(start, stop, kind);
    return After::kNextRecord;
  }

  // The field ends before the byte at hand, which is a delimiter or the end of a line.
  After ended(std::size_t start, std::size_t stop, CsvKind kind) {
    const std::uint8_t byte = data_[at_];
    if (byte == delimiter_) {
      add(start, stop, kind);
      ++at_;
      return After::kNextField;
    }
    if (byte == '\r') {
      if (at_ + 1 == data_.size() && !is_final_) return After::kNeedsMore;
      if (at_ + 1 < data_.size() && data_[at_ + 1] == '\n') ++at_;
    }
    ++at_;
    add(start, stop, kind);
    return After::kNextRecord;
  }

  void add(std::size_t start, std::size_t stop, CsvKind kind) {
    found_.starts.push_back(static_cast<std::int64_t>(start));
    found_.stops.push_back(static_cast<std::int64_t>(stop));
    found_.kinds.push_back(kind);
  }

  std::span<const std::uint8_t> data_;
  std::uint8_t delimiter_;
  bool quotes_;
  bool is_final_;
  std::array<bool, 256> stops_here_{};
  std::size_t at_ = 0;
  CsvFields found_;
};

}  // namespace

CsvFields split_csv(std::span<const std::uint8_t> data, std::uint8_t delimiter, bool quotes,
                    bool is_final) {
  return Splitter(data, delimiter, quotes, is_final).run();
}

}  // namespace feedline
