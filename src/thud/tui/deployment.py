"""Where the app runs, as a value: at home, or in a club behind ssh or a browser."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from thud.namedtuple import NamedTuple

if TYPE_CHECKING:
    from textual.app import App

LARGEST: Final = (500, 200)
"""The columns and lines of a visitor's terminal that are drawn on; a larger one is used in part."""


class Delivery(Enum):
    """How a saved file reaches the player."""

    FILE = "as a file here, of a name that is asked for"
    TEXT = "as text on the screen, to be copied"
    DOWNLOAD = "as a download of the browser"


class Deployment(NamedTuple):
    """The differences between places where the app runs."""

    club: bool = False
    """Whether a club is visited: it has a lobby with tables, and visitors come back."""
    off: frozenset[str] = frozenset()
    """The actions that are not to be had."""
    delivery: Delivery = Delivery.FILE
    """How matches and pictures are saved."""
    files: bool = True
    """Whether files of this machine can be named; else nobody is told where anything is kept."""
    taps: bool = False
    """Whether there may be no keys: everything has something to tap on."""
    tells_faults: bool = True
    """Whether a traceback may be printed; else it is kept for whoever runs the club."""
    clipboard: str = "the terminal's clipboard"
    """Where copied text is sent."""
    largest: tuple[int, int] | None = None
    """The largest screen that is drawn."""
    words: Mapping[str, str] = MappingProxyType({})
    """Labels that differ from those at home."""

    def allows(self, action: str) -> bool:
        """Whether an action is to be had, with or without where it is defined: `app.open`."""
        return action.partition("(")[0].rpartition(".")[2] not in self.off

    def says(self, words: str) -> str:
        """Return how something is called here that has a name at home."""
        return self.words.get(words, words)


HOME: Final = Deployment()
"""One's own machine."""

_WORDS: Final = {
    "Host a remote match": "Open a table",
    "Join a remote match": "Go to a table",
    "Quit": "Leave",
    "Quit?": "Leave?",
    "quit": "leave",
}

SSH: Final = Deployment(
    club=True,
    off=frozenset({"open", "picture", "puzzle", "save", "screenshot", "suspend_process"}),
    delivery=Delivery.TEXT,
    files=False,
    taps=True,
    tells_faults=False,
    largest=LARGEST,
    words=_WORDS | {"Save as": "Read as text", "save it as a file": "read it as text"},
)
"""A club, for visitors at terminals."""

WEB: Final = SSH._replace(
    off=SSH.off - {"picture"},
    delivery=Delivery.DOWNLOAD,
    # The page says whether it could be copied.
    clipboard="your browser",
    # Behind a browser only whoever runs the club reads what is printed.
    tells_faults=True,
    words=_WORDS
    | {
        "Save as": "Download",
        "save it as a file": "download it",
        "Save a picture": "Download a picture",
        "save a picture": "download a picture",
    },
)
"""A club, for visitors in browsers."""


def deployment_of(app: App[Any]) -> Deployment:
    """Return where an app runs: at home, if it does not know."""
    return getattr(app, "deployment", HOME)
