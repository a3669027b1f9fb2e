"""made: small files of every kind, for the tests of the command line."""

import csv
import io
import json
import struct
import tarfile
import zlib

import pyarrow
import pyarrow.parquet

from feedline.io import TFRecordWriter
from feedline.tools.example_bytes import FLOAT, INT, TEXT, example_bytes


def png(width, height, shade=0):
    raw = b"".join(b"\0" + bytes([shade]) * width * 3 for _ in range(height))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(raw)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def records(count=20):
    return [
        example_bytes(
            {
                "id": (INT, [number]),
                "x": (FLOAT, [number / 2, -1.0]),
                "words": (TEXT, [b"w"] * (number % 3)),
                "image": (TEXT, [png(4 + number % 2, 3)]),
            }
        )
        for number in range(count)
    ]


def tfrecord(path, items, options=None):
    with TFRecordWriter(path, options) as writer:
        for item in items:
            writer.write(item)
    return str(path)


def images(folder, per_label=5):
    for label in ("cat", "dog"):
        (folder / label).mkdir(parents=True)
        for number in range(per_label):
            (folder / label / f"{number}.png").write_bytes(png(2 + number, 3, number))
    (folder / "cat" / "notes.txt").write_text("no image")
    return str(folder)


def csv_file(path, count=50):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "x", "name"])
        for number in range(count):
            name = f'quoted, "{number}"\nand a line' if number % 7 == 0 else f"n{number}"
            rows.writerow([number, "" if number == 3 else number / 4, name])
    return str(path)


def json_lines(path, count=50):
    with open(path, "w") as file:
        for number in range(count):
            row = {"id": number, "v": [number, number + 0.5], "meta": {"t": f"é{number}"}}
            file.write(json.dumps({**row, "opt": None if number % 2 else number}) + "\n")
    return str(path)


def tar(path, count=12, mode="w"):
    with tarfile.open(path, mode) as archive:
        for number in range(count):
            files = {"png": png(2, 2), "cls": b"%d\n" % (number % 3), "txt": b"hi"}
            for ending, data in files.items():
                member = tarfile.TarInfo(f"x/{number:03}.{ending}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    return str(path)


def parquet(path, count=50):
    columns = {"id": range(count), "t": [f"t{number}" for number in range(count)]}
    pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=7)
    return str(path)
