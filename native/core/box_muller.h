// box_muller: normal numbers out of random bits, the same as feedline/kernels/box_muller.py.
#pragma once

#include <cstdint>
#include <span>

namespace feedline {

// Writes one normal number for each word; there is an even number of words.
void box_muller(std::span<const std::uint32_t> words, std::span<float> out);

// Writes two normal numbers for every four words.
void box_muller(std::span<const std::uint32_t> words, std::span<double> out);

}  // namespace feedline
