"""What a club adds to the app: who visits, where they sit, and how much may be kept of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from rich.console import Console, RenderableType
from textual.app import App
from textual.widgets.option_list import Option

from thud.disk.directories import data_directory
from thud.net.remote import Remote
from thud.net.seat_registry import Terms
from thud.records.store import CannotSave, InUse, Saved, Store
from thud.session.session import Session
from thud.session.view import SessionView
from thud.settings.last_choices import LastChoices
from thud.tui.club.lobby import Lobby, Welcome
from thud.tui.club.profile import MATCH, NOBODY, SEAT, WATCH, LastPlace, VisitorProfile
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.wording.text import capitalised

FAULT: Final = "Something went wrong here. What you have played is kept."

OPEN: Final = "Your table is open: whoever comes to the club sees it."
BACK: Final = "Welcome back: here you were when the line broke."

_TRIES: Final = 80
_BETWEEN_TRIES: Final = 0.1
"""Seconds: the last visit may not have come to its end when the next one begins."""

_FAULT_FILE: Final = "fault.txt"
_FAULT_WIDTH: Final = 100


class Club:
    """Knows the visitor, asks what only visitors are asked, and keeps where they sit.

    Args:
        app: the visitor's app.
        store: the visitor's matches; everything else of theirs is kept beside them.

    Attributes:
        left_at: where the visitor was when the last visit broke off, until that is gone back to.
    """

    def __init__(self, app: App[None], store: Store) -> None:
        self._app = app
        self._store = store
        self._visitor = VisitorProfile(store.matches.parent)
        self.left_at = self._visitor.place

    @property
    def name(self) -> str:
        """What the visitor is called."""
        return self._visitor.name or NOBODY

    def call_first(self, choices: LastChoices) -> LastChoices:
        """Let the visitor be the first player of the next match, if nobody else is."""
        first, second = choices.names
        name = self._visitor.name
        if name and name != second and first == LastChoices().names[0]:
            return choices._replace(names=(name, second))
        return choices

    # What visitors are asked

    def ask_name_once(self, then: Callable[[str], None]) -> None:
        """Ask somebody who has come first for a name; `then` is called with it."""
        if not self._visitor.name:
            self.ask_name(then)

    def ask_name(self, then: Callable[[str], None]) -> None:
        """Ask for a name, or another one; `then` is called with it."""

        async def attempt(name: str) -> str:
            return name

        def answered(name: str | None) -> None:
            self._visitor.call(name or self._visitor.proposed)
            then(self._visitor.name)

        screen = AskScreen if self._visitor.name else Welcome
        self._app.push_screen(
            screen("What are you called?", self._visitor.proposed, attempt), answered
        )

    def ask_to_leave(self) -> None:
        """Ask whether to leave the club."""

        def answered(what: str | None) -> None:
            if what:
                self._app.exit()

        options = [Option("Leave", id="leave"), Option("Stay", id="")]
        self._app.push_screen(ListScreen("Leave the club?", options), answered)

    def ask_how(self, chosen: Lobby.TableChosen, then: Callable[[LastPlace], None]) -> None:
        """Ask whether to sit down at a table or to look on, if both can be done."""
        name, sides = chosen.table.id, " and the ".join(chosen.table.about.wanted)
        if not (sides or chosen.own):
            then(LastPlace(WATCH, name))
            return
        seat = f"Sit down: the {sides}" if sides else "Sit down at your seat"
        options = [Option(seat, id=SEAT), Option("Look on", id=WATCH)]

        def answered(kind: str | None) -> None:
            if kind:
                then(LastPlace(kind, name))

        self._app.push_screen(ListScreen("At this table", options), answered)

    # Where the visitor sits

    def refusal(self, session: SessionView) -> str:
        """Return why a match cannot be played, empty if it can: it is kept already, say."""
        if session.autosave.id or isinstance(session, Remote):
            return ""
        try:
            self._store.refuse_if_full()
        except CannotSave as refusal:
            return f"{capitalised(str(refusal))}."
        return ""

    def follow(self, session: SessionView, at: LastPlace | None) -> None:
        """Keep where the visitor is, as soon as something leads back to it.

        Args:
            session: what is played.
            at: the table, if it is another visitor's.
        """

        def note() -> None:
            if at or session.autosave.id:
                self._visitor.sit(at or LastPlace(MATCH, session.autosave.id))

        session.subscribe(lambda _: note())
        note()

    def let_go(self, session: SessionView) -> None:
        """Know that a match is left: nothing leads back to it by itself."""
        session.autosave.stays = False

    def come_to_lobby(self) -> None:
        """Know that the visitor is nowhere, but for who is about to go back."""
        if not self.left_at:
            self._visitor.sit(None)

    def be_back(self, *, in_lobby: bool) -> None:
        """Know that the visitor has come back to where they were, or could not."""
        self.left_at = None
        if in_lobby:
            self._visitor.sit(None)

    async def open_table(self, session: Session) -> None:
        """Keep a table before anybody has moved: it is come back to whatever happens."""
        session.autosave.stays = True
        await session.autosave.keep(session.record)

    @staticmethod
    def terms(terms: Terms) -> Terms:
        """Return terms on which a table is open to everybody who comes to the club."""
        return Terms(hints=terms.hints, chat=terms.chat, waits=terms.waits)

    async def when_free(self, resume: Callable[[], Awaitable[Saved]]) -> Saved:
        """Resume a match as soon as the last visit has let it go.

        Raises:
            InUse: it is open in another window of the visitor's.
            ValueError: it cannot be resumed for another reason.
        """
        for _ in range(_TRIES):
            try:
                return await resume()
            except InUse:
                await asyncio.sleep(_BETWEEN_TRIES)
        self._visitor.let_be()
        raise InUse("that match is open in another window of yours")


def keep_fault(traceback: list[RenderableType]) -> str:
    """Keep a traceback for whoever runs the club; return what the visitor is told."""
    with suppress(OSError), (data_directory() / _FAULT_FILE).open("w", encoding="utf-8") as file:
        Console(file=file, width=_FAULT_WIDTH).print(*traceback)
    return FAULT
