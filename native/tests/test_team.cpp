// Tests of native/core/team and runs_ahead: run under the sanitizers by `make sanitize`.
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/runs_ahead.h"
#include "core/team.h"
#include "core/tfrecord.h"
#include "tests/expect.h"

namespace {

using namespace feedline;

void test_every_part_is_done_once() {
  for (std::size_t threads : {1, 2, 5, 40}) {
    std::vector<std::atomic<int>> done(97);
    in_parts(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT(count == 1);
  }
  in_parts(0, 4, [](std::size_t) { std::exit(1); });
}

void test_what_a_part_throws_is_thrown() {
  for (int round = 0; round < 50; ++round) {
    bool thrown = false;
    try {
      in_parts(20, 3, [](std::size_t i) {
        if (i == 7) throw std::runtime_error("seven");
      });
    } catch (const std::runtime_error& error) {
      thrown = std::string(error.what()) == "seven";
    }
    EXPECT(thrown);
  }
}

void test_parts_may_have_parts() {
  std::atomic<int> sum{0};
  in_parts(8, 4, [&](std::size_t) { in_parts(8, 4, [&](std::size_t) { ++sum; }); });
  EXPECT(sum == 64);
}

void test_work_is_done_once_whoever_comes_first() {
  std::atomic<int> count{0};
  for (int round = 0; round < 500; ++round) {
    const auto job = start([&] { ++count; });
    EXPECT(job->finish());
    EXPECT(job->finish());
  }
  EXPECT(count == 500);
}

void test_dropped_work_has_ended_or_never_begins() {
  for (int round = 0; round < 500; ++round) {
    auto memory = std::make_unique<int>(0);
    const auto job = start([at = memory.get()] { ++*at; });
    job->drop();
    memory.reset();
  }
}

void test_long_work_gives_way() {
  std::atomic<bool> is_over{false};
  const auto job = start([&] {
    while (!is_over) give_way();
  });
  std::atomic<int> sum{0};
  for (int round = 0; round < 100; ++round) in_parts(16, 4, [&](std::size_t) { ++sum; });
  EXPECT(sum == 1600);
  is_over = true;
  EXPECT(job->finish());
}

void test_runs_are_read_in_order() {
  Bytes data(5000);
  std::iota(data.begin(), data.end(), std::uint8_t{0});
  std::vector<std::int64_t> bounds(501);
  for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = static_cast<std::int64_t>(10 * i);
  Bytes framed(framed_size(data, bounds));
  frame_records(data, bounds, framed);
  for (int round = 0; round < 50; ++round) {
    std::FILE* const file = std::tmpfile();
    EXPECT(file != nullptr);
    EXPECT(std::fwrite(framed.data(), 1, framed.size(), file) == framed.size());
    std::fflush(file);
    const auto runs = std::make_shared<RunsAhead>(fileno(file), 0, std::span<std::uint8_t>{});
    std::fclose(file);
    std::vector<Bytes> windows(3, Bytes(4000));
    std::vector<std::vector<std::int64_t>> offsets(3, std::vector<std::int64_t>(101));
    for (std::size_t i = 0; i < 3; ++i) runs->add(windows[i], offsets[i]);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto found = runs->finish();
      EXPECT(found && found->count == 100 && windows[i][0] == static_cast<std::uint8_t>(1000 * i));
    }
    runs->drop();
  }
}

}  // namespace

int main() {
  test_every_part_is_done_once();
  test_what_a_part_throws_is_thrown();
  test_parts_may_have_parts();
  test_work_is_done_once_whoever_comes_first();
  test_dropped_work_has_ended_or_never_begins();
  test_long_work_gives_way();
  test_runs_are_read_in_order();
  std::puts("team: all tests passed");
}
