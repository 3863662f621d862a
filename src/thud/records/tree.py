"""The tree of lines of a battle: a cursor in it, edits by path, excerpts to export.

A trail names the variation that is gone into from the battle, the one from there, and so
on.  Trees are `bounds.MAX_DEPTH` deep at most, so that to follow a way may call itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, cast

from thud.records.bounds import InvalidRecord
from thud.records.record import BattleRecord, Comment, Line, Record, Variation, positions_after
from thud.records.tgn.notes import left_in, prose
from thud.rules.clock import TimeLeft
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Outcome

if TYPE_CHECKING:
    from thud.pictures.drawings import Design


Trail: TypeAlias = tuple[int, ...]
"""Which variation of a battle is gone into, which of that, and so on; none is the battle itself."""

Change: TypeAlias = Callable[[Line], Line]
"""An edit: makes a new line of a line."""

_AnyLine = TypeVar("_AnyLine", bound=Line)


def lines(battle: BattleRecord) -> Iterator[tuple[Trail, int, Line]]:
    """Yield every line of a battle, each with its trail and how many moves come before it."""
    waiting: list[tuple[Trail, int, Line]] = [((), 0, battle)]
    while waiting:
        trail, begins, line = waiting.pop()
        yield trail, begins, line
        waiting += [
            ((*trail, index), begins + variation.after, variation)
            for index, variation in enumerate(line.variations)
        ]


def changed(line: _AnyLine, trail: Trail, change: Change) -> _AnyLine:
    """Return a line in which another one, to which a trail leads, has been changed."""
    if not trail:
        return cast("_AnyLine", change(line))
    first, *rest = trail
    variations = list(line.variations)
    variations[first] = changed(variations[first], tuple(rest), change)
    return cast("_AnyLine", line._replace(variations=tuple(variations)))


# What lies before or behind a move


def until(line: _AnyLine, played: int) -> _AnyLine:
    """Return the first moves of a line, with what is written on them and varies them."""
    kept = line._replace(
        moves=line.moves[:played],
        comments=tuple(each for each in line.comments if each.after <= played),
        variations=tuple(each for each in line.variations if each.after < played),
    )
    return cast("_AnyLine", kept)


def rest_of(line: Line, played: int) -> Variation:
    """Return what follows on the first moves of a line, as a variation that begins there."""
    return Variation(
        played,
        line.moves[played:],
        moved_comments((each for each in line.comments if each.after > played), -played),
        moved((each for each in line.variations if each.after > played), -played),
    )


def beginning_at(line: Line, played: int) -> tuple[Variation, ...]:
    """Return the variations that begin after so many moves of a line."""
    return tuple(each for each in line.variations if each.after == played)


def joined(line: _AnyLine, rest: Variation) -> _AnyLine:
    """Return the beginning of a line that goes on as a variation of it does."""
    onward = line._replace(
        moves=line.moves[: rest.after] + rest.moves,
        comments=line.comments + moved_comments(rest.comments, rest.after),
        variations=line.variations + moved(rest.variations, rest.after),
    )
    return cast("_AnyLine", onward)


def in_order(variations: Iterable[Variation]) -> tuple[Variation, ...]:
    """Return variations in the order of the moves after which they begin."""
    return tuple(sorted(variations, key=lambda each: each.after))


def moved(variations: Iterable[Variation], by: int) -> tuple[Variation, ...]:
    """Return variations of a line as those of another, in which more moves come before them."""
    return tuple(each._replace(after=each.after + by) for each in variations)


def moved_comments(comments: Iterable[Comment], by: int) -> tuple[Comment, ...]:
    """Return comments on a line as those on another, in which more moves come before them."""
    return tuple(each._replace(after=each.after + by) for each in comments)


Node: TypeAlias = tuple[Trail, int]
"""A place in a battle: on which line, and after how many moves."""


class Entry(NamedTuple):
    """A move in a listing."""

    trail: Trail
    """The line on which it is."""
    ply: int
    """Number of moves up to this one."""
    text: str
    commented: bool

    @property
    def node(self) -> Node:
        """The place after it."""
        return self.trail, self.ply


def outline(battle: BattleRecord) -> Iterator[Entry]:
    """Yield every move of a battle; behind a move come those that could replace it."""
    yield from _moves(battle, battle.start, (), 0)


def _moves(line: Line, start: Position, trail: Trail, begins: int) -> Iterator[Entry]:
    """Yield the moves of a line and of its variations, which are not deep in one another."""
    commented = {comment.after for comment in line.comments if prose(comment.text)}
    varied: dict[int, list[int]] = {}
    for index, variation in enumerate(line.variations):
        varied.setdefault(variation.after, []).append(index)
    # Many a variation must not push the battle itself, which is longest, out of the cache.
    texts, positions = (_written if trail else _remembered)(start, line.moves)
    for played, position in enumerate(positions):
        ply = begins + played
        if played < len(texts):
            yield Entry(trail, ply + 1, texts[played], played + 1 in commented)
        for index in varied.get(played, ()):
            yield from _moves(line.variations[index], position, (*trail, index), ply)


def _written(
    start: Position, moves: tuple[Move, ...]
) -> tuple[tuple[str, ...], tuple[Position, ...]]:
    """Return the texts of moves, and the positions before and after them."""
    positions = (start, *positions_after(start, moves))
    return tuple(map(move_text, positions, moves)), positions


@lru_cache(maxsize=4)
def _remembered(
    start: Position, moves: tuple[Move, ...]
) -> tuple[tuple[str, ...], tuple[Position, ...]]:
    """Return the same of a battle as it was played.

    One of thousands of moves is listed anew with every variation of it.
    """
    return _written(start, moves)


class Cursor(NamedTuple):
    """A place in a record, immutable: moving it returns another.

    It is on one line: the battle as it was played, or a variation.  Where a variation begins, no
    move of it has been played yet, and the place is on the line that it leaves.

    Make the first one by `at`, which checks that the record has such a place.
    """

    record: Record
    number: int
    """The battle, from 1."""
    ply: int
    """After so many moves, counted from where the battle begins."""
    line: Line
    """The battle, or the variation of it."""
    moves: tuple[Move, ...]
    """The moves from where the battle begins to the end of the line."""
    positions: tuple[Position, ...]
    """Every position on that way: one more than there are moves."""
    left: Cursor | None = None
    """The place where the line begins, on the line that it leaves; None for the battle itself."""
    branch: int = 0
    """Index of this line among that line's variations."""

    @classmethod
    def at(
        cls, record: Record, number: int | None = None, ply: int | None = None, trail: Trail = ()
    ) -> Cursor:
        """Return a place: after so many moves of a battle, by itself the last of the last.

        Args:
            record: what is looked at.
            number: which battle, from 1.
            ply: after how many moves, those before a variation included.
            trail: the way to the line that is meant.

        Raises:
            InvalidRecord: the record has no such place.
        """
        count = len(record.battles)
        number = count if number is None else number
        if not 1 <= number <= count:
            raise InvalidRecord(f"the record has no battle {number}")
        battle = record.battles[number - 1]
        place = cls(record, number, 0, battle, battle.moves, tuple(battle.positions()))
        for index in trail:
            if not 0 <= index < len(place.line.variations):
                raise InvalidRecord(f"battle {number} has no such variation")
            place = place.into(index)
        ply = place.last if ply is None else ply
        if not 0 <= ply <= place.last:
            raise InvalidRecord(f"battle {number} has no ply {ply}, the last is {place.last}")
        return place.to(ply)

    @property
    def battle(self) -> BattleRecord:
        """The battle."""
        return self.record.battles[self.number - 1]

    @property
    def trail(self) -> Trail:
        """The way to the line."""
        return (*self.left.trail, self.branch) if self.left else ()

    @property
    def begins(self) -> int:
        """After how many moves the line begins: 0 for the battle itself."""
        return self.left.ply if self.left else 0

    @property
    def position(self) -> Position:
        """The position there."""
        return self.positions[self.ply]

    @property
    def last(self) -> int:
        """Number of moves to the end of the line."""
        return len(self.moves)

    @property
    def before(self) -> Position | None:
        """The position before the last move, None where the battle begins."""
        return self.positions[self.ply - 1] if self.ply else None

    @property
    def move(self) -> Move | None:
        """The move that has led there, None where the battle begins."""
        return self.moves[self.ply - 1] if self.ply else None

    @property
    def next_move(self) -> Move | None:
        """The move that follows on the line, None at its end."""
        return self.moves[self.ply] if self.ply < self.last else None

    @property
    def outcome(self) -> Outcome | None:
        """Outcome there: as recorded, or by the board alone in a variation."""
        if self.ply < self.last:
            return None
        if self.left:
            return self.record.variant.outcome(self.position)
        return self.battle.outcome

    @property
    def comments(self) -> tuple[str, ...]:
        """Comments at this place."""
        played = self.ply - self.begins
        return tuple(each.text for each in self.line.comments if each.after == played)

    @property
    def words(self) -> tuple[str, ...]:
        """Comments by people at this place, without programs' notes."""
        return tuple(words for words in map(prose, self.comments) if words)

    @property
    def time_left(self) -> TimeLeft | None:
        """Time left to the player of the move to this place, None if unknown."""
        return next(filter(None, map(left_in, self.comments)), None)

    @property
    def commanders(self) -> tuple[str, str]:
        """Names of the dwarfs' and the trolls' player there."""
        return self.record.commanders(self.number)

    @property
    def varied(self) -> tuple[int, ...]:
        """Variations that begin here, as alternatives to the next move."""
        played = self.ply - self.begins
        return tuple(
            index for index, each in enumerate(self.line.variations) if each.after == played
        )

    def match(self, *, ended: bool = True) -> Match:
        """Return a match that has come as far as this, to be played on.

        Args:
            ended: whether at the end of the battle the players' agreement, a resignation, the
                clock or a limit has ended it, and not only the board.

        Raises:
            IllegalMove: a move is not legal.
        """
        record = self.record
        battle = self.battle._replace(
            moves=self.moves[: self.ply], variations=(), taken_back=False, comments=()
        )
        if not ended or self.left or self.ply < self.last:
            battle = battle._replace(outcome=None, quiet_limit=None)
        earlier = record.battles[: self.number - 1]
        return record._replace(battles=(*earlier, battle)).match()

    # Going elsewhere

    def to(self, ply: int) -> Cursor:
        """Return the place after so many moves, or the nearest that there is, on the way here."""
        place = self
        while place.left and ply <= place.begins:
            place = place.left
        return place._replace(ply=max(0, min(ply, place.last)))

    def to_beginning(self) -> Cursor:
        """Return the place from which the line is looked at again: a variation's first move."""
        return self.to(self.begins + 1 if self.left else 0)

    def to_turn(self, turn: int) -> Cursor:
        """Return the place after both moves of a turn, or the nearest that there is."""
        return self.to(2 * turn - (self.battle.turn(1) - 1))

    def to_battle(self, number: int) -> Cursor:
        """Return where a battle begins; the first one follows the last."""
        return Cursor.at(self.record, (number - 1) % len(self.record.battles) + 1, 0)

    def into(self, index: int) -> Cursor:
        """Return the place after the first move of a variation of the line."""
        variation = self.line.variations[index]
        ply = self.begins + variation.after
        before = self.positions[: ply + 1]
        return Cursor(
            self.record,
            self.number,
            ply + 1,
            variation,
            self.moves[:ply] + variation.moves,
            (*before, *positions_after(before[-1], variation.moves)),
            self._replace(ply=ply),
            index,
        )

    def out(self) -> Cursor:
        """Return where the line begins, on the line that it leaves."""
        return self.left or self

    def across(self) -> Cursor:
        """Return the place after another move from where the last one was made: the next way.

        After the last of the ways comes the first, that of the line that the others leave.
        """
        if not self.ply:
            return self
        here = self.to(self.ply - 1)
        on_line = -1
        ways = [*([on_line] if here.next_move else []), *here.varied]
        taken = self.branch if self.left and self.ply == self.begins + 1 else on_line
        following = ways[(ways.index(taken) + 1) % len(ways)]
        return here.to_next() if following == on_line else here.into(following)

    def to_next_variation(self) -> Cursor:
        """Return the place after the first move of the next variation ahead, if there is one."""
        ahead = (
            index
            for index, each in enumerate(self.line.variations)
            if self.begins + each.after >= self.ply
        )
        index = next(ahead, None)
        return self if index is None else self.into(index)

    def to_next(self) -> Cursor:
        """Return the place after the next move of the line, or this one at its end."""
        return self._replace(ply=min(self.ply + 1, self.last))


class Excerpt(NamedTuple):
    """The part of a match to export: battle, last move, orientation.

    Without a battle it is the last, without a ply all of its moves; `flipped` turns the board of
    a picture round, rank 15 at the top.  Without a design it looks as pictures do.
    """

    battle: int | None = None
    ply: int | None = None
    flipped: bool = False
    design: Design | None = None
    arrow: bool = False
    """Whether a picture has an arrow for the move that led there."""
    advised: Move | None = None
    """A move from there that a picture advises with an arrow."""

    def of(self, record: Record) -> Cursor:
        """Return where that is in a record.

        Raises:
            InvalidRecord: the record has no such place.
        """
        return Cursor.at(record, self.battle, self.ply)
