"""The evaluation of Koom Valley and Football, in hundredths of a dwarf.

The goals decide, so most of it is about the stone: how far it has come, how far it could roll on
with the dwarfs where they are, and how many trolls are beside it or could be next.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.ai.bitboards import NEAR, SquareTable, reaching, seen, spread
from thud.ai.game import State
from thud.ai.scores import Score
from thud.ai.valley.moves import hanging, trap_squares
from thud.rules.geometry import BOARD, EDGE, SQUARES, Mask, Square, distance, mask_of
from thud.rules.valley import FAR_SIDE, TROLL_REACH, TROLLS_NEEDED, squares_to_go

DWARF: Final = 100
TROLL: Final = 300
EVEN: Final = 8 * TROLL - 16 * DWARF
"""Makes the start about even."""

HELPLESS: Final = 800
"""For trolls too few to win."""

TO_GO: Final = [squares_to_go(s) if s in SQUARES else 15 for s in range(256)]
"""How far each square is from the far side."""

ADVANCED: Final = (900, *(110 * (7 - squares) for squares in range(1, 16)))
"""What the stone is worth so many squares from the far side."""

ROLLING: Final = (0, 45, 80, 110, 130, 150, 170, 190, 210, 230, 250, 250, 250, 250, 250, 250)
"""What it is worth that the stone can roll on so many squares, with the dwarfs as they stand."""

ESCORTED: Final = (-80, 0, 25, 40, 50, 50, 50, 50, 50)
"""What so many dwarfs beside the stone are worth."""

THREATS: Final = (
    (0, 10, 30, 70),
    (40, 60, 110, 150),
    (120, 330, 360, 400),
    (600, 600, 600, 600),
)
"""What trolls beside the stone (the row) and able to come there next (the place) are worth."""

SAFE: Final = 80
"""For a stone that has no room left beside it for three trolls."""

HANGING: Final = 30

UPFIELD: Final = 60
"""In Football, what each square is worth that the ball has come nearer."""

PASSES: Final = 15
"""What a square is worth to which the ball can roll and from there to the far side."""

SHOT: Final = 150
"""What it is worth that the ball can roll to the far side."""

LANE: Final = 4
"""What each square is worth from which a ball could roll to the far side."""

TRAPPABLE: Final = 10
"""What each square is worth to dwarfs not to move on which they could trap a troll."""

REACHED: Final = ((2, 14), (3, 10), (4, 8), (5, 8), (6, 6), (8, 6))
"""Distances from the stone, and what each troll within them is worth."""

SUPPORTED: Final = ((2, 8), (4, 8))
"""Distances from the stone, and what each dwarf within them is worth."""


Areas: TypeAlias = tuple[tuple[Mask, Score], ...]
"""Squares, and what each piece on them is worth."""


def _areas(rings: tuple[tuple[int, Score], ...]) -> SquareTable[Areas]:
    """Return the areas about the stone within some distances, with what each is worth."""

    def about(stone: Square) -> Areas:
        away = {square: distance(stone, square) for square in SQUARES}
        return tuple((mask_of(*(s for s in SQUARES if away[s] <= r)), worth) for r, worth in rings)

    return SquareTable(about)


WITHIN: Final = _areas(REACHED)
SUPPORT: Final = _areas(SUPPORTED)


def koom_score(state: State) -> Score:
    """Return what a state of Koom Valley is worth for the dwarfs."""
    dwarfs, trolls, side, stone = state
    rock = 1 << stone
    empty = BOARD & ~(dwarfs | trolls | rock)
    score = EVEN + DWARF * dwarfs.bit_count() - TROLL * trolls.bit_count()
    if trolls.bit_count() < TROLLS_NEEDED:
        score += HELPLESS
    score += _stone(stone, dwarfs, empty) - _closing(stone, trolls, empty, empty, SAFE)
    victims = hanging(dwarfs, trolls, empty)
    if victims and not side:
        score -= HANGING * victims.bit_count()
    if side:
        score += TRAPPABLE * trap_squares(dwarfs, trolls, empty).bit_count()
    for area, worth in SUPPORT[stone]:
        score += worth * (area & dwarfs).bit_count()
    return score


def _stone(stone: int, dwarfs: Mask, empty: Mask) -> Score:
    """Return what the stone's place and its escort are worth."""
    score = ADVANCED[TO_GO[stone]]
    escorts = dwarfs & NEAR[stone]
    score += ESCORTED[escorts.bit_count()]
    if escorts:
        covered = spread(dwarfs) & empty
        reached, front = 0, 1 << stone
        for _ in range(7):
            front = spread(front) & covered & ~reached
            if not front:
                break
            reached |= front
            if front & FAR_SIDE:
                break
        if reached:
            ahead = (reached & -reached).bit_length() - 1
            gained = TO_GO[stone] - TO_GO[ahead]
            if gained > 0:
                score += ROLLING[gained]
    return score


def _closing(stone: int, trolls: Mask, empty: Mask, stops: Mask, safe: Score) -> Score:
    """Return what the trolls' hunt for the stone is worth; they may end only on some squares."""
    score = 0
    for area, worth in WITHIN[stone]:
        score += worth * (area & trolls).bit_count()
    near = NEAR[stone]
    beside = (near & trolls).bit_count()
    room = near & stops
    if beside + room.bit_count() < TROLLS_NEEDED:
        return score - safe
    coming = (reaching(room, empty, TROLL_REACH) & trolls & ~near).bit_count()
    return score + THREATS[beside if beside < 3 else 3][coming if coming < 3 else 3]


def football_score(state: State) -> Score:
    """Return what a state of Football is worth for the dwarfs."""
    dwarfs, trolls, _, stone = state
    ball = 1 << stone
    empty = BOARD & ~(dwarfs | trolls | ball)
    near = NEAR[stone]
    score = ESCORTED[(dwarfs & near).bit_count()] + UPFIELD * (7 - TO_GO[stone])
    score -= _closing(stone, trolls, empty, empty & ~EDGE, 0)
    covered = spread(dwarfs) & empty
    lanes = seen(covered & FAR_SIDE, empty)
    if dwarfs & near:
        landings = seen(ball, empty) & covered
        score += PASSES * min((landings & lanes).bit_count(), 5)
        if landings & FAR_SIDE:
            score += SHOT
    return score + LANE * lanes.bit_count()
