"""Positions turned and mirrored: two that are the same to a player have the same likeness."""

from __future__ import annotations

from functools import cache

from thud.rules.position import Position
from thud.rules.symmetry import SYMMETRIES, Symmetry, image
from thud.rules.variant import Variant


def likeness(variant: Variant, position: Position) -> str:
    """Return the text that all images of a position under the variant's symmetries share."""
    return min(image(position, each).to_text() for each in _symmetries(variant.start))


@cache
def _symmetries(start: Position) -> tuple[Symmetry, ...]:
    """Return the symmetries of the board that leave a start as it is."""
    return tuple(each for each in SYMMETRIES if image(start, each) == start)
