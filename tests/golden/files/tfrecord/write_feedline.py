"""write_feedline: the golden files that Feedline writes and TensorFlow has read."""

from __future__ import annotations

import feedline
from tests.golden.files.tfrecord.what import HERE, write_all

if __name__ == "__main__":
    write_all(feedline, HERE, "feedline")
