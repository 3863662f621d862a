"""The lobby of a club: the welcome, and the open tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from thud.rules.clock import parse_control
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import LastChoices
from thud.terminal.cells import WIDE
from thud.tui.club.profile import clean
from thud.tui.club.tables import ClubState, Table
from thud.tui.keys.bindings import LOBBY_KEYS
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.menu import Command
from thud.tui.widgets.modals import AskScreen
from thud.tui.widgets.title import Title
from thud.wording.clocks import in_short
from thud.wording.text import counted, joined

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
        self._tables: dict[str, Table] = {}

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
        for name, table in self._tables.items():
            chosen = self.has_focus and name == self._chosen
            self.replace_option_prompt(name, told(table, chosen=chosen))

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

    def table(self, name: str) -> Table | None:
        """Return the table of a name; None if it is gone."""
        return self._tables.get(name)

    def show(self, listed: Iterable[Table]) -> None:
        """List tables."""
        tables = {each.id: each for each in listed}
        if tables == self._tables:
            return
        chosen = self._chosen
        same = [*tables] == [*self._tables]
        self._tables = tables
        if same:
            self._write()
            return
        self.clear_options()
        self.add_options([Option(told(each), name) for name, each in tables.items()])
        if not tables:
            self.add_option(Option(_NONE, disabled=True))
        self.highlighted = self.get_option_index(chosen) if chosen in tables else None
        self._write()

    @property
    def _chosen(self) -> str:
        return (self.highlighted_option.id or "") if self.highlighted_option else ""


def told(table: Table, *, chosen: bool = False) -> Text:
    """Return what there is to say of a table, in two lines, with a mark at the one chosen."""
    mark = "»" if chosen else " "
    text = Text(f"{mark} {who_plays(table)}", "bold", no_wrap=True, overflow="ellipsis")
    text.append(f"\n  {what_is_played(table)}: {_state(table)}", "not bold")
    return text


def who_plays(table: Table) -> str:
    """Return the players of a table, or that nobody has come yet."""
    unsaid = ("", *LastChoices().names) if table.wanted else ("",)
    first, second = (_NOBODY if name in unsaid else name for name in map(clean, table.players))
    return f"{first} – {second}"


def what_is_played(table: Table) -> str:
    """Return the game of a table, and its clock."""
    clock = f", {in_short(parse_control(table.clock))}" if table.clock else ""
    return f"{VARIANTS[table.variant].title}{clock}"


def _state(table: Table) -> str:
    if table.over:
        return "the match is over"
    if table.my_turn:
        return "it is your turn"
    if table.offered:
        return "offered to you"
    if table.seated:
        return "your seat waits for you"
    if table.wanted:
        return f"sit down, the {' and the '.join(table.wanted)} are free"
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
        #present { height: auto; max-height: 2; margin: 1 1 0 1; color: $foreground-muted; }
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

        def __init__(self, table: Table) -> None:
            super().__init__()
            self.table = table

    def __init__(self, name: str) -> None:
        super().__init__(id="front")
        self._list = TableList()
        self._title = Static("Tables", id="club-title", markup=False)
        self._present = Static(id="present", markup=False)
        self.tables = Vertical(self._title, self._list, self._present)
        self.tables.id = "club"
        self._visitor_name = name
        self._row: Widget | None = None
        """The row that had the focus before the tables."""

    @staticmethod
    def ways(ways: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
        """Yield the rows of a front page as they are in a lobby."""
        yield ("Open", "a table for others", "host")
        yield from (way for way in ways if way[-1] not in ("host", "join", "quit"))
        yield ("Name", "", "name")
        yield ("Devices", "be the same on all", "devices")
        yield ("Leave", "the club", "quit")

    def on_mount(self) -> None:
        """Show what the visitor is called."""
        self._show_name(self._visitor_name)

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

    def show(self, state: ClubState) -> None:
        """Show the tables, and who is in."""
        # The list is gone if the visitor has left meanwhile.
        if self._list.is_attached:
            self._list.show(state.tables)
            turns = f": your turn at {counted(state.turns, 'table')}" if state.turns else ""
            self._title.update(f"Tables{turns}")
            names = joined([each.name for each in state.visitors])
            self._present.update(f"Here now: {names}." if names else "")

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
        if table := self._list.table(event.option_id or ""):
            self.post_message(self.TableChosen(table))
