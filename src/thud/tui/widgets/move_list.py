"""The list of moves beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from thud.rules.battle import Battle
from thud.rules.position import Move, Position
from thud.tui.looks.fitted import fitted

if TYPE_CHECKING:
    from thud.records.tree import NodePath, Trail

_NUMBER: Final = 4
"""Columns of a turn's number."""
_INDENT: Final = 2
_DEEPEST: Final = 4
"""Most levels of indentation: the moves need room, too."""


class ListedText(Struct, frozen=True):
    """A move as it is written in the list."""

    text: str
    trail: Trail
    """The line that it is on, empty for the battle itself."""
    ply: int
    """The number of moves up to and including this one."""
    style: str = ""
    """The component class that colours it, if any."""


class _Row(Struct, frozen=True):
    """A row of the list: one move, or both of a turn."""

    moves: Sequence[ListedText]
    indent: int

    def room(self, width: int) -> int:
        """Return the columns of each move in a list of a width."""
        return (width - _NUMBER - self.indent) // len(self.moves)


class MoveRows(ScrollView, can_focus=False):
    """A list of moves, a turn a row where both moves fit, laid out for each width."""

    DEFAULT_CLASSES = "section"

    COMPONENT_CLASSES: ClassVar[set[str]] = {"moves--number", "moves--now", "moves--undone"}

    ALLOW_SELECT = False

    BORDER_TITLE = "Moves"

    ends_now: ClassVar[bool] = False
    """Whether the current move is scrolled to the bottom instead of the middle."""

    class Picked(Message):
        """A move was clicked."""

        def __init__(self, move: ListedText) -> None:
            super().__init__()
            self.trail = move.trail
            self.played = move.ply

    def __init__(self) -> None:
        super().__init__()
        self._moves: Sequence[ListedText] = ()
        self._skipped = 0
        self._now: NodePath = ((), 0)
        self.legend = ""
        """What a sign of the moves means, told below them."""
        self._rows: list[_Row] = []
        self._row_of: dict[NodePath, int] = {}

    @cached_property
    def _base(self) -> Style:
        """The base style, which is slow to compute."""
        return self.rich_style

    def notify_style_update(self) -> None:
        """Drop the style cached in the old colours."""
        super().notify_style_update()
        self.__dict__.pop("_base", None)

    @on(events.Resize)
    def lay_out(self) -> None:
        """Put the moves into rows: both of a turn in one if they are consecutive and fit."""
        (width, height), moves = self.size, self._moves
        # A frame around nothing is not drawn.
        self.border_title = self.BORDER_TITLE if height else ""
        self.border_subtitle = self.legend if height else ""
        self.set_class(not height, "-empty")
        self._rows, self._row_of = [], {}
        index = 0
        while index < len(moves):
            indent = _INDENT * min(len(moves[index].trail), _DEEPEST)
            row = _Row(moves[index : index + 2], indent)
            first, last = row.moves[0], row.moves[-1]
            begins_turn = (first.ply - 1 + self._skipped) % 2 == 0
            turn = begins_turn and (last.trail, last.ply) == (first.trail, first.ply + 1)
            if not turn or max(len(first.text), len(last.text)) >= row.room(width):
                row = _Row([first], indent)
            self._row_of |= {(each.trail, each.ply): len(self._rows) for each in row.moves}
            self._rows.append(row)
            index += len(row.moves)
        self.virtual_size = Size(width, len(self._rows))
        self.scroll_to_now()

    def scroll_to_now(self) -> None:
        """Scroll to the current move, and redraw."""
        height = self.size.height
        above = height - 1 if self.ends_now else height // 2
        current = self._row_of.get(self._now, 0)
        # Forced: the first row that overflows makes the list scrollable only at the next layout.
        self.scroll_to(y=max(0, current - above), animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index, width, base = y + self.scroll_offset.y, self.size.width, self._base
        if index >= len(self._rows):
            return Strip.blank(width, base)
        row = self._rows[index]
        # The list may be drawn before it is laid out again for a new width.
        room = row.room(width)
        turn, second = divmod(row.moves[0].ply - 1 + self._skipped, 2)
        number = f"{'…' if second else turn + 1:>{_NUMBER - 1}} "
        grey = base + self.get_component_rich_style("moves--number", partial=True)
        segments = [Segment(" " * row.indent, base)] if row.indent else []
        segments.append(Segment(number, grey))
        for move in row.moves:
            text, style = fitted(move.text, room), base
            if move.style:
                style += self.get_component_rich_style(move.style, partial=True)
            if (move.trail, move.ply) == self._now:
                style += self.get_component_rich_style("moves--now", partial=True)
            segments += [Segment(text, style), Segment(" " * (room - len(text)), base)]
        return Strip(segments).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked move."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y + self.scroll_offset.y < len(self._rows):
            row = self._rows[offset.y + self.scroll_offset.y]
            second_from = row.indent + _NUMBER + row.room(self.size.width)
            second = len(row.moves) > 1 and offset.x >= second_from
            self.post_message(self.Picked(row.moves[second]))


class MoveList(MoveRows):
    """The moves of a battle; undone ones dim and in brackets."""

    ends_now = True

    def __init__(self) -> None:
        super().__init__()
        self._listed: tuple[Position, tuple[Move, ...]] | None = None
        self._texts: list[str] = []

    def show(self, battle: Battle, played: int | None = None) -> None:
        """List a battle's moves, scrolled to the last one played.

        Args:
            battle: the battle, with its undone moves.
            played: the number of moves to show as played, if not the battle's.
        """
        from thud.rules.notation import texts_of

        listed = battle.start, battle.moves + battle.undone
        if listed != self._listed:
            self._listed, self._texts = listed, list(texts_of(*listed))
        played = battle.played if played is None else played
        self._moves = [
            ListedText(text, (), ply)
            if ply <= played
            else ListedText(f"({text})", (), ply, "moves--undone")
            for ply, text in enumerate(self._texts, 1)
        ]
        self._now, self._skipped = ((), played), battle.skipped
        self.display = bool(self._texts)
        self.lay_out()
