"""The last chat messages, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text
from textual import events, on
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from thud.tui.looks.fitted import fitted

_LOW: Final = 6
"""Most rows in a low panel."""

_UPRIGHT: Final = 3
"""Most rows if the panel is below the board."""

_SHARE: Final = 3
"""Rows of the panel for each row of chat."""

_KEPT: Final = 30
"""Most chat messages shown."""


class ChatLog(Static):
    """The last chat messages, the newest at the bottom."""

    DEFAULT_CSS = """
    ChatLog { display: none; height: auto; margin-bottom: 1; color: $foreground-muted; }
    """

    def __init__(self) -> None:
        super().__init__(id="chat", markup=False)
        self._said: Sequence[str] = ()

    def show(self, said: Sequence[str]) -> None:
        """Show the last of some messages."""
        self._said = said[-_KEPT:]
        self.display = bool(said)
        self.fill()

    @on(events.Resize)
    def fill(self) -> None:
        """Show as many rows as fit."""
        room = self.parent.content_size if isinstance(self.parent, Widget) else Size(0, 0)
        upright = self.app.has_class("-upright")
        most = _UPRIGHT if upright else max(_LOW, room.height // _SHARE)
        width = self.content_size.width or room.width
        rows = [row for text in self._said for row in _rows(text, self.app.console, width)]
        if len(rows) > most:
            rows = ["…", *rows[1 - most :]]
        self.update("\n".join(rows))


def first_rows(said: str, console: Console, width: int, most: int) -> str:
    r"""Truncate a text to a number of rows, with an ellipsis if any are cut.

    >>> first_rows("Ann says: good luck, Bob", Console(), 12, 2)
    'Ann says:\ngood luck,…'
    """
    rows = _rows(said, console, width)
    if len(rows) <= most or most < 1:
        return said
    return "\n".join([*rows[: most - 1], fitted(f"{rows[most - 1]}…", width)])


def _rows(text: str, console: Console, width: int) -> list[str]:
    return [row.plain.rstrip() for row in Text(text).wrap(console, max(1, width))]
