#include "core/hashes.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/check.h"

namespace feedline {
namespace {

using Text = std::span<const std::uint8_t>;
using Word = std::uint64_t;

constexpr Word k0 = 0xC3A5C85C97CB3127, k1 = 0xB492B66FBE98F273, k2 = 0x9AE16A3B2F90404F;

Word load(const std::uint8_t* from, std::size_t count) {
  Word word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, from, count);
  } else {
    for (std::size_t i = 0; i < count; ++i) word |= Word{from[i]} << (8 * i);
  }
  return word;
}

Word word_at(Text text, std::size_t at) { return load(text.data() + at, 8); }

Word mix(Word value) { return value ^ (value >> 47); }

Word join(Word u, Word v, Word multiplier) {
  const Word a = mix((u ^ v) * multiplier);
  return mix((v ^ a) * multiplier) * multiplier;
}

Word up_to_16(Text text) {
  const std::size_t length = text.size();
  const Word multiplier = k2 + 2 * length;
  if (length >= 8) {
    const Word a = word_at(text, 0) + k2, b = word_at(text, length - 8);
    return join(std::rotr(b, 37) * multiplier + a, (std::rotr(a, 25) + b) * multiplier,
                multiplier);
  }
  if (length >= 4) {
    const Word first = load(text.data(), 4), last = load(text.data() + length - 4, 4);
    return join(length + (first << 3), last, multiplier);
  }
  if (length == 0) return k2;
  const Word y = text[0] + (Word{text[length >> 1]} << 8);
  const Word z = length + (Word{text[length - 1]} << 2);
  return mix(y * k2 ^ z * k0) * k2;
}

Word up_to_64(Text text) {
  const std::size_t length = text.size();
  const Word multiplier = k2 + 2 * length;
  const bool is_short = length <= 32;
  const Word a = word_at(text, 0) * (is_short ? k1 : k2), b = word_at(text, 8);
  const Word c = word_at(text, length - 8) * multiplier, d = word_at(text, length - 16) * k2;
  const Word y = std::rotr(a + b, 43) + std::rotr(c, 30) + d;
  const Word z = join(y, a + std::rotr(b + k2, 18) + c, multiplier);
  if (is_short) return z;
  const Word e = word_at(text, 16) * multiplier, f = word_at(text, 24);
  const Word g = (y + word_at(text, length - 32)) * multiplier;
  const Word h = (z + word_at(text, length - 24)) * multiplier;
  return join(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g,
              multiplier);
}

using Pair = std::pair<Word, Word>;

Pair weak(Text text, std::size_t at, Word a, Word b) {
  const Word w = word_at(text, at), x = word_at(text, at + 8), y = word_at(text, at + 16),
             z = word_at(text, at + 24);
  a += w;
  b = std::rotr(b + a + z, 21);
  const Word c = a;
  a += x + y;
  b += std::rotr(a, 44);
  return {a + z, b + c};
}

Word more_than_64(Text text) {
  Word x = 81, y = 81 * k1 + 113;
  Word z = mix(y * k2 + 113) * k2;
  Pair v{0, 0}, w{0, 0};
  x = x * k2 + word_at(text, 0);
  const std::size_t last = text.size() - 1;
  const auto step = [&](std::size_t at, Word multiplier, Word nine, Word second_v) {
    x = std::rotr(x + y + v.first + word_at(text, at + 8), 37) * multiplier;
    y = std::rotr(y + v.second + word_at(text, at + 48), 42) * multiplier;
    x ^= w.second * nine;
    y += v.first * nine + word_at(text, at + 40);
    z = std::rotr(z + w.first, 33) * multiplier;
    v = weak(text, at, second_v * multiplier, x + w.first);
    w = weak(text, at + 32, z + w.second, y + word_at(text, at + 16));
    std::swap(z, x);
  };
  for (std::size_t at = 0; at < last / 64 * 64; at += 64) step(at, k1, 1, v.second);
  const Word multiplier = k1 + ((z & 0xFF) << 1);
  w.first += last & 63;
  v.first += w.first;
  w.first += v.first;
  step(text.size() - 64, multiplier, 9, v.second);
  return join(join(v.first, w.first, multiplier) + mix(y) * k0 + z,
              join(v.second, w.second, multiplier) + x, multiplier);
}

Word fingerprint(Text text) {
  if (text.size() <= 16) return up_to_16(text);
  return text.size() <= 64 ? up_to_64(text) : more_than_64(text);
}

Word murmur(Text text) {
  constexpr Word multiplier = 0xC6A4A7935BD1E995;
  Word value = Word{0xDECAFCAFFE} ^ (text.size() * multiplier);
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8)
    value = (value ^ mix(word_at(text, at) * multiplier) * multiplier) * multiplier;
  if (at < text.size())
    value = (value ^ load(text.data() + at, text.size() - at)) * multiplier;
  return mix(mix(value) * multiplier);
}

struct Sip {
  Word a, b, c, d;

  void rounds(int count) {
    for (; count > 0; --count) {
      a += b;
      b = std::rotl(b, 13) ^ a;
      a = std::rotl(a, 32);
      c += d;
      d = std::rotl(d, 16) ^ c;
      a += d;
      d = std::rotl(d, 21) ^ a;
      c += b;
      b = std::rotl(b, 17) ^ c;
      c = std::rotl(c, 32);
    }
  }

  void add(Word word) {
    d ^= word;
    rounds(2);
    a ^= word;
  }
};

Word siphash(Text text, Word key0, Word key1) {
  Sip state{key0 ^ 0x736F6D6570736575, key1 ^ 0x646F72616E646F6D, key0 ^ 0x6C7967656E657261,
            key1 ^ 0x7465646279746573};
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) state.add(word_at(text, at));
  const Word rest = at < text.size() ? load(text.data() + at, text.size() - at) : 0;
  state.add(rest | Word{text.size() & 0xFF} << 56);
  state.c ^= 0xFF;
  state.rounds(4);
  return state.a ^ state.b ^ state.c ^ state.d;
}

template <class Hash>
void hash_all(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
              std::span<std::uint64_t> out, const Hash& hash) {
  check(offsets.size() == out.size() + 1, "there must be one offset more than there are strings");
  const auto length = static_cast<std::int64_t>(data.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t start = offsets[i], stop = offsets[i + 1];
    check(0 <= start && start <= stop && stop <= length, "a string must be inside the data");
    out[i] = hash(data.subspan(static_cast<std::size_t>(start),
                               static_cast<std::size_t>(stop - start)));
  }
}

}  // namespace

void hash_fingerprint(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                      std::span<std::uint64_t> out) {
  hash_all(data, offsets, out, fingerprint);
}

void hash_murmur(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                 std::span<std::uint64_t> out) {
  hash_all(data, offsets, out, murmur);
}

void hash_siphash(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                  std::uint64_t key0, std::uint64_t key1, std::span<std::uint64_t> out) {
  hash_all(data, offsets, out, [&](Text text) { return siphash(text, key0, key1); });
}

}  // namespace feedline
