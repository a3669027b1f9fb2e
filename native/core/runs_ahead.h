// runs_ahead: records of a file, read and taken out of their frames before they are asked for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/team.h"

namespace feedline {

struct RecordRun {
  std::size_t count = 0;  // records in the window
  std::size_t at = 0;     // where the frame after them begins
  std::size_t stop = 0;   // up to where the window is filled
};

// Fills `window`, in which `filled` bytes of frames are already, with what a file has from byte
// `start` on, and takes records out of their frames as take_records() does, to the beginning of
// the window. Ends where `offsets` or the window is full, at damage, at the end of the file, where
// it cannot be read, or when `is_dropped`: which of them, whoever goes on from there will see. In
// between it gives way to what others wait for.
RecordRun read_records(int file, std::int64_t start, std::span<std::uint8_t> window,
                       std::size_t filled, std::span<std::int64_t> offsets,
                       const std::atomic<bool>& is_dropped);

// Runs of records one after the other, read by a thread of the team. A run that is not full is
// the last: those after it are empty.
class RunsAhead : public std::enable_shared_from_this<RunsAhead> {
 public:
  // `file` may be closed afterwards. The first run begins with the bytes `left`, and goes on with what
  // stands in the file at `start`.
  RunsAhead(int file, std::int64_t start, std::span<const std::uint8_t> left);
  ~RunsAhead();

  // Has one more run read. The memory must last until it is finished, or all are dropped.
  void add(std::span<std::uint8_t> window, std::span<std::int64_t> offsets);

  // Waits for the first run that is not finished; none in another process than this began in.
  std::optional<RecordRun> finish();

  // Stops reading; nothing is written to any memory afterwards.
  void drop();

 private:
  struct Run {
    std::span<std::uint8_t> window;
    std::span<std::int64_t> offsets;
    std::optional<RecordRun> found;
  };

  void work();
  RecordRun read(const Run& run);

  const int file_;
  const int process_;
  std::atomic<bool> is_dropped_{false};
  // Of the one thread that reads.
  std::int64_t start_;
  std::vector<std::uint8_t> left_;
  bool is_over_ = false;
  // Shared.
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Run> runs_;
  bool is_reading_ = false;
  std::shared_ptr<Job> job_;
};

}  // namespace feedline
