"""What is wrong with a move that another one is better than, as far as the board shows it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from thud.rules.position import Move, Position, Side
from thud.rules.prospects import wins
from thud.rules.variant import Variant

TELLING: Final = 2
"""So many points a capture has to be worth to be given as the reason."""

_WORTH: Final = MappingProxyType({Side.DWARFS: 1, Side.TROLLS: 3})
"""What a piece is worth where none counts in the end."""


class Fault(Enum):
    """A fault that can be seen on the board, the gravest first; the value says it in the past."""

    LETS_WIN = "let the other side win"
    MISSES_WIN = "missed a win"
    HANGS = "left pieces to be captured"
    MISSES_CAPTURE = "missed a capture"
    LOSES_SOON = "lost something soon after"

    @property
    def answered(self) -> bool:
        """Whether it is the answer of the other side that shows it."""
        return self in (Fault.LETS_WIN, Fault.HANGS)


class Compared(NamedTuple):
    """A move that costs something, and what is better."""

    position: Position
    """Where it is played."""
    move: Move
    best: Move
    answer: Move | None
    """What the other side does after the move, None where the battle is over then."""


def fault(variant: Variant, compared: Compared) -> Fault | None:
    """Return what is wrong with a move, None if the board does not show it at once."""
    position, move, best, answer = compared
    after = position.after(move)
    if answer is not None and wins(variant, after, answer):
        return Fault.LETS_WIN
    if wins(variant, position, best):
        return Fault.MISSES_WIN
    lost = captured_worth(variant, after, answer) if answer is not None else 0
    taken = captured_worth(variant, position, move)
    missed = captured_worth(variant, position, best)
    if missed >= TELLING and missed > max(lost, taken):
        return Fault.MISSES_CAPTURE
    return Fault.HANGS if lost >= TELLING else None


def captured_worth(variant: Variant, position: Position, move: Move) -> int:
    """Return what a move of a position captures at once, in points."""
    worth: Mapping[Side, int] = variant.worth or _WORTH
    return move.captures.bit_count() * worth[position.to_move.other]
