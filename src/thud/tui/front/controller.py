"""What the front page leads to: matches, lessons, puzzles, lists, the rules, other places."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from textual.app import App

from thud.engines.spec import with_guests
from thud.lessons.progress import Progress
from thud.net.seat_registry import hosted
from thud.records.store import Store
from thud.records.summary import Summary
from thud.rules.match import DEFAULT_PLAYERS
from thud.rules.setup import Setup
from thud.session.autosave import Autosave
from thud.session.seats import contenders_of
from thud.session.session import Session
from thud.settings.last_choices import LastChoices, load_choices, save_choices
from thud.strength.people import Strength, fair_level, strengths_in
from thud.tui.front.elsewhere import Elsewhere, to_table
from thud.tui.front.page import FrontPage
from thud.tui.matches import Matches
from thud.tui.navigator import Navigator
from thud.tui.start import Edit, Lessons, OnFront, Puzzles
from thud.tui.widgets.menu import Command
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.lessons.course import Course
    from thud.puzzles.puzzle import Puzzle
    from thud.puzzles.score import Score
    from thud.records.store import Saved
    from thud.tui.club.club import Club
    from thud.tui.club.lobby import Lobby
    from thud.tui.club.profile import LastPlace
    from thud.tui.widgets.modals import ListScreen

Kept: TypeAlias = tuple[list[Summary], list[Summary]]
"""The matches that are unfinished, and those that are over."""


class FrontController:
    """Does what is chosen on the front page, or in the lobby of a club.

    Args:
        app: where it is shown what is chosen.
        navigator: shows the screens.
        matches: opens matches.
        store: the matches that are kept; the last choices are kept beside them.
        club: the club that is visited, if one is.

    Attributes:
        page: the front page.
    """

    def __init__(
        self,
        app: App[None],
        navigator: Navigator,
        matches: Matches,
        store: Store,
        club: Club | None = None,
    ) -> None:
        self._app = app
        self._navigator = navigator
        self._matches = matches
        self._store = store
        self._club = club
        self._directory = store.matches.parent
        self._choices = load_choices(self._directory)
        self._progress = Progress(self._directory)
        self._lobby: Lobby | None = None
        self._list_shown: ListScreen | None = None
        if club:
            from thud.tui.club.lobby import Lobby

            self._choices = club.call_first(self._choices)
            self._lobby = Lobby(club.name)
        learning = not self._progress.graduated
        self.page = FrontPage(self._choices, learning=learning, lobby=self._lobby)
        self._elsewhere = Elsewhere(app, matches, self.page, self._own_name, club)

    def _own_name(self) -> str:
        """Return what whoever sits here is called: as in the last match, if that was said."""
        if self._club:
            return self._club.name
        names = (name for name in self._choices.names if name not in DEFAULT_PLAYERS)
        return next(names, getpass.getuser())

    def begin(self, start: OnFront) -> None:
        """Open at once what the app begins with above the page; a visitor comes in."""
        match start:
            case Lessons(""):
                self._list_lessons()
            case Lessons(first):
                self._teach(first)
            case Puzzles(some):
                self._work(self._solve(some))
            case Edit(setup):
                self._matches.edit(setup)
        if club := self._club:
            if place := club.left_at:
                self._app.call_after_refresh(self._work, self._go_back(club, place))
            else:
                club.ask_name_once(self._be_called)

    @property
    def _is_shown(self) -> bool:
        return self._app.screen is self.page

    @property
    def _waiting(self) -> bool:
        """Whether the front page waits for a choice: nothing covers it, or is about to.

        What is chosen twice in a moment, as by a double click, counts once.
        """
        if not self._is_shown or (self._list_shown and self._list_shown.answer):
            return False
        coming = (worker for worker in self._app.workers if worker.group == "kept")
        return all(worker.is_finished for worker in coming)

    def _work(self, work: Coroutine[object, object, None], group: str = "kept") -> None:
        self._app.run_worker(work, group=group)

    def _show_list(self, shown: ListScreen, chosen: Callable[[str], None]) -> None:
        """Let one of a list be chosen."""

        def answered(name: str | None) -> None:
            self._list_shown = None
            if name:
                chosen(name)

        self._list_shown = shown
        self._app.push_screen(shown, answered)

    # What the page says

    def shown(self) -> None:
        """Count the matches that are kept, and say whether a position waits to be gone on with."""
        if not self._navigator.is_open:
            # The app has come to its end meanwhile.
            return
        if self._club:
            self._club.come_to_lobby()
        self.page.show_set_up(left=self._matches.was_set_up)
        self._app.run_worker(self._count(), group="count", exclusive=True)

    async def chosen(self, what: str) -> None:
        """Go where a row of the menu leads."""
        if not self._waiting:
            return
        if what in ("settings", "quit"):
            await self._app.run_action(f"app.{what}")
        elif what == "learn":
            self._list_lessons()
        elif what == "rules":
            self._show_rules()
        elif what == "puzzles":
            self._work(self._solve())
        elif what == "edit":
            self._matches.edit(self._matches.setup or Setup.usual(self.page.variant))
        elif what == "join":
            self._elsewhere.ask_where()
        elif what == "name":
            if self._club:
                self._club.ask_name(self._be_called)
        else:
            self._work(self._list(finished=what == "replay"))

    def begun(self, event: FrontPage.Begun) -> None:
        """Play a new match."""
        if not self._waiting:
            return
        self._work(self._remember(event.choices), "choices")
        session = Session(event.match, Autosave(self._store), event.seats)
        if event.hosted:
            self._elsewhere.host(session)
        else:
            self._play(session)

    def begin_fairly(self, name: str) -> None:
        """Find out which level is fair to a person of a name, and begin against it."""
        if self._waiting:
            self._work(self._begin_fairly(name))

    def table_chosen(self, event: Lobby.TableChosen) -> None:
        """Go to a table, after asking what as."""
        if self._club and self._waiting:
            self._club.ask_how(event, lambda place: self._elsewhere.join(to_table(place)))

    # Visitors

    def _be_called(self, name: str) -> None:
        if self._club and self._lobby:
            self._choices = self._club.call_first(self._choices)
            self._lobby.call(name)

    async def _go_back(self, club: Club, place: LastPlace) -> None:
        """Go back to where the visitor was, which is kept until that is done, or cannot be."""
        from thud.tui.club.club import BACK
        from thud.tui.club.profile import MATCH

        self.page.say("One moment …")
        if place.kind == MATCH:
            await self._go_on(place.id, BACK)
        else:
            await self._elsewhere.arrive_at(to_table(place), BACK)
        club.be_back(in_lobby=self._is_shown)

    # Matches

    def _play(self, session: Session, notice: str = "") -> None:
        self.page.say(self._matches.play(session, notice))

    async def _count(self) -> None:
        (unfinished, finished), known = await asyncio.to_thread(self._kept_and_known)
        # The app may have come to its end meanwhile, and have taken the rows away.
        if self._navigator.is_open and self.page.query(Command):
            self.page.show_kept(len(unfinished), len(finished), known)

    def _kept_and_known(self) -> tuple[Kept, dict[str, Strength]]:
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

    async def _begin_fairly(self, name: str) -> None:
        _, known = await asyncio.to_thread(self._kept_and_known)
        if self._is_shown:
            self.page.begin(fair_level(known, name))

    async def _remember(self, choices: LastChoices) -> None:
        try:
            await asyncio.to_thread(save_choices, self._directory, choices)
        except OSError:
            # The same is told of the match, which cannot be saved there either.
            return

    async def _list(self, *, finished: bool) -> None:
        from thud.tui.front.lists import MatchList

        matches = (await asyncio.to_thread(self._kept))[finished]
        if not self._is_shown:
            return
        if finished:
            title, without = "Replay a match", "No match has been played to its end."
        else:
            title, without = "Go on with a match", "No match waits to be gone on with."

        def take_up(name: str) -> None:
            self._work(self._replay(name) if finished else self._go_on(name))

        self._show_list(MatchList(title, matches, without, self._store), take_up)

    async def _go_on(self, name: str, notice: str = "") -> None:
        """Go on with a match that is kept, or say why that is not possible."""

        def resume() -> Coroutine[object, object, Saved]:
            return asyncio.to_thread(self._store.resume, name)

        try:
            saved = await (self._club.when_free(resume) if self._club else resume())
        except ValueError as error:
            self.page.say(capitalised(str(error)))
            return
        if not self._is_shown:
            saved.close()
            return
        match = await asyncio.to_thread(saved.restored)
        was = await asyncio.to_thread(hosted, self._store.matches, name)
        contenders, autosave = contenders_of(saved.record), Autosave(self._store, saved)
        if was:
            session = Session(match, autosave, with_guests(contenders, was.players))
            await self._elsewhere.open_to_others(session, was.terms, notice)
        else:
            self._play(Session(match, autosave, contenders), notice)

    async def _replay(self, name: str) -> None:
        try:
            record = await asyncio.to_thread(self._store.load, name)
        except ValueError as error:
            self.page.say(capitalised(str(error)))
            return
        if self._is_shown:
            self._matches.replay(record, name=name)

    # Lessons, puzzles and the rules

    @property
    def _course(self) -> Course:
        from thud.lessons.course import Course

        return Course(self._progress, lambda: self._work(self._save_progress(), "progress"))

    def _list_lessons(self) -> None:
        from thud.tui.front.lists import lesson_list

        self._show_list(lesson_list(self._course), self._teach)

    def _teach(self, name: str) -> None:
        """Go through lessons from the one of a name on."""
        from thud.tui.drill.screen import DrillScreen

        course = self._course
        lesson = course.named(name)
        battle = course.battle_after(lesson)
        then = partial(self._first_battle, battle) if battle else None
        self._navigator.show(DrillScreen(course.drills(lesson), then))

    def _first_battle(self, opponent: str) -> None:
        """Play the battle that a lesson ends in, with a coach."""
        from thud.session.first_battle import WELCOME, first_battle

        self._play(first_battle(opponent, Autosave(self._store)), WELCOME)

    async def _save_progress(self) -> None:
        try:
            await asyncio.to_thread(self._progress.save)
        except OSError as error:
            told = f"What has been learnt cannot be kept: {error.strerror}."
            self._app.notify(told, markup=False)

    async def _solve(self, some: Sequence[Puzzle] = ()) -> None:
        """Go through puzzles that are not solved yet: some, or all there are."""
        from thud.puzzles.book import puzzles
        from thud.puzzles.score import PuzzleCourse, load_score
        from thud.tui.drill.screen import DrillScreen

        found = some or await asyncio.to_thread(puzzles)
        score = await asyncio.to_thread(load_score, self._directory)
        if self._is_shown:
            course = PuzzleCourse(
                found, score, lambda score: self._work(self._save_score(score), "score")
            )
            self._navigator.show(DrillScreen(course.drills()))

    async def _save_score(self, score: Score) -> None:
        from thud.puzzles.score import save_score

        try:
            await asyncio.to_thread(save_score, self._directory, score)
        except OSError as error:
            self._app.notify(f"The score cannot be kept: {error.strerror}.", markup=False)

    def _show_rules(self) -> None:
        from thud.rulebook.chapters import GAME
        from thud.tui.help.screen import HelpScreen

        self._app.push_screen(HelpScreen(self.page.variant, FrontPage.BINDINGS, GAME))
