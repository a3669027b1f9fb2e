"""Claim: resizing a photo takes at most 0.15 of the time of decoding it."""

from __future__ import annotations

import numpy as np
import simplejpeg
import workloads as w
from measure import Benchmark
from PIL import Image

import feedline as tf

_SIZE = (224, 224)
_MEAN, _STD = np.float32([124, 116, 104]), np.float32([58, 57, 57])


def main() -> None:
    """Run the benchmark."""
    photos = w.photos()
    jpegs = [simplejpeg.encode_jpeg(photo, quality=90) for photo in photos]
    bench = Benchmark(
        "resize_images",
        "500 x 375 uint8 to 224 x 224 float32, bilinear: at least 6.7 of decoding the JPEG",
        "images",
    )
    varied = tf.data.Dataset.from_tensor_slices(photos)
    chain = varied.map(_prepared)

    bench.add("decode the JPEG", lambda: sum(simplejpeg.decode_jpeg(j).ndim > 0 for j in jpegs))
    bench.add("Feedline resize", lambda: sum(len(tf.image.resize(p, _SIZE)) > 0 for p in photos))
    bench.add(
        "Feedline resize, antialias",
        lambda: sum(len(tf.image.resize(p, _SIZE, antialias=True)) > 0 for p in photos),
    )
    bench.add("Feedline map: crop, resize, flip, normalize", lambda: sum(1 for _ in chain))
    pictures = [Image.fromarray(photo) for photo in photos]
    bench.add(
        "Pillow resize, antialias, uint8",
        lambda: sum(p.resize(_SIZE, Image.Resampling.BILINEAR).width > 0 for p in pictures),
    )
    bench.add_peers("resize_images")
    bench.run()


def _prepared(image: np.ndarray) -> np.ndarray:
    image = tf.image.resize(tf.image.central_crop(image, 0.875), _SIZE)
    return tf.image.normalize(tf.image.flip_left_right(image), _MEAN, _STD)


if __name__ == "__main__":
    main()
