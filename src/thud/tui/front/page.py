"""The front page: a new match, and the way to everything else."""

from __future__ import annotations

import asyncio
import getpass
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.widgets.option_list import Option

from thud.disk.directories import data_directory
from thud.engines.spec import FAIR, HUMAN, with_guests
from thud.lessons.progress import LessonProgress
from thud.net.seat_registry import hosted
from thud.records.summary import Summary
from thud.rules.match import DEFAULT_PLAYERS
from thud.rules.setup import Setup
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.seats import contenders_of
from thud.session.session import Session
from thud.session.view import SessionView
from thud.settings.last_choices import LastChoices, load_choices, save_choices
from thud.settings.values import Settings
from thud.strength.people import Strength, fair_level, strengths_in
from thud.terminal import notices
from thud.tui.board.look import View
from thud.tui.board.widget import Board
from thud.tui.club.profile import LINKED, MATCH, SEAT, WATCH, LastPlace
from thud.tui.front.elsewhere import Destination, ask_destination, ask_terms, join, to_table
from thud.tui.front.form import MatchForm
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import FRONT_KEYS
from thud.tui.matches import Matches
from thud.tui.start import Edit, Lessons, OnFront, Puzzles
from thud.tui.textual_fixes import send_codes
from thud.tui.widgets.appearance import dress, settings_of
from thud.tui.widgets.menu import Choice, Command, Row
from thud.tui.widgets.modals import AskScreen, ListScreen, TextScreen
from thud.tui.widgets.room import show_if_room
from thud.tui.widgets.title import Title
from thud.wording.text import capitalised, counted

if TYPE_CHECKING:
    from thud.lessons.course import Course
    from thud.net.seat_registry import Terms
    from thud.puzzles.puzzle import Puzzle, Wanted
    from thud.puzzles.score import PuzzleScore
    from thud.records.store import Saved
    from thud.tui.club.club import Club
    from thud.tui.club.lobby import Lobby
    from thud.tui.club.tables import Table


Kept: TypeAlias = tuple[list[Summary], list[Summary]]
"""The matches that are unfinished, and those that are over."""

_THUD: Final = "Many small dwarfs against a few large trolls."
"""What the game is, in one line."""

_SET_UP: Final = "any position"
_LABEL_WIDTH: Final = 9
_ROOMY: Final = 30
"""The rows from which the title is in big letters."""
_TALL: Final = 56
"""The rows from which the rules in short are shown, too."""
_HIGH: Final = 52
"""The rows from which there is room for a board above the menu."""

_ONE_MOMENT: Final = "One moment …"

_KNOWN_SECONDS: Final = 5.0
"""So long it may take until the tables of a club are known."""

_EVERYBODY, _TOLD, _CLOSE = "everybody", "told", "close"

_WORD: Final = """The word is

    {word}

It is valid once, for ten minutes. On the other device come to the club, choose Devices,
and type it there. Your matches, seats and settings are then the same on both.
"""

WAYS: Final = (
    ("Host", "a guest elsewhere", "host"),
    ("Join", "a host elsewhere", "join"),
    ("Resume", "", "resume"),
    ("Replay", "", "replay"),
    ("Puzzles", "", "puzzles"),
    ("Set up", _SET_UP, "edit"),
    ("Rules", "", "rules"),
    ("Settings", "", "settings"),
    ("Quit", "", "quit"),
)
"""The rows below those of a match: their labels, what more there is to say, and their ids."""


class FrontPage(Screen[None]):
    """Begins, resumes and replays matches; in a club, also its lobby.

    Args:
        matches: opens matches.
        club: the club that is visited, if one is.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = [*FRONT_KEYS]

    DEFAULT_CSS = """
    FrontPage {
        #front { height: 1fr; }
        #picture { width: 1fr; }
        #gist { height: auto; padding: 0 1; text-align: center; color: $foreground-muted; }
        #menu {
            width: 31;
            border-left: vkey $panel;
            scrollbar-size-vertical: 1;
        }
        Title { height: auto; width: auto; margin: 0 0 1 1; display: none; }
        &.-roomy Title { display: block; }
        &.-upright Title { display: none; }
        &.-upright.-high Title { display: block; }
        #first, #ways { height: auto; }
        #notice { height: auto; margin: 0 0 0 2; text-style: bold; display: none; }
        #notice.-said { display: block; }
        #summary { display: none; color: $foreground-muted; height: auto; margin: 1 2; }
        #too-small { display: none; }
        &.-upright { #front { layout: vertical; } #picture { display: none; } }
        &.-upright.-high #picture { display: block; }
        &.-upright #menu { width: 1fr; height: auto; max-height: 100%; border: none; padding: 0; }
        &.-too-small { #picture { display: none; } #menu { width: 1fr; border: none; } }
        &.-wide #menu { width: 38; padding: 0 2; align: left middle; }
        &.-wide Title { margin: 0 0 2 2; }
        &.-wide #first { margin: 0 0 1 0; }
        &.-wide #match { margin: 0 0 1 0; }
        &.-wide.-tall #summary { display: block; }
    }
    """

    def __init__(self, matches: Matches, club: Club | None = None) -> None:
        super().__init__(classes="-club" if club else "")
        self._matches = matches
        self._store = matches.store
        self._directory = self._store.matches.parent
        self._progress = LessonProgress(self._directory)
        self._learning = not self._progress.graduated
        choices = load_choices(self._directory)
        self._new_here = self._learning and choices == LastChoices()
        self._club = club
        self._lobby: Lobby | None = None
        self._list_shown: ListScreen | None = None
        if club:
            from thud.tui.club.lobby import Lobby

            choices = club.with_own_name(choices)
            self._lobby = Lobby(club.name)
        self._form = MatchForm(choices, in_club=club is not None)
        self._board = Board(VARIANTS[choices.variant].start, has_cursor=False)

    def compose(self) -> ComposeResult:
        """Lay out the board or the tables, and the title and the menu beside them."""
        learn = Command("Learn", "Thud by playing it", id="learn")
        computer = Command("Play the computer", id="computer")
        # Whoever visits a club has a screen of their own.
        here = [] if self._club else [Command("Two players here", id="here")]
        first = [learn, computer, *here] if self._learning else [computer, *here, learn]
        with self._lobby or Horizontal(id="front"):
            with Vertical(id="picture"):
                if self._lobby:
                    yield self._lobby.tables
                yield self._board
                yield Static(id="gist", markup=False)
            with VerticalScroll(id="menu", can_focus=False):
                yield Title()
                yield Vertical(*first, id="first")
                yield self._form
                with Vertical(id="ways"):
                    for label, note, way in self._lobby.ways(WAYS) if self._lobby else WAYS:
                        yield Command(label, note, id=way)
                yield Static(id="notice", markup=False)
                yield Static(id="summary", markup=False)
        yield Static(id="too-small")
        yield KeyBar()

    def on_mount(self) -> None:
        """Begin with the match that was played last."""
        self.apply_settings(settings_of(self.app))
        self._show_variant()
        self.query_one("#learn" if self._new_here else "#play").focus()
        if self._club:
            self._club.listen(self._show_club)
            self.run_worker(self._club.line.run(), group="club")

    def on_resize(self, event: events.Resize) -> None:
        """Lay it out by the room that there is."""
        show_if_room(self, event.size)
        if self._lobby:
            self._lobby.fit(event.size)
        for rows, name in (_ROOMY, "-roomy"), (_TALL, "-tall"), (_HIGH, "-high"):
            self.set_class(event.size.height >= rows, name)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self._board, settings)
        self.query_one(Title).write(ascii_only=settings.ascii)
        for row in self.query(Row):
            row.ascii_only, row.label_width = settings.ascii, _LABEL_WIDTH
            row.write()

    def begin(self, start: OnFront) -> None:
        """Open what the app begins with above the page; welcome a visitor, or take them back."""
        match start:
            case Lessons(""):
                self._list_lessons()
            case Lessons(first):
                self._teach(first)
            case Puzzles(some, choice):
                self._solve(some, choice)
            case Edit(setup):
                self._matches.edit(setup)
        if self._club and self._club.sent_to:
            self.call_after_refresh(self._go_to_link)
        elif self._club and (place := self._club.left_at):
            self.call_after_refresh(self._go_back, place)
        elif self._club and not self._club.visitor.name:
            self._ask_name()

    # What the page says

    @property
    def variant(self) -> Variant:
        """The game that is chosen now."""
        return self._form.variant

    def say(self, notice: str) -> None:
        """Show a notice below the menu."""
        shown = self.query_one("#notice", Static)
        if notice != shown.content:
            shown.update(notice)
            shown.set_class(bool(notice), "-said")
            self.call_after_refresh(shown.scroll_visible, animate=False)

    def _show_variant(self) -> None:
        variant = self.variant
        self._board.show(View(variant.start, goals=variant.goals, stone=variant.stone))
        self.query_one("#gist", Static).update(f"{_THUD}\n{capitalised(variant.gist)}.")
        self.query_one("#summary", Static).update(variant.summary)

    @on(Choice.Changed)
    def _follow_choice(self, event: Choice.Changed) -> None:
        self.say("")
        if event.row.id == "game":
            self._show_variant()

    @on(Input.Changed)
    def _follow_name(self) -> None:
        self.say("")

    def on_screen_resume(self) -> None:
        """Count the matches that are kept, and list the tables."""
        if self._club:
            self._club.enter_lobby()
            self._show_club()
            self.run_worker(self._club.line.enter(), group="club")
        note = "as you left it" if self._matches.was_set_up else _SET_UP
        self.query_one("#edit", Command).set_note(note)
        self._count()

    @work(group="count", exclusive=True)
    async def _count(self) -> None:
        (unfinished, finished), known = await asyncio.to_thread(self._kept_and_known)
        # The rows are gone if the app has come to its end meanwhile.
        for row in self.query("#resume").results(Command):
            row.set_note(_counted(len(unfinished)))
        for row in self.query("#replay").results(Command):
            row.set_note(_counted(len(finished)))
        if self._form.is_attached:
            self._form.show_strengths(known)
            level = fair_level(known, self._form.person or "")
            self.query_one("#computer", Command).set_note(f"· level {level}")

    def _kept_and_known(self) -> tuple[Kept, Mapping[str, Strength]]:
        """Return the matches that are kept, and how strong their people are by them."""
        kept = self._kept()
        return kept, strengths_in(self._store, kept[1])

    def _kept(self) -> Kept:
        try:
            listing = self._store.listing()
        except OSError:
            # What keeps the store from being read is told when a match cannot be saved.
            return [], []
        return listing.unfinished, listing.finished

    # What is chosen

    @property
    def _waiting(self) -> bool:
        """Whether nothing covers the page, or is about to.

        What is chosen twice in a moment, as by a double click, counts once.
        """
        if not self.is_active or (self._list_shown and self._list_shown.answer):
            return False
        coming = (worker for worker in self.app.workers if worker.group == "opening")
        return all(worker.is_finished for worker in coming)

    def _show_list(self, shown: ListScreen, chosen: Callable[[str], object]) -> None:
        """Let one of a list be chosen."""

        def answered(name: str | None) -> None:
            self._list_shown = None
            if name:
                chosen(name)

        self._list_shown = shown
        self.app.push_screen(shown, answered)

    @on(Command.Chosen)
    async def _choose(self, event: Command.Chosen) -> None:
        await self.action_go(str(event.row.id))

    async def action_go(self, what: str) -> None:
        """Begin a match, or go where a row of the menu leads."""
        self.say("")
        if what == "join" and self._lobby:
            self._lobby.turn_to_tables()
        elif self._waiting:
            if what in ("settings", "quit"):
                await self.run_action(f"app.{what}")
            else:
                self._opens[what]()

    @property
    def _opens(self) -> Mapping[str, Callable[[], object]]:
        """What the rows of the menu open, by their ids."""
        return {
            "learn": self._list_lessons,
            "computer": partial(self._new_match, FAIR),
            "here": partial(self._new_match, HUMAN),
            "play": self._new_match,
            "host": self._ask_whom if self._club else partial(self._begin, hosted=True),
            "join": self._list_open,
            "resume": partial(self._list_kept, finished=False),
            "replay": partial(self._list_kept, finished=True),
            "puzzles": self._solve,
            "edit": self._edit,
            "rules": self._show_rules,
            "name": self._ask_name,
            "devices": self._ask_about_devices,
        }

    def _edit(self) -> None:
        self._matches.edit(self._matches.setup or Setup.usual(self.variant))

    # Playing

    def _new_match(self, opponent: str = "") -> None:
        """Begin the match of the form, perhaps against another opponent than chosen there."""
        if opponent:
            self._form.seat(opponent)
        if self._form.apart:
            self._ask_whom()
        elif self._form.fair:
            self._begin_fairly()
        else:
            self._begin()

    def _begin(self, fair_level: int = 0, *, hosted: bool = False) -> None:
        """Begin the match that is chosen, or say why that cannot be."""
        try:
            match, seats = self._form.match(fair_level, hosted=hosted)
        except ValueError as error:
            self.say(capitalised(str(error)))
            return
        # If they cannot be kept, the match cannot either, which is told.
        self._keep(partial(save_choices, self._directory, self._form.choices))
        session = Session(match, Autosave(self._store), seats)
        if hosted:
            self._host(session)
        else:
            self._play(session)

    @work(group="opening")
    async def _begin_fairly(self) -> None:
        """Begin against the level that is as strong as the person who plays."""
        if (name := self._form.person) is None:
            self.say("Your own level is for a person to play against.")
            return
        _, known = await asyncio.to_thread(self._kept_and_known)
        if self.is_active:
            self._begin(fair_level(known, name))

    def _play(self, session: SessionView, notice: str = "", at: LastPlace | None = None) -> None:
        self.say(self._matches.play(session, notice, at=at))

    # Matches that are kept

    @work(group="opening")
    async def _list_kept(self, *, finished: bool) -> None:
        from thud.tui.front.lists import MatchList

        matches = (await asyncio.to_thread(self._kept))[finished]
        if not self.is_active:
            return
        if finished:
            title, without = "Replay a match", "No match has been played to its end."
        else:
            title, without = "Go on with a match", "No match waits to be gone on with."

        chosen = self._replay if finished else self._resume
        self._show_list(MatchList(title, matches, without, self._store), chosen)

    @work(group="opening")
    async def _replay(self, name: str) -> None:
        try:
            record = await asyncio.to_thread(self._store.load, name)
        except ValueError as error:
            self.say(capitalised(str(error)))
            return
        if self.is_active:
            self._matches.replay(record, name=name)

    @work(group="opening")
    async def _resume(self, name: str, notice: str = "") -> None:
        """Go on with a match that is kept, or say why that is not possible."""

        def resume() -> Coroutine[object, object, Saved]:
            return asyncio.to_thread(self._store.resume, name)

        try:
            saved = await (self._club.when_free(resume) if self._club else resume())
        except ValueError as error:
            self.say(capitalised(str(error)))
            return
        if not self.is_active:
            saved.close()
            return
        match = await asyncio.to_thread(saved.restored)
        was = await asyncio.to_thread(hosted, self._store.matches, name)
        contenders, autosave = contenders_of(saved.record), Autosave(self._store, saved)
        if was and not self._club:
            session = Session(match, autosave, with_guests(contenders, was.players))
            await self._open_to_others(session, was.terms, notice).wait()
        else:
            self._play(Session(match, autosave, contenders), notice)

    # Matches with people elsewhere

    def _host(self, session: Session) -> None:
        """Ask on which terms others can come, and play with whoever comes."""
        answered = partial(self._open_to_others, session)
        timed = session.match.control is not None
        ask_terms(self.app, answered, timed=timed)

    @work(group="opening")
    async def _open_to_others(self, session: Session, terms: Terms, notice: str = "") -> None:
        """Let others come to a session, and play it; or say why they cannot."""
        from thud.net.hosting import opened

        try:
            await opened(session, terms)
        except (OSError, ValueError) as fault:
            await session.leave()
            self.say(f"{capitalised(str(fault))}.")
            return
        self._play(session, notice)

    @work(group="opening")
    async def _list_open(self) -> None:
        from thud.net.transports.local import open_matches

        matches = await asyncio.to_thread(open_matches)
        if self.is_active:
            ask_destination(self.app, matches, self._join)

    @work(group="opening")
    async def _join(self, destination: Destination, notice: str = "") -> None:
        """Join a match, and play it; or say why that is not possible."""
        self.say(_ONE_MOMENT)
        try:
            session = await join(self.app, destination, self._own_name, self._store)
        except (OSError, ValueError) as fault:
            self.say(f"{capitalised(str(fault))}.")
            return
        if self._club and destination.table and session.company.free:
            session.company.invitation = self._club.links(destination.table)
        self._play(session, notice, destination.table)

    @property
    def _own_name(self) -> str:
        """What whoever sits here is called: as in the last match, if that was said."""
        if self._club:
            return self._club.name
        names = (name for name in self._form.names if name.strip() and name not in DEFAULT_PLAYERS)
        return next(names, getpass.getuser())

    # The club

    @work(group="opening")
    async def _go_back(self, place: LastPlace) -> None:
        """Go back to where the visitor was when the last visit broke off."""
        from thud.tui.club.club import BACK

        assert self._club
        self.say(_ONE_MOMENT)
        if place.kind == MATCH:
            await self._resume(place.id, BACK).wait()
        else:
            await self._join(to_table(place), BACK).wait()
        self._club.returned(in_lobby=self.is_active)

    def _ask_name(self) -> None:
        """Ask for a name, or another one."""
        if not (self._club and self._lobby):
            return
        from thud.tui.club.lobby import Welcome

        club, visitor, lobby = self._club, self._club.visitor, self._lobby

        async def attempt(name: str) -> str:
            return name

        def answered(name: str | None) -> None:
            visitor.rename(name or visitor.proposed)
            lobby.rename(visitor.name)
            self.run_worker(club.line.enter(), group="club")

        screen = AskScreen if visitor.name else Welcome
        self.app.push_screen(screen("What are you called?", visitor.proposed, attempt), answered)

    def _show_club(self) -> None:
        """Show the tables, and say in the window's title where it is the visitor's turn."""
        if not (self._club and self._lobby and self.is_mounted):
            return
        state = self._club.line.state
        self._lobby.show(state)
        if self.is_current:
            send_codes(self.app, notices.title(os.environ, turns_told(state.turns)))

    @work(group="opening")
    async def _go_to_link(self) -> None:
        """Go to the table that the visitor was sent to."""
        assert self._club
        link, self._club.sent_to = self._club.sent_to, ""
        self.say(_ONE_MOMENT)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._club.line.known.wait(), _KNOWN_SECONDS)
        table = self._club.line.state.table(link)
        self._club.returned(in_lobby=True)
        self.say("" if table else "There is no such table, or not any more.")
        if table:
            self._ask_at_table(table)
        if not self._club.visitor.name:
            self._ask_name()

    def on_lobby_table_chosen(self, event: Lobby.TableChosen) -> None:
        """Go to a table."""
        if self._waiting:
            self._ask_at_table(event.table)

    def _ask_at_table(self, table: Table) -> None:
        """Go to a table, to sit down or to look on, after asking which if both can be done."""
        from thud.tui.club.lobby import what_is_played, who_plays

        def go(kind: str) -> None:
            if kind == _CLOSE:
                self._close_table(table)
            else:
                self._join(to_table(LastPlace(kind, table.id, table.word)))

        if table.seated:
            options = [Option("Sit down at your seat", id=SEAT)]
        elif table.wanted:
            options = [Option(f"Sit down: the {' and the '.join(table.wanted)}", id=SEAT)]
        else:
            go(WATCH)
            return
        options.append(Option("Look on", id=WATCH))
        if table.own and (table.wanted or table.over):
            options.append(Option("Close the table", id=_CLOSE))
        self._show_list(ListScreen(f"{who_plays(table)}: {what_is_played(table)}", options), go)

    @work(group="opening")
    async def _close_table(self, table: Table) -> None:
        assert self._club
        try:
            await self._club.line.ask("close", table=table.id)
        except ValueError as refusal:
            self.say(f"{capitalised(str(refusal))}.")

    def _ask_whom(self) -> None:
        """Ask who may come to a table, and open it."""
        assert self._club
        if refusal := self._club.no_room():
            self.say(refusal)
            return
        own = data_directory().name
        others = [each for each in self._club.line.state.visitors if each.id != own]
        options: list[Option | None] = [
            Option("Whoever comes to the club", id=_EVERYBODY),
            Option("Whoever is told its link", id=_TOLD),
            *([None] if others else []),
            *(Option(Text(f"{each.name}, who is here now"), id=each.id) for each in others),
        ]
        self._show_list(ListScreen("Who is the table for?", options), self._open_table)

    @work(group="opening")
    async def _open_table(self, whom: str) -> None:
        """Open a table of the club, and sit down at it."""
        from thud.tui.club.club import OPEN, OPEN_BY_LINK

        assert self._club
        form, choices = self._form, self._form.choices
        self._keep(partial(save_choices, self._directory, choices))
        try:
            answer = await self._club.line.ask(
                "open",
                variant=choices.variant,
                handicap=choices.handicap,
                clock=choices.clock,
                private=whom == _TOLD,
                **({} if whom in (_EVERYBODY, _TOLD) else {"for": whom}),
            )
        except ValueError as refusal:
            self.say(f"{capitalised(str(refusal))}.")
            return
        place = LastPlace(SEAT, str(answer.get("id")), str(answer.get("word") or ""))
        notice = OPEN if whom == _EVERYBODY else OPEN_BY_LINK
        await self._join(to_table(place, form.opener), notice).wait()

    def _ask_about_devices(self) -> None:
        """Offer a word for another device, or take one from there."""
        options = [
            Option("Make another device you: get a word for it", id="word"),
            Option("Make this device you: type the word from the other one", id="link"),
        ]

        def answered(what: str) -> None:
            self._show_word() if what == "word" else self._ask_word()

        self._show_list(ListScreen("Devices", options), answered)

    @work(group="opening")
    async def _show_word(self) -> None:
        assert self._club
        try:
            answer = await self._club.line.ask("word")
        except ValueError as refusal:
            self.say(f"{capitalised(str(refusal))}.")
            return
        self.app.push_screen(TextScreen("A word for another device", _WORD.format(**answer)))

    def _ask_word(self) -> None:
        club = self._club
        assert club

        async def attempt(word: str) -> str:
            await club.line.ask("link", word=word)
            return word

        def answered(word: str | None) -> None:
            if word:
                # It comes in anew as who it is now.
                self.app.exit(return_code=LINKED)

        self.app.push_screen(AskScreen("The word from the other device", "", attempt), answered)

    def ask_to_leave_club(self) -> None:
        """Ask whether to leave the club."""
        options = [Option("Leave", id="leave"), Option("Stay", id="")]
        question = ListScreen("Leave the club?", options)
        self.app.push_screen(question, lambda answer: self.app.exit() if answer else None)

    # Lessons, puzzles and the rules

    @property
    def _course(self) -> Course:
        from thud.lessons.course import Course

        return Course(
            self._progress, partial(self._keep, self._progress.save, "What has been learnt")
        )

    def _list_lessons(self) -> None:
        from thud.tui.front.lists import lesson_list

        self._show_list(lesson_list(self._course), self._teach)

    def _teach(self, name: str) -> None:
        """Go through lessons from the one of a name on, and play the battle at their end."""
        from thud.session.first_battle import COACHED, WELCOME, first_battle
        from thud.tui.drill.screen import DrillScreen

        course = self._course
        lesson = course.named(name)
        opponent = course.battle_after(lesson)

        def play_first_battle() -> None:
            if not settings_of(self.app).coach:
                self.call_later(self.run_action, f"app.switch('{COACHED}')")
            self._play(first_battle(opponent, Autosave(self._store)), WELCOME)

        then = play_first_battle if opponent else None
        self.app.push_screen(DrillScreen(course.drills(lesson), then))

    @work(group="opening")
    async def _solve(self, some: Sequence[Puzzle] = (), choice: Wanted | None = None) -> None:
        """Go through puzzles that are not solved yet: some, or all there are."""
        from thud.puzzles.book import puzzles
        from thud.puzzles.puzzle import Wanted
        from thud.puzzles.score import PuzzleCourse, load_score, save_score
        from thud.tui.drill.screen import DrillScreen

        found = some or await asyncio.to_thread(puzzles)
        score = await asyncio.to_thread(load_score, self._directory)
        solved, writing = score.solved, Lock()

        def write() -> None:
            with writing:
                save_score(self._directory, course.score)

        def keep(score: PuzzleScore) -> None:
            nonlocal solved
            # That a puzzle was only looked at may be forgotten.
            what = "" if score.solved == solved else "The score"
            solved = score.solved
            self._keep(write, what)

        course = PuzzleCourse(found, score, keep, choice or Wanted())
        if self.is_active:
            self.app.push_screen(DrillScreen(course.drills(), course=course))

    @work(group="keeping")
    async def _keep(self, save: Callable[[], None], what: str = "") -> None:
        """Save something, and tell if that fails, unless it is told otherwise."""
        try:
            await asyncio.to_thread(save)
        except OSError as error:
            if what:
                self.notify(f"{what} cannot be kept: {error.strerror}.", markup=False)

    def _show_rules(self) -> None:
        from thud.rulebook.chapters import GAME
        from thud.tui.help.screen import HelpScreen

        self.app.push_screen(HelpScreen(self.variant, FrontPage.BINDINGS, GAME))


def turns_told(turns: int) -> str:
    """Return the title of the window in a lobby."""
    return f"Thud: your turn at {counted(turns, 'table')}" if turns else "Thud"


def _counted(number: int) -> str:
    """Return a number of matches in words."""
    return "1 match" if number == 1 else f"{number or 'no'} matches"
