"""demo: train a small classifier from a Feedline pipeline, stop in mid-epoch, and go on exactly.

Everything is made here: the images are drawn, the model is NumPy. Run it with `make demo`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from time import perf_counter
from typing import Any

# Before NumPy is loaded: for matrices this small, threads of the linear algebra only wait for
# each other, above all on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import feedline as tf
from feedline.testing import assert_same_elements

NUM_TRAIN, NUM_TEST, SIDE = 6_000, 1_000, 16
EPOCHS, BATCH, BUFFER = 6, 64, 2_000
WANTED_ACCURACY = 0.95

# Ten digits, five columns and seven rows each, one number per row of dots.
GLYPHS = [
    [14, 17, 19, 21, 25, 17, 14],
    [4, 12, 4, 4, 4, 4, 14],
    [14, 17, 1, 2, 4, 8, 31],
    [31, 2, 4, 2, 1, 17, 14],
    [2, 6, 10, 18, 31, 2, 2],
    [31, 16, 30, 1, 1, 17, 14],
    [6, 8, 16, 30, 17, 17, 14],
    [31, 1, 2, 4, 8, 8, 8],
    [14, 17, 17, 14, 17, 17, 14],
    [14, 17, 17, 15, 1, 2, 12],
]

Images = NDArray[np.uint8]
Labels = NDArray[np.int64]
console = Console(highlight=False, soft_wrap=True)


def draw_digits(count: int, seed: int) -> tuple[Images, Labels]:
    """Return noisy images of digits, and which digits they are."""
    rng = np.random.default_rng(seed)
    dots = np.array([[[row >> (4 - x) & 1 for x in range(5)] for row in g] for g in GLYPHS])
    large = dots.repeat(2, axis=1).repeat(2, axis=2)  # 14 x 10
    labels = rng.integers(0, 10, count)
    images = rng.integers(0, 90, (count, SIDE, SIDE))
    tops, lefts = rng.integers(0, 3, count), rng.integers(1, 6, count)
    ink = rng.integers(110, 165, count)
    for image, label, top, left, dark in zip(images, labels, tops, lefts, ink, strict=True):
        image[top : top + 14, left : left + 10] += dark * large[label]
    return images.astype(np.uint8), labels


def augment(image: Images, label: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return the image moved by up to one dot and brighter or darker: its own draws each epoch."""
    down, right = rng.integers(-1, 2, 2)
    moved = np.roll(image, (down, right), (0, 1))
    return moved.ravel() * np.float32(rng.uniform(0.8, 1.2) / 255), label


def training_pipeline(images: Images, labels: Labels) -> tf.data.Dataset[Any]:
    """Return the batches of one epoch; every epoch has its own order and its own draws."""
    return (
        tf.data.Dataset.from_tensor_slices((images, labels))
        .shuffle(BUFFER, seed=7)
        .map(augment)
        .batch(BATCH, drop_remainder=True)
        .prefetch(2)
        .with_options(tf.data.Options(seed=11))
    )


class Classifier:
    """One hidden layer, softmax, gradient descent with momentum."""

    def __init__(self, hidden: int = 64, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        sizes = [(SIDE * SIDE, hidden), (hidden, 10)]
        self.weights = [rng.normal(0, np.sqrt(2 / n), (n, m)).astype(np.float32) for n, m in sizes]
        self.biases = [np.zeros(m, np.float32) for _, m in sizes]
        self._speed = [np.zeros_like(p) for p in [*self.weights, *self.biases]]

    def _forward(self, x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        hidden = np.maximum(x @ self.weights[0] + self.biases[0], 0)
        return hidden, hidden @ self.weights[1] + self.biases[1]

    def step(self, x: NDArray[Any], labels: Labels, rate: float = 0.05) -> float:
        """Learn from one batch; return the loss."""
        hidden, scores = self._forward(x)
        scores -= scores.max(axis=1, keepdims=True)
        probabilities = np.exp(scores)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        rows = np.arange(len(labels))
        loss = -np.log(probabilities[rows, labels] + 1e-9).mean()
        probabilities[rows, labels] -= 1
        slope = probabilities / len(labels)
        below = (slope @ self.weights[1].T) * (hidden > 0)
        slopes = [x.T @ below, hidden.T @ slope, below.sum(axis=0), slope.sum(axis=0)]
        parameters = [*self.weights, *self.biases]
        for parameter, speed, change in zip(parameters, self._speed, slopes, strict=True):
            speed *= 0.9
            speed -= rate * change
            parameter += speed
        return float(loss)

    def accuracy(self, images: Images, labels: Labels) -> float:
        """Return the share of images named correctly."""
        x = images.reshape(len(images), -1).astype(np.float32) / 255
        return float((self._forward(x)[1].argmax(axis=1) == labels).mean())


@contextmanager
def progress_bar(total: int) -> Iterator[Any]:
    """Give a function to call after every batch. On a terminal it draws a bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("training", total=total)
        yield lambda text: bar.update(task, advance=1, description=text)


def train(ds: tf.data.Dataset[Any], test: tuple[Images, Labels]) -> float:
    """Train for some epochs; return the accuracy on images never seen."""
    model = Classifier()
    started = perf_counter()
    with progress_bar(EPOCHS * len(ds)) as advance:
        for epoch in range(EPOCHS):
            losses = []
            for x, labels in ds:
                losses.append(model.step(x, labels))
                advance(f"epoch {epoch + 1}, loss {losses[-1]:.2f}")
            reached = model.accuracy(*test)
            console.print(
                f"  epoch {epoch + 1}: loss {np.mean(losses):.3f}, accuracy {reached:.1%}"
            )
    console.print(f"  {EPOCHS} epochs in {perf_counter() - started:.1f} s")
    return reached


def compare_with_a_loop(images: Images) -> None:
    """Shuffle and batch rows with Feedline and with a plain loop: the same batches, timed."""
    rows = images.reshape(len(images), -1).repeat(5, axis=0)
    ds = tf.data.Dataset.from_tensor_slices(rows).shuffle(BUFFER, seed=3).batch(BATCH)
    # The order depends on the seed alone, so numbers are shuffled exactly as rows are.
    order = [int(i) for i in tf.data.Dataset.range(len(rows)).shuffle(BUFFER, seed=3)]

    started = perf_counter()
    mine = list(ds)
    fast = perf_counter() - started
    started = perf_counter()
    starts = range(0, len(order), BATCH)
    theirs = [np.stack([rows[i] for i in order[start : start + BATCH]]) for start in starts]
    slow = perf_counter() - started

    assert_same_elements(mine, theirs)
    console.print(f"  Feedline        {len(rows) / fast:>12,.0f} elements/s")
    console.print(f"  a Python loop   {len(rows) / slow:>12,.0f} elements/s, order given for free")
    console.print(f"  the same {len(mine)} batches from both")


def stop_and_resume(images: Images, labels: Labels) -> None:
    """Save the state in mid-epoch, go on with a new pipeline object, compare what follows."""
    it = iter(training_pipeline(images, labels))
    seen = sum(1 for _ in islice(it, 40))
    saved = json.dumps(it.state_dict())

    started = perf_counter()
    again = iter(training_pipeline(images, labels))
    again.load_state_dict(json.loads(saved))
    first = next(again)
    elapsed = perf_counter() - started

    rest, expected = [first, *again], list(it)
    assert_same_elements(rest, expected)
    console.print(f"  saved after batch {seen}: {len(saved):,} bytes of JSON")
    console.print(f"  first batch after the resume: {1e3 * elapsed:.0f} ms")
    console.print(f"  the remaining {len(rest)} batches, shuffled and augmented, are identical")


def heading(text: str) -> None:
    """Print a heading."""
    console.print(f"\n[bold]{text}[/bold]")


def main() -> int:
    """Run every part; return the exit status."""
    started = perf_counter()
    images, labels = draw_digits(NUM_TRAIN, seed=1)
    test = draw_digits(NUM_TEST, seed=2)
    ds = training_pipeline(images, labels)

    heading("The pipeline")
    console.print(ds.explain(), markup=False)
    console.print(f"element_spec: {ds.element_spec}", markup=False)

    heading("Training on drawn digits")
    reached = train(ds, test)
    if reached < WANTED_ACCURACY:
        console.print(f"  accuracy {reached:.1%} is below {WANTED_ACCURACY:.0%}")
        return 1

    heading("Speed of the pipeline alone")
    begun = perf_counter()
    count = sum(len(y) for _, y in ds)
    console.print(f"  with augmentation {count / (perf_counter() - begun):>10,.0f} elements/s")
    compare_with_a_loop(images)

    heading("Stop in mid-epoch, resume")
    stop_and_resume(images, labels)
    console.print(f"\nAll done in {perf_counter() - started:.1f} s.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        console.print("\nStopped.")
        sys.exit(130)
