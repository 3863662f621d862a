"""The list of moves beside the board."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from thud.rules.battle import Battle
from thud.rules.notation import texts_of
from thud.rules.position import Move, Position
from thud.tui.looks.fitted import fitted

NUMBER: Final = 4
"""Columns of a turn's number."""


class MoveRows(ScrollView, can_focus=False):
    """A list of moves in rows, laid out for each width."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"moves--number", "moves--now", "moves--undone"}

    ALLOW_SELECT = False

    BORDER_TITLE = "Moves"

    @cached_property
    def _base(self) -> Style:
        """The base style, which is slow to compute."""
        return self.rich_style

    def notify_style_update(self) -> None:
        """Drop the style cached in the old colours."""
        super().notify_style_update()
        self.__dict__.pop("_base", None)

    def on_resize(self) -> None:
        """Lay the moves out for the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        """Put the moves into rows."""
        raise NotImplementedError

    def _style(self, name: str) -> Style:
        return self._base + self.get_component_rich_style(name, partial=True)

    def _number(self, turn: int, *, second: bool) -> Segment:
        """Draw a turn's number, or an ellipsis if the row continues the turn."""
        text = "…" if second else str(turn)
        return Segment(f"{text:>{NUMBER - 1}} ", self._style("moves--number"))

    def _drawn(self, moves: Iterable[tuple[str, Style]], room: int) -> list[Segment]:
        """Draw moves side by side, each in a number of columns."""
        drawn = []
        for move, style in moves:
            text = fitted(move, room)
            drawn += [Segment(text, style), Segment(" " * (room - len(text)), self._base)]
        return drawn

    def _clicked(self, event: events.Click) -> Offset | None:
        """Return the clicked column and row of the list, None if outside."""
        offset = event.get_content_offset(self)
        return offset and Offset(offset.x, offset.y + self.scroll_offset.y)


class MoveList(MoveRows):
    """The moves, a turn a line where both fit; undone ones dim."""

    class Picked(Message):
        """A move was clicked."""

        def __init__(self, played: int) -> None:
            super().__init__()
            self.played = played
            """Number of moves up to this one."""

    def __init__(self) -> None:
        super().__init__()
        self._listed: tuple[Position, tuple[Move, ...]] | None = None
        self._texts: list[str] = []
        self._played = 0
        self._rows: list[tuple[int, ...]] = []
        self._skipped = 0

    def show(self, battle: Battle, played: int | None = None) -> None:
        """List a battle's moves, scrolled to the last one played.

        Args:
            battle: the battle, with its undone moves.
            played: the number of moves to show as played, if not the battle's.
        """
        listed = battle.start, battle.moves + battle.undone
        if listed != self._listed:
            self._listed, self._texts = listed, list(texts_of(*listed))
        self._played = battle.played if played is None else played
        self._skipped = battle.skipped
        self.display = bool(self._texts)
        self._lay_out()

    def _lay_out(self) -> None:
        """Put the moves into rows, both of a turn in one if they fit."""
        room = self._room
        self._rows = []
        for first in range(-self._skipped, len(self._texts), 2):
            turn = tuple([i for i in (first, first + 1) if 0 <= i < len(self._texts)])
            fits = len(turn) == 2 and all(len(self._shown(i)) < room for i in turn)
            self._rows += [turn] if fits else [(index,) for index in turn]
        self.virtual_size = Size(self.size.width, len(self._rows))
        current = next((y for y, row in enumerate(self._rows) if self._played - 1 in row), 0)
        # Forced: the first row that overflows makes the list scrollable only at the next layout.
        self.scroll_to(y=max(0, current - self.size.height + 1), animate=False, force=True)
        self.refresh()

    @property
    def _room(self) -> int:
        """Columns of each of two moves after their turn's number."""
        return (self.size.width - NUMBER) // 2

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = y + self.scroll_offset.y
        width = self.size.width
        if index >= len(self._rows):
            return Strip.blank(width, self._base)
        row = self._rows[index]
        turn, second = divmod(row[0] + self._skipped, 2)
        room = self._room if len(row) > 1 else width - NUMBER
        moves = [(self._shown(each), self._move_style(each)) for each in row]
        segments = [self._number(turn + 1, second=bool(second)), *self._drawn(moves, room)]
        return Strip(segments).adjust_cell_length(width, self._base)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked move."""
        place = self._clicked(event)
        if place and place.y < len(self._rows):
            row = self._rows[place.y]
            second = len(row) > 1 and place.x >= NUMBER + self._room
            self.post_message(self.Picked(row[second] + 1))

    def _shown(self, index: int) -> str:
        """Return a move's text, in brackets if it was undone."""
        text = self._texts[index]
        return text if index < self._played else f"({text})"

    def _move_style(self, index: int) -> Style:
        if index >= self._played:
            return self._style("moves--undone")
        return self._style("moves--now") if index == self._played - 1 else self._base
