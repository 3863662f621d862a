"""A visitor's profile: a name, and where they sat last."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from thud.disk.small import read_small, write_small
from thud.records.store import is_id
from thud.session.company import LONGEST_NAME
from thud.wording.text import printable

NAME_VARIABLE: Final = "VISITOR_NAME"
"""The environment variable that may propose a name."""

TABLE_VARIABLE: Final = "VISITOR_TABLE"
"""The environment variable that has the link of the table that the visitor was sent to."""

PLAIN_VARIABLE: Final = "VISITOR_PLAIN"
"""The environment variable that is set for a visitor who wants lines of text."""

LINK_VARIABLES: Final = ("VISITOR_WEB", "VISITOR_SSH")
"""The environment variables that say how a table is found, with its link behind them."""

LINKED: Final = 75
"""The exit status of a process whose visitor was linked to another, and is to come in anew."""

IN_LINES: Final = 76
"""The exit status of a process whose visitor wants lines of text instead."""

NOBODY: Final = "Guest"
"""Default name of a visitor."""

FAULT: Final = "Something went wrong here. Your matches are saved."
"""Message to a visitor whose process has crashed."""

WAY_BACK: Final = "It waits for you in the lobby."
"""The way back to an unfinished match."""

MATCH, SEAT, WATCH = "match", "seat", "watch"

_FILE: Final = "visitor.json"
_MOST_BYTES: Final = 4096


class LastPlace(NamedTuple):
    """A visitor's last place: a match of their own, another's table, or watching."""

    kind: str
    """`MATCH`, `SEAT` or `WATCH`."""
    id: str
    """That of the match kept here, or of the table."""
    word: str = ""
    """The table's word, if it has one."""


class VisitorProfile:
    """A visitor, as the disk remembers them.

    Args:
        directory: where everything of theirs is kept.

    Attributes:
        name: what they are called, empty as long as they have not said.
        place: where they were when the last visit broke off, None if they had left.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / _FILE
        values = read_small(self._path, _MOST_BYTES)
        self.name = clean(values.get("name"))
        self.place = _place(values.get("place"))

    @property
    def proposed(self) -> str:
        """The name to propose to somebody who has none."""
        return self.name or clean(os.environ.get(NAME_VARIABLE)) or NOBODY

    def rename(self, name: str) -> None:
        """Give them another name, and keep it."""
        self.name = clean(name) or self.proposed
        self._keep()

    def keep_place(self, place: LastPlace | None) -> None:
        """Keep where they are, for the next visit; None is nowhere."""
        if place != self.place:
            self.place = place
            self._keep()

    def forget_place(self) -> None:
        """Forget the place, which another visit of theirs has taken, without saving that."""
        self.place = None

    def _keep(self) -> None:
        # Where that is not possible, the match cannot be kept either, which is told.
        with suppress(OSError):
            write_small(self._path, {"name": self.name, "place": self.place}, private=True)


def clean(name: object) -> str:
    """Return what of a name can stand on everybody's screen, empty if nothing can."""
    return printable(name, LONGEST_NAME) if isinstance(name, str) else ""


def _place(value: object) -> LastPlace | None:
    match value:
        case [str(kind), str(name), *more] if kind in (MATCH, SEAT, WATCH) and is_id(name):
            word = more[0] if more else ""
            return LastPlace(kind, name, word if isinstance(word, str) and is_id(word) else "")
    return None
