"""What the package shows to its users, and what importing it costs."""

import importlib.metadata
import inspect
import json
import subprocess
import sys
import types

import pytest

import feedline
from feedline import data, dtypes, errors, lookup, ragged, sparse, strings
from feedline.data import experimental

NAMESPACES = [feedline, data, experimental, dtypes, errors, lookup, ragged, sparse, strings]
DOCUMENTED = (types.FunctionType, types.ModuleType, type)

PUBLIC = sorted(
    (f"{space.__name__}.{name}", getattr(space, name))
    for space in NAMESPACES
    for name in space.__all__
    if isinstance(getattr(space, name), DOCUMENTED)
)
CLASSES = [(name, value) for name, value in PUBLIC if isinstance(value, type)]
METHODS = sorted(
    (f"{name}.{attribute}", getattr(value, attribute))
    for name, value in CLASSES
    for attribute, member in inspect.getmembers_static(value)
    if not attribute.startswith("_")
    if isinstance(member, types.FunctionType | staticmethod | classmethod | property)
    if not issubclass(value, Exception)
)

TF_DATA = {
    "AUTOTUNE",
    "Dataset",
    "DatasetSpec",
    "FixedLengthRecordDataset",
    "INFINITE_CARDINALITY",
    "Iterator",
    "IteratorSpec",
    "NumpyIterator",
    "Options",
    "TFRecordDataset",
    "TextLineDataset",
    "ThreadingOptions",
    "UNKNOWN_CARDINALITY",
    "experimental",
}

# What tf.data has no word for.
OUR_OWN = {
    *("ArrowDataset", "JsonLinesDataset", "NumpyFileDataset", "ParquetDataset", "TarDataset"),
    *("ErrorPolicy", "Quarantine", "QuarantineEntry"),
}
KERAS = {"image_dataset_from_directory"}

IMPORT = """
import json, sys
def memory_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4
bare = memory_kb()
import feedline
print(json.dumps({"kb": memory_kb() - bare, "modules": sorted(sys.modules)}))
"""
# Each of these costs a noticeable part of the whole import, or drags in something that does.
HEAVY = {
    "asyncio",
    "cloudpickle",
    "concurrent.futures",
    "email",
    "feedline.testing",
    "feedline.version",
    "importlib.metadata",
    "multiprocessing",
    "numpy.ma",
    "numpy.random",
    "numpy.testing",
    "pytest",
    "rich",
    "socket",
    "subprocess",
    "tempfile",
    "unittest",
    "urllib",
}


@pytest.fixture(scope="module")
def imported():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORT], capture_output=True, check=True, text=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("space", NAMESPACES, ids=lambda space: space.__name__)
def test_public_names_are_sorted_and_there(space):
    # As ruff sorts them: constants, classes, then the rest, numbers by their value.
    assert len(set(space.__all__)) == len(space.__all__)
    assert [name for name in space.__all__ if not hasattr(space, name)] == []


@pytest.mark.parametrize("space", [feedline, data, experimental], ids=lambda s: s.__name__)
def test_no_public_name_is_left_out(space):
    modules_of_its_own = (
        {
            "arrow",
            "formats",
            "csv_files",
            "csv_guess",
            "device",
            "image_folder",
            "labelled_files",
            "labelled_folder",
        }
        | {
            *("examples", "files", "forward", "sources", "transformations", "variant"),
            "writing",
        }
        | {name for name in vars(space) if f"feedline.{name}" in sys.modules}
    )
    found = {name for name in vars(space) if not name.startswith("_")}
    found -= modules_of_its_own | {"annotations", "TYPE_CHECKING", "open_namespace", "bfloat16"}

    assert found - set(space.__all__) == set()


def namespaces(space):
    """Every public module below one, itself first; tests/compat has those of TensorFlow 1."""
    yield space
    for name in sorted({*space.__all__} - {"v1", "v2"}):
        below = getattr(space, name)
        if isinstance(below, types.ModuleType):
            yield from namespaces(below)


@pytest.mark.parametrize(
    "space", sorted(set(namespaces(feedline)), key=str), ids=lambda s: s.__name__
)
def test_completion_lists_what_is_public_and_nothing_else(space):
    extra = set(dir(space)) - set(space.__all__)

    assert extra == ({"testing"} if space is feedline else set())
    assert [name for name in dir(space) if not hasattr(space, name)] == []


def test_feedline_data_has_the_names_of_tf_data():
    assert set(data.__all__) == TF_DATA | OUR_OWN | KERAS


@pytest.mark.parametrize(("name", "value"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_a_public_name_has_a_docstring(name, value):
    assert inspect.getdoc(value)


@pytest.mark.parametrize(("name", "value"), METHODS, ids=[name for name, _ in METHODS])
def test_a_public_method_has_a_docstring(name, value):
    assert inspect.getdoc(value)


def test_dtypes_are_numpy_dtypes_under_the_names_of_tensorflow():
    assert feedline.float32 == "float32"
    assert feedline.string == object
    names = [name for name in dtypes.__all__ if isinstance(getattr(dtypes, name), dtypes.DType)]
    assert [getattr(feedline, name) for name in names] == [getattr(dtypes, name) for name in names]


def test_the_version_is_that_of_tensorflow_and_says_which_feedline_this_is():
    tensorflow, _, own = feedline.__version__.partition("+feedline.")

    assert tensorflow == "2.21.0"
    assert own == importlib.metadata.version("feedline")
    assert feedline.version.VERSION == feedline.__version__ >= "2"


def test_the_checks_are_loaded_when_they_are_asked_for():
    assert feedline.testing.CHECKS


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'feedline' has no attribute 'nothing'"):
        _ = feedline.nothing


def test_importing_loads_nothing_heavy(imported):
    assert HEAVY & set(imported["modules"]) == set()


def test_importing_takes_less_than_60_mb(imported):
    assert imported["kb"] < 60 * 1024
