"""The lobby of a club: the welcome, and the open tables."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.events import Event, Key
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from thud.disk.directories import data_directory
from thud.engines.spec import HUMAN
from thud.exercises.puzzles.book import puzzle_of_the_day
from thud.records.record import Record
from thud.session.participants import SEAT, WATCH
from thud.settings.last_choices import save_choices
from thud.terminal import notices
from thud.terminal.cells import WIDE
from thud.text import capitalised, counted, joined, sentence
from thud.tui.actions import bindings
from thud.tui.club.club import ClubClient
from thud.tui.dialog_fixes import FixedOptionList
from thud.tui.front.form import MatchForm
from thud.tui.textual_fixes import send_codes
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.menu import Command, Opening
from thud.tui.widgets.modals import AskScreen, ListScreen, TextScreen
from thud.tui.widgets.title import Title
from thud.visitor.profile import IN_LINES, LINKED, MATCH, LastPlace, clean
from thud.visitor.season import note_in_words
from thud.visitor.seek import (
    OFFERED,
    TAKEN,
    WITHDRAWN,
    ListedSeek,
    MakeSeek,
    TakeSeek,
    WithdrawSeek,
    what_is_offered,
)
from thud.visitor.tables import (
    NO_SUCH_TABLE,
    OPEN,
    OPEN_WITH_HOUSE,
    UNRATED,
    AddDevice,
    CarriedOut,
    CloseTable,
    ClubState,
    LinkDevice,
    ListedTable,
    OpenTable,
    PlayUnrated,
    Request,
    what_is_played,
    who_plays,
)
from thud.visitor.waiting import (
    TABLES,
    WAITS,
    Row,
    Waiting,
    news_in,
    waiting_in,
    what_in_words,
    who_in_words,
)

_NONE: Final = "No table is open. Open one: everybody in the club sees it."
_NOBODY_WAITS: Final = "Play: whoever comes, or else a computer after a minute"
_TOUR: Final = "You watch. When the match ends, you see the next one. Esc leads to the lobby."
TOUR_SECONDS: Final = 6.0
"""How long the end of a match is shown to those who watch one match after the other."""
_ONE_MOMENT: Final = "One moment …"
_EVERYBODY, _TOLD, _CLOSE, _UNRATED = "everybody", "told", "close", "unrated"
_ANYBODY, _EVEN, _TAKE, _WITHDRAW, _HEAR = "anybody", "even", "take", "withdraw", "hear"

_WORD: Final = """The word is

    {word}

It works once, within ten minutes. On the other device, go to the club, choose
Devices, then "Add this device", and type it. Both then have the same matches,
seats and settings.
"""


class TableList(FixedOptionList):
    """The open tables and offers; the selection stays with its row as others come and go.

    Attributes:
        rows: the tables and offers by their ids.
    """

    DEFAULT_CSS = """
    TableList {
        height: auto;
        border: none;
        padding: 0 1;
        background: transparent;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & > .option-list--option-disabled { color: $accent; }
        &.-empty > .option-list--option-disabled { color: $foreground-muted; }
    }
    """

    def __init__(self) -> None:
        super().__init__(Option(_NONE, disabled=True), id="tables", classes="-empty")
        self.rows: dict[str, Row] = {}
        self._divided = 0

    def watch_has_focus(self, has_focus: bool) -> None:
        """Highlight a table, and mark it only while focused."""
        super().watch_has_focus(has_focus)
        if has_focus:
            self.point()
        self._write()

    def point(self) -> None:
        """Highlight the first table, if none is highlighted."""
        if self.highlighted is None and self.rows:
            self.highlighted = 0

    @on(OptionList.OptionHighlighted)
    def _write(self) -> None:
        """Redraw all rows."""
        for name, row in self.rows.items():
            chosen = self.has_focus and name == self._chosen
            self.replace_option_prompt(name, describe_row(row, chosen=chosen))

    def action_cursor_down(self) -> None:
        """Go to the next table, or from the last on to the menu."""
        if self.highlighted in (None, self.option_count - 1):
            self.app.action_focus_next()
        else:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Go to the previous table, or from the first back to the menu."""
        if not self.highlighted:
            self.app.action_focus_previous()
        else:
            super().action_cursor_up()

    def show(self, waiting: Waiting) -> None:
        """List what waits for the visitor, then the rest below a title."""
        rows, divided = {each.id: each for each in waiting.rows}, len(waiting.mine)
        if (rows, divided) == (self.rows, self._divided):
            return
        chosen = self._chosen
        same = ([*rows], divided) == ([*self.rows], self._divided)
        self.rows, self._divided = rows, divided
        if same:
            self._write()
            return
        self.clear_options()
        for number, each in enumerate(rows.values()):
            if number == divided > 0:
                self.add_option(Option(Text(f"\n{TABLES}", "bold"), disabled=True))
            self.add_option(Option(describe_row(each), each.id))
        self.set_class(not rows, "-empty")
        if not rows:
            self.add_option(Option(_NONE, disabled=True))
        self.highlighted = self.get_option_index(chosen) if chosen in rows else None
        self._write()

    @property
    def _chosen(self) -> str:
        return (self.highlighted_option.id or "") if self.highlighted_option else ""


def describe_row(row: Row, *, chosen: bool = False) -> Text:
    """Describe a table or an offer in two lines, with a mark if it is the chosen one."""
    mark = "»" if chosen else " "
    text = Text(f"{mark} {who_in_words(row)}", "bold", no_wrap=True, overflow="ellipsis")
    text.append(f"\n  {what_in_words(row)}", "not bold")
    return text


class WelcomeScreen(AskScreen[str]):
    """Asks a new visitor for a name; keys wait until the line stands."""

    DEFAULT_CSS = """
    WelcomeScreen {
        background: $background;
        #welcome { height: 1fr; background: $background; align: center middle; }
        #welcome Title, #welcome Static { width: auto; }
        #welcome Title { margin-bottom: 1; }
    }
    """

    def __init__(self, proposal: str, attempt: Callable[[str], Awaitable[str]]) -> None:
        # Not a text in the line: the tap that brings a phone's keyboard would unselect it.
        super().__init__("What is your name?", "", attempt, meant=proposal)
        self._early: list[Key] = []

    def compose(self) -> ComposeResult:
        """Lay out the welcome above the question."""
        with Container(id="welcome"):
            yield Title()
            yield Static("Welcome to the club.\nDwarfs and trolls meet here.", markup=False)
        yield from super().compose()

    def on_mount(self) -> None:
        """Draw the title in the theme's colours."""
        self.query_one(Title).write(ascii_only=settings_of(self.app).ascii)

    def _forward_event(self, event: Event) -> None:
        if isinstance(event, Key) and self.focused is None:
            self._early.append(event)
        else:
            super()._forward_event(event)

    def on_descendant_focus(self) -> None:
        """Type what was typed before."""
        early, self._early = self._early, []
        for each in early:
            super()._forward_event(each)


_ROWS: Final = 34
"""Fewest rows for a board below the tables."""


class Lobby(Horizontal):
    """The lobby of a club: the front page's content, with the tables in it.

    It asks the visitor what to do; the page opens the matches that it sends them to.

    Args:
        club: the club visited.

    Attributes:
        tables: the tables and visitors, beside the menu and above the board.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("lobby")

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
        &.-boarded #club-title { margin: 0 1; }
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
        &.-upright #present { margin: 0 1; }
        &.-upright #quit { display: none; }
        &.-upright #menu { height: 1fr; margin: 1 0 0 0; }
        &.-upright.-tall Title { display: block; }
    }
    """

    class TableChosen(Message):
        """A table was chosen."""

        def __init__(self, table: ListedTable) -> None:
            super().__init__()
            self.table = table

    class Going(Message):
        """The visitor goes to a table, or to a match of their own.

        Args:
            place: the table or match.
            notice: message to show there.
            seat: the player to be, None for any.
        """

        def __init__(self, place: LastPlace, notice: str = "", seat: int | None = None) -> None:
            super().__init__()
            self.place = place
            self.notice = notice
            self.seat = seat

    class Began(Message):
        """A newcomer begins with a row of the menu: the lessons or the day's puzzle."""

        def __init__(self, row: str) -> None:
            super().__init__()
            self.row = row

    class Left(Message):
        """The visitor leaves the match that they watch, for another one."""

    class Replaying(Message):
        """A match of the club is to be replayed.

        Args:
            record: the match.
            notice: message to show there.
        """

        def __init__(self, record: Record, notice: str) -> None:
            super().__init__()
            self.record = record
            self.notice = notice

    class Said(Message):
        """A message to the visitor."""

        def __init__(self, notice: str) -> None:
            super().__init__()
            self.notice = notice

    def __init__(self, club: ClubClient) -> None:
        super().__init__(id="front")
        self._club = club
        self._list = TableList()
        self._title = Static("Tables", id="club-title", markup=False)
        self._present = Static(id="present", markup=False)
        self.tables = Vertical(self._title, self._list, self._present)
        self.tables.id = "club"
        self._told: frozenset[tuple[str, str]] = frozenset()
        self._knows = False
        """Whether what there was on coming in is known, of which nothing is told."""
        self._watched = ""
        """The id of the table watched by somebody who watches one after the other."""
        self._row: Widget | None = None
        """The row that had the focus before the tables."""

    @property
    def rows(self) -> list[Opening]:
        """The rows of a club in the front page's menu."""
        return [
            Opening("past", "Matches", "and players", self._look_up),
            Opening("season", "Season", "", self._see_season),
            Opening("name", "Name", "", lambda: self._take_name(self._name_asked())),
            Opening("devices", "Devices", "add another one", self._ask_devices),
            Opening("remind", "Reminders", "", self._switch_reminders),
            Opening("text", "As text", "for a screen reader", self._go_on_in_lines),
        ]

    @property
    def ways(self) -> dict[str, Callable[[], object]]:
        """What the page opens in another way in a club."""
        return {"host": self._open_table, "join": self.turn_to_tables}

    def _go_on_in_lines(self) -> None:
        """End this process, for which the club starts one in lines of text."""
        self.app.exit(return_code=IN_LINES)

    def on_mount(self) -> None:
        """Show the visitor's name, and subscribe to the tables."""
        self.query_one("#name", Command).set_note(self._club.name)
        self._reminders = self.query_one("#remind", Command)
        self._season = self.query_one("#season", Command)
        self._reminders.display = self._season.display = False
        self._club.line.changed = self._show
        self.run_worker(self._club.line.run(), group="club")

    def fit(self, size: Size) -> None:
        """Show the board only on a large screen."""
        self.screen.set_class(size.width >= WIDE and size.height >= _ROWS, "-boarded")

    def welcome(self, *, new_here: bool) -> None:
        """Ask a new visitor's name at once; send visitors to their link's table or last place.

        Args:
            new_here: whether they have neither learned nor played yet.
        """
        name = None if self._club.visitor.name else self._name_asked()
        self.call_after_refresh(self._lead_on, name, new_here=new_here)

    def _lead_on(self, name: asyncio.Future[str | None] | None, *, new_here: bool) -> None:
        if self._club.sent_to:
            self._say(_ONE_MOMENT)
            self._go_to_link(name)
        elif place := self._club.left_at:
            self._say(_ONE_MOMENT)
            self._go_back(place)
        elif name:
            self._take_name(name)
        elif new_here and self._club.visitor.has_given_name:
            self._ask_first()

    def enter(self) -> None:
        """Tell the club that the visitor is in the lobby, and list the tables."""
        if not self._club.left_at:  # else they are about to return there
            self._club.visitor.keep_place(None)
        self._show()
        self.run_worker(self._club.line.enter(), group="club")

    def _say(self, notice: str) -> None:
        self.post_message(self.Said(notice))

    def _show(self) -> None:
        """Show the tables and who is here; count the visitor's turns in the terminal's title."""
        # The list is detached if the visitor has left meanwhile.
        if not self._list.is_attached:
            return
        self._mind_tour()
        state = self._club.line.state
        if state.name not in ("", self._club.visitor.name):
            self._rename(state.name)
        waiting = waiting_in(state)
        self._list.show(waiting)
        self._tell_news(state)
        turns = f": your turn at {counted(state.turns, 'table')}" if state.turns else ""
        self._title.update(f"{WAITS if waiting.mine else TABLES}{turns}")
        names = joined([each.name for each in state.visitors])
        self._present.update(f"Here now: {names}." if names else "")
        self._season.display = state.season is not None
        if state.season:
            self._season.set_note(note_in_words(state.season))
        self._reminders.display = state.hook
        self._reminders.set_note("of your turns, outside" if state.reminded else "none")
        # Not below a board, which sets its own title; `is_current` would be true there, too.
        if self.screen.is_active:
            send_codes(self.app, notices.title(os.environ, f"Thud{turns}"))

    def _tell_news(self, state: ClubState) -> None:
        """Tell what is new, wherever the visitor is: by a bell, and a notification if need be."""
        news = news_in(state, offers=self._club.visitor.hears)
        new = [each for what, each in news.items() if what not in self._told]
        self._told = frozenset(news)
        known, self._knows = self._knows, self._club.line.known.is_set()
        for each in [each for each in new if each.rings] if known else ():
            if self.screen.is_active:
                self._say(each.words)
            else:
                self.app.notify(each.words, markup=False)
            self.app.bell()
            send_codes(self.app, notices.notification(os.environ, f"Thud: {each.words}"))

    # Tables

    def action_turn_to_tables(self) -> None:
        """Move the focus to the tables, or back to the menu row that had it."""
        if self._list.has_focus:
            self.screen.set_focus(self._row or self.query_one("#host"))
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
        row = self._list.rows.get(event.option_id or "")
        if isinstance(row, ListedSeek):
            self._ask_at_offer(row)
        elif row:
            self.post_message(self.TableChosen(row))

    @work(group="opening")
    async def _go_back(self, place: LastPlace) -> None:
        """Send the visitor back to their last place."""
        if place.kind != MATCH:
            await self._club.line.when_known()
        notice = "Welcome back: you were here when the connection broke."
        self.post_message(self.Going(place, notice))

    @work(group="opening")
    async def _go_to_link(self, name: asyncio.Future[str | None] | None) -> None:
        """Go to the table of the visitor's link, once they have a name."""
        link, self._club.sent_to = self._club.sent_to, ""
        if name:
            await self._name_taken(name)
        await self._club.line.when_known()
        table = self._club.line.state.table(link)
        self._club.returned(in_lobby=True)
        self._say("" if table else NO_SUCH_TABLE)
        if table and (goal := table.linked_to):
            self.post_message(self.Going(goal[0], seat=goal[1]))
        elif table:
            self.ask_at_table(table)

    @work(group="asking")
    async def _ask_first(self) -> None:
        """Ask a stranger the one question of their first visit: to learn, play or watch."""
        line = self._club.line
        await line.when_known()
        free, full = line.state.waiting, line.state.liveliest()
        daily = await asyncio.to_thread(puzzle_of_the_day, date.today())
        play = f"Play: {who_plays(free)}, the other seat is free" if free else _NOBODY_WAITS
        options = [Option("Learn: the first lesson", id="learn"), Option(Text(play), id="play")]
        if full:
            watch = f"Watch: {who_plays(full)}, {what_is_played(full)}"
            options.append(Option(Text(watch), id=WATCH))
        puzzle = f"The day's puzzle: {daily.puzzle.variant.title}, {daily.puzzle.band}"
        options.append(Option(puzzle, id="today"))
        title = f"Welcome, {self._club.name}. What would you like to do?"
        answer = await self._chosen(title, options)
        if answer == WATCH and full:
            self._watch_on(full)
        elif answer == "play":
            await self._play_somebody()
        elif answer:
            self.post_message(self.Began(answer))

    async def _play_somebody(self) -> None:
        """Sit down with somebody who waits, else open a table, to which the house player comes."""
        if free := self._club.line.state.waiting:
            self.post_message(self.Going(LastPlace(SEAT, free.id, free.word)))
        elif refusal := self._club.no_room():
            self._say(refusal)
        elif answer := await self._asked(OpenTable("classic", house=True)):
            place = LastPlace(SEAT, answer.id, answer.word)
            self.post_message(self.Going(place, OPEN_WITH_HOUSE))

    def _watch_on(self, table: ListedTable) -> None:
        """Watch a table, and when its match ends the next one."""
        self._watched = table.id
        self.post_message(self.Going(LastPlace(WATCH, table.id, table.word), _TOUR))

    def _mind_tour(self) -> None:
        """Go on to the next table where the match watched has ended."""
        place, state = self._club.visitor.place, self._club.line.state
        if not self._watched or place is None or (place.kind, place.id) != (WATCH, self._watched):
            return
        table = state.table(self._watched)
        if (table is None or table.over) and state.liveliest(but=self._watched):
            self._watched = ""
            self.set_timer(TOUR_SECONDS, partial(self._go_on_watching, place))

    def _go_on_watching(self, place: LastPlace) -> None:
        following = self._club.line.state.liveliest(but=place.id)
        if following and self._club.visitor.place == place:  # else they have left
            self.post_message(self.Left())
            self._watch_on(following)

    @work(group="asking")
    async def ask_at_table(self, table: ListedTable) -> None:
        """Send the visitor to a table, asking first if they can do more than watch."""
        options = [Option("Watch", id=WATCH)]
        if table.seated:
            options.insert(0, Option("Sit down at your seat", id=SEAT))
        elif table.wanted:
            options.insert(0, Option(f"Sit down: the {' and the '.join(table.wanted)}", id=SEAT))
        elif not (table.over or table.season):
            asks = (Text(f"Ask for {name}'s seat, if it was yours") for name in table.players)
            options += [Option(each, id=str(player)) for player, each in enumerate(asks)]
        if table.seated and not (table.begun or table.unrated):
            options.append(Option("Do not rate what is played here", id=_UNRATED))
        if table.own and (table.wanted or table.over):
            options.append(Option("Close the table", id=_CLOSE))
        answer: str | None = WATCH
        if len(options) > 1:
            answer = await self._chosen(f"{who_plays(table)}: {what_is_played(table)}", options)
        if answer == _CLOSE:
            await self._asked(CloseTable(table.id))
        elif answer == _UNRATED:
            if await self._asked(PlayUnrated(table.id)):
                self._say(UNRATED)
        elif answer in (SEAT, WATCH):
            self.post_message(self.Going(LastPlace(answer, table.id, table.word)))
        elif answer:
            self.post_message(self.Going(LastPlace(SEAT, table.id, table.word), seat=int(answer)))

    @work(group="asking")
    async def _ask_at_offer(self, seek: ListedSeek) -> None:
        """Take an offer, or withdraw one's own; or be told of new ones no longer, or again."""
        hears = self._club.visitor.hears
        options = [
            Option("Withdraw it", id=_WITHDRAW) if seek.mine else Option("Take it", id=_TAKE),
            Option("Do not tell me of new offers" if hears else "Tell me of new offers", id=_HEAR),
        ]
        answer = await self._chosen(f"{who_in_words(seek)}: {what_is_offered(seek)}", options)
        if answer == _HEAR:
            self._say(self._club.visitor.hear(not hears))
        elif answer == _WITHDRAW:
            if await self._asked(WithdrawSeek(seek.id)):
                self._say(WITHDRAWN)
        elif answer == _TAKE and (taken := await self._asked(TakeSeek(seek.id))):
            place = LastPlace(SEAT, taken.id)
            self.post_message(self.Going(place, TAKEN.format(clean(seek.name))))

    @work(group="asking")
    async def _open_table(self) -> None:
        """Ask whom a table is for, open it, and seat the visitor there; or make an offer."""
        if refusal := self._club.no_room():
            self._say(refusal)
            return
        own = data_directory().name
        others = [each for each in self._club.line.state.visitors if each.id != own]
        whom = await self._chosen(
            "Who is the table for?",
            [
                Option("Everybody in the club", id=_EVERYBODY),
                Option("Whoever takes it, also while I am away: an offer that stays", id=_ANYBODY),
                Option("An even match: the same, for those about as strong as I am", id=_EVEN),
                Option("People who have its link", id=_TOLD),
                *([None] if others else []),
                *(Option(Text(f"{each.name}, who is here now"), id=each.id) for each in others),
            ],
        )
        if not whom:
            return
        form = self.query_one(MatchForm)
        choices = form.begun((HUMAN, HUMAN))
        with suppress(OSError):
            await asyncio.to_thread(save_choices, data_directory(), choices)
        if whom in (_ANYBODY, _EVEN):
            if choices.handicap:
                self._say("An offer that stays has no handicap.")
            elif await self._asked(MakeSeek(choices.variant, choices.clock, whom == _EVEN)):
                self._say(OFFERED)
            return
        answer = await self._asked(
            OpenTable(
                choices.variant,
                choices.handicap,
                choices.clock,
                private=whom == _TOLD,
                offered_to=None if whom in (_EVERYBODY, _TOLD) else whom,
            )
        )
        if answer:
            place = LastPlace(SEAT, answer.id, answer.word)
            notice = OPEN if whom == _EVERYBODY else "Your table is open. W shows its link."
            self.post_message(self.Going(place, notice, form.opener))

    # The visitor

    def _name_asked(self) -> asyncio.Future[str | None]:
        """Ask for the visitor's name; return a future of the one that they have now."""
        visitor, take = self._club.visitor, self._club.line.take_name
        asking = (
            AskScreen("What is your name?", visitor.name, take)
            if visitor.name
            else WelcomeScreen(visitor.proposed, take)
        )
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self.app.push_screen(asking, answer.set_result)
        return answer

    @work(group="asking")
    async def _take_name(self, asked: asyncio.Future[str | None]) -> None:
        """Take the name that a visitor was asked for."""
        await self._name_taken(asked)

    async def _name_taken(self, asked: asyncio.Future[str | None]) -> None:
        """Take the name that a visitor was asked for; whoever gives none gets one."""
        visitor = self._club.visitor
        name = await asked or visitor.name
        if not name:
            try:
                name = await self._club.line.take_name("")
            except ValueError as refusal:
                self._say(sentence(str(refusal)))
        self._rename(name)
        await self._club.line.enter()

    def _rename(self, name: str) -> None:
        """Call the visitor by a name, also in a new match."""
        visitor = self._club.visitor
        visitor.rename(name)
        self.query_one(MatchForm).own_name.value = visitor.name
        self.query_one("#name", Command).set_note(visitor.name)

    @work(group="asking")
    async def _ask_devices(self) -> None:
        """Link another device: get a word for it, or type the word from it."""
        options = [
            Option("Add another device: get a word for it", id="word"),
            Option("Add this device: type the word from the other one", id="link"),
        ]
        what = await self._chosen("Devices", options)
        if what == "word" and (answer := await self._asked(AddDevice())):
            text = _WORD.format(word=answer.word)
            self.app.push_screen(TextScreen("A word for another device", text))
        elif what == "link":

            async def attempt(word: str) -> str:
                await self._club.line.ask(LinkDevice(word))
                return word

            asking = AskScreen("The word from the other device", "", attempt)
            if await self.app.push_screen_wait(asking):
                # The club restarts the process as the linked visitor.
                self.app.exit(return_code=LINKED)

    @work(group="asking")
    async def _switch_reminders(self) -> None:
        """Let the club tell the visitor outside of their turns, or no longer."""
        try:
            self._say(await self._club.line.remind(not self._club.line.state.reminded))
        except ValueError as refusal:
            self._say(sentence(str(refusal)))

    @work(group="leaving")
    async def ask_to_leave(self) -> None:
        """Leave the club, after a confirmation."""
        options = [Option("Leave", id="leave"), Option("Stay", id="")]
        if await self._chosen("Leave the club?", options):
            self.app.exit()

    @work(group="asking")
    async def _look_up(self) -> None:
        """Look up finished matches; one may be replayed."""
        from thud.tui.club.past import PastMatchesBrowser

        try:
            found = await PastMatchesBrowser(self.app, self._club.line, self._say).browse()
        except ValueError as refusal:
            self._say(sentence(str(refusal)))
        else:
            if found:
                self.post_message(self.Replaying(*found))

    @work(group="asking")
    async def _see_season(self) -> None:
        """Show the season; the visitor may join or leave it."""
        from thud.tui.club.season import see_season

        try:
            await see_season(self.app, self._club.line, self._say)
        except ValueError as refusal:
            self._say(sentence(str(refusal)))

    # Asking

    async def _chosen(self, title: str, options: Sequence[Option | None]) -> str | None:
        return await self.app.push_screen_wait(ListScreen(title, options))

    async def _asked(self, request: Request) -> CarriedOut | None:
        """Send a request to the club and return its answer; show why if it refuses."""
        try:
            return await self._club.line.ask(request)
        except ValueError as refusal:
            self._say(f"{capitalised(str(refusal))}.")
            return None
