"""Facts about moves: a piece's abilities, a move's merits and faults.

All are visible on the board; `thud.wording` puts them into words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, NamedTuple

from thud.rules.geometry import Mask, Square, bit, in_file_order, mask_of
from thud.rules.position import Move, Position, Side
from thud.rules.threats import threats_in
from thud.rules.variant import Gain, Kind, Merit, Variant

TELLING: Final = 2
"""Least points of a capture to be given as a reason."""

_WORTH: Final = MappingProxyType({Side.DWARFS: 1, Side.TROLLS: 3})
"""A piece's value in variants whose pieces do not count."""

_MOST_AVENGED: Final = 40
"""Most captures that are tried, each with all replies."""


# A piece's abilities


class Abilities(NamedTuple):
    """The moves of one piece, as if it were its side's turn."""

    side: Side
    """The side that moves the piece."""
    moves: int
    """Number of moves of the piece."""
    kinds: Mapping[Kind, Mapping[Square, Mask]]
    """For each kind of move the destinations, by file, each with its largest capture."""


def abilities(variant: Variant, position: Position, square: Square) -> Abilities:
    """Return the abilities of a square's piece."""
    turn = position._replace(to_move=_mover(position, square))
    moves = variant.legal_moves(turn, bit(square))
    by_kind: dict[Kind, list[Move]] = defaultdict(list)
    for move in moves:
        by_kind[variant.kind(turn, move)].append(move)
    kinds = {kind: _destinations(by_kind[kind]) for kind in Kind if kind in by_kind}
    return Abilities(turn.to_move, len(moves), kinds)


def _mover(position: Position, square: Square) -> Side:
    """Return the side that moves a square's piece: the dwarfs move the stone."""
    if position.stone == square:
        return Side.DWARFS
    return next((side for side in Side if position.pieces(side) >> square & 1), position.to_move)


def _destinations(moves: Sequence[Move]) -> dict[Square, Mask]:
    """Return the destinations of moves, by file, each with its largest capture."""
    most: dict[Square, Mask] = defaultdict(int)
    for _, destination, captures in moves:
        most[destination] = max(most[destination], captures, key=int.bit_count)
    return {square: most[square] for square in in_file_order(mask_of(*most))}


# A move's merits


class Prospects(NamedTuple):
    """Both sides' threats to capture or win at once, each as if to move."""

    exposed: dict[Side, Mask]
    """Each side's pieces that could be captured."""
    winning: frozenset[Side]
    """The sides that could reach their goal."""


def prospects(variant: Variant, position: Position) -> Prospects:
    """Return both sides' threats; none once the battle is over."""
    threatened = threats_in(variant, position).threatened
    turns = [] if variant.outcome(position) else [position._replace(to_move=s) for s in Side]
    return Prospects(
        {side: threatened & position.pieces(side) for side in Side},
        frozenset(turn.to_move for turn in turns if can_win(variant, turn)),
    )


def can_win(variant: Variant, position: Position) -> bool:
    """Whether the side to move can reach its goal at once."""
    if not variant.goals:
        return False
    return any(wins(variant, position, move) for move in variant.legal_moves(position))


def wins(variant: Variant, position: Position, move: Move) -> bool:
    """Whether a legal move wins at once."""
    outcome = variant.decided(position.after(move))
    return outcome is not None and outcome.winner is position.to_move


def merits(variant: Variant, position: Position, move: Move) -> Iterator[Merit]:
    """Yield a legal move's merits, most important first."""
    if wins(variant, position, move):
        yield Merit(Gain.WINS)
        return
    if move.captures:
        yield Merit(Gain.TAKES, move.captures)
    after = position.after(move)
    if not variant.outcome(after):
        yield from _improvements(variant, position, move, after)


def _improvements(
    variant: Variant, position: Position, move: Move, after: Position
) -> Iterator[Merit]:
    """Yield a move's improvements, in a battle that goes on."""
    side, now, then = position.to_move, prospects(variant, position), prospects(variant, after)
    if side in then.winning - now.winning:
        yield Merit(Gain.THREATENS_TO_WIN)
    if side.other in now.winning - then.winning:
        yield Merit(Gain.KEEPS_FROM_WINNING)
    if aimed := then.exposed[side.other] & ~now.exposed[side.other]:
        yield Merit(Gain.THREATENS, aimed)
    exposed, still = now.exposed[side], then.exposed[side]
    if saved := exposed & ~still & ~bit(move.origin):
        yield Merit(Gain.SAVES, saved)
    elif exposed >> move.origin & 1 and not still >> move.destination & 1:
        yield Merit(Gain.FLEES, bit(move.destination))
    if not still and (exposed or move.captures or variant.worth):
        yield Merit(Gain.LEAVES_NONE)
    elif still and avenged(variant, after):
        yield Merit(Gain.AVENGED)
    yield from variant.approach(position, after)


def avenged(variant: Variant, position: Position) -> bool:
    """Whether any piece with which the side to move captures could be captured in return.

    False without a check if there are very many captures.
    """
    captures = [move for move in variant.legal_moves(position) if move.captures]
    if len(captures) > _MOST_AVENGED:
        return False
    return all(_can_capture(variant, position.after(m), m.destination) for m in captures)


def _can_capture(variant: Variant, position: Position, square: Square) -> bool:
    return any(move.captures >> square & 1 for move in variant.legal_moves(position))


# A move's faults


class Fault(Enum):
    """A fault visible on the board, gravest first."""

    LETS_WIN = auto()
    MISSES_WIN = auto()
    HANGS = auto()
    MISSES_CAPTURE = auto()
    LOSES_SOON = auto()

    @property
    def answered(self) -> bool:
        """Whether the opponent's reply shows it."""
        return self in (Fault.LETS_WIN, Fault.HANGS)


class Compared(NamedTuple):
    """A costly move and the better one."""

    position: Position
    """The position before it."""
    move: Move
    best: Move
    answer: Move | None
    """The reply to the move, None if the battle is over."""


def fault(variant: Variant, compared: Compared) -> Fault | None:
    """Return a move's fault, None if none is visible at once."""
    position, move, best, answer = compared
    after = position.after(move)
    if answer is not None and wins(variant, after, answer):
        return Fault.LETS_WIN
    if wins(variant, position, best):
        return Fault.MISSES_WIN
    lost = captured_worth(variant, after, answer) if answer is not None else 0
    taken = captured_worth(variant, position, move)
    missed = captured_worth(variant, position, best)
    if missed >= TELLING and missed > max(lost, taken):
        return Fault.MISSES_CAPTURE
    return Fault.HANGS if lost >= TELLING else None


def captured_worth(variant: Variant, position: Position, move: Move) -> int:
    """Return the value of a move's captures, in points."""
    worth: Mapping[Side, int] = variant.worth or _WORTH
    return move.captures.bit_count() * worth[position.to_move.other]
