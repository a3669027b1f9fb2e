"""make: write the small images that the golden cases decode: ``python make.py``.

The files are kept, for another version of Pillow may write other bytes. Everything but the
compression comes from a seed.
"""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

HERE = Path(__file__).parent
RNG = np.random.default_rng(0)


def photo(height: int, width: int, channels: int = 3) -> Any:
    y, x = np.mgrid[:height, :width]
    waves = [127 + 90 * np.sin(x / 4 + k) + 50 * np.cos(y / 3 - k) for k in range(channels)]
    noise = RNG.normal(0, 8, (height, width, channels))
    return np.clip(np.stack(waves, -1) + noise, 0, 255).astype(np.uint8)


def encoded(image: Any, kind: str, **settings: Any) -> bytes:
    file = io.BytesIO()
    (image if isinstance(image, Image.Image) else Image.fromarray(image)).save(
        file, kind, **settings
    )
    return file.getvalue()


def jpegs() -> dict[str, bytes]:
    image = photo(13, 17)
    exif = Image.Exif()
    exif[0x112] = 6
    cmyk = encoded(Image.fromarray(image).convert("CMYK"), "JPEG")
    ycck = bytearray(cmyk)
    ycck[cmyk.index(b"Adobe") + 11] = 2
    plain = encoded(image, "JPEG", quality=90)
    scan, frame = plain.index(b"\xff\xda"), plain.index(b"\xff\xc0")
    middle = scan + 40
    return {
        "s444": encoded(image, "JPEG", subsampling=0),
        "s422": encoded(image, "JPEG", subsampling=1),
        "s420": plain,
        "gray": encoded(image[..., 0], "JPEG"),
        "progressive": encoded(image, "JPEG", progressive=True),
        "turned": encoded(image, "JPEG", exif=exif),
        "cmyk": cmyk,
        "ycck": bytes(ycck),
        "trailing": plain + b"more",
        "early_end": plain[:middle] + b"\xff\xd9" + plain[middle + 2 :],
        "cut": plain[:middle],
        "no_end": plain[:-2],
        "head": plain[:100],
        "no_rows": plain[: frame + 5] + struct.pack(">HH", 0, 17) + plain[frame + 9 :],
    }


def chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def png(image: Any, depth: int, color: int, more: bytes = b"", interlaced: bool = False) -> bytes:
    height, width = image.shape[:2]
    steps = [(0, 0, 1, 1)]
    if interlaced:
        steps = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2)]
        steps += [(0, 1, 2, 2), (1, 0, 2, 1)]
    raw = b""
    for y, x, dy, dx in steps:
        part = image[y::dy, x::dx]
        raw += b"".join(b"\0" + row(line, depth) for line in part) if part.size else b""
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced))
    parts = chunk(b"IHDR", header) + more + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def row(line: Any, depth: int) -> bytes:
    if depth >= 8:
        return line.astype(">u2" if depth == 16 else np.uint8).tobytes()
    bits = (line.reshape(-1, 1) >> np.arange(depth - 1, -1, -1)) & 1
    return np.packbits(bits.ravel().astype(np.uint8)).tobytes()


def pngs() -> dict[str, bytes]:
    values = RNG.integers(0, 1 << 16, (5, 6, 4))
    colors = RNG.integers(0, 256, 48).astype(np.uint8).tobytes()
    made = {}
    for depth in (1, 2, 4, 8, 16):
        gray = values[..., 0] % (1 << depth)
        made[f"g{depth}"] = png(gray, depth, 0)
        key = chunk(b"tRNS", struct.pack(">H", int(gray[0, 0])))
        made[f"g{depth}_key"] = png(gray, depth, 0, key)
    for depth in (1, 4, 8):
        index = values[..., 0] % min(1 << depth, 16)
        palette = chunk(b"PLTE", colors[: 3 * min(1 << depth, 16)])
        made[f"p{depth}"] = png(index, depth, 3, palette)
        made[f"p{depth}_alpha"] = png(index, depth, 3, palette + chunk(b"tRNS", b"\0\x80"))
    for depth in (8, 16):
        part = values % (1 << depth)
        key = chunk(b"tRNS", struct.pack(">HHH", *map(int, part[2, 3, :3])))
        made[f"ga{depth}"] = png(part[..., :2], depth, 4)
        made[f"rgb{depth}"] = png(part[..., :3], depth, 2)
        made[f"rgb{depth}_key"] = png(part[..., :3], depth, 2, key)
        made[f"rgba{depth}"] = png(part, depth, 6)
        made[f"woven{depth}"] = png(part[..., :3], depth, 2, interlaced=True)
    plain = made["rgb8"]
    made["cut"] = plain[: len(plain) // 2]
    made["no_end"] = plain[:-12]
    made["checksum"] = plain[:-13] + bytes([plain[-13] ^ 1]) + plain[-12:]
    made["signature"] = plain[:8]
    return made


def gif(frames: list[Any], size: tuple[int, int], palette: bytes) -> bytes:
    made = b"GIF89a" + struct.pack("<HHBBB", *size, 0xF3 if palette else 0x70, 1, 0) + palette
    for left, top, index, transparent, disposal, interlaced in frames:
        if transparent is not None or disposal:
            flags = disposal << 2 | (transparent is not None)
            made += b"\x21\xf9\x04" + bytes([flags, 0, 0, transparent or 0, 0])
        image = Image.fromarray(index.astype(np.uint8), "P")
        image.putpalette(bytes(range(48)))
        data = encoded(image, "GIF", interlace=interlaced, optimize=False)
        at = data.index(b"\x2c\0\0\0\0")
        flags = data[at + 9]
        pixels = at + 10 + (6 << (flags & 7) if flags & 0x80 else 0)
        height, width = index.shape
        made += (
            b"," + struct.pack("<HHHHB", left, top, width, height, flags & 0x40) + data[pixels:-1]
        )
    return made + b";"


def gifs() -> dict[str, bytes]:
    palette = RNG.integers(0, 256, 48).astype(np.uint8).tobytes()
    large, small = RNG.integers(0, 16, (6, 7)), RNG.integers(0, 16, (3, 4))
    moves = [(0, 0, large, None, 0, 0), (2, 2, small, 3, 1, 0), (1, 1, small, None, 2, 1)]
    moves.append((0, 0, small, 5, 3, 0))
    moving = gif(moves, (7, 6), palette)
    return {
        "one": gif(moves[:1], (7, 6), palette),
        "moving": moving,
        "first_small": gif([(2, 1, small, 3, 0, 0), (0, 0, small, None, 0, 0)], (7, 6), palette),
        "outside": gif([moves[0], (5, 4, small, None, 0, 0)], (7, 6), palette),
        "small_screen": gif(moves[:1], (3, 2), palette),
        "no_colors": gif(moves[:1], (7, 6), b""),
        "no_end": moving[:-1],
        "head": moving[:10],
    }


def bmps() -> dict[str, bytes]:
    image = photo(4, 5, 4)
    plain = encoded(image[..., :3], "BMP")
    return {
        "rgb": plain,
        "rgba": encoded(image, "BMP"),
        "gray": encoded(image[..., 0], "BMP"),
        "bits": encoded(Image.fromarray(image[..., 0]).convert("1"), "BMP"),
        "cut": plain[:80],
        "longer": plain + b"\0\0",
        "head": plain[:20],
    }


def webps() -> dict[str, bytes]:
    image = photo(6, 7, 4)
    more = [Image.fromarray(photo(6, 7)) for _ in range(2)]
    first = Image.fromarray(image[..., :3])
    moving = encoded(first, "WEBP", save_all=True, append_images=more, lossless=True, duration=9)
    lossless = encoded(first, "WEBP", lossless=True)
    return {
        "lossless": lossless,
        "lossy": encoded(first, "WEBP", quality=80),
        "alpha": encoded(image, "WEBP", lossless=True, exact=True),
        "moving": moving,
        "cut": lossless[: len(lossless) // 2],
        "head": lossless[:16],
    }


def main() -> None:
    kinds = {"jpg": jpegs(), "png": pngs(), "gif": gifs(), "bmp": bmps(), "webp": webps()}
    for kind, images in kinds.items():
        for name, data in images.items():
            (HERE / f"{name}.{kind}").write_bytes(data)
    (HERE / "empty.bin").write_bytes(b"")
    (HERE / "text.bin").write_bytes(b"this is not an image")


if __name__ == "__main__":
    main()
