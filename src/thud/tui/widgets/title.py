"""The name of the game in big letters."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.widgets import Static

from thud.tui.board.animation import TITLE

_DWARFS_HALF: Final = 14
"""Columns of the title in the dwarfs' colour; the others have the trolls'."""
_HALVES: Final = {("█", "█"): "█", ("█", " "): "▀", (" ", "█"): "▄", (" ", " "): " "}
"""Blocks by what is in the upper and in the lower half."""
_IN_ASCII: Final = str.maketrans("█▀▄", '#"_')


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

    def __init__(self, *, small: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._small = small
        self._ascii_only = False

    def write(self, *, ascii_only: bool) -> None:
        """Write the letters, of blocks or of ASCII characters."""
        self._ascii_only = ascii_only
        self.refresh(layout=True)

    def render(self) -> Text:
        """Draw the letters, in the colours of the theme as it is now."""
        dwarfs, trolls = (
            self.get_component_rich_style(f"title--{side}", partial=True)
            for side in ("dwarfs", "trolls")
        )
        lines = _halved(TITLE.splitlines()) if self._small else TITLE.splitlines()
        text = Text(no_wrap=True)
        for line in lines:
            drawn = line.translate(_IN_ASCII) if self._ascii_only else line
            text.append(drawn[:_DWARFS_HALF], dwarfs)
            text.append(f"{drawn[_DWARFS_HALF:]}\n", trolls)
        text.rstrip()
        return text


def _halved(lines: list[str]) -> list[str]:
    """Return lines of full blocks with two of them in each."""
    width = max(map(len, lines))
    full = [line.ljust(width) for line in lines] + [" " * width] * (len(lines) % 2)
    pairs = zip(full[::2], full[1::2], strict=True)
    return ["".join(_HALVES[two] for two in zip(*pair, strict=True)) for pair in pairs]
