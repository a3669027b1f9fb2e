#include "bind/arrays.h"
#include "bind/register.h"
#include "bind/released_gil.h"
#include "core/check.h"
#include "core/hashes.h"

namespace feedline {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Hash>
nb::object hashed(const Bytes& data, const Given<std::int64_t>& offsets, const Hash& hash) {
  const Numbers<std::int64_t> numbers(offsets);
  check(numbers.size() > 0, "offsets must hold at least one number");
  Result<std::uint64_t> out(numbers.size() - 1);
  {
    ReleasedGil release;
    hash(std::span<const std::uint8_t>(data.data(), data.size()), numbers, out.span());
  }
  return out.array();
}

nb::object bind_fingerprint(Bytes data, Given<std::int64_t> offsets) {
  return hashed(data, offsets, [](auto text, auto& at, auto out) {
    hash_fingerprint(text, at, out);
  });
}

nb::object bind_murmur(Bytes data, Given<std::int64_t> offsets) {
  return hashed(data, offsets, [](auto text, auto& at, auto out) { hash_murmur(text, at, out); });
}

nb::object bind_siphash(Bytes data, Given<std::int64_t> offsets, nb::int_ key0, nb::int_ key1) {
  const std::uint64_t first = low_word(key0), second = low_word(key1);
  return hashed(data, offsets, [&](auto text, auto& at, auto out) {
    hash_siphash(text, at, first, second, out);
  });
}

}  // namespace

void register_hashes(nb::module_& m) {
  m.def("hash_fingerprint", &bind_fingerprint, nb::arg("data").noconvert(),
        nb::arg("offsets").noconvert(),
        nb::sig("def hash_fingerprint(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64]) "
                "-> numpy.typing.NDArray[numpy.uint64]"));
  m.def("hash_murmur", &bind_murmur, nb::arg("data").noconvert(), nb::arg("offsets").noconvert(),
        nb::sig("def hash_murmur(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64]) "
                "-> numpy.typing.NDArray[numpy.uint64]"));
  m.def("hash_siphash", &bind_siphash, nb::arg("data").noconvert(),
        nb::arg("offsets").noconvert(), nb::arg("key0"), nb::arg("key1"),
        nb::sig("def hash_siphash(data: numpy.typing.NDArray[numpy.uint8], "
                "offsets: numpy.typing.NDArray[numpy.int64], key0: int, key1: int) "
                "-> numpy.typing.NDArray[numpy.uint64]"));
}

}  // namespace feedline
