"""contact_sheet: images side by side, with a text below each, as PNG or HTML."""

from __future__ import annotations

import base64
import html
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from feedline.files import written_atomically
from feedline.image.png_bytes import png_bytes

__all__ = ["ContactSheet", "visible"]

_SIDE, _GAP, _LINE, _LETTERS = 128, 6, 16, 20


class ContactSheet:
    """Images with their texts. A notebook shows it as it is."""

    def __init__(self, images: Sequence[tuple[NDArray[Any], str]]) -> None:
        self._images = [(visible(image), text) for image, text in images]

    def __repr__(self) -> str:
        return f"<ContactSheet of {len(self._images)} images>"

    def _repr_png_(self) -> bytes:
        return self.png()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file: HTML if its name ends so, PNG otherwise."""
        name = os.fspath(path)
        is_page = name.lower().endswith((".html", ".htm"))
        with written_atomically(name) as file:
            file.write(self.page().encode() if is_page else self.png())

    def png(self) -> bytes:
        """Return one image with all of them, each as large as its place allows."""
        columns = math.ceil(math.sqrt(len(self._images)))
        rows = math.ceil(len(self._images) / columns)
        step_x, step_y = _SIDE + _GAP, _SIDE + _LINE + _GAP
        sheet = Image.new("RGB", (columns * step_x + _GAP, rows * step_y + _GAP), "white")
        draw = ImageDraw.Draw(sheet)
        for number, (pixels, text) in enumerate(self._images):
            left = _GAP + number % columns * step_x
            top = _GAP + number // columns * step_y
            small = _fitted(pixels)
            sheet.paste(small, (left, top), small if small.mode == "RGBA" else None)
            # The font that is always there has the letters of western Europe alone.
            shown = text[:_LETTERS].encode("latin-1", "replace").decode("latin-1")
            draw.text((left, top + _SIDE + 1), shown, fill="black")
        return png_bytes(np.asarray(sheet))

    def page(self) -> str:
        """Return a page with all of them, each in its own size."""
        figures = []
        for pixels, text in self._images:
            data = base64.b64encode(png_bytes(pixels)).decode()
            figures.append(
                f'<figure style="display:inline-block;margin:{_GAP}px">'
                f'<img src="data:image/png;base64,{data}" alt="">'
                f"<figcaption>{html.escape(text)}</figcaption></figure>"
            )
        return '<!doctype html><meta charset="utf-8">\n' + "\n".join(figures) + "\n"


def _fitted(pixels: NDArray[np.uint8]) -> Image.Image:
    image = Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels)
    factor = _SIDE / max(image.size)
    size = max(1, round(image.width * factor)), max(1, round(image.height * factor))
    return image.resize(size, Image.Resampling.BILINEAR if factor < 1 else Image.Resampling.NEAREST)


def visible(image: NDArray[Any]) -> NDArray[np.uint8]:
    """Return an image as bytes.

    Example:
        >>> visible(np.array([[[0.0], [0.5], [1.0]]]))[0, :, 0].tolist()
        [0, 128, 255]
        >>> visible(np.array([[[-2.0], [0.0], [2.0]]]))[0, :, 0].tolist()
        [0, 128, 255]
    """
    if image.dtype == np.uint8:
        return image
    if image.dtype == np.uint16:
        return (image >> 8).astype(np.uint8)
    if image.dtype == np.bool_:
        return image.astype(np.uint8) * np.uint8(255)
    values = np.nan_to_num(image.astype(np.float64))
    low, high = float(values.min()), float(values.max())
    if low < 0:
        values = (values - low) / ((high - low) or 1) * 255
    elif high <= 1 and image.dtype.kind == "f":
        values = values * 255
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)
