// team: threads of this process that take over a part of what a call does. They know nothing of
// Python.
//
// Work that no thread has begun is done, or dropped, by whoever waits for it: nobody ever waits
// for a thread to become free. A thread that has had nothing to do for a while ends. After a fork
// the child has a team of its own; what a thread of its parent had begun is lost to it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>

namespace feedline {

// The number of this process.
int this_process();

// One piece of work.
class Job {
 public:
  explicit Job(std::function<void()> work);

  // Does the work here unless a thread has begun; otherwise waits for it. False if that thread
  // belongs to another process. Throws what the work threw.
  bool finish();

  // The same, but work that has not begun is never done, and nothing is thrown.
  void drop();

  // Does the work unless somebody else has begun.
  void run();

 private:
  enum class State { waiting, begun, over };

  bool begin();
  void wait();

  std::mutex lock_;
  std::condition_variable over_;
  State state_ = State::waiting;
  std::function<void()> work_;
  std::exception_ptr failure_;
  int process_;
};

// Has a thread of the team do some work, or whoever waits for it first.
std::shared_ptr<Job> start(std::function<void()> work);

// Does a part of what in_parts() waits for, if there is any: to be called now and then by work
// that nobody waits for yet.
void give_way();

// Calls part(0), part(1) and so on, by as many threads of which this is one. Throws what a part
// threw, when none is running any more.
void in_parts(std::size_t parts, std::size_t threads,
              const std::function<void(std::size_t)>& part);

}  // namespace feedline
