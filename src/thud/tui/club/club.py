"""The app's part of a club: visitor, place to return to, storage limit."""

from __future__ import annotations

import os
from contextlib import suppress

from rich.console import Console, RenderableType

from thud.disk.directories import data_directory
from thud.net.remote import Remote
from thud.records.store import CannotSave, Store
from thud.session.view import SessionView
from thud.text import capitalised
from thud.visitor.links import TableLinks
from thud.visitor.profile import FAULT, NOBODY, TABLE_VARIABLE, LastPlace, VisitorProfile
from thud.visitor.tables import TableLine


class ClubClient:
    """The club as one visitor sees it.

    Args:
        store: the visitor's matches, in the visitor's directory.

    Attributes:
        visitor: the visitor's saved profile.
        left_at: where the last visit broke off, until the visitor has returned there.
        sent_to: the link of the table that the visitor came for, until it is followed.
        line: the connection to the keeper of the tables.
    """

    def __init__(self, store: Store) -> None:
        self.sent_to = os.environ.get(TABLE_VARIABLE, "")
        self.line = TableLine(lambda: self.visitor.name, lambda: None, self.sent_to)
        self._store = store
        self.visitor = VisitorProfile(store.matches.parent)
        self.left_at = self.visitor.place

    @property
    def name(self) -> str:
        """The visitor's name."""
        return self.visitor.name or NOBODY

    # The visitor's place

    def refusal(self, session: SessionView) -> str:
        """Return why a match cannot be played, empty if it can; only a new one needs storage."""
        return "" if session.autosave.id or isinstance(session, Remote) else self.no_room()

    def no_room(self) -> str:
        """Return why no new match can be saved, empty if one can."""
        try:
            self._store.refuse_if_full()
        except CannotSave as refusal:
            return f"{capitalised(str(refusal))}."
        return ""

    def follow(self, session: SessionView, at: LastPlace | None) -> TableLinks | None:
        """Save the visitor's place, as soon as they can come back to it.

        Args:
            session: the session played.
            at: the table, if it is another visitor's.

        Returns:
            The visitor's links to that table.
        """
        self.visitor.follow(session, at)
        self.line.follow(session)
        return TableLinks(self.line, at.id, session.state) if at else None

    def returned(self, *, in_lobby: bool) -> None:
        """Note that the visitor has returned to their place, or could not."""
        self.left_at = None
        if in_lobby:
            self.visitor.keep_place(None)


def keep_fault(traceback: list[RenderableType]) -> str:
    """Save a traceback for the club's host; return the visitor's message."""
    with suppress(OSError), (data_directory() / "fault.txt").open("w", encoding="utf-8") as file:
        Console(file=file, width=100).print(*traceback)
    return FAULT
