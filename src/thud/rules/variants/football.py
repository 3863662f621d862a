"""Koom Valley Football: the Ball rolls any distance, and nothing is captured.

Rules: Dmitry and Valentin Chelnokov, "Koom Valley Football" (2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thud.rules.geometry import (
    ADJACENT,
    BOARD,
    EDGE,
    Mask,
    distance,
    mask_of,
    square_name,
    squares_of,
)
from thud.rules.moves import can_roll, count_slides, rolls, slides, way_between
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import obstacle
from thud.rules.valley import FAR_SIDE, TROLL_REACH, Valley, explain_reach, explain_roll
from thud.rules.variant import Gain, Kind, Merit, Odds

TROLL_STOPS: Final = BOARD & ~EDGE


class Football(Valley):
    """Dwarfs slide and roll the Ball; trolls move up to three squares, not onto the edge."""

    name = core = "football"
    title = "Koom Valley Football"
    short = "Football"
    stone = "Ball"
    has_captures = False
    # How a battle ends in which no goal is in sight, the score hardly tells.
    odds = Odds(-2400, 1000, telling=False, slack=20)
    gist = "a race with a ball, and nobody is captured"
    summary = (
        "Dwarfs run any distance in a straight line. Or they move the Ball, just as far, if a "
        "dwarf is next to it before and after. They win when it reaches the far side: F1, G1, H1, "
        "J1 or K1.\n"
        "Trolls move up to three squares in a straight line, but never stop on the edge of the "
        "board. They win when three of them are next to the Ball after their move.\n"
        "Nothing is captured. You swap sides for the second battle. A win counts 1, a draw 0.5."
    )

    def generate(self, position: Position, origins: Mask, destinations: Mask = BOARD) -> list[Move]:
        """List the moves from given squares to others."""
        if position.to_move is Side.TROLLS:
            stops = TROLL_STOPS & destinations
            return slides(origins & position.trolls, position.occupied, TROLL_REACH, stops)
        moves = slides(origins & position.dwarfs, position.occupied, stops=destinations)
        if origins >> position.stone & 1:
            moves += rolls(position, destinations=destinations)
        return moves

    def is_legal(self, position: Position, move: Move) -> bool:
        """Whether a move is legal; no moves are listed, which is quicker."""
        origin, destination, captures = move
        way = way_between(origin, destination)
        if captures or way is None or way.squares & position.occupied or self.decided(position):
            return False
        if position.to_move is Side.TROLLS:
            stops = way.distance <= TROLL_REACH and TROLL_STOPS >> destination & 1
            return bool(position.trolls >> origin & 1 and stops)
        if origin == position.stone:
            return can_roll(position, way, destination)
        return bool(position.dwarfs >> origin & 1)

    def count(self, position: Position) -> int:
        """Count the moves of the side to move without listing them."""
        if position.to_move is Side.TROLLS:
            return count_slides(position.trolls, position.occupied, TROLL_REACH, TROLL_STOPS)
        return count_slides(position.dwarfs, position.occupied) + len(rolls(position))

    def kind(self, position: Position, move: Move) -> Kind:
        """Return the kind of a legal move."""
        return Kind.ROLL if move.origin == position.stone else Kind.MOVE

    def merits(self, before: Position, after: Position) -> Iterator[Merit]:
        """Yield what a move does for the Ball's way, or against it, and for a pass across."""
        yield from super().merits(before, after)
        if awaiting := _awaiting(after) & ~_awaiting(before):
            yield Merit(Gain.AWAITS, awaiting)

    def explain(self, position: Position, move: Move) -> str:
        """Say why a move of the right side's piece is illegal."""
        if move.captures:
            return "nothing is captured in Koom Valley Football"
        if move.origin == position.stone:
            return explain_roll(position, move, self.stone)
        if blocked := obstacle(position, move, self.stone):
            return blocked
        if distance(move.origin, move.destination) > TROLL_REACH:
            return explain_reach(move)
        return f"a troll may not stop on the edge, and {square_name(move.destination)} lies there"


def _awaiting(position: Position) -> Mask:
    """Return the empty squares of the far side with a dwarf beside them, where the Ball can go."""
    empty = squares_of(FAR_SIDE & ~position.occupied)
    return mask_of(*(square for square in empty if ADJACENT[square] & position.dwarfs))


FOOTBALL: Final = Football()
