"""grammar: what random functions are made of, as templates by the kind of what goes in.

``{n}`` is any number or array of numbers, ``{p}`` one of NumPy's, ``{f}`` floats, ``{i}``
integers, ``{b}`` booleans, ``{q}`` one number, ``{v}`` an array, ``{m}`` one with two axes or
more, ``{r}`` one with one axis, ``{g}`` an image, ``{s}`` one text, ``{a}`` anything. Written out
are ``{l}``, a number, ``{k}``, a small whole one, ``{d}``, a dtype, ``{h}``, a real one. A kind
with a digit is the same operand wherever it stands: ``{v0}[{v0} > 0]``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

__all__ = ["CHANGES", "CONSTANTS", "EXPRESSIONS", "RESULTS", "WRITTEN", "Template", "is_of_kind"]

CONSTANTS = {
    "SCALAR": np.float32(0.3),
    "COUNT": np.int16(7),
    "ROW": np.array([0.1, -2.0, 3.5]),
    "GRID": np.arange(6, dtype=np.int16).reshape(2, 3),
    "TABLE": np.linspace(-3, 3, 9, dtype=np.float32),
    "MIXED": np.array([1.0, 5.0, 3.0, 9.0, 2.0, 8.0, 4.0]),
    "BYTES": np.array([3, 200, 17], np.uint8),
}
WRITTEN = {
    "l": "0 1 2 3 -1 7 255 300 -129 2**31 2**40 0.5 2.0 -1.5 1e-3 1e30 np.inf np.nan True 1j "
    "np.float32(0.3) np.float16(1.7) np.int8(3) np.uint8(200) np.float64(-0.0) np.int64(2**53+1)",
    "k": "0 1 2 3 -1",
    "d": "np.float16 np.float32 np.float64 np.int8 np.uint8 np.int16 np.int32 np.int64 np.uint64 "
    "bool np.complex64",
    "h": "np.float16 np.float32 np.float64 np.uint8 np.int16 np.int32 np.int64",
}

OPERATORS = """
{n} + {n}
{n} - {n}
{n} * {n}
{n} / {n}
{n} // {n}
{n} % {n}
{p} ** {n}
{p} ** {l}
{n} + {l}
{n} - {l}
{n} * {l}
{n} / {l}
{l} / {n}
{l} - {n}
{n} // {l}
{n} % {l}
-{n}
~{i}
{i} & {i}
{i} | {l}
{i} << {k}
{i} >> {k}
{n} > {n}
{n} <= {l}
{n} == {n}
{n} != {l}
{b} & {b}
{b} | {b}
{b} ^ {b}
~{b}
{v} @ {v}
{v} if {v}.ndim > 1 else {v}
"""
UFUNCS = """
abs({n})
np.sqrt({n})
np.exp({n})
np.exp2({f})
np.expm1({f})
np.log({n})
np.log2({f})
np.log10({f})
np.log1p({f})
np.sin({f})
np.cos({f})
np.tan({f})
np.tanh({f})
np.arctan({f})
np.arcsinh({f})
np.sinh({f})
np.cbrt({f})
np.square({n})
np.reciprocal({n})
np.sign({n})
np.floor({f})
np.ceil({f})
np.rint({f})
np.trunc({f})
np.isnan({f})
np.isfinite({n})
np.signbit({f})
np.conj({n})
np.angle({n})
np.deg2rad({f})
np.spacing({f})
np.negative({n})
np.invert({i})
np.add({n}, {n})
np.subtract({n}, {n})
np.multiply({n}, {n})
np.divide({n}, {n})
np.power({p}, {n})
np.float_power({n}, {n})
np.mod({n}, {n})
np.fmod({n}, {n})
np.floor_divide({n}, {n})
np.maximum({n}, {n})
np.fmin({n}, {n})
np.minimum({n}, {l})
np.hypot({f}, {f})
np.arctan2({f}, {f})
np.copysign({f}, {f})
np.nextafter({f}, {f})
np.ldexp({f}, {i})
np.heaviside({f}, {f})
np.logaddexp({f}, {f})
np.gcd({i}, {i})
np.left_shift({i}, {k})
np.bitwise_xor({i}, {i})
np.logical_and({n}, {n})
np.logical_not({n})
np.greater({n}, {n})
np.add({n}, {n}, dtype={d})
np.multiply({n}, {n}, dtype={d})
np.modf({f})[0]
np.frexp({f})[1]
np.divmod({n}, {n})[1]
divmod({n}, {l})[0]
np.add.reduce({v})
np.multiply.accumulate({v})
np.maximum.reduce({v}, axis=-1)
np.add.outer({r}, {r})
round({n}, 1)
np.round({n}, {k})
np.nan_to_num({n})
np.real({n})
np.imag({n})
"""
REDUCTIONS = """
{v}.sum()
{v}.sum(axis=0)
{v}.sum(axis=-1)
{v}.sum(dtype={d})
{v}.sum(axis=0, keepdims=True)
{v}.prod()
{v}.mean()
{v}.mean(axis=-1)
{v}.mean(axis=0, keepdims=True)
{v}.std()
{v}.var(axis=0)
{v}.std(ddof=1)
{v}.max()
{v}.min(axis=-1)
{v}.max(axis=0, initial={k})
{v}.argmax()
{v}.argmin(axis=-1)
{v}.any()
{v}.all(axis=0)
{v}.cumsum()
{v}.cumprod(axis=-1)
np.cumsum({v}, axis=0)
np.sum({v}, where={v} > {k})
np.nansum({v})
np.nanmax({v})
np.nanmean({v}, axis=0)
np.median({v})
np.median({v}, axis=-1)
np.percentile({v}, 30)
np.quantile({v}, [0.2, 0.8])
np.ptp({v})
np.average({v}, axis=0)
np.count_nonzero({v})
np.linalg.norm({v})
np.linalg.norm({v}, axis=-1)
np.diff({v})
np.trapezoid({v})
np.argmax({v}, axis=0)
len({v})
{v}.size
"""
INDEXING = """
{v}[0]
{v}[-1]
{v}[::-1]
{v}[::-1]
{v}[::2]
{v}[::-2]
{v}[1:]
{v}[:-1]
{v}[..., 0]
{v}[..., ::-1]
{v}[..., None]
{v}[None]
{v}[[0, -1]]
{v}[np.array([[0, 0]])]
{v}[{i}]
{v}[{q}]
{m}[:, 0]
{m}[0, ::-1]
{m}[:, 1:]
{m}[::-1, ::-1]
{m}[:, [0, -1]]
{m}[1:, 0]
TABLE[{i}]
TABLE[np.argmax({v})]
BYTES[{k}] + {n}
np.take({v}, {i})
np.take({v}, {i}, mode="clip")
np.take({v}, [0, 0], axis=0)
np.take_along_axis({v0}, np.argsort({v0}, axis=-1), axis=-1)
np.choose({i}, [{n}, {n}], mode="clip")
np.delete({v}, 0)
np.insert({r}, 1, {k})
"""
SHAPES = """
{v}.T
{v}.reshape(-1)
{v}.reshape(-1, 1)
{v}.reshape(1, -1)
{m}.reshape({m}.shape[::-1])
{v}.ravel()
{v}.ravel(order="K")
{v}.ravel(order="F")
{v}.flatten()
{v}.copy()
{v}.copy(order="K")
{m}.swapaxes(0, 1)
{m}.transpose()
np.moveaxis({m}, 0, -1)
np.flip({v})
np.fliplr({m})
np.rot90({m})
np.roll({v}, 1)
np.repeat({v}, 2)
np.tile({v}, 2)
np.pad({v}, 1)
np.pad({r}, (1, 2), mode="edge")
np.expand_dims({n}, 0)
np.squeeze({v})
np.broadcast_to({q}, (2, 3))
np.atleast_1d({n})
np.ascontiguousarray({n})
np.asarray({n})
np.diag({m})
np.tril({m})
np.resize({v}, 4)
np.ediff1d({v})
"""
JOINING = """
np.stack([{n}, {n}])
np.stack([{v0}, {v0}], axis=-1)
np.concatenate([{v}, {v}])
np.concatenate([{r}, [{q}]])
np.hstack([{v}, {v}])
np.vstack([{r}, {r}])
np.array([{q}, {q}])
np.array([{q}, {l}])
np.array([{q}, {q}], dtype={h})
np.array([{q}, {l}], dtype={h})
np.array([{v0}, {v0}])
np.array([{v}, {v}], dtype={h})
np.array({n}, dtype={h})
np.asarray([{q}, {q}, {q}])
np.append({v}, {n})
np.full(3, {q})
np.full((2, 2), {q}, dtype={h})
np.full_like({v}, {q})
np.zeros_like({v}) + {q}
np.ones_like({n})
np.zeros({r}.shape, {d})
np.arange({v}.shape[0]) * {q}
np.where({b}, {n}, {n})
np.where({n} > {k}, {n}, {l})
np.where({n0} > {k}, {n0}, {n})
np.select([{n} > 0, {n} < 0], [{n}, {l}])
np.clip({n}, {n}, {n})
np.clip({n}, {k}, 3)
np.clip({n}, -1.5, {l})
{v}.clip(0, {q})
np.hstack([{q}, {r}])
np.block([{r}, {r}])
"""
SEARCHING = """
np.searchsorted(TABLE, {n})
np.searchsorted(MIXED, {n})
np.searchsorted({r}, {n})
np.searchsorted(TABLE, {n}, side="right")
np.digitize({n}, TABLE)
np.interp({n}, TABLE, TABLE ** 2)
np.sort({v})
np.sort({v}, axis=None)
np.sort({v}, axis=0)
np.argsort({v})
np.argsort({v}, axis=None, kind="stable")
np.partition({r}, 0)
np.isin({n}, [0, 1, 2.5])
np.isclose({n}, {n})
np.packbits({v} > 0)
"""
PRODUCTS = """
np.dot({v}, {v})
np.dot({n}, {n})
np.dot({v0}[::-1], {v0})
np.inner({v}, {v})
np.vdot({v}, {v})
np.outer({v}, {v})
np.matmul({m0}, {m0}.T)
{m0}.T @ {m0}
{v} @ ROW
ROW @ {v}
{m} @ {m}[0]
{m0}[:, 0] @ {m0}
{r}.dot({r})
np.einsum("i,i->", {r0}, {r0})
np.einsum("ij->j", {m})
np.einsum("ij,ij->i", {m0}, {m0})
np.einsum("ij,kj->ik", {m0}, {m0})
np.tensordot({v0}, {v0}, axes=1)
np.cross({r}, ROW)
np.kron({r}, {r})
np.trace({m})
np.convolve({r}, [1, 0.5, 0.25])
np.correlate({r}, {r})
np.fft.fft({r})
np.fft.rfft({r})
np.linalg.det({m})
np.polyval([1, 2, 0.5], {n})
"""
CASTS = """
{n}.astype({d})
{v}.astype({d})
np.float32({q})
np.float64({n})
np.int64({q})
np.uint8({q})
{n}.real
tf.cast({n}, {d})
tf.cast({n}, tf.float32)
tf.saturate_cast({n}, tf.uint8)
"""
OWN = """
tf.reduce_sum({n})
tf.reduce_sum({v}, axis=0)
tf.reduce_mean({n})
tf.reduce_max({v}, axis=-1)
tf.reduce_min({v})
tf.reduce_prod({v})
tf.reduce_any({v} > 0)
tf.reduce_all({b})
tf.reduce_logsumexp({f})
tf.math.reduce_std({f})
tf.where({b}, {n0}, {n0} * 2)
tf.where({n} > {k}, {n}, {n})
tf.clip_by_value({n}, 0, 3)
tf.maximum({n0}, {n0} + 1)
tf.add({n}, {l})
tf.multiply({n0}, {n0})
tf.pow({n0}, {n0})
tf.square({n})
tf.sqrt({f})
tf.exp({f})
tf.sigmoid({f})
tf.math.log({f})
tf.math.softmax({f})
tf.math.l2_normalize({f})
tf.math.divide_no_nan({f0}, {f0} - 1)
tf.math.floormod({n}, {k})
tf.math.is_nan({f})
tf.math.erf({f})
tf.math.cumsum({v})
tf.math.top_k({v}, 1)[0]
tf.one_hot({i}, 4)
tf.concat([{v0}, {v0}], axis=0)
tf.stack([{n0}, {n0}])
tf.reshape({v}, [-1])
tf.expand_dims({n}, 0)
tf.squeeze({v})
tf.transpose({v})
tf.reverse({v}, [0])
tf.gather({v}, [0, 0])
tf.gather(TABLE, {i})
tf.argmax({v})
tf.sort({v})
tf.argsort({v})
tf.pad({r}, [[1, 1]])
tf.tile({r}, [2])
tf.roll({v}, 1, 0)
tf.fill([2], {q})
tf.zeros_like({n})
tf.shape({v})
tf.size({v})
tf.searchsorted(TABLE, {r})
tf.matmul({m0}, {m0}, transpose_b=True)
tf.einsum("ij->i", {m})
tf.round({f})
tf.math.rsqrt({f})
tf.as_string({n})
"""
TEXTS = """
tf.strings.length({s})
tf.strings.upper({s})
tf.strings.join([{s}, {s}], separator="-")
tf.strings.substr({s}, 0, 2)
tf.strings.regex_replace({s}, "[0-9]+", "#")
tf.strings.regex_full_match({s}, ".*1.*")
tf.strings.to_number({s})
tf.strings.to_number({s}, tf.int64)
tf.strings.to_hash_bucket_fast({s}, 10)
tf.strings.strip({s})
tf.strings.lower({s})
tf.strings.bytes_split({s})
tf.io.decode_raw({s}, tf.uint8)
tf.equal({s}, "1")
len({s})
{s} + {s}
{s}.strip()
{s}[:1]
{s} * 2
{s}.upper()
"""
IMAGES = """
tf.image.flip_left_right({g})
tf.image.rot90({g})
tf.image.transpose({g})
tf.image.adjust_brightness({g}, 0.1)
tf.image.adjust_contrast({g}, 1.5)
tf.image.convert_image_dtype({g}, tf.float32)
tf.image.convert_image_dtype({g}, tf.uint8)
tf.image.per_image_standardization({g})
tf.image.resize({g}, [2, 2])
tf.image.resize({g}, [3, 4], method="nearest")
tf.image.central_crop({g}, 0.5)
tf.image.resize_with_crop_or_pad({g}, 3, 2)
tf.image.rgb_to_grayscale({g})
tf.image.adjust_gamma({g}, 0.7)
tf.image.adjust_saturation({g}, 0.5)
tf.image.rgb_to_hsv({g})
tf.image.total_variation({g})
"""
# What needs the values while it is traced makes the whole function plain Python: seldom drawn.
PLAIN = """
{v}.view(np.uint8)
{v}.byteswap()
{v}.flat[0]
np.flatnonzero({v})
np.nonzero({v})[0]
np.bincount({i}.ravel() & 7)
np.compress([True, False, True], {r})
np.array_equal({v}, {v})
np.unique({v})
{v}.item(0)
{n} if {q} > {k} else {n}
{q}.item()
float({q})
int({q})
bool({q})
complex({q})
{v}.tolist()[0]
sum({v})
max({r})
min({v}.ravel())
{v}[{b}]
{v0}[{v0} > {k}]
tf.math.bincount({i} & 7)
tf.boolean_mask({r0}, {r0} > 0)
tf.unique({r})[0]
np.array_split({r}, 2)[0]
[{q}, {q}][0]
"""
CHANGED = """
{n} += {l}
{n} += {n}
{n} *= {n}
{n} *= {l}
{v} -= {v}.max()
{v} /= {n}
{v} **= 2
{v} //= {l}
{n} = {n} + 1
{v}[0] = {l}
{v}[0] = {q}
{v}[-1] = {q}
{v}[1:] = {n}
{v}[::2] = {n}
{v}[..., -1] = {n}
{v}[...] = {n}
{v0}[{v0} > {k}] = {q}
{v}[[0, -1]] = {q}
{v}[{i}] = {k}
{v}[::-1] *= {n}
{m}[:, 0] = {n}
{m}[0] += {n}
{v}.fill({q})
{v}.sort()
np.add({v}, {n}, out={v})
np.add.at({r}, [0, 0], {q})
np.copyto({v}, {n})
np.copyto({v}, {n}, casting="unsafe")
np.clip({v}, 0, 2, out={v})
np.exp({v}, out={v})
np.put({v}, 0, {q})
np.putmask({v0}, {v0} > 0, {n})
np.multiply({v0}, {n}, out={v0}, where={v0} > 0)
for step in range(3): {n} = {n} * step + {n}
if {n}.ndim: {n} = {n} + 1
"""
GIVEN = """
{a}
{a}
{a}, {a}
{a}, {a}, {a}
{a}, {l}
{{"p": {a}, "q": {a}}}
{{"p": {a}, "q": ({a}, 1.5)}}
({a}, {a}), {a}
"""


@dataclass(frozen=True)
class Template:
    """Text with numbered places, and the kind of operand each takes."""

    text: str
    kinds: tuple[str, ...]
    loose: bool

    @staticmethod
    def of(line, *, loose):
        places = []

        def number(match):
            kind, digit = match.groups()
            if not digit or (kind, digit) not in places:
                places.append((kind, digit))
            last = len(places) - 1
            return f"{{{places.index((kind, digit)) if digit else last}}}"

        text = re.sub(r"(?<!\{)\{([a-z])(\d?)\}", number, line)
        return Template(text, tuple(kind for kind, _ in places), loose)


def _templates(lines, *, loose=False):
    return [Template.of(line, loose=loose) for line in lines.strip().split("\n")]


# With how often one of them is drawn.
EXPRESSIONS = [
    (_templates(OPERATORS, loose=True), 20),
    (_templates(UFUNCS), 18),
    (_templates(REDUCTIONS), 12),
    (_templates(INDEXING), 14),
    (_templates(SHAPES), 10),
    (_templates(JOINING), 12),
    (_templates(SEARCHING), 6),
    (_templates(PRODUCTS), 7),
    (_templates(CASTS), 7),
    (_templates(OWN), 9),
    (_templates(TEXTS), 12),
    (_templates(IMAGES), 4),
    (_templates(PLAIN), 2),
]
CHANGES = _templates(CHANGED)
RESULTS = _templates(GIVEN)


def is_of_kind(kind, value):
    """Whether a value fits a place of a template."""
    if kind == "a":
        return True
    if kind == "s":
        return isinstance(value, (str, bytes))
    if isinstance(value, (str, bytes)) or np.asarray(value).dtype.kind not in "biufc":
        return False
    axes, letter = np.ndim(value), np.asarray(value).dtype.kind
    return {
        "n": True,
        "p": isinstance(value, (np.ndarray, np.generic)),
        "f": letter in "fc",
        "i": letter in "iu",
        "b": letter == "b",
        "q": axes == 0,
        "v": axes > 0,
        "m": axes > 1,
        "r": axes == 1,
        "g": axes == 3,
    }[kind]
