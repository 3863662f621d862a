"""A battle's tree of lines: cursors, edits by path, excerpts to export.

A trail is the path to a line: the index of a variation of the battle, of a variation of that, and
so on.  Trees are at most `bounds.MAX_DEPTH` deep, so recursion is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, cast

from thud.records.annotation import Annotation, annotation_in
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
"""Path to a line, by indices of variations; empty for the battle itself."""

Change: TypeAlias = Callable[[Line], Line]
"""An edit: returns a changed line."""

_AnyLine = TypeVar("_AnyLine", bound=Line)


def lines(battle: BattleRecord) -> Iterator[tuple[Trail, int, Line]]:
    """Yield every line of a battle, with its trail and the number of moves before it."""
    waiting: list[tuple[Trail, int, Line]] = [((), 0, battle)]
    while waiting:
        trail, begins, line = waiting.pop()
        yield trail, begins, line
        waiting += [
            ((*trail, index), begins + variation.after, variation)
            for index, variation in enumerate(line.variations)
        ]


def changed(line: _AnyLine, trail: Trail, change: Change) -> _AnyLine:
    """Return a line with the line at a trail changed."""
    if not trail:
        return cast("_AnyLine", change(line))
    first, *rest = trail
    variations = list(line.variations)
    variations[first] = changed(variations[first], tuple(rest), change)
    return cast("_AnyLine", line._replace(variations=tuple(variations)))


# Parts of a line


def until(line: _AnyLine, played: int) -> _AnyLine:
    """Return a line's first moves, with their comments and variations."""
    kept = line._replace(
        moves=line.moves[:played],
        comments=tuple(each for each in line.comments if each.after <= played),
        variations=tuple(each for each in line.variations if each.after < played),
    )
    return cast("_AnyLine", kept)


def rest_of(line: Line, played: int) -> Variation:
    """Return the rest of a line after its first moves, as a variation."""
    return Variation(
        played,
        line.moves[played:],
        moved_comments((each for each in line.comments if each.after > played), -played),
        moved((each for each in line.variations if each.after > played), -played),
    )


def beginning_at(line: Line, played: int) -> tuple[Variation, ...]:
    """Return a line's variations that begin after `played` moves."""
    return tuple(each for each in line.variations if each.after == played)


def joined(line: _AnyLine, rest: Variation) -> _AnyLine:
    """Return a line continued by one of its variations."""
    onward = line._replace(
        moves=line.moves[: rest.after] + rest.moves,
        comments=line.comments + moved_comments(rest.comments, rest.after),
        variations=line.variations + moved(rest.variations, rest.after),
    )
    return cast("_AnyLine", onward)


def in_order(variations: Iterable[Variation]) -> tuple[Variation, ...]:
    """Return variations sorted by where they begin."""
    return tuple(sorted(variations, key=lambda each: each.after))


def moved(variations: Iterable[Variation], by: int) -> tuple[Variation, ...]:
    """Return variations shifted by a number of moves."""
    return tuple(each._replace(after=each.after + by) for each in variations)


def moved_comments(comments: Iterable[Comment], by: int) -> tuple[Comment, ...]:
    """Return comments shifted by a number of moves."""
    return tuple(each._replace(after=each.after + by) for each in comments)


Node: TypeAlias = tuple[Trail, int]
"""A node of a battle's tree: a line, and a number of moves."""


class Entry(NamedTuple):
    """A move in a listing."""

    trail: Trail
    """Its line."""
    ply: int
    """Number of moves up to and including this one."""
    text: str
    commented: bool
    mark: str = ""
    """Its mark by a person, such as `!?`."""

    @property
    def node(self) -> Node:
        """The node after it."""
        return self.trail, self.ply


def outline(battle: BattleRecord) -> Iterator[Entry]:
    """Yield every move of a battle, each followed by its variations."""
    yield from _moves(battle, battle.start, (), 0)


def _moves(line: Line, start: Position, trail: Trail, begins: int) -> Iterator[Entry]:
    """Yield the moves of a line and of its variations, recursively."""
    commented = {comment.after for comment in line.comments if prose(comment.text)}
    marked = {after: annotation_in([text]).mark for after, text in line.comments if "[%" in text}
    varied: dict[int, list[int]] = {}
    for index, variation in enumerate(line.variations):
        varied.setdefault(variation.after, []).append(index)
    # Variations must not evict the battle itself, which is longest, from the cache.
    texts, positions = (_written if trail else _remembered)(start, line.moves)
    for played, position in enumerate(positions):
        ply = begins + played
        if played < len(texts):
            after = played + 1
            yield Entry(trail, ply + 1, texts[played], after in commented, marked.get(after, ""))
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
    """Cached `_written` for the battle itself.

    A battle of thousands of moves is listed again with every new variation.
    """
    return _written(start, moves)


class Cursor(NamedTuple):
    """An immutable cursor in a record; moving it returns another.

    It is on one line, the battle itself or a variation, after at least one of a variation's own
    moves: before them it is on the parent line.

    Make the first one with `at`, which checks that the record has such a place.
    """

    record: Record
    number: int
    """The battle's number, from 1."""
    ply: int
    """Number of moves before it, from the battle's start."""
    line: Line
    """The battle, or the variation."""
    moves: tuple[Move, ...]
    """The moves from the battle's start to the end of the line."""
    positions: tuple[Position, ...]
    """All positions along them: one more than moves."""
    parent: Cursor | None = None
    """The cursor where the line branches off its parent line; None for the battle itself."""
    variation_index: int = 0
    """Index of this line among the parent's variations."""

    @classmethod
    def at(
        cls, record: Record, number: int | None = None, ply: int | None = None, trail: Trail = ()
    ) -> Cursor:
        """Return a cursor after `ply` moves of a battle, by default at the end of the last.

        Args:
            record: the record.
            number: the battle's number, from 1.
            ply: number of moves, including those before a variation.
            trail: the path to the line.

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
            raise InvalidRecord(f"battle {number} has no ply {ply}: the last is {place.last}")
        return place.to(ply)

    @property
    def battle(self) -> BattleRecord:
        """The battle."""
        return self.record.battles[self.number - 1]

    @property
    def trail(self) -> Trail:
        """The path to the line."""
        return (*self.parent.trail, self.variation_index) if self.parent else ()

    @property
    def begins(self) -> int:
        """Number of moves before the line begins: 0 for the battle itself."""
        return self.parent.ply if self.parent else 0

    @property
    def position(self) -> Position:
        """The position at the cursor."""
        return self.positions[self.ply]

    @property
    def last(self) -> int:
        """Number of moves to the end of the line."""
        return len(self.moves)

    @property
    def before(self) -> Position | None:
        """The position before the last move, None at the battle's start."""
        return self.positions[self.ply - 1] if self.ply else None

    @property
    def move(self) -> Move | None:
        """The last move, None at the battle's start."""
        return self.moves[self.ply - 1] if self.ply else None

    @property
    def next_move(self) -> Move | None:
        """The next move on the line, None at its end."""
        return self.moves[self.ply] if self.ply < self.last else None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome: as recorded, or by the board alone in a variation."""
        if self.ply < self.last:
            return None
        if self.parent:
            return self.record.variant.outcome(self.position)
        return self.battle.outcome

    @property
    def comments(self) -> tuple[str, ...]:
        """Comments at the cursor."""
        played = self.ply - self.begins
        return tuple(each.text for each in self.line.comments if each.after == played)

    @property
    def words(self) -> tuple[str, ...]:
        """Comments at the cursor without programs' notes."""
        return tuple(words for words in map(prose, self.comments) if words)

    @property
    def annotation(self) -> Annotation:
        """A person's marks at the cursor."""
        return annotation_in(self.comments)

    @property
    def time_left(self) -> TimeLeft | None:
        """Time left to the player of the last move, None if unknown."""
        return next(filter(None, map(left_in, self.comments)), None)

    @property
    def commanders(self) -> tuple[str, str]:
        """Names of the dwarfs' and the trolls' player."""
        return self.record.commanders(self.number)

    @property
    def varied(self) -> tuple[int, ...]:
        """Variations that begin here, as alternatives to the next move."""
        played = self.ply - self.begins
        return tuple(
            index for index, each in enumerate(self.line.variations) if each.after == played
        )

    def match(self, *, ended: bool = True) -> Match:
        """Return the match up to the cursor, to be played on.

        Args:
            ended: whether to keep, at the end of the battle, an outcome by agreement, resignation,
                clock or limit; else only the board decides.

        Raises:
            IllegalMove: a move is not legal.
        """
        record = self.record
        battle = self.battle._replace(
            moves=self.moves[: self.ply], variations=(), taken_back=False, comments=()
        )
        if not ended or self.parent or self.ply < self.last:
            battle = battle._replace(outcome=None, quiet_limit=None)
        earlier = record.battles[: self.number - 1]
        return record._replace(battles=(*earlier, battle)).match()

    # Moving

    def to(self, ply: int) -> Cursor:
        """Move to after `ply` moves along the path here, clamped to what there is."""
        place = self
        while place.parent and ply <= place.begins:
            place = place.parent
        return place._replace(ply=max(0, min(ply, place.last)))

    def to_beginning(self) -> Cursor:
        """Move to the line's beginning: after a variation's first move."""
        return self.to(self.begins + 1 if self.parent else 0)

    def to_turn(self, turn: int) -> Cursor:
        """Move to after both moves of a turn, clamped to what there is."""
        return self.to(2 * turn - (self.battle.turn(1) - 1))

    def to_battle(self, number: int) -> Cursor:
        """Move to the start of a battle, wrapping around."""
        return Cursor.at(self.record, (number - 1) % len(self.record.battles) + 1, 0)

    def into(self, index: int) -> Cursor:
        """Move to after the first move of one of the line's variations."""
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
        """Move out to the parent line, where this line branches off."""
        return self.parent or self

    def to_next_alternative(self) -> Cursor:
        """Move to the next alternative of the last move.

        After the last alternative comes the first, the parent line's own move.
        """
        if not self.ply:
            return self
        here = self.to(self.ply - 1)
        on_line = -1
        ways = [*([on_line] if here.next_move else []), *here.varied]
        taken = self.variation_index if self.parent and self.ply == self.begins + 1 else on_line
        following = ways[(ways.index(taken) + 1) % len(ways)]
        return here.to_next() if following == on_line else here.into(following)

    def to_next_variation(self) -> Cursor:
        """Move to after the first move of the next variation ahead, if there is one."""
        ahead = (
            index
            for index, each in enumerate(self.line.variations)
            if self.begins + each.after >= self.ply
        )
        index = next(ahead, None)
        return self if index is None else self.into(index)

    def to_next(self) -> Cursor:
        """Move to after the line's next move, if there is one."""
        return self._replace(ply=min(self.ply + 1, self.last))


class Excerpt(NamedTuple):
    """The part of a match to export: battle, last move, orientation.

    By default it is the last battle with all its moves; `flipped` turns a picture's board round,
    rank 15 at the top.  Without a design pictures have the default one.
    """

    battle: int | None = None
    ply: int | None = None
    flipped: bool = False
    design: Design | None = None
    arrow: bool = False
    """Whether a picture has an arrow for the last move."""
    advised: Move | None = None
    """A next move that a picture advises with an arrow."""

    def of(self, record: Record) -> Cursor:
        """Return the excerpt's cursor in a record.

        Raises:
            InvalidRecord: the record has no such place.
        """
        return Cursor.at(record, self.battle, self.ply)
