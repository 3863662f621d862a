"""The tables that are open in a club, and who sits there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.text import Text
from textual import on
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from thud.net.transports.local import Open
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import LastChoices
from thud.tui.club.visitor import clean

_NONE: Final = "No table is open. Open one: everybody who comes here sees it."
_NOBODY: Final = "nobody yet"


class TableList(OptionList):
    """Lists the tables; the selection stays at its table whatever comes and goes."""

    DEFAULT_CSS = """
    TableList {
        height: auto;
        border: none;
        padding: 0 1;
        background: transparent;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
    }
    """

    def __init__(self) -> None:
        super().__init__(Option(_NONE, disabled=True), id="tables")
        self._tables: dict[str, tuple[Open, bool]] = {}

    def on_mount(self) -> None:
        """Point at a table whenever it has the keys."""
        self.watch(self, "has_focus", self._follow_focus, init=False)

    def _follow_focus(self) -> None:
        if self.has_focus:
            self.point()
        self._write()

    def point(self) -> None:
        """Point at the first table, if there is one, and none is pointed at."""
        if self.highlighted is None and self._tables:
            self.highlighted = 0

    @on(OptionList.OptionHighlighted)
    def _write(self) -> None:
        """Write all tables anew."""
        for name, (table, own) in self._tables.items():
            chosen = self.has_focus and name == self._chosen
            self.replace_option_prompt(name, told(table, own=own, chosen=chosen))

    def action_cursor_down(self) -> None:
        """Go to the next table, or on to the menu."""
        if self.highlighted in (None, self.option_count - 1):
            self.app.action_focus_next()
        else:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Go to the table before, or back to the menu."""
        if not self.highlighted:
            self.app.action_focus_previous()
        else:
            super().action_cursor_up()

    def table(self, name: str) -> tuple[Open, bool] | None:
        """Return the table of a name, and whether a seat is the visitor's; None if it is gone."""
        return self._tables.get(name)

    def show(self, tables: Mapping[str, tuple[Open, bool]]) -> None:
        """List tables, each with whether a seat of it is the visitor's own."""
        if tables == self._tables:
            return
        chosen = self._chosen
        same = [*tables] == [*self._tables]
        self._tables = dict(tables)
        if same:
            self._write()
            return
        self.clear_options()
        self.add_options(
            [Option(told(each, own=own), name) for name, (each, own) in tables.items()]
        )
        if not tables:
            self.add_option(Option(_NONE, disabled=True))
        self.highlighted = self.get_option_index(chosen) if chosen in tables else None
        self._write()

    @property
    def _chosen(self) -> str:
        return (self.highlighted_option.id or "") if self.highlighted_option else ""


def told(table: Open, *, own: bool, chosen: bool = False) -> Text:
    """Return what there is to say of a table, in two lines, with a mark at the one chosen."""
    about = table.about
    unsaid = ("", *LastChoices().names) if about.wanted else ("",)
    first, second = (_NOBODY if name in unsaid else name for name in map(clean, about.players))
    mark = "»" if chosen else " "
    text = Text(f"{mark} {first} – {second}", "bold", no_wrap=True, overflow="ellipsis")
    text.append(f"\n  {VARIANTS[about.variant].title}: {_state(table, own=own)}", "not bold")
    return text


def _state(table: Open, *, own: bool) -> str:
    if own:
        return "your seat waits for you"
    if wanted := table.about.wanted:
        return f"sit down, the {' and the '.join(wanted)} are free"
    return "look on"
