"""Which record of which file an element was."""

from types import SimpleNamespace

from feedline.engine.stream import Stream
from feedline.ops.file_origin import _origin
from tests.engine.fakes import NumbersExec, stream_of


def test_the_names_of_files_are_let_go_of():
    names = NumbersExec(3)
    opened: list[Stream] = []

    def opens(_):
        opened.append(stream_of(names))
        return opened[-1]

    node = SimpleNamespace(input=None, file_of=lambda name: SimpleNamespace(path=f"{name}.txt"))
    found = _origin(node, 2, None, SimpleNamespace(open=opens))

    assert found is not None
    assert found.path == "2.txt"
    assert names.closed
    assert len(opened) == 1
