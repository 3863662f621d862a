"""The list of a battle's moves and variations, to jump to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar, Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from thud.records.record import BattleRecord
from thud.records.tree import Cursor, ListedMove, NodePath, outline
from thud.review.judgement import Mark
from thud.tui.widgets.move_list import NUMBER, MoveRows

_INDENT: Final = 2
_DEEPEST: Final = 4
"""Most levels of indentation: the moves need room, too."""

_COMMENTED: Final = '"'


class MoveRow(NamedTuple):
    """A line of the list: one move, or both of a turn."""

    moves: tuple[ListedMove, ...]
    indent: int


def rows(
    moves: Iterable[ListedMove], width: int, skipped: int, length: Callable[[ListedMove], int]
) -> Iterator[MoveRow]:
    """Yield rows of moves: both of a turn in one if they are consecutive and fit.

    Args:
        moves: the moves in order.
        width: the columns available.
        skipped: 1 if the trolls began, else 0.
        length: returns the columns that a move takes.
    """
    first: ListedMove | None = None
    for move in moves:
        if first and _belong(first, move) and _fit(first, move, width, length):
            yield MoveRow((first, move), _indent(first))
            first = None
            continue
        if first:
            yield MoveRow((first,), _indent(first))
        second = (move.ply + skipped) % 2 == 0
        first = None if second else move
        if second:
            yield MoveRow((move,), _indent(move))
    if first:
        yield MoveRow((first,), _indent(first))


def _belong(one: ListedMove, other: ListedMove) -> bool:
    return one.trail == other.trail and other.ply == one.ply + 1


def _indent(move: ListedMove) -> int:
    return _INDENT * min(len(move.trail), _DEEPEST)


def _room(width: int, indent: int) -> int:
    """Return the columns for each of two moves."""
    return (width - NUMBER - indent) // 2


def _fit(
    one: ListedMove, other: ListedMove, width: int, length: Callable[[ListedMove], int]
) -> bool:
    room = _room(width, _indent(one))
    return all(length(each) < room for each in (one, other))


class MoveTree(MoveRows):
    """The moves, a turn a line where both fit; variations indented and dim."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"moves--{mark.name.lower()}" for mark in Mark}

    class Picked(Message):
        """A move was clicked."""

        def __init__(self, path: NodePath) -> None:
            super().__init__()
            self.path = path

    def __init__(self) -> None:
        super().__init__()
        self._marks: Mapping[NodePath, Mark] = {}
        self._battle: BattleRecord | None = None
        self._moves: list[ListedMove] = []
        self._now: NodePath = ((), 0)
        self._rows: list[MoveRow] = []
        self._row_of: dict[NodePath, int] = {}
        self._width = 0

    def show(self, cursor: Cursor, *, ahead: bool = True) -> None:
        """List the moves of a battle, scrolled to the one that led to a place.

        Args:
            cursor: the place.
            ahead: whether to list the moves after it.
        """
        battle = cursor.battle
        if not ahead:
            before, here = battle.line[: cursor.ply], battle.line[cursor.ply : cursor.ply + 1]
            bare = (node._replace(variations=()) for node in here)
            battle = battle._replace(line=(*before, *bare))
        if battle != self._battle:
            self._battle, self._width = battle, 0
            self._moves = list(outline(battle))
        self._now = cursor.path
        self._lay_out()

    def mark(self, marks: Mapping[NodePath, Mark]) -> None:
        """Mark and colour some moves, each given by the place after it."""
        if marks != self._marks:
            self._marks, self._width = marks, 0
            self._lay_out()

    def _lay_out(self) -> None:
        """Rebuild the rows if moves or width have changed, and scroll to the current move."""
        if self._battle and self._width != self.size.width:
            self._width = self.size.width
            skipped = self._battle.turn(1) - 1
            self._rows = list(rows(self._moves, self._width, skipped, self._length))
            self._row_of = {
                move.path: index for index, row in enumerate(self._rows) for move in row.moves
            }
            self.virtual_size = Size(self._width, len(self._rows))
        current = self._row_of.get(self._now, 0)
        self.scroll_to(y=max(0, current - self.size.height // 2), animate=False)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = y + self.scroll_offset.y
        if index >= len(self._rows):
            return Strip.blank(self.size.width, self._base)
        row = self._rows[index]
        segments = [Segment(" " * row.indent, self._base), self._turn_of(row.moves[0])]
        moves = ((self._shown(move), self._move_style(move)) for move in row.moves)
        segments += self._drawn(moves, self._room_in(row))
        return Strip(segments).adjust_cell_length(self.size.width, self._base)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked move."""
        place = self._clicked(event)
        if place and place.y < len(self._rows):
            row = self._rows[place.y]
            second = len(row.moves) > 1 and place.x >= row.indent + NUMBER + self._room_in(row)
            self.post_message(self.Picked(row.moves[second].path))

    def _room_in(self, row: MoveRow) -> int:
        """Return the columns for each move of a row."""
        both = len(row.moves) > 1
        return _room(self.size.width, row.indent) if both else self.size.width - NUMBER - row.indent

    def _shown(self, move: ListedMove) -> str:
        """Return a move's text with its mark and the sign of a comment."""
        said = _COMMENTED if move.commented else ""
        judged = self._marks.get(move.path)
        return f"{move.text}{move.mark or (judged.value if judged else '')}{said}"

    def _length(self, move: ListedMove) -> int:
        """Return the columns that a move takes in the list."""
        return len(self._shown(move))

    def _turn_of(self, move: ListedMove) -> Segment:
        assert self._battle
        ply = move.ply - 1
        second = (ply + self._battle.turn(1) - 1) % 2
        return self._number(self._battle.turn(ply), second=bool(second))

    def _move_style(self, move: ListedMove) -> Style:
        style = self._style("moves--undone") if move.trail else self._base
        if mark := self._marks.get(move.path):
            style = self._style(f"moves--{mark.name.lower()}")
        if move.path == self._now:
            style += self.get_component_rich_style("moves--now", partial=True)
        return style
