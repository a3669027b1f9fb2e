"""How a recorded function sees modules, classes and objects."""

import types

import pytest

from feedline.graph.outside import ClassView, ModuleView, ObjectView
from feedline.graph.sandbox import Sandbox
from feedline.graph.trace import Trace
from feedline.graph.untraceable import Untraceable


@pytest.fixture
def sandbox():
    return Sandbox(Trace(1, batches=True, sealed=True))


def holds(sandbox):
    return all(guard.holds() for guard in sandbox.guards)


class Slotted:
    __slots__ = ("k",)


class Thing:
    shared = 1.0

    def __init__(self):
        self.own = 2.0
        self.fn = lambda *args: len(args)

    def method(self, x):
        return x + self.own

    @staticmethod
    def static(x):
        return x * 2

    @classmethod
    def of_class(cls, x):
        return x * cls.shared

    @property
    def both(self):
        return self.shared + self.own

    def __call__(self, x):
        return self.method(x)

    def __len__(self):
        return 3

    def __getitem__(self, key):
        return key * 2


def test_attributes_and_methods_can_be_used(sandbox):
    view = ObjectView(sandbox, Thing())

    assert (view.own, view.shared, view.both) == (2.0, 1.0, 3.0)
    assert (view.method(1), view.static(2), view(1)) == (3.0, 4, 3.0)
    assert (len(view), view[4], bool(view)) == (3, 8, True)
    assert view.fn(1, 2) == 2  # a function of the object itself is not bound


def test_an_attribute_in_slots_can_be_used(sandbox):
    thing = Slotted()
    thing.k = 1.5
    view = ObjectView(sandbox, thing)
    assert view.k == 1.5

    thing.k = 2.5

    assert not holds(sandbox)


def test_nothing_can_be_set(sandbox):
    view = ObjectView(sandbox, Thing())

    with pytest.raises(Untraceable, match=r"sets \.own of a Thing outside itself"):
        view.own = 3
    with pytest.raises(Untraceable, match="uses a Thing"):
        view[0] = 1
    with pytest.raises(Untraceable, match="uses a Thing"):
        del view.own


@pytest.mark.parametrize("use", [str, repr, iter, next, hash, lambda x: x + 1, lambda x: x < 1])
def test_other_uses_are_refused(sandbox, use):
    class Odd:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            return True

    with pytest.raises(Untraceable):
        use(ObjectView(sandbox, Odd()))


def test_objects_are_equal_by_identity_if_they_say_nothing_else(sandbox):
    first, second = sandbox.view(Thing()), sandbox.view(Thing())

    assert first == first
    assert first != second
    assert len({first, second, first}) == 2


def test_a_missing_attribute_must_stay_missing(sandbox):
    thing = Thing()
    view = ObjectView(sandbox, thing)
    with pytest.raises(AttributeError, match="'Thing' object has no attribute 'other'"):
        _ = view.other
    assert holds(sandbox)

    thing.other = 1

    assert not holds(sandbox)


def test_an_object_may_not_get_what_hides_an_attribute_of_its_class(sandbox):
    thing = Thing()
    view = ObjectView(sandbox, thing)
    assert view.shared == 1.0
    assert holds(sandbox)

    thing.shared = 5.0

    assert not holds(sandbox)


def test_a_class_gives_its_constants_and_functions(sandbox):
    view = sandbox.view(Thing)

    assert isinstance(view, ClassView)
    assert view.shared == 1.0
    assert view.static(2) == 4
    assert view.of_class(3) == 3.0
    assert not hasattr(view, "missing")


@pytest.mark.parametrize(
    ("use", "reason"),
    [
        (lambda view: view(), "makes a Thing"),
        (lambda view: view.both, "uses .both of the class Thing"),
        (str, "looks at a module or a class"),
    ],
)
def test_a_class_does_no_more(sandbox, use, reason):
    with pytest.raises(Untraceable, match=reason):
        use(ClassView(sandbox, Thing))


def test_a_module_gives_what_is_in_it(sandbox):
    module = types.ModuleType("helpers")
    module.k = 2
    view = ModuleView(sandbox, module)

    assert view.k == 2
    with pytest.raises(AttributeError, match="module 'helpers' has no attribute 'other'"):
        _ = view.other
    assert holds(sandbox)
    module.other = 1
    assert not holds(sandbox)


def test_a_module_of_another_type_is_refused(sandbox):
    class Lazy(types.ModuleType):
        pass

    with pytest.raises(Untraceable, match="no ordinary module"):
        ModuleView(sandbox, Lazy("lazy"))
