"""run_sanitized: pytest with the native module of another build folder."""

import importlib.util
import sys
from pathlib import Path

import pytest

folder, *arguments = sys.argv[1:]
(path,) = Path(folder).glob("_native*.so")
spec = importlib.util.spec_from_file_location("feedline._native", path)
assert spec is not None
assert spec.loader is not None
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.modules["feedline._native"] = module
sys.exit(pytest.main(arguments))
