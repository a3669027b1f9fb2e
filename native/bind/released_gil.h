// ReleasedGil: gives up the GIL for a scope.
#pragma once

#include <Python.h>
#include <unistd.h>

namespace feedline {

// A daemon thread that takes the GIL back while Python ends is ended right there: the stack is
// unwound, and frames that let no exception pass, as those around a binding, would abort the whole
// program. Such a thread sleeps instead until the process is gone.
class ReleasedGil {
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}

  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;

  ~ReleasedGil() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) pause();
    }
  }

 private:
  PyThreadState* state_;
};

}  // namespace feedline
