"""Prints random functions that are wrong: python -m tests.graph.random_functions SEED [COUNT]."""

import sys

from tests.graph.random_functions.searching import case_of, failure_of

first, count = (*map(int, sys.argv[1:3]), 1)[:2]
if count == 1:
    sys.stdout.write(f"{case_of(first).function}\n\n")
for seed in range(first, first + count):
    failure = failure_of(seed)
    if failure is not None:
        sys.stdout.write(f"{failure}\n\n")
        sys.stdout.flush()
