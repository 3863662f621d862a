"""Goals of tasks: conditions on a move and on the position after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple, TypeAlias

from thud.rules.geometry import ADJACENT, BOARD, STEPS, Mask, mask_of, parse_square
from thud.rules.moves import line_length
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import avenged, can_win, wins
from thud.rules.variant import Kind, Variant


class Deed(NamedTuple):
    """A move, and the position it was made in."""

    variant: Variant
    before: Position
    move: Move

    @property
    def after(self) -> Position:
        """The position that the move leads to."""
        return self.before.after(self.move)

    @property
    def side(self) -> Side:
        """The side to move."""
        return self.before.to_move

    @property
    def dangers(self) -> list[Mask]:
        """Captures of the other side's possible next moves."""
        return _captures(self.variant, self.after)

    @property
    def threats(self) -> list[Mask]:
        """Captures of the same side's possible moves if it could move again."""
        return _captures(self.variant, self.after._replace(to_move=self.side))


Condition: TypeAlias = Callable[[Deed], bool]
Wanted: TypeAlias = str | int | bool


def goal(wanted: Mapping[str, Wanted]) -> Condition:
    """Return the conjunction of the given conditions.

    Raises:
        ValueError: there is no such condition, or its value is invalid.
    """
    conditions: list[tuple[Callable[[Deed, Any], bool], Any]] = []
    for name, value in wanted.items():
        if name not in CONDITIONS:
            raise ValueError(f"there is no condition {name!r}: there are {', '.join(CONDITIONS)}")
        parse, holds = CONDITIONS[name]
        conditions.append((holds, parse(value)))
    return lambda deed: all(holds(deed, value) for holds, value in conditions)


def squares(text: Wanted) -> Mask:
    """Parse squares, such as `"F4 G5"`.

    Raises:
        ValueError: there is no such square.
    """
    return mask_of(*map(parse_square, str(text).split()))


def _row(deed: Deed) -> int:
    """Return the length of the longest row through the piece that moved."""
    own, place = deed.after.pieces(deed.side), deed.move.destination
    return max(line_length(own, place, s) + line_length(own, place, -s) - 1 for s in STEPS)


def _captures(variant: Variant, position: Position) -> list[Mask]:
    return [move.captures for move in variant.legal_moves(position) if move.captures]


def _union(masks: list[Mask]) -> Mask:
    return reduce(or_, masks, 0)


def _most(masks: list[Mask]) -> int:
    return max(map(int.bit_count, masks), default=0)


CONDITIONS: Final[Mapping[str, tuple[Callable[[Any], Any], Callable[[Deed, Any], bool]]]] = {
    # One of these moves, which a search found to be the best.
    "best": (str.split, lambda deed, texts: move_text(deed.before, deed.move) in texts),
    "kind": (
        lambda value: set(map(Kind, value.split())),
        lambda deed, kinds: deed.variant.kind(deed.before, deed.move) in kinds,
    ),
    "captures": (int, lambda deed, least: deed.move.captures.bit_count() >= least),
    "takes": (squares, lambda deed, wanted: deed.move.captures & wanted == wanted),
    "spares": (squares, lambda deed, spared: not deed.move.captures & spared),
    "from": (squares, lambda deed, where: bool(where >> deed.move.origin & 1)),
    "to": (squares, lambda deed, where: bool(where >> deed.move.destination & 1)),
    # No own piece can be captured next: anywhere, or on given squares.
    "safe": (
        lambda value: BOARD if value is True else squares(value),
        lambda deed, where: not _union(deed.dangers) & where,
    ),
    "mover_safe": (bool, lambda deed, _: not _union(deed.dangers) >> deed.move.destination & 1),
    "loses": (int, lambda deed, most: _most(deed.dangers) <= most),
    # A capture is threatened, of given squares or of that many pieces.
    "threatens": (
        lambda value: (value, BOARD) if isinstance(value, int) else (1, squares(value)),
        lambda deed, wanted: (
            _most(deed.threats) >= wanted[0] and bool(_union(deed.threats) & wanted[1])
        ),
    ),
    # The piece is in a straight row of at least that many of its side.
    "line": (int, lambda deed, least: _row(deed) >= least),
    # The piece is beside at least that many of its side.
    "friends": (
        int,
        lambda deed, least: (
            (ADJACENT[deed.move.destination] & deed.after.pieces(deed.side)).bit_count() >= least
        ),
    ),
    "wins": (bool, lambda deed, _: wins(deed.variant, deed.before, deed.move)),
    # Any piece that captures next can be captured in return.
    "avenged": (bool, lambda deed, _: avenged(deed.variant, deed.after)),
    # The other side cannot win with its next move.
    "holds": (bool, lambda deed, _: not can_win(deed.variant, deed.after)),
}
"""How each condition's value is parsed, and whether a move fulfils it."""
