"""Facts about moves: a piece's abilities, a move's merits and faults.

All are visible on the board; `thud.words` puts them into words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from thud.rules.geometry import Mask, Square, bit, in_file_order, mask_of, squares_of
from thud.rules.position import Move, Position, Side
from thud.rules.threats import threats_in
from thud.rules.variant import Gain, Kind, Merit, Variant

TELLING: Final = 2
"""Least points of a capture to be given as a reason."""

_WORTH: Final = MappingProxyType({Side.DWARFS: 1, Side.TROLLS: 3})
"""A piece's value in variants whose pieces do not count."""

_MOST_SAFE: Final = 32
"""Most moves that are tried for whether they leave nothing to capture."""

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
    """Whether a legal move ends the battle, and wins it."""
    outcome = variant.outcome(position.after(move))
    return outcome is not None and outcome.winner is position.to_move


def lets_win(variant: Variant, position: Position, move: Move) -> bool:
    """Whether the other side can reach its goal at once after a legal move."""
    return can_win(variant, position.after(move))


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
    if not still and few_are_safe(variant, position):
        yield Merit(Gain.LEAVES_NONE)
    elif still and avenged(variant, after):
        yield Merit(Gain.AVENGED)
    yield from variant.merits(position, after)


@lru_cache(maxsize=64)
def few_are_safe(variant: Variant, position: Position) -> bool:
    """Whether less than a quarter of the moves leave the other side nothing to capture.

    Of many moves, it tries a part.
    """
    moves = variant.legal_moves(position)
    tried = moves[:: 1 + len(moves) // _MOST_SAFE]
    safe = sum(not _can_capture_any(variant, position.after(move)) for move in tried)
    return 4 * safe < len(tried)


def _can_capture_any(variant: Variant, position: Position) -> bool:
    origins = squares_of(position.pieces(position.to_move))
    return any(move.captures for s in origins for move in variant.legal_moves(position, bit(s)))


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


# Proofs, by trying every move


MOST_TRIED: Final = 50_000
"""Most positions tried for a proof."""


class _Wins:
    """Finds moves that win at once, within a bound; what won before is tried first."""

    def __init__(self, variant: Variant, most: int) -> None:
        self._variant = variant
        self._left = most
        self._known: list[Move] = []

    def any(self, position: Position) -> bool:
        """Whether the side to move can win at once.

        Raises:
            _Unproved: the bound is reached.
        """
        for move in self._known:
            if self._variant.is_legal(position, move) and self._wins(position, move):
                return True
        for move in self._variant.legal_moves(position):
            if self._wins(position, move):
                self._known.append(move)
                return True
        return False

    def _wins(self, position: Position, move: Move) -> bool:
        self._left -= 1
        if self._left < 0:
            raise _Unproved
        return wins(self._variant, position, move)


class _Unproved(Exception):
    """A proof takes more positions than allowed."""


def lost(variant: Variant, position: Position, most: int = MOST_TRIED) -> bool:
    """Whether the other side wins at once after every move of the side to move.

    False, too, if it takes more than `most` positions to tell.
    """
    moves, answers = variant.legal_moves(position), _Wins(variant, most)
    try:
        return bool(moves) and all(answers.any(position.after(move)) for move in moves)
    except _Unproved:
        return False


def wins_in_two(variant: Variant, position: Position, move: Move) -> bool:
    """Whether a move wins with the next one, whatever the answer; False as in `lost`."""
    after = position.after(move)
    return not variant.outcome(after) and lost(variant, after)


def surely_wins_in(variant: Variant, position: Position, moves: Collection[Move]) -> int | None:
    """Return in how many moves, one or two, each of these moves wins; None if unproved."""
    if all(wins(variant, position, move) for move in moves):
        return 1
    return 2 if all(wins_in_two(variant, position, move) for move in moves) else None


def only_these_win(variant: Variant, position: Position, moves: Collection[Move]) -> bool:
    """Whether these moves win at once, and no others."""
    legal = variant.legal_moves(position)
    return all(wins(variant, position, move) is (move in moves) for move in legal)


def only_these_save(variant: Variant, position: Position, moves: Collection[Move]) -> bool:
    """Whether the other side can win at once after every move but these; False as in `lost`."""
    answers, legal = _Wins(variant, MOST_TRIED), variant.legal_moves(position)
    try:
        return all(answers.any(position.after(move)) is (move not in moves) for move in legal)
    except _Unproved:
        return False


# A move's faults


class Fault(Enum):
    """A fault, gravest first; then those in an engine's line, and in how the pieces stand."""

    LETS_WIN = auto()
    MISSES_WIN = auto()
    HANGS = auto()
    MISSES_CAPTURE = auto()
    LOSES_LATER = auto()
    """The line after it loses the battle."""
    FORGOES_WIN = auto()
    """The line after the better move wins it."""
    LOSES_SOON = auto()
    """The line after it loses pieces."""
    LEAVES_OPEN = auto()
    """It allows a capture without an answer that the better move does not."""
    BREAKS_BLOCK = auto()
    """It makes the largest block smaller, and the better move does not."""
    OPENS_MORE = auto()
    """Afterwards there are more squares for captures without an answer; not so the better move."""
    STRAYS = auto()
    """It leaves a dwarf without a neighbour, and the better move does not."""
    FORGOES_BLOCK = auto()
    """The largest block grows no larger; after the better move it does."""
    EXPOSES = auto()
    """No fewer pieces can be captured next; after the better move fewer."""
    FORGOES_THREAT = auto()
    """It threatens no more pieces; the better move does."""

    @property
    def answered(self) -> bool:
        """Whether the opponent's reply shows it."""
        return self in (Fault.LETS_WIN, Fault.HANGS)


OF_FORMATION: Final = frozenset(
    {
        *(Fault.LEAVES_OPEN, Fault.BREAKS_BLOCK, Fault.OPENS_MORE, Fault.STRAYS),
        *(Fault.FORGOES_BLOCK, Fault.EXPOSES, Fault.FORGOES_THREAT),
    }
)
"""The faults in how the pieces stand."""


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
