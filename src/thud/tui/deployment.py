"""Where the app runs, as a value: at home, or in a club behind ssh or a browser."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from thud.tui.actions import BY_ID

if TYPE_CHECKING:
    from textual.app import App


class Delivery(Enum):
    """How a saved file reaches the player."""

    FILE = "as a file here, of a name that is asked for"
    TEXT = "as text on the screen, to be copied"
    DOWNLOAD = "as a download of the browser"


class Deployment(Struct, frozen=True):
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


def deployment_of(app: App[Any]) -> Deployment:
    """Return an app's deployment, home if it has none."""
    return getattr(app, "deployment", HOME)
