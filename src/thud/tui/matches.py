"""Opens screens to play, replay and explore matches, and to set up positions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from textual.app import App
from textual.screen import Screen

from thud.disk.directories import cache_directory
from thud.records.store import Store
from thud.session.autosave import Autosave
from thud.session.law import Open
from thud.session.session import Session
from thud.session.view import SessionView
from thud.text import capitalised, sentence
from thud.tui.navigator import Navigator

if TYPE_CHECKING:
    from pathlib import Path

    from thud.exercises.drill import Attempts, Task
    from thud.explore.library import Library
    from thud.records.record import Record
    from thud.records.tree import Cursor
    from thud.rules.match import Match
    from thud.rules.position import Side
    from thud.rules.setup import Setup
    from thud.session.editor import Editor
    from thud.session.participants import Contenders
    from thud.tui.battle.screen import BattleScreen
    from thud.tui.club.club import ClubClient
    from thud.tui.delivery import Opened
    from thud.tui.editor.screen import EditScreen
    from thud.tui.explore.screen import ExploreScreen
    from thud.tui.replay.screen import ReplayScreen
    from thud.tui.screens import MatchScreen
    from thud.visitor.links import TableLinks
    from thud.visitor.profile import LastPlace


_CLOSING: Final = 2.0
"""Timeout for closing the index of others' matches, in seconds."""


class Matches:
    """Opens matches, and remembers which are open.

    Args:
        app: the app.
        navigator: leads back through the screens.
        store: where matches are saved; by default the usual store.
        library: returns the matches to explore; by default those in the store.
        club: the club visited, if any.

    Attributes:
        session: the current session, or the last.
    """

    def __init__(
        self,
        app: App[None],
        navigator: Navigator,
        store: Store | None = None,
        library: Callable[[], Library] | None = None,
        club: ClubClient | None = None,
    ) -> None:
        self._app = app
        self._navigator = navigator
        self._store = store
        self._make_library = library or self._library_of_kept
        self._library: Library | None = None
        self._club = club
        self._editor: EditScreen | None = None
        self.session: SessionView | None = None
        self._left: SessionView | None = None
        """The session left last for a screen below it."""

    def count_answer(self, task: Task, effort: Attempts, *, dubious: bool) -> None:
        """Count an answer in a review in practice, too."""
        from thud.exercises.practise import count_answer, nothing_kept

        store = self.store

        async def count() -> None:
            try:
                await asyncio.to_thread(count_answer, store, task, effort, dubious=dubious)
            except OSError as error:
                self._app.notify(sentence(nothing_kept(error)), markup=False)

        self._app.run_worker(count(), group="counting")

    @property
    def store(self) -> Store:
        """Where matches are saved."""
        return self._store or Store()

    # Playing

    def battle_screen(
        self,
        session: SessionView,
        notice: str = "",
        *,
        mention_unfinished: bool = False,
        links: TableLinks | None = None,
    ) -> BattleScreen:
        """Return a screen for a session, which becomes the current one."""
        from thud.tui.battle.screen import BattleScreen

        self.session = session
        return BattleScreen(session, notice, mention_unfinished=mention_unfinished, links=links)

    def play(
        self,
        session: SessionView,
        notice: str = "",
        *,
        instead: bool = False,
        at: LastPlace | None = None,
    ) -> str:
        """Play a session, on top of the screen shown or in place of it.

        Args:
            session: the session.
            notice: message to show at the start.
            instead: whether to replace the screen shown.
            at: the club table, if it is another visitor's.

        Returns:
            the club's refusal, empty if it is played.
        """
        links = None
        if self._club:
            if refusal := self._club.refusal(session):
                self._app.run_worker(session.leave())
                return refusal
            links = self._club.follow(session, at)
        self._show(self.battle_screen(session, notice, links=links), instead=instead)
        return ""

    def _show(self, screen: Screen[None], *, instead: bool = False) -> None:
        """Push a screen, or replace the current one with it."""
        if instead:
            self._app.switch_screen(screen)
        else:
            self._app.push_screen(screen)

    def play_from(self, setup: Setup, chosen: Callable[[], object] | None = None) -> str:
        """Ask who plays from a position, and play.

        Args:
            setup: the position.
            chosen: called once it is known who plays.

        Returns:
            Why it cannot be played; empty if it can.
        """
        from thud.session.editor import match_of, seats_of
        from thud.tui.widgets.player_list import player_list

        def answered(who: str | None) -> None:
            if who:
                if chosen:
                    chosen()
                seats = seats_of(who)
                session = Session(match_of(setup, seats), Autosave(self._store), seats)
                self.tell(self.play(session, "From that position."))

        try:
            setup.playable()
        except ValueError as refusal:
            return f"{capitalised(str(refusal))}."
        self._app.push_screen(player_list("first"), answered)
        return ""

    def play_on(self, match: Match, seats: Contenders) -> None:
        """Play on from a place in a replay, replacing the replay."""
        session = Session(match, Autosave(self._store), seats)
        self.tell(self.play(session, "Playing on, in a new match.", instead=True))

    def tell(self, refusal: str) -> None:
        """Show why something is refused, if it is."""
        if refusal:
            self._app.notify(refusal, severity="warning", markup=False)

    def open(self, screen: MatchScreen, session: SessionView) -> None:
        """Ask for a file until one can be read; resume its match, or replay a finished one."""
        if session.state.seats.has_remote:
            screen.say("This match has a remote player. Leave it first.")
            return

        from thud.tui.delivery import ask_for_file

        async def take_up(opened: Opened) -> None:
            record = opened.record
            if record.over:
                await session.leave()
                self.session = None
                self._navigator.close_above(screen)
                self.replay(record, opened.notice, instead=True)
                return
            await session.request(Open(record))
            if not opened.is_whole or not session.autosave.has_unsaved:
                screen.say(opened.notice)

        def answered(opened: Opened | None) -> None:
            if opened:
                self._app.run_worker(take_up(opened))

        self._app.push_screen(ask_for_file(), answered)

    def leave(self) -> None:
        """Leave the match shown."""
        if stop := self._navigator.stopover:
            self._app.run_worker(self.return_to(stop))
        else:
            self._app.exit()

    async def leave_for_another(self, page: Screen[Any]) -> None:
        """Leave the match shown, and all above a page, since another one follows at once."""
        await self._navigator.return_to(page)
        self.session = None

    async def return_to(self, stop: Screen[Any]) -> None:
        """Leave the match shown, and all above a screen below it."""
        self._left = self.session or self._left
        await self._navigator.return_to(stop)
        played = self._navigator.played
        self.session = played.session if played else None

    def farewell(self) -> str:
        """Return what to print as the program quits: how to get back to the last match.

        A match that was left before, on the way to the front page, is named if it still goes on.
        """
        if session := self.session:
            return session.farewell()
        left = self._left
        if left is None or left.state.match.over:
            return ""
        try:
            return left.farewell() if self.store.existing(left.autosave.id) else ""
        except ValueError:
            return ""  # deleted since

    # Replaying

    def replay_screen(
        self,
        record: Record,
        notice: str = "",
        name: str = "",
        learn: tuple[int, Side] | None = None,
        place: Cursor | None = None,
        *,
        begin: bool = False,
        returns: bool = False,
    ) -> ReplayScreen:
        """Return a screen on which a record is replayed.

        Args:
            record: the record.
            notice: message to show at the start.
            name: the name of its saved match, if any, to which changes are saved.
            learn: the battle and side whose mistakes to drill at once, if any.
            place: where to begin, if not at the start.
            begin: whether to review it at once.
            returns: whether leaving it returns to the screen below.
        """
        from thud.exercises.lessons.model_scores import ModelScores
        from thud.records.annotation_store import AnnotationStore, in_store
        from thud.tui.replay.screen import ReplayScreen

        annotations = AnnotationStore(record, in_store(self.store, name) if name else None)
        return ReplayScreen(
            annotations,
            self.play_on,
            notice,
            place=place,
            learn=learn,
            begin=begin,
            returns=returns,
            questions=ModelScores(self.store.matches.parent).questions(record),
        )

    def replay(
        self,
        record: Record,
        notice: str = "",
        name: str = "",
        *,
        begin: bool = False,
        instead: bool = False,
    ) -> None:
        """Replay a record; `begin` reviews it at once."""
        self._show(self.replay_screen(record, notice, name, begin=begin), instead=instead)

    async def review(self, session: SessionView, *, judge: bool) -> None:
        """Replay or review a session's match on top of the battle screen.

        A review begins after the player's costliest move, if one is known.
        """
        from thud.records.annotation_store import AnnotationStore
        from thud.records.tree import Cursor
        from thud.tui.replay.screen import ReplayScreen

        await session.advice.begin_review()
        record, found = session.record, session.advice.coach.costliest
        place = Cursor.at(record, found[0], found[1] + 1) if judge and found else None
        annotations = AnnotationStore(record, session.autosave.annotate)
        screen = ReplayScreen(annotations, self.play_on, place=place, begin=judge, returns=True)
        self._show(screen)

    # Exploring

    def explore_screen(self, match: Match) -> ExploreScreen:
        """Return a screen with what others played in a match's position."""
        from thud.tui.explore.screen import ExploreScreen

        self._library = self._library or self._make_library()
        return ExploreScreen(match, self._library, self._replay_sample, self._navigator.leave)

    def explore(self, match: Match) -> None:
        """Show what others played in a match's position."""
        self._show(self.explore_screen(match))

    async def _replay_sample(self, place: Cursor, path: Path, notice: str) -> None:
        """Replay a match from a place; changes to one in the store are saved."""
        name = await asyncio.to_thread(self.store.id_of, path, place.record)
        self._show(self.replay_screen(place.record, notice, name, place=place))

    def _library_of_kept(self) -> Library:
        """Return the matches in the store, and the computer's."""
        from thud.explore.files import CORPUS
        from thud.explore.library import Library

        return Library([CORPUS], cache_directory(), saved=self.store.matches)

    async def close(self) -> None:
        """Close the index of others' matches, if it was used."""
        if self._library:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.to_thread(self._library.close), _CLOSING)

    # Setting up positions

    def edit(self, setup: Setup) -> None:
        """Open the editor with a position; undo brings back the one set up before."""
        from thud.session.editor import Editor
        from thud.tui.editor.screen import EditScreen

        editor, notice = self._left_editor or Editor(setup), ""
        if editor.change(setup):
            notice = "Press u to get the earlier position back."
        self._editor = EditScreen(editor, self.play_from, notice)
        self._show(self._editor)

    @property
    def setup(self) -> Setup | None:
        """The setup edited last."""
        return self._editor.setup if self._editor else None

    @property
    def was_set_up(self) -> bool:
        """Whether the editor was left with a changed position."""
        return self._left_editor is not None

    @property
    def _left_editor(self) -> Editor | None:
        left = self._editor.editor if self._editor else None
        return left if left and left.can_undo else None
