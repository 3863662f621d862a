"""The evaluation of Koom Valley and Football, in hundredths of a dwarf.

The goals decide, so most terms are about the stone: how far it has come, how far it could roll with
the dwarfs where they are, and how many trolls are beside it or could be there next.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.ai.bitboards import NEAR, SquareTable, reaching, seen, spread
from thud.ai.game import State
from thud.ai.scores import Score
from thud.ai.valley.moves import hanging, trap_squares
from thud.rules.geometry import BOARD, EDGE, SQUARES, Mask, Square, distance, mask_of
from thud.rules.valley import FAR_SIDE, TROLL_REACH, TROLLS_NEEDED, squares_to_go

REACHES: Final = (2, 3, 4, 5, 6, 8)
"""Distances from the stone within which trolls count."""

SUPPORTS: Final = (2, 4)
"""Distances from the stone within which dwarfs count."""


class Weights(NamedTuple):
    """The weight of each term of the evaluation; 0 for terms a game does not use."""

    escorted: tuple[Score, ...]
    """Scores by the number of dwarfs beside the stone."""
    threats: tuple[tuple[Score, ...], ...]
    """Scores by the trolls beside the stone (row) and those able to come next (column)."""
    reached: tuple[Score, ...]
    """For each troll within each of the `REACHES`."""
    dwarf: Score = 0
    troll: Score = 0
    even: Score = 0
    """Makes the start roughly even."""
    helpless: Score = 0
    """Trolls too few to win."""
    safe: Score = 0
    """A stone without room beside it for three trolls."""
    hanging: Score = 0
    """A dwarf that a troll can take."""
    upfield: Score = 0
    """For each square the ball has come nearer."""
    passes: Score = 0
    """A square the ball can roll to, and from there to the far side."""
    shot: Score = 0
    """A ball that can roll to the far side."""
    lane: Score = 0
    """For each square from which a ball could roll to the far side."""
    trappable: Score = 0
    """With the trolls to move, for each square where the dwarfs could trap a troll."""
    advanced: tuple[Score, ...] = (0,) * 16
    """Scores by the stone's distance from the far side."""
    rolling: tuple[Score, ...] = (0,) * 16
    """Scores by the squares the stone can gain with the dwarfs where they are."""
    supported: tuple[Score, ...] = (0,) * len(SUPPORTS)
    """For each dwarf within each of the `SUPPORTS`."""


KOOM_WEIGHTS: Final = Weights(
    escorted=(-80, 0, 25, 40, 50, 50, 50, 50, 50),
    threats=((0, 10, 30, 70), (40, 60, 110, 150), (120, 330, 360, 400), (600, 600, 600, 600)),
    reached=(14, 10, 8, 8, 6, 6),
    dwarf=100,
    troll=300,
    even=800,
    helpless=800,
    safe=80,
    hanging=30,
    trappable=10,
    advanced=(900, *(110 * (7 - squares) for squares in range(1, 16))),
    rolling=(0, 45, 80, 110, 130, 150, 170, 190, 210, 230, 250, 250, 250, 250, 250, 250),
    supported=(8, 8),
)

FOOTBALL_WEIGHTS: Final = Weights(
    escorted=(-80, 42, 39, -8, -25, -114, -12, -14, 50),
    threats=((-53, -25, -28, -33), (-59, -53, -25, 23), (-3, 330, 360, 400), (600, 600, 600, 600)),
    reached=(34, -5, 2, 22, -4, -4),
    upfield=20,
    passes=28,
    shot=150,
    lane=2,
)
"""Fitted to battle results by tools/tune_weights.py."""

TO_GO: Final = [squares_to_go(s) if s in SQUARES else 15 for s in range(256)]
"""Distance of each square from the far side."""


def _rings(reaches: tuple[int, ...]) -> SquareTable[tuple[Mask, ...]]:
    """Return the areas around the stone within each distance."""

    def about(stone: Square) -> tuple[Mask, ...]:
        away = {square: distance(stone, square) for square in SQUARES}
        return tuple(mask_of(*(s for s in SQUARES if away[s] <= reach)) for reach in reaches)

    return SquareTable(about)


WITHIN: Final = _rings(REACHES)
SUPPORT: Final = _rings(SUPPORTS)


def koom_score(state: State, weights: Weights) -> Score:
    """Return the evaluation of a Koom Valley state, for the dwarfs."""
    dwarfs, trolls, side, stone = state
    rock = 1 << stone
    empty = BOARD & ~(dwarfs | trolls | rock)
    score = weights.even + weights.dwarf * dwarfs.bit_count()
    score -= weights.troll * trolls.bit_count()
    if trolls.bit_count() < TROLLS_NEEDED:
        score += weights.helpless
    score += _stone(stone, dwarfs, empty, weights)
    score -= _closing(stone, trolls, empty, empty, weights)
    victims = hanging(dwarfs, trolls, empty)
    if victims and not side:
        score -= weights.hanging * victims.bit_count()
    if side:
        score += weights.trappable * trap_squares(dwarfs, trolls, empty).bit_count()
    for area, worth in zip(SUPPORT[stone], weights.supported, strict=True):
        score += worth * (area & dwarfs).bit_count()
    return score


def _stone(stone: int, dwarfs: Mask, empty: Mask, weights: Weights) -> Score:
    """Return the score of the stone's place and its escort."""
    score = weights.advanced[TO_GO[stone]]
    escorts = dwarfs & NEAR[stone]
    score += weights.escorted[escorts.bit_count()]
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
                score += weights.rolling[gained]
    return score


def _closing(stone: int, trolls: Mask, empty: Mask, stops: Mask, weights: Weights) -> Score:
    """Return the score, for the trolls, of their hunt; `stops` are squares they may end on."""
    score = 0
    for area, worth in zip(WITHIN[stone], weights.reached, strict=True):
        score += worth * (area & trolls).bit_count()
    near = NEAR[stone]
    beside = (near & trolls).bit_count()
    room = near & stops
    if beside + room.bit_count() < TROLLS_NEEDED:
        return score - weights.safe
    coming = (reaching(room, empty, TROLL_REACH) & trolls & ~near).bit_count()
    return score + weights.threats[beside if beside < 3 else 3][coming if coming < 3 else 3]


def football_score(state: State, weights: Weights) -> Score:
    """Return the evaluation of a Football state, for the dwarfs."""
    dwarfs, trolls, _, stone = state
    ball = 1 << stone
    empty = BOARD & ~(dwarfs | trolls | ball)
    near = NEAR[stone]
    score = weights.escorted[(dwarfs & near).bit_count()] + weights.upfield * (7 - TO_GO[stone])
    score -= _closing(stone, trolls, empty, empty & ~EDGE, weights)
    covered = spread(dwarfs) & empty
    lanes = seen(covered & FAR_SIDE, empty)
    if dwarfs & near:
        landings = seen(ball, empty) & covered
        score += weights.passes * min((landings & lanes).bit_count(), 5)
        if landings & FAR_SIDE:
            score += weights.shot
    return score + weights.lane * lanes.bit_count()
