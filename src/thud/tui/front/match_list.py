"""A list of matches that are kept, to choose one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from thud.records.summary import Summary
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import MATCH_LIST_KEYS
from thud.tui.looks.phrases import points


class MatchList(ModalScreen[str | None]):
    """Lists matches, the latest first; the answer is the id of one, or None.

    Args:
        title: what is to be chosen.
        matches: those that there are.
        without: what to say if there is none.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*MATCH_LIST_KEYS]

    DEFAULT_CSS = """
    MatchList {
        align: center middle;
        Vertical {
            width: 76;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 1 2;
            background: $surface;
            border: round $primary;
        }
        Static { text-style: bold; margin-bottom: 1; }
        OptionList { height: auto; max-height: 24; border: none; background: $surface; }
        OptionList:focus { border: none; }
    }
    """

    def __init__(self, title: str, matches: Sequence[Summary], without: str) -> None:
        super().__init__()
        self._title = title
        self._matches = matches
        self._without = without

    def compose(self) -> ComposeResult:
        """Lay out the title above the matches."""
        with Vertical():
            yield Static(self._title if self._matches else self._without, markup=False)
            yield OptionList(*(Option(_line(each), id=each.id) for each in self._matches))
        yield KeyBar()

    @on(OptionList.OptionSelected)
    def _answer(self, event: OptionList.OptionSelected) -> None:
        # A second Enter may come before the list has gone.
        if self.is_current:
            self.dismiss(event.option_id)


def _line(match: Summary) -> Table:
    """Return what there is to say of a match: when, what, who, how it stands or ended."""
    line = Table.grid(padding=(0, 2), expand=True)
    for width in (12, 13):
        line.add_column(width=width, no_wrap=True)
    line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    line.add_column(justify="right", no_wrap=True)
    score = " : ".join(map(points, match.tally))
    place = score if match.over else f"battle {match.battle}, turn {match.turn}"
    players = " – ".join(match.players)
    cells = f"{match.saved:%d %b %H:%M}", match.variant.title, players, place
    # As plain strings, names in brackets would be taken for markup.
    line.add_row(*map(Text, cells))
    return line
