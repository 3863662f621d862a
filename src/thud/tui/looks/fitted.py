"""Text truncated to a width, or to a number of rows."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

BETWEEN: Final = "   "
"""What stands between two items of a legend."""


def fitted(text: str, width: int) -> str:
    """Truncate a text to a width in columns, with an ellipsis if it is cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"


def fitted_path(path: str, width: int) -> str:
    """Shorten a path to a width in columns, its end being what tells most.

    >>> fitted_path("~/.config/thud/settings.toml", 20)
    '…/thud/settings.toml'
    """
    while cell_len(path) > width and "/" in (rest := path.removeprefix("…/")):
        path = f"…/{rest.partition('/')[2]}"
    return fitted(path, width)


def in_items(items: str, width: int) -> str:
    r"""Lay items that stand three spaces apart out in lines, none of which ends within an item.

    >>> in_items("! in danger   : can capture   o lands safely", 28)
    '! in danger   : can capture\no lands safely'
    """
    lines: list[str] = []
    for item in items.split(BETWEEN):
        longer = f"{lines[-1]}{BETWEEN}{item}" if lines else item
        if lines and cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(item)
    return "\n".join(lines)


def first_rows(said: str, console: Console, width: int, most: int) -> str:
    r"""Truncate a text to a number of rows, with an ellipsis if any are cut.

    >>> first_rows("Ann says: good luck, Bob", Console(), 12, 2)
    'Ann says:\ngood luck,…'
    """
    rows = rows_of(said, console, width)
    if len(rows) <= most or most < 1:
        return said
    return "\n".join([*rows[: most - 1], fitted(f"{rows[most - 1]}…", width)])


def rows_of(text: str, console: Console, width: int) -> list[str]:
    """Return the rows of a text wrapped to a width."""
    return [row.plain.rstrip() for row in Text(text).wrap(console, max(1, width))]
