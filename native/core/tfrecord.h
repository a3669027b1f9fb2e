// tfrecord: records in the frames that TensorFlow puts around them.
//
// A frame is a length (8 bytes, little-endian), the checksum of the length (4), the record, and
// the checksum of the record (4). No length is believed before its checksum was seen to fit,
// and then only as far as there are bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace feedline {

enum class Damage : int {
  none = 0,    // the records go on, or more bytes are needed to tell
  length = 1,  // the length has another checksum: where the next record begins is not known
  data = 2,    // the record has another checksum: the next one begins after it
};

struct FrameScan {
  std::vector<std::int64_t> bounds;  // where each frame begins, and where the last one ends
  Damage damage = Damage::none;      // what stands at the last bound
  std::int64_t needed = 0;           // how long the frame there is; 12 if that is not known
};

// Finds up to `most` frames from `start` on that are whole and not damaged. `checks_data` says
// whether the checksums of the records are looked at.
FrameScan scan_frames(std::span<const std::uint8_t> data, std::size_t start, std::size_t most,
                      bool checks_data);

struct TakenRecords {
  std::size_t count = 0;         // records that are taken, those from before among them
  std::size_t at = 0;            // where the next frame begins
  Damage damage = Damage::none;  // what stands there
  std::int64_t needed = 0;       // how long that frame is; 12 if that is not known
};

// Copies the records in frames from `start` on, as long as these are whole and not damaged, to
// `out`, where `count` records are already. offsets[i] is where record i begins there, one more
// where the last one ends. Ends where either is full: then `needed` bytes are there. `out` may be
// the memory of `data` itself, if the records there end before `start`.
TakenRecords take_records(std::span<const std::uint8_t> data, std::size_t start,
                          std::span<std::uint8_t> out, std::span<std::int64_t> offsets,
                          std::size_t count);

// Frame i is starts[i] to stops[i] of `data`: returns the first that is no frame of that length,
// or whose checksums do not fit, and -1 if there is none.
std::int64_t first_damaged(std::span<const std::uint8_t> data,
                           std::span<const std::int64_t> starts,
                           std::span<const std::int64_t> stops);

// The length of all records in frames that may lie anywhere in `data`.
std::size_t records_size(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                         std::span<const std::int64_t> stops);

// Writes the records in such frames one after the other, and where each begins and the last
// ends. Their checksums are not looked at.
void copy_records(std::span<const std::uint8_t> data, std::span<const std::int64_t> starts,
                  std::span<const std::int64_t> stops, std::span<std::uint8_t> out,
                  std::span<std::int64_t> offsets);

// The length of records in their frames; record i is offsets[i] to offsets[i + 1] of `data`.
std::size_t framed_size(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets);

// Writes records in their frames.
void frame_records(std::span<const std::uint8_t> data, std::span<const std::int64_t> offsets,
                   std::span<std::uint8_t> out);

}  // namespace feedline
