"""The same pipeline with rules and without."""

import cloudpickle

from feedline.data import Options
from feedline.optimize import RULES
from feedline.testing import CHECKS, check_traits

# check_traits iterates over what the last step reads, which must then give the same again.
PROMISES = [check for check in CHECKS if check is not check_traits]
ALL = tuple(rule.name for rule in RULES)


def without(ds, *names):
    return ds.with_options(Options(skip_rules=names))


def fresh(ds):
    """A copy that was never iterated over: the next iteration is its first."""
    return cloudpickle.loads(cloudpickle.dumps(ds))


def fired(ds):
    found = [line for line in ds.explain().splitlines() if line.startswith("rules: ")]
    return [name for name in found[0].removeprefix("rules: ").split(", ") if name in ALL]


def steps(ds):
    """The steps that run, from the last to the first."""
    return [line.split("(")[0].strip() for line in ds.explain("rewritten").splitlines()]
