"""The command line by ``python -m feedline.cli``."""

from __future__ import annotations

import sys

from feedline.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
