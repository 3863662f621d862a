"""A visitor's profile: name and last place."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from thud.disk.small import read_small, write_small
from thud.records.store import InUse, Saved, is_id
from thud.session.participants import LONGEST_GIVEN_NAME, SEAT, WATCH
from thud.session.view import SessionView
from thud.text import printable

NAME_VARIABLE: Final = "VISITOR_NAME"
"""Environment variable with a proposed name."""

TABLE_VARIABLE: Final = "VISITOR_TABLE"
"""Environment variable with the link of the table that the visitor came for."""

PLAIN_VARIABLE: Final = "VISITOR_PLAIN"
"""Environment variable set for a visitor who wants the plain-text interface."""

PROOF_VARIABLE: Final = "VISITOR_PROOF"
"""Environment variable with what proves to the keeper who the visitor is."""

GUEST_FILE: Final = "guest"
"""Empty file in the directory of a guest: one without a credential, forgotten after a while."""

LINK_VARIABLES: Final = ("VISITOR_WEB", "VISITOR_SSH")
"""Environment variables with the forms of tables' links, web and ssh, `{}` in place of the link."""

SHOW_VARIABLES: Final = ("VISITOR_WEB_SHOW", "VISITOR_SSH_SHOW")
"""The same for links that only show a table."""

SHOWN_VARIABLES: Final = ("VISITOR_SHOWN", "VISITOR_LATE")
"""Environment variables with the link of the table that is all that the process shows, and with how
many moves late."""

LINKED: Final = 75
"""Exit status to restart as another visitor, to whom this one was linked."""

IN_LINES: Final = 76
"""Exit status to restart as the plain-text interface."""

NOBODY: Final = "Guest"
"""Default name of a visitor."""

_GIVEN: Final = re.compile(rf"{NOBODY}[\W_]*\d*", re.IGNORECASE)
"""A name that only the club gives."""

FAULT: Final = "Something went wrong here. Your matches are saved."
"""Message to a visitor whose process has crashed."""

SHOWN_OVER: Final = "You have left. The link shows you the table again."
"""Message to the same when they leave."""

SHOWN_FAILED: Final = "The table cannot be shown now."
"""Message to the same when the table does not let them see it."""

WAY_BACK: Final = "You find it in the lobby."
"""Message about an unfinished match."""

HEARS: Final = "You are told of new offers."
HEARS_NOT: Final = "You are no longer told of new offers. They are in the list."

MATCH: Final = "match"
"""The kind of a place that is a match of one's own; at tables it is `SEAT` or `WATCH`."""

_FILE: Final = "visitor.json"
_MOST_BYTES: Final = 4096
_TRIES: Final = 80
_BETWEEN_TRIES: Final = 0.1
"""Seconds between two tries: the last visit may still be ending when the next begins."""


class LastPlace(NamedTuple):
    """A visitor's last place: a match of their own, another's table, or watching."""

    kind: str
    """`MATCH`, `SEAT` or `WATCH`."""
    id: str
    """The id of the saved match or of the table."""
    word: str = ""
    """The table's word, if it has one."""


class VisitorProfile:
    """A visitor's saved name and place.

    Args:
        directory: the visitor's directory.

    Attributes:
        name: the visitor's name, empty until they have given one.
        place: where the last visit broke off, None if the visitor had left.
        hears: whether the visitor wants to be told of new offers to play.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / _FILE
        values = read_small(self._path, _MOST_BYTES)
        self.name = clean(values.get("name"))
        self.hears = values.get("hears") is not False
        self.place: LastPlace | None = None
        match values.get("place"):
            case [str(kind), str(name), *more] if kind in (MATCH, SEAT, WATCH) and is_id(name):
                word = more[0] if more else ""
                known = word if isinstance(word, str) and is_id(word) else ""
                self.place = LastPlace(kind, name, known)

    @property
    def has_given_name(self) -> bool:
        """Whether the club has given the name."""
        return bool(self.name) and is_given(self.name)

    @property
    def proposed(self) -> str:
        """The visitor's name, or one to propose."""
        return self.name or clean(os.environ.get(NAME_VARIABLE)) or NOBODY

    def rename(self, name: str) -> None:
        """Change and save the name."""
        self.name = clean(name) or self.proposed
        self._keep()

    def keep_place(self, place: LastPlace | None) -> None:
        """Change and save the place; None clears it."""
        if place != self.place:
            self.place = place
            self._keep()

    def hear(self, on: bool) -> str:
        """Be told of new offers to play, or no longer; save it, and return what holds."""
        self.hears = on
        self._keep()
        return HEARS if on else HEARS_NOT

    def follow(self, session: SessionView, at: LastPlace | None) -> None:
        """Save the visitor's place, as soon as they can come back to it.

        Args:
            session: the session played.
            at: the table, if it is another visitor's.
        """

        def keep(_: object = None) -> None:
            if at or session.autosave.id:
                self.keep_place(at or LastPlace(MATCH, session.autosave.id))

        session.subscribe(keep)
        keep()

    async def when_free(self, resume: Callable[[], Awaitable[Saved]]) -> Saved:
        """Resume a match as soon as the last visit has released it.

        Raises:
            InUse: it stays locked: the visitor has it open in another window.
            ValueError: it cannot be resumed for another reason.
        """
        for _ in range(_TRIES):
            try:
                return await resume()
            except InUse:
                await asyncio.sleep(_BETWEEN_TRIES)
        self.place = None  # not saved: another visit at the same time has taken it
        raise InUse("that match is open in another window of yours")

    def _keep(self) -> None:
        # If this fails, saving the match fails, too, and that is reported.
        with suppress(OSError):
            values = {"name": self.name, "place": self.place, "hears": self.hears}
            write_small(self._path, values, private=True)


def is_given(name: str) -> bool:
    """Whether a name, perhaps empty, is none of the visitor's own."""
    return not name or _GIVEN.fullmatch(name) is not None


def clean(name: object) -> str:
    """Return the printable part of a name, shortened; empty if there is none."""
    return printable(name, LONGEST_GIVEN_NAME) if isinstance(name, str) else ""
