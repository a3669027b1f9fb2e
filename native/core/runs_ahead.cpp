#include "core/runs_ahead.h"

#include <algorithm>

#include "core/check.h"
#include "core/read_at.h"
#include "core/tfrecord.h"

#if defined(_WIN32)
#define FEEDLINE_READS 0
#else
#include <unistd.h>
#define FEEDLINE_READS 1
#endif

namespace feedline {
namespace {

// Small enough to be in the processor's cache still when it is checked.
constexpr std::size_t largest_read = 1 << 18, smallest_read = 1 << 14;

// Another number of the same file; -1 if there is none.
int copy_of([[maybe_unused]] int file) {
#if FEEDLINE_READS
  return dup(file);
#else
  return -1;
#endif
}

// Somewhat more than the rest is expected to take, by what was taken: what is read beyond it has
// to be moved.
std::size_t expected(const RecordRun& run, std::size_t wanted) {
  if (run.count == 0) return largest_read;
  const std::size_t mean = run.at / run.count + 1;
  const std::size_t left = (wanted - run.count) * mean, there = run.stop - run.at;
  return left > there ? left - there + mean : mean;
}

}  // namespace

RecordRun read_records(int file, std::int64_t start, std::span<std::uint8_t> window,
                       std::size_t filled, std::span<std::int64_t> offsets,
                       const std::atomic<bool>& is_dropped) {
  check(filled <= window.size(), "what is filled must be inside the window");
  check(offsets.size() > 0, "there must be one more offset than records");
  RecordRun run{0, 0, filled};
  offsets[0] = 0;
  for (; !is_dropped; give_way()) {
    const auto taken = take_records(window.first(run.stop), run.at, window, offsets, run.count);
    run.count = taken.count;
    run.at = taken.at;
    if (run.count + 1 == offsets.size() || taken.damage != Damage::none) break;
    if (static_cast<std::uint64_t>(taken.needed) > window.size() - run.at) break;
    const std::size_t wanted =
        std::clamp(expected(run, offsets.size() - 1), smallest_read, largest_read);
    const std::size_t read = read_at(
        file, start, window.subspan(run.stop, std::min(wanted, window.size() - run.stop)));
    if (read == 0) break;
    run.stop += read;
    start += static_cast<std::int64_t>(read);
  }
  return run;
}

RunsAhead::RunsAhead(int file, std::int64_t start, std::span<const std::uint8_t> left)
    : file_(copy_of(file)), process_(this_process()), start_(start), left_(left.begin(), left.end()) {}

RunsAhead::~RunsAhead() {
#if FEEDLINE_READS
  if (file_ >= 0) close(file_);
#endif
}

void RunsAhead::add(std::span<std::uint8_t> window, std::span<std::int64_t> offsets) {
  const std::lock_guard hold(lock_);
  runs_.push_back({window, offsets, std::nullopt});
  if (is_reading_) return;
  is_reading_ = true;
  job_ = feedline::start([self = shared_from_this()] { self->work(); });
}

void RunsAhead::work() {
  std::unique_lock hold(lock_);
  for (;;) {
    const auto next = std::ranges::find_if(runs_, [](const Run& run) { return !run.found; });
    if (next == runs_.end() || is_dropped_) break;
    // Places of others in the queue stay valid while runs are added and finished at its ends.
    Run& run = *next;
    hold.unlock();
    const RecordRun found = read(run);
    hold.lock();
    run.found = found;
    changed_.notify_all();
  }
  is_reading_ = false;
}

RecordRun RunsAhead::read(const Run& run) {
  if (is_over_ || left_.size() > run.window.size()) {
    is_over_ = true;
    return {};
  }
  std::ranges::copy(left_, run.window.begin());
  const RecordRun found =
      read_records(file_, start_, run.window, left_.size(), run.offsets, is_dropped_);
  start_ += static_cast<std::int64_t>(found.stop - left_.size());
  const auto rest = run.window.subspan(found.at, found.stop - found.at);
  left_.assign(rest.begin(), rest.end());
  is_over_ = found.count + 1 < run.offsets.size();
  return found;
}

std::optional<RecordRun> RunsAhead::finish() {
  if (process_ != this_process()) return std::nullopt;
  std::shared_ptr<Job> job;
  {
    const std::lock_guard hold(lock_);
    check(!runs_.empty(), "there is no run to wait for");
    job = job_;
  }
  job->run();  // unless it has begun
  std::unique_lock hold(lock_);
  changed_.wait(hold, [this] { return runs_.front().found.has_value(); });
  const auto found = runs_.front().found;
  runs_.pop_front();
  return found;
}

void RunsAhead::drop() {
  is_dropped_ = true;
  if (process_ != this_process()) return;
  std::shared_ptr<Job> job;
  {
    const std::lock_guard hold(lock_);
    job = job_;
  }
  if (job) job->drop();
}

}  // namespace feedline
