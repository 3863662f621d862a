"""Where the terminal's own cursor stands.

It is hidden, but braille displays, magnifiers and input methods follow it.  Textual leaves it in
the corner, except in text fields (Textual #2348).
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList

from thud.tui.board.widget import Board


@runtime_checkable
class HasCaret(Protocol):
    """A widget with a place of its own for the cursor, from the corner of its content."""

    @property
    def caret(self) -> Offset:
        """The cell that the widget's keys act on."""


def caret_of(screen: Screen[object]) -> Offset:
    """Return the cell of a screen that the keys act on.

    Without a focus it is the piece that moved last, or the corner.
    """
    widget = screen.focused or next(iter(screen.query(Board)), None)
    if widget is None:
        return Offset(0, 0)
    if isinstance(widget, Input):
        return widget.cursor_screen_offset
    region = widget.content_region
    place = region.offset + _within(widget)
    return Offset(
        max(region.x, min(place.x, region.right - 1)),
        max(region.y, min(place.y, region.bottom - 1)),
    )


def _within(widget: Widget) -> Offset:
    if isinstance(widget, HasCaret):
        return widget.caret
    if isinstance(widget, OptionList) and widget.highlighted is not None:
        line = widget._index_to_line.get(widget.highlighted, 0)
        return Offset(0, line - widget.scroll_offset.y)
    return Offset(0, 0)
