#include "core/jpeg_codes.h"

#include <cstring>

namespace feedline {
namespace {

// The number that some bits stand for: those that begin with a zero are negative.
constexpr int signed_number(std::uint32_t bits, unsigned size) {
  const auto number = static_cast<int>(bits);
  return number < (1 << (size - 1)) ? number - (1 << size) + 1 : number;
}

// Eight bytes, the first of which is the highest.
inline std::uint64_t word_at(const std::uint8_t* at) {
  std::uint64_t word = 0;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::memcpy(&word, at, sizeof word);
  return __builtin_bswap64(word);
#else
  for (int i = 0; i < 8; ++i) word = word << 8 | at[i];
  return word;
#endif
}

// An entry for a number alone.
JpegTable::Entry alone(int value, unsigned skip, unsigned length) {
  const auto number = static_cast<std::int16_t>(value);
  const auto bits = static_cast<std::uint8_t>(length);
  return {number, static_cast<std::uint8_t>(skip), bits, number, 0, bits};
}

constexpr JpegTable::Entry nothing{};

}  // namespace

JpegTable::JpegTable(const JpegCode& code, bool is_dc) : code_(code), is_dc_(is_dc) {
  entries_.fill(alone(0, 0, longer_code));
  std::uint32_t next = 0;
  std::int32_t symbol = 0;
  for (unsigned length = 1; length <= 16; ++length) {
    next <<= 1;
    firsts_[length] = symbol - static_cast<std::int32_t>(next);
    for (unsigned i = 0; i < code.counts[length]; ++i, ++next, ++symbol) {
      if (length > ahead) continue;
      const Entry plain = entry_of(code.symbols[static_cast<std::size_t>(symbol)], length);
      const unsigned rest = ahead - length;
      for (std::uint32_t more = 0; more < (1u << rest); ++more) {
        Entry& entry = entries_[next << rest | more];
        entry = plain;
        const auto size = static_cast<unsigned>(plain.value);
        if (!(plain.length & longer_number) || size > rest) continue;
        entry = alone(signed_number(more >> (rest - size), size), plain.skip, length + size);
      }
    }
    stops_[length] = next << (16 - length);
  }
  stops_[17] = 1u << 16;
  if (!is_dc) add_seconds();
}

// What a code stands for: the size of a number, or the end of the block.
JpegTable::Entry JpegTable::entry_of(std::uint8_t symbol, unsigned length) const {
  const int size = is_dc_ ? symbol : symbol & 15;
  const unsigned run = is_dc_ ? 0u : symbol >> 4;
  if (size > (is_dc_ ? 11 : 10)) return nothing;
  if (size > 0) return alone(size, run + 1, length | longer_number);
  return alone(0, is_dc_ ? 1u : run == 15 ? 16u : end_of_block, length);
}

// Puts what the bits after a number stand for beside it, where all of them are known.
void JpegTable::add_seconds() {
  constexpr std::size_t mask = (std::size_t{1} << ahead) - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.length == 0 || entry.length >= ahead || entry.skip == end_of_block) continue;
    const Entry& next = entries_[i << entry.length & mask];
    if (next.length == 0 || next.length > ahead - entry.length) continue;
    entry.second = next.value;
    entry.second_skip = next.skip;
    entry.both_length = static_cast<std::uint8_t>(entry.length + next.length);
  }
}

// What a code stands for that is longer than what is looked up at once.
JpegTable::Entry JpegTable::find(std::uint64_t bits) const {
  const auto code = static_cast<std::uint32_t>(bits >> 48);
  unsigned length = ahead + 1;
  while (code >= stops_[length]) ++length;
  if (length > 16) return nothing;
  const std::int32_t symbol = static_cast<std::int32_t>(code >> (16 - length)) + firsts_[length];
  return entry_of(code_.symbols[static_cast<std::size_t>(symbol)], length);
}

// What one look at the table did not tell.
JpegTable::Entry JpegTable::rest_of(std::uint64_t bits, Entry entry) const {
  if (entry.length == longer_code) entry = find(bits);
  if (!(entry.length & longer_number)) return entry;
  const auto size = static_cast<unsigned>(entry.value);
  const unsigned length = entry.length & (longer_number - 1u);
  const auto number = static_cast<std::uint32_t>(bits << length >> (64 - size));
  return alone(signed_number(number, size), entry.skip, length + size);
}

JpegBits::Block JpegBits::read(const JpegTable& dc, const JpegTable& ac, std::uint32_t& last_dc,
                               std::int16_t* numbers) {
  // Not in memory, though pixels may be anywhere.
  std::uint64_t bits = bits_;
  unsigned have = have_;
  const std::uint8_t* at = at_;
  const auto fill = [&] {
    bits |= word_at(at) >> have;
    at += (63 - have) >> 3;
    have |= 56;
  };
  const auto use = [&](unsigned count) {
    bits <<= count;
    have -= count;
  };
  fill();
  const JpegTable::Entry first = dc.next(bits);
  if (first.length == 0) return Block::broken;
  use(first.length);
  last_dc += static_cast<std::uint32_t>(first.value);  // of which 16 bits count
  numbers[0] = static_cast<std::int16_t>(last_dc);
  // After the first number: where the next is, and where it was one look before.
  std::size_t place = 1, before = 1;
  do {
    // There are bits enough for two looks, whatever they tell.
    fill();
    for (int i = 0; i < 2 && place < 64; ++i) {
      const JpegTable::Entry entry = ac.next(bits);
      if (entry.length == 0) [[unlikely]] return Block::broken;
      before = place;
      place += entry.skip;
      numbers[jpeg_places[place - 1]] = entry.value;
      if (place >= 64) {
        use(entry.length);  // what comes after it belongs to the next block
        break;
      }
      use(entry.both_length);
      place += entry.second_skip;
      numbers[jpeg_places[place - 1]] = entry.second;
    }
  } while (place < 64);
  bits_ = bits;
  have_ = have;
  at_ = at;
  if (place != 64 && place < JpegTable::end_of_block) return Block::broken;
  return before == 1 && place == 1 + JpegTable::end_of_block ? Block::flat : Block::varied;
}

}  // namespace feedline
