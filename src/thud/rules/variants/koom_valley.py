"""Koom Valley Thud: the Rock, dwarfs that trap and trolls that trample.

Rules: Trevor Truran, "Koom Valley Thud" (2005).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from thud.rules.geometry import BOARD, Mask, listed, square_name, squares_of, subsets_of
from thud.rules.moves import (
    can_roll,
    count_slides,
    rolls,
    sliders_to,
    slides,
    tramples,
    trap_squares,
    trapped,
    way_between,
)
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import obstacle
from thud.rules.valley import TROLL_REACH, Valley, explain_reach, explain_roll
from thud.rules.variant import HandicapPieces, Kind, Odds, on_board

ROCK_REACH: Final = 1


class KoomValley(Valley):
    """Dwarfs slide, trap and move the Rock; trolls move up to three squares or trample."""

    name = core = "koom"
    title = "Koom Valley"
    short = "Koom Valley"
    stone = "Rock"
    # The computer's network is made to say these odds, and nearly does.
    odds = Odds(400, 600, slack=300, usual=(40, 58, 85))
    gist = "dwarfs push a rock across, trolls stop it"
    summary = (
        "Dwarfs run any distance in a straight line. They capture a troll by trapping it: dwarf, "
        "troll, dwarf, side by side in one line.\n"
        "Or they move the Rock one square, if a dwarf is next to it before and after. They win "
        "when it reaches the far side: F1, G1, H1, J1 or K1.\n"
        "Trolls move up to three squares in a straight line, or trample: they jump over a dwarf "
        "next to them onto the empty square behind it, capture it, and can jump on from there. "
        "They win when three of them are next to the Rock after their move.\n"
        "You swap sides for the second battle. A win counts 1, a draw 0.5."
    )

    handicaps = MappingProxyType(
        {
            Side.DWARFS: HandicapPieces("H15 C12 N12 E14 L14 A10 P10", (1, 3, 5, 7)),
            Side.TROLLS: HandicapPieces("H2 H3 E3 L3", (1, 2, 3, 4)),
        }
    )

    def generate(self, position: Position, origins: Mask, destinations: Mask = BOARD) -> list[Move]:
        """List the moves from given squares to others."""
        if position.to_move is Side.TROLLS:
            origins &= position.trolls
            moves = slides(origins, position.occupied, TROLL_REACH, destinations)
            for origin in squares_of(origins):
                moves += tramples(position, origin)
            return moves
        moves = slides(origins & position.dwarfs, position.occupied, stops=destinations)
        if traps := trap_squares(position):
            moves = [choice for move in moves for choice in _with_traps(position, move, traps)]
        if origins >> position.stone & 1:
            moves += rolls(position, ROCK_REACH, destinations)
        return moves

    def is_legal(self, position: Position, move: Move) -> bool:
        """Whether a move is legal; few moves are listed, which is quicker."""
        origin, destination, captures = move
        if not on_board(move) or self.decided(position):
            return False
        if position.to_move is Side.TROLLS and captures:
            return bool(position.trolls >> origin & 1) and move in tramples(position, origin)
        way = way_between(origin, destination)
        if way is None or way.squares & position.occupied:
            return False
        if position.to_move is Side.TROLLS:
            return bool(position.trolls >> origin & 1) and way.distance <= TROLL_REACH
        if origin == position.stone:
            return not captures and can_roll(position, way, destination, ROCK_REACH)
        free = captures and captures & ~trapped(position, destination)
        return bool(position.dwarfs >> origin & 1) and not free

    def count(self, position: Position) -> int:
        """Count the moves of the side to move without listing them."""
        occupied = position.occupied
        if position.to_move is Side.TROLLS:
            count = count_slides(position.trolls, occupied, TROLL_REACH)
            return count + sum(len(tramples(position, s)) for s in squares_of(position.trolls))
        count = count_slides(position.dwarfs, occupied) + len(rolls(position, ROCK_REACH))
        for square in squares_of(trap_squares(position)):
            dwarfs = sliders_to(square, position.dwarfs, occupied).bit_count()
            count += dwarfs * ((1 << trapped(position, square).bit_count()) - 1)
        return count

    def kind(self, position: Position, move: Move) -> Kind:
        """Return the kind of a legal move."""
        if move.origin == position.stone:
            return Kind.ROLL
        if not move.captures:
            return Kind.MOVE
        return Kind.TRAP if position.to_move is Side.DWARFS else Kind.TRAMPLE

    def explain(self, position: Position, move: Move) -> str:
        """Say why a move of the right side's piece is illegal."""
        if move.origin == position.stone:
            return explain_roll(position, move, self.stone, ROCK_REACH)
        if position.to_move is Side.DWARFS:
            return self._explain_dwarf(position, move)
        return self._explain_troll(position, move)

    def _explain_dwarf(self, position: Position, move: Move) -> str:
        if blocked := obstacle(position, move, self.stone):
            return blocked
        free = move.captures & ~trapped(position, move.destination)
        where = square_name(move.destination)
        return (
            f"no troll is trapped on {listed(free, 'or')}: "
            f"a trapped troll stands between {where} and another dwarf, adjacent to both"
        )

    def _explain_troll(self, position: Position, move: Move) -> str:
        if move.captures:
            where, taken = square_name(move.destination), listed(move.captures)
            return f"no trampling route captures {taken} alone and ends on {where}"
        if blocked := obstacle(position, move, self.stone):
            return blocked
        return explain_reach(move)


def _with_traps(position: Position, move: Move, traps: Mask) -> list[Move]:
    """Return a dwarf's move with every possible choice of captures."""
    if not traps >> move.destination & 1:
        return [move]
    choices = subsets_of(trapped(position, move.destination))
    return [move._replace(captures=captures) for captures in choices]


KOOM_VALLEY: Final = KoomValley()
