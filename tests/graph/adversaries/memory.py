"""Adversaries that look at what is behind the arrays."""

import operator

import numpy as np

from tests.graph.adversaries.case import Acts, case, numbers


@case("vectorised")
def asking_for_the_type_of_an_array():
    return Acts(lambda x: x + 1 if type(x) is np.ndarray and isinstance(x, np.ndarray) else x)


@case("vectorised", numbers)
def asking_for_the_type_of_a_number():
    return Acts(lambda x: x + 1 if type(x) is np.int64 and np.isscalar(x) else x - 1)


@case("vectorised", numbers)
def asking_for_the_type_of_an_array_without_axes():
    return Acts(lambda x: x + 1 if isinstance(np.asarray(x), np.ndarray) else x - 1)


@case("asks whether .type is a certain type")
def asking_for_the_type_of_a_dtype():
    return Acts(lambda x: x + 1 if x.dtype.type is np.float32 else x - 1)


@case("uses __class__")
def asking_for_the_class():
    return Acts(lambda x: x + 1 if x.__class__ is np.ndarray else x - 1)


@case("uses the class attrgetter")
def asking_for_the_class_by_an_attrgetter():
    return Acts(lambda x: x + 1 if operator.attrgetter("__class__")(x) is np.ndarray else x - 1)


@case("uses __array_interface__")
def asking_for_an_interface():
    return Acts(lambda x: x + 1 if hasattr(x, "__array_interface__") else x - 1)


@case("uses read")
def asking_whether_an_array_is_a_file():
    return Acts(lambda x: x - 1 if hasattr(x, "read") else x + 1)


@case("matches a class")
def matching_a_class():
    def fn(x):
        match x:
            case np.ndarray():
                return x + 1
            case _:
                return x - 1

    return Acts(fn)


@case("vectorised")
def comparing_functions_of_numpy():
    reduce = np.sum
    return Acts(lambda x: x.sum() if reduce is np.sum else x.max())


@case("uses .flags of an array")
def asking_whether_an_array_can_be_changed():
    return Acts(lambda x: x + 1 if x.flags.writeable else x)


@case("makes text of a value")
def formatting_an_array():
    return Acts(lambda x: f"{x}")


@case("looks a value up by its hash", numbers)
def looking_a_number_up():
    names = {3: 30}
    return Acts(lambda x: names.get(x, 0))


@case("branches on a value", numbers)
def looking_a_number_up_in_a_list():
    return Acts(lambda x: x in [1, 2, 3])


@case("branches on a value", numbers)
def a_structure_that_depends_on_a_value():
    def fn(x):
        if x > 12:
            raise ValueError(f"{x} is too much")
        return (x, x) if x < 100 else x

    return Acts(fn)


@case("uses a Sure")
def an_object_that_compares_in_its_own_way():
    class Sure:
        def __lt__(self, other):
            return True

    sure = Sure()

    def fn(x):
        try:
            return x + 1 if sure < 3 else x - 1
        except TypeError:
            return x * 100

    return Acts(fn)


@case("vectorised")
def an_object_that_is_false():
    class Empty:
        def __bool__(self):
            return False

        def __len__(self):
            return 3

    empty = Empty()
    return Acts(lambda x: x + 1 if empty else x - 1)
