"""Filled and stroked paths, and their conversion to polygons."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    command, numbers = "", list[float]()
    for token in _TOKEN.findall(path):
        if token == "Z":
            parts[-1] = (parts[-1][0], True)
        elif token.isalpha():
            command = token
        else:
            numbers.append(float(token))
        if not numbers or len(numbers) < 2 * _POINTS_OF[command]:
            continue
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        numbers = []
        if command == "M":
            parts.append((points, False))
            command = "L"  # as in SVG, more points after M are lines
        else:
            line = parts[-1][0]
            controls, steps = [line[-1], *points], _STEPS if len(points) > 1 else 1
            line += [_along(controls, step / steps) for step in range(1, steps + 1)]
    return parts


def _along(controls: Sequence[Point], part: float) -> Point:
    """Return a point of a Bézier curve, by de Casteljau's algorithm."""
    if len(controls) == 1:
        return controls[0]
    between = [
        (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for (x0, y0), (x1, y1) in pairwise(controls)
    ]
    return _along(between, part)
