"""The application that begins with the front page, and comes back to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from textual import work
from textual.screen import Screen

from thud.engines.spec import with_guests
from thud.lessons.progress import Progress
from thud.net.seat_registry import hosted
from thud.records.store import Store
from thud.records.summary import Summary
from thud.rules.setup import Setup
from thud.session.keeper import Keeper
from thud.session.seats import contenders_of
from thud.session.session import Session
from thud.settings.last_choices import LastChoices, load_choices, save_choices
from thud.settings.preferences import Preferences
from thud.strength.kept import strengths_in
from thud.strength.people import Strength, fair_level
from thud.tui.front.lists import MatchList
from thud.tui.front.page import FrontPage
from thud.tui.front.places import PlacesApp
from thud.tui.widgets.menu import Command
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.lessons.course import Course
    from thud.puzzles.puzzle import Puzzle
    from thud.puzzles.score import Score
    from thud.records.saved import Saved


Kept: TypeAlias = tuple[list[Summary], list[Summary]]
"""The matches that are unfinished, and those that are over."""


class FrontApp(PlacesApp):
    """Plays match after match from the front page.

    Args:
        store: the matches that are kept; the last choices are kept beside them.
        preferences: the settings.
        learn: show the lessons at once, where it is not None; from the one of a name, if it has
            one.
        puzzles: show these at once, where there are any.
        edit: let this be changed at once, where it is not None.
    """

    def __init__(
        self,
        store: Store,
        preferences: Preferences | None = None,
        learn: str | None = None,
        puzzles: Sequence[Puzzle] = (),
        edit: Setup | None = None,
    ) -> None:
        super().__init__(store=store, preferences=preferences)
        self._matches = store
        self._directory = store.matches.parent
        self._choices = load_choices(self._directory)
        self._progress = Progress(self._directory)
        self._learn_first = learn
        self._puzzles_first = puzzles
        self._edit_first = edit

    def get_default_screen(self) -> Screen[None]:
        """Begin with the front page."""
        return self._following(self._first_page())

    def _first_page(self) -> FrontPage:
        return FrontPage(self._choices, learning=not self._progress.graduated)

    def on_mount(self) -> None:
        """Show the lessons at once, if that is wanted."""
        if self._learn_first:
            self._teach(self._learn_first)
        elif self._learn_first is not None:
            self._learn()
        elif self._puzzles_first:
            self._solve(self._puzzles_first)
        elif self._edit_first:
            self._edit(self._edit_first)

    @property
    def _front(self) -> FrontPage:
        page = self.screen_stack[0]
        assert isinstance(page, FrontPage)
        return page

    @property
    def _waiting(self) -> bool:
        """Whether the front page waits for a choice: nothing covers it, or is about to.

        What is chosen twice in a moment, as by a double click, counts once.
        """
        coming = (worker for worker in self.workers if worker.group == "kept")
        return self.screen is self._front and all(worker.is_finished for worker in coming)

    def on_front_page_shown(self) -> None:
        """Count the matches that are kept, and say whether a position waits to be gone on with."""
        if not self.screen_stack:
            # The app has come to its end meanwhile.
            return
        self._front.show_set_up(left=self._set_up is not None)
        self._count()

    @work(group="count", exclusive=True)
    async def _count(self) -> None:
        (unfinished, finished), known = await asyncio.to_thread(self._kept_and_known)
        # The app may have come to its end meanwhile, and have taken the rows away.
        if self.screen_stack and self._front.query(Command):
            self._front.show_kept(len(unfinished), len(finished), known)

    def _kept_and_known(self) -> tuple[Kept, dict[str, Strength]]:
        """Return the matches that are kept, and how strong their people are by them."""
        kept = self._kept()
        return kept, strengths_in(self._matches, kept[1])

    def _kept(self) -> Kept:
        try:
            listing = self._matches.listing()
        except OSError:
            # What keeps the store from being read is told when a match cannot be saved.
            return [], []
        return listing.unfinished, listing.finished

    def on_front_page_begun(self, event: FrontPage.Begun) -> None:
        """Play a new match."""
        if not self._waiting:
            return
        self._remember(event.choices)
        session = Session(event.match, Keeper(self._matches), event.seats)
        if event.hosted:
            self._ask_who_can_come(session)
        else:
            self._play(session)

    def on_front_page_fair_wanted(self, event: FrontPage.FairWanted) -> None:
        """Find out which level is fair, and begin against it."""
        if self._waiting:
            self._begin_fairly(event.name)

    @work(group="kept")
    async def _begin_fairly(self, name: str) -> None:
        _, known = await asyncio.to_thread(self._kept_and_known)
        if self.screen is self._front:
            self._front.begin(fair_level(known, name))

    @work(group="choices")
    async def _remember(self, choices: LastChoices) -> None:
        try:
            await asyncio.to_thread(save_choices, self._directory, choices)
        except OSError:
            # The same is told of the match, which cannot be saved there either.
            return

    async def on_front_page_wanted(self, event: FrontPage.Wanted) -> None:
        """Go where a row of the menu leads."""
        if not self._waiting:
            return
        if event.what == "settings":
            self.action_settings()
        elif event.what == "learn":
            self._learn()
        elif event.what == "rules":
            self._show_rules()
        elif event.what == "puzzles":
            self._solve()
        elif event.what == "edit":
            self._edit(self._editor.setup if self._editor else Setup.usual(self._front.variant))
        elif event.what == "quit":
            await self.action_quit()
        elif event.what == "join":
            self._join()
        else:
            self._list(finished=event.what == "replay")

    # Lessons

    @property
    def _course(self) -> Course:
        from thud.lessons.course import Course

        return Course(self._progress, self._save_progress)

    def _learn(self) -> None:
        from thud.tui.front.lists import lesson_list

        def answered(name: str | None) -> None:
            if name:
                self._teach(name)

        self.push_screen(lesson_list(self._course), answered)

    def _teach(self, name: str) -> None:
        """Go through lessons from the one of a name on."""
        from thud.tui.drill.screen import DrillScreen

        course = self._course
        lesson = course.named(name)
        battle = course.battle_after(lesson)
        then = partial(self._first_battle, battle) if battle else None
        self._show(DrillScreen(course.drills(lesson), then))

    def _first_battle(self, opponent: str) -> None:
        """Play the battle that a lesson ends in, with a coach."""
        from thud.session.first_battle import WELCOME, first_battle

        self._play(first_battle(opponent, Keeper(self._matches)), WELCOME)

    @work(group="progress")
    async def _save_progress(self) -> None:
        try:
            await asyncio.to_thread(self._progress.save)
        except OSError as error:
            self.notify(f"What has been learnt cannot be kept: {error.strerror}.", markup=False)

    # Puzzles

    @work(group="kept")
    async def _solve(self, some: Sequence[Puzzle] = ()) -> None:
        """Go through puzzles that are not solved yet: some, or all there are."""
        from thud.puzzles.book import puzzles
        from thud.puzzles.course import PuzzleCourse
        from thud.puzzles.kept import load_score
        from thud.tui.drill.screen import DrillScreen

        found = some or await asyncio.to_thread(puzzles)
        score = await asyncio.to_thread(load_score, self._directory)
        if self.screen is self._front:
            course = PuzzleCourse(found, score, self._save_score)
            self._show(DrillScreen(course.drills()))

    @work(group="score")
    async def _save_score(self, score: Score) -> None:
        from thud.puzzles.kept import save_score

        try:
            await asyncio.to_thread(save_score, self._directory, score)
        except OSError as error:
            self.notify(f"The score cannot be kept: {error.strerror}.", markup=False)

    # Matches

    def _show_rules(self) -> None:
        from thud.rulebook.chapters import GAME
        from thud.tui.help.screen import HelpScreen

        self.push_screen(HelpScreen(self._front.variant, FrontPage.BINDINGS, GAME))

    @work(group="kept")
    async def _list(self, *, finished: bool) -> None:
        matches = (await asyncio.to_thread(self._kept))[finished]
        if self.screen is not self._front:
            return
        if finished:
            title, without = "Replay a match", "No match has been played to its end."
        else:
            title, without = "Go on with a match", "No match waits to be gone on with."

        def answered(name: str | None) -> None:
            if name:
                (self._replay_kept if finished else self._resume)(name)
            else:
                self._count()

        self.push_screen(MatchList(title, matches, without, self._matches), answered)

    @work(group="kept")
    async def _resume(self, name: str) -> None:
        await self._go_on(name)

    async def _go_on(self, name: str, notice: str = "") -> None:
        """Go on with a match that is kept, or say why that is not possible."""
        try:
            saved = await self._saved(name)
        except ValueError as error:
            self._front.say(capitalised(str(error)))
            return
        if self.screen is not self._front:
            saved.close()
            return
        match = await asyncio.to_thread(saved.restored)
        was = await asyncio.to_thread(hosted, self._matches.matches, name)
        contenders, keeper = contenders_of(saved.record), Keeper(self._matches, saved)
        if was:
            contenders = with_guests(contenders, was.players)
            await self._open_to_others(Session(match, keeper, contenders), was.terms, notice)
        else:
            self._play(Session(match, keeper, contenders), notice)

    async def _saved(self, name: str) -> Saved:
        """Take up a match that is kept.

        Raises:
            ValueError: that is not possible.
        """
        return await asyncio.to_thread(self._matches.resume, name)

    @work(group="kept")
    async def _replay_kept(self, name: str) -> None:
        try:
            record = await asyncio.to_thread(self._matches.load, name)
        except ValueError as error:
            self._front.say(capitalised(str(error)))
            return
        if self.screen is not self._front:
            return
        self._show(self._replay_screen(record, "", name))

    def leave(self) -> None:
        """Leave a match or a replay for the front page, and that for good."""
        if self.screen_stack[-1] is self._front:
            self.exit()
        else:
            self._come_back()

    @work
    async def _come_back(self) -> None:
        if self.session:
            await self.session.leave()
        self._close_what_covers(self._front)
