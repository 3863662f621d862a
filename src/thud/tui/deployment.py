"""Where the app runs, as a value: at home, or in a club behind ssh or a browser."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from thud.terminal.cells import LARGEST

if TYPE_CHECKING:
    from textual.app import App


class Delivery(Enum):
    """How a saved file reaches the player."""

    FILE = "as a file here, of a name that is asked for"
    TEXT = "as text on the screen, to be copied"
    DOWNLOAD = "as a download of the browser"


class Deployment(NamedTuple):
    """Where the app runs, and what differs there."""

    club: bool = False
    """Whether it is a club, with a lobby, tables, and visitors who return."""
    off: frozenset[str] = frozenset()
    """The disabled actions."""
    delivery: Delivery = Delivery.FILE
    """How matches and pictures are saved."""
    files: bool = True
    """Whether players may open and see paths of this machine's files."""
    taps: bool = False
    """Whether there may be no keyboard: everything can be tapped."""
    draws_pieces: bool = False
    """Whether a page draws the pieces on squares too small for sprites."""
    tells_faults: bool = True
    """Whether a traceback may be printed; else it is saved for whoever runs the club."""
    clipboard: str = "the terminal's clipboard"
    """Where copied text is sent."""
    largest: tuple[int, int] | None = None
    """The largest screen size drawn, None for no limit."""
    words: Mapping[str, str] = MappingProxyType({})
    """Labels that differ from those at home."""

    def allows(self, action: str) -> bool:
        """Whether an action is enabled, with or without a namespace such as `app.`."""
        return action.partition("(")[0].rpartition(".")[2] not in self.off

    def says(self, words: str) -> str:
        """Return the label used here for one used at home."""
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
    draws_pieces=True,
    # The web page itself reports whether it could be copied.
    clipboard="your browser",
    # Behind a browser only the host of the club reads the output.
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
    """Return an app's deployment, home if it has none."""
    return getattr(app, "deployment", HOME)
