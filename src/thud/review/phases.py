"""The phases of a battle: what each brought, and when the battle was decided."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from thud.review.judgement import CHANCES, Mark
from thud.review.summary import Reviewed
from thud.rules.position import Position, Side


class Phase(Enum):
    """A phase of a battle; the value is its last turn."""

    OPENING = 15
    MIDDLE = 40
    END = 10_000

    @property
    def words(self) -> str:
        """Its name."""
        return {Phase.OPENING: "turns 1 to 15", Phase.MIDDLE: "16 to 40", Phase.END: "later"}[self]


def phase_of(turn: int) -> Phase:
    """Return the phase of a turn, from 1."""
    return next(phase for phase in Phase if turn <= phase.value)


class Course(NamedTuple):
    """What a phase brought."""

    first: int
    """Its first turn."""
    last: int
    captured: dict[Side, int]
    """Pieces captured, by their side."""
    fed: int
    """Dwarfs captured by the reply to the move that brought them there, and that took nothing."""


def courses(reviewed: Reviewed) -> Iterator[Course]:
    """Yield what each phase brought in which something was played."""
    positions, battle = list(reviewed.battle.positions()), reviewed.battle
    moves = battle.moves
    for phase in Phase:
        plies = [ply for ply in range(len(moves)) if phase_of(battle.turn(ply)) is phase]
        if not plies:
            return
        steps = [(positions[ply], positions[ply + 1]) for ply in plies]
        captured = {side: sum(_lost(side, *step) for step in steps) for side in Side}
        fed = sum(
            positions[ply].to_move is Side.DWARFS
            and not moves[ply].captures
            and moves[ply + 1].captures >> moves[ply].destination & 1
            for ply in plies
            if ply + 1 < len(moves)
        )
        yield Course(battle.turn(plies[0]), battle.turn(plies[-1]), captured, fed)


def _lost(side: Side, before: Position, after: Position) -> int:
    return before.pieces(side).bit_count() - after.pieces(side).bit_count()


LEAD: Final = 4.0
"""Least expected lead that decides a battle, in points."""


def decided(reviewed: Reviewed) -> tuple[int, Side] | None:
    """Return the turn from which on one side was clearly ahead, and that side; None if none was.

    It is ahead by `LEAD`, or by a blunder's chance of winning; None, too, where moves are missing,
    and where that is so from the first move on, as between equals it is in Classic.
    """
    if not reviewed.moves or not reviewed.complete:
        return None
    least = LEAD if reviewed.variant.counts_points else CHANCES[Mark.BLUNDER]
    leads = [reviewed.lead_after(move) for move in reviewed.moves]
    sign = 1 if leads[-1] > 0 else -1
    ahead = [sign * lead >= least for lead in leads]
    if not ahead[-1] or all(ahead):
        return None
    since = len(ahead) - ahead[::-1].index(False)
    winner = Side.DWARFS if sign > 0 else Side.TROLLS
    return reviewed.battle.turn(reviewed.moves[since].ply), winner
