"""inputs: the files that pipelines read, the same on every machine."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from PIL import Image

__all__ = ["jpeg", "picture", "write", "write_pictures", "write_png"]

JPEGS = Path(__file__).parents[1] / "golden" / "files" / "image"


def picture(seed: int, height: int = 8, width: int = 10, channels: int = 3) -> np.ndarray:
    """Return an image of random bytes, without the last axis where there is one channel."""
    shape = (height, width, channels) if channels > 1 else (height, width)
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def write(path: str, content: bytes | str) -> str:
    """Write a file and the folders it lies in; return its path."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    Path(path).write_bytes(data)
    return path


def write_png(path: str, image: np.ndarray) -> str:
    """Write an image as PNG, which gives back the same bytes everywhere; return its path."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    Image.fromarray(image).save(path, "PNG")
    return path


def write_pictures(folder: str, classes: list[str], each: int, suffix: str = "png") -> list[str]:
    """Write ``each`` pictures of different sizes for every class: ``folder/class/class_0.png``."""
    paths = []
    for place, name in enumerate(classes):
        for number in range(each):
            seed = 100 * place + number
            image = picture(seed, 6 + seed % 5, 7 + seed % 4)
            paths.append(write_png(os.path.join(folder, name, f"{name}_{number}.{suffix}"), image))
    return paths


def jpeg(name: str = "s420") -> bytes:
    """Return one of the JPEG files of the golden cases: s420, s444, gray, progressive ..."""
    return (JPEGS / f"{name}.jpg").read_bytes()
