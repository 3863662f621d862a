"""Selection and order of quiet moves in Koom Valley and Football.

The dwarfs have hundreds of moves, and few matter: those that end near the stone or on its way, and
those that threaten or block a troll.  Each square gets a rank, the lower the more promising; moves
to squares without a rank are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from thud.ai.bitboards import SquareTable, between, facing, spread
from thud.rules.geometry import BOARD, SQUARES, Mask, Square, distance, squares_of
from thud.rules.valley import FAR_SIDE, squares_to_go

FAR_AWAY: Final = 9


def _region(stone: Square) -> dict[Square, int]:
    """Rank the squares around the stone: adjacent ones, then those ahead, then those behind."""
    ranks = {}
    for square in SQUARES:
        away = distance(stone, square)
        ahead = squares_to_go(stone) - squares_to_go(square)
        if away == 1:
            ranks[square] = 1
        elif away == 2:
            ranks[square] = 2 if ahead >= 0 else 4
        elif away <= 4 and ahead >= 2:
            ranks[square] = 3 if away == 3 else 5
    return ranks


REGION: Final = SquareTable(_region)

FORWARD: Final = [1 + squares_to_go(s) // 3 if s in SQUARES else FAR_AWAY for s in range(256)]
"""Ranks of the squares for the ball."""

MOST_ROLLS: Final = 8
"""Most rolls of the ball that are searched."""

GOALMOUTH: Final[Mask] = spread(FAR_SIDE) & BOARD
"""The far side and its neighbours."""

FOOTBALL_REGION: Final = SquareTable(
    lambda stone: {**dict.fromkeys(squares_of(GOALMOUTH), 3), **REGION[stone]}
)
"""Ranks of the squares for Football's dwarfs, who escort the ball or await it."""


def chosen(moves: Iterable[int], ranks: dict[Square, int], busy: Mask) -> list[int]:
    """Return the moves to ranked squares, best first; moves of busy pieces rank two lower."""
    kept = [
        (ranks[move >> 8] + (2 if busy >> (move & 255) & 1 else 0), move)
        for move in moves
        if move >> 8 in ranks
    ]
    kept.sort()
    return [move for _, move in kept]


def chosen_rolls(rolls: Iterable[int], lanes: Mask) -> list[int]:
    """Return the best rolls of the ball, first to squares that threaten a shot."""
    return sorted(rolls, key=lambda m: 0 if lanes >> (m >> 8) & 1 else FORWARD[m >> 8])[:MOST_ROLLS]


def chosen_blocks(moves: Iterable[int], stone: Square, lanes: Mask) -> list[int]:
    """Return the trolls' moves in Football, first those to the ball and into a shot's way."""
    ranks = TROLL_REGION[stone]
    return sorted(moves, key=lambda m: min(ranks[m >> 8], 3 if lanes >> (m >> 8) & 1 else FAR_AWAY))


def dwarf_ranks(stone: Square, dwarfs: Mask, trolls: Mask, empty: Mask) -> dict[Square, int]:
    """Rank the squares for the dwarfs of Koom Valley."""
    ranks = REGION[stone].copy()
    threats, blocks = facing(trolls, empty), facing(dwarfs, trolls)
    unsafe = between(trolls, empty)
    for square in squares_of((threats & ~unsafe | blocks) & empty):
        ranks[square] = min(ranks.get(square, FAR_AWAY), 2)
    for square in squares_of(unsafe & empty & ~blocks):
        if square in ranks:
            ranks[square] += 3
    return ranks


def troll_ranks(stone: Square, dwarfs: Mask, trolls: Mask, empty: Mask) -> dict[Square, int]:
    """Rank the squares for the trolls of Koom Valley."""
    ranks = TROLL_REGION[stone].copy()
    threats, unsafe = facing(dwarfs, empty), between(dwarfs, empty)
    for square in squares_of(threats & empty & ~unsafe):
        ranks[square] = min(ranks[square], 2)
    for square in squares_of(unsafe & empty):
        ranks[square] += 3
    return ranks


TROLL_REGION: Final = SquareTable(
    lambda stone: {square: min(distance(stone, square), FAR_AWAY) for square in SQUARES}
)
