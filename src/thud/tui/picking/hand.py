"""Picking a move square by square: from a piece in hand to a complete move.

Values, independent of Textual: each choice of a square gives another `Hand`, or the move once it is
complete.  Every choice of captures that the rules leave to the player is offered.
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

    @property
    def all_at_once(self) -> bool:
        """Whether one move captures every victim."""
        return self._is_legal(self.victims)

    @property
    def none_at_all(self) -> bool:
        """Whether the piece may land there without capturing."""
        return self._is_legal(0)

    def _is_legal(self, captures: Mask) -> bool:
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
        replaces = self._is_legal(alone) and not self._is_legal(taken)
        return self._replace(taken=alone if replaces else taken)


class _Piece(NamedTuple):
    """A piece that can be picked up, and its moves."""

    variant: Variant
    position: Position
    moves: Sequence[Move]
    direct: Mapping[Square, list[Move]]
    """The moves that go straight to a square."""
    routes: frozenset[_Stop]
    """The ends of its trampling routes."""

    @classmethod
    def of(cls, variant: Variant, position: Position, moves: Sequence[Move]) -> _Piece:
        direct: dict[Square, list[Move]] = defaultdict(list)
        routes = set[_Stop]()
        for move in moves:
            if variant.kind(position, move) is Kind.TRAMPLE:
                routes.add((move.destination, move.captures))
            else:
                direct[move.destination].append(move)
        return cls(variant, position, moves, direct, frozenset(routes))

    def onward(self, stop: _Stop) -> list[_Stop]:
        """Return the stops one hop further; any prefix of a trampling route is a route."""
        at, captured = stop
        hops = [
            (landing, captured | bit(victim))
            for victim, landing in HOPS[at]
            if not captured >> victim & 1
        ]
        return [hop for hop in hops if hop in self.routes]

    def reachable(self, stop: _Stop) -> set[_Stop]:
        """Return every stop of the routes onward from one."""
        reached: set[_Stop] = set()
        frontier = [stop]
        while frontier:
            onward = set(self.onward(frontier.pop())) - reached
            reached |= onward
            frontier += onward
        return reached


class Grip:
    """A piece in hand; on a trampling route it has moved and captured already.

    Attributes:
        origin: where the piece was picked up.
        at: where it is: its origin, or as far as it has trampled.
        captured: dwarfs trampled so far.
        choice: the open choice of captures, if any.
        destinations: where it can be put down now, with the moves that end there.
    """

    def __init__(
        self, piece: _Piece, trail: Sequence[_Stop] = (), choice: CaptureChoice | None = None
    ) -> None:
        self._piece = piece
        self.origin = piece.moves[0].origin
        self._trail = trail or ((self.origin, 0),)
        self.at, self.captured = self._trail[-1]
        self.choice = choice
        self.destinations: Mapping[Square, Sequence[Move]] = {} if choice else self._places()

    def _places(self) -> Mapping[Square, Sequence[Move]]:
        piece = self._piece
        places: dict[Square, list[Move]] = {}
        if piece.routes:
            for square, captured in piece.reachable(self._trail[-1]):
                places.setdefault(square, []).append(Move(self.origin, square, captured))
        return places if self.captured else {**places, **piece.direct}

    @property
    def moves(self) -> Sequence[Move]:
        """All moves of the piece, or while choosing captures, the moves to choose from."""
        return self.choice.moves if self.choice else self._piece.moves

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
        if square == self.at:
            return bool(self.captured)
        if not self.captured and square in self._piece.direct:
            return len(self._piece.direct[square]) == 1
        moves = self.destinations.get(square)
        return bool(moves) and not self._piece.onward(self._stop_at(square))

    def put_down(self, square: Square) -> Grip | Move:
        """Put the piece down; return the move, or the piece in hand if there is more to choose.

        Raises:
            IllegalMove: the piece cannot go there, or the choice is not legal; says why.
        """
        if self.choice:
            return self.confirm()
        if square == self.at and self.captured:
            return Move(self.origin, square, self.captured)
        if not self.captured and square in self._piece.direct:
            moves = self._piece.direct[square]
            return moves[0] if len(moves) == 1 else self._choosing(moves)
        return self._trample_to(square)

    def take_all(self, square: Square) -> Grip | Move:
        """Put the piece down and capture all victims; leave a choice open if not all can be."""
        put = self if self.choice else self.put_down(square)
        if isinstance(put, Grip) and put.choice and put.choice.all_at_once:
            return put.chosen(put.choice._replace(taken=put.choice.victims)).confirm()
        return put

    def chosen(self, choice: CaptureChoice) -> Grip:
        """Return the piece with another choice of captures."""
        return Grip(self._piece, self._trail, choice)

    def confirm(self) -> Move:
        """Return the move with the captures chosen.

        Raises:
            IllegalMove: the choice is not legal, such as an empty shove; says why.
        """
        assert self.choice
        move = self.choice.moves[0]._replace(captures=self.choice.taken)
        self._piece.variant.check(self._piece.position, move)
        return move

    def back(self) -> Grip | None:
        """Undo the last choice, of captures or of a hop; return None if there was none."""
        if self.choice:
            return Grip(self._piece, self._trail)
        return Grip(self._piece, self._trail[:-1]) if len(self._trail) > 1 else None

    def _choosing(self, moves: Sequence[Move]) -> Grip:
        most = max((move.captures for move in moves), key=int.bit_count)
        return self.chosen(CaptureChoice(moves, most))

    def _trample_to(self, square: Square) -> Grip | Move:
        """Trample to the next hop, or to a square that only one route leads to."""
        moves = self.destinations.get(square, ())
        hop = self._hop_to(square)
        if not hop and len(moves) > 1:
            where = square_name(square)
            raise IllegalMove(f"several trampling routes end on {where}: go hop by hop")
        if not hop and not moves and self.captured:
            here, there = square_name(self.at), square_name(square)
            raise IllegalMove(f"no trampling hop leads from {here} to {there}")
        if not hop and not moves:
            position = self._piece.position
            raise IllegalMove(self._piece.variant.why_not(position, Move(self.origin, square)))
        stop = self._stop_at(square)
        if self._piece.onward(stop):
            return Grip(self._piece, (*self._trail, stop))
        return Move(self.origin, *stop)

    def _hop_to(self, square: Square) -> _Stop | None:
        onward = self._piece.onward(self._trail[-1]) if self._piece.routes else ()
        return next((stop for stop in onward if stop[0] == square), None)

    def _stop_at(self, square: Square) -> _Stop:
        """Return the stop on a destination: one hop away, or the end of the only route."""
        return self._hop_to(square) or (square, self.destinations[square][0].captures)


class Hand(NamedTuple):
    """Picking a move in one position; `grip` is None while nothing is held."""

    variant: Variant
    position: Position
    moves: Mapping[Square, Sequence[Move]]
    """The legal moves by their origins."""
    grip: Grip | None = None

    @classmethod
    def empty(cls, variant: Variant, position: Position) -> Hand:
        """Return an empty hand in a position."""
        moves: dict[Square, list[Move]] = defaultdict(list)
        for move in variant.legal_moves(position):
            moves[move.origin].append(move)
        return cls(variant, position, dict(moves))

    @property
    def movable(self) -> list[Square]:
        """The squares of the pieces that can move, in reading order."""
        return sorted(self.moves)

    def choose(self, square: Square) -> Hand | Move:
        """Choose a square: pick up, put down, put back or continue a choice.

        Returns:
            The move, once it is complete; until then the hand.

        Raises:
            IllegalMove: the square cannot be chosen; says why.
        """
        grip = self.grip
        if grip and (grip.takes(square) or not (square == grip.origin or square in self.moves)):
            return self._put(grip.put_down(square))
        return self.let_go() if grip and square == grip.origin else self.pick_up(square)

    def take_all(self, square: Square) -> Hand | Move:
        """Put the piece in hand down and capture everything there."""
        return self._put(self.grip.take_all(square)) if self.grip else self

    def _put(self, put: Grip | Move) -> Hand | Move:
        return self._replace(grip=put) if isinstance(put, Grip) else put

    def pick_up(self, square: Square) -> Hand:
        """Pick up a piece, replacing the one in hand.

        Raises:
            IllegalMove: the player cannot move a piece from the square; says why.
        """
        if grip := self.peek(square):
            return self._replace(grip=grip)
        side = self.position.to_move
        if self.position.pieces(side) >> square & 1:
            raise IllegalMove(f"the {side.singular} on {square_name(square)} cannot move now")
        raise IllegalMove(self.variant.why_not(self.position, Move(square, square)))

    def peek(self, square: Square) -> Grip | None:
        """Return the piece on a square as it would be in hand, or None if it cannot move."""
        moves = self.moves.get(square)
        return Grip(_Piece.of(self.variant, self.position, moves)) if moves else None

    def let_go(self) -> Hand:
        """Put the piece in hand back where it stood."""
        return self._replace(grip=None)

    def back(self) -> Hand:
        """Undo the last choice, and finally the picking up."""
        return self._replace(grip=self.grip and self.grip.back())
