"""How much room the game needs, and what is shown where there is less."""

from __future__ import annotations

from typing import Final

from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from thud.tui.board.widget import CELLS, size_needed

PANEL_WIDTH: Final = 31
PANEL_HEIGHT: Final = 22
FOOTER_HEIGHT: Final = 1
WIDE: Final = 117
"""The columns from which the panel is wider, and the message beneath the board lower."""

SMALLEST: Final = Size(size_needed(CELLS[-1])[0] + PANEL_WIDTH, PANEL_HEIGHT + FOOTER_HEIGHT)
"""The columns and rows below which the game cannot be played."""


def show_if_room(screen: Screen[None], size: Size) -> bool:
    """Show a screen's content, or say what room it needs; return whether there is enough."""
    room = fit(screen, size)
    screen.query_one("#too-small", Static).update(
        f"Thud needs {SMALLEST.width}×{SMALLEST.height} characters.\n"
        f"This terminal has {size.width}×{size.height}."
    )
    return room


def fit(screen: Screen[None], size: Size, *, update: bool = True) -> bool:
    """Give a screen the classes on which its layout depends; return whether there is room.

    Before its widgets are there, nothing has to be updated.
    """
    small = size.width < SMALLEST.width or size.height < SMALLEST.height
    screen.set_class(small, "-too-small", update=update)
    screen.set_class(size.width >= WIDE, "-wide", update=update)
    return not small
