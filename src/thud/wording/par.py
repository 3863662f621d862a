"""What was measured of a game, in sentences: how equal players end, and when a battle is calm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thud.ai.player import CALM
from thud.rules.variant import Variant

if TYPE_CHECKING:
    from thud.rules.measured import Par


def par(variant: Variant) -> str:
    """Say how battles between equal players end; empty if that is unknown.

    It is such as `"Between equal players the dwarfs end 8 to 19 points behind."`.
    """
    found = variant.measured.par
    if not found:
        return ""
    return f"Between equal players the dwarfs {_ends(variant, found)}."


def _ends(variant: Variant, found: tuple[Par, ...]) -> str:
    """Say in which range battles end, in whole points or battles of ten."""
    scale = 1 if variant.counts_points else 10
    ends = sorted({round(scale * each.dwarfs) for each in found})
    least, most = ends[0], ends[-1]
    if not variant.counts_points:
        return f"win {_range(least, most)} battles of ten"
    if least < 0 < most:
        return f"end between {-least} points behind and {most} ahead"
    where = "ahead" if most > 0 else "behind"
    return f"end {_range(*sorted((abs(least), abs(most))))} points {where}"


def _range(least: int, most: int) -> str:
    return f"about {least}" if least == most else f"{least} to {most}"


CALMED = (
    f"A battle is calm after {CALM} turns without a capture, or when a position comes up for the "
    "third time: propose the end."
)
"""When to propose the end."""
