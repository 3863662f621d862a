"""The name of the game in big letters."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.widgets import Static

from thud.tui.board.animation import TITLE

_DWARFS_HALF: Final = 14
"""Columns of the title in the dwarfs' colour; the others have the trolls'."""


class Title(Static):
    """The name of the game in big letters."""

    DEFAULT_CSS = """
    Title {
        .title--dwarfs { color: $board-dwarf; }
        .title--trolls { color: $board-troll; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"title--dwarfs", "title--trolls"}

    ALLOW_SELECT = False

    def write(self, *, ascii_only: bool) -> None:
        """Write the letters, of blocks or of number signs."""
        dwarfs = self.get_component_rich_style("title--dwarfs", partial=True)
        trolls = self.get_component_rich_style("title--trolls", partial=True)
        text = Text(no_wrap=True)
        for line in TITLE.splitlines():
            drawn = line.replace("█", "#") if ascii_only else line
            text.append(drawn[:_DWARFS_HALF], dwarfs)
            text.append(f"{drawn[_DWARFS_HALF:]}\n", trolls)
        text.rstrip()
        self.update(text)
