"""Results in large figures, and who was ahead when, in two lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from thud.rules.position import Side
from thud.tui.widgets.margin_graph import bars
from thud.wording.outcomes import figure

_HEIGHT: Final = 3
_FIGURES: Final = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    ".": (" ", " ", "▀"),
    ":": ("▄", "▄", " "),
}
_GAP: Final = 3
_OF: Final = {Side.DWARFS: "prompt--dwarfs", Side.TROLLS: "prompt--trolls"}


def large(first: float, second: float, width: int, colours: Sequence[str] = ("", "")) -> Text:
    """Return two results in figures three lines high, nothing where they are too wide.

    Args:
        first: the result at the left.
        second: the one at the right.
        width: the columns that there are.
        colours: the styles of both, by their names.
    """
    parts = [_drawn(figure(first)), _drawn(":"), _drawn(figure(second))]
    if sum(len(part[0]) for part in parts) + 2 * _GAP > width:
        return Text()
    text = Text()
    for line in range(_HEIGHT):
        for part, colour in zip(parts, (colours[0], "", colours[1]), strict=True):
            text.append(" " * _GAP * bool(part is not parts[0]) + part[line], colour)
        text.append("\n")
    return text


def of_sides(dwarfs: float, trolls: float, width: int) -> Text:
    """Return the points of both sides in large figures of their colours."""
    return large(dwarfs, trolls, width, tuple(_OF.values()))


def _drawn(text: str) -> list[str]:
    return [" ".join(_FIGURES[each][line] for each in text) for line in range(_HEIGHT)]


def margin_lines(leads: Sequence[float], width: int) -> Text:
    """Return who was ahead when, as two lines of bars; nothing if nobody ever was."""
    text = Text()
    if not any(leads):
        return text
    for side, label, drawn in bars(leads, width):
        text.append(label, _OF[side])
        for bar, hanging in drawn:
            text.append(bar, _OF[side])
            if hanging:
                text.stylize("reverse", len(text) - 1)
        text.append("\n")
    return text
