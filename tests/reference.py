"""reference: every transformation on plain Python lists, written to be obviously right.

A dataset is a list of elements. Nothing here shares code with the engine, except the
description of structures and the random stream of a shuffle.
"""

from __future__ import annotations

import numpy as np

from feedline.kernels.philox import philox_stream_twin
from feedline.structure import structure_of


def leaves(element):
    return structure_of(element).flatten(element)


def rebuild(element, function):
    """Apply ``function`` to every leaf of an element."""
    structure = structure_of(element)
    return structure.pack([function(leaf) for leaf in structure.flatten(element)])


def stack(elements):
    structure = structure_of(elements[0])
    columns = zip(*(structure.flatten(element) for element in elements), strict=True)
    return structure.pack([stack_leaves(list(column)) for column in columns])


def stack_leaves(values):
    if isinstance(values[0], (str, bytes)):
        stacked = np.empty(len(values), object)
        stacked[:] = values
        return stacked
    return np.stack([np.asarray(value) for value in values])


def groups(items, size, drop_remainder):
    parts = [items[start : start + size] for start in range(0, len(items), size)]
    return [part for part in parts if len(part) == size or not drop_remainder]


def batch(items, size, drop_remainder):
    return [stack(part) for part in groups(items, size, drop_remainder)]


def padded_batch(items, size, drop_remainder):
    return [pad_and_stack(part) for part in groups(items, size, drop_remainder)]


def pad_and_stack(elements):
    structure = structure_of(elements[0])
    columns = zip(*(structure.flatten(element) for element in elements), strict=True)
    return structure.pack([stack_leaves(pad(list(column))) for column in columns])


def pad(values):
    if isinstance(values[0], (str, bytes)):
        return values
    longest = np.max([np.shape(value) for value in values], axis=0)
    padded = []
    for value in values:
        widths = [
            (0, int(most - size)) for most, size in zip(longest, np.shape(value), strict=True)
        ]
        fill = {"constant_values": nothing_of(values)} if value.dtype == object else {}
        padded.append(np.pad(value, widths, **fill) if widths else value)
    return padded


def nothing_of(values):
    texts = [item for value in values for item in np.ravel(value)]
    return "" if any(isinstance(text, str) for text in texts) else b""


def unbatch(items):
    rows = []
    for item in items:
        structure = structure_of(item)
        rows.extend(structure.pack(list(row)) for row in zip(*structure.flatten(item), strict=True))
    return rows


def window_batches(items, size, shift, stride, drop_remainder):
    out = []
    for start in range(0, len(items), shift):
        window = items[start : start + (size - 1) * stride + 1 : stride]
        if len(window) == size or not drop_remainder:
            out.append(stack(window))
    return out


def shuffle(items, buffer_size, seed, number=0):
    """The buffer of tf.data: keep it full, draw a place, let the front element take it."""
    seeds = philox_stream_twin(87654321, seed, 2 * number, 2).tolist()
    draws = iter(philox_stream_twin(*seeds, 0, len(items)).tolist())
    waiting, buffer, out = list(items), [], []
    while waiting or buffer:
        while waiting and len(buffer) < buffer_size:
            buffer.append(waiting.pop(0))
        place = next(draws) % len(buffer)
        out.append(buffer[place])
        buffer[place] = buffer[0]
        buffer.pop(0)
    return out


def interleave(lists, cycle_length, block_length):
    waiting, out = [list(part) for part in lists], []
    slots = [None] * cycle_length
    turn = 0
    while waiting or any(slot is not None for slot in slots):
        if slots[turn] is None and waiting:
            slots[turn] = waiting.pop(0)
        if slots[turn] is not None:
            taken, slots[turn] = slots[turn][:block_length], slots[turn][block_length:]
            out.extend(taken)
            if len(taken) < block_length:
                slots[turn] = None
        turn = (turn + 1) % cycle_length
    return out


def choose(lists, turns):
    """One of the list whose turn it is, until that has none."""
    waiting, out = [list(part) for part in lists], []
    for turn in turns:
        if not waiting[turn]:
            break
        out.append(waiting[turn].pop(0))
    return out


def scan(items, start, function):
    state, out = start, []
    for item in items:
        state, result = function(state, item)
        out.append(result)
    return out
