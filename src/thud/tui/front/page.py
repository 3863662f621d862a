"""The front page: a new match, and a menu of everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from inspect import isawaitable
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerError

from thud.ai.levels import LEVELS
from thud.engines.spec import COMPUTER, FAIR, HUMAN, level_contender, with_guests
from thud.exercises.lessons.progress import LessonProgress
from thud.records.formats import match_in
from thud.records.links import is_link
from thud.records.summary import Summary
from thud.rules.match import DEFAULT_PLAYERS, SIDES, Match
from thud.rules.setup import Setup
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.participants import contenders_of
from thud.session.session import Session
from thud.session.view import SessionView
from thud.settings.last_choices import EXTRA_ROWS, load_choices, save_choices
from thud.settings.values import Settings
from thud.strength.levels import RATINGS
from thud.strength.people import fair_level, strengths_in
from thud.text import capitalised, sentence, why, why_at
from thud.tui.actions import BY_ID, bindings
from thud.tui.board.look import View
from thud.tui.board.widget import Board
from thud.tui.deployment import deployment_of
from thud.tui.front.form import MatchForm, PairScreen
from thud.tui.front.lists import (
    EARLY,
    PRACTISE,
    RETURN,
    MatchList,
    aside_list,
    early_list,
    lesson_list,
    model_list,
)
from thud.tui.keys.bar import KeyBar, key_of
from thud.tui.matches import Matches
from thud.tui.screens import ThudScreen
from thud.tui.start import Edit, Lessons, Models, OnFront, Practise, Puzzles, Replay
from thud.tui.textual_fixes import FixedScreen, OrderedScreen, is_leaving
from thud.tui.widgets.appearance import apply_appearance, settings_of
from thud.tui.widgets.menu import Choice, Command, CommandChoice, Menu, Opening, Row
from thud.tui.widgets.size_classes import fit, show_if_room
from thud.tui.widgets.title import Title
from thud.visitor.profile import MATCH, LastPlace
from thud.words.match import par

if TYPE_CHECKING:
    from thud.exercises.drill import Drill
    from thud.exercises.next_step import Step, Way
    from thud.exercises.practise import Practice
    from thud.exercises.puzzles.book import Daily
    from thud.exercises.puzzles.puzzle import Puzzle, PuzzleFilter
    from thud.exercises.puzzles.score import PuzzleCourse, PuzzleScore
    from thud.net.seat_registry import Terms
    from thud.records.store import Saved
    from thud.strength.people import Strength
    from thud.tui.club.club import ClubClient
    from thud.tui.club.lobby import Lobby


_THUD: Final = "Many small dwarfs against a few large trolls."
"""What the game is, in one line."""

_HERE: Final = HUMAN, HUMAN
_SET_UP: Final = "any position"
_BEGINNING: Final = frozenset({"computer", "here", "host", "watch"})
"""The rows that begin a match."""
_LABEL_WIDTH: Final = 9
_ROOMY: Final = 30
"""Fewest rows for the title."""
_NEWS: Final = 3
"""Lines below the board that are always there, so that news does not move it."""
_TITLED: Final = 24
"""Fewest rows for a small title above the board, where there is none above the menu."""
_TALL: Final = 56
"""Fewest rows for the summary of the rules."""
_TIGHT: Final = 23
"""Most rows without the row that quits, whose key is always seen."""
_POLL_INTERVAL: Final = 0.005
"""Seconds between checks whether what is opened is shown."""
_ASKING_TIMEOUT: Final = 2.0
"""Seconds for which keys wait for it."""
_HIGH: Final = 52
"""Fewest rows for a board above the menu."""


class FrontPage(FixedScreen[None], ThudScreen, OrderedScreen):
    """Begins, resumes and replays matches; in a club, also its lobby.

    Args:
        matches: opens matches.
        club: the club visited, if any.
    """

    stopover = True
    begun = True

    AUTO_FOCUS = ""
    """It focuses the row to begin with, in the first frame already."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("front")

    DEFAULT_CSS = """
    FrontPage {
        #front { height: 1fr; }
        #picture { width: 1fr; }
        #gist { height: auto; padding: 0 1; text-align: center; color: $foreground-muted; }
        #news { height: auto; padding: 0 1; text-align: center; text-style: bold; display: none; }
        #above { width: 1fr; margin: 0; text-align: center; display: none; }
        &.-titled #above { display: block; }
        &.-wide #news { min-height: 2; }
        &.-titled #gist, &.-titled #news { min-height: 3; }
        &.-news #gist { display: none; }
        &.-news #news { display: block; }
        #resume, #replay, #practise { display: none; }
        &.-resume #resume, &.-replay #replay, &.-practise #practise { display: block; }
        .ways { height: auto; }
        .heading { height: 1; color: $accent; text-style: bold; }
        #menu {
            width: 31;
            border-left: vkey $panel;
            scrollbar-size-vertical: 1;
        }
        Title { height: auto; width: auto; margin: 0 0 1 1; display: none; }
        &.-roomy Title { display: block; }
        &.-upright Title { display: none; }
        &.-upright.-high Title { display: block; }
        #notice { height: auto; margin: 0 0 0 2; text-style: bold; display: none; }
        #summary { display: none; color: $foreground-muted; height: auto; margin: 1 2; }
        #too-small { display: none; }
        &.-tight #quit { display: none; }
        &.-upright { #front { layout: vertical; } #picture { display: none; } }
        &.-upright.-high #picture { display: block; }
        &.-upright #menu { width: 1fr; height: auto; max-height: 100%; border: none; padding: 0; }
        &.-too-small { #picture { display: none; } #menu { width: 1fr; border: none; } }
        &.-wide #menu { width: 38; padding: 0 2; align: left middle; }
        &.-wide Title { margin: 0 0 0 2; }
        &.-wide .heading { margin: 1 0 0 0; }
        &.-wide #notice { margin: 1 0 0 2; }
        &.-upright, &.-club {
            #news { display: none; }
            #gist { display: block; }
            #notice { display: block; min-height: 2; }
        }
        &.-wide.-tall #summary { display: block; }
    }
    """

    def __init__(self, matches: Matches, club: ClubClient | None = None) -> None:
        super().__init__(classes="-club" if club else "")
        self._matches = matches
        self._store = matches.store
        self._directory = self._store.matches.parent
        self._progress = LessonProgress(self._directory)
        self._learning = not self._progress.graduated
        choices = load_choices(self._directory)
        self._show_rows(choices.rows)
        self._new_here = self._learning and not choices.begun
        self._club = club
        self.lobby: Lobby | None = None
        if club:
            from thud.tui.club.lobby import Lobby

            self.lobby = Lobby(club)
        # A gentle level until the person's matches are read.
        gentle = level_contender(fair_level({}, "")).text
        self._form = MatchForm(choices, gentle, club.name if club else None)
        self._notice = Static(id="notice", markup=False)
        self._news = Static(id="news", markup=False)
        """The notice, below the board where the menu has no room."""
        self._known: Mapping[str, Strength] = {}
        self._left: SessionView | None = None
        """The match begun or resumed last, until the page is shown again."""
        self._next: Step | None = None
        """What to do next, once that is found out; a newcomer is led by the rows."""
        self._board = Board(VARIANTS[choices.variant].start, has_cursor=False)
        self._rows = self._menu()
        self._ways = self._all_ways()

    def compose(self) -> ComposeResult:
        """Lay out the board or the tables, beside the title and the menu."""
        fit(self, self.app.size, _classes(self.app.size), update=False)
        self._fold()
        allows = deployment_of(self.app).allows
        menu = {
            title: [row for row in rows if allows(f"go('{row.id}')")]
            for title, rows in self._rows.items()
        }
        titles = sorted(menu, key=lambda title: title != "Learn") if self._learning else menu
        with self.lobby or Horizontal(id="front"):
            with Vertical(id="picture"):
                if self.lobby:
                    yield self.lobby.tables
                else:
                    yield Title(small=True, id="above")
                yield self._board
                yield Static(id="gist", markup=False)
                yield self._news
            with VerticalScroll(id="menu", can_focus=False):
                yield Title()
                for title in titles:
                    yield Static(
                        title, classes="heading", id=f"group-{title.lower()}", markup=False
                    )
                    if title == "Play":
                        yield self._form
                    with Vertical(classes="ways"):
                        for row in menu[title]:
                            yield Command(row.label, row.note, id=row.id)
                yield self._notice
                yield Static(id="summary", markup=False)
        yield Static(id="too-small")
        yield KeyBar(relabel=self._labels_now)

    def on_mount(self) -> None:
        """Show the choices of the last match, and focus the row to begin with."""
        self.apply_settings(settings_of(self.app))
        self._show_variant()
        if self._new_here and not (self._club or self._store.matches.exists()):
            self._form.seat_newcomer()
        self.set_focus(self.query_one(f"#{'learn' if self._new_here else self._form.way}"))

    def on_resize(self, event: events.Resize) -> None:
        """Set the layout classes for the new size."""
        show_if_room(self, event.size, _classes(event.size))
        if self.lobby:
            self.lobby.fit(event.size)
        self._fold()

    def _fold(self) -> None:
        high = "-high" if self.has_class("-upright") else "-roomy"
        self._form.fold(short=not self.has_class(high))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a row is possible where the app runs."""
        if parameters == ("next",):
            return self._next is not None
        runs = f"{action}({', '.join(map(repr, parameters))})"
        return deployment_of(self.app).allows(runs)

    @property
    def offers(self) -> dict[str, bool]:
        """Whether to offer what needs matches or positions: where there are any."""
        on_resume = self.focused is not None and self.focused.id == "resume"
        extra = {f"go('{row}')": self.has_class(f"-{row}") for row in EXTRA_ROWS}
        return {"go('delete')": on_resume, **extra}

    def _labels_now(self) -> Mapping[str, str]:
        """Return the labels of actions that are called otherwise for now."""
        again = self._form.last.begun and not self._row_begun
        return {"go('play')": "Play again"} if again else {}

    @property
    def labels_on_card(self) -> Mapping[str, str]:
        """The labels that the card of keys has in more words than the footer."""
        return {"go('next')": capitalised(self._next.words)} if self._next else {}

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now, and is worth offering."""
        runs = f"{action}({', '.join(map(repr, parameters))})"
        offered = self.offers | {"go('delete')": self.has_class("-resume")}
        return self.check_action(action, parameters) is True and offered.get(runs, True)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        apply_appearance(self._board, settings)
        for title in self.query(Title):
            title.write(ascii_only=settings.ascii)
        for row in self.query(Row):
            row.ascii_only, row.label_width = settings.ascii, _LABEL_WIDTH
            actions = (f"{part}.{row.id}" for part in ("front", "app"))
            action = next((each for each in actions if each in BY_ID), "")
            row.key = key_of(self.app, action) if action else ""
            row.write()

    def begin(self, start: OnFront) -> None:
        """Open the app's first screen on top of the page, and welcome a visitor of a club."""
        match start:
            case Lessons(first):
                self._teach(first)
            case Puzzles(some, choice, daily):
                self._solve(some, choice, daily)
            case Models():
                self._list_models()
            case Practise(early):
                self._practise(early)
            case Edit(setup):
                self._matches.edit(setup)
        if self.lobby:
            self.lobby.welcome(new_here=self._new_here)

    # Showing

    def say(self, notice: str, *, scroll: bool = True) -> None:
        """Show a notice below the menu, and scroll to it."""
        if notice != self._notice.content:
            self._notice.update(notice)
            self._tell_news()
            self.set_class(bool(notice), "-news")
            if scroll:
                self.call_after_refresh(self._scroll_to_notice)

    def _tell_news(self) -> None:
        """Write the notice below the board, and what is to be done next if there is room."""
        said, room = Text(str(self._notice.content)), self.query_one("#picture").size.width - 2
        fits = len(said.wrap(self.app.console, max(1, room))) < _NEWS
        self._news.update(Text("\n").join([said, *(self._goes_on if fits else [])]))

    @property
    def _goes_on(self) -> list[Text]:
        """What is to be done next, and its key, once that is known."""
        if self._next is None:
            return []
        return [Text(f"{self._next.told} ({key_of(self.app, 'front.next')})", "not bold")]

    def _show_rows(self, rows: Sequence[str]) -> None:
        """Show those of the extra rows that there is something for."""
        for row in EXTRA_ROWS:
            self.set_class(row in rows, f"-{row}")

    def _scroll_to_notice(self) -> None:
        """Scroll to the notice as far as the focused row stays in sight."""
        for widget in self._notice, self.focused:
            if widget:
                widget.scroll_visible(animate=False, immediate=True)

    def _show_variant(self) -> None:
        variant = self._form.variant
        self._board.show(View(variant.start, goals=variant.goals, stone=variant.stone))
        first = [Text(each.plain, "bold") for each in self._goes_on] or [Text(_THUD)]
        gist = Text("\n").join([*first, Text(f"{capitalised(variant.gist)}.")])
        self.query_one("#gist", Static).update(gist)
        self._tell_news()
        self.query_one("#summary", Static).update(variant.summary)

    @on(Choice.Changed)
    def _follow_choice(self, event: Choice.Changed) -> None:
        self.say("")
        if event.row.id == "game":
            self._show_variant()
        self._describe(event.row)

    @on(events.DescendantFocus)
    def _follow_focus(self, event: events.DescendantFocus) -> None:
        self._describe(event.widget, scroll=False)

    @on(events.DescendantBlur)
    def _follow_blur(self, event: events.DescendantBlur) -> None:
        """Take the description of a level away, but no other notice."""
        if self._notice.content == _description(event.widget, self._form.variant):
            self.say("", scroll=False)

    def _describe(self, row: Widget, *, scroll: bool = True) -> None:
        """Describe the level chosen in a row, if one is, unless there is another notice.

        A row must not move between the press of a mouse button, which focuses it, and its release.
        """
        if not self._notice.content:
            self.say(_description(row, self._form.variant), scroll=scroll)

    @on(Input.Changed)
    def _follow_name(self, event: Input.Changed) -> None:
        if event.input.has_focus:
            self.say("")
        self._show_strength()

    def _show_strength(self) -> None:
        """Say beside *Play* the person's rating, if that is known."""
        strength = self._form.strength(self._known)
        self.query_one("#group-play", Static).update(f"Play  {strength}" if strength else "Play")

    def on_screen_resume(self) -> None:
        """Update the counts of saved matches, and enter the lobby."""
        if self.lobby:
            self.lobby.enter()
        note = "as you left it" if self._matches.was_set_up else _SET_UP
        self.query_one("#edit", Command).set_note(note)
        self.refresh_bindings()
        left, self._left = self._left, None
        self._count(left)

    @work(group="count", exclusive=True)
    async def _count(self, left: SessionView | None) -> None:
        from thud.exercises.next_step import next_step  # not for the first frame
        from thud.exercises.practise import next_day

        kept = await asyncio.to_thread(self._kept)
        if await asyncio.to_thread(self._settle):
            self._save(self._progress.save)
        known = await asyncio.to_thread(strengths_in, self._store, kept[1])
        practice, _ = await asyncio.to_thread(self._practice)
        due = await asyncio.to_thread(lambda: len(practice.due()))
        notes = await asyncio.to_thread(self._learnt)
        unfinished = len(kept[0])
        step = await asyncio.to_thread(next_step, self._directory, unfinished=unfinished, due=due)
        day = "" if due else await asyncio.to_thread(next_day, practice)
        notes["practise"] = f"{due} due" if due else f"due {day}" if day else "nothing due"
        there = (*map(bool, kept), bool(practice.cards) or practice.tomorrow)
        rows = tuple(row for row, is_there in zip(EXTRA_ROWS, there, strict=True) if is_there)
        self._show_rows(rows)
        for way, matches in zip(("resume", "replay"), kept, strict=True):
            number = len(matches)
            notes[way] = "1 match" if number == 1 else f"{number} matches"
        # The rows are gone if the app has exited meanwhile.
        for way, note in notes.items():
            for each in self.query(f"#{way}").results(Command):
                each.set_note(note)
        if self._form.is_attached and not is_leaving(self.app):
            if not self._new_here or any(kept) or self._progress.done:
                self._next = step
                self._show_variant()
                self.refresh_bindings()
            self._known = known
            self._show_strength()
            begins = self.focused and self.focused.id == self._form.way
            if left and not left.state.match.over and kept[0] and begins:
                self.query_one("#resume").focus()
            row = self.query_one("#computer", CommandChoice)
            described = self._notice.content == _description(row, self._form.variant)
            before = self._form.last
            if changed := self._form.fit(known):
                self._form.take_offer()
            self._form.last = self._form.last._replace(rows=rows)
            if self._form.last != before:
                self._save(partial(save_choices, self._directory, self._form.last))
            if described or not self._notice.content:
                self.say(changed or (_description(row, self._form.variant) if described else ""))

    def _settle(self) -> bool:
        """Note the battles of lessons that were played since; return whether there were any."""
        from thud.exercises.lessons.course import Course

        return Course(self._progress, lambda: None).settle(self._store)

    def _learnt(self) -> dict[str, str]:
        """Return what is new in lessons and puzzles, by row."""
        from thud.exercises.lessons.course import Course
        from thud.exercises.puzzles.score import load_score

        lessons, done = Course(self._progress, lambda: None).lessons, self._progress.done
        number = sum(each.name in done for each in lessons)
        score = load_score(self._directory)
        waits = f"today's waits: {key_of(self.app, 'front.today')}"
        if deployment_of(self.app).taps:
            waits = "find the move"
        return {
            "learn": f"{number} of {len(lessons)}" if number else "by playing",
            "puzzles": waits if score.waits(date.today()) else f"{len(score.ids)} solved",
        }

    def _practice(self) -> tuple[Practice, str]:
        """Return all positions to practise, and why no answers are kept, empty if they are."""
        from thud.exercises.practise import Practice, nothing_kept

        practice = Practice(self._directory)
        try:
            practice.refresh(self._store, dubious=settings_of(self.app).practise_dubious)
        except OSError as error:
            return practice, nothing_kept(error)
        return practice, ""

    def _kept(self) -> tuple[list[Summary], list[Summary]]:
        """Return the unfinished and the finished matches."""
        try:
            listing = self._store.listing()
        except OSError:
            # The cause is reported when a match cannot be saved.
            return [], []
        return listing.unfinished, listing.finished

    # Choosing

    @property
    def in_order(self) -> bool:
        """Whether keys are the page's: a line of text handles its own."""
        return not isinstance(self.focused, Input)

    @property
    def waiting(self) -> bool:
        """Whether the page is active, and nothing is about to open on top of it.

        So a double click opens one screen, and keys meant for the board that a visitor is returning
        to open nothing.
        """
        if not self.is_active or (self._club and self._club.left_at):
            return False
        coming = (worker for worker in self.app.workers if worker.group in ("opening", "asking"))
        return all(worker.is_finished for worker in coming)

    async def action_go(self, what: str) -> None:
        """Open what a row of the menu or a key of the page stands for.

        What asks something is shown before the next key is handled, which may be its answer.
        """
        self.say("")
        await self._asked()
        if not self.waiting:
            return
        opened = self._ways[what]()
        if isawaitable(opened):
            await opened
        if isinstance(opened, Worker):
            await self._asked()

    async def _asked(self) -> None:
        """Wait until what asks something is shown, or over; not for ever, as it may wait itself."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_ASKING_TIMEOUT):
                while self.is_active and any(
                    each.group == "asking" and not each.is_finished for each in self.app.workers
                ):
                    await asyncio.sleep(_POLL_INTERVAL)

    def _menu(self) -> Menu:
        """Return the groups of the menu, each with its rows; the form of a match heads the first.

        In a club, the lobby has rows in place of those that host, join and quit.
        """
        form, matches = self._form, self._matches
        elsewhere = [
            Opening("host", "Host", "a remote match", partial(self._begin, _HERE, hosted=True)),
            Opening("join", "Join", "a remote match", self._join),
        ]
        settings = Opening("settings", "Settings", "", partial(self.run_action, "app.settings"))
        leave = Opening("quit", "Quit", "", partial(self.run_action, "app.quit"))
        return {
            "Play": [Opening("resume", "Resume", "", partial(self._list_kept, finished=False))],
            "Learn": [
                Opening("learn", "Lessons", "by playing", self._teach),
                Opening("puzzles", "Puzzles", "", lambda: self._solve(game=form.variant.name)),
                Opening("practise", "Practise", "nothing due", self._practise),
                Opening("rules", "Rules", "", self._explain),
            ],
            "Library": [
                Opening("replay", "Replay", "", partial(self._list_kept, finished=True)),
                Opening("models", "Models", "battles to study", self._list_models),
                Opening(
                    "explore",
                    "Explore",
                    "what was played",
                    lambda: matches.explore(Match(form.variant, SIDES)),
                ),
                Opening(
                    "edit",
                    "Set up",
                    _SET_UP,
                    lambda: matches.edit(matches.setup or Setup.usual(form.variant)),
                ),
            ],
            "More": [
                Opening("watch", "Two computers", "", self._watch),
                *([] if self.lobby else elsewhere),
                settings,
                *(self.lobby.rows if self.lobby else []),
                leave._replace(label="Leave", note="the club") if self.lobby else leave,
            ],
        }

    def _all_ways(self) -> dict[str, Callable[[], object]]:
        """Return what each row and each key of the page opens."""
        return {
            "options": self._form.open_options,
            "computer": self._begin_with_computer,
            "here": self._play_here,
            "play": self._begin_another,
            "next": self._go_on,
            "delete": partial(self._list_kept, finished=False, at_once=False),
            "today": partial(self._solve, today=True),
            **{row.id: row.opens for rows in self._rows.values() for row in rows},
            **(self.lobby.ways if self.lobby else {}),
        }

    async def find_next(self) -> Step | None:
        """Find out what is to be done next, once everything is saved; None if that fails."""
        from thud.exercises.next_step import next_in

        for saving in [each for each in self.app.workers if each.group == "keeping"]:
            with suppress(WorkerError):
                await saving.wait()
        dubious = settings_of(self.app).practise_dubious
        with suppress(OSError):
            return await asyncio.to_thread(next_in, self._store, dubious=dubious)
        return None

    def go_on(self, way: Way) -> object:
        """Do what is to be done next."""
        return self._teach_next() if way == "learn" else self._ways[way]()

    def _go_on(self) -> object:
        """Do what is to be done next, once that is found out."""
        return self._next and self.go_on(self._next.way)

    async def action_help(self) -> None:
        """Show the rules."""
        await self.action_go("rules")

    def _explain(self) -> None:
        """Show the rules."""
        from thud.rulebook.chapters import GAME
        from thud.tui.help.screen import HelpScreen

        self.app.push_screen(HelpScreen(self._form.variant, GAME))

    # Playing

    def _begin_with_computer(self) -> object:
        """Begin against the level that is chosen."""
        if self._form.level == FAIR:
            return self._begin_fairly()
        return self._begin(self._form.against(self._form.level))

    def _begin_another(self) -> object:
        """Begin the match of the focused row; on any other, one like the last."""
        way = self._row_begun or self._form.way
        if way != self._form.way or way in ("computer", "host"):
            return self._ways[way]()
        return self._begin(self._form.seats)

    @property
    def _row_begun(self) -> str:
        """The focused row if it begins a match, else empty."""
        row = self.focused.id if self.focused else None
        return row if row in _BEGINNING else ""

    def _titled(self, what: str) -> str:
        """Return what is to be played, with the game."""
        return f"{what}: {self._form.variant.title}"

    @work(group="asking")
    async def _play_here(self) -> None:
        """Ask for both names, and begin a match of two people."""
        asked = PairScreen(self._titled("Two players here"), self._form.pair)
        if names := await self.app.push_screen_wait(asked):
            self._form.pair = names
            self._begin(_HERE)

    @work(group="asking")
    async def _watch(self) -> None:
        """Ask for two computers, and watch them."""
        last = self._form.seats if HUMAN not in self._form.seats else (COMPUTER, COMPUTER)
        asked = PairScreen(self._titled("Two computers"), last, computers=True)
        if seats := await self.app.push_screen_wait(asked):
            self._begin(seats)

    @work(group="opening")
    async def _begin_fairly(self) -> None:
        """Begin against the level that is as strong as the person here, and stays so."""
        _, finished = await asyncio.to_thread(self._kept)
        known = await asyncio.to_thread(strengths_in, self._store, finished)
        if self.is_active:
            fair = fair_level(known, self._form.own_name.value)
            self._begin(self._form.against(FAIR), fair)

    def _begin(self, seats: tuple[str, str], fair: int = 0, *, hosted: bool = False) -> object:
        """Begin a match, or show why that is impossible."""
        try:
            match, contenders = self._form.match(seats, fair, hosted=hosted)
        except ValueError as error:
            self.say(capitalised(str(error)))
            return None
        first = self._form.is_first and not self._progress.graduated
        # If the choices cannot be saved, neither can the match, and that is reported.
        self._save(partial(save_choices, self._directory, self._form.begun(seats)))
        # Who comes back is on the row that begins another.
        self.query_one(f"#{self._form.way}").focus()
        session = Session(match, Autosave(self._store), contenders)
        if hosted:
            return self._host(session)
        if first and seats.count(HUMAN) == 1:
            from thud.session.lesson_battle import first_words

            self._turn_coach_on()
            self._play(session, first_words(match.variant, match.side_of(seats.index(HUMAN))))
        else:
            self._play(session)
        return None

    def _turn_coach_on(self) -> None:
        """Turn the coach on, for good."""
        if not settings_of(self.app).coach:
            self.call_later(self.run_action, "app.switch('coach')")

    def _play(self, session: SessionView, notice: str = "", at: LastPlace | None = None) -> None:
        self._left = session
        self.say(self._matches.play(session, notice, at=at))

    # Saved matches

    @work(group="asking")
    async def _list_kept(self, *, finished: bool, at_once: bool = True) -> None:
        """List finished or unfinished matches to choose from; `at_once` resumes a single one."""
        matches = (await asyncio.to_thread(self._kept))[finished]
        if not self.is_active:
            return
        if finished:
            title, without = "Replay a match", "No finished matches yet."
        else:
            title = "Resume a match" if at_once else "Resume or delete a match"
            without = "No unfinished matches."
        if not matches:
            self.say(without)
            return
        listed = MatchList(title, matches, without, self._store)
        alone = len(matches) == 1 and not finished and at_once
        name = matches[0].id if alone else await self.app.push_screen_wait(listed)
        if not name:
            return
        if name == PRACTISE:
            self._practise()
            return
        if not finished:
            self._resume(name)
            return
        try:
            record = await asyncio.to_thread(self._store.load, name)
        except ValueError as error:
            self.say(capitalised(str(error)))
            return
        if self.is_active:
            self._matches.replay(record, name=name, begin=listed.reviews)

    async def take_paste(self, text: str) -> None:
        """Open what is pasted: a link, a position in the editor, a record or moves in a replay."""
        if (text := text.strip()) and self.waiting:
            self.say("")
            self.open_pasted(text)

    @work(group="opening")
    async def open_pasted(self, text: str) -> None:
        """Open a link, a position, a record or moves, or say that it is none of them."""
        if is_link(text):
            await self._open_link(text)
            return
        with suppress(ValueError):
            self._matches.edit(Setup.usual(self._form.variant).read(text))
            return
        try:
            record, fault = await asyncio.to_thread(match_in, text)
        except ValueError as error:
            because = f": {error}" if text.startswith("[") else ""
            self.say(f"That is no position, record or list of moves{because}.")
            return
        if self.is_active:
            self._matches.replay(record, sentence(fault) if fault else "")

    async def _open_link(self, text: str) -> None:
        from thud.tui.links import start_of

        try:
            start = await asyncio.to_thread(start_of, text)
        except ValueError as error:
            self.say(f"That link cannot be opened: {error}.")
            return
        if not self.is_active:
            return
        if isinstance(start, Replay):
            self._matches.replay(start.record, start.notice)
        else:
            self.begin(start)

    @work(group="opening")
    async def _resume(self, name: str, notice: str = "") -> None:
        """Resume an unfinished match, or show why that is impossible."""
        from thud.net.seat_registry import hosted

        def resume() -> Coroutine[object, object, Saved]:
            return asyncio.to_thread(self._store.resume, name)

        try:
            saved = await (self._club.visitor.when_free(resume) if self._club else resume())
        except ValueError as error:
            self.say(capitalised(str(error)))
            return
        if not self.is_active:
            saved.close()
            return
        match = await asyncio.to_thread(saved.record.match)
        was = await asyncio.to_thread(hosted, self._store.matches, name)
        contenders, autosave = contenders_of(saved.record), Autosave(self._store, saved)
        if was and not self._club:
            session = Session(match, autosave, with_guests(contenders, was.players))
            await self._host(session, was.terms, notice).wait()
        else:
            from thud.exercises.lessons.course import Course

            session = Session(match, autosave, contenders)
            session.state.attempt = Course(self._progress, lambda: None).attempt_in(name)
            self._play(session, notice)

    # Remote matches

    @work(group="asking")
    async def _host(self, session: Session, terms: Terms | None = None, notice: str = "") -> None:
        """Host a session, asking for terms unless given, and play it."""
        from thud.tui.front import elsewhere

        try:
            hosted = await elsewhere.host(self.app, session, terms)
        except (OSError, ValueError) as fault:
            self.say(sentence(why_at(fault)))
            return
        if hosted:
            self._play(session, notice)

    @work(group="asking")
    async def _join(
        self, table: LastPlace | None = None, seat: int | None = None, notice: str = ""
    ) -> None:
        """Join a club's table, or a match asked for, and play it; or show why that is impossible.

        Args:
            table: the table.
            seat: the player to be, None for any.
            notice: message to show at the start.
        """
        from thud.tui.front import elsewhere

        if table:
            destination = elsewhere.to_table(table, seat)
        elif asked := await elsewhere.ask_destination(self):
            destination = asked
        else:
            return
        self.say("One moment …")
        name = self._club.name if self._club else self._form.own_name.value
        if not self._club and (not name.strip() or name in DEFAULT_PLAYERS):
            from thud.net.transports.permissions import own_name

            name = own_name()
        try:
            session = await elsewhere.join(self.app, destination, name, self._store)
        except (OSError, ValueError) as fault:
            self.say(sentence(why_at(fault)))
            return
        self._play(session, notice, table)

    # The club

    @work(group="opening")
    async def on_lobby_going(self, event: Lobby.Going) -> None:
        """Go to the match that the lobby sends the visitor to."""
        place, notice = event.place, event.notice
        if place.kind == MATCH:
            await self._resume(place.id, notice).wait()
        else:
            await self._join(place, event.seat, notice).wait()
        if self._club:
            self._club.returned(in_lobby=self.is_active)

    def on_lobby_began(self, event: Lobby.Began) -> None:
        """Begin as a newcomer has chosen."""
        if event.row == "learn":
            self._teach_next()
        else:
            self._ways[event.row]()

    async def on_lobby_left(self) -> None:
        """Leave the match that is watched, for another one."""
        await self._matches.leave_for_another(self)

    def on_lobby_replaying(self, event: Lobby.Replaying) -> None:
        """Replay a match of the club."""
        if self.is_active:
            self._matches.replay(event.record, event.notice)

    def on_lobby_said(self, event: Lobby.Said) -> None:
        """Show a message of the lobby."""
        self.say(event.notice)

    def on_lobby_table_chosen(self, event: Lobby.TableChosen) -> None:
        """Ask what to do at the chosen table."""
        if self.waiting and self.lobby:
            self.lobby.ask_at_table(event.table)

    # Model battles, lessons, puzzles and the rules

    @work(group="asking")
    async def _list_models(self, chosen: str = "") -> None:
        """Replay the model battles that are chosen, until none is."""
        from thud.exercises.lessons.model_battles import model_battle, model_battles
        from thud.exercises.lessons.model_scores import ModelScores

        def again(_: None) -> None:
            self._list_models(name or "")

        scores = ModelScores(self._directory)
        battles = await asyncio.to_thread(model_battles)
        of_game = (each.name for each in battles if each.variant is self._form.variant)
        chosen = chosen or next(of_game, "")
        if name := await self.app.push_screen_wait(model_list(battles, scores, chosen)):
            record = await asyncio.to_thread(model_battle(name).record)
            replay = self._matches.replay_screen(record, returns=True)
            # Not awaited: who plays on from it does not come back to it.
            self.app.push_screen(replay, again)

    def _teach_next(self) -> Worker[None]:
        """Teach the next lesson."""
        from thud.exercises.lessons.course import Course

        return self._teach(Course(self._progress, lambda: None).next.name)

    @work(group="asking")
    async def _teach(self, name: str = "") -> None:
        """Teach the lessons from a named one on, then play the battle that follows them.

        Without a name, it lists the lessons first. Who leaves before the battle is back there.
        """
        from thud.exercises.lessons.course import Course
        from thud.session.lesson_battle import is_coached, lesson_battle, welcome

        keep = partial(self._save, self._progress.save, "Your progress")
        course = Course(self._progress, keep)
        if not name:
            chosen = await self.app.push_screen_wait(lesson_list(course))
            if not chosen:
                return
            name = chosen
        lesson = course.named(name)
        last = course.last(lesson)

        def play_battle() -> None:
            if is_coached(last):
                self._turn_coach_on()
            autosave = Autosave(self._store)
            autosave.prepare = partial(self._progress.begin_battle, name=last.name)
            attempt = course.attempt(last)
            self._play(lesson_battle(last, autosave, attempt), welcome(last, attempt))

        then = play_battle if last.battle else self._teach
        self._drill(course.drills(lesson), then, self._teach, way="learn")

    @work(group="opening")
    async def _solve(
        self,
        some: Sequence[Puzzle] = (),
        choice: PuzzleFilter | None = None,
        daily: Daily | None = None,
        game: str = "",
        today: bool = False,
    ) -> None:
        """Drill puzzles that are not solved yet.

        Args:
            some: the puzzles; by default the book's.
            choice: the filter of the puzzles.
            daily: the puzzle of the day among them, if they are given.
            game: without a filter, the game to filter by, if it has any puzzles.
            today: without a filter, whether to drill the puzzle of the day.
        """
        below = self.app.screen
        from thud.exercises.puzzles.book import puzzle_of_the_day, puzzles
        from thud.exercises.puzzles.puzzle import PuzzleFilter
        from thud.exercises.puzzles.score import PuzzleCourse, load_score, save_score

        if not some:
            some = await asyncio.to_thread(puzzles)
            daily = await asyncio.to_thread(puzzle_of_the_day, date.today())
        score = await asyncio.to_thread(load_score, self._directory)
        solved, writing = score.solved, Lock()

        def write() -> None:
            with writing:
                save_score(self._directory, course.score)

        def keep(score: PuzzleScore) -> None:
            nonlocal solved
            # Losing the record of a puzzle that was only looked at needs no message.
            what = "" if score.solved == solved else "The score"
            solved = score.solved
            self._save(write, what)

        if choice is None:
            own = PuzzleFilter(game)
            choice = own if any(map(own.fits, some)) else PuzzleFilter()
            if today and daily:
                choice = PuzzleFilter(only=daily.puzzle.id)
        course = PuzzleCourse(some, score, keep, choice, daily)
        if below.is_active:
            self._drill(course.drills(), course=course)

    @work(group="opening")
    async def _practise(self, early: bool = False) -> None:
        """Drill what is to be practised today, on top of the screen shown.

        Args:
            early: whether to drill what comes back tomorrow, if nothing is left, without asking.
        """
        below = self.app.screen
        say = self.say if below is self else partial(self.app.notify, markup=False)
        from thud.exercises.practise import end_of_round, in_words

        practice, fault = await asyncio.to_thread(self._practice)
        if fault:
            self.notify(sentence(fault), markup=False)
        drills = practice.drills(lambda: self._save(practice.save, "Your answer"), early=True)
        of_tomorrow = len(practice.early())
        begins = bool(practice.due() or (early and of_tomorrow))
        if not begins:
            puzzles, lessons = (key_of(self.app, f"front.{each}") for each in ("puzzles", "learn"))
            number = practice.aside
            if number and await self.app.push_screen_wait(aside_list(number)) == RETURN:
                await self._bring_back(practice)
                return
            returns = "thud practise --return" if deployment_of(self.app).files else ""
            told = in_words(practice, returns, "")
            if of_tomorrow:
                asked = early_list(told, of_tomorrow)
                begins = await self.app.push_screen_wait(asked) == EARLY
            if not begins:
                say(f"{told} {puzzles} has puzzles, {lessons} has lessons.")
        if begins and below.is_active:

            def ended() -> None:
                say(end_of_round(practice))

            self._drill(drills, ended, ended, way="practise")

    async def _bring_back(self, practice: Practice) -> None:
        """Bring back what is put aside, and practise it."""
        try:
            await asyncio.to_thread(practice.bring_back)
        except OSError as error:
            self.notify(f"It cannot be saved: {why(error)}.", markup=False)
        else:
            self._practise()

    def _drill(
        self,
        drills: Iterator[Drill],
        then: Callable[[], object] | None = None,
        back: Callable[[], object] | None = None,
        *,
        course: PuzzleCourse | None = None,
        way: Way | None = None,
    ) -> None:
        from thud.tui.drill.screen import DrillScreen

        self.app.push_screen(DrillScreen(drills, then, back, course=course, way=way))

    @work(group="keeping")
    async def _save(self, save: Callable[[], None], what: str = "") -> None:
        """Save something; if `what` is given, report a failure."""
        try:
            await asyncio.to_thread(save)
        except OSError as error:
            if what:
                self.notify(f"{what} cannot be saved: {why(error)}.", markup=False)


def _classes(size: Size) -> dict[str, bool]:
    """Return the page's own classes for a size."""
    return {
        "-tight": size.height <= _TIGHT,
        "-titled": _TITLED <= size.height < _ROOMY,
        "-roomy": size.height >= _ROOMY,
        "-high": size.height >= _HIGH,
        "-tall": size.height >= _TALL,
    }


def _description(row: Widget, variant: Variant) -> str:
    """Describe the level chosen in a row, or what its side can expect; else nothing."""
    value = str(row.value) if isinstance(row, Choice) else ""
    if row.id == "side":
        return f"{par(variant)} You play both sides.".lstrip()
    if not value.startswith("cpu:"):
        return ""
    level = int(value.rpartition(":")[2])
    return f"{LEVELS[level].name} {LEVELS[level].meeting}. Rated {RATINGS[level].value:.0f}."
