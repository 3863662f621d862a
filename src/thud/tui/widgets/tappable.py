"""Words to tap on, side by side, and so far apart that a finger meets only one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text


class Tappable(NamedTuple):
    """What is read, and the style that says what a tap on it does."""

    text: Text
    click: Style


def side_by_side(each: Sequence[Tappable], width: int, columns: int, *, high: bool) -> Text:
    """Return them in so many columns, each with all the room there is around it to be tapped.

    Args:
        each: what there is.
        width: the columns of the screen that they share.
        columns: how many stand in a row.
        high: whether a row is two lines high.
    """
    share = width // columns
    lines: list[Text] = []
    for first in range(0, len(each), columns):
        row = each[first : first + columns]
        lines.append(Text().join(_padded(one.text, one.click, share) for one in row))
        if high:
            lines.append(Text().join(_padded(Text(), one.click, share) for one in row))
    return Text("\n").join(lines)


def _padded(text: Text, click: Style, width: int) -> Text:
    return text.copy().append(" " * max(0, width - text.cell_len), click)
