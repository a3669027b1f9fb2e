"""Functions are tried on whole blocks from the first element on."""

import pytest

from feedline.graph import vectorizer


@pytest.fixture
def tried_at_once(monkeypatch):
    monkeypatch.setattr(vectorizer, "_BEFORE_TRYING", 0)
    monkeypatch.setattr(vectorizer, "_SMALLEST_BLOCK", 1)
