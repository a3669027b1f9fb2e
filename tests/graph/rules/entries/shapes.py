"""Shapes, repeating, padding, joining, splitting."""

import numpy as np

from tests.graph.rules.cases import (
    ALL,
    REAL,
    Case,
    Entry,
    Operand,
    along,
    each,
    fixed,
    picks,
    sized,
)

CUBE = Operand((2, 3, 4), np.float32)
MATRIX = Operand((3, 4), np.float32)
VECTOR = Operand((4,), np.float32)
ONE = Operand((), np.float32)

SHAPES = [
    Entry(
        "np.reshape",
        picks(np.reshape, MATRIX, shape=[(2, 6), (-1,), -1, (4, -1, 1)], order=["C", "F"]),
    ),
    Entry("a.reshape", each(lambda x: (x.reshape(-1), x.reshape(x.size, 1)))),
    Entry("np.ravel", each(np.ravel, order=["C", "F"])),
    Entry("a.ravel", each(lambda x: x.ravel())),
    Entry("a.flatten", each(lambda x: x.flatten())),
    Entry("np.transpose", each(np.transpose)),
    Entry("np.transpose, axes", picks(np.transpose, CUBE, axes=[(2, 0, 1), (-1, 0, 1), [1, 0, 2]])),
    Entry("a.T", each(lambda x: x.T)),
    Entry("a.mT", each(lambda x: x.mT, low=2)),
    Entry("a.transpose", fixed(lambda x: (x.transpose(), x.transpose(2, 0, 1)), CUBE)),
    Entry("np.matrix_transpose", each(np.matrix_transpose, low=2)),
    Entry("np.linalg.matrix_transpose", each(np.linalg.matrix_transpose, low=2)),
    Entry("np.swapaxes", picks(np.swapaxes, CUBE, axis1=[0, -1], axis2=[1, 2])),
    Entry("a.swapaxes", fixed(lambda x: x.swapaxes(0, -1), CUBE)),
    Entry("np.moveaxis", picks(np.moveaxis, CUBE, source=[0, -1, (0, 1)], destination=[-1, 1])),
    Entry("np.rollaxis", picks(np.rollaxis, CUBE, axis=[2, -1, 0], start=[0, 1, 3, -1])),
    Entry("np.expand_dims", each(np.expand_dims, axis=[0, -1, (0, 1), (0, -1)])),
    Entry("np.squeeze", each(np.squeeze)),
    Entry(
        "np.squeeze, axis", picks(np.squeeze, Operand((1, 3, 1), np.int32), axis=[0, -1, (0, 2)])
    ),
    Entry("a.squeeze", each(lambda x: x.squeeze())),
    Entry("np.atleast_1d", each(np.atleast_1d)),
    Entry("np.atleast_2d", each(np.atleast_2d)),
    Entry("np.atleast_3d", each(np.atleast_3d)),
    Entry("np.atleast_2d, several", fixed(np.atleast_2d, VECTOR, ONE)),
    Entry("np.broadcast_to", fixed(lambda x: np.broadcast_to(x, (2, 3, 4)), VECTOR)),
    Entry("np.broadcast_arrays", fixed(np.broadcast_arrays, MATRIX, VECTOR)),
    Entry("np.flip", along(np.flip, several=True, low=0)),
    Entry("np.fliplr", each(np.fliplr, low=2)),
    Entry("np.flipud", each(np.flipud, low=1)),
    Entry("np.rot90", each(np.rot90, low=2, k=[1, 2, -1, 0], axes=[(0, 1), (1, 0)])),
    Entry(
        "sliding_window_view",
        fixed(lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, axis=-1), MATRIX),
        note="of np.lib.stride_tricks",
    ),
]

REPEATING = [
    Entry("np.tile", each(np.tile, reps=[2, (2, 3), (1, 2, 1), (0,)])),
    Entry(
        "np.repeat",
        along(np.repeat, repeats=[2, 0, 1]),
        note="with the same counts for all elements",
    ),
    Entry("np.repeat, counts", fixed(lambda x: np.repeat(x, [1, 0, 2], axis=0), MATRIX)),
    Entry("a.repeat", each(lambda x: x.repeat(3))),
    Entry("np.resize", each(np.resize, REAL, new_shape=[(3, 2), 5, (0,)])),
    Entry("np.roll", along(np.roll, shift=[1, -2, 7])),
    Entry("np.roll, several axes", fixed(lambda x: np.roll(x, (1, -1), (0, 2)), CUBE)),
    Entry(
        "np.roll, own shift",
        fixed(lambda x, s: np.roll(x, s, axis=-1), MATRIX, Operand((), np.int64)),
    ),
    Entry("np.meshgrid", sized(lambda a, b: np.meshgrid(a, b), "a", "b")),
    Entry("np.meshgrid, ij", sized(lambda a, b: np.meshgrid(a, b, indexing="ij"), "a", "b")),
]

MODES = ["constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "median"]
WIDTHS = [1, (1, 2), ((1, 0), (0, 2)), ((2,), (1,)), 0]
PADDING = [
    *(
        Entry(f"np.pad, {mode}", picks(np.pad, MATRIX, pad_width=WIDTHS, mode=[mode]))
        for mode in MODES
    ),
    Entry(
        "np.pad, values", fixed(lambda x: np.pad(x, 1, constant_values=((3, 4), (5, 6))), MATRIX)
    ),
    Entry(
        "np.pad, stat_length", fixed(lambda x: np.pad(x, 1, mode="maximum", stat_length=2), MATRIX)
    ),
    Entry("np.pad, mean", fixed(lambda x: np.pad(x, 1, mode="mean"), MATRIX), loops=True),
    Entry(
        "np.pad, linear_ramp", fixed(lambda x: np.pad(x, 2, mode="linear_ramp"), MATRIX), loops=True
    ),
]


def joins(call, *shapes):
    """A function of arrays of given shapes, each of any dtype."""

    def make(pick):
        return Case(call, [Operand(shape, pick.dtype(ALL)) for shape in shapes])

    return make


SOME = (2, 3)
JOINING = [
    Entry("np.concatenate", joins(lambda a, b: np.concatenate([a, b]), SOME, (1, 3))),
    Entry(
        "np.concatenate, axis", joins(lambda a, b: np.concatenate((a, b), axis=-1), SOME, (2, 1))
    ),
    Entry(
        "np.concatenate, None", joins(lambda a, b: np.concatenate([a, b], axis=None), SOME, (4,))
    ),
    Entry("np.concatenate, one array", joins(np.concatenate, (2, 3, 4))),
    Entry("np.stack", joins(lambda a, b: np.stack([a, b]), SOME, SOME)),
    Entry("np.stack, axis", joins(lambda a, b: np.stack([a, b], axis=-1), SOME, SOME)),
    Entry("np.stack, scalars", joins(lambda a, b: np.stack([a, b]), (), ())),
    Entry("np.vstack", joins(lambda a, b: np.vstack([a, b]), (3,), SOME)),
    Entry("np.hstack", joins(lambda a, b: np.hstack([a, b]), (3,), (2,))),
    Entry("np.hstack, matrices", joins(lambda a, b: np.hstack([a, b]), SOME, (2, 1))),
    Entry("np.dstack", joins(lambda a, b: np.dstack([a, b]), SOME, SOME)),
    Entry("np.column_stack", joins(lambda a, b: np.column_stack([a, b]), (2,), SOME)),
    Entry("np.append", joins(np.append, SOME, (3,))),
    Entry("np.append, axis", joins(lambda a, b: np.append(a, b, axis=1), SOME, (2, 2))),
    Entry("np.block", joins(lambda a, b, c: np.block([[a, b], [c]]), SOME, (2, 1), (4,))),
    Entry(
        "np.insert",
        joins(lambda a, b: np.insert(a, 1, b), (4,), ()),
        note="at the same place for all elements",
    ),
    Entry("np.insert, axis", joins(lambda a, b: np.insert(a, 1, b, axis=1), SOME, (2,))),
    Entry("np.insert, places", joins(lambda a, b: np.insert(a, [0, 2], b, axis=-1), SOME, (2, 2))),
    Entry("np.delete", joins(lambda a: (np.delete(a, 1), np.delete(a, [0, 2], axis=1)), SOME)),
]

SPLITTING = [
    Entry("np.split", joins(lambda a: np.split(a, [1, 2], axis=-1), (2, 4))),
    Entry("np.array_split", joins(lambda a: np.array_split(a, 3), (4, 2))),
    Entry("np.vsplit", joins(lambda a: np.vsplit(a, 2), (4, 2))),
    Entry("np.hsplit", joins(lambda a: np.hsplit(a, 2), (4,))),
    Entry("np.hsplit, matrices", joins(lambda a: np.hsplit(a, [1]), (2, 4))),
    Entry("np.dsplit", joins(lambda a: np.dsplit(a, 2), (2, 3, 4))),
    Entry("np.unstack", joins(lambda a: np.unstack(a, axis=-1), (2, 3))),
    Entry("for row in a", joins(lambda a: [row * 2 for row in a], (3, 2))),
]

ENTRIES = [*SHAPES, *REPEATING, *PADDING, *JOINING, *SPLITTING]
