"""Picking a move square by square: from a piece in hand to a complete move.

Independent of Textual: a `Hand` turns a sequence of squares into one legal move, offering every
choice of captures that the rules leave to the player.
"""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from operator import or_
from typing import TypeAlias

from thud.rules.geometry import Mask, Square, bit, square_name
from thud.rules.moves import HOPS
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Kind, Variant

_Stop: TypeAlias = tuple[Square, Mask]
"""A stop on a trampling route: the square reached and all captures so far."""


class CaptureChoice:
    """The victims chosen at a destination; all of them to begin with."""

    def __init__(self, variant: Variant, position: Position, moves: list[Move]) -> None:
        self._variant = variant
        self._position = position
        self.moves = moves
        self._legal = [move.captures for move in moves]
        self.destination = moves[0].destination
        self.victims: Mask = reduce(or_, self._legal)
        self.taken: Mask = max(self._legal, key=int.bit_count)

    @property
    def all_at_once(self) -> bool:
        """Whether one move captures every victim."""
        return self.victims in self._legal

    @property
    def none_at_all(self) -> bool:
        """Whether the piece may land there without capturing."""
        return 0 in self._legal

    def take_all(self) -> None:
        """Take every victim."""
        self.taken = self.victims

    def toggle(self, square: Square) -> None:
        """Take a victim or spare it; if only one may be taken, it replaces the other.

        Raises:
            IllegalMove: the square holds no victim.
        """
        if not self.victims >> square & 1:
            raise IllegalMove(f"there is nothing to capture on {square_name(square)}")
        taken = self.taken ^ bit(square)
        alone = taken & bit(square)
        self.taken = alone if alone in self._legal and taken not in self._legal else taken

    def spare_all(self) -> None:
        """Take none of the victims."""
        self.taken = 0

    def confirm(self) -> Move:
        """Return the move with the captures chosen.

        Raises:
            IllegalMove: the choice is not legal, such as an empty shove; says why.
        """
        move = self.moves[0]._replace(captures=self.taken)
        self._variant.check(self._position, move)
        return move


class Grip:
    """A piece in hand; on a trampling route it has moved and captured already.

    Args:
        variant: the game.
        position: where the piece stands.
        moves: all legal moves of the piece.
    """

    def __init__(self, variant: Variant, position: Position, moves: list[Move]) -> None:
        self._variant = variant
        self._position = position
        self._direct: dict[Square, list[Move]] = defaultdict(list)
        self._routes: set[_Stop] = set()
        for move in moves:
            if variant.kind(position, move) is Kind.TRAMPLE:
                self._routes.add((move.destination, move.captures))
            else:
                self._direct[move.destination].append(move)
        self._moves = moves
        self.origin = moves[0].origin
        self.choice: CaptureChoice | None = None
        self._trail: list[_Stop] = [(self.origin, 0)]

    @property
    def at(self) -> Square:
        """Where the piece is: its origin, or as far as it has trampled."""
        return self._trail[-1][0]

    @property
    def captured(self) -> Mask:
        """Dwarfs trampled so far."""
        return self._trail[-1][1]

    @property
    def moves(self) -> list[Move]:
        """All moves of the piece, or while choosing captures, the moves to choose from."""
        return self.choice.moves if self.choice else self._moves

    @property
    def destinations(self) -> dict[Square, list[Move]]:
        """Where the piece can be put down now, with the moves that end there."""
        if self.choice:
            return {}
        places: dict[Square, list[Move]] = defaultdict(list)
        for square, captured in self._reachable():
            places[square].append(Move(self.origin, square, captured))
        return dict(places) if self.captured else {**places, **self._direct}

    def captures_at(self, square: Square) -> Mask:
        """Return everything that can be captured by putting the piece down on a square."""
        if self.choice:
            return self.choice.taken
        if square == self.at:
            return self.captured
        if hop := self._hop_to(square):
            return hop[1]
        return reduce(or_, (move.captures for move in self.destinations.get(square, [])), 0)

    def takes(self, square: Square) -> bool:
        """Whether the piece can be put down on a square now."""
        if self.choice:
            return square == self.choice.destination
        if square == self.at:
            return bool(self.captured)
        return square in self.destinations

    def completes(self, square: Square) -> bool:
        """Whether putting the piece down on a square completes the move."""
        if square == self.at:
            return bool(self.captured)
        if not self.captured and square in self._direct:
            return len(self._direct[square]) == 1
        moves = self.destinations.get(square, [])
        stop = self._hop_to(square)
        return bool(moves) and not self._onward(stop or (square, moves[0].captures))

    def put_down(self, square: Square) -> Move | None:
        """Put the piece down; return the move, or None while a choice is open.

        Raises:
            IllegalMove: the piece cannot go there, or the choice is not legal; says why.
        """
        if self.choice:
            return self.choice.confirm()
        if square == self.at and self.captured:
            return Move(self.origin, square, self.captured)
        if not self.captured and square in self._direct:
            return self._arrive(self._direct[square])
        return self._trample_to(square)

    def take_all(self, square: Square) -> Move | None:
        """Put the piece down and capture all victims; leave a choice open if not all can be."""
        move = None if self.choice else self.put_down(square)
        if self.choice and self.choice.all_at_once:
            self.choice.take_all()
            return self.choice.confirm()
        return move

    def back(self) -> bool:
        """Undo the last choice, of captures or of a hop; return False if there was none."""
        if self.choice:
            self.choice = None
        elif len(self._trail) > 1:
            self._trail.pop()
        else:
            return False
        return True

    def _arrive(self, moves: list[Move]) -> Move | None:
        if len(moves) == 1:
            return moves[0]
        self.choice = CaptureChoice(self._variant, self._position, moves)
        return None

    def _trample_to(self, square: Square) -> Move | None:
        """Trample to the next hop, or to a square that only one route leads to."""
        moves = self.destinations.get(square, [])
        stop = self._hop_to(square)
        if not stop and len(moves) > 1:
            where = square_name(square)
            raise IllegalMove(f"several trampling routes end on {where}: go hop by hop")
        if not stop and not moves and self.captured:
            here, there = square_name(self.at), square_name(square)
            raise IllegalMove(f"no trampling hop leads from {here} to {there}")
        if not stop and not moves:
            raise IllegalMove(self._variant.why_not(self._position, Move(self.origin, square)))
        self._trail.append(stop or (square, moves[0].captures))
        return None if self._onward(self._trail[-1]) else Move(self.origin, square, self.captured)

    def _hop_to(self, square: Square) -> _Stop | None:
        return next((stop for stop in self._onward(self._trail[-1]) if stop[0] == square), None)

    def _onward(self, stop: _Stop) -> list[_Stop]:
        """Return the stops one hop further; any prefix of a trampling route is a route."""
        at, captured = stop
        hops = [
            (landing, captured | bit(victim))
            for victim, landing in HOPS[at]
            if not captured >> victim & 1
        ]
        return [hop for hop in hops if hop in self._routes]

    def _reachable(self) -> set[_Stop]:
        """Return every stop of the routes onward from here."""
        reached: set[_Stop] = set()
        frontier = [self._trail[-1]]
        while frontier:
            onward = set(self._onward(frontier.pop())) - reached
            reached |= onward
            frontier += onward
        return reached


class Hand:
    """The state of picking a move in one position; `grip` is None while nothing is held."""

    def __init__(self, variant: Variant, position: Position) -> None:
        self._variant = variant
        self.position = position
        self.grip: Grip | None = None
        self._moves: dict[Square, list[Move]] = defaultdict(list)
        for move in variant.legal_moves(position):
            self._moves[move.origin].append(move)

    @property
    def movable(self) -> list[Square]:
        """The squares of the pieces that can move, in reading order."""
        return sorted(self._moves)

    def choose(self, square: Square) -> Move | None:
        """Choose a square: pick up, put down, put back or continue a choice.

        Returns:
            The move, once it is complete.

        Raises:
            IllegalMove: the square cannot be chosen; says why.  The hand is unchanged.
        """
        grip = self.grip
        if grip and grip.takes(square):
            return grip.put_down(square)
        if grip and square == grip.origin:
            self.grip = None
        elif grip and square not in self._moves:
            return grip.put_down(square)
        else:
            self.pick_up(square)
        return None

    def pick_up(self, square: Square) -> None:
        """Pick up a piece, replacing the one in hand.

        Raises:
            IllegalMove: the player cannot move a piece from the square; says why.
        """
        if square not in self._moves:
            raise IllegalMove(self._why_not(square))
        self.grip = Grip(self._variant, self.position, self._moves[square])

    def peek(self, square: Square) -> Grip | None:
        """Return the piece on a square as it would be in hand, or None if it cannot move."""
        moves = self._moves.get(square)
        return Grip(self._variant, self.position, moves) if moves else None

    def _why_not(self, square: Square) -> str:
        own = self.position.pieces(self.position.to_move)
        if own >> square & 1:
            return f"the {self.position.to_move.singular} on {square_name(square)} cannot move now"
        return self._variant.why_not(self.position, Move(square, square))

    def let_go(self) -> None:
        """Put the piece in hand back where it stood."""
        self.grip = None

    def back(self) -> None:
        """Undo the last choice, and finally the picking up."""
        if self.grip and not self.grip.back():
            self.grip = None
