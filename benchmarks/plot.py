"""plot: lines over a number of workers, drawn as SVG with nothing but strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

__all__ = ["Line", "Panel", "write_svg"]

_WIDTH, _HEIGHT = 400, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 16, 40, 46
_LEGEND = 34


@dataclass(frozen=True)
class Line:
    """Values by number of workers.

    Args:
        label: Who it is.
        color: Any colour of CSS.
        points: Number of workers and value.
        dashed: For limits, which are no results.
    """

    label: str
    color: str
    points: Sequence[tuple[int, float]]
    dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """One drawing: a title, what the values are, and lines."""

    title: str
    unit: str
    lines: Sequence[Line]


def write_svg(path: Path, panels: Sequence[Panel]) -> None:
    """Write panels side by side, with one legend below."""
    width, height = _WIDTH * len(panels), _HEIGHT + _LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, panel in enumerate(panels):
        parts += [f'<g transform="translate({number * _WIDTH} 0)">', *_drawn(panel), "</g>"]
    parts += _legend(panels)
    path.write_text("\n".join([*parts, "</svg>", ""]))


def _drawn(panel: Panel) -> list[str]:
    points = [point for line in panel.lines for point in line.points]
    widths = sorted({at for at, _ in points})
    most = max((value for _, value in points), default=1.0)
    step = _step(most)
    top = step * -(-most // step)
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM

    def x(at: float) -> float:
        return _LEFT + (right - _LEFT) * at / max(widths)

    def y(value: float) -> float:
        return bottom - (bottom - _TOP) * value / top

    parts = [_text(_LEFT, 22, panel.title, "start", 'font-weight="bold"')]
    for count in range(round(top / step) + 1):
        at = y(count * step)
        parts.append(_stroke(f"M{_LEFT} {at:.1f}H{right}", "#dddddd"))
        parts.append(_text(_LEFT - 6, at + 4, f"{count * step:,.4g}", "end"))
    for at in widths:
        parts.append(_stroke(f"M{x(at):.1f} {bottom}v4", "#888888"))
        parts.append(_text(x(at), bottom + 18, str(at), "middle"))
    parts.append(_text((_LEFT + right) / 2, bottom + 36, "workers", "middle"))
    parts.append(_text(_LEFT, 36, panel.unit, "start", 'fill="#666666"'))
    for line in panel.lines:
        places = [f"{x(at):.1f} {y(value):.1f}" for at, value in line.points]
        if places:
            parts.append(_stroke("M" + "L".join(places), line.color, 2, line.dashed))
        if not line.dashed:
            parts += [
                f'<circle cx="{x(at):.1f}" cy="{y(value):.1f}" r="3" fill="{line.color}"/>'
                for at, value in line.points
            ]
    return parts


def _legend(panels: Sequence[Panel]) -> list[str]:
    parts, at, y = [], _LEFT, _HEIGHT + 12
    seen = {line.label: line for panel in panels for line in panel.lines}
    for label, line in seen.items():
        parts.append(_stroke(f"M{at} {y}h24", line.color, 2, line.dashed))
        parts.append(_text(at + 30, y + 4, label, "start"))
        at += 54 + 7 * len(label)
    return parts


def _step(most: float) -> float:
    """Return a round number of which four to eight are as much as ``most``."""
    size = 10.0 ** (len(f"{most:.0f}") - 1)
    for part in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0):
        if most / (size * part) <= 8:
            return size * part
    return size


def _stroke(path: str, color: str, width: float = 1, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dashes}/>'


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(text)}</text>'
