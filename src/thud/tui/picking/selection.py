"""Picking a move square by square: from a picked piece to a complete move.

Values, independent of Textual: each choice of a square gives another `Selection`, or the move once
it is complete.  Every choice of captures that the rules leave to the player is offered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeAlias

from thud.rules.geometry import Mask, Square, bit, square_name
from thud.rules.moves import HOPS
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Kind, Variant

_Stop: TypeAlias = tuple[Square, Mask]
"""A stop on a trampling route: the square reached and all captures so far."""


class CaptureChoice(NamedTuple):
    """The victims chosen at a destination; as many as possible to begin with."""

    moves: Sequence[Move]
    """The legal moves to choose from."""
    taken: Mask

    @property
    def destination(self) -> Square:
        """Where the piece is put down."""
        return self.moves[0].destination

    @property
    def victims(self) -> Mask:
        """Everything that one of the moves captures."""
        return reduce(or_, (move.captures for move in self.moves))

    def is_legal(self, captures: Mask) -> bool:
        """Whether exactly some of the victims can be captured."""
        return any(move.captures == captures for move in self.moves)

    def toggle(self, square: Square) -> CaptureChoice:
        """Take a victim or spare it; if only one may be taken, it replaces the other.

        Raises:
            IllegalMove: the square holds no victim.
        """
        if not self.victims >> square & 1:
            raise IllegalMove(f"there is nothing to capture on {square_name(square)}")
        taken = self.taken ^ bit(square)
        alone = taken & bit(square)
        replaces = self.is_legal(alone) and not self.is_legal(taken)
        return self._replace(taken=alone if replaces else taken)


class PickedPiece:
    """A piece that is picked up; on a trampling route it has moved and captured already.

    Args:
        variant: the game.
        position: the position in which it is picked up.
        moves: all its legal moves.
        path: the stops on its trampling route, from its origin.
        choice: the open choice of captures, if any.

    Attributes:
        origin: where the piece was picked up.
        at: where it is: its origin, or as far as it has trampled.
        captured: dwarfs trampled so far.
        moves: its moves, or while choosing captures those to choose from.
        choice: the open choice of captures, if any.
        destinations: where it can be put down now, with the moves that end there.
    """

    def __init__(
        self,
        variant: Variant,
        position: Position,
        moves: Sequence[Move],
        path: Sequence[_Stop] = (),
        choice: CaptureChoice | None = None,
    ) -> None:
        self._variant = variant
        self._position = position
        self._all_moves = moves
        self.moves = choice.moves if choice else moves
        self.origin = moves[0].origin
        self._path = path or ((self.origin, 0),)
        self.at, self.captured = self._path[-1]
        self.choice = choice
        self._direct: dict[Square, list[Move]] = defaultdict(list)
        """The moves that go straight to a square."""
        self._routes = set[_Stop]()
        """The ends of its trampling routes; any prefix of a route is a route."""
        for move in moves:
            if variant.kind(position, move) is Kind.TRAMPLE:
                self._routes.add((move.destination, move.captures))
            else:
                self._direct[move.destination].append(move)
        self.destinations: dict[Square, list[Move]] = defaultdict(list)
        if not choice:
            reached, frontier = set[_Stop](), [self._path[-1]]
            while frontier:
                onward = set(self._onward(frontier.pop())) - reached
                reached |= onward
                frontier += onward
            for square, captured in reached:
                self.destinations[square].append(Move(self.origin, square, captured))
            if not self.captured:
                self.destinations.update(self._direct)

    def _onward(self, stop: _Stop) -> list[_Stop]:
        """Return the stops one hop further."""
        if not self._routes:
            return []
        at, captured = stop
        hops = [
            (landing, captured | bit(victim))
            for victim, landing in HOPS[at]
            if not captured >> victim & 1
        ]
        return [hop for hop in hops if hop in self._routes]

    def _hop_to(self, square: Square) -> _Stop | None:
        return next((stop for stop in self._onward(self._path[-1]) if stop[0] == square), None)

    def captures_at(self, square: Square) -> Mask:
        """Return everything that can be captured by putting the piece down on a square."""
        if self.choice:
            return self.choice.taken
        if square == self.at:
            return self.captured
        if hop := self._hop_to(square):
            return hop[1]
        return reduce(or_, (move.captures for move in self.destinations.get(square, ())), 0)

    def takes(self, square: Square) -> bool:
        """Whether the piece can be put down on a square now."""
        if self.choice:
            return square == self.choice.destination
        return bool(self.captured) if square == self.at else square in self.destinations

    def completes(self, square: Square) -> bool:
        """Whether putting the piece down on a square completes the move."""
        try:
            return self.takes(square) and isinstance(self.put_down(square), Move)
        except IllegalMove:
            return False  # several routes end there

    def put_down(self, square: Square) -> PickedPiece | Move:
        """Put the piece down; return the move, or the piece if there is more to choose.

        Raises:
            IllegalMove: the piece cannot go there, or the choice is not legal; says why.
        """
        if self.choice:
            return self.confirm()
        if square == self.at and self.captured:
            return Move(self.origin, square, self.captured)
        if not self.captured and square in self._direct:
            moves = self._direct[square]
            most = max((move.captures for move in moves), key=int.bit_count)
            return moves[0] if len(moves) == 1 else self.chosen(CaptureChoice(moves, most))
        # The next hop of a trample, or a square that only one route leads to.
        moves, stop = self.destinations.get(square, []), self._hop_to(square)
        if not stop:
            there = square_name(square)
            if len(moves) > 1:
                raise IllegalMove(f"several trampling routes end on {there}: go hop by hop")
            if not moves and self.captured:
                here = square_name(self.at)
                raise IllegalMove(f"no trampling hop leads from {here} to {there}")
            if not moves:
                move = Move(self.origin, square)
                raise IllegalMove(self._variant.why_not(self._position, move))
            stop = square, moves[0].captures
        if self._onward(stop):
            return self._with((*self._path, stop))
        return Move(self.origin, *stop)

    def take_all(self, square: Square) -> PickedPiece | Move:
        """Put the piece down and capture all victims; leave a choice open if not all can be."""
        put = self if self.choice else self.put_down(square)
        choice = put.choice if isinstance(put, PickedPiece) else None
        if choice and choice.is_legal(choice.victims):
            return self.chosen(choice._replace(taken=choice.victims)).confirm()
        return put

    def _with(self, path: Sequence[_Stop], choice: CaptureChoice | None = None) -> PickedPiece:
        return PickedPiece(self._variant, self._position, self._all_moves, path, choice)

    def chosen(self, choice: CaptureChoice) -> PickedPiece:
        """Return the piece with another choice of captures."""
        return self._with(self._path, choice)

    def confirm(self) -> Move:
        """Return the move with the captures chosen.

        Raises:
            IllegalMove: the choice is not legal, such as an empty shove; says why.
        """
        assert self.choice
        move = self.choice.moves[0]._replace(captures=self.choice.taken)
        self._variant.check(self._position, move)
        return move

    def back(self) -> PickedPiece | None:
        """Undo the last choice, of captures or of a hop; return None if there was none."""
        if self.choice:
            return self._with(self._path)
        return self._with(self._path[:-1]) if len(self._path) > 1 else None


class Selection(NamedTuple):
    """Picking a move in one position."""

    variant: Variant
    position: Position
    moves: Mapping[Square, Sequence[Move]]
    """The legal moves by their origins."""
    picked: PickedPiece | None = None
    """The piece picked up, if any."""

    @classmethod
    def empty(cls, variant: Variant, position: Position) -> Selection:
        """Return the selection in a position, with nothing picked up."""
        moves: dict[Square, list[Move]] = defaultdict(list)
        for move in variant.legal_moves(position):
            moves[move.origin].append(move)
        return cls(variant, position, dict(moves))

    @property
    def movable(self) -> list[Square]:
        """The squares of the pieces that can move, in reading order."""
        return sorted(self.moves)

    def choose(self, square: Square) -> Selection | Move:
        """Choose a square: pick up, put down, put back or continue a choice.

        Returns:
            The move, once it is complete; until then the selection.

        Raises:
            IllegalMove: the square cannot be chosen; says why.
        """
        piece = self.picked
        if piece is None:
            return self.pick_up(square)
        if not piece.takes(square):
            if square == piece.origin:
                return self.let_go()
            if square in self.moves:
                return self.pick_up(square)
        return self._put(piece.put_down(square))

    def take_all(self, square: Square) -> Selection | Move:
        """Put the picked piece down and capture everything there."""
        return self._put(self.picked.take_all(square)) if self.picked else self

    def _put(self, put: PickedPiece | Move) -> Selection | Move:
        return self._replace(picked=put) if isinstance(put, PickedPiece) else put

    def pick_up(self, square: Square) -> Selection:
        """Pick up a piece, replacing the one picked before.

        Raises:
            IllegalMove: the player cannot move a piece from the square; says why.
        """
        if piece := self.peek(square):
            return self._replace(picked=piece)
        side = self.position.to_move
        if self.position.pieces(side) >> square & 1:
            raise IllegalMove(f"the {side.singular} on {square_name(square)} cannot move now")
        raise IllegalMove(self.variant.why_not(self.position, Move(square, square)))

    def peek(self, square: Square) -> PickedPiece | None:
        """Return the piece on a square as it would be picked up, or None if it cannot move."""
        moves = self.moves.get(square)
        return PickedPiece(self.variant, self.position, moves) if moves else None

    def let_go(self) -> Selection:
        """Put the picked piece back where it stood."""
        return self._replace(picked=None)

    def back(self) -> Selection:
        """Undo the last choice, and finally the picking up."""
        return self._replace(picked=self.picked and self.picked.back())
