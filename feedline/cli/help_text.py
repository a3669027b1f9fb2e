"""help_text: the page docs/cli.md, made of what ``--help`` prints.

python -m feedline.cli.help_text docs/cli.md
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from feedline.cli.main import parser

__all__ = ["help_text"]

_WIDTH = "100"
_HEAD = """\
# The command line

`pip install feedline` brings the command `feedline`; `python -m feedline.cli` is the same. This
page is written by `python -m feedline.cli.help_text docs/cli.md`.

A command exits with 0, with 1 if it found or met something wrong, with 2 if its arguments are
wrong, and with 130 if it was interrupted.
"""


def help_text() -> str:
    """Return the page."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = _WIDTH  # which argparse asks for
    try:
        made = parser()
        parts = [_HEAD, _section("feedline", made)]
        for action in made._actions:  # noqa: SLF001  (argparse has no other way to ask)
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
                parts += [_section(f"feedline {name}", one) for name, one in action.choices.items()]
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return "\n".join(parts)


def _section(name: str, command: argparse.ArgumentParser) -> str:
    return f"## {name}\n\n```text\n{command.format_help()}```\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(help_text())
