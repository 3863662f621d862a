"""The CSS classes of a screen by its size, and the message if it is too small."""

from __future__ import annotations

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


def show_if_room(screen: Screen[None], size: Size) -> bool:
    """Show a screen's content, or how much room it needs; return whether there is enough."""
    room = fit(screen, size)
    screen.query_one("#too-small", Static).update(
        f"Thud needs {SMALLEST.width}×{SMALLEST.height} characters, "
        f"or {SMALLEST_UPRIGHT[0]}×{SMALLEST_UPRIGHT[1]}.\n"
        f"This terminal has {size.width}×{size.height}."
    )
    return room


def _has_columns_left(size: Size) -> bool:
    """Whether the board is as large beside the largest panel as beside a smaller one."""
    rows = size.height - _BELOW
    smaller, larger = (
        largest_within(size.width - panel, rows) for panel in (WIDE_PANEL, LARGE_PANEL)
    )
    return size.width >= WIDE + LARGE_PANEL - WIDE_PANEL and smaller == larger


def _is_larger_alone(size: Size) -> bool:
    """Whether the board beside the panel is larger without a graph below it."""
    columns, rows = size.width - WIDE_PANEL, size.height - _BELOW
    larger = largest_within(columns, rows) > largest_within(columns, rows + 1 - _GRAPH)
    return larger and size.width >= WIDE and not is_upright(*size)


def fit(screen: Screen[None], size: Size, *, update: bool = True) -> bool:
    """Set the CSS classes of a screen for a size; return whether there is room.

    `update` restyles its widgets, which is not needed before they are composed.
    """
    small = not has_room(*size)
    screen.set_class(small, "-too-small", update=update)
    screen.set_class(size.width >= WIDE, "-wide", update=update)
    screen.set_class(_has_columns_left(size), "-large", update=update)
    screen.set_class(size.height >= TALL, "-tall", update=update)
    screen.set_class(_is_larger_alone(size), "-board-alone", update=update)
    screen.set_class(is_upright(*size), "-upright", update=update)
    screen.set_class(size.height - rows_above(*size) >= _ROOMY, "-roomy", update=update)
    return not small
