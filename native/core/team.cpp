#include "core/team.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <unistd.h>
#define FEEDLINE_FORKS 1
#else
#define FEEDLINE_FORKS 0
#endif

namespace feedline {
namespace {

constexpr std::chrono::seconds patience{1};
// So many threads may wait for files at once.
constexpr std::size_t waiting = 16;

class Team {
 public:
  void add(std::shared_ptr<Job> job, bool is_urgent) {
    const std::lock_guard hold(lock_);
    if (is_urgent) {
      jobs_.push_front(std::move(job));
      ++urgent_;
    } else {
      jobs_.push_back(std::move(job));
    }
    if (jobs_.size() <= idle_) {
      more_.notify_one();
    } else if (threads_ < (is_urgent ? computing_ : std::max(computing_, waiting))) {
      try {
        std::thread([this] { work(); }).detach();
        ++threads_;
      } catch (const std::system_error&) {
        // No more threads are to be had: whoever waits does the work.
        if (threads_ == 0) {
          jobs_.clear();
          urgent_ = 0;
        }
      }
    }
  }

  // How many processors none of the threads is busy on.
  std::size_t spare() {
    const std::lock_guard hold(lock_);
    const std::size_t busy = threads_ - idle_ + jobs_.size();
    return computing_ > busy ? computing_ - busy : 0;
  }

  void help() {
    if (urgent_ == 0) return;  // a look, without the lock
    std::shared_ptr<Job> job;
    {
      const std::lock_guard hold(lock_);
      if (urgent_ == 0) return;
      job = next();
    }
    job->run();
  }

 private:
  // The first job; with the lock held. Those that are urgent come first.
  std::shared_ptr<Job> next() {
    std::shared_ptr<Job> job = std::move(jobs_.front());
    jobs_.pop_front();
    if (urgent_ > 0) --urgent_;
    return job;
  }

  void work() {
    std::unique_lock hold(lock_);
    for (;;) {
      ++idle_;
      const bool has = more_.wait_for(hold, patience, [this] { return !jobs_.empty(); });
      --idle_;
      if (!has) break;
      const std::shared_ptr<Job> job = next();
      hold.unlock();
      job->run();
      hold.lock();
    }
    --threads_;
  }

  std::mutex lock_;
  std::condition_variable more_;
  std::deque<std::shared_ptr<Job>> jobs_;
  std::atomic<std::size_t> urgent_{0};
  std::size_t idle_ = 0, threads_ = 0;
  // One processor is busy with whoever asks.
  const std::size_t computing_ = std::max(std::thread::hardware_concurrency(), 2u) - 1;
};

// Never destroyed: its threads may outlive everything else.
std::atomic<Team*> present{nullptr};

Team& team() {
#if FEEDLINE_FORKS
  // The child has none of the threads, and a lock may have been held at the fork.
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { present.store(nullptr); });
#endif
  Team* found = present.load();
  if (found != nullptr) return *found;
  auto* const made = new Team;
  if (present.compare_exchange_strong(found, made)) return *made;
  delete made;
  return *found;
}

}  // namespace

int this_process() {
#if FEEDLINE_FORKS
  return getpid();
#else
  return 0;
#endif
}

Job::Job(std::function<void()> work) : work_(std::move(work)), process_(this_process()) {}

bool Job::begin() {
  const std::lock_guard hold(lock_);
  if (state_ != State::waiting) return false;
  state_ = State::begun;
  return true;
}

void Job::run() {
  if (!begin()) return;
  try {
    work_();
  } catch (...) {
    failure_ = std::current_exception();
  }
  work_ = nullptr;
  const std::lock_guard hold(lock_);
  state_ = State::over;
  over_.notify_all();
}

void Job::wait() {
  std::unique_lock hold(lock_);
  over_.wait(hold, [this] { return state_ == State::over; });
}

bool Job::finish() {
  // The lock may have been held by a thread that is not here.
  if (process_ != this_process()) return false;
  run();
  wait();
  if (failure_) std::rethrow_exception(failure_);
  return true;
}

void Job::drop() {
  if (process_ != this_process()) return;
  if (begin()) {
    work_ = nullptr;
    const std::lock_guard hold(lock_);
    state_ = State::over;
  } else {
    wait();
  }
}

std::shared_ptr<Job> start(std::function<void()> work) {
  auto job = std::make_shared<Job>(std::move(work));
  team().add(job, false);
  return job;
}

void give_way() { team().help(); }

void in_parts(std::size_t parts, std::size_t threads,
              const std::function<void(std::size_t)>& part) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < parts;) part(i);
  };
  std::vector<std::shared_ptr<Job>> helpers;
  // Those who read ahead are not kept from it: what they read is wanted next.
  const std::size_t most = parts > 1 && threads > 1 ? 1 + team().spare() : 1;
  for (std::size_t i = 1; i < std::min({parts, threads, most}); ++i) {
    helpers.push_back(std::make_shared<Job>(work));
    team().add(helpers.back(), true);
  }
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
    next = parts;
  }
  for (const auto& helper : helpers) {
    try {
      helper->finish();
    } catch (...) {
      if (!failure) failure = std::current_exception();
      next = parts;
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace feedline
