#include "core/jpeg.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/check.h"
#include "core/jpeg_blocks.h"
#include "core/jpeg_codes.h"
#include "core/jpeg_colors.h"
#include "core/jpeg_file.h"
#include "core/jpeg_wide.h"

namespace feedline {

#if FEEDLINE_HAS_WIDE

namespace {

// More than this is not kept for the next image.
constexpr std::size_t most_kept = std::size_t{1} << 23;
constexpr std::size_t most_tables = 8;

// Memory that is used for image after image: that of a new one would come page by page.
struct Scratch {
  std::vector<std::uint8_t> bytes, planes, rows;
  std::vector<std::int16_t> sums;
  std::deque<std::shared_ptr<const JpegTable>> tables;

  static Scratch& here() {
    static thread_local Scratch scratch;
    return scratch;
  }

  // A program that writes JPEGs nearly always writes them with the same codes.
  std::shared_ptr<const JpegTable> table_of(const JpegCode& code, bool is_dc) {
    for (const auto& known : tables)
      if (known->is_of(code, is_dc)) return known;
    tables.push_front(std::make_shared<const JpegTable>(code, is_dc));
    if (tables.size() > most_tables) tables.pop_back();
    return tables.front();
  }

  void trim() {
    if (bytes.capacity() + planes.capacity() > most_kept) *this = {};
  }
};

// The pixels of one component, in whole blocks, with a margin on both sides of every row.
struct Plane {
  std::size_t height = 0, width = 0;  // what of it is a part of the image
  std::size_t stride = 0;
  std::uint8_t* first = nullptr;

  std::uint8_t* row(std::size_t number) const { return first + number * stride; }
};

class Decoder {
 public:
  explicit Decoder(const JpegFile& file) : file_(file), scratch_(Scratch::here()) {
    const JpegComponent& most = file.components[0];
    across_ = (file.width + 8 * most.wide - 1) / (8 * most.wide);
    down_ = (file.height + 8 * most.high - 1) / (8 * most.high);
    make_planes();
    for (std::size_t i = 0; i < 2; ++i) blocks_[i].numbers = numbers_[i].data();
  }
  ~Decoder() { scratch_.trim(); }

  bool read_blocks() {
    make_tables();
    const std::size_t units = across_ * down_, stretch = file_.restart ? file_.restart : units;
    auto rest = file_.scan;
    for (std::size_t unit = 0, number = 0; unit < units; unit += stretch, ++number) {
      const bool is_last = units - unit <= stretch;
      const auto size = take_stretch(rest, is_last, number);
      if (!size || !read_stretch(*size, unit, is_last ? units : unit + stretch)) return false;
    }
    return true;
  }

  void write_grey(const JpegPart& part, std::uint8_t* out) const {
    for (std::size_t i = 0; i < part.height; ++i, out += part.width)
      std::memcpy(out, planes_[0].row(part.top + i) + part.left, part.width);
  }

  void write_colors(const JpegPart& part, std::uint8_t* out) const {
    const bool is_narrow = file_.components[0].wide == 2, is_low = file_.components[0].high == 2;
    // The columns before the part that are decoded with it: its first unit is.
    const std::size_t skipped = is_narrow ? part.left % 16 : 0;
    const std::size_t first = is_narrow ? (part.left - skipped) / 2 : part.left;
    const std::size_t width = (skipped + part.width + 1) / 2;
    const std::size_t room = 2 * planes_[1].stride + 2 * jpeg_margin;
    scratch_.rows.resize(2 * room);
    scratch_.sums.resize(planes_[1].stride + 2 * jpeg_margin);
    std::int16_t* const sums = scratch_.sums.data() + jpeg_margin;
    for (std::size_t i = part.top; i < part.top + part.height; ++i, out += 3 * part.width) {
      std::array<const std::uint8_t*, 2> rows;
      for (std::size_t c = 0; c < 2; ++c) {
        const Plane& plane = planes_[c + 1];
        std::uint8_t* const wide = scratch_.rows.data() + c * room + jpeg_margin;
        const std::size_t near = is_low ? i / 2 : i;
        rows[c] = is_narrow ? wide + skipped : plane.row(near) + first;
        if (is_narrow && width == 1) {  // which alone is not made smooth
          wide[0] = wide[1] = plane.row(near)[first];
        } else if (is_low) {
          const std::size_t far = i % 2 == 0 ? near - (near > 0)
                                             : near + (near + 1 < plane.height);
          widen_jpeg_rows(plane.row(near) + first, plane.row(far) + first, width, sums, wide);
        } else if (is_narrow) {
          widen_jpeg_row(plane.row(near) + first, width, wide);
        }
      }
      const std::uint8_t* const brightness = planes_[0].row(i) + part.left;
      write_jpeg_pixels(brightness, rows[0], rows[1], part.width, out);
    }
  }

 private:
  void make_planes() {
    const JpegComponent& most = file_.components[0];
    std::array<std::size_t, 3> starts{};
    std::size_t size = jpeg_margin;
    for (std::size_t i = 0; i < file_.count; ++i) {
      const JpegComponent& one = file_.components[i];
      Plane& plane = planes_[i];
      plane.height = (file_.height * one.high + most.high - 1) / most.high;
      plane.width = (file_.width * one.wide + most.wide - 1) / most.wide;
      plane.stride = across_ * one.wide * 8 + 2 * jpeg_margin;
      starts[i] = size;
      size += plane.stride * down_ * one.high * 8;
    }
    if (scratch_.planes.size() < size) scratch_.planes.resize(size);
    for (std::size_t i = 0; i < file_.count; ++i) planes_[i].first = &scratch_.planes[starts[i]];
  }

  void make_tables() {
    for (std::size_t i = 0; i < file_.count; ++i) {
      const JpegComponent& one = file_.components[i];
      dc_[i] = scratch_.table_of(file_.dc[one.dc], true);
      ac_[i] = scratch_.table_of(file_.ac[one.ac], false);
      scales_[i] = jpeg_scales(file_.quantities[one.quantities]);
    }
  }

  // Copies the bytes up to the next restart, without what was put in after each 0xff. Returns how
  // many; none if they do not end as they should.
  std::optional<std::size_t> take_stretch(std::span<const std::uint8_t>& rest, bool is_last,
                                          std::size_t number) {
    scratch_.bytes.resize(std::max(scratch_.bytes.size(), rest.size() + JpegBits::slack));
    std::uint8_t* out = scratch_.bytes.data();
    std::size_t at = 0;
    bool is_over = false;
    while (!is_over) {
      const auto* from = rest.data() + at;
      const auto* found = static_cast<const std::uint8_t*>(
          at < rest.size() ? std::memchr(from, 0xff, rest.size() - at) : nullptr);
      const std::size_t count =
          found == nullptr ? rest.size() - at : static_cast<std::size_t>(found - from);
      if (count > 0) std::memcpy(out, from, count);
      out += count;
      at += count;
      if (found == nullptr) {
        if (!is_last) return std::nullopt;
        break;
      }
      // After 0xff there is always one more, or the header would not have been read.
      const std::uint8_t mark = rest[at + 1];
      at += 2;
      if (mark == 0) {
        *out++ = 0xff;
      } else {
        if (is_last || mark != 0xd0 + number % 8) return std::nullopt;
        is_over = true;
      }
    }
    rest = rest.subspan(at);
    std::memset(out, 0, JpegBits::slack);
    return static_cast<std::size_t>(out - scratch_.bytes.data());
  }

  bool read_stretch(std::size_t size, std::size_t unit, std::size_t stop) {
    JpegBits bits(scratch_.bytes.data(), size);
    std::array<std::uint32_t, 3> last_dc{};
    std::size_t row = unit / across_, column = unit % across_;
    for (; unit < stop; ++unit) {
      if (!read_unit(bits, last_dc, row, column) || !bits.is_inside()) return false;
      if (++column == across_) {
        column = 0;
        ++row;
      }
    }
    return bits.is_at_end();
  }

  bool read_unit(JpegBits& bits, std::array<std::uint32_t, 3>& last_dc, std::size_t row,
                 std::size_t column) {
    // Blocks wait for another, so that two are written at once.
    std::size_t waiting = 0;
    for (std::size_t i = 0; i < file_.count; ++i) {
      const JpegComponent& one = file_.components[i];
      const Plane& plane = planes_[i];
      std::uint8_t* at = plane.row(8 * row * one.high) + 8 * column * one.wide;
      for (std::size_t y = 0; y < one.high; ++y, at += 8 * plane.stride) {
        for (std::size_t x = 0; x < one.wide; ++x) {
          JpegBlock& block = blocks_[waiting];
          const auto found = bits.read(*dc_[i], *ac_[i], last_dc[i], block.numbers);
          if (found == JpegBits::Block::broken) return false;
          block.scales = &scales_[i];
          block.out = at + 8 * x;
          block.row_stride = plane.stride;
          if (found == JpegBits::Block::flat) {
            write_flat_jpeg_block(block);
          } else if (++waiting == 2) {
            write_jpeg_blocks(blocks_[0], blocks_[1]);
            waiting = 0;
          }
        }
      }
    }
    if (waiting == 1) write_jpeg_blocks(blocks_[0], blocks_[0]);
    return true;
  }

  const JpegFile& file_;
  Scratch& scratch_;
  std::size_t across_, down_;  // units of the scan
  std::array<Plane, 3> planes_{};
  std::array<JpegScales, 3> scales_{};
  alignas(32) std::array<std::array<std::int16_t, 64>, 2> numbers_{};
  std::array<JpegBlock, 2> blocks_{};
  std::array<std::shared_ptr<const JpegTable>, 3> dc_, ac_;
};

bool write_part(const JpegFile& file, const JpegPart& part, std::size_t channels,
                std::span<std::uint8_t> out) {
  if (channels != 1 && channels != file.count) return false;
  // Images this narrow are not made smooth; of others every part is.
  if (channels == 3 && file.components[0].wide == 2 && file.width <= 4) return false;
  check(out.size() == part.height * part.width * channels,
        "the result has another size than the image");
  Decoder decoder(file);
  if (!decoder.read_blocks()) return false;
  if (channels == 1) {
    decoder.write_grey(part, out.data());
  } else {
    decoder.write_colors(part, out.data());
  }
  return true;
}

}  // namespace

bool decode_jpeg(std::span<const std::uint8_t> bytes, std::size_t height, std::size_t width,
                 std::size_t channels, std::span<std::uint8_t> out) {
  if (!has_jpeg_colors()) return false;
  const auto file = read_jpeg_file(bytes);
  if (!file || file->height != height || file->width != width) return false;
  return write_part(*file, {0, 0, height, width}, channels, out);
}

bool decode_jpeg_part(std::span<const std::uint8_t> bytes, const JpegPart& part,
                      std::size_t channels, std::span<std::uint8_t> out) {
  if (!has_jpeg_colors()) return false;
  const auto file = read_jpeg_file(bytes);
  if (!file || part.top > file->height || part.height > file->height - part.top ||
      part.left > file->width || part.width > file->width - part.left || part.height == 0 ||
      part.width == 0) {
    return false;
  }
  return write_part(*file, part, channels, out);
}

#else

bool decode_jpeg(std::span<const std::uint8_t>, std::size_t, std::size_t, std::size_t,
                 std::span<std::uint8_t>) {
  return false;
}

bool decode_jpeg_part(std::span<const std::uint8_t>, const JpegPart&, std::size_t,
                      std::span<std::uint8_t>) {
  return false;
}

#endif

}  // namespace feedline
