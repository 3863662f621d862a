"""Moves beside the board, row by row: how they are drawn and clicked, whatever is listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset
from textual.scroll_view import ScrollView

from thud.tui.looks.fitted import fitted

NUMBER: Final = 4
"""The columns of a turn's number."""


class MoveRows(ScrollView, can_focus=False):
    """A list of moves in rows, which are laid out anew for every width."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"moves--number", "moves--now", "moves--undone"}

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._ground: Style | None = None

    def notify_style_update(self) -> None:
        """Forget the former colours."""
        super().notify_style_update()
        self._ground = None

    def on_resize(self) -> None:
        """Lay the moves out for the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        """Put the moves into rows."""
        raise NotImplementedError

    @property
    def _base(self) -> Style:
        """The style beneath everything, which takes long to find."""
        if self._ground is None:
            self._ground = self.rich_style
        return self._ground

    def _style(self, name: str) -> Style:
        return self._base + self.get_component_rich_style(name, partial=True)

    def _number(self, turn: int, *, second: bool) -> Segment:
        """Draw the number of a turn, or that a row goes on with it."""
        text = "…" if second else str(turn)
        return Segment(f"{text:>{NUMBER - 1}} ", self._style("moves--number"))

    def _drawn(self, moves: Iterable[tuple[str, Style]], room: int) -> Iterator[Segment]:
        """Draw moves side by side, each in its room."""
        for move, style in moves:
            text = fitted(move, room)
            yield Segment(text, style)
            yield Segment(" " * (room - len(text)), self._base)

    def _clicked(self, event: events.Click) -> Offset | None:
        """Return the column and the row of the list that were clicked, if they are within it."""
        offset = event.get_content_offset(self)
        return offset and Offset(offset.x, offset.y + self.scroll_offset.y)
