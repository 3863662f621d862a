"""The rules shared by Koom Valley Thud and Football."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thud.rules.geometry import (
    ADJACENT,
    SIZE,
    Mask,
    Square,
    bit,
    distance,
    mask_of,
    parse_square,
    square_name,
    squares_of,
)
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import obstacle, stuck
from thud.rules.variant import Gain, Merit, Outcome, Reason, Score, Variant
from thud.text import counted, plural

FAR_SIDE: Final = mask_of(*map(parse_square, ("F1", "G1", "H1", "J1", "K1")))
"""The dwarfs' goal for the stone."""

TROLLS_NEEDED: Final = 3
"""Number of trolls beside the stone that hold it."""

_FEW: Final = 3
"""Number of dwarfs that hardly ever bring the stone home, even past two trolls."""

TROLL_REACH: Final = 3
"""Most squares that a troll moves."""

START: Final = Position.from_text(
    "5/1T1T1T1/1TT1T1TT1/11/13/15/15/7R7/7d7/d13d/d11d/d9d/d7d/d5d/ddddd d"
)


class Valley(Variant):
    """A variant in which dwarfs bring the stone to the far side, and three trolls stop it."""

    start = START
    goals = FAR_SIDE

    def decided(self, position: Position) -> Outcome | None:
        """Return the outcome where a goal, or its loss, has ended the battle.

        The trolls hold the stone only after a move of their own: with the dwarfs to move.
        """
        if FAR_SIDE >> position.stone & 1:
            because = f"the {self.stone} stands on the far side"
            return _won(Side.DWARFS, Reason.GOAL, because)
        beside = trolls_beside(position)
        if position.to_move is Side.DWARFS and beside >= TROLLS_NEEDED:
            because = f"{counted(beside, 'troll')} stand next to the {self.stone}"
            return _won(Side.TROLLS, Reason.GOAL, because)
        if not any(self.can_reach_goal(position, side) for side in Side):
            because = "neither side can reach its goal any more"
            return Outcome(None, Reason.NO_GOAL, because, Score(0.5, 0.5))
        return None

    def stuck(self, position: Position) -> Outcome:
        """Return the outcome for a player to move who has no legal move."""
        because = stuck(position)
        if self.can_reach_goal(position, position.to_move.other):
            return _won(position.to_move.other, Reason.NO_MOVES, because)
        return Outcome(None, Reason.NO_MOVES, because, Score(0.5, 0.5))

    def settled(self, position: Position, reason: Reason) -> Outcome:
        """Return a draw: the battle ends as it stands."""
        return Outcome(None, reason, reason.value, Score(0.5, 0.5))

    def can_reach_goal(self, position: Position, side: Side) -> bool:
        """Whether a side still has the pieces for its goal: a dwarf, or three trolls."""
        needed = 1 if side is Side.DWARFS else TROLLS_NEEDED
        return position.pieces(side).bit_count() >= needed

    def progress(self, position: Position) -> tuple[tuple[str, str], ...]:
        """Return the stone's distance from its goal, and the number of trolls beside it."""
        to_go, beside = squares_to_go(position.stone), trolls_beside(position)
        told = f"{beside} of {TROLLS_NEEDED}"
        if beside > TROLLS_NEEDED:
            told = f"{beside}, {TROLLS_NEEDED} win"
        return (
            (f"{self.stone} to goal", f"{to_go} {plural(to_go, 'square')}"),
            ("trolls next to it", told),
        )

    def traits(self, position: Position) -> tuple[float, ...]:
        """Return the pieces left and the stone's way, each as a share of those at the start.

        The last are whether the trolls are too few for their goal, and with them the dwarfs few.
        """
        dwarfs, trolls = (
            position.pieces(side).bit_count() / self.start.pieces(side).bit_count() for side in Side
        )
        to_go = squares_to_go(position.stone) / squares_to_go(self.start.stone)
        safe = not self.can_reach_goal(position, Side.TROLLS)
        return dwarfs, trolls, to_go, safe, safe and position.dwarfs.bit_count() <= _FEW

    def merits(self, before: Position, after: Position) -> Iterator[Merit]:
        """Yield what a move does for the stone's way, or against it."""
        side = before.to_move
        if squares_to_go(after.stone) < squares_to_go(before.stone):
            yield Merit(Gain.NEARER)
        beside = ADJACENT[after.stone] & after.pieces(side)
        if beside.bit_count() > (ADJACENT[before.stone] & before.pieces(side)).bit_count():
            yield Merit(Gain.BESIDE, beside)
        could, can = self._forward(before), self._forward(after)
        if side is Side.DWARFS and before.stone == after.stone and can & ~could:
            yield Merit(Gain.OPENS, _nearest(can & ~could))
        if side is Side.TROLLS and could & ~can:
            yield Merit(Gain.DENIES, _nearest(could & ~can))
        close, closer = self._close(before), self._close(after)
        if side is Side.TROLLS and closer.bit_count() > close.bit_count():
            yield Merit(Gain.CLOSES_IN, closer)
        if side is Side.DWARFS and closer.bit_count() < close.bit_count():
            yield Merit(Gain.GETS_AWAY, closer)

    def _forward(self, position: Position) -> Mask:
        """Return the squares nearer the far side to which the dwarfs could move the stone."""
        turn, stone = position._replace(to_move=Side.DWARFS), position.stone
        ends = (move.destination for move in self.generate(turn, bit(stone)))
        return mask_of(*(end for end in ends if squares_to_go(end) < squares_to_go(stone)))

    def _close(self, position: Position) -> Mask:
        """Return the trolls that stand beside the stone, or could with one move."""
        beside, trolls = ADJACENT[position.stone], position.trolls
        turn = position._replace(to_move=Side.TROLLS)
        moves = self.generate(turn, trolls & ~beside, beside)
        return mask_of(*(m.origin for m in moves if beside >> m.destination & 1)) | trolls & beside

    def lead(self, position: Position) -> float:
        """Return the squares that the stone has come nearer, minus the trolls beside it.

        Where the trolls have won, it is its whole way, for them.
        """
        whole_way = squares_to_go(self.start.stone)
        outcome = self.decided(position)
        if outcome and outcome.winner is Side.TROLLS:
            return -whole_way
        return whole_way - squares_to_go(position.stone) - trolls_beside(position)


def _won(winner: Side, reason: Reason, because: str) -> Outcome:
    score = Score(1, 0) if winner is Side.DWARFS else Score(0, 1)
    return Outcome(winner, reason, because, score)


def _nearest(squares: Mask) -> Mask:
    """Return those of some squares that are nearest to the far side."""
    fewest = min(map(squares_to_go, squares_of(squares)))
    return mask_of(*(s for s in squares_of(squares) if squares_to_go(s) == fewest))


def trolls_beside(position: Position) -> int:
    """Return the number of trolls adjacent to the stone."""
    return (ADJACENT[position.stone] & position.trolls).bit_count()


def squares_to_go(stone: Square) -> int:
    """Return the king's-move distance from a square to the far side."""
    return min(distance(stone, goal) for goal in squares_of(FAR_SIDE))


def explain_roll(position: Position, move: Move, stone: str, reach: int = SIZE) -> str:
    """Say why a move of the stone is illegal."""
    where = square_name(move.destination)
    if position.to_move is Side.TROLLS:
        return f"only the dwarfs move the {stone}"
    if not ADJACENT[move.origin] & position.dwarfs:
        return f"no dwarf is adjacent to the {stone} to move it"
    if blocked := obstacle(position, move, stone):
        return blocked
    if (away := distance(move.origin, move.destination)) > reach:
        limit = counted(reach, "square")
        return f"the {stone} moves {limit}, and {where} is {counted(away, 'square')} away"
    if move.captures:
        return f"the {stone} captures nothing"
    return f"no dwarf would be adjacent to the {stone} on {where}"


def explain_reach(move: Move) -> str:
    """Say that a troll cannot go so far."""
    where, away = square_name(move.destination), distance(move.origin, move.destination)
    limit = counted(TROLL_REACH, "square")
    return f"a troll moves up to {limit}, and {where} is {counted(away, 'square')} away"
