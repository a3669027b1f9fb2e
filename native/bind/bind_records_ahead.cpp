#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <deque>
#include <memory>
#include <optional>
#include <tuple>

#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/runs_ahead.h"

namespace feedline {
namespace {

using Left = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps the arrays until no thread writes to them any more.
class RecordsAhead {
 public:
  RecordsAhead(int file, std::int64_t start, Left left)
      : runs_(std::make_shared<RunsAhead>(file, start, std::span{left.data(), left.size()})) {}

  RecordsAhead(const RecordsAhead&) = delete;
  RecordsAhead& operator=(const RecordsAhead&) = delete;
  ~RecordsAhead() { drop(); }

  void add(Changed<std::uint8_t> window, Changed<std::int64_t> offsets) {
    check(offsets.size() > 0, "there must be one more offset than records");
    runs_->add({window.data(), window.size()}, {offsets.data(), offsets.size()});
    arrays_.emplace_back(std::move(window), std::move(offsets));
  }

  std::optional<std::tuple<std::size_t, std::size_t, std::size_t>> finish() {
    check(!arrays_.empty(), "there is no run to wait for");
    std::optional<RecordRun> found;
    {
      ReleasedGil release;
      found = runs_->finish();
    }
    arrays_.pop_front();
    if (!found) return std::nullopt;
    return std::tuple{found->count, found->at, found->stop};
  }

  void drop() {
    {
      ReleasedGil release;
      runs_->drop();
    }
    arrays_.clear();
  }

 private:
  std::shared_ptr<RunsAhead> runs_;
  std::deque<std::pair<Changed<std::uint8_t>, Changed<std::int64_t>>> arrays_;
};

}  // namespace

void register_records_ahead(nb::module_& m) {
  nb::class_<RecordsAhead>(m, "RecordsAhead")
      .def(nb::init<int, std::int64_t, Left>(), nb::arg("file"), nb::arg("start"),
           nb::arg("left").noconvert(),
           nb::sig("def __init__(self, file: int, start: int, "
                   "left: numpy.typing.NDArray[numpy.uint8]) -> None"))
      .def("add", &RecordsAhead::add, nb::arg("window").noconvert(),
           nb::arg("offsets").noconvert(),
           nb::sig("def add(self, window: numpy.typing.NDArray[numpy.uint8], "
                   "offsets: numpy.typing.NDArray[numpy.int64]) -> None"))
      .def("finish", &RecordsAhead::finish)
      .def("drop", &RecordsAhead::drop);
}

}  // namespace feedline
