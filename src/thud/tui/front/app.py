"""The application that begins with the front page, and comes back to it."""

from __future__ import annotations

import asyncio

from textual import work
from textual.screen import Screen

from thud.records.store import Store
from thud.records.summary import Summary
from thud.session.keeper import Keeper
from thud.session.seats import contenders_of
from thud.session.session import Session
from thud.settings.last_choices import LastChoices, load_choices, save_choices
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.front.match_list import MatchList
from thud.tui.front.page import FrontPage
from thud.tui.looks.phrases import capital


class FrontApp(ThudApp):
    """Plays match after match from the front page.

    Args:
        store: the matches that are kept; the last choices are kept beside them.
        preferences: the settings.
    """

    def __init__(
        self,
        store: Store,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__(store=store, preferences=preferences)
        self._matches = store
        self._choices = load_choices(store.matches.parent)

    def get_default_screen(self) -> Screen[None]:
        """Begin with the front page."""
        return self._following(FrontPage(self._choices))

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
        """Count the matches that are kept."""
        self._count()

    @work(group="count", exclusive=True)
    async def _count(self) -> None:
        unfinished, finished = await asyncio.to_thread(self._kept)
        self._front.show_kept(len(unfinished), len(finished))

    def _kept(self) -> tuple[list[Summary], list[Summary]]:
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
        self._play(Session(event.match, Keeper(self._matches), event.seats))

    @work(group="choices")
    async def _remember(self, choices: LastChoices) -> None:
        try:
            await asyncio.to_thread(save_choices, self._matches.matches.parent, choices)
        except OSError:
            # The same is told of the match, which cannot be saved there either.
            return

    async def on_front_page_wanted(self, event: FrontPage.Wanted) -> None:
        """Go where a row of the menu leads."""
        if not self._waiting:
            return
        if event.what == "settings":
            self.action_settings()
        elif event.what == "rules":
            self._show_rules()
        elif event.what == "quit":
            await self.action_quit()
        else:
            self._list(finished=event.what == "replay")

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

        self.push_screen(MatchList(title, matches, without), answered)

    @work(group="kept")
    async def _resume(self, name: str) -> None:
        try:
            saved = await asyncio.to_thread(self._matches.resume, name)
        except ValueError as error:
            self._front.say(capital(str(error)))
            return
        if self.screen is not self._front:
            saved.close()
            return
        contenders = contenders_of(saved.record)
        self._play(Session(saved.restored(), Keeper(self._matches, saved), contenders))

    @work(group="kept")
    async def _replay_kept(self, name: str) -> None:
        try:
            record = await asyncio.to_thread(self._matches.load, name)
        except ValueError as error:
            self._front.say(capital(str(error)))
            return
        if self.screen is not self._front:
            return
        self._show(self._replay_screen(record, ""))

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
