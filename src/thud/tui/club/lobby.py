"""The lobby of a club: the welcome, and the open tables."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from thud.net.host_connection import Tokens
from thud.net.transports.local import Open, open_matches
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import LastChoices
from thud.terminal.cells import WIDE
from thud.tui.club.profile import clean
from thud.tui.keys.bindings import LOBBY_KEYS
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.menu import Command
from thud.tui.widgets.modals import AskScreen
from thud.tui.widgets.title import Title

_NONE: Final = "No table is open. Open one: everybody who comes here sees it."
_NOBODY: Final = "nobody yet"


class TableList(OptionList):
    """The open tables; the selection stays with its table as others come and go."""

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
        """Point at a table while it has the focus."""
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


_WELCOME: Final = "Welcome to the club.\nDwarfs and trolls meet here."


class Welcome(AskScreen[str]):
    """Asks a new visitor for a name."""

    DEFAULT_CSS = """
    Welcome {
        background: $background;
        #welcome { height: 1fr; background: $background; align: center middle; }
        #welcome Title, #welcome Static { width: auto; }
        #welcome Title { margin-bottom: 1; }
    }
    """

    def compose(self) -> ComposeResult:
        """Lay out the welcome above the question."""
        with Container(id="welcome"):
            yield Title()
            yield Static(_WELCOME, markup=False)
        yield from super().compose()

    def on_mount(self) -> None:
        """Write the name in the colours that there are now."""
        self.query_one(Title).write(ascii_only=settings_of(self.app).ascii)


_SECONDS: Final = 2.0
"""Seconds between two looks at what tables there are."""

_ROWS: Final = 34
"""The rows from which there is room for a board beside the tables."""


class Lobby(Horizontal):
    """The lobby of a club: the front page's content, with the tables in it.

    Args:
        name: what the visitor is called.

    Attributes:
        tables: what stands beside the menu, above the board.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*LOBBY_KEYS]

    SCOPED_CSS = False

    DEFAULT_CSS = """
    FrontPage.-club {
        #club { height: auto; max-height: 1fr; padding: 0 1; }
        #club-title { text-style: bold; margin: 0 1 1 1; color: $accent; }
        #tables { max-height: 100%; }
        #gist, #summary, Board { display: none; }
        &.-boarded #gist, &.-boarded Board { display: block; }
        &.-boarded #club { max-height: 40%; }
        &.-wide Title { margin: 0 0 0 2; }
        &.-wide #match { margin: 0; }
        &.-boarded Title { margin: 0 0 3 2; }
        &.-boarded #match { margin: 0 0 1 0; }
        &.-upright, &.-too-small {
            #front { layout: vertical; }
            #picture { display: block; width: 1fr; height: auto; max-height: 35%; }
            #club { max-height: 100%; }
            #club-title { margin: 0 1 0 1; }
            Board, #gist, Title { display: none; }
        }
        &.-upright #menu { height: 1fr; margin: 1 0 0 0; }
        &.-upright.-tall Title { display: block; }
    }
    """

    class TableChosen(Message):
        """A table was chosen."""

        def __init__(self, table: Open, *, own: bool) -> None:
            super().__init__()
            self.table = table
            self.own = own

    def __init__(self, name: str) -> None:
        super().__init__(id="front")
        self._list = TableList()
        self.tables = Vertical(Static("Tables", id="club-title", markup=False), self._list)
        self.tables.id = "club"
        self._visitor_name = name
        self._looking: Worker[None] | None = None
        self._row: Widget | None = None
        """The row that had the focus before the tables."""

    @staticmethod
    def ways(ways: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
        """Yield the rows of a front page as they are in a lobby."""
        yield ("Open", "a table for all", "host")
        yield from (way for way in ways if way[-1] not in ("host", "join", "quit"))
        yield ("Name", "", "name")
        yield ("Leave", "the club", "quit")

    def on_mount(self) -> None:
        """Look for tables at intervals."""
        self._show_name(self._visitor_name)
        self.set_interval(_SECONDS, self.look)

    def fit(self, size: Size) -> None:
        """Show a board only where there is much room on the screen."""
        self.screen.set_class(size.width >= WIDE and size.height >= _ROWS, "-boarded")

    def rename(self, name: str) -> None:
        """Give the visitor another name, also in the form of a new match."""
        first = self.query_one("#name-0 Input", Input)
        if first.value in ("", self._visitor_name, LastChoices().names[0]):
            first.value = name
        self._show_name(name)

    def _show_name(self, name: str) -> None:
        self._visitor_name = name
        self.query_one("#name", Command).set_note(name)

    def look(self) -> None:
        """Look for tables, unless nobody sees them, or a look is under way."""
        if self.screen.is_current and (self._looking is None or self._looking.is_finished):
            self._looking = self._look()

    @work(group="tables")
    async def _look(self) -> None:
        tables = await asyncio.to_thread(_tables)
        # The list is gone if the visitor has left meanwhile.
        if self._list.is_attached:
            self._list.show(tables)

    def action_turn_to_tables(self) -> None:
        """Move the focus to the tables, or back to the row of the menu that had it."""
        if self._list.has_focus:
            self.screen.set_focus(self._row or self.query_one("#play"))
        else:
            self._row = self.screen.focused
            self.turn_to_tables()

    def turn_to_tables(self) -> None:
        """Move the focus to the tables."""
        self.screen.set_focus(self._list)
        self._list.point()

    @on(OptionList.OptionSelected, "#tables")
    def _choose_table(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if found := self._list.table(event.option_id or ""):
            table, own = found
            self.post_message(self.TableChosen(table, own=own))


def _tables() -> dict[str, tuple[Open, bool]]:
    """Return the tables that are open, each with whether a seat of it is this visitor's."""
    tokens = Tokens()
    return {each.id: (each, bool(tokens.of(each.id))) for each in open_matches()}
