// driver: feeds changed inputs to a parser, keeps those that reach new code, for as long as asked.
//
//   fuzz_<parser> CORPUS [--seconds N] [--runs N] [--seed N] [--keep]
//
// The parser is a function LLVMFuzzerTestOneInput(), so that libFuzzer can drive it as well; this
// driver needs no other compiler. An input that fails is written to the present folder.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <sanitizer/common_interface_defs.h>

#include "tests/fuzz/target.h"

namespace {

using Input = std::vector<std::uint8_t>;
namespace fs = std::filesystem;

constexpr std::size_t longest = 4096;
constexpr std::size_t places = 1 << 12;

// How often each place of the code was reached by the input that runs.
std::uint8_t reached[places];
// Which of those numbers, in eight steps, any input had so far.
std::uint8_t known[places];

const Input* running = nullptr;

std::uint64_t hash_of(const Input& input) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto byte : input) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

void write(const fs::path& path, const Input& input) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(input.data()),
             static_cast<std::streamsize>(input.size()));
}

void tell_failure() {
  if (running == nullptr) return;
  char name[40];
  std::snprintf(name, sizeof name, "failed-%016llx",
                static_cast<unsigned long long>(hash_of(*running)));
  write(name, *running);
  std::fprintf(stderr, "the input is in %s\n", name);
  running = nullptr;
}

void on_abort(int) {
  tell_failure();
  std::_Exit(134);
}

std::uint8_t step_of(std::uint8_t count) {
  constexpr std::uint8_t limits[] = {1, 2, 3, 7, 15, 31, 127};
  std::uint8_t step = 1;
  for (const auto limit : limits) {
    if (count <= limit) return step;
    step = static_cast<std::uint8_t>(step << 1);
  }
  return step;
}

// Runs the parser once; returns whether it did something that no input did before.
bool run(const Input& input) {
  std::memset(reached, 0, sizeof reached);
  // A copy of exactly its size: the sanitizer sees every byte read beyond it.
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[input.size()]);
  if (!input.empty()) std::memcpy(exact.get(), input.data(), input.size());
  running = &input;
  LLVMFuzzerTestOneInput(exact.get(), input.size());
  running = nullptr;
  bool is_new = false;
  for (std::size_t i = 0; i < places; ++i) {
    if (!reached[i]) continue;
    const std::uint8_t step = step_of(reached[i]);
    is_new |= (known[i] & step) == 0;
    known[i] = static_cast<std::uint8_t>(known[i] | step);
  }
  return is_new;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return count ? random_() % count : 0; }

  Input changed(const std::vector<Input>& corpus) {
    Input input = corpus[below(corpus.size())];
    for (std::size_t times = 1 + below(5); times > 0; --times) change(input, corpus);
    if (input.size() > longest) input.resize(longest);
    if (below(4)) FuzzRepair(input, random_());
    return input;
  }

 private:
  void change(Input& input, const std::vector<Input>& corpus) {
    const std::size_t at = below(input.size() + 1);
    const std::size_t count = std::min(input.size() - at, 1 + below(16));
    const auto begin = input.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    switch (below(8)) {
      case 0:
        if (at < input.size()) input[at] ^= static_cast<std::uint8_t>(1u << below(8));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<std::uint8_t>(random_());
        break;
      case 2:
        input.erase(begin, end);
        break;
      case 3: {
        const Input copy(begin, end);
        const auto to = static_cast<std::ptrdiff_t>(below(input.size() + 1));
        input.insert(input.begin() + to, copy.begin(), copy.end());
        break;
      }
      case 4:
        input.insert(begin, 1 + below(9), static_cast<std::uint8_t>(random_()));
        break;
      case 5: {
        const Input& other = corpus[below(corpus.size())];
        const std::size_t from = below(other.size() + 1);
        input.erase(begin, input.end());
        input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
        break;
      }
      case 6:
        input.resize(at);
        break;
      default:
        put_number(input, at);
    }
  }

  // Writes a number at the edge of something over what is there.
  void put_number(Input& input, std::size_t at) {
    constexpr std::uint64_t edges[] = {0,       1,       15,      16,         127,        128,
                                       255,     256,     1 << 15, 1 << 16,    0x7fffffff, 0x80000000,
                                       1ull << 32, 1ull << 60, ~0ull >> 1, 1ull << 63, ~0ull};
    const std::uint64_t number = edges[below(std::size(edges))] + below(3) - 1;
    const std::size_t size = std::size_t{1} << below(4);
    for (std::size_t i = 0; i < size && at + i < input.size(); ++i)
      input[at + i] = static_cast<std::uint8_t>(number >> (8 * i));
  }

  std::mt19937_64 random_;
};

std::vector<Input> read_corpus(const fs::path& folder) {
  std::vector<Input> corpus;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) corpus.emplace_back();
  std::sort(corpus.begin(), corpus.end());
  return corpus;
}

}  // namespace

// Called by the compiler's own instrumentation, in front of every piece of code.
extern "C" void __sanitizer_cov_trace_pc() {
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  auto& count = reached[(place >> 2 ^ place >> 14) % places];
  if (count < 255) ++count;
}

int main(int argc, char** argv) {
  double seconds = 10;
  std::uint64_t most = ~std::uint64_t{0}, seed = 1;
  bool keep = false;
  fs::path folder;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "0";
    if (word == "--seconds") seconds = std::atof(value), ++i;
    else if (word == "--runs") most = std::strtoull(value, nullptr, 10), seconds = 1e9, ++i;
    else if (word == "--seed") seed = std::strtoull(value, nullptr, 10), ++i;
    else if (word == "--keep") keep = true;
    else folder = word;
  }
  if (folder.empty() || !fs::is_directory(folder)) {
    std::fprintf(stderr, "usage: %s CORPUS [--seconds N] [--runs N] [--seed N] [--keep]\n", argv[0]);
    return 2;
  }
  __sanitizer_set_death_callback(tell_failure);
  std::signal(SIGABRT, on_abort);
  const auto started = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  std::vector<Input> corpus = read_corpus(folder);
  const std::size_t given = corpus.size();
  std::uint64_t runs = 0;
  for (const auto& input : corpus) run(input), ++runs;
  Mutator mutator(seed);
  while (runs < most && (runs % 256 || elapsed() < seconds)) {
    Input input = mutator.changed(corpus);
    ++runs;
    if (!run(input)) continue;
    if (keep) {
      char name[20];
      std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash_of(input)));
      write(folder / name, input);
    }
    corpus.push_back(std::move(input));
  }
  std::printf("%s: %llu runs in %.0f seconds, no failure; %zu inputs were given, %zu found\n", argv[0],
              static_cast<unsigned long long>(runs), elapsed(), given, corpus.size() - given);
  return 0;
}
