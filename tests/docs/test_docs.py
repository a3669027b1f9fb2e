"""Every Python block in the documents runs, and shows what the documents say it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"python", "text", "bash", "diff"}


def _blocks(page: Path) -> list[tuple[str, str, int]]:
    """Return the language, the code and the first line of every fenced block."""
    text = page.read_text()
    found = FENCE.finditer(text)
    return [(m["info"], m["code"], text.count("\n", 0, m.start("code"))) for m in found]


def _run(code: str, line: int, page: Path, names: dict[str, Any]) -> None:
    """Run a program, or a session with prompts whose results are compared."""
    if code.startswith(">>>"):
        session = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line)
        doctest.DebugRunner(optionflags=doctest.ELLIPSIS).run(session, clear_globs=False)
        names.update(session.globs)
    else:
        exec(compile("\n" * line + code, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_blocks_of_a_page_run_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}

    for language, code, line in _blocks(page):
        if language == "python":
            _run(code, line, page, names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_block_says_its_language_and_nothing_else(page):
    assert {language for language, _, _ in _blocks(page)} <= LANGUAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []
