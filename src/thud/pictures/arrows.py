"""Arrows over a board: the last move, and one that is advised."""

from __future__ import annotations

from math import hypot
from typing import Final, NamedTuple

from thud.pictures import palette
from thud.pictures.layout import CELL, corner
from thud.pictures.shapes import Drawing, Point, Shape
from thud.rules.geometry import Square
from thud.rules.position import Move

_THICK: Final = 9
_HEAD: Final = 26
"""How broad the head is, and nearly how long."""
_APART: Final = 16
"""How far from the middle of its first square an arrow begins."""
_SHORT: Final = 6
"""How far before the middle of its last square it ends."""
_OPACITY: Final = 0.85


class Arrow(NamedTuple):
    """From where to where an arrow points, and whether it only advises."""

    origin: Square
    destination: Square
    advises: bool = False

    @classmethod
    def of(cls, move: Move, *, advises: bool = False) -> Arrow:
        """Return the arrow of a move."""
        return cls(move.origin, move.destination, advises)


def arrow_drawing(arrow: Arrow, flipped: bool = False) -> Drawing:
    """Draw an arrow, in units of the picture."""
    fill, edge = palette.ADVICE if arrow.advises else palette.MOVED
    path = _path(_middle(arrow.origin, flipped), _middle(arrow.destination, flipped))
    return (Shape(path, fill, _OPACITY, edge, 2),)


def _middle(square: Square, flipped: bool) -> Point:
    x, y = corner(square, flipped)
    return x + CELL / 2, y + CELL / 2


def _path(start: Point, end: Point) -> str:
    """Return the outline of an arrow between two points that are not the same."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    length -= _SHORT
    neck, thick, head = length - _HEAD, _THICK / 2, _HEAD / 2
    outline = (
        *((_APART, -thick), (neck, -thick), (neck, -head), (length, 0)),
        *((neck, head), (neck, thick), (_APART, thick)),
    )
    points = (
        f"{start[0] + along * across - aside * down:.2f} "
        f"{start[1] + along * down + aside * across:.2f}"
        for along, aside in outline
    )
    return f"M{' '.join(points)}Z"
