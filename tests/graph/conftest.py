"""Functions are tried on whole blocks from the first element on."""

import pytest

from feedline.graph import rules, vectorizer

assert rules.__all__  # what a Trace knows of NumPy, which a pipeline loads when it needs it


@pytest.fixture
def tried_at_once(monkeypatch):
    monkeypatch.setattr(vectorizer, "_BEFORE_TRYING", 0)
    monkeypatch.setattr(vectorizer, "_SMALLEST_BLOCK", 1)
