"""amounts: how much the random searches try: `make test-long` asks for more."""

import os

__all__ = ["FUNCTIONS", "PIPELINES"]

FUNCTIONS = int(os.environ.get("FEEDLINE_FUZZ_FUNCTIONS", "2000"))
PIPELINES = int(os.environ.get("FEEDLINE_FUZZ_PIPELINES", "1000"))
