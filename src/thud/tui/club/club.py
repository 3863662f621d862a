"""The club as the app sees it: the visitor, their place, limits on storage."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from rich.console import Console, RenderableType

from thud.disk.directories import data_directory
from thud.net.remote import Remote
from thud.net.seat_registry import Terms
from thud.records.store import CannotSave, InUse, Saved, Store
from thud.session.session import Session
from thud.session.view import SessionView
from thud.settings.last_choices import LastChoices
from thud.tui.club.profile import FAULT, MATCH, NOBODY, LastPlace, VisitorProfile
from thud.wording.text import capitalised

OPEN: Final = "Your table is open: whoever comes to the club sees it."
BACK: Final = "Welcome back: here you were when the line broke."

_TRIES: Final = 80
_BETWEEN_TRIES: Final = 0.1
"""Seconds: the last visit may not have come to its end when the next one begins."""

_FAULT_FILE: Final = "fault.txt"
_FAULT_WIDTH: Final = 100


class Club:
    """The club as one visitor sees it.

    Args:
        store: the visitor's matches; everything else of theirs is kept beside them.

    Attributes:
        visitor: what is kept of them from one visit to the next.
        left_at: where the visitor was when the last visit broke off, until that is gone back to.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.visitor = VisitorProfile(store.matches.parent)
        self.left_at = self.visitor.place

    @property
    def name(self) -> str:
        """What the visitor is called."""
        return self.visitor.name or NOBODY

    def call_first(self, choices: LastChoices) -> LastChoices:
        """Let the visitor be the first player of the next match, if nobody else is."""
        first, second = choices.names
        name = self.visitor.name
        if name and name != second and first == LastChoices().names[0]:
            return choices._replace(names=(name, second))
        return choices

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
                self.visitor.sit(at or LastPlace(MATCH, session.autosave.id))

        session.subscribe(lambda _: note())
        note()

    def let_go(self, session: SessionView) -> None:
        """Know that a match is left: nothing leads back to it by itself."""
        session.autosave.stays = False

    def come_to_lobby(self) -> None:
        """Know that the visitor is nowhere, but for who is about to go back."""
        if not self.left_at:
            self.visitor.sit(None)

    def be_back(self, *, in_lobby: bool) -> None:
        """Know that the visitor has come back to where they were, or could not."""
        self.left_at = None
        if in_lobby:
            self.visitor.sit(None)

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
        self.visitor.let_be()
        raise InUse("that match is open in another window of yours")


def keep_fault(traceback: list[RenderableType]) -> str:
    """Keep a traceback for whoever runs the club; return what the visitor is told."""
    with suppress(OSError), (data_directory() / _FAULT_FILE).open("w", encoding="utf-8") as file:
        Console(file=file, width=_FAULT_WIDTH).print(*traceback)
    return FAULT
