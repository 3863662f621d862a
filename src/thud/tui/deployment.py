"""What may be done where the application runs: everything at home, less in a club."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from textual.app import App


class Deployment(NamedTuple):
    """Where the application runs."""

    off: frozenset[str] = frozenset()
    """The actions that are not to be had."""
    files: bool = True
    """Whether files of this machine can be named; else nobody is told where anything is kept."""
    invites: bool = True
    """Whether others are told by lines to type how they come to a match."""
    taps: bool = False
    """Whether there may be no keys: everything has something to tap on."""
    words: Mapping[str, str] = MappingProxyType({})
    """What is called otherwise than at home."""

    def allows(self, action: str) -> bool:
        """Say whether an action is to be had, with or without where it is defined: `app.open`."""
        return action.partition("(")[0].rpartition(".")[2] not in self.off

    def says(self, words: str) -> str:
        """Return how something is called here that has a name at home."""
        return self.words.get(words, words)


HOME: Final = Deployment()
"""One's own machine."""

_WORDS: Final = {
    "Host somebody elsewhere": "Open a table",
    "Join a match elsewhere": "Go to a table",
    "Quit": "Leave",
    "Quit?": "Leave?",
    "quit": "leave",
}

CLUB: Final = Deployment(
    off=frozenset({"open", "picture", "puzzle", "save", "screenshot", "suspend_process"}),
    files=False,
    invites=False,
    taps=True,
    words=_WORDS | {"Save as": "Read as text", "save it as a file": "read it as text"},
)
"""A machine where others are guests, at their terminals."""

CLUB_IN_BROWSERS: Final = CLUB._replace(
    off=CLUB.off - {"picture"},
    words=_WORDS
    | {
        "Save as": "Download",
        "save it as a file": "download it",
        "Save a picture": "Download a picture",
        "save a picture": "download a picture",
    },
)
"""The same machine, for guests whose browsers keep what is handed over."""


def deployment_of(app: App[Any]) -> Deployment:
    """Return where an application runs: at home, if it does not know."""
    return getattr(app, "premises", HOME)
