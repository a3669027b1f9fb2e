# Every target makes .venv by itself. PYTHON is any Python from 3.11 to 3.13.
PYTHON ?= python3
BIN := .venv/bin
SETUP := .venv/setup.stamp
NATIVE := $(shell find native -type f)
BENCHMARKS := $(shell grep -l __main__ benchmarks/*.py)

.DEFAULT_GOAL := help
.PHONY: help setup build check test test-long soak demo bench sanitize fuzz docs

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 12

setup: $(SETUP)  ## make .venv with Feedline, built in place, and all that development needs

# Without build isolation, so that a change of one kernel compiles one file.
$(SETUP): pyproject.toml $(NATIVE)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet cmake nanobind ninja scikit-build-core
	$(BIN)/pip install --quiet --no-build-isolation --editable '.[dev]'
	touch $@

build: $(SETUP)  ## build the native module and write its stub
	$(BIN)/python -m nanobind.stubgen --quiet --pattern-file native/stub_patterns.txt \
	  --module feedline._native --output-file feedline/_native.pyi
	$(BIN)/ruff format --quiet feedline/_native.pyi

check: $(SETUP)  ## lint, format, types, architecture: under 30 seconds
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --quiet tests/test_architecture.py

test: $(SETUP)  ## every test, and every example in a docstring
	$(BIN)/python -m pytest --quiet --numprocesses auto

# How many of each; a failure prints the seed, and what to run to see it again.
test-long: export FEEDLINE_FUZZ_FUNCTIONS ?= 100000
test-long: export FEEDLINE_FUZZ_PIPELINES ?= 5000
test-long: $(SETUP)  ## the long searches: 100,000 random functions, 10,000 random pipelines
	$(BIN)/python -m pytest --quiet --numprocesses auto \
	  tests/graph/test_random_functions.py tests/test_random_pipelines.py

soak: export FEEDLINE_SOAK_SECONDS ?= 3600
soak: $(SETUP)  ## an hour of pipelines of all kinds with faults injected: nothing may grow
	$(BIN)/python -m pytest --quiet --log-cli-level=INFO tests/test_soak.py

demo: $(SETUP)  ## a short tour
	$(BIN)/python examples/demo.py

bench: $(SETUP)  ## every benchmark, one after the other
	for script in $(BENCHMARKS); do $(BIN)/python $$script || exit 1; done

docs: $(SETUP)  ## run every example in the documents, follow every link
	$(BIN)/python -m pytest --quiet tests/docs

# The sanitizers must come before everything else in the process, and Python's own
# allocations outlive it.
SANITIZED := ASAN_OPTIONS=detect_leaks=0 \
  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)"

sanitize: $(SETUP)  ## the native code under the address and undefined-behaviour sanitizers
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S native -B build/sanitize -G Ninja \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -DFEEDLINE_TESTS=ON -DFEEDLINE_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize --parallel 2
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure
	$(SANITIZED) $(BIN)/python native/tests/run_sanitized.py build/sanitize \
	  --quiet --capture=sys tests/kernels

# How long each parser is fuzzed; RUNS=10000000 counts runs instead.
SECONDS ?= 60
fuzz: $(SETUP)  ## every native parser on damaged input, under the sanitizers: SECONDS=60 each
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S native -B build/fuzz -G Ninja \
	  -DFEEDLINE_MODULE=OFF -DFEEDLINE_FUZZ=ON -DFEEDLINE_SANITIZE=ON -DCMAKE_BUILD_TYPE=Release
	$(BIN)/cmake --build build/fuzz --parallel 2
	for fuzzer in $$(ls build/fuzz | grep '^fuzz_[a-z_]*$$'); do \
	  mkdir -p native/tests/corpus/$${fuzzer#fuzz_}; \
	  build/fuzz/$$fuzzer native/tests/corpus/$${fuzzer#fuzz_} \
	    $(if $(RUNS),--runs $(RUNS),--seconds $(SECONDS)) $(if $(KEEP),--keep) || exit 1; done
