"""What the rows of the front page are made of: a line for a name, and who plays in a few words."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import BindingType

from thud.engines.spec import FAIR, HIGHEST_LEVEL, HUMAN, level_contender
from thud.tui.keys.bindings import NAME_KEYS
from thud.tui.widgets.text_line import TextLine

_ROOM: Final = 15
"""The columns for what a row says in the narrowest menu."""


class NameInput(TextLine):
    """A line for a player's name."""

    BINDINGS: ClassVar[list[BindingType]] = [*NAME_KEYS]

    async def action_submit(self) -> None:
        """Go on to the next row at once, whatever is typed next."""
        self.app.action_focus_next()


def called(name: str, seat: str, instead: str) -> str:
    """Return how a player is called in so few columns that a handicap can be told of them."""
    if seat == FAIR:
        return "the level"
    short = name.strip() if seat == HUMAN else f"level {seat.rpartition(':')[2]}"
    return short if cell_len(short) <= _ROOM - len("1 by ") else instead


def levels() -> list[tuple[str, str]]:
    """Return the computer's levels, and how they are called."""
    seats = [(level, level_contender(level)) for level in range(1, HIGHEST_LEVEL + 1)]
    return [(seat.text, f"{level} {seat.name}") for level, seat in seats]


def counted(number: int) -> str:
    """Return a number of matches in words."""
    return "1 match" if number == 1 else f"{number or 'no'} matches"
