// target: what a parser that is fuzzed has to provide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Runs the parser on any bytes; ends the process if something that must hold does not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Makes an input right that was changed, so that it gets past checksums; may do nothing.
void FuzzRepair(std::vector<std::uint8_t>& input, std::uint64_t random);

#define HOLDS(condition)                                                 \
  if (!(condition)) {                                                    \
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    std::abort();                                                        \
  }
