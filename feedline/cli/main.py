"""main: the command ``feedline``, which hands over to its sub-commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from feedline.cli import convert, inspect
from feedline.errors import FeedlineError
from feedline.version import RELEASE

__all__ = ["main", "parser"]

# How a shell tells that a command was interrupted.
INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    made = argparse.ArgumentParser(
        prog="feedline", description="Look into TFRecord files, and make them of other data."
    )
    made.add_argument("--version", action="version", version=f"feedline {RELEASE}")
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in (inspect, convert):
        command.add_to(commands)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, 1 if it found or met something wrong, 2 for wrong arguments."""
    given = parser().parse_args(arguments)
    try:
        code: int = given.run(given)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        sys.stderr.close()
        return 1
    except FeedlineError as error:
        sys.stderr.write(f"feedline {given.command}: {error}\n")
        return 1
    return code
