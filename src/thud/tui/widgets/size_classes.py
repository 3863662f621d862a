"""The CSS classes of a screen by its size, and the message if it is too small."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from thud.terminal.cells import SMALLEST as _SMALLEST
from thud.terminal.cells import (
    SMALLEST_UPRIGHT,
    WIDE,
    WIDE_PANEL,
    has_room,
    is_upright,
    largest_within,
    rows_above,
)

LARGE_PANEL: Final = 49
"""Columns of the large panel, with its border, for when the board does not need them."""
_BELOW: Final = 3
"""Rows of the message below the board and of the footer."""
TALL: Final = 34
"""Fewest rows for a panel with more than the standing and the moves."""
_ROOMY: Final = 22
"""Fewest rows below the board for more than the necessary."""
_GRAPH: Final = 4
"""Rows of a graph below the board."""

SMALLEST: Final = Size(*_SMALLEST)
"""Smallest screen with the panel beside the board."""


def show_if_room(screen: Screen[None], size: Size, own: Mapping[str, bool] = {}) -> bool:
    """Show a screen's content, or how much room it needs; return whether there is enough.

    Args:
        screen: the screen.
        size: its size.
        own: its own classes for this size, in place of others of the same names.
    """
    room = fit(screen, size, own)
    if not room:
        screen.query_one("#too-small", Static).update(
            f"Thud needs {SMALLEST.width}×{SMALLEST.height} characters, "
            f"or {SMALLEST_UPRIGHT[0]}×{SMALLEST_UPRIGHT[1]}.\n"
            f"This terminal has {size.width}×{size.height}."
        )
    return room


def fit(
    screen: Screen[None], size: Size, own: Mapping[str, bool] = {}, *, update: bool = True
) -> bool:
    """Set the CSS classes of a screen for a size; return whether there is room.

    `update` restyles its widgets, which is not needed before they are composed.  All change at
    once, since each change restyles every widget.
    """
    (width, height), rows = size, size.height - _BELOW
    room, wide, upright = has_room(width, height), width >= WIDE, is_upright(width, height)
    board = largest_within(width - WIDE_PANEL, rows)
    above_graph = largest_within(width - WIDE_PANEL, rows + 1 - _GRAPH)
    beside_large_panel = largest_within(width - LARGE_PANEL, rows)
    has_columns_left = width >= WIDE + LARGE_PANEL - WIDE_PANEL and board == beside_large_panel
    classes = {
        "-too-small": not room,
        "-wide": wide,
        "-large": has_columns_left,
        "-tall": height >= TALL,
        # The board is larger without a graph below it.
        "-board-alone": board > above_graph and wide and not upright,
        "-upright": upright,
        "-roomy": height - rows_above(width, height) >= _ROOMY,
        **own,
    }
    screen.update_classes(classes, update=update)
    return room
