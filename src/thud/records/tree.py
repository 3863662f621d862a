"""A battle's tree of nodes: paths in it, a list of its moves, a cursor and its ways, excerpts.

Variations are at most `bounds.MAX_DEPTH` deep, so recursion is safe.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from thud.records.annotation import Annotation, annotation_in
from thud.records.record import (
    BattleRecord,
    InvalidRecord,
    Line,
    Node,
    Record,
    line_of,
    moves_of,
    positions_along,
)
from thud.records.tgn.notes import left_in, prose
from thud.rules.clock import TimeLeft
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Outcome

if TYPE_CHECKING:
    from thud.pictures.drawings import Design


Trail: TypeAlias = tuple[tuple[int, int], ...]
"""Path to a line: for each variation on the way, the ply where it begins and its index there.

It is empty for the battle itself.
"""

NodePath: TypeAlias = tuple[Trail, int]
"""Path to a node: its line, and its ply, the number of moves up to it."""


class ListedMove(NamedTuple):
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
    def path(self) -> NodePath:
        """The path to its node."""
        return self.trail, self.ply


def outline(battle: BattleRecord) -> Iterator[ListedMove]:
    """Yield every move of a battle, each followed by its variations."""
    yield from _moves(battle.line, battle.start, (), 0)


def _moves(line: Line, start: Position, trail: Trail, first: int) -> Iterator[ListedMove]:
    """Yield the moves after a line's first node, each followed by its variations, recursively."""
    # Variations must not evict the battle itself, which is longest, from the cache.
    texts, positions = (_written.__wrapped__ if trail else _written)(start, moves_of(line[1:]))
    steps = zip_longest(line, positions, line[1:], texts)
    for ply, (before, position, node, text) in enumerate(steps, first):
        if node:
            mark = annotation_in(node.comments).mark if node.comments else ""
            yield ListedMove(trail, ply + 1, text, any(map(prose, node.comments)), mark)
        for index, variation in enumerate(before.variations):
            yield from _moves((Node(), *variation), position, (*trail, (ply, index)), ply)


@lru_cache(maxsize=4)
def _written(
    start: Position, moves: tuple[Move, ...]
) -> tuple[tuple[str, ...], tuple[Position, ...]]:
    """Return the texts of moves, and the positions before and after them.

    They are cached: a battle of thousands of moves is listed again with every new variation.
    """
    positions = tuple(positions_along(start, moves))
    return tuple(map(move_text, positions, moves)), positions


class Cursor(NamedTuple):
    """An immutable cursor in a record: a node, and the way to it; moving it returns another.

    Nodes do not know what they follow, so that records stay values: the cursor knows it.
    Before a variation's first move it is on the parent line.

    Make the first one with `at`, which checks that the record has such a place.
    """

    record: Record
    number: int
    """The battle's number, from 1."""
    ply: int
    """Number of moves before it, from the battle's start."""
    nodes: Line
    """The nodes from the battle's start to the end of the line."""
    positions: tuple[Position, ...]
    """Their positions."""
    parent: Cursor | None = None
    """The cursor where the line branches off its parent line; None for the battle itself."""
    variation_index: int = 0
    """Index of this line among the variations there."""

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
        place = cls(record, number, 0, battle.line, tuple(battle.positions()))
        for begins, index in trail:
            here = place.to(begins)
            if here.path != (place.trail, begins) or index not in range(len(here.node.variations)):
                raise InvalidRecord(f"battle {number} has no such variation")
            place = here.into(index)
        ply = place.last if ply is None else ply
        if not 0 <= ply <= place.last:
            raise InvalidRecord(f"battle {number} has no ply {ply}: the last is {place.last}")
        return place.to(ply)

    @property
    def battle(self) -> BattleRecord:
        """The battle."""
        return self.record.battles[self.number - 1]

    @property
    def node(self) -> Node:
        """The node at the cursor."""
        return self.nodes[self.ply]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves from the battle's start to the end of the line."""
        return moves_of(self.nodes)

    @property
    def trail(self) -> Trail:
        """The path to the line."""
        parent = self.parent
        return (*parent.trail, (parent.ply, self.variation_index)) if parent else ()

    @property
    def path(self) -> NodePath:
        """The path to the node."""
        return self.trail, self.ply

    @property
    def first(self) -> int:
        """The ply of the line's first node: 0 for the battle itself."""
        return self.parent.ply + 1 if self.parent else 0

    @property
    def ply_in_battle(self) -> int:
        """The ply on the main line, or the one where its variation branches off."""
        return self.parent.ply_in_battle if self.parent else self.ply

    @property
    def position(self) -> Position:
        """The position at the cursor."""
        return self.positions[self.ply]

    @property
    def last(self) -> int:
        """Number of moves to the end of the line."""
        return len(self.nodes) - 1

    @property
    def before(self) -> Position | None:
        """The position before the last move, None at the battle's start."""
        return self.positions[self.ply - 1] if self.ply else None

    @property
    def move(self) -> Move | None:
        """The last move, None at the battle's start."""
        return self.node.move

    @property
    def next_move(self) -> Move | None:
        """The next move on the line, None at its end."""
        return self.nodes[self.ply + 1].move if self.ply < self.last else None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome: as recorded, or by the board alone in a variation."""
        if self.ply < self.last:
            return None
        if self.parent:
            return self.record.variant.outcome(self.position)
        return self.battle.outcome

    @property
    def words(self) -> tuple[str, ...]:
        """Comments at the cursor without programs' notes."""
        return tuple(words for words in map(prose, self.node.comments) if words)

    @property
    def annotation(self) -> Annotation:
        """A person's marks at the cursor."""
        return annotation_in(self.node.comments)

    @property
    def time_left(self) -> TimeLeft | None:
        """Time left to the player of the last move, None if unknown."""
        return next(filter(None, map(left_in, self.node.comments)), None)

    @property
    def commanders(self) -> tuple[str, str]:
        """Names of the dwarfs' and the trolls' player."""
        return self.record.commanders(self.number)

    def match(self, *, ended: bool = True) -> Match:
        """Return the match up to the cursor, to be played on.

        Args:
            ended: whether to keep, at the end of the battle, an outcome by agreement, resignation,
                clock or limit; else only the board decides.

        Raises:
            IllegalMove: a move is not legal.
        """
        record = self.record
        line = line_of(self.moves[: self.ply])
        battle = self.battle._replace(line=line, taken_back=False)
        if not ended or self.parent or self.ply < self.last:
            battle = battle._replace(outcome=None, quiet_limit=None)
        earlier = record.battles[: self.number - 1]
        return record._replace(battles=(*earlier, battle)).match()

    # Moving

    def to(self, ply: int) -> Cursor:
        """Move to after `ply` moves along the path here, clamped to what there is."""
        place = self
        while place.parent and ply < place.first:
            place = place.parent
        return place._replace(ply=max(0, min(ply, place.last)))

    def to_turn(self, turn: int) -> Cursor:
        """Move to after both moves of a turn, clamped to what there is."""
        return self.to(2 * turn - (self.battle.turn(1) - 1))

    def to_nearest(self, plies: Sequence[int], by: int) -> Cursor | None:
        """Move to the nearest of some places of the battle, ahead if `by` is 1, before if -1.

        None if there is none that way.
        """
        here = self.ply_in_battle
        there = next((ply for ply in plies[::by] if (ply - here) * by > 0), None)
        return None if there is None else Cursor.at(self.record, self.number, there)

    def into(self, index: int) -> Cursor:
        """Move to after the first move of one of the variations here."""
        line, before = self.node.variations[index], self.positions[: self.ply]
        return Cursor(
            self.record,
            self.number,
            self.ply + 1,
            self.nodes[: self.ply + 1] + line,
            (*before, *positions_along(self.position, moves_of(line))),
            self,
            index,
        )

    def to_next_alternative(self) -> Cursor:
        """Move to the next alternative of the last move.

        After the last alternative comes the first, the parent line's own move.
        """
        if not self.ply:
            return self
        here = self.to(self.ply - 1)
        index = self.variation_index + 1 if self.parent and self.ply == self.first else 0
        if index < len(here.node.variations):
            return here.into(index)
        return here.to_next() if here.next_move else here.into(0)

    def to_next(self) -> Cursor:
        """Move to after the line's next move, if there is one."""
        return self._replace(ply=min(self.ply + 1, self.last))


def destination(here: Cursor, way: str) -> Cursor:
    """Return the place that a way leads to, or the same one if it leads nowhere.

    Args:
        here: the current place.
        way: one of "next", "back", "first", "last", "battle", "into", "out" and "across".
    """
    there = here
    match way:
        case "next":
            there = here.to(here.ply + 1)
        case "back":
            there = here.to(here.ply - 1)
        case "first":
            there = here.to(0)
        case "last":
            there = here.to(here.last)
        case "battle" if len(here.record.battles) > 1:  # after the last comes the first again
            there = Cursor.at(here.record, here.number % len(here.record.battles) + 1, 0)
        case "into":
            there = here.into(0) if here.node.variations else here.to_next_alternative()
        case "out":
            there = here.parent or here
        case "across":
            there = here.to_next_alternative()
            ahead = range(here.ply, here.last + 1)
            varied = next((ply for ply in ahead if here.nodes[ply].variations), None)
            if there == here and varied is not None:
                there = here.to(varied).into(0)
    return there


def one_on(before: Cursor, after: Cursor) -> bool:
    """Whether a place is a single move after another one."""
    return after.number == before.number and after.ply == before.ply + 1


def at_board(cursor: Cursor, commanders: tuple[str, str]) -> Match:
    """Return a match with a place's position and last move, to pick moves in.

    Args:
        cursor: the place.
        commanders: the names of the dwarfs' and the trolls' player.
    """
    before = cursor.position if cursor.before is None else cursor.before
    match = Match(cursor.record.variant, commanders, before)
    if cursor.move:
        match.battle.play(cursor.move)
    return match


class Excerpt(NamedTuple):
    """The part of a match to export: battle, last move, its line, orientation.

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
    trail: Trail = ()
    """The path to the line."""

    def of(self, record: Record) -> Cursor:
        """Return the excerpt's cursor in a record.

        Raises:
            InvalidRecord: the record has no such place.
        """
        return Cursor.at(record, self.battle, self.ply, self.trail)
