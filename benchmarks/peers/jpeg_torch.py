"""jpeg_torch: JPEGs with torch's DataLoader, one worker for every processor, kept between epochs.

As documented: decoded and resized by torchvision, or, where only a build for GPUs can be had, by
what it would call: libjpeg-turbo (through simplejpeg) and torch's own interpolate() on bytes. With
``opencv`` as mode by simplejpeg and OpenCV, which is faster.
"""

from __future__ import annotations

import random
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import jpeg_files as j
import jpeg_operations
import simplejpeg
import torch
from serving import Pass, serve
from torch.nn.functional import interpolate
from torch.utils.data import DataLoader

_SIZE = [j.SIZE, j.SIZE]


class _Photos:
    """The dataset: a JPEG and a label by number."""

    def __init__(self, prepare: Any) -> None:
        self._records = j.Records()
        self._prepare = prepare

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, number: int) -> Any:
        return self._prepare(self._records[number]), number % 1000


def _decoded(jpeg: bytes) -> torch.Tensor:
    if find_spec("torchvision") is not None:
        data = torch.frombuffer(bytearray(jpeg), dtype=torch.uint8)
        decode = import_module("torchvision.io").decode_jpeg
        return decode(data)  # type: ignore[no-any-return]
    return torch.from_numpy(simplejpeg.decode_jpeg(jpeg, "RGB")).permute(2, 0, 1)


def _resized(image: torch.Tensor) -> torch.Tensor:
    made = interpolate(image[None], size=_SIZE, mode="bilinear", antialias=True)
    return made[0].float()


def _decode_resize(jpeg: bytes) -> torch.Tensor:
    return _resized(_decoded(jpeg))


def _crop_flip(jpeg: bytes) -> torch.Tensor:
    image = _decoded(jpeg)
    top, left, tall, wide = j.random_box(*image.shape[1:], random)  # type: ignore[arg-type]
    made = _resized(image[:, top : top + tall, left : left + wide])
    return made.flip(-1) if random.random() < 0.5 else made


def _decode_resize_opencv(jpeg: bytes) -> torch.Tensor:
    return torch.from_numpy(jpeg_operations.decode_resize(jpeg))


def _crop_flip_opencv(jpeg: bytes) -> torch.Tensor:
    made = jpeg_operations.crop_flip(jpeg, random)  # type: ignore[arg-type]
    return torch.from_numpy(made)


def _pass_of(prepare: Any) -> Pass:
    loader = DataLoader(
        _Photos(prepare),
        batch_size=j.BATCH,
        num_workers=j.cpus(),
        persistent_workers=True,
        prefetch_factor=4,
    )
    sum(1 for _ in loader)  # starts the workers, which takes as long as some epochs

    def run() -> tuple[int, float]:
        started = perf_counter()
        count = sum(len(images) for images, _ in loader)
        return count, perf_counter() - started

    return run


if __name__ == "__main__":
    torch.set_num_threads(1)
    serve(
        {
            "decode_resize": lambda mode: _pass_of(
                _decode_resize_opencv if mode == "opencv" else _decode_resize
            ),
            "crop_flip": lambda mode: _pass_of(
                _crop_flip_opencv if mode == "opencv" else _crop_flip
            ),
        },
        "torch",
    )
