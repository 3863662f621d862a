"""Goals of tasks: conditions on a move and on the position after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Final, NamedTuple, TypeAlias

from thud.rules.geometry import ADJACENT, STEPS, Mask, mask_of, parse_square
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
        ValueError: there is no such condition.
    """
    conditions = [_condition(name, value) for name, value in wanted.items()]
    return lambda deed: all(condition(deed) for condition in conditions)


def _condition(name: str, value: Wanted) -> Condition:
    if name not in CONDITIONS:
        raise ValueError(f"there is no condition {name!r}: there are {', '.join(CONDITIONS)}")
    return CONDITIONS[name](value)


def squares(text: Wanted) -> Mask:
    """Parse squares, such as `"F4 G5"`.

    Raises:
        ValueError: there is no such square.
    """
    return mask_of(*map(parse_square, str(text).split()))


def _kind(value: Wanted) -> Condition:
    kinds = {Kind(word) for word in str(value).split()}
    return lambda deed: deed.variant.kind(deed.before, deed.move) in kinds


def _best(value: Wanted) -> Condition:
    """One of these moves, which a search found to be the best."""
    texts = set(str(value).split())
    return lambda deed: move_text(deed.before, deed.move) in texts


def _captures_so_many(value: Wanted) -> Condition:
    return lambda deed: deed.move.captures.bit_count() >= int(value)


def _takes(value: Wanted) -> Condition:
    wanted = squares(value)
    return lambda deed: deed.move.captures & wanted == wanted


def _spares(value: Wanted) -> Condition:
    spared = squares(value)
    return lambda deed: not deed.move.captures & spared


def _to(value: Wanted) -> Condition:
    where = squares(value)
    return lambda deed: bool(where >> deed.move.destination & 1)


def _from(value: Wanted) -> Condition:
    where = squares(value)
    return lambda deed: bool(where >> deed.move.origin & 1)


def _safe(value: Wanted) -> Condition:
    """No own piece can be captured next: anywhere, or on given squares."""
    where = None if value is True else squares(value)
    return lambda deed: not _union(deed.dangers) & (deed.after.occupied if where is None else where)


def _mover_safe(_: Wanted) -> Condition:
    return lambda deed: not _union(deed.dangers) >> deed.move.destination & 1


def _loses(value: Wanted) -> Condition:
    most = int(value)
    return lambda deed: max(map(int.bit_count, deed.dangers), default=0) <= most


def _threatens(value: Wanted) -> Condition:
    """A capture is threatened, of given squares or of that many pieces."""
    if isinstance(value, int):
        return lambda deed: max(map(int.bit_count, deed.threats), default=0) >= value
    wanted = squares(value)
    return lambda deed: bool(_union(deed.threats) & wanted)


def _line(value: Wanted) -> Condition:
    """The piece is in a straight row of at least that many of its side."""
    return lambda deed: _row(deed) >= int(value)


def _row(deed: Deed) -> int:
    """Return the length of the longest row through the piece that moved."""
    own, place = deed.after.pieces(deed.side), deed.move.destination
    return max(line_length(own, place, s) + line_length(own, place, -s) - 1 for s in STEPS)


def _friends(value: Wanted) -> Condition:
    """The piece is beside at least that many of its side."""
    return lambda deed: (
        (ADJACENT[deed.move.destination] & deed.after.pieces(deed.side)).bit_count() >= int(value)
    )


def _wins(_: Wanted) -> Condition:
    return lambda deed: wins(deed.variant, deed.before, deed.move)


def _avenged(_: Wanted) -> Condition:
    """Any piece that captures next can be captured in return."""
    return lambda deed: avenged(deed.variant, deed.after)


def _holds(_: Wanted) -> Condition:
    """The other side cannot win with its next move."""
    return lambda deed: not can_win(deed.variant, deed.after)


def _captures(variant: Variant, position: Position) -> list[Mask]:
    return [move.captures for move in variant.legal_moves(position) if move.captures]


def _union(masks: list[Mask]) -> Mask:
    return reduce(or_, masks, 0)


CONDITIONS: Final[Mapping[str, Callable[[Wanted], Condition]]] = {
    "best": _best,
    "kind": _kind,
    "captures": _captures_so_many,
    "takes": _takes,
    "spares": _spares,
    "from": _from,
    "to": _to,
    "safe": _safe,
    "mover_safe": _mover_safe,
    "loses": _loses,
    "threatens": _threatens,
    "line": _line,
    "friends": _friends,
    "wins": _wins,
    "avenged": _avenged,
    "holds": _holds,
}
