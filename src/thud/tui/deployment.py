"""Where the app runs, as a value: at home, or in a club behind ssh or a browser."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from thud.terminal.cells import LARGEST
from thud.tui.actions import BY_ID, Door

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
    sounds: bool = False
    """Whether players hear what this machine plays."""
    off: frozenset[str] = frozenset()
    """The disabled actions, by their names, or as they run if that has arguments."""
    labels: Mapping[str, str] = MappingProxyType({})
    """The labels of actions that are called otherwise than at home, by id."""
    saving: str = "save it as a file"
    """What a sentence calls saving a match."""
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

    def allows(self, action: str) -> bool:
        """Whether an action is enabled, as it runs, such as `app.edit` or `go('host')`."""
        runs = action.removeprefix("app.").removeprefix("screen.")
        return runs not in self.off and runs.partition("(")[0] not in self.off

    def label(self, action: str) -> str:
        """Return what an action is called here, by its id."""
        return self.labels.get(action) or BY_ID[action].label


HOME: Final = Deployment(sounds=True)
"""One's own machine."""

_OF_TEXTUAL: Final = {"screenshot", "suspend_process"}
"""Textual's own actions that are disabled away from home."""


def _off(door: Door) -> frozenset[str]:
    """Return the actions disabled behind a door."""
    ours = [each for each in BY_ID.values() if each.elsewhere.get(door, "") is None]
    return frozenset({each.runs if "(" in each.runs else each.name for each in ours} | _OF_TEXTUAL)


def _labels(door: Door) -> Mapping[str, str]:
    """Return the labels that are others behind a door, by the actions' ids."""
    found = ((each.id, each.elsewhere.get(door)) for each in BY_ID.values())
    return {name: label for name, label in found if label}


SSH: Final = Deployment(
    club=True,
    off=_off("ssh"),
    labels=_labels("ssh"),
    saving="read it as text",
    delivery=Delivery.TEXT,
    files=False,
    taps=True,
    tells_faults=False,
    largest=LARGEST,
)
"""A club, for visitors at terminals."""

WEB: Final = SSH._replace(
    off=_off("web"),
    labels=_labels("web"),
    saving="download it",
    delivery=Delivery.DOWNLOAD,
    draws_pieces=True,
    # The web page itself reports whether it could be copied.
    clipboard="your browser",
    # Behind a browser only the host of the club reads the output.
    tells_faults=True,
)
"""A club, for visitors in browsers."""

PAGE: Final = WEB._replace(
    club=False,
    off=_off("page"),
    labels=_labels("page"),
)
"""A browser that runs the program itself."""


def deployment_of(app: App[Any]) -> Deployment:
    """Return an app's deployment, home if it has none."""
    return getattr(app, "deployment", HOME)
