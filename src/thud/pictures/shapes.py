"""Filled and stroked paths, and their conversion to polygons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]

_TOKEN: Final = re.compile(r"[MLQCZ]|-?\d+(?:\.\d+)?")
_POINTS_OF: Final = {"M": 1, "L": 1, "Q": 2, "C": 3}
_STEPS: Final = 12
_ROUND: Final = 0.5523
"""Distance of a cubic's control points from the ends of a quarter of the unit circle."""


class Shape(NamedTuple):
    """A path in the absolute SVG commands M, L, Q, C and Z, and its paint.

    `line` is the stroke's colour, `width` its thickness; both colours are `"#rrggbb"`, or empty for
    none.
    """

    path: str
    fill: str = ""
    opacity: float = 1.0
    line: str = ""
    width: float = 0.0


Drawing: TypeAlias = tuple[Shape, ...]
"""Shapes, lowest first."""


def ellipse(x: float, y: float, across: float, down: float) -> str:
    """Return the path of an ellipse, by its centre and two radii."""
    a, b = across * _ROUND, down * _ROUND
    curves = (
        (x + across, y - b, x + a, y - down, x, y - down),
        (x - a, y - down, x - across, y - b, x - across, y),
        (x - across, y + b, x - a, y + down, x, y + down),
        (x + a, y + down, x + across, y + b, x + across, y),
    )
    numbers = "".join("C" + " ".join(f"{n:.2f}" for n in curve) for curve in curves)
    return f"M{x + across:.2f} {y:.2f}{numbers}Z"


def polygons(path: str) -> list[tuple[list[Point], bool]]:
    """Return the points along each subpath, and whether it is closed."""
    parts: list[tuple[list[Point], bool]] = []
    for command, points in _commands(path):
        if command == "M":
            parts.append((points, False))
        elif command == "Z":
            parts[-1] = (parts[-1][0], True)
        else:
            line = parts[-1][0]
            line += _curve([line[-1], *points])
    return parts


def _commands(path: str) -> Iterator[tuple[str, list[Point]]]:
    """Yield each command with its points; as in SVG, more points after M are lines."""
    command, numbers = "", list[float]()
    for token in _TOKEN.findall(path):
        if token.isalpha():
            command = token
            if command == "Z":
                yield command, []
            continue
        numbers.append(float(token))
        if len(numbers) == 2 * _POINTS_OF[command]:
            yield command, list(zip(numbers[::2], numbers[1::2], strict=True))
            numbers = []
            command = "L" if command == "M" else command


def _curve(controls: Sequence[Point]) -> list[Point]:
    """Return points along a line or Bézier curve, without its beginning."""
    steps = _STEPS if len(controls) > 2 else 1
    return [_along(controls, step / steps) for step in range(1, steps + 1)]


def _along(controls: Sequence[Point], part: float) -> Point:
    """Return a point of a Bézier curve, by de Casteljau's algorithm."""
    if len(controls) == 1:
        return controls[0]
    between = [
        (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for (x0, y0), (x1, y1) in pairwise(controls)
    ]
    return _along(between, part)
