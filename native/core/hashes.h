// hashes: 64-bit hashes of byte strings, as in feedline/kernels/hash_strings.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// String i is the bytes from offsets[i] to offsets[i + 1] of `data`; its hash goes to out[i].
// Throw std::invalid_argument if a string is not inside `data`.

// FarmHash's Fingerprint64.
void hash_fingerprint(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                      std::span<std::uint64_t> out);

// A variant of MurmurHash64A.
void hash_murmur(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                 std::span<std::uint64_t> out);

// SipHash-2-4.
void hash_siphash(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                  std::uint64_t key0, std::uint64_t key1, std::span<std::uint64_t> out);

}  // namespace feedline
